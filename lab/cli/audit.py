"""graft audit: what a pass is worth."""

from __future__ import annotations

import typer

from experiments.cli.results.memory import memory
from lab.cli.differential import differential
from lab.cli.forge import forge
from lab.cli.plus import plus_app
from lab.cli.sabotage import sabotage
from lab.cli.wrong import wrong_app

audit_app = typer.Typer(
    help="Find out what a pass is worth: wrong bodies, plus tests, forgeries, memory.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
audit_app.add_typer(wrong_app, name="wrong")
audit_app.add_typer(plus_app, name="plus")
audit_app.command()(differential)
audit_app.command()(forge)
audit_app.command()(sabotage)
audit_app.command()(memory)
