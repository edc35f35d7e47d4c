"""The memory index in a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from experiments.files import write_atomically
from experiments.memory.pairs import Memory, MemoryRow, NamesRow, RecitationRow
from experiments.report.layout import Columns, make_table
from experiments.report.metrics import plain, points, share
from experiments.report.render import print_table
from experiments.run.records import dumps

MEMORY_COLUMNS: Columns[MemoryRow] = {
    "arm": lambda row: row.arm,
    "figure": lambda row: row.figure,
    "renamed": lambda row: row.tree,
    "tasks": lambda row: str(row.memory.tasks),
    "original %": lambda row: share(row.memory.first),
    "renamed %": lambda row: share(row.memory.second),
    "memory": lambda row: points(row.memory),
    "tasks lost": lambda row: str(row.memory.higher),
    "tasks won": lambda row: str(row.memory.lower),
    "p": lambda row: f"{row.memory.p:.3g}",
}


def print_memory(console: Console, memory: Memory, *, names: bool = False) -> None:
    """Both tables, then what isn't whole; `names` lists the names that only memory could have told."""
    console.print(f"{memory.model} on {memory.dataset}: memory = original - renamed", markup=False)
    print_table(console, make_table(memory.rows, MEMORY_COLUMNS, labels=3))
    console.print(f"{memory.method}.", style="dim", markup=False)
    if any(row.gold_run is not None for row in memory.recitation):
        console.print()
        print_table(console, make_table(memory.recitation, _recitation_columns(memory.long_run), labels=2))
    if names:
        console.print()
        print_names(console, memory)
    elif memory.names:
        count = len({name for row in memory.names for name in row.names})
        console.print(f"{count} names that only memory could have told: --names lists them by task")
    for note in memory.notes:
        console.print(note, markup=False)


def print_names(console: Console, memory: Memory) -> None:
    """A line for each sample with such names."""
    if not memory.names:
        console.print("no answer has a name that only memory could have told")
        return
    print_table(console, make_table(memory.names, NAMES_COLUMNS, labels=5))


def keep_memory(path: Path, memory: Memory) -> None:
    """Write all of it as JSON."""
    write_atomically(path, dumps(memory, indent=1))


def _recitation_columns(long_run: int) -> Columns[RecitationRow]:
    def figure(show: Callable[..., str], key: str) -> Callable[[RecitationRow], str]:
        return lambda row: show(getattr(row, key))

    return {
        "arm": lambda row: row.arm,
        "tree": lambda row: row.tree,
        "answers": lambda row: str(row.answers),
        "longest run": figure(plain, "gold_run"),
        f"{long_run}+ %": figure(share, "gold_recited"),
        "of the original": figure(plain, "original_run"),
        f"{long_run}+ % ": figure(share, "original_recited"),
        "answers with old names %": figure(share, "remembering"),
        "old names %": figure(share, "remembered_names"),
    }


NAMES_COLUMNS: Columns[NamesRow] = {
    "task": lambda row: row.task_id,
    "arm": lambda row: row.arm,
    "tree": lambda row: row.tree,
    "sample": lambda row: str(row.sample),
    "names that only memory could have told": lambda row: ", ".join(row.names),
}
