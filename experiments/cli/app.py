"""The command line. Heavy imports wait inside the commands, so that --help answers at once."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.doctor import doctor
from experiments.cli.images import images_app
from experiments.cli.index import index_app
from experiments.cli.retrieval import retrieval_eval
from experiments.cli.tasks import tasks_app
from experiments.consoles import log_to_stderr
from index.errors import OUT_OF_STOCK, GraftError, InfraError, UserError

log = logging.getLogger(__name__)

app = typer.Typer(
    name="graft",
    help="Can this model write this function inside this real C/C++ repository?",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(tasks_app, name="tasks")
app.add_typer(images_app, name="images")
app.add_typer(index_app, name="index")
app.command()(doctor)
app.command()(retrieval_eval)


@app.callback()
def options(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="print results, warnings and errors alone")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="print debugging messages too")] = False,
) -> None:
    """Can this model write this function inside this real C/C++ repository?"""
    log_to_stderr(logging.WARNING if quiet else logging.DEBUG if verbose else logging.INFO)


Mirror = Annotated[
    Path | None,
    typer.Option(
        help="folder with the repositories' sources by name (bare clone, clone or plain tree); else GRAFT_MIRROR"
    ),
]


@app.command()
def run(
    config: Annotated[Path, typer.Argument(help="a YAML file, as experiments/oracle.yaml")],
    overrides: Annotated[
        list[str] | None, typer.Argument(metavar="[KEY=VALUE]...", help="laid over the file: model=gold limit=5")
    ] = None,
    mirror: Mirror = None,
    retry_errors: Annotated[bool, typer.Option(help="do samples that ended in a model error again")] = False,
    responses: Annotated[
        Path | None, typer.Option(help="a batch's output for `graft prompts`: no model is asked")
    ] = None,
    replay: Annotated[Path | None, typer.Option(help="another run's folder: its responses again, no model")] = None,
    suite: Annotated[
        str | None,
        typer.Option(help="the same as suite=: chosen, or official (the repository's own tests as well)"),
    ] = None,
) -> None:
    """Run an experiment, or go on with it: finished samples are never done or paid for again.

    Keys, with their defaults, are listed by `graft keys`. The run's folder is `out`, by default
    runs/CONFIG-MODEL; the same command finds it again.
    """
    from experiments.cli.commands import run_command

    words = [*(overrides or []), *([] if suite is None else [f"suite={suite}"])]
    raise typer.Exit(run_command(config, words, mirror, retry_errors=retry_errors, responses=responses, replay=replay))


@app.command()
def prompts(
    config: Annotated[Path, typer.Argument(help="a YAML file, as for `graft run`")],
    overrides: Annotated[list[str] | None, typer.Argument(metavar="[KEY=VALUE]...", help="laid over the file")] = None,
    out: Annotated[Path, typer.Option(help="the file to write, JSON lines")] = Path("prompts.jsonl"),
    mirror: Mirror = None,
) -> None:
    """Write every first prompt as a provider's batch request; `graft run --responses` takes the answers."""
    from experiments.cli.commands import prompts_command

    prompts_command(config, overrides or [], mirror, out)


@app.command()
def keys() -> None:
    """The keys of a run configuration: type, default, meaning."""
    from experiments.cli.commands import keys_command

    keys_command()


@app.command()
def show(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="a run's folder")],
    task: Annotated[str | None, typer.Argument(help="a task's id; without it the report and every sample")] = None,
    arm: Annotated[str | None, typer.Option(help="only this arm")] = None,
    sample: Annotated[int | None, typer.Option(help="only this sample")] = None,
    full: Annotated[bool, typer.Option(help="whole prompts and logs")] = False,
) -> None:
    """What happened: the report, or one task's story from prompt to verdict."""
    from experiments.cli.commands import show_command

    show_command(run_folder, task, arm, sample, full=full)


@app.command()
def grade(
    what: Annotated[Path, typer.Argument(help="a run's folder, or predictions as JSON lines (ours or lm-eval's)")],
    overrides: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="for predictions: dataset=example out=DIR"),
    ] = None,
    mirror: Mirror = None,
    rules: Annotated[
        str, typer.Option("--as", help="graft, or official: YABLoCo's rules beside ours, failures run once more")
    ] = "graft",
) -> None:
    """Grade a run's stored logs again without running anything, or score answers that were made elsewhere."""
    from experiments.cli.commands import grade_predictions_command, grade_run_command

    if rules not in ("graft", "official"):
        raise UserError(f"--as {rules!r} isn't known (one of: graft, official)")
    if what.is_dir():
        if overrides:
            raise UserError(f"{what}: stored logs are graded as they are; take {overrides[0]!r} away")
        grade_run_command(what, mirror, official=rules == "official")
    else:
        raise typer.Exit(grade_predictions_command(what, overrides or [], mirror, official=rules == "official"))


@app.command()
def mcp(
    index: Annotated[Path, typer.Option("--index", help="folder of an index, as graft index build tells it")],
) -> None:
    """Serve an index's search tools to coding agents, by the Model Context Protocol on stdin and stdout."""
    from experiments.cli.mcp_server import serve
    from experiments.indexing.place import found_place

    serve(found_place(None, index))


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="the demo's run folder; a finished one is shown again")] = Path(
        "runs/demo"
    ),
    fresh: Annotated[bool, typer.Option(help="remove the folder first")] = True,
) -> None:
    """The main job on the embedded example: five arms, a scripted model over real HTTP, real builds and tests."""
    from experiments.demo.command import run_demo

    raise typer.Exit(run_demo(out, fresh=fresh))


def main() -> None:
    """Entry point. A user's mistake is one line and exit code 2."""
    log_to_stderr()
    try:
        app()
    except GraftError as error:
        log.error(f"graft: {error}")
        sys.exit(error.exit_code)
    except OSError as error:
        if error.errno not in OUT_OF_STOCK:
            raise
        log.error(f"graft: {error}; finished work is kept, the same command goes on")
        sys.exit(InfraError.exit_code)
    except KeyboardInterrupt:
        log.error("graft: interrupted; finished work is kept, the same command goes on")
        sys.exit(130)


if __name__ == "__main__":
    main()
