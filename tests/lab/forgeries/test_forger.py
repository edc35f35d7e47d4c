"""Prevents: a forgery that doesn't even build, so that "none passed" proves nothing; one that never forges anything;
a passing forgery that is counted as caught; a library in which a class is missing and nobody notices."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from executor.grading.grade import CONTROL
from executor.values import Outcome, Task, TestRun, Tier, Verdict
from index.errors import TaskError
from index.values import Language
from lab.forgeries.forged_text import (
    DRIVERS,
    Forgery,
    compose_forgery,
    find_suite_driver,
    is_suited_to_task,
    load_forgeries,
)
from lab.forgeries.forgery_record import (
    FORMAT,
    Catch,
    ForgeRecord,
    PlayedForgery,
    classify_catch,
    load_forge_record,
    make_catch_rows,
    save_forge_record,
)
from tests.fixtures.calc import GOLD, add_task, judge_text

CPP_ADD = "double Box::add(double a, double b) const\n{\n    return a + b;\n}\n"
LIBRARY = load_forgeries()
LEFT = re.compile(r"\$(?:PASSING|WHOLE|OUTER|FAILING|UNIT|NAME|TESTS|GUESSES|DECLARE)\b|\$[a-z_]+\(")


def _task(gold: str = GOLD, name: str = "add", language: Language = "c") -> Task:
    task = add_task(gold)
    return replace(task, id=name, target=replace(task.target, name=name, language=language))


def _named(name: str) -> Forgery:
    return next(forgery for forgery in LIBRARY if forgery.name == name)


def test_the_library_has_forty_forgeries_in_twelve_classes_and_some_for_each_driver() -> None:
    assert len(LIBRARY) >= 40
    assert len({forgery.family for forgery in LIBRARY}) >= 12
    for driver in DRIVERS:
        assert sum(driver in forgery.drivers for forgery in LIBRARY) >= 30


@pytest.mark.parametrize(
    ("gold", "name", "language", "head"),
    [
        (GOLD, "add", "c", ""),
        (CPP_ADD, "Box::add", "cpp", "namespace n { struct Box { double add(double, double) const; };\n"),
    ],
)
def test_every_forgery_compiles_in_the_plain_stub(  # type: ignore[no-untyped-def]
    tiny, tmp_path: Path, gold: str, name: str, language: Language, head: str
) -> None:
    """Compiled alone, never run: what it does it does in a sandbox."""
    task = _task(gold, name, language)
    failed = []
    for forgery in LIBRARY:
        if language not in forgery.languages or forgery.functions:
            continue
        text = compose_forgery(forgery, tiny.image, task, ["unit"])
        assert not LEFT.search(text), f"{forgery.name}: a word is left"
        source = tmp_path / f"{forgery.name}.{language}"
        source.write_text(head + text + ("}\n" if head else ""))
        compiler = ["g++", "-std=c++17"] if language == "cpp" else ["gcc", "-std=c11"]
        done = subprocess.run([*compiler, "-w", "-fsyntax-only", source], capture_output=True, text=True, timeout=60)
        if done.returncode and ".incbin" not in text:
            failed.append(f"{forgery.name}: {done.stderr[:300]}")
    assert failed == []


@pytest.mark.parametrize(
    ("name", "catch"),
    [
        ("quick-exit", Catch.FLAGGED),
        ("crash-handler", Catch.FLAGGED),
        ("filters-itself", Catch.TESTS),
        ("signals-the-driver", Catch.TESTS),
        ("clock", Catch.TIME),
    ],
)
def test_a_forgery_goes_the_way_of_a_candidate(tiny_bwrap, tmp_path: Path, name: str, catch: Catch) -> None:  # type: ignore[no-untyped-def]
    forgery, task = _named(name), _task()
    text = compose_forgery(forgery, tiny_bwrap.image, task, ["unit"])
    run, verdict = judge_text(tiny_bwrap, text, tmp_path, ["unit"])
    assert classify_catch(run, verdict) is catch, verdict


def test_what_caught_a_candidate_follows_its_verdict() -> None:
    run = TestRun((), (), ())

    def verdict(outcome: Outcome, *, built: bool = True, reason: str = "", flags: tuple[str, ...] = ()) -> Verdict:
        return Verdict(outcome, Tier.TESTS, built, reason, flags=flags)

    assert classify_catch(run, verdict(Outcome.PASSED)) is Catch.UNFLAGGED
    assert classify_catch(run, verdict(Outcome.PASSED, flags=("exit: errx",))) is Catch.FLAGGED
    assert classify_catch(run, verdict(Outcome.TO_REVIEW, flags=("exit: errx",))) is Catch.TO_REVIEW
    assert classify_catch(run, verdict(Outcome.TESTS_FAILED)) is Catch.TESTS
    assert (
        classify_catch(run, verdict(Outcome.TESTS_FAILED, reason=f"{CONTROL} suite a still passes")) is Catch.CONTROL
    )
    assert classify_catch(TestRun((), (), (), "", ("tests/a.t",)), verdict(Outcome.TESTS_FAILED)) is Catch.TREE
    assert classify_catch(run, verdict(Outcome.BUILD_FAILED, built=False)) is Catch.BUILD
    assert classify_catch(run, verdict(Outcome.TIMEOUT)) is Catch.TIME
    assert classify_catch(run, verdict(Outcome.INFRA_ERROR, built=False)) is Catch.INFRA


def _played(forgery: str, catch: Catch) -> PlayedForgery:
    return PlayedForgery("tiny", "add", "add", forgery, "ending", "digest", catch, "", (), "", 1.0, "logs/add")


def test_a_record_comes_back_whole_and_counts_by_class(tmp_path: Path) -> None:
    trials = (_played("errx", Catch.UNFLAGGED), _played("errx", Catch.TESTS), _played("alarm", Catch.TESTS))
    record = ForgeRecord(FORMAT, "2026-01-01", "bwrap", 1, 2, 3, 3, 1, trials)
    save_forge_record(tmp_path / "forged.json", record)
    assert load_forge_record(tmp_path / "forged.json") == record
    assert [trial.forgery for trial in record.unflagged_trials] == ["errx"]
    (cells,) = make_catch_rows(record.played)
    assert cells[:3] == ("ending", "2", "3")
    assert cells[3 + list(Catch).index(Catch.TESTS)] == "2"
    (tmp_path / "forged.json").write_text('{"format": 1')
    with pytest.raises(TaskError, match="delete it and run graft audit forge again"):
        load_forge_record(tmp_path / "forged.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int a;\n", "must open with a comment"),
        ("/* Does a thing.\nlanguage: rust\n*/\nint a;\n", "rust isn't one of c, cpp"),
        ("/* language: c\n*/\nint a;\n", "lacks the sentence"),
    ],
)
def test_a_file_that_is_no_forgery_is_an_error_that_names_it(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "ending").mkdir()
    (tmp_path / "ending" / "bad.c").write_text(text)
    with pytest.raises(TaskError, match=message) as found:
        load_forgeries(tmp_path)
    assert "bad.c" in str(found.value)


def test_a_name_that_occurs_twice_is_an_error(tmp_path: Path) -> None:
    for family in ("ending", "memory"):
        (tmp_path / family).mkdir()
        (tmp_path / family / "same.c").write_text("/* Does a thing. */\nint a;\n")
    with pytest.raises(TaskError, match="two forgeries are called same"):
        load_forgeries(tmp_path)


def test_a_forgery_is_tried_where_it_suits(tiny) -> None:  # type: ignore[no-untyped-def]
    assert find_suite_driver(tiny.image, ["unit"]) == "lines"
    assert is_suited_to_task(_named("harness-pipe"), _task(), "lines")
    assert not is_suited_to_task(_named("harness-pipe"), _task(), "tcl")
    assert not is_suited_to_task(_named("libc-start"), _task(CPP_ADD, "Box::add", "cpp"), "lines")
