"""graft memory: what a model scores by memory alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from experiments.consoles import stdout


def memory(
    original: Annotated[
        Path, typer.Argument(metavar="RUN_ORIGINAL", help="The folder of a run on the original tree.")
    ],
    renamed: Annotated[
        list[Path], typer.Argument(metavar="RUN_RENAMED...", help="Folders of the same run with variant=renamed.")
    ],
    names: Annotated[
        bool, typer.Option("--names", help="List the original's names in answers to renamed tasks, by task.")
    ] = False,
    valid: Annotated[bool, typer.Option("--valid", help="Only the tasks that graft doctor found valid.")] = False,
    json: Annotated[Path | None, typer.Option("--json", help="Write all figures to this file too.")] = None,
) -> None:
    """Show how much of a score is memory.

    The same experiment on a repository and on the same repository under other names, paired by task."""
    from experiments.memory.pairs import memory_index
    from experiments.memory.runs import read_runs
    from experiments.memory.show import keep_memory, print_memory

    found = memory_index(*read_runs(original, renamed), valid=valid)
    if json is not None:
        keep_memory(json, found)
    print_memory(stdout(), found, names=names)
