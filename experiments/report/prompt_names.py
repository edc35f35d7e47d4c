"""What an arm's prompts showed of the names that the true bodies need, and how that goes with passing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from executor.grading.metrics import Estimate
from experiments.report.metrics import COMPARED, estimate_over_tasks
from experiments.run.records import SampleRecord

MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class PromptNames:
    """The samples of an arm whose names are known, without Graft's own failures. Figures are over tasks.

    samples         how many
    answerable      the share whose prompt showed every name; a body that needs none counts
    passed          pass@1 of these
    passed_lacking  pass@1 of the others
    missing         the names that lacked in most samples, with their numbers
    """

    arm: str
    samples: int
    answerable: Estimate
    passed: Estimate
    passed_lacking: Estimate
    missing: tuple[tuple[str, int], ...]


def measure_names_lacking_in_prompts(arm: str, records: Sequence[SampleRecord]) -> PromptNames | None:
    """The row; None where no sample knows its names."""
    known = [record for record in records if record.is_scored and record.missing_names is not None]
    if not known:
        return None
    lacking = [record for record in known if record.missing_names]
    counted = Counter(name for record in lacking for name in record.missing_names or ())
    return PromptNames(
        arm,
        len(known),
        estimate_over_tasks(known, lambda record: not record.missing_names),
        estimate_over_tasks([record for record in known if not record.missing_names], COMPARED["pass@1"]),
        estimate_over_tasks(lacking, COMPARED["pass@1"]),
        tuple(sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:MOST_NAMED]),
    )
