"""Two sides, paired by task: the difference of their scores, and who solved what the other didn't."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal

from executor.grading.paired_tests import (
    METHOD,
    Difference,
    correct_by_holm,
    estimate_paired_difference,
    smallest_detectable_difference_or_nan,
)
from experiments.compare.sides import Side
from experiments.report.metrics import COMPARED, average_by_task, group_by_task
from experiments.run.records import SampleRecord
from experiments.run.sampling.rounds import count_built_and_passed
from index.errors import ConfigError

Figure = Literal["pass@1", "built", "exact"]
Cost = Literal["tokens", "dollars", "seconds"]


@dataclass(frozen=True, slots=True)
class EqualCost:
    """The cheaper side drawn again for what the dearer one costs: samples are drawn until one builds, at most `draws`
    on `spent` units of cost a task, as a user without tests would (`sampling.rounds`). `budget`: what a task
    costs the dearer side. `whole`: no more samples are there, though the budget would allow them."""

    cost: Cost
    cheaper: str
    budget: float
    spent: float
    draws: int
    whole: bool
    difference: Difference


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides over their common tasks. `p_holm`: p, corrected for the number of pairs. `seen_from`: differences
    smaller than this can't be told from chance with these tasks. `first_only`, `second_only`: tasks that one side
    solved in at least one sample and the other in none."""

    first: str
    second: str
    difference: Difference
    p_holm: float
    seen_from: float
    first_only: tuple[str, ...]
    second_only: tuple[str, ...]
    left_out: int
    equal_cost: tuple[EqualCost, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs of the sides, or each against the baseline. `notes`: what isn't whole or isn't alike."""

    figure: Figure
    sides: tuple[tuple[str, str, str], ...]
    pairs: tuple[Pair, ...]
    notes: tuple[str, ...]
    method: str = METHOD


def compare_sides(sides: Sequence[Side], figure: Figure = "pass@1", baseline: str = "") -> Comparison:
    """Every side against every other; with a `baseline` (a side's name, or a number from 1) each against that one.
    Raises ConfigError for an unknown baseline, and sides without a common task."""
    base = _find_baseline(sides, baseline) if baseline else None
    chosen = (
        list(itertools.combinations(sides, 2)) if base is None else [(side, base) for side in sides if side != base]
    )
    pairs = [_compare_pair(first, second, figure) for first, second in chosen]
    corrected = correct_by_holm([pair.difference.p for pair in pairs])
    notes = [f"{side.name}: partial run: {side.partial.partition(': ')[2]}" for side in sides if side.partial]
    notes += dict.fromkeys(side.by_suites for side in sides if side.by_suites)
    if len({side.variant_names_or_original for side in sides}) > 1:
        notes.append("some sides are of a renamed tree: graft audit memory says what a model remembers")
    return Comparison(
        figure,
        tuple((side.name, side.model, str(side.run.path)) for side in sides),
        tuple(replace(pair, p_holm=p) for pair, p in zip(pairs, corrected, strict=True)),
        tuple(notes),
    )


def _find_baseline(sides: Sequence[Side], name_or_number: str) -> Side:
    found = [
        side for number, side in enumerate(sides, start=1) if name_or_number in (side.name, side.arm, str(number))
    ]
    if len(found) != 1:
        names = ", ".join(f"{number} {side.name}" for number, side in enumerate(sides, start=1))
        raise ConfigError(f"--baseline {name_or_number!r} names {len(found)} sides; name one of: {names}")
    return found[0]


def _compare_pair(first: Side, second: Side, figure: Figure) -> Pair:
    one, two = group_by_task(first.records), group_by_task(second.records)
    tasks = [task for task in one if task in two]
    if not tasks:
        raise ConfigError(f"{first.name} and {second.name} have no task in common")
    figures = [average_by_task(side.records, COMPARED[figure]) for side in (first, second)]
    means = [[side[task] for task in tasks] for side in figures]
    difference = estimate_paired_difference(*means)
    solved = [[task for task in tasks if any(record.passed for record in side[task])] for side in (one, two)]
    return Pair(
        first.name,
        second.name,
        difference,
        difference.p,
        smallest_detectable_difference_or_nan([a - b for a, b in zip(*means, strict=True)]),
        tuple(task for task in solved[0] if task not in solved[1]),
        tuple(task for task in solved[1] if task not in solved[0]),
        len(one.keys() ^ two.keys()),
        tuple(_compare_with_cheaper_side_redrawn(first, second, one, two, tasks)) if figure == "pass@1" else (),
    )


_COSTS: Mapping[Cost, Callable[[SampleRecord], float | None]] = {
    "tokens": lambda record: record.usage.prompt_tokens + record.usage.completion_tokens,
    "dollars": lambda record: record.usage.cost,
    "seconds": lambda record: record.usage.model_seconds + record.usage.compile_seconds,
}


def _compare_with_cheaper_side_redrawn(
    first: Side,
    second: Side,
    first_by_task: Mapping[str, Sequence[SampleRecord]],
    second_by_task: Mapping[str, Sequence[SampleRecord]],
    tasks: Sequence[str],
) -> list[EqualCost]:
    """An entry for each kind of cost that is known, and of which the cheaper side has samples to draw again."""
    found: list[EqualCost] = []
    for cost, of in _COSTS.items():
        mine, its = (
            _compute_mean_price_if_all_known([record for task in tasks for record in side[task]], of)
            for side in (first_by_task, second_by_task)
        )
        if mine is None or its is None or mine == its:
            continue
        first_is_cheaper, budget = mine < its, max(mine, its)
        cheap, dear = (first_by_task, second_by_task) if first_is_cheaper else (second_by_task, first_by_task)
        most = min(len(cheap[task]) for task in tasks)
        if most < 2:
            continue
        drawn = [count_built_and_passed(cheap[task]) for task in tasks]
        means_of = [fmean(of(record) or 0.0 for record in cheap[task]) for task in tasks]
        # What it costs to draw until one builds, at most 1, 2, ... times.
        spends = [
            fmean(
                task.compute_expected_draws_until_built(draws) * mean
                for task, mean in zip(drawn, means_of, strict=True)
            )
            for draws in range(1, most + 1)
        ]
        draws = max((number for number, spent in enumerate(spends, start=1) if spent <= budget), default=1)
        again = [task.compute_first_built_pass_probability(draws) for task in drawn]
        means = [fmean(record.passed for record in dear[task]) for task in tasks]
        sides = (again, means) if first_is_cheaper else (means, again)
        name = first.name if first_is_cheaper else second.name
        whole = draws == most and spends[-1] < budget
        found.append(
            EqualCost(cost, name, budget, spends[draws - 1], draws, whole, estimate_paired_difference(*sides))
        )
    return found


def _compute_mean_price_if_all_known(
    records: Sequence[SampleRecord], price_of: Callable[[SampleRecord], float | None]
) -> float | None:
    """The mean of a sample, None where the price of one isn't known."""
    prices = [price_of(record) for record in records]
    return None if None in prices else fmean(price for price in prices if price is not None)
