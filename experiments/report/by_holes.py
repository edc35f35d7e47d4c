"""How far each arm comes with more functions missing at once: figures by their number k, and where answers broke."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.model.usage import sum_usage
from executor.grading.half_point import HalfPoint, estimate_function_count_at_half_passing
from executor.grading.metrics import Estimate
from experiments.arms.budget import BUDGET_RULE
from experiments.report.metrics import COMPARED, average_by_task, estimate_functions_passing_alone, estimate_over_tasks
from experiments.run.manifest import RunManifest
from experiments.run.records import SampleRecord


@dataclass(frozen=True, slots=True)
class HolesRow:
    """An arm's samples of the tasks that ask for `holes` functions. `alone` is the share of functions that pass beside
    the others' golds; None where that isn't known, and of one function pass@1 itself. The others are means of a
    sample; `cost` in USD, None where it isn't known."""

    arm: str
    holes: int
    pass_at_1: Estimate
    alone: Estimate | None
    samples: int
    tokens: float
    cost: float | None
    compilations: float


def make_rows_by_hole_count_if_multi_hole(arm: str, records: Iterable[SampleRecord]) -> tuple[HolesRow, ...]:
    """A row for each number of functions; none where every task asks for one."""
    rows = []
    for holes, found in _group_by_hole_count_if_multi_hole(records).items():
        usage, count = sum_usage(record.usage for record in found), len(found)
        pass_at_1 = estimate_over_tasks(found, COMPARED["pass@1"])
        rows.append(
            HolesRow(
                arm,
                holes,
                pass_at_1,
                pass_at_1 if holes == 1 else estimate_functions_passing_alone(found),
                count,
                (usage.prompt_tokens + usage.completion_tokens) / count,
                None if usage.cost is None else usage.cost / count,
                usage.compiles / count,
            )
        )
    return tuple(rows)


def _group_by_hole_count_if_multi_hole(records: Iterable[SampleRecord]) -> dict[int, list[SampleRecord]]:
    """The samples by the number of functions; none where every task asks for one."""
    counted = [record for record in records if record.is_scored]
    groups: dict[int, list[SampleRecord]] = {}
    for record in counted if any(record.holes for record in counted) else ():
        groups.setdefault(max(1, len(record.holes)), []).append(record)
    return dict(sorted(groups.items()))


def describe_half_pass_hole_counts(arms: Mapping[str, Sequence[SampleRecord]]) -> tuple[str, ...]:
    """For each arm the number of functions at which it falls below one half; none where every task asks for one."""
    lines = []
    for arm, records in arms.items():
        if groups := _group_by_hole_count_if_multi_hole(records):
            shares = {k: [*average_by_task(found, COMPARED["pass@1"]).values()] for k, found in groups.items()}
            lines.append(
                f"{arm}: {_describe_half_pass_hole_count(estimate_function_count_at_half_passing(shares), [*groups])}"
            )
    return tuple(lines)


def _describe_half_pass_hole_count(half_point_or_problem: HalfPoint | str, tried_hole_counts: Sequence[int]) -> str:
    if isinstance(half_point_or_problem, str):
        return f"how many functions bring pass@1 below one half isn't known: {half_point_or_problem}"
    low = f"{half_point_or_problem.low:.1f}" if half_point_or_problem.low > 0 else "no lower end"
    high = "no upper end" if math.isinf(half_point_or_problem.high) else f"{half_point_or_problem.high:.1f}"
    beyond = (
        "" if tried_hole_counts[0] <= half_point_or_problem.k <= tried_hole_counts[-1] else ", beyond what was tried"
    )
    return f"pass@1 falls below one half at k = {half_point_or_problem.k:.1f} functions [{low}, {high}]{beyond}"


def describe_failed_multi_hole_answers(records: Iterable[SampleRecord]) -> tuple[str, ...]:
    """A line for each answer that fails a task of several functions: how many of them are right, and which aren't."""
    lines = []
    for record in (record for record in records if record.holes and record.is_scored and not record.passed):
        count = len(record.holes)
        broken = [
            hole.name + (" (missing)" if not hole.given else " (not tried)" if alone is None else "")
            for hole, alone in zip(record.holes, record.alone_results, strict=True)
            if not alone
        ]
        fate = f"{count - len(broken)} of {count} functions pass alone; not {', '.join(broken) or 'all together'}"
        lines.append(f"{record.name}: {fate}")
    return tuple(lines)


def describe_budget_growth_by_hole_count(manifest: RunManifest) -> tuple[str, ...]:
    """The rule by which a task's budget grows, and what it came to in this run; nothing where no budget is known."""
    lines = tuple(
        f"k = {holes}: {budget.context_tokens} tokens of context, {budget.answer_tokens or 'any number'} of an answer,"
        f" {budget.repairs} repairs; with tools {budget.turns} turns, {budget.tokens or 'any number of'} tokens in all"
        for holes, budget in manifest.budgets.items()
    )
    return (BUDGET_RULE, *lines) if lines else ()
