"""`graft index eval` on the example."""

from __future__ import annotations

from typer.testing import CliRunner

from index.errors import UserError
from lab.cli.app import app


def run_eval(*words: object) -> tuple[int, str]:
    """The exit code, and what the command prints; 2 and the line for an error of the user."""
    done = CliRunner().invoke(app, ["index", "eval", "--dataset", "example", *map(str, words)])
    if isinstance(done.exception, UserError):
        return 2, str(done.exception)
    return done.exit_code, done.stdout
