"""Prevents: wrong bodies that the author of the plus tests saw counted as held back, a misspelt task taken for one
that is left out, and a table lost with the runs that it came from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.executor.verdict import wrong
from executor.doctor.manifest import BUILT_IN
from executor.doctor.values import Fate, HealthManifest, JudgedBodies, PlusHealth, WrongFate

JUDGED = JudgedBodies(
    ("s",), "d", tuple(WrongFate("wrong-error", str(n), n < 2, None, Fate.SURVIVED) for n in range(4))
)
MANIFEST = HealthManifest(1, "redis", *"abcdef", {}, {}, wrong={"one": JUDGED, "two": JUDGED})


def test_what_was_seen_is_not_held_back() -> None:
    assert wrong.without_seen(MANIFEST, []) == MANIFEST
    found = wrong.without_seen(MANIFEST, ["two"]).wrong
    assert found["one"] == JUDGED
    assert found["two"].bodies == tuple(replace(body, held=False) for body in JUDGED.bodies)


def test_a_task_that_no_manifest_has_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["wrong", f"today={BUILT_IN}", "--repo", "example", "--seen", "nothing"])
    with pytest.raises(SystemExit):
        wrong.main()
    assert "no manifest has nothing" in capsys.readouterr().err


def test_right_answers_whose_runs_are_gone_keep_their_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The record could only be taken again where the runs still lay, or without its last table."""
    table = "| repository | golds in other words |\n| --- | ---: |\n| redis | 64 |"
    (tmp_path / "wrong.json").write_text(json.dumps({"result": f"| outdated |\n| --- |\n| 1 |\n\n{table}\n"}))
    words = ["wrong", f"today={BUILT_IN}", "--repo", "example", "--earlier", str(tmp_path / "wrong.json")]
    monkeypatch.setattr("sys.argv", words)
    assert wrong.main() == 0
    printed = capsys.readouterr().out
    assert printed.endswith(f"\n\n{table}\n")
    assert "outdated" not in printed


def test_tasks_without_plus_tests_do_not_hide_what_the_others_do() -> None:
    killed = tuple(replace(body, fate=Fate.KILLED) for body in JUDGED.bodies)
    plus = PlusHealth(("plus-f",), 3, "", "d", 3, 3, 2, 2, killed, 0.1)
    every, tried = with_rows(replace(MANIFEST, plus={"one": plus}))
    assert (every["judged"], every["+ plus: pass"]) == ("2", "2 of 4")
    assert (tried["judged"], tried["held back, suites: pass"], tried["+ plus: pass"]) == ("1", "2 of 2", "0 of 2")
    assert len(with_rows(MANIFEST)) == len(with_rows(replace(MANIFEST, plus={"one": plus, "two": plus}))) == 1


def with_rows(manifest: HealthManifest) -> list[dict[str, str]]:
    """The table's rows of the repository, by the names of its columns."""
    lines = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in wrong.with_plus({"redis": manifest}).splitlines()
    ]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[2:-1]]
