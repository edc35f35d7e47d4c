"""Prevents: an outcome that was replayed standing in the tables beside the old one; a reading of new forgeries that
drops what was read of all others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.executor.verdict.forgery_trials import main
from benchmarks.figures.verdicts import select_readings
from lab.forgeries.forgery_record import FORMAT, Catch, FlaggedTexts, ForgeRecord, PlayedForgery, save_forge_record


def _played(forgery: str, catch: Catch) -> PlayedForgery:
    return PlayedForgery("redis", "1", "dictAdd", forgery, "ending", "", catch, "", (), "", 1.0, "")


def _record(
    path: Path, forgeries: int, played: tuple[PlayedForgery, ...], by_text: tuple[FlaggedTexts, ...] = ()
) -> Path:
    save_forge_record(path, ForgeRecord(FORMAT, "2026-11-23", "bwrap", 9, forgeries, 90, 9, 1, played, by_text))
    return path


def _joined(out: Path, *records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["forged", str(out), *map(str, records), "--add"])
    main()


def test_the_last_trial_of_a_pair_and_each_forgerys_reading_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "forgeries.json"
    out.write_text('{"records": []}')
    old = _record(tmp_path / "a", 5, (_played("errx", Catch.FLAGGED), _played("alarm", Catch.TESTS)))
    whole = _record(tmp_path / "b", 5, (), (FlaggedTexts("redis", 9, 45, 40),))
    new = _record(tmp_path / "c", 2, (_played("errx", Catch.TO_REVIEW),), (FlaggedTexts("redis", 9, 18, 17),))
    for record in (old, whole, new):
        _joined(out, record, monkeypatch=monkeypatch)
    records = json.loads(out.read_text())["records"]
    played = [(trial["forgery"], trial["catch"]) for record in records for trial in record["played"]]
    assert sorted(played) == [("alarm", "tests"), ("errx", "to review")]
    assert [record["forgeries"] for record in select_readings(records)["redis"]] == [5, 2]
    _joined(out, _record(tmp_path / "d", 7, (), (FlaggedTexts("redis", 9, 63, 60),)), monkeypatch=monkeypatch)
    records = json.loads(out.read_text())["records"]
    assert [record["forgeries"] for record in select_readings(records)["redis"]] == [7]
