"""graft run and graft demo."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from executor.cache import cache_root
from experiments.cli.options import Mirror, Overrides, add_mirror
from experiments.progress import ConsoleProgress
from experiments.tables import print_rows_as_wrapped_table
from index.errors import UserError


def _print_config_keys_and_exit(wanted: bool) -> None:
    """Print the keys of a run configuration, each with its default and its meaning."""
    if not wanted:
        return
    from experiments.run.config import describe_config_keys

    print_rows_as_wrapped_table(("key", "default", "meaning"), describe_config_keys())
    raise typer.Exit


def run(
    context: typer.Context,
    config: Annotated[
        Path,
        typer.Argument(
            help="A YAML file, or a built-in configuration: oracle, retrieval, feedback, agentic, hard, matrix,"
            " dataset. It may be left out before dataset=..., which then means the configuration dataset."
        ),
    ],
    overrides: Overrides = None,
    mirror: Mirror = None,
    retry_errors: Annotated[
        bool, typer.Option(help="Ask the model again where a sample ended in a model error.")
    ] = False,
    prompts_only: Annotated[
        Path | None,
        typer.Option(
            help="Ask no model: write the first prompt of each sample to this JSON lines file, for a batch service."
        ),
    ] = None,
    responses: Annotated[
        Path | None,
        typer.Option(
            help="Ask no model: take the answers from this file, what a batch service made of `--prompts-only`."
        ),
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Ask no model: take the answers from this earlier run's folder.")
    ] = None,
    keys: Annotated[
        bool,
        typer.Option(
            "--keys", callback=_print_config_keys_and_exit, is_eager=True, help="List the keys of a configuration."
        ),
    ] = False,
) -> None:
    """Run an experiment, or continue one.

    Finished samples are never repeated or paid for again. The run's folder is the key `out`, by default
    runs/CONFIG-MODEL, so the same command finds it again. A configuration with the key `vary` is a study: one run
    for each combination of its values, then one table of all runs. `graft run --keys` lists the keys.
    """
    from experiments.compare.study import read_matrix, run_study_and_print_tables
    from experiments.report.run_end import write_and_print_report
    from experiments.run.batch import Offline, write_prompts
    from experiments.run.config import load_config
    from experiments.run.experiment import run_experiment

    given = {"--prompts-only": prompts_only, "--responses": responses, "--replay": replay}
    ways = [name for name, path in given.items() if path is not None]
    if len(ways) > 1:
        raise UserError(f"{' and '.join(ways)} can't be used together")
    if "=" in str(config) and not config.exists():
        config, overrides = Path("dataset"), [str(config), *(overrides or [])]
    words = add_mirror(overrides, mirror)
    study = read_matrix(config, words)
    if study is not None and ways:
        raise UserError(f"{config}: {ways[0]} goes with one run, not with a study")
    if prompts_only is not None:
        again = shlex.join(["graft", "run", str(config), *words])
        return write_prompts(load_config(config, words), cache_root(), prompts_only, again)
    # The context holds the comparison with the gold.
    progress, comparison = ConsoleProgress(), context.obj
    if study is not None:
        raise typer.Exit(
            run_study_and_print_tables(study, cache_root(), progress, retry_errors=retry_errors, comparison=comparison)
        )
    end = run_experiment(
        load_config(config, words),
        cache_root(),
        progress,
        retry_errors=retry_errors,
        offline=Offline(responses, replay) if ways else None,
        comparison=comparison,
    )
    raise typer.Exit(write_and_print_report(end))


def demo(
    overrides: Overrides = None,
    out: Annotated[Path, typer.Option(help="The demo's run folder.")] = Path("runs/demo"),
    fresh: Annotated[
        bool, typer.Option(help="Start the run anew. --no-fresh continues it, or shows it where it is finished.")
    ] = True,
) -> None:
    """Try Graft without a model.

    Five arms on a small C project, with scripted answers and real builds and tests."""
    from experiments.demo.command import run_demo

    raise typer.Exit(run_demo(out, overrides or (), fresh=fresh))


def mcp(
    task: Annotated[str, typer.Option(help="The task's id.")],
    overrides: Overrides = None,
    client: Annotated[
        str, typer.Option(help="What the client is called in reports: claude-code, codex, ...")
    ] = "client",
    verdict: Annotated[
        bool,
        typer.Option(
            "--verdict",
            help="`submit` waits for the verdict and tells it. Default: it says that the function was taken.",
        ),
    ] = False,
    mirror: Mirror = None,
) -> None:
    """Serve one task to a coding agent, and judge what it hands in.

    The tools (look-ups, `check`, `submit`) speak the Model Context Protocol (MCP) on stdin and stdout. A session is a
    sample in the run's folder, by default runs/mcp-CLIENT. docs/how-to/serve-a-task.md tells how to connect a
    client."""
    from experiments.mcp.task_session import make_session_config, serve_task

    config = make_session_config(task, client, add_mirror(overrides, mirror))
    raise typer.Exit(serve_task(config, tells_verdict=verdict))
