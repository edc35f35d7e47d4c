"""Prevents: a forgery that doesn't even build, so that "none passed" proves nothing; one that never forges anything;
a passing forgery that is counted as caught; a library in which a class is missing and nobody notices; a forgery that
runs where it reaches the user's files; a misspelt name that plays nothing and reports that nothing passed; a pair that
is left out as flagged, which the verdict doesn't flag; a sample in which whole classes or tasks are missing; what was
played once being played again, or an infrastructure failure being taken for the end of it."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from executor.grading.grade import CONTROL
from executor.manifest.health import Health
from executor.sandbox.choose import open_unscheduled_backend
from executor.values import Outcome, TestRun, Tier, Verdict
from executor.workers.local import LocalWorkers
from experiments.run.config import RunConfig
from experiments.run.resolve import resolve_config_parts
from experiments.run.sampling.executions import Executions
from experiments.run.workspace import prepare_workspace
from index.errors import ConfigError, TaskError
from index.progress import SILENT
from lab.forgeries import play_forgeries as forging
from lab.forgeries.forged_text import (
    DRIVERS,
    choose_driver_of_first_suite,
    compose_forgery,
    is_suited_to_task,
    load_forgeries,
)
from lab.forgeries.forgery_record import (
    FORMAT,
    Catch,
    FlaggedTexts,
    ForgeRecord,
    PlayedForgery,
    classify_catch,
    load_forge_record,
    make_catch_rows_per_forgery_class,
    save_forge_record,
)
from lab.forgeries.play_forgeries import play_forgeries
from tests.fixtures.calc import GOLD, add_task, judge_text
from tests.support.projects import write_files

CPP_ADD = "double Box::add(double a, double b) const\n{\n    return a + b;\n}\n"
LIBRARY = load_forgeries()
LEFT = re.compile(r"\$(?:PASSING|WHOLE|OUTER|FAILING|UNIT|NAME|TESTS|GUESSES|DECLARE)\b|\$[a-z_]+\(")


def _task(gold=GOLD, name="add", language="c"):
    task = add_task(gold)
    return replace(task, id=name, target=replace(task.target, name=name, language=language))


def _named(name):
    return next(forgery for forgery in LIBRARY if forgery.name == name)


def test_the_library_has_forty_forgeries_in_twelve_classes_and_some_for_each_driver():
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
def test_every_forgery_compiles_in_the_plain_stub(tiny, tmp_path, gold, name, language, head):
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
def test_a_forgery_goes_the_way_of_a_candidate(tiny_bwrap, tmp_path, name, catch):
    forgery, task = _named(name), _task()
    text = compose_forgery(forgery, tiny_bwrap.image, task, ["unit"])
    run, verdict = judge_text(tiny_bwrap, text, tmp_path, ["unit"])
    assert classify_catch(run, verdict) is catch, verdict


@pytest.mark.parametrize(
    ("outcome", "more", "changed", "catch"),
    [
        (Outcome.PASSED, {}, (), Catch.UNFLAGGED),
        (Outcome.PASSED, {"flags": ("exit: errx",)}, (), Catch.FLAGGED),
        (Outcome.TO_REVIEW, {"flags": ("exit: errx",)}, (), Catch.TO_REVIEW),
        (Outcome.TESTS_FAILED, {}, (), Catch.TESTS),
        (Outcome.TESTS_FAILED, {"reason": f"{CONTROL} suite a still passes"}, (), Catch.CONTROL),
        (Outcome.TESTS_FAILED, {}, ("tests/a.t",), Catch.TREE),
        (Outcome.BUILD_FAILED, {"built": False}, (), Catch.BUILD),
        (Outcome.TIMEOUT, {}, (), Catch.TIME),
        (Outcome.INFRA_ERROR, {"built": False}, (), Catch.INFRA),
    ],
)
def test_what_caught_a_candidate_follows_its_verdict(outcome, more, changed, catch):
    verdict = Verdict(**{"outcome": outcome, "tier": Tier.TESTS, "built": True, "reason": "", **more})
    assert classify_catch(TestRun((), (), (), "", changed), verdict) is catch


def _played(forgery, catch):
    return PlayedForgery("tiny", "add", "add", forgery, "ending", "digest", catch, "", (), "", 1.0, "logs/add")


def test_a_record_comes_back_whole_and_counts_by_class(tmp_path):
    trials = (_played("errx", Catch.UNFLAGGED), _played("errx", Catch.TESTS), _played("alarm", Catch.TESTS))
    record = ForgeRecord(FORMAT, "2026-01-01", "bwrap", 1, 2, 3, 3, 1, trials)
    save_forge_record(tmp_path / "forged.json", record)
    assert load_forge_record(tmp_path / "forged.json") == record
    assert [trial.forgery for trial in record.trials_passed_unflagged] == ["errx"]
    (cells,) = make_catch_rows_per_forgery_class(record.played)
    assert cells[:3] == ("ending", "2", "3")
    assert cells[3 + list(Catch).index(Catch.TESTS)] == "2"
    (tmp_path / "forged.json").write_text('{"format": 1')
    with pytest.raises(TaskError, match="delete it and run graft audit forge again"):
        load_forge_record(tmp_path / "forged.json")


def test_a_failure_of_graft_is_played_again_and_nothing_else_is(tmp_path):
    trials = (_played("errx", Catch.TESTS), _played("alarm", Catch.INFRA))
    save_forge_record(tmp_path / "forged.json", ForgeRecord(FORMAT, "2026-01-01", "bwrap", 1, 2, 2, 2, 1, trials))
    assert list(forging._read_reusable_trials(tmp_path / "forged.json")) == [("errx", "add", "digest")]
    assert forging._read_reusable_trials(tmp_path / "other.json") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int a;\n", "must open with a comment"),
        ("/* Does a thing.\nlanguage: rust\n*/\nint a;\n", "rust isn't one of c, cpp"),
        ("/* language: c\n*/\nint a;\n", "lacks the sentence"),
    ],
)
def test_a_file_that_is_no_forgery_is_an_error_that_names_it(tmp_path, text, message):
    write_files(tmp_path, {"ending/bad.c": text})
    with pytest.raises(TaskError, match=message) as found:
        load_forgeries(tmp_path)
    assert "bad.c" in str(found.value)


def test_a_name_that_occurs_twice_is_an_error(tmp_path):
    text = "/* Does a thing. */\nint a;\n"
    write_files(tmp_path, {"ending/same.c": text, "memory/same.c": text})
    with pytest.raises(TaskError, match="two forgeries are called same"):
        load_forgeries(tmp_path)


def test_a_forgery_is_tried_where_it_suits(tiny):
    assert choose_driver_of_first_suite(tiny.image, ["unit"]) == "lines"
    assert is_suited_to_task(_named("harness-pipe"), _task(), "lines")
    assert not is_suited_to_task(_named("harness-pipe"), _task(), "tcl")
    assert not is_suited_to_task(_named("libc-start"), _task(CPP_ADD, "Box::add", "cpp"), "lines")


CONFIG = RunConfig(
    dataset="example", tasks=("map-remove",), model="stub", arms=("none",), sandbox="process", workers=1
)


def test_forgeries_run_in_no_sandbox_that_lets_them_out(tmp_path):
    with pytest.raises(ConfigError, match="it doesn't isolate, and a forgery attacks what it reaches"):
        play_forgeries(CONFIG, tmp_path, tmp_path)
    assert not (tmp_path / "forged.json").exists()


def test_an_unknown_forgery_is_an_error_that_names_the_nearest(tmp_path):
    with pytest.raises(TaskError, match=r"'erx' isn't in the library.*errx"):
        play_forgeries(CONFIG, tmp_path, tmp_path, forgeries=("erx",))


def test_however_few_are_played_they_are_of_all_classes_and_on_valid_tasks(monkeypatch):
    tasks = [replace(add_task(), id=name) for name in "abcdef"]
    health = SimpleNamespace(tasks={task.id: SimpleNamespace(health=Health.VALID) for task in tasks[:5]})
    monkeypatch.setattr(forging, "choose_driver_of_first_suite", lambda image, suites: "lines")
    repo = SimpleNamespace(health=health, image=None, list_judging_suites=lambda task: ("unit",))
    space: Any = SimpleNamespace(tasks=tasks, repos={"tiny": repo})
    library = [forgery for forgery in LIBRARY if "lines" in forgery.drivers and not forgery.functions]
    monkeypatch.setattr(forging, "list_valid_task_ids", lambda health: frozenset(health.tasks))
    pairs = forging._order_suited_pairs_in_rounds(library, space, seed=1)
    in_c = [forgery.name for forgery in library if "c" in forgery.languages]
    families = {forgery.family for forgery in library if "c" in forgery.languages}
    assert {task.id for _, task in pairs[:5]} == set("abcde")
    first = [(forgery.family, task.id) for forgery, task in pairs[: 5 * len(families)]]
    assert set(first) == {(family, name) for family in families for name in "abcde"}
    assert len(set(first)) == len(first)
    assert len({(forgery.name, task.id) for forgery, task in pairs}) == len(pairs) == 5 * len(in_c)
    assert pairs != forging._order_suited_pairs_in_rounds(library, space, seed=2)


def test_only_what_its_text_flags_is_left_out(cache, tmp_path):
    space = prepare_workspace(resolve_config_parts(CONFIG), cache)
    task, repo = space.tasks[0], space.repos["example"]
    names = ("errx", "deep-recursion")
    pairs = [(forgery, task) for forgery in LIBRARY if forgery.name in names]
    free, by_text = forging._drop_flagged_counting_per_repository(space, pairs, SILENT)
    assert [forgery.name for forgery, _ in free] == ["deep-recursion"]
    assert by_text == (FlaggedTexts("example", 1, 2, 1),)
    executions = Executions(tmp_path, LocalWorkers(space.sandbox.backend, cache), "all", patient=False)
    for forgery, _ in pairs:
        played = forging._play_forgery(
            executions, repo, forgery, task, forging._compose_forged_text(space, forgery, task)
        )
        assert bool(played.flags) is (forgery.name == "errx")


def test_a_narrower_request_loses_nothing(cache, tmp_path, monkeypatch):
    backend = replace(open_unscheduled_backend("process", cache), isolated=True)
    monkeypatch.setattr(forging, "open_unscheduled_backend", lambda name, folder: backend)
    for name in ("out-of-bounds", "deep-recursion", "out-of-bounds"):
        record = play_forgeries(CONFIG, tmp_path, cache, forgeries=(name,), fresh=name == "out-of-bounds")
        assert [trial.forgery for trial in record.played] == [name]
    assert sorted(trial.forgery for trial in load_forge_record(tmp_path / "forged.json").played) == [
        "deep-recursion",
        "out-of-bounds",
    ]
