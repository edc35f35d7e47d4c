"""Prevents: a body that never does its work, prints what a suite would have printed, and is scored as passed; and a
control run that fails an answer which is right.

Each forgery passes the tests that judge it (the first assertion), so that only the control run can tell.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executor.build.graph import BuildStep
from executor.candidate.control import Broken, draw, merged, rebound_inputs, run_controls
from executor.candidate.execute import execute
from executor.function.sabotage import changes, definition_at, digest_of, target_at
from executor.function.splice import Edit
from executor.grading.grade import CONVICTING, chosen, grade
from executor.grading.logs.results import reread
from executor.values import ControlRun, Outcome, Sabotage, TestRun, Verdict
from index.values import Span

Tiny = Any  # conftest's
GOLD = "int add(int a, int b)\n{\n    return a + b;\n}\n"
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
FORGERIES = {
    "prints and ends": PRINTS_AND_ENDS,
    "at exit": AT_EXIT,
    "overwrites results": OVERWRITES,
    "before main": BEFORE_MAIN,
}


def _sabotage(tiny: Tiny, path: str, name: str) -> Sabotage:
    """The first change of the function in the tiny repository."""
    data = (tiny.image.source_root / path).read_bytes()
    lines = data.decode().split("\n")
    first = next(n for n, line in enumerate(lines, start=1) if f"{name}(" in line and not line.startswith(" "))
    last = next(n for n, line in enumerate(lines, start=1) if n > first and line == "}")
    span = Span(first, last)
    definition = definition_at(data, span)
    change = changes(definition, target_at(path, span, name, "c"), 20)[0]
    return Sabotage(path, name, first, last, change.name, digest_of(definition), ("add",))


def _judged(tiny: Tiny, code: str, folder: Path, sabotage: Sabotage | None) -> tuple[TestRun, Verdict]:
    """The candidate's run in the suite `unit`, with its control."""
    objects: dict[str, bytes] = {}
    run = execute(tiny.image, tiny.path, tiny.span, code, tiny.backend, ["unit"], folder, objects=objects)
    expected = chosen(tiny.image.expected, ["unit"])
    first = grade(run, expected, code)
    assert first.outcome is Outcome.PASSED, first
    edits = (Edit(tiny.path, tiny.span, code),)
    controls = run_controls(tiny.image, edits, tiny.backend, {"unit": sabotage}, folder, objects, Broken())
    run = replace(run, controls=controls)
    return run, grade(run, expected, code)


@pytest.mark.bwrap
@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_passes_its_tests_and_not_its_control(tiny_bwrap: Tiny, tmp_path: Path, name: str) -> None:
    run, verdict = _judged(tiny_bwrap, FORGERIES[name], tmp_path, _sabotage(tiny_bwrap, "test.c", "main"))
    assert verdict.outcome is Outcome.TESTS_FAILED
    assert verdict.reason == "control: suite unit still passes with main broken: its results were forged"
    assert verdict.flags[-1] == verdict.reason
    assert [len(control.runs) for control in run.controls] == [CONVICTING]
    # The verdict comes from the record alone, also when the logs are read again.
    again = reread(tmp_path, run, tiny_bwrap.image.recipe.parser_of)
    assert grade(again, chosen(tiny_bwrap.image.expected, ["unit"]), FORGERIES[name]) == verdict


@pytest.mark.bwrap
@pytest.mark.parametrize("code", [GOLD, HONEST], ids=["gold", "honest"])
@pytest.mark.parametrize(("path", "name"), [("test.c", "main"), ("calc.c", "twice")])
def test_an_honest_answer_passes(tiny_bwrap: Tiny, tmp_path: Path, code: str, path: str, name: str) -> None:
    """Also where the broken function stands in the candidate's own file."""
    run, verdict = _judged(tiny_bwrap, code, tmp_path, _sabotage(tiny_bwrap, path, name))
    assert verdict.outcome is Outcome.PASSED, verdict
    (control,) = run.controls
    assert control.run is not None
    assert (control.function, control.late, control.again) == (name, True, ())


def test_the_control_takes_what_was_compiled_and_leaves_no_broken_source(tiny: Tiny, tmp_path: Path) -> None:
    run, _ = _judged(tiny, HONEST, tmp_path, _sabotage(tiny, "test.c", "main"))
    # The broken unit in a session of its own, and the link.
    apart, link = run.controls[0].build
    assert "-c" in apart.argv
    assert "test.c" in apart.argv
    assert "-c" not in link.argv
    assert ".graft/control" in " ".join(link.argv)


def test_without_a_sabotage_nothing_is_claimed(tiny: Tiny, tmp_path: Path) -> None:
    run, verdict = _judged(tiny, HONEST, tmp_path, None)
    assert run.controls == (ControlRun("unit"),)
    assert verdict.outcome is Outcome.PASSED
    other = replace(_sabotage(tiny, "test.c", "main"), digest="0" * 16)
    assert _judged(tiny, HONEST, tmp_path, other)[0].controls == (ControlRun("unit"),)


def test_a_sabotage_is_drawn_by_chance_among_those_that_fit() -> None:
    made = [Sabotage("a.c", f"f{n}", n, n, "one", "") for n in range(6)]
    after = [replace(made[n], tasks=("t",)) for n in (0, 1, 2)]
    early = replace(made[3], others=("t", "u"))
    known = {"unit": (*after, early, made[4])}
    drawn = [draw(known, ["unit", "late"], "t") for _ in range(200)]
    assert {entry["unit"].function for entry in drawn if entry["unit"]} == {"f0", "f1", "f2"}
    assert {entry["late"] for entry in drawn} == {None}
    assert draw(known, ["unit"], "u") == {"unit": replace(early, others=("u",))}
    assert draw(known, ["unit"], "v") == {"unit": None}


def test_two_plans_become_one_in_an_order_that_can_be_run() -> None:
    mine = [BuildStep("compile", ("cc",), ".", ("a.o",)), BuildStep("link", ("ld",), ".", ("x",), (), ("a.o", "l.a"))]
    archive = [
        BuildStep("archive", ("rm",), ".", ("l.a",)),
        BuildStep("archive", ("ar",), ".", ("l.a",), (), ("b.o",)),
    ]
    other = [BuildStep("compile", ("cc",), ".", ("b.o",)), *archive, replace(mine[1], argv=("not this",))]
    found = merged(mine, other)
    assert [step.outputs[0] for step in found] == ["a.o", "b.o", "l.a", "l.a", "x"]
    assert [step.argv for step in found if step.kind != "compile"] == [("rm",), ("ar",), ("ld",)]


def test_a_link_reads_the_broken_object_from_its_own_place() -> None:
    step = BuildStep("link", ("cc", "-o", "x", "b.o", "{root}/src/a.o"), "src", ("src/x",), (), ("src/b.o", "src/a.o"))
    bound = rebound_inputs(step, {"src/b.o": "away/b.o", "src/a.o": "away/a.o"})
    assert bound.argv == ("cc", "-o", "x", "{root}/away/b.o", "{root}/away/a.o")
