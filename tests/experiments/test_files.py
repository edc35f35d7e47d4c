"""Prevents: a record that is read back as another, a file that is half written, and two runs in one folder."""

from __future__ import annotations

import json
import math
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from executor.values import Outcome
from experiments.files import Journal, lock_folder, read_journal_lines_including_torn, write_atomically
from experiments.run.pass_rule import WITH_PLUS
from experiments.run.records import (
    UNFINISHED,
    SampleRecord,
    Scored,
    decode_json_value,
    encode_json_value,
    read_finished_samples_with_executions,
    read_journal,
)
from index.errors import ConfigError
from tests.support.runs import record as make_record


def record(sample: int, outcome: Outcome = Outcome.PASSED, **more: Any) -> SampleRecord:
    return make_record("t1", outcome, sample=sample, execution="executions/x", **more)


@pytest.mark.parametrize("reason", ["", "byte \udcff"])
def test_a_record_is_read_back_as_it_was(reason: str) -> None:
    one = record(4, reason=reason)
    assert decode_json_value(SampleRecord, encode_json_value(one), Path("x")) == one


def test_a_figure_that_is_none_is_null() -> None:
    """Prevents: a report.json with the word NaN, which JSON doesn't have."""
    figures = {"low": math.nan, "all": (math.inf, 0.5), "tasks": {"b", "a"}}
    assert json.loads(encode_json_value(figures), parse_constant=pytest.fail) == {
        "low": None, "all": [None, 0.5], "tasks": ["a", "b"],
    }  # fmt: skip


def test_a_resume_finds_done_what_the_journal_holds(tmp_path: Path) -> None:
    """Prevents: a resume that reads less of a line than the report does, and takes other samples for finished."""
    path = tmp_path / "journal.jsonl"
    lines = [
        encode_json_value(record(0, Outcome.INFRA_ERROR)),
        encode_json_value(record(0)),
        encode_json_value(record(1)),
        encode_json_value(record(1, Outcome.INFRA_ERROR)),
        encode_json_value(record(2, Outcome.MODEL_ERROR)),
        b"{}",
        b"[" * 10_000,
        b"\xff",
        encode_json_value(record(3))[:-40],
        encode_json_value(record(4, official=Scored(record(4).official.verdict, False, ""))),
        encode_json_value(record(5, repo="\udcff")),
        # Whole JSON, and yet no record: a report would lack the sample.
        encode_json_value(record(6)).replace(b'"test_s": ', b'"test_s": "a while", "was": ', 1),
        encode_json_value(record(7)).replace(b'"level": ', b'"lever": ', 1),
    ]
    path.write_bytes(b"\n".join(lines))
    for again in (UNFINISHED, UNFINISHED | {Outcome.MODEL_ERROR}):
        done = read_finished_samples_with_executions(path, again, WITH_PLUS)
        assert set(done) == {
            key for key, known in read_journal(path).items() if known.graft.verdict.outcome not in again
        }
        assert {key[2] for key in done} == {0, 2, 4, 5} - ({2} if len(again) > 1 else set())
        assert set(done.values()) == {("executions/x",)}


def test_atomic_write_leaves_no_stump(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.json"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert [child.name for child in path.parent.iterdir()] == ["b.json"]


def test_second_process_is_refused(tmp_path: Path) -> None:
    with lock_folder(tmp_path), pytest.raises(ConfigError, match="another graft works"), lock_folder(tmp_path):
        pass
    with lock_folder(tmp_path):
        pass


def test_a_journal_takes_a_lines_memory_and_not_the_files(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes((b"x" * 999 + b"\n") * 10_000)
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_journal_lines_including_torn(path)) == 10_000
        Journal(path).close()
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
