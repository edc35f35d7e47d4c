"""Prevents: a forgery that runs where it reaches the user's files; a misspelt name that plays nothing and reports that
nothing passed; a pair that is left out as flagged, which the verdict doesn't flag; a sample in which whole classes or
tasks are missing; what was played once being played again, or an infrastructure failure being taken for the end of
it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from executor.manifest.health import Health
from executor.sandbox.choose import open_unscheduled_backend
from executor.workers.local import LocalWorkers
from experiments.run.config import RunConfig
from experiments.run.resolve import resolve_config_parts
from experiments.run.sampling.executions import Executions
from experiments.run.workspace import prepare_workspace
from index.errors import ConfigError, TaskError
from index.progress import SILENT
from lab.forgeries import play_forgeries as forging
from lab.forgeries.forged_text import load_forgeries
from lab.forgeries.forgery_record import (
    FORMAT,
    Catch,
    FlaggedTexts,
    ForgeRecord,
    PlayedForgery,
    load_forge_record,
    save_forge_record,
)
from lab.forgeries.play_forgeries import play_forgeries
from tests.fixtures.calc import add_task

CONFIG = RunConfig(
    dataset="example", tasks=("map-remove",), model="stub", arms=("none",), sandbox="process", workers=1
)


def test_forgeries_run_in_no_sandbox_that_lets_them_out(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="it doesn't isolate, and a forgery attacks what it reaches"):
        play_forgeries(CONFIG, tmp_path, tmp_path)
    assert not (tmp_path / "forged.json").exists()


def test_an_unknown_forgery_is_an_error_that_names_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"'erx' isn't in the library.*errx"):
        play_forgeries(CONFIG, tmp_path, tmp_path, forgeries=("erx",))


def _space(monkeypatch: pytest.MonkeyPatch) -> Any:
    tasks = [replace(add_task(), id=name) for name in "abcdef"]
    health = SimpleNamespace(tasks={task.id: SimpleNamespace(health=Health.VALID) for task in tasks[:5]})
    monkeypatch.setattr(forging, "find_suite_driver", lambda image, suites: "lines")
    repo = SimpleNamespace(health=health, image=None, list_judging_suites=lambda task: ("unit",))
    return SimpleNamespace(tasks=tasks, repos={"tiny": repo})


def test_however_few_are_played_they_are_of_all_classes_and_on_valid_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    space = _space(monkeypatch)
    library = [forgery for forgery in load_forgeries() if "lines" in forgery.drivers and not forgery.functions]
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


def test_a_failure_of_graft_is_played_again_and_nothing_else_is(tmp_path: Path) -> None:
    def played(forgery: str, catch: Catch) -> PlayedForgery:
        return PlayedForgery("tiny", "a", "a", forgery, "ending", "digest", catch, "", (), "", 1.0, "logs")

    trials = (played("errx", Catch.TESTS), played("alarm", Catch.INFRA))
    save_forge_record(tmp_path / "forged.json", ForgeRecord(FORMAT, "2026-01-01", "bwrap", 1, 2, 2, 2, 1, trials))
    assert list(forging._read_played_trials(tmp_path / "forged.json")) == [("errx", "a", "digest")]
    assert forging._read_played_trials(tmp_path / "other.json") == {}


def test_only_what_its_text_flags_is_left_out(cache: Path, tmp_path: Path) -> None:
    space = prepare_workspace(resolve_config_parts(CONFIG), cache)
    task, repo = space.tasks[0], space.repos["example"]
    names = ("errx", "deep-recursion")
    pairs = [(forgery, task) for forgery in load_forgeries() if forgery.name in names]
    free, by_text = forging._drop_flagged_pairs(space, pairs, SILENT)
    assert [forgery.name for forgery, _ in free] == ["deep-recursion"]
    assert by_text == (FlaggedTexts("example", 1, 2, 1),)
    executions = Executions(tmp_path, LocalWorkers(space.sandbox.backend, cache), "all", patient=False)
    for forgery, _ in pairs:
        played = forging._play_forgery(executions, repo, forgery, task, forging._compose_text(space, forgery, task))
        assert bool(played.flags) is (forgery.name == "errx")


def test_a_narrower_request_loses_nothing(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = replace(open_unscheduled_backend("process", cache), isolated=True)
    monkeypatch.setattr(forging, "open_unscheduled_backend", lambda name, folder: backend)
    for name in ("out-of-bounds", "deep-recursion", "out-of-bounds"):
        record = play_forgeries(CONFIG, tmp_path, cache, forgeries=(name,), fresh=name == "out-of-bounds")
        assert [trial.forgery for trial in record.played] == [name]
    assert sorted(trial.forgery for trial in load_forge_record(tmp_path / "forged.json").played) == [
        "deep-recursion",
        "out-of-bounds",
    ]
