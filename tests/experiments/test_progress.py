"""Prevents: progress that garbles a result, floods a log file, or is printed by a program that only imports Graft."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from rich.console import Console

from experiments import progress
from experiments.consoles import set_up_stderr_logging
from experiments.progress import ConsoleProgress
from index.progress import Advance


@contextmanager
def count(what: str, total: int) -> Iterator[Advance]:
    """Without a terminal."""
    with ConsoleProgress(Console(stderr=True, force_terminal=False)).open_count(what, total) as advance:
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


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step is a line."""
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0.0)


def test_time_that_is_left_is_never_negative_nor_guessed_from_nothing(
    caplog: pytest.LogCaptureFixture, at_once: None
) -> None:
    with count("good tasks", 2) as advance:
        advance(0)
        advance(3, note="1 passed")
    assert re.fullmatch(r"0/2 good tasks, 0\.0/min, CPU \d+ %, no estimate yet", caplog.messages[0])
    assert caplog.messages[1].startswith("3/3 good tasks, 1 passed, ")
    assert caplog.messages[1].endswith(" %, 0:00 left")


def test_what_was_prepared_before_the_first_step_says_nothing_of_the_rest(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, at_once: None
) -> None:
    """Prevents: `1/67 samples, 4:00:41 left`, as the first sample waits for an image that all of them share."""
    clock = iter([0.0, *[600.0] * 4, *[610.0] * 5])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock, 610.0))
    monkeypatch.setattr(progress, "LoadMeter", lambda: lambda: 0.0)
    with count("samples", 7) as advance:
        advance()
        assert caplog.messages[-1].endswith("no estimate yet")
        advance()
    assert caplog.messages[-1].startswith("2/7 samples") and caplog.messages[-1].endswith("0:50 left")


def test_what_was_done_before_counts_but_not_in_the_rate(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, at_once: None
) -> None:
    clock = iter([0.0, 60.0, 60.0, 60.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock, 120.0))
    monkeypatch.setattr(progress, "LoadMeter", lambda: lambda: 0.0)
    with ConsoleProgress(Console(stderr=True, force_terminal=False)).open_count("samples", 36, 10) as advance:
        advance()
        advance(note="9 passed")
    assert caplog.messages[-1] == "12/36 samples, 9 passed, 1.0/min, CPU 0 %, 24:00 left"


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
