"""The execution of a candidate. Prevents: a verdict on stale objects, or in a tree that another candidate changed; a
run whose memory grows with its candidates."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from executor.candidate.execute import ExecutionOptions, KeptObjects, collect_known_names, execute_edits
from executor.function.splice import Edit
from executor.grading.flags import find_flags
from executor.sandbox.contract import Session
from executor.values import Outcome, Tier, Verdict
from index.errors import RecipeError, SandboxError, TaskError
from index.values import Span
from tests.fixtures.calc import GOLD, SUITES, judge_text
from tests.fixtures.executor_fixtures import Tiny


def test_the_gold_climbs_to_the_top(tiny: Tiny, tmp_path: Path) -> None:
    run, verdict = judge_text(tiny, GOLD, tmp_path / "new")
    assert verdict == Verdict(Outcome.PASSED, Tier.TESTS, True, "", passed=4)
    assert [step.tier for step in (*run.check, *run.build)] == [Tier.BUILD, Tier.BUILD]
    assert (tmp_path / "new" / "suite-unit.log").read_bytes() == b"[ok]: adds\n[ok]: adds_zero\n[ok]: doubles\n"
    assert all(step.cpu_s is not None for step in run.build)


@pytest.mark.parametrize(
    ("code", "tier", "reason"),
    [
        ("int add(int a, int b) { return a - b; }", Tier.TESTS, "unit: 2 failed: adds, doubles"),
        ("int add(int a, int b) { return a + (b < 0 ? -b : b); }", Tier.TESTS, "late: 1 failed"),
        ("int add(int a, int b) { abort(); }", Tier.TESTS, "unit: was killed by signal 6"),
        ("int add(int a, int b) { return a + ; }", Tier.CHECK, "check ended with status 1"),
        ("int plus(int a, int b) { return a + b; }", Tier.BUILD, "link-2 ended with status 1"),
        ("", Tier.BUILD, "link-2 ended with status 1"),
    ],
)
def test_the_tier_that_stops_it(tiny: Tiny, tmp_path: Path, code: str, tier: Tier, reason: str) -> None:
    run, verdict = judge_text(tiny, code, tmp_path)
    assert verdict.tier == tier
    assert verdict.outcome is (Outcome.TESTS_FAILED if tier is Tier.TESTS else Outcome.BUILD_FAILED)
    assert verdict.reason.startswith(reason)
    for step in (*run.check, *run.build, *(suite.step for suite in run.suites)):
        assert (tmp_path / step.log).is_file()


def test_the_first_bad_suite_ends_the_run_unless_all_are_wanted(tiny: Tiny, tmp_path: Path) -> None:
    code = "int add(int a, int b) { return 0; }"
    run, _ = judge_text(tiny, code, tmp_path / "first")
    assert [suite.suite for suite in run.suites] == ["unit"]
    run, verdict = judge_text(tiny, code, tmp_path / "all", options=ExecutionOptions(stop_at_first=False))
    assert [suite.suite for suite in run.suites] == ["unit", "late"]
    assert verdict.failed == ("adds", "adds_zero", "doubles", "adds_negative")


def test_what_compiles_is_parsed_once(tiny: Tiny, tmp_path: Path) -> None:
    """Answers paid for a parse beside each compilation; of LLVM's slow units that is half of the cost."""
    run, verdict = judge_text(tiny, GOLD, tmp_path)
    assert (run.check, verdict) == ((), Verdict(Outcome.PASSED, Tier.TESTS, True, "", passed=4))
    run, verdict = judge_text(tiny, "int add(int a, int b) { return a + ; }", tmp_path)
    assert (verdict.outcome, verdict.tier, run.build, run.suites) == (Outcome.BUILD_FAILED, Tier.CHECK, (), ())


def test_a_users_mistakes_are_named_before_anything_runs(tiny: Tiny, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="no suite 'unot'; did you mean 'unit'"):
        judge_text(tiny, GOLD, tmp_path, ("unot",))
    with pytest.raises(TaskError, match="outside the file"):
        execute_edits(tiny.image, [Edit("calc.c", Span(1, 99), GOLD)], tiny.backend, SUITES, tmp_path)
    with pytest.raises(RecipeError, match=r"nowhere\.c: can't be read"):
        execute_edits(tiny.image, [Edit("nowhere.c", Span(1, 1), GOLD)], tiny.backend, SUITES, tmp_path)
    with pytest.raises(RecipeError, match="Makefile"):
        execute_edits(tiny.image, [Edit("Makefile", Span(1, 1), "all:")], tiny.backend, SUITES, tmp_path)


class _Broken:
    """A backend whose engine is gone."""

    name = "broken"
    isolated = True

    def session(self, key: str) -> AbstractContextManager[Session]:
        raise SandboxError("the engine is gone")


def test_a_sandbox_that_fails_is_told_not_raised(tiny: Tiny, tmp_path: Path) -> None:
    broken = replace(tiny, backend=_Broken())
    run, verdict = judge_text(broken, GOLD, tmp_path)
    assert run.infra_error == "the engine is gone"
    assert (verdict.outcome, verdict.reason) == (Outcome.INFRA_ERROR, "the engine is gone")


def test_a_compiler_that_is_not_there_is_no_candidates_fault(tiny: Tiny, tmp_path: Path) -> None:
    steps = tuple(
        replace(step, argv=("/no/such/cc", *step.argv[1:])) if step.kind == "compile" else step
        for step in tiny.image.graph.steps
    )
    maimed = replace(tiny, image=replace(tiny.image, graph=replace(tiny.image.graph, steps=steps)))
    run, verdict = judge_text(maimed, GOLD, tmp_path)
    assert verdict.outcome is Outcome.INFRA_ERROR
    assert "/no/such/cc couldn't be run" in run.infra_error


def test_objects_are_kept_as_far_as_their_bytes_go(tiny: Tiny) -> None:
    def edit(text: str) -> tuple[Edit, ...]:
        return (Edit("calc.c", Span(5, 8), text),)

    kept = KeptObjects(most_bytes=10)
    for text, size in (("first", 4), ("second", 4), ("huge", 11), ("third", 4), ("second", 5)):
        kept.keep_objects(tiny.image, edit(text), {"calc.o": bytes(size)})
    sizes = {text: len(kept.take_objects(tiny.image, edit(text)).get("calc.o", b"")) for text in ("first", "huge")}
    assert sizes == {"first": 0, "huge": 0}
    assert kept.take_objects(tiny.image, edit("third")) == {"calc.o": bytes(4)}
    assert kept.take_objects(tiny.image, edit("second")) == {"calc.o": bytes(5)}
    assert kept.take_objects(tiny.image, edit("second")) == {}


@pytest.mark.parametrize(("second", "flagged"), [("(void)number;", False), ("_exit(number);", True)])
def test_golds_that_take_each_other_are_not_flagged(tmp_path: Path, second: str, flagged: bool) -> None:
    """Together, since one takes another by its name, and neither is flagged alone."""
    golds = ["static void begin(void) { install(reading); }", f"static void reading(int number) {{ {second} }}"]
    # Names of a benchmark's or test's file aren't the repository's.
    path = tmp_path / "tests" / "bench.c"
    path.parent.mkdir()
    known = "static void reading(int number) { (void)number; }"
    path.write_text(f"typedef void handler(int);\nvoid install(handler *wanted);\n{known}\n{golds[0]}\n")
    image: Any = SimpleNamespace(source_root=tmp_path)
    edits = [Edit("tests/bench.c", Span(4, 4), golds[0]), Edit("tests/bench.c", Span(3, 3), golds[1])]
    assert bool(find_flags("\n".join(golds), collect_known_names(image, edits))) is flagged
