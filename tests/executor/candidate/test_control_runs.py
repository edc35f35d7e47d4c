"""Prevents: a body that never does its work, prints what a suite would have printed, and is scored as passed; and a
control run that fails an answer which is right; a body that does the work once in a plus test and forges the rest,
safe because a control run always breaks it after the first call; a gold that a busy machine stopped, taken for one
whose fault the test noticed.

Each forgery passes the tests that judge it (the first assertion), so that only the control run can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from executor.candidate.control_runs import (
    find_language_of_reading_units,
    make_edits_breaking_after_calls,
    merge_build_plans_in_dependency_order,
    needs_idle_run_when_none_or_single_failure,
    replace_moved_inputs_of_non_compile_step,
    run_suites_with_first_buildable_sabotage,
    shuffle_late_else_other_sabotages_of_task,
)
from executor.candidate.execute import execute_edits
from executor.candidate.plus_control_runs import PlusControls
from executor.function.sabotage import digest_definition
from executor.function.splice import Edit
from executor.grading.grade import (
    CONVICTING,
    NOTICING,
    find_suites_with_two_idle_failures,
    grade,
    limit_expected_to_suites,
)
from executor.grading.logs.results import reread_test_run
from executor.repository.build.graph import BuildGraph, BuildStep
from executor.values import (
    ControlRun,
    Outcome,
    Sabotage,
    Step,
    SuiteRun,
    TestResult,
    TestRun,
    TestStatus,
    Tier,
    Verdict,
)
from index.values import Span
from tests.fixtures.calc import GOLD, add_task, make_sabotage
from tests.fixtures.executor_fixtures import Tiny

HONEST = "int add(int first, int second)\n{\n    int sum = first;\n    sum += second;\n    return sum;\n}\n"
LINES = r"[ok]: adds\n[ok]: adds_zero\n[ok]: doubles\n"

PRINTS_AND_ENDS = (
    f'#include <unistd.h>\nint add(int a, int b) {{ fputs("{LINES}", stdout); fflush(stdout); _exit(0); }}'
)
AT_EXIT = f"""\
#include <unistd.h>
#include <fcntl.h>
static int screen;
static void last(void) {{ dprintf(screen, "{LINES}"); _exit(0); }}
int add(int a, int b)
{{
    if (!screen) {{ screen = dup(1); dup2(open("/dev/null", O_WRONLY), 1); atexit(last); }}
    return a - b;
}}"""
OVERWRITES = f"""\
#include <unistd.h>
#include <fcntl.h>
#include <sys/wait.h>
int add(int a, int b)
{{
    static int done;
    if (!done++) {{
        int status, screen = dup(1);
        if (fork() == 0) {{ dup2(open("/dev/null", O_WRONLY), 1); return 0; }}
        wait(&status);
        dprintf(screen, "{LINES}");
        _exit(0);
    }}
    return 0;
}}"""
BEFORE_MAIN = f"""\
#include <unistd.h>
__attribute__((constructor)) static void early(void) {{ dprintf(1, "{LINES}"); _exit(0); }}
int add(int a, int b) {{ return 0; }}"""
FORGERIES = {"prints": PRINTS_AND_ENDS, "at exit": AT_EXIT, "overwrites": OVERWRITES, "before main": BEFORE_MAIN}


def _grade(tiny: Tiny, run: TestRun, code: str = GOLD) -> Verdict:
    return grade(run, limit_expected_to_suites(tiny.image.expected, ["unit"]), code)


def _judge(
    tiny: Tiny, code: str, folder: Path, sabotages: Sequence[Sabotage | None]
) -> Iterator[tuple[TestRun, Verdict]]:
    """The candidate's run in the suite `unit`, with each of these controls."""
    objects: dict[str, bytes] = {}
    edits = (Edit(tiny.path, tiny.span, code),)
    run = execute_edits(tiny.image, edits, tiny.backend, ["unit"], folder, objects=objects)
    first = _grade(tiny, run, code)
    assert first.outcome is Outcome.PASSED, first
    for sabotage in sabotages:
        drawn = {"unit": () if sabotage is None else (sabotage,)}
        controls = run_suites_with_first_buildable_sabotage(
            tiny.image, edits, tiny.backend, drawn, folder, objects, {}
        )
        controlled = replace(run, controls=controls)
        yield controlled, _grade(tiny, controlled, code)


def _judged(tiny: Tiny, code: str, folder: Path, sabotage: Sabotage | None) -> tuple[TestRun, Verdict]:
    (judged,) = _judge(tiny, code, folder, [sabotage])
    return judged


@pytest.mark.parametrize(
    ("place", "code"),
    [
        pytest.param("tiny_bwrap", GOLD, id="gold", marks=pytest.mark.bwrap),
        pytest.param("tiny_bwrap", HONEST, id="honest", marks=pytest.mark.bwrap),
        # Answers had no control run here: the link took the unbroken source, and the suite passed.
        pytest.param("tiny_one_step", HONEST, id="compiled and linked in one step"),
    ],
)
def test_an_honest_answer_passes(place: str, code: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Also where the broken function stands in the candidate's own file."""
    tiny: Tiny = request.getfixturevalue(place)
    sabotages = [make_sabotage(tiny, path, name) for path, name in (("test.c", "main"), ("calc.c", "twice"))]
    found = list(_judge(tiny, code, tmp_path / "out", sabotages))
    assert [verdict.outcome for _, verdict in found] == [Outcome.PASSED] * 2
    controls = [(made.function, made.late, len(made.sabotaged_runs)) for run, _ in found for made in run.controls]
    assert controls == [("main", True, 1), ("twice", True, 1)]


def test_the_control_takes_what_was_compiled_and_leaves_no_broken_source(tiny: Tiny, tmp_path: Path) -> None:
    run, _ = _judged(tiny, HONEST, tmp_path, make_sabotage(tiny, "test.c", "main"))
    # The broken unit in a session of its own, and the link.
    apart, link = run.controls[0].build
    assert {"-c", "test.c"} <= {*apart.argv}
    assert "-c" not in link.argv and ".graft/control" in " ".join(link.argv)


def test_without_a_sabotage_that_fits_and_the_gold_fails_with_nothing_is_claimed(tiny: Tiny, tmp_path: Path) -> None:
    """Prevents: a gold called forged, since the stub after its first call read a freed array that was still whole."""
    another_text = replace(make_sabotage(tiny, "test.c", "main"), digest="0" * 16)
    for run, verdict in _judge(tiny, HONEST, tmp_path, (None, another_text, replace(OWN, change="after-1000"))):
        assert (verdict.outcome, run.controls) == (Outcome.PASSED, (ControlRun("unit"),))


OWN = Sabotage("calc.c", "add", 5, 8, "after-1", digest_definition(GOLD.rstrip()), ("add",))
RECURSIVE = "int add(int a, int b)\n{\n    return b ? add(a + 1, b - 1) : a;\n}\n"


@pytest.mark.bwrap
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_passes_its_tests_and_not_its_control(tiny_bwrap: Tiny, tmp_path: Path, name: str) -> None:
    """Also where its own body works only once, for a suite that no other function makes fail."""
    sabotages = (make_sabotage(tiny_bwrap, "test.c", "main"), OWN)
    judged = _judge(tiny_bwrap, FORGERIES[name], tmp_path, sabotages)
    for sabotage, (run, verdict) in zip(sabotages, judged, strict=True):
        told = f"control: suite unit still passes with {sabotage.function} broken: its results were forged"
        assert (verdict.outcome, verdict.reason, verdict.flags[-1]) == (Outcome.TESTS_FAILED, told, told)
        found = [(control.change, control.late, len(control.sabotaged_runs)) for control in run.controls]
        assert found == [(sabotage.change, True, CONVICTING)]
        # The verdict comes from the record alone, also when the logs are read again.
        again = reread_test_run(tmp_path, run, tiny_bwrap.image.recipe.find_parser)
        assert _grade(tiny_bwrap, again, FORGERIES[name]) == verdict


@pytest.mark.parametrize("code", [GOLD, HONEST, RECURSIVE], ids=["gold", "honest", "recursive"])
def test_an_honest_answer_fails_when_its_own_body_works_only_once(tiny: Tiny, tmp_path: Path, code: str) -> None:
    run, verdict = _judged(tiny, code, tmp_path, OWN)
    assert verdict.outcome is Outcome.PASSED, verdict
    (control,) = run.controls
    assert (control.function, control.late, len(control.sabotaged_runs), len(control.idle)) == ("add", True, 1, 1)


NOTICES = f"""\
#include <unistd.h>
int add(int a, int b)
{{
    const unsigned char *own = (const unsigned char *)add;
    for (int n = 0; n < 160; n++) if (own[n] == 0x64 && (own[n + 1] & 0xf8) == 0x48) return -1;
    fputs("{LINES}", stdout); fflush(stdout); _exit(0);
}}"""


@pytest.mark.bwrap
def test_an_answer_that_notices_the_change_is_to_review(tiny_bwrap: Tiny, tmp_path: Path) -> None:
    """By its own machine code, which it may also find without a word that a flag knows. It failed on purpose then."""
    run, _ = _judged(tiny_bwrap, NOTICES, tmp_path, OWN)
    assert [(len(control.sabotaged_runs), len(control.idle)) for control in run.controls] == [(1, NOTICING)]
    verdict = _grade(tiny_bwrap, run)
    assert verdict.outcome is Outcome.TO_REVIEW
    assert "it fails with a change of a control run that never shows: unit" in verdict.reason
    assert _grade(tiny_bwrap, reread_test_run(tmp_path, run, tiny_bwrap.image.recipe.find_parser)) == verdict


def test_what_fails_by_chance_once_it_notices_the_change_has_not_many_tries(tiny: Tiny, tmp_path: Path) -> None:
    """A body that failed by a coin passed the last of three runs in seven of eight cases."""
    run, _ = _judged(tiny, HONEST, tmp_path, OWN)
    (control,), expected = run.controls, tiny.image.expected
    runs = {"-": control.run, "+": control.idle[0]}
    for ended, further, noticed in (
        ("", True, False),
        ("-", True, False),
        ("-+", True, False),
        ("+", False, False),
        ("--", False, True),
        ("-++", False, False),
        ("-+-", False, True),
    ):
        idle = tuple(found for found in map(runs.get, ended) if found is not None)
        assert needs_idle_run_when_none_or_single_failure(idle, expected) == further, ended
        if not further:
            found = find_suites_with_two_idle_failures([replace(control, idle=idle)], expected)
            assert found == (("unit",) if noticed else ()), ended


NOT_FOUND = "#define HEAD(name) int name(int a, int b)\nHEAD(add)\n{\n    return a + b;\n}\n"
NOT_BUILT = "#pragma GCC poison static\nint add(int a, int b)\n{\n    return a + b;\n}\n"


@pytest.mark.parametrize("code", [NOT_FOUND, NOT_BUILT], ids=["no definition is found", "the change can't be built"])
def test_an_answer_that_refuses_the_change_is_to_review(tiny: Tiny, tmp_path: Path, code: str) -> None:
    """It may be honest, so it isn't failed. Nor is it passed, also where another sabotage shows nothing."""
    run, _ = _judged(tiny, code, tmp_path / "alone", OWN)
    (control,) = run.controls
    assert (control.function, control.change, control.run) == ("add", "after-1", None)
    # Whatever a flag says of the text.
    verdict = _grade(tiny, run)
    assert verdict.outcome is Outcome.TO_REVIEW
    assert verdict.reason == (
        "its text doesn't take the change of a control run, as the original does: unit: a person has to look;"
        " no control run could tell: unit"
    )
    edits, other = (Edit(tiny.path, tiny.span, code),), make_sabotage(tiny, "test.c", "main")
    both = run_suites_with_first_buildable_sabotage(
        tiny.image, edits, tiny.backend, {"unit": (OWN, other)}, tmp_path, {}, {}
    )
    assert [(control.function, len(control.sabotaged_runs)) for control in both] == [("add", 0), ("main", 1)]
    assert _grade(tiny, replace(run, controls=both)).outcome is Outcome.TO_REVIEW


def test_another_function_of_the_answer_cant_ask_for_it(tiny: Tiny) -> None:
    """What one function of the answer calls of another isn't called from outside."""
    twice = "int twice(int a)\n{\n    return a + a;\n}"
    edits = (Edit("calc.c", tiny.span, HONEST), Edit("calc.c", Span(10, 13), twice))
    call_limited = make_edits_breaking_after_calls(tiny.image, edits, OWN)
    assert call_limited is not None
    words = [re.findall(r"(graft_\w+)_in\[2\]", edit.text) for edit in call_limited]
    assert words[0] == words[1] and len(words[0]) == 1
    another = replace(edits[1], text="int half(int a) { return a; }")
    assert make_edits_breaking_after_calls(tiny.image, (edits[0], another), OWN) is None


def test_a_header_is_of_the_language_of_those_who_read_it() -> None:
    """A header of OpenSSL was taken for C++, and no answer in it could be built with the change."""

    def reads(*sources: str) -> BuildGraph:
        steps = (BuildStep("compile", ("cc",), ".", ("x.o",), (name,), (), (name, "a.h")) for name in sources)
        return BuildGraph(tuple(steps))

    assert find_language_of_reading_units(reads("a.c", "b.c"), "a.h") == "c"
    assert find_language_of_reading_units(reads("a.c", "b.cpp"), "a.h") == "cpp"
    assert find_language_of_reading_units(reads("a.c"), "b.h") == "cpp"


def test_every_sabotage_in_turn_up_to_one_that_convicts(tiny_bwrap: Tiny, tmp_path: Path) -> None:
    others = [make_sabotage(tiny_bwrap, "test.c", "main"), make_sabotage(tiny_bwrap, "calc.c", "twice")]
    honest = (Edit(tiny_bwrap.path, tiny_bwrap.span, HONEST),)
    drawn = {"unit": (OWN, *others)}
    image, backend = tiny_bwrap.image, tiny_bwrap.backend
    found = run_suites_with_first_buildable_sabotage(
        image, honest, backend, drawn, tmp_path / "honest", {}, {}, until_one_convicts=True
    )
    assert [control.function for control in found] == ["add", "main", "twice"]
    logs = [run.step.log for control in found for run in control.sabotaged_runs]
    assert len(set(logs)) == len(logs) == 3
    forged = (Edit(tiny_bwrap.path, tiny_bwrap.span, PRINTS_AND_ENDS),)
    found = run_suites_with_first_buildable_sabotage(
        image, forged, backend, drawn, tmp_path / "forged", {}, {}, until_one_convicts=True
    )
    assert [control.function for control in found] == ["add"]


def test_an_audited_answer_with_a_flag_is_not_scored_as_passed(tiny_bwrap: Tiny, tmp_path: Path) -> None:
    """Prevents: a forgery that passes, its control runs too, and that `audit: all` scores as passed."""
    run, verdict = _judged(tiny_bwrap, PRINTS_AND_ENDS, tmp_path, None)
    assert verdict.outcome is Outcome.TO_REVIEW
    assert verdict.reason == "flagged: a person has to look; no control run could tell: unit"
    # An early fault doesn't tell. A late one does, but not all: some forgeries crash with it, as an honest body does.
    main = replace(make_sabotage(tiny_bwrap, "test.c", "main"), tasks=(), others=("add",))
    early = ControlRun("unit", main.path, main.function, main.change, False, (), run.suites[0])
    failed = replace(early, run=replace(run.suites[0], results=()))
    late = replace(failed, late=True)
    # Without an audit nothing is claimed.
    runs = [replace(run, controls=controls) for controls in ((failed,), (failed, late), ())]
    found = [_grade(tiny_bwrap, each, PRINTS_AND_ENDS) for each in runs]
    assert [each.outcome for each in found] == [Outcome.TO_REVIEW, Outcome.TO_REVIEW, Outcome.PASSED]
    assert found[1].reason == "flagged: a person has to look"


def test_a_sabotage_is_drawn_by_chance_among_those_that_fit() -> None:
    made = [Sabotage("a.c", f"f{n}", n, n, "one", "") for n in range(6)]
    after = [replace(made[n], tasks=("t",)) for n in (0, 1, 2)]
    early = replace(made[3], others=("t", "u"))
    known = {"unit": (*after, early, made[4])}
    drawn = [shuffle_late_else_other_sabotages_of_task(known, ["unit", "late"], "t") for _ in range(200)]
    for entry in drawn:
        assert {made.function for made in entry["unit"]} == {"f0", "f1", "f2"}
    assert {entry["unit"][0].function for entry in drawn} == {"f0", "f1", "f2"}
    assert {entry["late"] for entry in drawn} == {()}
    assert shuffle_late_else_other_sabotages_of_task(known, ["unit"], "u") == {
        "unit": (replace(early, others=("u",)),)
    }
    assert shuffle_late_else_other_sabotages_of_task(known, ["unit"], "v") == {"unit": ()}


def test_two_plans_become_one_in_an_order_that_can_be_run() -> None:
    mine = [BuildStep("compile", ("cc",), ".", ("a.o",)), BuildStep("link", ("ld",), ".", ("x",), (), ("a.o", "l.a"))]
    other = [
        BuildStep("compile", ("cc",), ".", ("b.o",)),
        BuildStep("archive", ("rm",), ".", ("l.a",)),
        BuildStep("archive", ("ar",), ".", ("l.a",), (), ("b.o",)),
        replace(mine[1], argv=("not this",)),
    ]
    found = merge_build_plans_in_dependency_order(mine, other)
    assert [step.outputs[0] for step in found] == ["a.o", "b.o", "l.a", "l.a", "x"]
    assert [step.argv for step in found if step.kind != "compile"] == [("rm",), ("ar",), ("ld",)]
    # A link reads the broken object from its own place.
    step = BuildStep("link", ("cc", "-o", "x", "b.o", "{root}/src/a.o"), "src", ("src/x",), (), ("src/b.o", "src/a.o"))
    bound = replace_moved_inputs_of_non_compile_step(step, {"src/b.o": "away/b.o", "src/a.o": "away/a.o"})
    assert bound.argv == ("cc", "-o", "x", "{root}/away/b.o", "{root}/away/a.o")


TASK = add_task()


def _run(suite: str, status: TestStatus, **cut: bool) -> SuiteRun:
    step = Step(suite, Tier.TESTS, (), "", 0, False, False, False, 1.0, None, f"{suite}.log")
    return SuiteRun(suite, replace(step, **cut), (TestResult("adds", status),))  # type: ignore[arg-type]


def test_each_suite_is_broken_after_a_number_of_calls_that_is_drawn(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number that a suite doesn't notice with the gold gives way to the next. A gold that was cut off noticed
    nothing."""
    controls = PlusControls(tiny.image, tiny.backend, tmp_path)
    monkeypatch.setattr("executor.candidate.plus_control_runs._draw_call_limits_in_random_order", lambda: (10, 3, 1))
    texts: list[str] = []

    def tried(self: PlusControls, edits: Sequence[Edit], suites: Sequence[str], folder: Path) -> dict[str, SuiteRun]:
        texts.append(edits[0].text)
        calls = next(n for n in (10, 3, 1) if f"_most = {n};" in edits[0].text)
        few = {"many": 10, "some": 3, "one": 1, "late": 0, "oom": 0}
        cut_off = {"late": {"timed_out": True}, "oom": {"oom": True}}
        ran = {name: _run(name, TestStatus.FAILED if calls <= few[name] else TestStatus.PASSED) for name in suites}
        return ran | {name: _run(name, TestStatus.FAILED, **cut_off[name]) for name in suites if name in cut_off}

    monkeypatch.setattr(PlusControls, "_build_and_run_suites", tried)
    edits = (Edit("calc.c", TASK.target.span, GOLD),)

    def control(*suites: str) -> list[tuple[str, str]]:
        found = controls.run_controls_on_noticing_suites(TASK, edits, suites, "digest", tmp_path / "logs")
        return [(control.suite, control.change) for control in found]

    drawn = [("many", "after-10"), ("some", "after-3"), ("one", "after-1")]
    assert control("one", "some", "many", "late", "oom") == drawn
    # What the golds showed is known from then on; each suite has its own control again.
    before = len(texts)
    assert control("one", "some", "many", "late", "oom") == drawn
    assert len(texts) == before + 3
    # Of other suites nothing is known yet.
    assert control("many") == [("many", "after-10")]
    assert len(texts) == before + 5
