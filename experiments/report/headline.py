"""The sentences that every output opens with: which side is ahead, by how much, and whether chance explains it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.model.usage import sum_usage
from executor.grading.metrics import Estimate
from executor.grading.paired_tests import Difference, correct_by_holm, estimate_paired_difference
from executor.values import Outcome
from experiments.report.metrics import COMPARED, average_by_task, estimate_over_tasks, format_count, format_percent
from experiments.run.records import SampleRecord

SURE = 0.05
"""A corrected p under this is called no chance."""

_VERBS: Mapping[str, str] = {"pass@1": "passes", "built": "builds", "exact": "repeats the gold in"}


@dataclass(frozen=True, slots=True)
class Standing:
    """What one side reached: its figure over its tasks, and task by task; tokens and USD (None: unknown) a sample.
    `answered`: not every sample ended in a model error."""

    name: str
    reached: Estimate
    by_task: Mapping[str, float]
    tokens: float
    cost: float | None
    answered: bool = True


def make_standing(name: str, records: Sequence[SampleRecord], figure: str = "pass@1") -> Standing:
    """What a side's samples reached, all of which count."""
    by_task = average_by_task(records, COMPARED[figure])
    usage, count = sum_usage(record.usage for record in records), max(len(records), 1)
    tokens, cost = (usage.prompt_tokens + usage.completion_tokens) / count, usage.cost
    return Standing(
        name,
        estimate_over_tasks(records, COMPARED[figure]),
        by_task,
        tokens,
        None if cost is None else cost / count,
        any(record.graft.verdict.outcome is not Outcome.MODEL_ERROR for record in records),
    )


def describe_best_side_against_next(sides: Sequence[Standing]) -> tuple[str, ...]:
    """The best of these sides against the next. Two sentences; none where no side has a task; one where
    no model answered."""
    ranked = sorted(
        (side for side in sides if side.reached.tasks),
        key=lambda side: (-side.reached.value, side.cost or 0.0, side.name),
    )
    if not ranked:
        return ()
    if not any(side.answered for side in ranked):
        return ("No model answered: every scored sample ended in a model error.",)
    found = [_estimate_standing_difference(ranked[0], side) for side in ranked[1:]]
    known = [difference for difference in found if difference is not None]
    if not known or found[0] is None:
        return describe_winner_and_lead(ranked[0])
    lead = replace(found[0], p=correct_by_holm([difference.p for difference in known])[0])
    return describe_winner_and_lead(ranked[0], ranked[1], lead)


def _estimate_standing_difference(one: Standing, two: Standing) -> Difference | None:
    tasks = [task for task in one.by_task if task in two.by_task]
    if not tasks:
        return None
    return estimate_paired_difference([one.by_task[task] for task in tasks], [two.by_task[task] for task in tasks])


def describe_winner_and_lead(
    best: Standing, other: Standing | None = None, lead: Difference | None = None, figure: str = "pass@1"
) -> tuple[str, ...]:
    """Who wins, by how much, and whether chance may explain it; then the interval, p and the price. `lead`: how far
    the best is ahead, its p corrected for all pairs that were compared."""
    reached = best.reached
    first = f"{best.name} {_VERBS[figure]} {format_percent(reached)} % of {format_count(reached.tasks, 'task')}"
    then = f"95 % interval: {100 * reached.low:.0f} to {100 * reached.high:.0f} %"
    if other is None or lead is None:
        return f"{first}.", f"{then}."
    tasks, ahead = lead.tasks, round(100 * lead.value, 1)
    common = (
        f" on the {format_count(tasks, 'task')} that both have" if best.by_task.keys() != other.by_task.keys() else ""
    )
    if ahead:
        first += f", {abs(ahead)} points {'more' if ahead > 0 else 'fewer'} than {other.name}{common}; "
        few = f"with {format_count(tasks, 'task')} chance may explain"
        first += ("chance alone doesn't explain" if lead.p < SURE else few) + " the difference"
        then += f"; p = {lead.p:.2g}, corrected"
    else:
        first += f", as many as {other.name}{common}"
    costs = [side.cost or 0.0 for side in (best, other)]
    what, (mine, its) = ("price", costs) if all(costs) else ("tokens", [best.tokens, other.tokens])
    if its and f"{mine / its:.2g}" != "1":
        then += f". A sample takes {mine / its:.2g} times the {what} of {other.name}"
    return f"{first}.", f"{then}."
