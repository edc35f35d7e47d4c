"""Prevents: sixteen units that are compiled one after the other on idle cores; a step that is told by another one's
name, log or time; a text whose compiler's messages say that all went well."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from executor.candidate.runner import Runner
from executor.repository.build.graph import BuildStep
from executor.sandbox.capacity import count_usable_cores
from executor.sandbox.contract import Command, ExecResult, Session
from executor.values import Tier
from index.errors import InfraError
from tests.fixtures.executor_fixtures import Tiny

FORGED = "0 0 0m0.1s 0m0.1s"


def make_step(number: int, script: str, *, reads: tuple[int, ...] = ()) -> BuildStep:
    inputs = tuple(f"made-{other}" for other in reads)
    return BuildStep("compile", ("/bin/sh", "-c", script), "{root}", (f"made-{number}",), (f"{number}.c",), inputs)


def test_steps_run_side_by_side_and_each_has_its_own_log_and_time(tiny: Tiny, tmp_path: Path) -> None:
    scripts = ["sleep 0.7; echo slow", "echo 'it''s quick'; pwd", "while [ $((n += 1)) -lt 200000 ]; do :; done"]
    with tiny.backend.session(tiny.image.key) as session:
        began = time.monotonic()
        steps = [make_step(number, script) for number, script in enumerate((*scripts, "sleep 0.7; printf half"))]
        done = Runner(session, tmp_path).run_build_steps(steps, before=2, prefix="control-")
        took, root = time.monotonic() - began, session.root
    assert [step.name for step in done] == [f"control-compile-{number}" for number in (3, 4, 5, 6)]
    assert [step.exit_code for step in done] == [0] * 4 and {step.tier for step in done} == {Tier.BUILD}
    logs = [(tmp_path / step.log).read_text() for step in done]
    assert logs == ["slow\n", f"its quick\n{root}\n", "", "half"]
    assert (done[2].cpu_s or 0) > 0.05 > (done[0].cpu_s or 0)
    if count_usable_cores() > 1:
        assert took < 1.35, "two that sleep don't wait for each other"


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
