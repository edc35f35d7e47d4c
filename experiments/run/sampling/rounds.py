"""What each round of a sample cost, and what an arm would have scored had it stopped there: a gain by compile feedback
can be told apart from a gain by asking more often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import mul
from statistics import fmean
from typing import Literal

from agent.explain.feedback import has_compiled
from agent.values import Round, Trajectory
from experiments.run.records import SampleRecord
from experiments.run.sample_facts import RoundCost


@dataclass(frozen=True, slots=True)
class CostPoint:
    """An arm stopped after `count` repairs ("repairs"), or that many samples drawn until one builds ("samples").
    A repair is an answer that was handed in, sent back with the compiler's messages, and handed in again.

    `passed` is the share of tasks; tokens (in and out), compilations, and seconds (model and compiler, wall time)
    are means per task and attempt, all that was spent until then. Of the compilations the model asked for
    `own_checks` itself, by a tool.
    """

    arm: str
    kind: Literal["repairs", "samples"]
    count: int
    tasks: int
    passed: float
    tokens: float
    compiles: float
    seconds: float
    own_checks: float = 0.0

    @property
    def stopped_after(self) -> str:
        """`1 repair`, `3 samples`"""
        return f"{self.count} {self.kind if self.count != 1 else self.kind.removesuffix('s')}"


def list_round_costs(trajectory: Trajectory) -> tuple[RoundCost, ...]:
    """One entry per answer of the model, in order; the first holds what the drafts before it cost."""
    with_tools = any(answer.uses or answer.submitted is not None for answer in trajectory.rounds)
    costs = tuple(
        RoundCost(
            prompt_tokens=answer.response.prompt_tokens,
            completion_tokens=answer.response.completion_tokens,
            cost=answer.response.cost,
            model_s=answer.response.seconds,
            compiles=_count_compilations(answer),
            check_s=answer.check_seconds,
            compiled=None if answer.diagnostics is None else has_compiled(answer),
            tools=len(answer.uses),
            handed_in=not with_tools or answer.submitted is not None,
        )
        for answer in trajectory.rounds
    )
    before = [answer for draft in trajectory.drafts for answer in draft.rounds]
    if not costs or not before:
        return costs
    first = costs[0]
    prices = [first.cost, *(answer.response.cost for answer in before)]
    return (
        replace(
            first,
            prompt_tokens=first.prompt_tokens + sum(answer.response.prompt_tokens for answer in before),
            completion_tokens=first.completion_tokens + sum(answer.response.completion_tokens for answer in before),
            cost=None if None in prices else sum(price for price in prices if price is not None),
            model_s=first.model_s + sum(answer.response.seconds for answer in before),
        ),
        *costs[1:],
    )


def _count_compilations(answer: Round) -> int:
    """The drafts of one answer that were compiled: by its calls, and the one that ended the conversation or stands in
    plain text, which is no call in `uses`."""
    if answer.diagnostics is None:
        return 0
    called = [use.name for use in answer.uses if use.name in ("check", "submit") and not use.mistake]
    return len(called) + int("submit" not in called and (answer.submitted is not None or not called))


def make_repair_or_sample_cost_curve(arm: str, records: Sequence[SampleRecord]) -> tuple[CostPoint, ...]:
    """The arm's points, cheapest first; none for an arm of one answer per task.

    After r repairs the answer is the draft of round r: one that the compiler sent back counts as failed, since it
    doesn't build. Of several samples the first that builds is the answer (no test is asked), which needs no more
    draws (see `Draws`).
    """
    counted = [record for record in records if record.is_scored]
    if any(entry.compiles for record in counted for entry in record.rounds):
        return _make_repair_cost_points(arm, counted)
    return _make_sample_cost_points(arm, counted)


def _make_repair_cost_points(arm: str, records: Sequence[SampleRecord]) -> tuple[CostPoint, ...]:
    points = []
    tried = [_split_rounds_at_handed_in_answers(record.rounds) for record in records]
    for repairs in range(max(map(len, tried))):
        passed: dict[str, list[float]] = defaultdict(list)
        for record, attempts in zip(records, tried, strict=True):
            in_time = len(attempts) <= repairs + 1
            passed[record.task_id].append(float(in_time and record.passed))
        spent = [answer for attempts in tried for attempt in attempts[: repairs + 1] for answer in attempt]
        points.append(
            CostPoint(
                arm,
                "repairs",
                repairs,
                tasks=len(passed),
                passed=fmean(map(fmean, passed.values())),
                tokens=sum(answer.tokens for answer in spent) / len(records),
                compiles=sum(answer.compiles for answer in spent) / len(records),
                seconds=sum(answer.model_s + answer.check_s for answer in spent) / len(records),
                own_checks=sum(map(_count_checks_asked_by_model, spent)) / len(records),
            )
        )
    return tuple(points)


def _split_rounds_at_handed_in_answers(rounds: Sequence[RoundCost]) -> list[Sequence[RoundCost]]:
    """The rounds up to each answer that was handed in; rounds after the last of them belong to it. A record of an
    older version doesn't say what was handed in: with tools it is one attempt, else each round is."""
    tools = any(answer.tools for answer in rounds)
    handed_in = [answer.handed_in if answer.handed_in is not None else not tools for answer in rounds]
    ends = [place for place, handed in enumerate(handed_in, start=1) if handed]
    cuts = [0, *ends[:-1], len(rounds)]
    return [rounds[first:last] for first, last in pairwise(cuts)] if rounds else []


def _count_checks_asked_by_model(answer: RoundCost) -> int:
    compiled = answer.compiled is not None and answer.handed_in is not False
    return answer.compiles - min(int(compiled), answer.compiles)


def _make_sample_cost_points(arm: str, records: Sequence[SampleRecord]) -> tuple[CostPoint, ...]:
    by_task: dict[str, list[SampleRecord]] = defaultdict(list)
    for record in records:
        by_task[record.task_id].append(record)
    tasks = [count_built_and_passed(samples) for samples in by_task.values()]
    spent = [[answer for record in samples for answer in record.rounds] for samples in by_task.values()]
    tokens_of = [sum(answer.tokens for answer in answers) for answers in spent]
    seconds_of = [sum(answer.model_s for answer in answers) for answers in spent]
    fewest = min((task.samples for task in tasks), default=0)
    points = []
    for draws in list_shown_draw_counts(fewest) if fewest > 1 else ():
        passed = tokens = drawn = seconds = 0.0
        for task, task_tokens, task_seconds in zip(tasks, tokens_of, seconds_of, strict=True):
            needed = task.compute_expected_draws_until_built(draws)
            passed += task.compute_first_built_pass_probability(draws)
            tokens += needed * task_tokens / task.samples
            seconds += needed * task_seconds / task.samples
            drawn += needed
        n = len(tasks)
        points.append(CostPoint(arm, "samples", draws, n, passed / n, tokens / n, drawn / n, seconds / n))
    return tuple(points)


@dataclass(frozen=True, slots=True)
class Draws:
    """A task's samples, drawn in any order until one builds, which is the answer. How many there are, how many of them
    build, and how many pass."""

    samples: int
    built: int
    passed: int

    def compute_expected_draws_until_built(self, most_draws: int) -> float:
        """How many draws it takes, the mean over all orders, where `most_draws` are allowed. The k-th is needed where
        none of those before it builds."""
        return sum(_compute_chances_none_built(self.samples, self.built)[:most_draws])

    def compute_first_built_pass_probability(self, draws: int) -> float:
        """The probability that the answer passes: that one of the draws builds, times c/b."""
        if not self.built:
            return 0.0
        return (1 - _compute_chances_none_built(self.samples, self.built)[draws]) * self.passed / self.built


def count_built_and_passed(samples: Sequence[SampleRecord]) -> Draws:
    return Draws(
        len(samples),
        sum(record.graft.verdict.built for record in samples),
        sum(record.passed for record in samples),
    )


def list_shown_draw_counts(most: int) -> list[int]:
    """The numbers of samples, up to `most`, that have a figure: each up to 10, those that papers give, and `most`."""
    return sorted(k for k in {*range(1, 11), 20, 25, 50, 100, 200, most} if 1 <= k <= most)


@lru_cache(maxsize=4096)
def _compute_chances_none_built(samples: int, built: int) -> tuple[float, ...]:
    """The probabilities that 0 to n draws of n `samples`, `built` of which build, hold none that does: C(n-b, k) /
    C(n, k). They are made one from the other: for large n each takes long by itself."""
    return tuple(accumulate((max(0, samples - built - k) / (samples - k) for k in range(samples)), mul, initial=1.0))
