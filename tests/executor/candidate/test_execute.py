"""The execution of a candidate. Prevents: a verdict on stale objects, or in a tree that another candidate changed; a
run whose memory grows with its candidates; sixteen units that are compiled one after the other on idle cores; a step
that is told by another one's name, log or time; a text whose compiler's messages say that all went well."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from executor.candidate.execute import (
    ExecutionOptions,
    KeptObjects,
    execute_edits,
    recognise_edit_names_by_tree_and_gold,
)
from executor.candidate.runner import Runner
from executor.function.splice import Edit
from executor.grading.flags import find_flags
from executor.repository.build.graph import BuildStep
from executor.repository.recipe import Recipe
from executor.sandbox.capacity import count_usable_cores
from executor.sandbox.contract import Backend, Command, ExecResult, Session
from executor.values import Outcome, Tier, Verdict
from index.errors import InfraError, RecipeError, SandboxError, TaskError
from index.values import Span
from tests.fixtures.calc import GOLD, SUITES, judge_text
from tests.fixtures.executor_fixtures import MAKEFILE, Tiny, build_recipe


def test_the_gold_climbs_to_the_top(tiny: Tiny, tmp_path: Path) -> None:
    run, verdict = judge_text(tiny, GOLD, tmp_path / "new")
    assert verdict == Verdict(Outcome.PASSED, Tier.TESTS, True, "", passed=4)
    # What compiles is parsed once: a parse beside each compilation is half of the cost of LLVM's slow units.
    assert (run.check, [step.tier for step in run.build]) == ((), [Tier.BUILD, Tier.BUILD])
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
    if tier is Tier.CHECK:
        assert (run.build, run.suites) == ((), ())
    for step in (*run.check, *run.build, *(suite.step for suite in run.suites)):
        assert (tmp_path / step.log).is_file()


def test_the_first_bad_suite_ends_the_run_unless_all_are_wanted(tiny: Tiny, tmp_path: Path) -> None:
    code = "int add(int a, int b) { return 0; }"
    run, _ = judge_text(tiny, code, tmp_path / "first")
    assert [suite.suite for suite in run.suites] == ["unit"]
    run, verdict = judge_text(tiny, code, tmp_path / "all", options=ExecutionOptions(stop_at_first=False))
    assert [suite.suite for suite in run.suites] == ["unit", "late"]
    assert verdict.failed == ("adds", "adds_zero", "doubles", "adds_negative")


def test_a_users_mistakes_are_named_before_anything_runs(tiny: Tiny, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="no suite 'unot'; did you mean 'unit'"):
        judge_text(tiny, GOLD, tmp_path, ("unot",))
    for path, last, error, message in (
        ("calc.c", 99, TaskError, "outside the file"),
        ("nowhere.c", 1, RecipeError, r"nowhere\.c: can't be read"),
        ("Makefile", 1, RecipeError, "Makefile"),
    ):
        with pytest.raises(error, match=message):
            execute_edits(tiny.image, [Edit(path, Span(1, last), GOLD)], tiny.backend, SUITES, tmp_path)


def test_a_sandbox_or_a_compiler_that_fails_is_told_not_raised(tiny: Tiny, tmp_path: Path) -> None:
    def fail(key: str) -> Session:
        raise SandboxError("the engine is gone")

    broken = replace(tiny, backend=cast(Backend, SimpleNamespace(name="broken", isolated=True, session=fail)))
    steps = tuple(
        replace(step, argv=("/no/such/cc", *step.argv[1:])) if step.kind == "compile" else step
        for step in tiny.image.graph.steps
    )
    maimed = replace(tiny, image=replace(tiny.image, graph=replace(tiny.image.graph, steps=steps)))
    for place, reason in ((broken, "the engine is gone"), (maimed, "/no/such/cc couldn't be run")):
        run, verdict = judge_text(place, GOLD, tmp_path)
        assert (verdict.outcome, verdict.reason) == (Outcome.INFRA_ERROR, run.infra_error)
        assert reason in run.infra_error


def test_objects_are_kept_as_far_as_their_bytes_go(tiny: Tiny) -> None:
    kept = KeptObjects(most_bytes=10)
    for text, size in (("first", 4), ("second", 4), ("huge", 11), ("third", 4), ("second", 5)):
        kept.keep_objects_dropping_oldest(tiny.image, (Edit("calc.c", Span(5, 8), text),), {"calc.o": bytes(size)})
    for text, size in (("first", 0), ("huge", 0), ("third", 4), ("second", 5), ("second", 0)):
        found = kept.take_objects(tiny.image, (Edit("calc.c", Span(5, 8), text),))
        assert found == ({"calc.o": bytes(size)} if size else {})


def test_an_object_that_the_build_moves_is_compiled_again(tiny_recipe: Recipe, tmp_path: Path) -> None:
    (tmp_path / "tree/Makefile").write_text(MAKEFILE.replace("-o $@ $<", "-o $@.tmp $<\n\tmv $@.tmp $@"))
    moved = build_recipe(tiny_recipe, tmp_path / "cache")
    edit, objects = Edit(moved.path, moved.span, GOLD), dict[str, bytes]()
    run = execute_edits(moved.image, [edit], moved.backend, ["unit"], tmp_path / "new", objects=objects)
    assert (run.infra_error, [step.exit_code for step in run.build], objects) == ("", [0, 0, 0], {})


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
    assert bool(find_flags("\n".join(golds), recognise_edit_names_by_tree_and_gold(image, edits))) is flagged


FORGED = "0 0 0m0.1s 0m0.1s"


def make_step(number: int, script: str, *, reads: tuple[int, ...] = ()) -> BuildStep:
    inputs = tuple(f"made-{other}" for other in reads)
    return BuildStep("compile", ("/bin/sh", "-c", script), "{root}", (f"made-{number}",), (f"{number}.c",), inputs)


def test_steps_run_side_by_side_and_each_has_its_own_log_and_time(tiny: Tiny, tmp_path: Path) -> None:
    # The first waits for the last.
    waits = "until [ -e met ] || [ $((n += 1)) -gt 100 ]; do sleep 0.3; done; [ -e met ] &&"
    scripts = ["echo 'it''s quick'; pwd", "while [ $((n += 1)) -lt 200000 ]; do :; done", "touch met; printf half"]
    with tiny.backend.session(tiny.image.key) as session:
        first = f"{waits if count_usable_cores() > 1 else ''} echo slow"
        steps = [make_step(number, script) for number, script in enumerate((first, *scripts))]
        done = Runner(session, tmp_path).run_build_steps(steps, before=2, prefix="control-")
        root = session.root
    assert [step.name for step in done] == [f"control-compile-{number}" for number in (3, 4, 5, 6)]
    assert [step.exit_code for step in done] == [0] * 4 and {step.tier for step in done} == {Tier.BUILD}
    logs = [(tmp_path / step.log).read_text() for step in done]
    assert logs == ["slow\n", f"its quick\n{root}\n", "", "half"]
    assert (done[2].cpu_s or 0) > 0.05 > (done[0].cpu_s or 0)


@pytest.mark.parametrize("forged", ["", f"echo '{FORGED}'; "])
def test_the_first_in_their_order_that_fails_is_the_last(tiny: Tiny, tmp_path: Path, forged: str) -> None:
    scripts = [f"{forged}sleep 0.4; exit 3", "exit 4", "exit 0"]
    with tiny.backend.session(tiny.image.key) as session:
        steps = [make_step(n, s) for n, s in enumerate(["true", *scripts])]
        done = Runner(session, tmp_path).run_build_steps(steps)
    assert [step.exit_code for step in done] == [0, 3]
    assert (tmp_path / done[-1].log).read_text() == (f"{FORGED}\n" if forged else "")


# Reads what is left in the standard input of the shell that runs the steps, and of no other process.
READS_THE_PROGRAM = r"""
import os, sys
shells, parent = [], os.getppid()
while parent > 1:
    with open(f"/proc/{parent}/cmdline", "rb") as file:
        shells += [parent] if file.read() == b"/bin/sh\0-s\0" else []
    with open(f"/proc/{parent}/stat") as file:
        parent = int(file.read().rpartition(")")[2].split()[1])
left = b""
for shell in shells:
    try:
        left += os.read(os.open(f"/proc/{shell}/fd/0", os.O_RDONLY | os.O_NONBLOCK), 1 << 20)
    except BlockingIOError:
        pass
sys.exit(7 if not shells else 5 if left else 0)
"""


def test_no_step_reads_the_program_that_runs_it(tiny: Tiny, tmp_path: Path) -> None:
    """It holds the mark by which logs are told apart. A shell reads some thousand bytes at a time, so that its end may
    or may not be read when the first step begins."""
    reader = replace(make_step(1, ""), argv=(sys.executable, "-S", "-c", READS_THE_PROGRAM))
    found = set()
    with tiny.backend.session(tiny.image.key) as session:
        for size in range(0, 8192, 256):
            steps = [make_step(0, "true"), reader, make_step(2, f": {'x' * size}")]
            found |= {step.exit_code for step in Runner(session, tmp_path).run_build_steps(steps)}
    assert found == {0}


def test_a_step_that_never_ended_has_failed(tiny: Tiny, tmp_path: Path) -> None:
    steps = [make_step(0, "sleep 0.2; kill -9 $(ps -o ppid= -p $PPID) $PPID"), make_step(1, "sleep 0.5")]
    with tiny.backend.session(tiny.image.key) as session:
        done = Runner(session, tmp_path).run_build_steps(steps)
    assert done[-1].exit_code not in (0, None)


def test_a_step_waits_for_what_it_reads(tiny: Tiny, tmp_path: Path) -> None:
    with tiny.backend.session(tiny.image.key) as session:
        steps = [
            make_step(0, "sleep 0.2; touch made-0"),
            make_step(1, "test -e made-0 && touch made-1", reads=(0,)),
            make_step(2, "touch made-2"),
        ]
        done = Runner(session, tmp_path).run_build_steps(steps)
        assert session.read("made-1") == b""
    assert [(step.name, step.exit_code) for step in done] == [(f"compile-{number}", 0) for number in (1, 2, 3)]


def test_a_compiler_that_isnt_there_is_our_failure(tiny: Tiny, tmp_path: Path) -> None:
    missing = BuildStep("compile", ("/no/such/cc",), "{root}", ("made-1",), ("1.c",))
    told = pytest.raises(InfraError, match=r"/no/such/cc couldn't be run")
    with tiny.backend.session(tiny.image.key) as session, told:
        Runner(session, tmp_path).run_build_steps([make_step(0, "true"), missing])


def test_steps_for_which_the_memory_of_one_is_too_little_run_in_order(tmp_path: Path) -> None:
    ran: list[str] = []

    def run(command: Command) -> ExecResult:
        ran.append(" ".join(command.argv))
        is_program = command.argv == ("/bin/sh", "-s")
        return ExecResult(137 if is_program else 0, b"", False, False, 0.1, 0.1, oom=is_program)

    session = cast(Session, SimpleNamespace(root="/", run=run))
    done = Runner(session, tmp_path).run_build_steps([make_step(0, "first"), make_step(1, "second")])
    assert ran == ["/bin/sh -s", "/bin/sh -c first", "/bin/sh -c second"]
    assert [(step.exit_code, step.oom) for step in done] == [(0, False)] * 2
