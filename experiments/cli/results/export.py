"""graft export: a run's samples for other tools."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated, Literal

import typer

log = logging.getLogger(__name__)


def export(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="The folders of runs.")],
    to: Annotated[
        Literal["csv", "jsonl", "parquet", "lm-eval", "inspect", "mera"], typer.Option(help="The format.")
    ] = "csv",
    out: Annotated[
        Path | None,
        typer.Option(help="The file to write; for lm-eval and inspect a folder. Default: samples.csv, ..."),
    ] = None,
    arm: Annotated[str | None, typer.Option(help="Only this arm.")] = None,
) -> None:
    """Write the samples of runs for other tools.

    csv, jsonl, parquet: one flat row for each sample, for pandas, R or a spreadsheet. lm-eval, inspect: logs with
    prompts and answers, as these harnesses write them. mera: a submission to MERA Code. docs/reference/export.md
    describes each."""
    from experiments.export.write import DEFAULT_OUT, export_runs

    target = out or Path(DEFAULT_OUT[to])
    count = export_runs(runs, to, target, arm)
    log.info(f"{target}: {count} samples")
