"""The core's command line: panels of commands. Each command reads its options and calls one function. Heavy imports
wait inside the commands, so that --help answers at once."""

from __future__ import annotations

import errno
import logging
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from experiments.cli.images import images_app
from experiments.cli.index.app import index_app
from experiments.cli.results.compare import compare, leaderboard
from experiments.cli.results.export import export
from experiments.cli.results.grade import grade
from experiments.cli.results.imports import import_app
from experiments.cli.results.show import show
from experiments.cli.run import demo, mcp, run
from experiments.cli.tasks import tasks_app
from experiments.consoles import print_line, set_up_stderr_logging
from index.errors import OUT_OF_STOCK, GraftError, InfraError, UserError

if TYPE_CHECKING:
    from executor.workers.contract import GoldComparison

log = logging.getLogger(__name__)

# A place of the user's choice: forbidden, or a file where a folder is needed, or a folder in the place of a file.
_UNUSABLE = frozenset({errno.EACCES, errno.EROFS, errno.EEXIST, errno.ENOTDIR, errno.EISDIR})

RUN, RESULTS, DATA_SETS, SEARCH, MACHINES = "Run", "Results", "Data sets", "Search a tree", "Machines"
# The first help lists the panels that most users need, and names the commands of the last in one line.
PANELS, AGENTS = (RUN, RESULTS, DATA_SETS, SEARCH, MACHINES), "Other agents"
OF_AGENTS = "Other agents than Graft's: `graft mcp` serves them a task, `graft import` reads Harbor's jobs."


class PanelGroup(TyperGroup):
    """Lists the commands by panel. Typer knows panels only in boxes, which need rich at start-up."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        for panel in PANELS:
            rows = [
                (name, command.get_short_help_str(formatter.width))
                for name, command in commands
                if command is not None and getattr(command, "rich_help_panel", None) == panel
            ]
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)


app = typer.Typer(
    name="graft",
    cls=PanelGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    epilog=OF_AGENTS,
)
app.command(rich_help_panel=RUN)(run)
app.command(rich_help_panel=AGENTS)(mcp)
app.command(rich_help_panel=RUN)(demo)
app.command(rich_help_panel=RESULTS)(show)
app.command(rich_help_panel=RESULTS)(compare)
app.command(rich_help_panel=RESULTS)(leaderboard)
app.command(rich_help_panel=RESULTS)(grade)
app.command(rich_help_panel=RESULTS)(export)
app.add_typer(import_app, name="import", rich_help_panel=AGENTS)
app.add_typer(tasks_app, name="tasks", rich_help_panel=DATA_SETS)
app.add_typer(index_app, name="index", rich_help_panel=SEARCH)
app.add_typer(images_app, name="images", rich_help_panel=MACHINES)


def _print_version_and_exit(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print_line(version("graft"))
        raise typer.Exit


@app.callback()
def set_log_level_by_options(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results, warnings and errors alone.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print debugging messages too.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version_and_exit, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Can this model write this function inside this real C/C++ repository?"""
    del version
    set_up_stderr_logging(logging.WARNING if quiet else logging.DEBUG if verbose else logging.INFO)


def main(comparison: GoldComparison | None = None) -> None:
    """Run the command line. `comparison` compares answers with the gold, where a run asks for it. A user's mistake is
    one line and exit code 2."""
    set_up_stderr_logging()
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
        if error.errno in _UNUSABLE and error.filename is not None:
            log.error(f"graft: {error.filename}: {error.strerror}; name a place that you may use")
            sys.exit(UserError.exit_code)
        if error.errno not in OUT_OF_STOCK:
            raise
        log.error(f"graft: {error}; finished work is kept, the same command continues it")
        sys.exit(InfraError.exit_code)
    except KeyboardInterrupt:
        log.error("graft: interrupted; finished work is kept, the same command continues it")
        sys.exit(130)
