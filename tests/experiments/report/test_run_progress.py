"""Prevents: a watcher that reads a half-written line as an error, counts a sample twice, promises an end by the pace
of a run that stood still all night, or goes on after the last sample; a node that fails all the time, unseen;
a million samples kept whole."""

from __future__ import annotations

import tracemalloc
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from executor.values import Outcome
from executor.workers.node import Done
from executor.workers.throughput import FILE, Throughput
from experiments.files import lock_folder
from experiments.report.run_progress import Follower, format_state_line, watch_run
from experiments.run.records import JOURNAL, SampleRecord, encode_json_value
from index.errors import InfraError
from tests.support.runs import make_run, record


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run(tmp_path / "run", [record("a"), record("b", Outcome.TESTS_FAILED)], planned=2)


def append(run: Path, *records: SampleRecord) -> None:
    with (run / JOURNAL).open("ab") as journal:
        journal.writelines(encode_json_value(found) + b"\n" for found in records)


def watch(run: Path, console: Console, **keys: Any) -> str:
    with console.capture() as printed:
        watch_run(run, console, **keys)
    return printed.get()


def test_the_journal_is_followed_as_it_grows(run: Path) -> None:
    follower = Follower(run)
    first = follower.read_state(0.0)
    assert (first.done, first.planned, first.per_minute, first.is_finished) == (2, 4, None, False)
    line = encode_json_value(record("a", sample=1)) + b"\n"
    with (run / JOURNAL).open("ab") as journal:
        journal.write(line[:40])
        journal.flush()
        assert follower.read_state(10.0).done == 2
        journal.write(line[40:])
    # The later of two entries for a sample wins.
    append(run, record("b", Outcome.MODEL_ERROR), record("b", sample=1))
    last = follower.read_state(60.0)
    assert [(arm.arm, arm.done, arm.passed, arm.errors) for arm in last.arms] == [("none", 4, 3, 1)]
    assert (last.per_minute, last.is_finished) == (2.0, True)


def test_a_sample_that_failed_on_our_side_is_not_finished(run: Path) -> None:
    """A resumed run does it again; one that isn't resumed is over."""
    append(run, record("a", Outcome.INFRA_ERROR, sample=1), record("b", sample=1))
    assert watch(run, Console(width=200)) == "3 of 4 samples, 1 failed on our side; passed: none 2/3\n"
    resumed = ExitStack()
    resumed.enter_context(lock_folder(run))
    waited: list[float] = []

    def sleep(seconds: float) -> None:
        waited.append(seconds)
        append(run, record("a", sample=1))
        resumed.close()

    assert watch(run, Console(width=200), sleep=sleep).splitlines()[-1].startswith("4 of 4 samples")
    assert len(waited) == 1


def test_a_long_journal_takes_a_fraction_of_its_size(run: Path) -> None:
    line = encode_json_value(record("a", differential="x" * 5000))
    with (run / JOURNAL).open("wb") as journal:
        journal.writelines(line.replace(b'"sample": 0', b'"sample": %d' % number) + b"\n" for number in range(1000))
    follower = Follower(run)
    tracemalloc.start()
    try:
        assert follower.read_state(0.0).done == 1000
        assert tracemalloc.get_traced_memory()[1] < (run / JOURNAL).stat().st_size / 5
    finally:
        tracemalloc.stop()


def test_the_pace_is_that_of_the_last_minutes(run: Path) -> None:
    follower = Follower(run)
    follower.read_state(0.0)
    for now in range(60, 6000, 60):
        follower.read_state(float(now))
    assert follower.read_state(6000.0).per_minute is None
    assert len(follower.seen) < 20


def test_a_line_holds_all_and_the_watch_ends_with_the_run(run: Path) -> None:
    assert format_state_line(Follower(run).read_state(0.0)) == "2 of 4 samples; passed: none 1/2"

    def sleep(seconds: float) -> None:
        append(run, record("a", sample=1), record("b", sample=1))

    printed = watch(run, Console(width=200), sleep=sleep)
    lines = [line.split(",")[0] for line in printed.splitlines()]
    assert lines == ["2 of 4 samples; passed: none 1/2", "4 of 4 samples"]
    assert "3 (75 %)" in watch(run, Console(width=100, force_terminal=True), sleep=sleep)


def test_the_pace_of_each_arm_and_node_is_shown(run: Path) -> None:
    counts = Throughput(run / FILE)
    counts.count_work_of_node(Done("abcdef0123456", seconds=60.0))
    counts.write_unsaved_counts()
    follower = Follower(run)
    follower.read_state(0.0)
    for _ in range(4):
        counts.count_work_of_node(Done("abcdef0123456", seconds=60.0))
    counts.count_work_of_node(Done("fedcba0123456", error=InfraError("no space"), standing="failed", seconds=1.0))
    counts.write_unsaved_counts()
    append(run, record("a", sample=1), record("b", sample=1))
    last = follower.read_state(120.0)
    assert [arm.per_minute for arm in last.arms] == [1.0]
    assert [(name, count.done, rate, count.failed) for name, count, rate in last.nodes] == [
        ("abcdef01", 5, 2.0, 0),
        ("fedcba01", 1, None, 1),
    ]
    assert format_state_line(last).endswith("; work done by nodes: abcdef01 5, fedcba01 1 (1 failed)")
    shown = watch(run, Console(width=120, force_terminal=True))
    assert "1: no space" in shown and "5:00" in shown
    # A damaged file harms no watcher.
    (run / FILE).write_text("{")
    assert follower.read_state(180.0).nodes == ()
