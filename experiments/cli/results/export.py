"""graft export: runs for other tools, as a page, as plots or as a paper's tables."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from index.errors import UserError

log = logging.getLogger(__name__)


def export(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN...", help="The folders of runs; for html, figures and tables also RUN:ARM."),
    ],
    to: Annotated[
        Literal["csv", "jsonl", "parquet", "lm-eval", "inspect", "mera", "html", "figures", "latex", "markdown"],
        typer.Option(help="The format."),
    ] = "csv",
    out: Annotated[
        Path | None,
        typer.Option(help="The file to write; for lm-eval, inspect and figures a folder. Default: samples.csv, ..."),
    ] = None,
    arm: Annotated[str | None, typer.Option(help="Of samples: only this arm.")] = None,
) -> None:
    """Write runs for other tools, or as a page, plots or tables.

    csv, jsonl, parquet: one flat row for each sample, for pandas, R or a spreadsheet. lm-eval, inspect: logs with
    prompts and answers, as these harnesses write them. mera: a submission to MERA Code. docs/reference/export.md
    describes each. html: one page for the browser, as `graft show --html`. figures: the page's plots as SVG.
    latex, markdown: tables that rank the sides and compare each with the best."""
    if arm is not None and to in ("html", "figures", "latex", "markdown"):
        raise UserError(f"--arm goes with samples; for {to} say RUN:{arm}")
    if to == "html":
        export_page(runs, out or Path("report.html"))
    elif to == "figures":
        from experiments.page.paper import write_plots

        folder = out or Path("figures")
        log.info(f"{folder}: {', '.join(path.name for path in write_plots(runs, folder))}")
    elif to == "latex" or to == "markdown":
        from experiments.page.paper import write_tables

        target = out or Path("tables.tex" if to == "latex" else "tables.md")
        write_tables(runs, target, latex=to == "latex")
        log.info(f"tables: {target}")
    else:
        from experiments.export.write import DEFAULT_OUT, export_runs_and_count_samples

        target = out or Path(DEFAULT_OUT[to])
        count = export_runs_and_count_samples([Path(run) for run in runs], to, target, arm)
        log.info(f"{target}: {count} samples")


def export_page(sides: Sequence[str], out: Path) -> None:
    """Write the page of these sides, and say where its samples' stories lie."""
    from experiments.page.page_file import write_page

    written = write_page(sides, out)
    stories = "in it" if written.beside is None else f"in {written.beside}: keep it beside the page"
    log.info(f"{out}: {written.samples} samples; their stories are {stories}; it holds the tasks' golds")
