"""graft export: a run's samples for other tools."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated, Literal

import typer

log = logging.getLogger(__name__)


def export(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Runs' folders.")],
    to: Annotated[Literal["csv", "jsonl", "parquet"], typer.Option(help="The format.")] = "csv",
    out: Annotated[
        Path | None, typer.Option(help="The file to write. Default: samples.csv, samples.jsonl, ...")
    ] = None,
) -> None:
    """Write samples as flat rows, for pandas, R or a spreadsheet.

    One row a sample; docs/reference/export.md says what stands in each column."""
    from experiments.export.write import export_runs

    target = out or Path(f"samples.{to}")
    count = export_runs(runs, to, target)
    log.info(f"{target}: {count} samples")
