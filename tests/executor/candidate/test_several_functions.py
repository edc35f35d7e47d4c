"""Prevents: an answer of several functions of which one stays the gold's, a compiler's message that blames the wrong
function, and a function that isn't handed in yet whose gold the compiler reads meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from executor.candidate.control_runs import (
    make_after_calls_sabotages_of_uncalled_functions,
    run_suites_with_first_buildable_sabotage,
)
from executor.candidate.execute import execute_edits
from executor.candidate.several_functions import SeveralCompiler, open_compiler
from executor.function.splice import make_edits
from executor.grading.grade import grade, limit_expected_to_suites
from executor.repository.images import Image
from executor.values import Outcome, TestRun, TestStatus
from index.errors import TaskError
from index.function_texts import join_present_functions_under_heads
from index.values import Span, Target, join_targets
from tests.fixtures.calc import add_task, both_task, make_sabotage
from tests.fixtures.executor_fixtures import Tiny

CHECK = Target("tiny", "test.c", Span(5, 10), "check", "static void check(const char *name, int ok)", "", "c")
BOTH = both_task().target
GOOD_ADD = "int add(int a, int b)\n{\n    int sum = a;\n    sum += b;\n    return sum;\n}"
GOOD_TWICE = "int twice(int a)\n{\n    return 2 * a;\n}"


def _outcome(image: Image, run: TestRun, code: str) -> Outcome:
    return grade(run, limit_expected_to_suites(image.expected, ["unit", "late"]), code).outcome


@pytest.mark.parametrize(
    ("texts", "outcome"),
    [
        ((GOOD_TWICE, GOOD_ADD), Outcome.PASSED),
        (("int twice(int a) { return a; }", GOOD_ADD), Outcome.TESTS_FAILED),
        ((GOOD_TWICE, "int add(int a, int b) { return a; }"), Outcome.TESTS_FAILED),
        ((GOOD_TWICE, "int add(int a, int b) { return c; }"), Outcome.BUILD_FAILED),
    ],
)
def test_all_functions_are_built_and_judged(
    tiny: Tiny, tmp_path: Path, texts: tuple[str, str], outcome: Outcome
) -> None:
    code = join_present_functions_under_heads(texts)
    run = execute_edits(tiny.image, make_edits(BOTH, code), tiny.backend, ("unit", "late"), tmp_path)
    assert run.infra_error == ""
    assert _outcome(tiny.image, run, code) is outcome
    assert run.known is not None and "add" in run.known.names


def test_two_files_are_compiled_and_where_one_fails_checked(tiny: Tiny, tmp_path: Path) -> None:
    target = join_targets([add_task().target, CHECK])
    lines = (tiny.image.source_root / "test.c").read_text().split("\n")
    code = join_present_functions_under_heads([GOOD_ADD, "\n".join(lines[4:10])])
    run = execute_edits(tiny.image, make_edits(target, code), tiny.backend, ("unit", "late"), tmp_path)
    assert run.check == ()
    assert _outcome(tiny.image, run, code) is Outcome.PASSED
    broken = join_present_functions_under_heads([GOOD_ADD, "static void check(const char *name, int ok) { nothing; }"])
    run = execute_edits(tiny.image, make_edits(target, broken), tiny.backend, ("unit",), tmp_path / "broken")
    assert [(step.name, step.exit_code) for step in run.check] == [("check", 0), ("check-2", 1)]
    assert {step.argv[-1].rpartition("/")[2] for step in run.check} == {"calc.c", "test.c"}


def test_the_control_run_has_all_functions_of_the_answer(tiny: Tiny, tmp_path: Path) -> None:
    code = join_present_functions_under_heads([GOOD_TWICE, GOOD_ADD])
    objects: dict[str, bytes] = {}
    edits = make_edits(BOTH, code)
    assert not execute_edits(tiny.image, edits, tiny.backend, ["unit"], tmp_path, objects=objects).infra_error
    sabotage = make_sabotage(tiny, "test.c", "check")
    (control,) = run_suites_with_first_buildable_sabotage(
        tiny.image, edits, tiny.backend, {"unit": (sabotage,)}, tmp_path, objects, {}
    )
    assert control.run is not None
    assert [step.exit_code for step in control.build] == [0] * len(control.build)


def test_a_control_breaks_one_of_the_answers_own_functions(tiny: Tiny, tmp_path: Path) -> None:
    """Not one that another of them calls: an honest answer may call it less often."""
    (own,) = make_after_calls_sabotages_of_uncalled_functions(tiny.image, both_task(), 0)
    assert (own.function, own.change, own.tasks) == ("twice", "after-0", ("both",))
    edits = make_edits(BOTH, join_present_functions_under_heads([GOOD_TWICE, GOOD_ADD]))
    (control,) = run_suites_with_first_buildable_sabotage(
        tiny.image, edits, tiny.backend, {"unit": (own,)}, tmp_path, {}, {}
    )
    assert control.run is not None
    assert [result.name for result in control.run.results if result.status is TestStatus.FAILED] == ["doubles"]


@pytest.fixture
def compiler(tiny: Tiny) -> Iterator[SeveralCompiler]:
    with open_compiler(tiny.image, tiny.backend, BOTH) as opened:
        assert isinstance(opened, SeveralCompiler)
        yield opened


def test_a_message_names_the_line_of_its_own_function(compiler: SeveralCompiler) -> None:
    assert compiler.check(join_present_functions_under_heads([GOOD_TWICE, GOOD_ADD])) == []
    code = join_present_functions_under_heads([GOOD_TWICE, GOOD_ADD.replace("sum += b", "sum += wrong_name")])
    (found,) = compiler.check(code)
    assert (found.in_candidate, found.path) == (True, "calc.c")
    assert "wrong_name" in found.message
    assert "wrong_name" in code.split("\n")[found.line - 1]
    # Also where the functions stand the other way round in the file, and both are wrong.
    code = join_present_functions_under_heads(
        [GOOD_TWICE.replace("2 * a", "other_name"), GOOD_ADD.replace("sum += b", "sum += wrong_name")]
    )
    lines = [code.split("\n")[each.line - 1].strip() for each in compiler.check(code)]
    assert sorted(lines) == ["return other_name;", "sum += wrong_name;"]


def test_what_is_not_handed_in_is_a_stub_and_never_the_gold(compiler: SeveralCompiler) -> None:
    with pytest.raises(TaskError, match=r"the answer has no text for add"):
        make_edits(BOTH, join_present_functions_under_heads([GOOD_TWICE, None]))
    assert compiler.check(join_present_functions_under_heads([GOOD_TWICE, None])) == []
    region, _ = compiler._join_drafts_of_file("calc.c", [GOOD_TWICE, compiler._stubs[1]])
    assert "a + b" not in region
    assert region.endswith(GOOD_TWICE)


def test_a_draft_may_not_read_files_and_each_is_held_against_its_own_gold(compiler: SeveralCompiler) -> None:
    code = join_present_functions_under_heads([GOOD_TWICE, f'#include "test.c"\n{GOOD_ADD}'])
    (found,) = compiler.check(code)
    assert "may not read a file" in found.message
    assert code.split("\n")[found.line - 1] == '#include "test.c"'


def test_a_macro_of_one_function_does_not_reach_what_stands_before_the_next(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its message would quote what a function between the two passes on; that function may be hidden as a twin."""
    source = (tiny.image.source_root / "calc.c").read_bytes() + b"\nint last(int a)\n{\n    return a;\n}\n"
    for module in ("compiler", "several_functions"):
        monkeypatch.setattr(f"executor.candidate.{module}.read_unmodified_file", lambda image, path: source)
    last = Target("tiny", "calc.c", Span(15, 18), "last", "int last(int a)", "", "c")
    prints = GOOD_ADD + "\n#define add(...) ({ _Static_assert(0, #__VA_ARGS__); 0; }) // \\"
    with open_compiler(tiny.image, tiny.backend, join_targets([add_task().target, last])) as compiler:
        found = compiler.check(join_present_functions_under_heads([prints, "int last(int a) { return a; }"]))
        assert [item for item in found if item.severity == "error" or "a, a" in item.message] == []
        code = join_present_functions_under_heads([prints, "int last(int a)\n{\n    return wrong;\n}"])
        (wrong,) = (item for item in compiler.check(code) if item.severity == "error")
        assert "wrong" in code.split("\n")[wrong.line - 1]
