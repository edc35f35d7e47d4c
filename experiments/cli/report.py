"""graft report: runs as a page to look at."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from index.errors import UserError

log = logging.getLogger(__name__)


def report(
    sides: Annotated[
        list[str], typer.Argument(metavar="RUN[:ARM]...", help="Runs' folders with all their arms, or single arms.")
    ],
    html: Annotated[Path | None, typer.Option("--html", help="Write a page to look at in a browser.")] = None,
) -> None:
    """Write what runs found, to look at and to publish.

    The page is one file that needs no network; stories that make it too large lie in a folder beside it."""
    from experiments.page.write import write_page

    if html is None:
        raise UserError("report: say what to write: --html FILE")
    written = write_page(sides, html)
    stories = "in it" if written.beside is None else f"in {written.beside}: keep it beside the page"
    log.info(f"{html}: {written.samples} samples; their stories are {stories}; it holds the tasks' golds")
