"""What each round of a sample cost, and what an arm would have scored had it stopped there.

Rounds of repair and samples drawn anew spend the same tokens and compilations: the curves of both stand in one
table, so that a gain by compile feedback can be told from a gain by asking more often.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.explain.feedback import compiles
from agent.values import Trajectory
from executor.values import Outcome
from experiments.run.facts import RoundCost
from experiments.run.records import SampleRecord


@dataclass(frozen=True, slots=True)
class CostPoint:
    """An arm stopped after `count` repairs ("repairs"), or that many samples drawn until one builds ("samples").

    `passed` is the share of tasks; tokens (in and out), compilations, and seconds (model and compiler, wall time)
    are means per task and attempt, all that was spent until then.
    """

    arm: str
    kind: Literal["repairs", "samples"]
    count: int
    tasks: int
    passed: float
    tokens: float
    compiles: float
    seconds: float


def round_costs(trajectory: Trajectory) -> tuple[RoundCost, ...]:
    """One entry per answer of the model, in order; the first holds what the drafts before it cost."""
    costs = tuple(
        RoundCost(
            prompt_tokens=one.response.prompt_tokens,
            completion_tokens=one.response.completion_tokens,
            cost=one.response.cost,
            model_s=one.response.seconds,
            compiles=max(int(one.diagnostics is not None), sum(use.name == "check" for use in one.uses)),
            check_s=one.check_seconds,
            compiled=None if one.diagnostics is None else compiles(one),
            tools=len(one.uses),
        )
        for one in trajectory.rounds
    )
    before = [one for draft in trajectory.drafts for one in draft.rounds]
    if not costs or not before:
        return costs
    first = costs[0]
    prices = [first.cost, *(one.response.cost for one in before)]
    return (
        replace(
            first,
            prompt_tokens=first.prompt_tokens + sum(one.response.prompt_tokens for one in before),
            completion_tokens=first.completion_tokens + sum(one.response.completion_tokens for one in before),
            cost=None if None in prices else sum(price for price in prices if price is not None),
            model_s=first.model_s + sum(one.response.seconds for one in before),
        ),
        *costs[1:],
    )


def cost_curve(arm: str, records: Sequence[SampleRecord]) -> tuple[CostPoint, ...]:
    """The arm's points, cheapest first; none for an arm of one answer per task.

    After r repairs the answer is the draft of round r: one that the compiler sent back counts as failed, since it
    doesn't build. Of several samples the first that builds is the answer (no test is asked), which needs no more
    draws; the mean over all orders of a task's n samples, b of which build and c pass: the k-th draw is needed with
    probability C(n-b, k-1) / C(n, k-1), and the answer passes with (1 - C(n-b, k) / C(n, k)) c/b.
    """
    counted = [one for one in records if one.graft.verdict.outcome is not Outcome.INFRA_ERROR]
    if any(entry.compiles for one in counted for entry in one.rounds):
        return _by_repairs(arm, counted)
    return _by_samples(arm, counted)


def _by_repairs(arm: str, records: Sequence[SampleRecord]) -> tuple[CostPoint, ...]:
    most = max(len(one.rounds) for one in records)
    points = []
    for repairs in range(most):
        spent = [one.rounds[: repairs + 1] for one in records]
        passed = [one.graft.verdict.outcome is Outcome.PASSED and len(one.rounds) <= repairs + 1 for one in records]
        n = len(records)
        points.append(
            CostPoint(
                arm,
                "repairs",
                repairs,
                len({one.task_id for one in records}),
                _mean_by_task([(one.task_id, float(ok)) for one, ok in zip(records, passed, strict=True)]),
                sum(entry.tokens for some in spent for entry in some) / n,
                sum(entry.compiles for some in spent for entry in some) / n,
                sum(entry.model_s + entry.check_s for some in spent for entry in some) / n,
            )
        )
    return tuple(points)


def _by_samples(arm: str, records: Sequence[SampleRecord]) -> tuple[CostPoint, ...]:
    tasks: dict[str, list[SampleRecord]] = defaultdict(list)
    for one in records:
        tasks[one.task_id].append(one)
    fewest = min((len(some) for some in tasks.values()), default=0)
    if fewest < 2:
        return ()
    points = []
    for draws in range(1, fewest + 1):
        passed, tokens, asked, seconds = 0.0, 0.0, 0.0, 0.0
        for some in tasks.values():
            n, built = len(some), sum(one.graft.verdict.built for one in some)
            good = sum(one.graft.verdict.outcome is Outcome.PASSED for one in some)
            needed = sum(_none_built(n, built, before) for before in range(draws))
            passed += (1 - _none_built(n, built, draws)) * good / built if built else 0.0
            tokens += needed * sum(entry.tokens for one in some for entry in one.rounds) / n
            seconds += needed * sum(entry.model_s for one in some for entry in one.rounds) / n
            asked += needed
        count = len(tasks)
        points.append(
            CostPoint(arm, "samples", draws, count, passed / count, tokens / count, asked / count, seconds / count)
        )
    return tuple(points)


def _none_built(n: int, built: int, draws: int) -> float:
    """That `draws` of n samples, `built` of which build, hold none that does."""
    return math.comb(n - built, draws) / math.comb(n, draws)


def _mean_by_task(values: Sequence[tuple[str, float]]) -> float:
    tasks: dict[str, list[float]] = defaultdict(list)
    for task, value in values:
        tasks[task].append(value)
    return sum(sum(some) / len(some) for some in tasks.values()) / max(len(tasks), 1)
