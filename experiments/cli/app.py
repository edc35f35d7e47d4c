"""The command line: each command reads its options and calls one function. Heavy imports wait inside the commands,
so that --help answers at once."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from experiments.cli.cluster import cluster_app
from experiments.cli.images import images_app
from experiments.cli.index.app import index_app
from experiments.cli.keys import keys
from experiments.cli.options import Mirror, Overrides, ShownColumns, with_mirror
from experiments.cli.results.compare import compare, leaderboard
from experiments.cli.results.export import export
from experiments.cli.results.memory import memory
from experiments.cli.results.report import report
from experiments.cli.results.review import review
from experiments.cli.tasks import tasks_app
from experiments.consoles import log_to_stderr, say, stderr
from index.errors import OUT_OF_STOCK, GraftError, InfraError, UserError

if TYPE_CHECKING:
    from executor.workers.contract import GoldComparison

log = logging.getLogger(__name__)

app = typer.Typer(
    name="graft", no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=True
)
app.add_typer(tasks_app, name="tasks")
app.add_typer(images_app, name="images")
app.add_typer(index_app, name="index")
app.add_typer(cluster_app, name="cluster")


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(version("graft"))
        raise typer.Exit


@app.callback()
def options(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results, warnings and errors alone.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print debugging messages too.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Can this model write this function inside this real C/C++ repository?"""
    del version
    log_to_stderr(logging.WARNING if quiet else logging.DEBUG if verbose else logging.INFO)


ConfigFile = Annotated[
    Path,
    typer.Argument(
        help="A YAML file, or a built-in configuration: oracle, retrieval, feedback, agentic, matrix, dataset."
        " It may be left out before dataset=..., which then means the configuration dataset."
    ),
]


@app.command()
def run(
    context: typer.Context,
    config: ConfigFile,
    overrides: Overrides = None,
    mirror: Mirror = None,
    retry_errors: Annotated[
        bool, typer.Option(help="Ask the model again where a sample ended in a model error.")
    ] = False,
    responses: Annotated[
        Path | None,
        typer.Option(
            help="Ask no model: take the answers from this file, what a batch service made of `graft prompts`."
        ),
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Ask no model: take the answers from this earlier run's folder.")
    ] = None,
    suite: Annotated[
        Literal["chosen", "official"] | None,
        typer.Option(
            help="The tests that judge: chosen for each task, or official: after these the repository's whole suite."
        ),
    ] = None,
) -> None:
    """Run an experiment, or continue one.

    Finished samples are never repeated or paid for again. The run's folder is the key `out`, by default
    runs/CONFIG-MODEL, so the same command finds it again. A configuration with the key `vary` is a study: one run
    for each combination of its values, then one table of all runs.
    """
    from executor.cache import cache_root
    from experiments.compare.matrix import read_matrix
    from experiments.compare.study import run_study
    from experiments.progress import ConsoleProgress
    from experiments.report.finish import finish
    from experiments.run.batch import Offline
    from experiments.run.config import load_config
    from experiments.run.experiment import run_experiment

    if responses is not None and replay is not None:
        raise UserError("--responses and --replay can't be used together")
    if "=" in str(config) and not config.exists():
        config, overrides = Path("dataset"), [str(config), *(overrides or [])]
    words = with_mirror([*(overrides or []), *([] if suite is None else [f"suite={suite}"])], mirror)
    offline = Offline(responses, replay) if responses is not None or replay is not None else None
    study = read_matrix(config, words)
    if study is not None and offline is not None:
        raise UserError(f"{config}: --responses and --replay go with one run, not with a study")
    progress = ConsoleProgress(stderr())
    if study is not None:
        raise typer.Exit(run_study(study, cache_root(), progress, retry_errors=retry_errors, comparison=context.obj))
    settings = load_config(config, words)
    end = run_experiment(
        settings, cache_root(), progress, retry_errors=retry_errors, offline=offline, comparison=context.obj
    )
    raise typer.Exit(finish(end))


@app.command()
def prompts(
    config: ConfigFile,
    overrides: Overrides = None,
    out: Annotated[Path, typer.Option(help="The JSON lines file to write.")] = Path("prompts.jsonl"),
    mirror: Mirror = None,
) -> None:
    """Write a run's prompts to a file, for a batch service.

    The file holds the first prompt of each sample. `graft run --responses` reads the answers.
    """
    from executor.cache import cache_root
    from experiments.run.config import load_config
    from experiments.run.prompts import write_prompts

    write_prompts(load_config(config, with_mirror(overrides, mirror)), cache_root(), out)


@app.command()
def show(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    task: Annotated[str | None, typer.Argument(help="A task's id. Without it: the report and all samples.")] = None,
    arm: Annotated[str | None, typer.Option(help="Only this arm.")] = None,
    sample: Annotated[int | None, typer.Option(help="Only this sample.")] = None,
    full: Annotated[bool, typer.Option(help="Print whole prompts, answers and logs.")] = False,
    k: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Show pass@k for this k. May be repeated. Default: k as large as an arm's samples."),
    ] = None,
    original_names: Annotated[
        bool, typer.Option("--original-names", help="For a run on a variant: show the repository's own names.")
    ] = False,
    details: Annotated[
        bool, typer.Option("--details", help="Print the tables by level and by cause, control runs, every sample, ...")
    ] = False,
    columns: ShownColumns = "fit",
) -> None:
    """Show a run's report, or what happened to one of its tasks."""
    from experiments.report.show import Selection, show_run, show_task

    selection = Selection(arm, sample, tuple(sorted(set(k or ()))), original_names)
    if task is None:
        show_run(run_folder, selection, details=details, every_column=columns == "all")
    else:
        show_task(run_folder, task, selection, full=full)


@app.command()
def watch(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run in progress.")],
    once: Annotated[bool, typer.Option("--once", help="Print the state once, as one line.")] = False,
) -> None:
    """Watch a run in progress.

    Shows the samples finished and passed in each arm, cost, rate and time left. A terminal shows a table that is
    kept up to date; elsewhere a line is printed each minute. The command ends with the run."""
    from experiments.consoles import stdout
    from experiments.report.watch import watch_run

    watch_run(run_folder, stdout(), once=once)


@app.command()
def grade(
    context: typer.Context,
    source: Annotated[
        Path,
        typer.Argument(metavar="RUN_OR_FILE", help="A run's folder, or answers as JSON lines (ours or lm-eval's)."),
    ],
    overrides: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KEY=VALUE]...",
            help="With a file of answers: set keys of the configuration, as dataset=example out=DIR.",
        ),
    ] = None,
    mirror: Mirror = None,
    rules: Annotated[
        Literal["graft", "official", "yabloco", "yabloco-paper", "mera"],
        typer.Option(
            "--as",
            help="Also score by the rules of a published harness: yabloco, yabloco-paper or mera; or official: the"
            " rules that the run's key `official` names. Where they demand it, tasks without a passing sample are"
            " tested a second time.",
        ),
    ] = "graft",
) -> None:
    """Grade a run again, or score answers made elsewhere.

    A run is graded from its stored logs; nothing is built or tested again. Answers in a file are built and tested."""
    from executor.cache import cache_root
    from experiments.demo.command import scripted_texts
    from experiments.progress import ConsoleProgress
    from experiments.report.finish import finish
    from experiments.report.official_grade import grade_officially
    from experiments.report.predictions import run_predictions
    from experiments.report.regrade import regrade_run

    if not source.is_dir():
        end = run_predictions(source, with_mirror(overrides, mirror), ConsoleProgress(stderr()), context.obj)
        code = finish(end)
        if rules != "graft" and not code:
            grade_officially(end.run, mirror, cache_root(), rules=None if rules == "official" else rules)
        raise typer.Exit(code)
    if overrides:
        raise UserError(f"{source}: stored logs are graded as they are; leave out {overrides[0]!r}")
    if rules == "graft":
        raise typer.Exit(regrade_run(source))
    grade_officially(source, mirror, cache_root(), scripted_texts(), None if rules == "official" else rules)


@app.command()
def mcp(
    index: Annotated[Path, typer.Option("--index", help="The index's folder, as `graft index build` prints it.")],
) -> None:
    """Serve an index's search tools to a coding agent.

    They speak the Model Context Protocol (MCP) on stdin and stdout."""
    from experiments.cli.index.mcp_server import serve
    from experiments.indexing.place import found_place

    serve(found_place(None, index))


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="The demo's run folder.")] = Path("runs/demo"),
    fresh: Annotated[
        bool, typer.Option(help="Start the run anew. --no-fresh continues it, or shows it where it is finished.")
    ] = True,
) -> None:
    """Try Graft without a model.

    Five arms on a small C project, with scripted answers and real builds and tests."""
    from experiments.demo.command import run_demo

    raise typer.Exit(run_demo(out, fresh=fresh))


# Below those that are asked for most.
app.command()(compare)
app.command()(leaderboard)
app.command()(report)
app.command()(export)
app.command()(review)
app.command()(memory)
app.command()(keys)


def main(comparison: GoldComparison | None = None) -> None:
    """Run the command line. `comparison` compares answers with the gold, where a run asks for it. A user's mistake is
    one line and exit code 2."""
    log_to_stderr()
    try:
        # Not by Typer's own end: it answers a misspelt option with four lines.
        code = app(standalone_mode=False, obj=comparison)
        sys.exit(code if isinstance(code, int) else 0)
    except typer.TyperException as error:
        # A mistake in the words knows its command, but Typer publishes no class for such mistakes.
        context: typer.Context | None = getattr(error, "ctx", None)
        text = error.format_message()
        if context is not None and text == context.get_help():  # a group without one of its commands
            typer.echo(text, err=True)
        else:
            message = " ".join(text.split()).replace("Value error, ", "").rstrip(".")
            log.error(f"graft: {message} (see {context.command_path if context else 'graft'} --help)")
        sys.exit(UserError.exit_code)
    except GraftError as error:
        log.error(f"graft: {error}")
        sys.exit(error.exit_code)
    except OSError as error:
        if error.errno not in OUT_OF_STOCK:
            raise
        log.error(f"graft: {error}; finished work is kept, the same command continues it")
        sys.exit(InfraError.exit_code)
    except KeyboardInterrupt:
        log.error("graft: interrupted; finished work is kept, the same command continues it")
        sys.exit(130)
