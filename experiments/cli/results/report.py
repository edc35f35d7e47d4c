"""graft report: runs as a page to look at, and as plots and tables for a paper."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from index.errors import UserError

log = logging.getLogger(__name__)


def report(
    sides: Annotated[
        list[str],
        typer.Argument(metavar="RUN[:ARM]...", help="The folder of a run, for all its arms; or one arm of it."),
    ],
    html: Annotated[Path | None, typer.Option("--html", help="Write a page for the browser to this file.")] = None,
    figures: Annotated[
        Path | None, typer.Option("--figures", help="Write the page's plots to this folder, as SVG and PNG.")
    ] = None,
    latex: Annotated[Path | None, typer.Option("--latex", help="Write the tables of a paper to this file.")] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Write the same tables as Markdown to this file.")
    ] = None,
) -> None:
    """Write the results of runs as a page, plots or tables.

    The page is one file that needs no network; when samples' details would make it too large, they lie in a folder
    beside it. Tables rank the sides and compare each with the best. Plots need matplotlib: pip install
    'graft[figures]'."""
    if html is None and figures is None and latex is None and markdown is None:
        raise UserError("report: say what to write: --html FILE, --figures FOLDER, --latex FILE or --markdown FILE")
    if html is not None:
        from experiments.page.write import write_page

        written = write_page(sides, html)
        stories = "in it" if written.beside is None else f"in {written.beside}: keep it beside the page"
        log.info(f"{html}: {written.samples} samples; their stories are {stories}; it holds the tasks' golds")
    if figures is not None:
        from experiments.paper.write import write_plots

        log.info(f"{figures}: {', '.join(path.name for path in write_plots(sides, figures))}")
    if latex is not None or markdown is not None:
        from experiments.paper.write import write_tables

        write_tables(sides, markdown, latex)
        log.info(f"tables: {', '.join(str(path) for path in (latex, markdown) if path is not None)}")
