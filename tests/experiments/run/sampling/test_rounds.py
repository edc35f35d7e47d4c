"""Prevents: a gain by compiler feedback that is only a gain by asking more often."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest

from agent.model.usage import add_call
from agent.values import Candidate, Message, ModelResponse, Round, ToolUse, Trajectory, Usage
from executor.values import Outcome
from experiments.run.records import SampleRecord
from experiments.run.sample_facts import CalleeFacts, RoundCost
from experiments.run.sampling.attribution import (
    count_failure_causes,
    find_cause_of_outcome,
    name_callees_or_test_behind_cause,
)
from experiments.run.sampling.rounds import list_round_costs, make_repair_or_sample_cost_curve
from index.values import Diagnostic
from tests.support.runs import record as make_record

ERROR = Diagnostic("error", "bad", "a.c", 1, 1, True)


def record(outcome: Outcome = Outcome.PASSED, *, task: str = "a", **more: Any) -> SampleRecord:
    return make_record(task, outcome, "x", built=outcome in (Outcome.PASSED, Outcome.TESTS_FAILED), **more)


def cost(tokens: int, *, compiles: int = 0, compiled: bool | None = None) -> RoundCost:
    return RoundCost(tokens - 10, 10, 0.01, 1.0, compiles, 0.5 * compiles, compiled)


def response(prompt: int, answer: int) -> ModelResponse:
    return ModelResponse("", "", "stop", prompt, answer, 0.25, "", 2.0)


def test_the_rounds_add_up_to_the_samples_usage() -> None:
    rounds = (
        Round(response(100, 20), Candidate("x"), (ERROR,), 0.3, uses=(ToolUse("search", "", False, 1, 0.1),)),
        Round(response(180, 30), Candidate("x"), (), 0.2),
    )
    usage = Usage()
    for answer in rounds:
        usage = add_call(usage, answer.response) + Usage(compiles=1, compile_seconds=answer.check_seconds)
    costs = list_round_costs(Trajectory((Message("user", "q"),), rounds, Candidate("x"), usage))
    assert sum(cost.tokens for cost in costs) == usage.prompt_tokens + usage.completion_tokens
    assert sum(cost.compiles for cost in costs) == usage.compiles
    assert sum(cost.check_s for cost in costs) == pytest.approx(usage.compile_seconds)
    facts = [(cost.compiled, cost.tools, cost.cost, cost.handed_in) for cost in costs]
    assert facts == [(False, 1, 0.25, False), (True, 0, 0.25, False)]


CHECK, SUBMIT = (ToolUse(name, "", False, 1, 0.1) for name in ("check", "submit"))
MISTAKEN = replace(CHECK, mistake=True)


@pytest.mark.parametrize(
    ("uses", "submitted", "diagnostics", "compiles"),
    [
        ((CHECK,), "x", (), 2),  # checked, and handed in and taken in the same turn
        ((CHECK, SUBMIT), "x", (ERROR,), 2),  # handed in, and it came back
        ((CHECK, CHECK), None, (), 2),
        ((SUBMIT,), None, (ERROR,), 1),  # one function of several
        ((MISTAKEN,), None, None, 0),
        ((MISTAKEN, CHECK), None, (), 1),
        ((), "x", (), 1),
        ((CHECK,), None, None, 0),  # another agent's tool of that name
    ],
)
def test_each_compilation_of_a_turn_counts(
    uses: tuple[ToolUse, ...], submitted: str | None, diagnostics: tuple[Diagnostic, ...] | None, compiles: int
) -> None:
    entry = Round(response(1, 1), Candidate("x"), diagnostics, 0.1, uses=uses, submitted=submitted)
    (found,) = list_round_costs(Trajectory((), (entry,), Candidate("x")))
    assert found.compiles == compiles


def test_repairs_are_told_round_by_round() -> None:
    broken, good = cost(100, compiles=1, compiled=False), cost(150, compiles=1, compiled=True)
    records = [
        record(task="a", rounds=(replace(good, prompt_tokens=90),)),
        record(task="b", rounds=(broken, good)),
        record(Outcome.BUILD_FAILED, task="c", rounds=(broken, broken, broken)),
        record(Outcome.INFRA_ERROR, task="d"),
    ]
    points = make_repair_or_sample_cost_curve("x", records)
    assert [(point.kind, point.count, point.tasks) for point in points] == [("repairs", n, 3) for n in range(3)]
    assert [point.passed for point in points] == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    assert [point.tokens for point in points] == pytest.approx([100, 100 + 250 / 3, 100 + 350 / 3])
    assert [point.compiles for point in points] == pytest.approx([1, 5 / 3, 2])
    assert points[0].seconds == pytest.approx(1.5)


def test_a_models_own_checks_are_no_repairs() -> None:
    """Prevents: "stopped after 0 repairs: 0.0" for an arm with tools, whose look-ups and checks counted as repairs."""
    look = replace(cost(50), tools=1, handed_in=False)
    check = replace(cost(60, compiles=1, compiled=False), tools=1, handed_in=False)
    back = replace(cost(70, compiles=1, compiled=False), handed_in=True)
    good = replace(cost(80, compiles=1, compiled=True), handed_in=True)
    records = [record(task="a", rounds=(look, check, good)), record(task="b", rounds=(look, back, good))]
    points = make_repair_or_sample_cost_curve("x", records)
    assert [(point.kind, point.count, point.passed) for point in points] == [("repairs", 0, 0.5), ("repairs", 1, 1.0)]
    assert [point.compiles for point in points] == [1.5, 2.0]
    assert [point.own_checks for point in points] == [0.5, 0.5]
    # A record of an older version doesn't say what was handed in.
    older = [replace(entry, handed_in=None) for entry in (look, check, good)]
    assert [point.passed for point in make_repair_or_sample_cost_curve("x", [record(rounds=tuple(older))])] == [1.0]


def test_samples_drawn_anew_are_the_mean_over_all_orders() -> None:
    ends = [Outcome.BUILD_FAILED, Outcome.TESTS_FAILED, Outcome.PASSED, Outcome.BUILD_FAILED]
    points = make_repair_or_sample_cost_curve(
        "x", [record(end, sample=n, rounds=(cost(100),)) for n, end in enumerate(ends)]
    )
    for draws, point in enumerate(points, start=1):
        passed, draws_needed = [], []
        for order in itertools.permutations(ends):
            tried = list(itertools.takewhile(lambda end: end is Outcome.BUILD_FAILED, order[:draws]))
            needed = min(len(tried) + 1, draws)
            passed.append(order[needed - 1] is Outcome.PASSED)
            draws_needed.append(needed)
        assert point.passed == pytest.approx(sum(passed) / len(passed))
        assert point.tokens == pytest.approx(100 * sum(draws_needed) / len(draws_needed))
        assert (point.kind, point.count) == ("samples", draws)
    assert len(points) == 4


def test_many_samples_cost_no_square_of_them() -> None:
    """Prevents: a report on 1000 samples a task that takes hours, and a table with 1000 rows for each arm."""
    ends = [Outcome.BUILD_FAILED, Outcome.TESTS_FAILED, Outcome.PASSED]
    records = [record(ends[n % 3], sample=n, rounds=(cost(100),)) for n in range(600)]
    points = make_repair_or_sample_cost_curve("x", records)
    assert [point.count for point in points] == [*range(1, 11), 20, 25, 50, 100, 200, 600]
    assert points[1].compiles == pytest.approx(1 + 1 / 3, abs=1e-3)
    assert points[-1].passed == pytest.approx(1 / 2)
    # One answer per task has no curve.
    for few in ([record(rounds=(cost(1),)), record(task="b", rounds=(cost(1),))], []):
        assert make_repair_or_sample_cost_curve("x", few) == ()


FACTS = CalleeFacts(("f", "g"), ("f",), ("f", "g"), (), True)


@pytest.mark.parametrize(
    ("one", "cause", "detail"),
    [
        (record(), "passed", ""),
        (record(Outcome.INFRA_ERROR, reason="disk"), "our error", "disk"),
        (record(Outcome.MODEL_ERROR, reason="key"), "model error", "key"),
        (record(Outcome.NO_ANSWER, reason="prose"), "no answer", "prose"),
        (record(Outcome.BUILD_FAILED, callees=replace(FACTS, misused=("g",))), "used wrongly", "g"),
        (record(Outcome.BUILD_FAILED, callees=FACTS, reason="check"), "didn't compile", "check"),
        (record(Outcome.TESTS_FAILED, callees=replace(FACTS, used=("f",))), "never retrieved", "g"),
        (record(Outcome.TESTS_FAILED, callees=replace(FACTS, used=("g",))), "not used", "f"),
        (record(Outcome.TESTS_FAILED, callees=FACTS, failed=("t1", "t2")), "failed tests", "t1"),
        (record(Outcome.TIMEOUT, callees=CalleeFacts(), reason="slow"), "didn't compile", "slow"),
        (record(callees=replace(FACTS, used=())), "passed", ""),
    ],
)
def test_each_failure_has_one_cause(one: SampleRecord, cause: str, detail: str) -> None:
    assert (find_cause_of_outcome(one), name_callees_or_test_behind_cause(one)) == (cause, detail)
    assert count_failure_causes([one]) == ({} if cause == "passed" else {cause: 1})
