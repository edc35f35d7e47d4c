"""graft audit memory: what a model scores by memory alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.cli.options import ShownColumns
from experiments.consoles import make_stdout_console


def memory(
    original: Annotated[
        Path, typer.Argument(metavar="RUN_ORIGINAL", help="The folder of a run on the original repository.")
    ],
    renamed: Annotated[
        list[Path], typer.Argument(metavar="RUN_RENAMED...", help="The folders of the same run with variant=renamed.")
    ],
    names: Annotated[
        bool, typer.Option("--names", help="List, by task, names of the original that answers to renamed tasks use.")
    ] = False,
    valid: Annotated[bool, typer.Option("--valid", help="Only the tasks that graft doctor found valid.")] = False,
    details: Annotated[bool, typer.Option("--details", help="Say how intervals and p are computed.")] = False,
    columns: ShownColumns = "fit",
    json: Annotated[Path | None, typer.Option("--json", help="Also write all figures to this file.")] = None,
) -> None:
    """Show how much of a score comes from memory.

    Compares, task by task, a run on a repository with runs of the same experiment on its renamed variants."""
    from experiments.compare.memory import (
        make_memorization_document,
        measure_score_lost_by_renaming,
        read_comparable_runs_by_suites_alone,
    )
    from experiments.documents import print_document
    from experiments.files import write_atomically
    from experiments.run.records import encode_json_value

    found = measure_score_lost_by_renaming(*read_comparable_runs_by_suites_alone(original, renamed), valid=valid)
    if json is not None:
        write_atomically(json, encode_json_value(found, indent=1))
    print_document(
        make_stdout_console(every_column=columns == "all"),
        make_memorization_document(found, list_names=names),
        details=details,
    )
