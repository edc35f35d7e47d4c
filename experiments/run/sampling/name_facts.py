"""Which of the repository's names the gold uses, and which of them the prompt lacked. Read from the gold when the
answer is in: it stands in records and reports, and in no prompt."""

from __future__ import annotations

from typing import NamedTuple

from executor.values import Task
from experiments.run.workspace import Reading
from retrieval.names.needed_names import find_missing_names, find_needed_names_of_holes, join_prompt_text
from retrieval.values import Context


class NameFacts(NamedTuple):
    """As `SampleRecord.needed_names` and `missing_names`."""

    needed: tuple[str, ...] | None
    missing: tuple[str, ...] | None


def collect_name_facts(task: Task, reading: Reading, context: Context) -> NameFacts:
    """The facts on a prompt with this context; unknown without an index."""
    if reading.index is None:
        return NameFacts(None, None)
    each = find_needed_names_of_holes(task.golds, task.target, reading.index, reading.uncompiled)
    needed = tuple(dict.fromkeys(name for names in each for name in names))
    missing = find_missing_names(needed, join_prompt_text(task.target, (s.text for s in context.snippets)))
    return NameFacts(tuple({name.name: None for name in needed}), tuple({name.name: None for name in missing}))
