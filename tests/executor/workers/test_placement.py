"""Prevents: work on a node without the image while one that has it is free, a node that fails fast and so gets most of
the work, a job that waits for ever for memory that no node has or for a node that others keep busy, and two cores'
work on one core; a slow machine's time-outs scored as a model's, a faster one's limits cut too short, a calibration
that is measured for each candidate or kept from an overloaded machine, work by a machine on which even the gold fails,
and a node that can't work because an archive that it doesn't need is out of reach."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from executor.function.splice import Edit
from executor.published.image_budget import record_image_fetched_from_store
from executor.repository.images import Image
from executor.repository.recipe import find_recipe
from executor.tasks.datasets import load_rows
from executor.values import ExpectedTests, Step, TestRun, Tier
from executor.workers.candidate_work import _mark_overload_timeout_as_infra_error
from executor.workers.contract import Needs, RefusedError, Site, estimate_needs
from executor.workers.ledger import Ledger
from executor.workers.placement import (
    EVERYTHING,
    Job,
    NodeState,
    add_job_to_node,
    make_idle_node,
    place_jobs,
    remove_job_from_node,
)
from executor.workers.speed import (
    BUSY_FILE,
    FILE,
    _make_edits_of_shipped_golds,
    compute_median_slowdown_at_least_one,
    measure_suite_slowdown_against_baseline,
    read_suite_times_or_empty,
)
from index.errors import InfraError
from tests.fixtures.calc import GOLD, add_task
from tests.fixtures.executor_fixtures import Tiny

ONE = Job("redis", Needs())
ALONE = Job("redis", Needs(alone=True))


def _node(name: str, cores: int = 2, **more: object) -> NodeState:
    return replace(make_idle_node(name, cores, 8192), **more)  # type: ignore[arg-type]


def test_the_warm_node_first_then_the_one_with_a_session_then_the_emptiest() -> None:
    cold = _node("cold", 64)
    warm = _node("warm", 4, warm=frozenset({"redis"}))
    session = _node("session", 2, warm=frozenset({"redis", "bullet3"}), open="redis")
    assert place_jobs([ONE] * 7, [cold, warm, session]) == dict(enumerate(["session"] * 2 + ["warm"] * 4 + ["cold"]))
    emptier = replace(warm, name="emptier", cores=8, free_cores=8, open="bullet3")
    assert place_jobs([ONE], [replace(warm, free_cores=1), emptier]) == {0: "emptier"}


def test_what_a_job_takes_is_given_back() -> None:
    job = Job("redis", Needs(cores=2, memory_mb=8000))
    busy = add_job_to_node(_node("a"), job)
    assert (busy.free_cores, busy.free_memory_mb, busy.warm, busy.open) == (0, 192, {"redis"}, "redis")
    assert place_jobs([ONE], [busy]) == {}
    back = remove_job_from_node(busy, job)
    assert (back.free_cores, back.free_memory_mb) == (2, 8192)


def test_memory_bounds_what_runs_and_a_larger_node_is_waited_for() -> None:
    large = Job("llvm", Needs(memory_mb=6000))
    small, big = replace(make_idle_node("small", 4, 2000)), _node("big", 4)
    assert place_jobs([large, large], [small, big]) == {0: "big"}
    # No node has it: the largest gives all that it has.
    assert place_jobs([Job("llvm", Needs(memory_mb=99_000))] * 2, [small, big]) == {0: "big"}
    assert place_jobs([Job("llvm", Needs(cores=9))], [small]) == {0: "small"}


def test_a_job_that_wants_a_node_for_itself_gets_one_in_the_end() -> None:
    busy = add_job_to_node(_node("busy"), ONE)
    # The first in the row keeps the node free of others.
    assert place_jobs([ALONE, ONE], [busy]) == {}
    assert place_jobs([ALONE, ONE], [_node("a"), busy]) == {0: "a", 1: "busy"}
    assert place_jobs([ONE, ALONE], [_node("a"), busy])[0] == "busy"


def test_what_needs_much_isnt_kept_waiting_by_small_work_that_comes_later() -> None:
    half = Job("redis", Needs(cores=0.5, memory_mb=1024))
    whole = Job("openssl", Needs(cores=2, memory_mb=8000))
    busy = add_job_to_node(_node("busy"), half)
    other = add_job_to_node(_node("other"), half)
    assert place_jobs([whole, half, half], [busy]) == {}
    # One node is kept for it, the others go on.
    placed = place_jobs([whole, whole, *[half] * 6], [busy, other])
    assert sorted(placed) == [2, 3, 4] and len(set(placed.values())) == 1
    assert place_jobs([half, whole], [remove_job_from_node(busy, half)]) == {0: "busy"}


def test_a_node_that_failed_rests_while_another_could_do_it() -> None:
    bad = _node("bad", resting=frozenset({"redis"}))
    busy = replace(_node("busy"), free_cores=0)
    assert place_jobs([ONE], [bad, busy]) == {}
    assert place_jobs([Job("bullet3", Needs())], [bad, busy]) == {0: "bad"}
    assert place_jobs([Job("bullet3", Needs())], [replace(bad, resting=frozenset({EVERYTHING})), busy]) == {}
    assert place_jobs([ONE], [bad]) == {0: "bad"}
    assert place_jobs([replace(ONE, without=frozenset({"busy"}))], [bad, busy]) == {0: "bad"}
    assert place_jobs([replace(ONE, without=frozenset({"bad"}))], [bad]) == {}


def test_jobs_wait_for_cores_and_nodes_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("executor.workers.ledger._NODES_S", 0.02)
    monkeypatch.setattr("executor.workers.ledger._NOBODY_S", 0.1)
    listed: dict[str, tuple[int, int]] = {"a": (1, 4096)}

    def list_nodes() -> Mapping[str, tuple[int, int]]:
        return dict(listed)

    ledger = Ledger(list_nodes)
    taken: list[str] = []
    assert ledger.wait_and_take_node(ONE) == "a"
    assert ledger.take_free_node_or_empty(ONE) == ""
    waiting = [threading.Thread(target=lambda: taken.append(ledger.wait_and_take_node(ONE))) for _ in range(2)]
    for thread in waiting:
        thread.start()
    time.sleep(0.1)
    assert taken == []
    ledger.release_node("a", ONE)
    # A node that joins is used, and one that is lost is forgotten with its jobs.
    listed["b"] = (1, 4096)
    for thread in waiting:
        thread.join(10)
    assert sorted(taken) == ["a", "b"]
    del listed["a"]
    time.sleep(0.05)
    ledger.release_node("a", ONE)
    ledger.release_node("b", ONE)
    assert [node.name for node in ledger.list_nodes()] == ["b"]
    with pytest.raises(InfraError, match="every node of the cluster refused it"):
        ledger.wait_and_take_node(replace(ONE, without=frozenset({"b"})))
    listed.clear()
    time.sleep(0.05)
    with pytest.raises(InfraError, match="no node of the cluster is left"):
        ledger.wait_and_take_node(ONE)

    # A node is asked again when it has rested.
    ledger = Ledger(lambda: {"a": (1, 4096), "b": (1, 4096)})
    ledger.wait_and_take_node(ONE)
    ledger.rest_node("a", "redis", 60.0)
    ledger.rest_node("b", EVERYTHING, 0.0)
    assert {node.name: node.resting for node in ledger.list_nodes()}["a"] == {"redis"}
    assert ledger.has_untried_node_for(replace(ONE, without=frozenset({"b"})))
    assert not ledger.has_untried_node_for(replace(ONE, without=frozenset({"a", "b"})))


@pytest.fixture
def site(tiny: Tiny) -> Site:
    return Site(tiny.backend, tiny.cache)


@pytest.fixture
def fetched(tiny: Tiny, tmp_path: Path) -> Image:
    folder = tmp_path / "known"
    folder.mkdir()
    record_image_fetched_from_store(folder, "abc", 1)
    # As measured on a quiet machine.
    return replace(tiny.image, folder=folder, suite_seconds={"unit": 0.01, "late": 0.01})


def test_the_middle_ratio_counts_and_a_fast_machine_keeps_the_limits() -> None:
    there = {"a": 1.0, "b": 2.0, "c": 4.0, "short": 0.01}
    assert (
        compute_median_slowdown_at_least_one({"a": 3.0, "b": 4.0, "c": 40.0, "short": 9.0, "other": 1.0}, there) == 3.0
    )
    assert compute_median_slowdown_at_least_one({"a": 0.5, "b": 0.5}, there) == 1.0
    assert compute_median_slowdown_at_least_one({}, there) == 1.0


def test_a_fetched_image_is_calibrated_once(site: Site, fetched: Image, tmp_path: Path) -> None:
    assert fetched.folder is not None
    busy = replace(site, overloaded=lambda: "the node has a load of 9")
    assert measure_suite_slowdown_against_baseline(busy, fetched, tmp_path / "logs") == 1.0
    assert not (fetched.folder / FILE).exists()
    # Not for each candidate, and not for ever.
    (fetched.folder / BUSY_FILE).write_text('{"unit": 5.0}')
    assert (
        measure_suite_slowdown_against_baseline(busy, replace(fetched, suite_seconds={"unit": 0.5}), tmp_path) == 10.0
    )
    os.utime(fetched.folder / BUSY_FILE, (0, 0))
    assert measure_suite_slowdown_against_baseline(site, fetched, tmp_path / "logs") == 1.0
    assert read_suite_times_or_empty(fetched.folder / FILE).keys() <= {"unit", "late"} != set()
    # What is kept is taken as it stands.
    (fetched.folder / FILE).write_text('{"unit": 5.0}')
    assert (
        measure_suite_slowdown_against_baseline(site, replace(fetched, suite_seconds={"unit": 0.5}), tmp_path) == 10.0
    )


def test_golds_are_built_and_judged(
    site: Site, fetched: Image, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    span = add_task().target.span
    unreached, gold = Edit("nowhere.c", span, ""), Edit("calc.c", span, GOLD)
    monkeypatch.setattr("executor.workers.speed._make_edits_of_shipped_golds", lambda image: [unreached, gold])
    assert measure_suite_slowdown_against_baseline(site, fetched, tmp_path / "logs") == 1.0
    assert {path.name for path in (tmp_path / "logs").iterdir()} >= {"compile-1.log", "link-2.log"}
    # A machine on which no compiler works, say.
    assert fetched.folder is not None
    (fetched.folder / FILE).unlink()
    monkeypatch.setattr(
        "executor.workers.speed._make_edits_of_shipped_golds", lambda image: [replace(gold, text="int add(;")]
    )
    with pytest.raises(RefusedError, match=r"refused: tiny's own text fails here: calc.c: check ends with status 1"):
        measure_suite_slowdown_against_baseline(site, fetched, tmp_path / "logs")


def test_the_golds_of_a_repository_are_its_tasks_own_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    # A node without a way out waited minutes for Debian's archive, for the source of a repository that it didn't need.
    read = "executor.tasks.datasets.read_made_dataset_rows"
    monkeypatch.setattr(read, lambda folder: pytest.fail(f"{folder} is read"))
    source = Path(__file__).resolve().parents[3] / "examples" / "inventory"
    golds = _make_edits_of_shipped_golds(
        cast(Image, SimpleNamespace(recipe=find_recipe("example"), source_root=source))
    )
    assert len(golds) == len(load_rows("example"))
    assert all(gold.text in (source / gold.path).read_text() for gold in golds)
    # A tree whose files have other names: the suites alone say how fast a machine is.
    nowhere = SimpleNamespace(recipe=find_recipe("example"), source_root=source / "nowhere")
    assert _make_edits_of_shipped_golds(cast(Image, nowhere)) == []


def test_an_image_that_was_built_here_was_measured_here_and_a_machine_on_which_the_gold_fails_refuses(
    site: Site, tiny: Tiny, fetched: Image, tmp_path: Path
) -> None:
    assert measure_suite_slowdown_against_baseline(site, tiny.image, tmp_path / "logs") == 1.0
    assert not (tmp_path / "logs").exists()
    other = ExpectedTests({"unit": {"nosuch": 1}, "late": {"nosuch": 1}}, frozenset())
    with pytest.raises(RefusedError, match=r"refused: tiny's own text fails here: suite .*nosuch"):
        measure_suite_slowdown_against_baseline(site, replace(fetched, expected=other), tmp_path)


def test_a_time_out_on_an_overloaded_machine_is_no_verdict(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    step = Step("suite-unit", Tier.TESTS, ("x",), ".", None, True, False, False, 5.0, 0.1, "log")
    run = TestRun((step,), (), ())
    assert _mark_overload_timeout_as_infra_error(site, run) == run
    busy = replace(site, overloaded=lambda: "the node has a load of 9")
    assert _mark_overload_timeout_as_infra_error(busy, run).infra_error.endswith("while the node has a load of 9")
    ended = replace(run, check=(replace(step, timed_out=False),))
    assert _mark_overload_timeout_as_infra_error(busy, ended) == ended
    # A text with many threads was tried on each node in turn, which then rested, and never got a verdict.
    monkeypatch.setattr("executor.workers.candidate_work.count_usable_cores", lambda: 4)
    for cpu_s, is_own in ((9.9, False), (10.1, True)):
        burning = replace(run, check=(replace(step, cpu_s=cpu_s),))
        assert (_mark_overload_timeout_as_infra_error(busy, burning) == burning) == is_own


def test_cores_go_by_how_busy_a_suite_keeps_them(tiny: Tiny) -> None:
    image = replace(tiny.image, suite_seconds={"unit": 2.0, "late": 1.0}, suite_cpu_s={"unit": 3.8, "late": 0.2})
    needs = estimate_needs(image, ("unit", "late"))
    assert (needs.cores, needs.memory_mb, needs.seconds) == (2, 1024, 3.0)
    assert estimate_needs(image, ("late",)).cores == 0.5  # it waits most of its time
    # Unmeasured, or so short that its start alone was measured.
    for cpu_s in ({}, {"unit": 0.4}):
        short = replace(image, suite_seconds={"unit": 0.1}, suite_cpu_s=cpu_s)
        assert estimate_needs(short, ("unit",)).cores == 1
