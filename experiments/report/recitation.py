"""How much of a group of answers came from memory, as figures: docs/reference/scoring.md defines each."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence

from executor.grading.recitation import LONG_RUN
from experiments.run.records import SampleRecord
from experiments.run.sample_facts import Recitation

LongestRun = Callable[[Recitation], int | None]


def _compute_median_longest_run(records: Sequence[SampleRecord], longest_run_of: LongestRun) -> float | None:
    """The median over answers of the longest run."""
    runs = [length for record in records if (length := longest_run_of(record.recitation)) is not None]
    return statistics.median(runs) if runs else None


def _compute_reciting_share(records: Sequence[SampleRecord], longest_run_of: LongestRun) -> float | None:
    """The share of answers with a run of LONG_RUN tokens or more, among answers to golds that have so many."""
    runs = [longest_run_of(record.recitation) for record in records if record.recitation.gold >= LONG_RUN]
    return _compute_share_of_true(length >= LONG_RUN for length in runs if length is not None)


def _compute_share_of_names_from_memory(records: Sequence[SampleRecord]) -> float | None:
    """Of the repository's names in answers to renamed tasks, original and new, the share which only memory could have
    told."""
    answers = _list_renamed_recitations(records)
    remembered, read = sum(len(a.names) for a in answers), sum(a.new_names for a in answers)
    return remembered / (remembered + read) if remembered + read else None


def _list_renamed_recitations(records: Sequence[SampleRecord]) -> list[Recitation]:
    return [record.recitation for record in records if record.recitation.original_run is not None]


def _compute_share_of_true(found: Iterable[bool]) -> float | None:
    each = list(found)
    return sum(each) / len(each) if each else None


RECITED: Mapping[str, Callable[[Sequence[SampleRecord]], float | None]] = {
    "gold_run": lambda records: _compute_median_longest_run(records, lambda answer: answer.run),
    "gold_recited": lambda records: _compute_reciting_share(records, lambda answer: answer.run),
    "original_run": lambda records: _compute_median_longest_run(records, lambda answer: answer.original_run),
    "original_recited": lambda records: _compute_reciting_share(records, lambda answer: answer.original_run),
    "remembering": lambda records: _compute_share_of_true(bool(a.names) for a in _list_renamed_recitations(records)),
    "remembered_names": _compute_share_of_names_from_memory,
}
"""Key -> the figure of these samples; None where there is nothing to count: no answer, or, of the figures about the
original, a tree whose names are its own."""
