"""Hostile candidates. Prevents: a candidate that ends the run, starves the machine, or writes its own verdict."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from executor.candidate.compiler import SessionCompiler
from executor.values import Outcome, TestRun, Tier, Verdict
from tests.fixtures.calc import GOLD, judge_text
from tests.fixtures.executor_fixtures import Tiny

pytestmark = pytest.mark.bwrap

LOOP = "int add(int a, int b) { for (volatile int i = 0;; i++) ; return a + b; }"
FORKS = "#include <unistd.h>\nint add(int a, int b) { for (;;) fork(); return a + b; }"
ESCAPED_FORKS = """\
#include <unistd.h>
int add(int a, int b) {
    for (int i = 0; i < 50; i++) if (fork() == 0) { setsid(); if (fork()) _exit(0); setsid(); for (;;) pause(); }
    return a - b;
}"""
MEMORY = """\
#include <string.h>
int add(int a, int b) { for (;;) { char *p = malloc(64 << 20); if (p) memset(p, 1, 64 << 20); } return a + b; }"""
FLOOD = """\
int add(int a, int b) {
    static int done;
    char line[1000];
    for (int i = 0; i < 999; i++) line[i] = 'x';
    line[999] = 10;
    if (!done++) for (int i = 0; i < 100000; i++) fwrite(line, 1, 1000, stdout);
    return a + b;
}"""
# Once, and not all of /usr: at a load of 47 three such walks outlasted the suite, which ended as TIMEOUT.
DELETES = """\
int add(int a, int b) {
    static int done;
    if (!done++) system("rm -rf /graft/src/* /graft/src/.g* /usr/bin /etc /home 2>/dev/null");
    return 0;
}"""
FAKES = r"""int add(int a, int b) {
    puts("[ok]: adds\n[ok]: adds_zero\n[ok]: doubles\n[ok]: adds_negative"); fflush(stdout);
    return a - b;
}"""
QUITS = "#include <unistd.h>\nint add(int a, int b) { _exit(0); }"
KILLS = (
    "#include <signal.h>\n#include <unistd.h>\nint add(int a, int b) { kill(-1, 9); kill(getppid(), 9); return 1; }"
)
FILLS = """\
int add(int a, int b) {
    static int done;
    FILE *f = done++ ? 0 : fopen("build/big", "w");
    static char block[1 << 20];
    while (f && fwrite(block, 1, sizeof block, f) == sizeof block) ;
    return a - b;
}"""
BEFORE_MAIN = "#include <unistd.h>\n__attribute__((constructor)) static void early(void) { _exit(0); }\n" + GOLD
ENDLESS_INCLUDE = '#include "/dev/zero"\n' + GOLD
DEEP_MACROS = (
    "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(x)))\n"
    'int add(int a, int b) { return a + b; } const char big[] = B(B(B(B("0123456789"))));'
)


def _judged(tiny: Tiny, code: str, folder: Path, *, confined: bool = True) -> tuple[TestRun, Verdict]:
    """`confined=False`: as on a kernel without Landlock, where a candidate can write into the tree."""
    image = tiny.image if confined else replace(tiny.image, folder=None)
    if code == FORKS:
        # 515 processes of it take 438 MB, of which a suite here has 256: the kernel killed some, and whether the first
        # was among them decided between TIMEOUT and memory's end. With room for all of them it's always the time.
        suites = tuple(suite.model_copy(update={"memory_mb": 2048}) for suite in image.recipe.suites)
        image = replace(image, recipe=image.recipe.model_copy(update={"suites": suites}))
    return judge_text(tiny, code, folder, image=image)


@pytest.mark.parametrize(
    ("code", "outcome", "reason"),
    [
        pytest.param(LOOP, Outcome.TIMEOUT, "unit: was stopped after", id="loops forever"),
        pytest.param(FORKS, Outcome.TIMEOUT, "unit: was stopped after", id="forks without end"),
        pytest.param(ESCAPED_FORKS, Outcome.TESTS_FAILED, "unit: ", id="children that left the session"),
        pytest.param(MEMORY, Outcome.TESTS_FAILED, "unit: ", id="allocates all memory"),
        pytest.param(FLOOD, Outcome.TESTS_FAILED, "unit: no test ran (its output was cut)", id="prints 100 MB"),
        pytest.param(DELETES, Outcome.TESTS_FAILED, "unit: 3 failed", id="deletes the tree"),
        pytest.param(FAKES, Outcome.TESTS_FAILED, "unit: 2 failed: adds, doubles", id="prints fake results"),
        pytest.param(QUITS, Outcome.TESTS_FAILED, "unit: no test ran", id="_exit(0)"),
        pytest.param(KILLS, Outcome.TESTS_FAILED, "unit: ", id="kills all it can"),
        pytest.param(FILLS, Outcome.TESTS_FAILED, "unit: ", id="fills the disk"),
        pytest.param(BEFORE_MAIN, Outcome.TESTS_FAILED, "unit: no test ran", id="exits before main"),
    ],
)
def test_a_hostile_candidate_gets_its_outcome_and_the_next_one_its_own(
    tiny_bwrap: Tiny, tmp_path: Path, code: str, outcome: Outcome, reason: str
) -> None:
    started = time.monotonic()
    run, verdict = _judged(tiny_bwrap, code, tmp_path / "hostile")
    spent = time.monotonic() - started
    assert run.infra_error == ""
    assert (verdict.outcome, verdict.tier, verdict.built) == (outcome, Tier.TESTS, True), verdict
    assert verdict.reason.startswith(reason)
    # Suites have 5 s; the rest is building and cleaning up on a busy machine.
    assert spent < 40
    logs = sum(path.stat().st_size for path in (tmp_path / "hostile").iterdir())
    assert logs < 40 * 1024 * 1024
    assert _judged(tiny_bwrap, GOLD, tmp_path / "next")[1].outcome is Outcome.PASSED


@pytest.mark.parametrize("code", [ENDLESS_INCLUDE, DEEP_MACROS], ids=["endless include", "macros without end"])
def test_a_candidate_that_attacks_the_compiler_costs_a_bounded_time(
    tiny_bwrap: Tiny, tmp_path: Path, code: str
) -> None:
    run, verdict = _judged(tiny_bwrap, code, tmp_path)
    assert run.infra_error == ""
    assert verdict.outcome in (Outcome.BUILD_FAILED, Outcome.TIMEOUT)
    assert verdict.tier is Tier.CHECK


def test_the_compilers_session_outlives_an_attack(tiny_bwrap: Tiny) -> None:
    with SessionCompiler(tiny_bwrap.image, tiny_bwrap.backend, tiny_bwrap.path, tiny_bwrap.span) as compiler:
        found = compiler.check(DEEP_MACROS)
        assert [(item.severity, item.message) for item in found[:1]] == [("error", "the compiler ran out of memory")]
        assert compiler.check(GOLD) == []


def test_the_golds_object_code_can_not_be_borrowed(tiny_bwrap: Tiny, tmp_path: Path) -> None:
    code = '__asm__(".section .note.x; .incbin \\"build/test\\"; .text");\n' + GOLD
    verdict = _judged(tiny_bwrap, code, tmp_path)[1]
    assert (verdict.outcome, verdict.tier) == (Outcome.BUILD_FAILED, Tier.BUILD)
    assert "file not found: build/test" in (tmp_path / "compile-1.log").read_text()
    with SessionCompiler(tiny_bwrap.image, tiny_bwrap.backend, tiny_bwrap.path, tiny_bwrap.span) as compiler:
        for built in ("build/calc.o", "build/test"):
            code = f'#include "{built}"\n' + GOLD
            assert "isn't compiled here" in compiler.check(code)[0].message
            verdict = _judged(tiny_bwrap, code, tmp_path / built)[1]
            assert (verdict.outcome, verdict.tier) == (Outcome.BUILD_FAILED, Tier.CHECK)
            assert f"{built}: No such file" in (tmp_path / built / "check.log").read_text()


@pytest.mark.parametrize(
    ("command", "changed"),
    [
        # It sets the old time of modification again; the next suite would have started another program.
        ("cp -p build/test build/kept; rm build/test; cp -p build/kept build/test", "build/test"),
        # A candidate replaced a test by a link to a trivial test, and passed without a flag.
        ("ln -sf /bin/true build/test", "build/test"),
        ("mv build/test build/kept", "build/test"),
        ("chmod 777 test.c", "test.c"),
    ],
)
def test_a_right_answer_that_changes_the_tests_files_fails(
    tiny_bwrap: Tiny, tmp_path: Path, command: str, changed: str
) -> None:
    code = f'int add(int a, int b) {{ system("{command}"); return a + b; }}'
    run, verdict = _judged(tiny_bwrap, code, tmp_path, confined=False)
    assert run.changed == (changed,)
    # What the next suite then says comes after it.
    first_reason = verdict.reason.split("; ")[0]
    assert (verdict.outcome, first_reason) == (Outcome.TESTS_FAILED, f"changed while its tests ran: {changed}")


def test_a_file_added_beside_the_tests_is_flagged(tiny_bwrap: Tiny, tmp_path: Path) -> None:
    code = 'int add(int a, int b) { fclose(fopen("conftest.h", "w")); return a + b; }'
    run, verdict = _judged(tiny_bwrap, code, tmp_path, confined=False)
    assert (run.added, verdict.outcome) == (("conftest.h",), Outcome.PASSED)
    assert "adds beside the source: conftest.h" in verdict.flags
