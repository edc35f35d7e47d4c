"""Prevents: progress that garbles a result, floods a log file, or is printed by a program that only imports Graft."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from rich.console import Console

from experiments import progress
from experiments.consoles import set_up_stderr_logging
from experiments.progress import ConsoleProgress
from index.progress import Advance


@contextmanager
def count(what: str, total: int, done: int = 0) -> Iterator[Advance]:
    """Without a terminal."""
    with ConsoleProgress(Console(stderr=True, force_terminal=False)).open_count(what, total, done) as advance:
        yield advance


def test_without_a_terminal_a_count_is_a_few_lines_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with count("files parsed", 40) as advance:
        for _ in range(40):
            advance()
    (line,) = caplog.messages
    assert line.startswith("40/40 files parsed, ")
    caplog.clear()
    with count("samples", 0) as advance:
        advance()
    assert caplog.messages == [], "nothing to count prints nothing"


@pytest.mark.parametrize(
    ("before", "total", "steps"),
    [
        (0, 2, [(1, 0, "", "0/2 samples, 0.0/min, CPU 0 %, no estimate yet"),
                (1, 3, "1 passed", "3/3 samples, 1 passed, 180.0/min, CPU 0 %, 0:00 left")]),
        (0, 7, [(600, 1, "", "1/7 samples, 0.1/min, CPU 0 %, no estimate yet"),
                (610, 1, "", "2/7 samples, 0.2/min, CPU 0 %, 0:50 left")]),
        (10, 36, [(60, 1, "", "11/36 samples, 1.0/min, CPU 0 %, no estimate yet"),
                  (120, 1, "9 passed", "12/36 samples, 9 passed, 1.0/min, CPU 0 %, 24:00 left")]),
    ],
    ids=["never negative nor from nothing", "not from what the first step waits for", "not from what was done before"],
)  # fmt: skip
def test_the_time_that_is_left(
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    before: int,
    total: int,
    steps: Sequence[tuple[float, int, str, str]],
) -> None:
    """Prevents: `1/67 samples, 4:00:41 left`, as the first sample waits for an image that all of them share."""
    now = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0.0)
    monkeypatch.setattr(progress, "LoadMeter", lambda: lambda: 0.0)
    with count("samples", total, before) as advance:
        for at, done, note, line in steps:
            now = at
            advance(done, note=note)
            assert caplog.messages[-1] == line


def test_a_terminal_gets_a_bar_with_the_note() -> None:
    console = Console(force_terminal=True, width=100)
    with console.capture() as shown, ConsoleProgress(console).open_count("samples", 2) as advance:
        advance(2, note="2 passed")
    assert "2/2" in shown.get()
    assert "2 passed" in shown.get()


def test_messages_go_to_stderr_once_and_from_the_level_on(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("executor.some_module")
    set_up_stderr_logging()
    set_up_stderr_logging(logging.WARNING)
    log.info("quiet now")
    log.warning("look here: [a] :b:")
    set_up_stderr_logging()
    log.info("building")
    assert capsys.readouterr() == ("", "look here: [a] :b:\nbuilding\n")


def test_as_a_library_graft_prints_nothing() -> None:
    program = (
        "import logging, agent, executor, experiments, index, retrieval\n"
        "for name in ('agent', 'executor', 'experiments', 'index', 'retrieval'):\n"
        "    logging.getLogger(name).warning('heard by nobody')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
