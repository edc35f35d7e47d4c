"""Prevents: a slow machine's time-outs scored as a model's, a faster one's limits cut too short, a calibration that is
measured for each candidate or kept from an overloaded machine, work by a machine on which even the gold fails, and
a node that can't work because an archive that it doesn't need is out of reach."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from executor.function.splice import Edit
from executor.published.image_budget import record_fetch
from executor.repository.images import Image
from executor.repository.recipe import find_recipe
from executor.tasks.datasets import load_rows
from executor.values import ExpectedTests, Step, TestRun, Tier
from executor.workers.candidate_work import _mark_timeout_on_overload
from executor.workers.contract import RefusedError, Site, estimate_needs
from executor.workers.speed import (
    BUSY_FILE,
    FILE,
    _list_shipped_golds,
    compute_median_time_ratio,
    measure_slowness,
    read_suite_times,
)
from tests.fixtures.calc import GOLD, add_task
from tests.fixtures.executor_fixtures import Tiny


@pytest.fixture
def site(tiny: Tiny) -> Site:
    return Site(tiny.backend, tiny.cache)


@pytest.fixture
def fetched(tiny: Tiny, tmp_path: Path) -> Image:
    folder = tmp_path / "known"
    folder.mkdir()
    record_fetch(folder, "abc", 1)
    # As measured on a quiet machine.
    return replace(tiny.image, folder=folder, suite_seconds={"unit": 0.01, "late": 0.01})


def test_the_middle_ratio_counts_and_a_fast_machine_keeps_the_limits() -> None:
    there = {"a": 1.0, "b": 2.0, "c": 4.0, "short": 0.01}
    assert compute_median_time_ratio({"a": 3.0, "b": 4.0, "c": 40.0, "short": 9.0, "other": 1.0}, there) == 3.0
    assert compute_median_time_ratio({"a": 0.5, "b": 0.5}, there) == 1.0
    assert compute_median_time_ratio({}, there) == 1.0


def test_a_fetched_image_is_calibrated_once(site: Site, fetched: Image, tmp_path: Path) -> None:
    assert fetched.folder is not None
    busy = replace(site, overloaded=lambda: "the node has a load of 9")
    assert measure_slowness(busy, fetched, tmp_path / "logs") == 1.0
    assert not (fetched.folder / FILE).exists()
    # Not for each candidate, and not for ever.
    (fetched.folder / BUSY_FILE).write_text('{"unit": 5.0}')
    assert measure_slowness(busy, replace(fetched, suite_seconds={"unit": 0.5}), tmp_path) == 10.0
    os.utime(fetched.folder / BUSY_FILE, (0, 0))
    assert measure_slowness(site, fetched, tmp_path / "logs") == 1.0
    assert read_suite_times(fetched.folder / FILE).keys() <= {"unit", "late"} != set()
    # What is kept is taken as it stands.
    (fetched.folder / FILE).write_text('{"unit": 5.0}')
    assert measure_slowness(site, replace(fetched, suite_seconds={"unit": 0.5}), tmp_path) == 10.0


def test_golds_are_built_and_judged(
    site: Site, fetched: Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    span = add_task().target.span
    unreached, gold = Edit("nowhere.c", span, ""), Edit("calc.c", span, GOLD)
    monkeypatch.setattr("executor.workers.speed._list_shipped_golds", lambda image: [unreached, gold])
    assert measure_slowness(site, fetched, tmp_path / "logs") == 1.0
    assert {path.name for path in (tmp_path / "logs").iterdir()} >= {"compile-1.log", "link-2.log"}
    # A machine on which no compiler works, say.
    assert fetched.folder is not None
    (fetched.folder / FILE).unlink()
    monkeypatch.setattr("executor.workers.speed._list_shipped_golds", lambda image: [replace(gold, text="int add(;")])
    with pytest.raises(RefusedError, match=r"refused: tiny's own text fails here: calc.c: check ends with status 1"):
        measure_slowness(site, fetched, tmp_path / "logs")


def test_the_golds_of_a_repository_are_its_tasks_own_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    # A node without a way out waited minutes for Debian's archive, for the source of a repository that it didn't need.
    read = "executor.tasks.datasets.read_made_dataset_rows"
    monkeypatch.setattr(read, lambda folder: pytest.fail(f"{folder} is read"))
    source = Path(__file__).resolve().parents[3] / "examples" / "inventory"
    golds = _list_shipped_golds(cast(Image, SimpleNamespace(recipe=find_recipe("example"), source_root=source)))
    assert len(golds) == len(load_rows("example"))
    assert all(gold.text in (source / gold.path).read_text() for gold in golds)
    # A tree whose files have other names: the suites alone say how fast a machine is.
    nowhere = SimpleNamespace(recipe=find_recipe("example"), source_root=source / "nowhere")
    assert _list_shipped_golds(cast(Image, nowhere)) == []


def test_an_image_that_was_built_here_was_measured_here(site: Site, tiny: Tiny, tmp_path: Path) -> None:
    assert measure_slowness(site, tiny.image, tmp_path) == 1.0
    assert list(tmp_path.iterdir()) == []


def test_a_machine_on_which_the_gold_fails_refuses(site: Site, fetched: Image, tmp_path: Path) -> None:
    other = ExpectedTests({"unit": {"nosuch": 1}, "late": {"nosuch": 1}}, frozenset())
    with pytest.raises(RefusedError, match=r"refused: tiny's own text fails here: suite .*nosuch"):
        measure_slowness(site, replace(fetched, expected=other), tmp_path)


def test_a_time_out_on_an_overloaded_machine_is_no_verdict(site: Site) -> None:
    step = Step("suite-unit", Tier.TESTS, ("x",), ".", None, True, False, False, 5.0, 0.1, "log")
    run = TestRun((step,), (), ())
    assert _mark_timeout_on_overload(site, run) == run
    busy = replace(site, overloaded=lambda: "the node has a load of 9")
    assert _mark_timeout_on_overload(busy, run).infra_error.endswith("while the node has a load of 9")
    ended = replace(run, check=(replace(step, timed_out=False),))
    assert _mark_timeout_on_overload(busy, ended) == ended


def test_cores_go_by_how_busy_a_suite_keeps_them(tiny: Tiny) -> None:
    image = replace(tiny.image, suite_seconds={"unit": 2.0, "late": 1.0}, suite_cpu_s={"unit": 3.8, "late": 0.2})
    needs = estimate_needs(image, ("unit", "late"))
    assert (needs.cores, needs.memory_mb, needs.seconds) == (2, 1024, 3.0)
    assert estimate_needs(image, ("late",)).cores == 0.5  # it waits most of its time
    unmeasured = replace(image, suite_seconds={"unit": 0.1}, suite_cpu_s={})
    assert estimate_needs(unmeasured, ("unit",)).cores == 1
    short = replace(image, suite_seconds={"unit": 0.1}, suite_cpu_s={"unit": 0.4})
    assert estimate_needs(short, ("unit",)).cores == 1  # its start alone was measured
