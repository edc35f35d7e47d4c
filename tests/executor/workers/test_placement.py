"""Prevents: work on a node without the image while one that has it is free, a node that fails fast and so gets most of
the work, a job that waits for ever for memory that no node has or for a node that others keep busy, and two cores'
work on one core."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import replace

import pytest

from executor.workers.contract import Needs
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
from index.errors import InfraError

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
    node = _node("a")
    busy = add_job_to_node(node, Job("redis", Needs(cores=2, memory_mb=8000)))
    assert (busy.free_cores, busy.free_memory_mb, busy.warm, busy.open) == (0, 192, {"redis"}, "redis")
    assert place_jobs([ONE], [busy]) == {}
    back = remove_job_from_node(busy, Job("redis", Needs(cores=2, memory_mb=8000)))
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
    assert ledger.wait_for_node(ONE) == "a"
    assert ledger.take_free_node(ONE) == ""
    waiting = [threading.Thread(target=lambda: taken.append(ledger.wait_for_node(ONE))) for _ in range(2)]
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
        ledger.wait_for_node(replace(ONE, without=frozenset({"b"})))
    listed.clear()
    time.sleep(0.05)
    with pytest.raises(InfraError, match="no node of the cluster is left"):
        ledger.wait_for_node(ONE)


def test_a_node_is_asked_again_when_it_has_rested() -> None:
    ledger = Ledger(lambda: {"a": (1, 4096), "b": (1, 4096)})
    ledger.wait_for_node(ONE)
    ledger.rest_node("a", "redis", 60.0)
    ledger.rest_node("b", EVERYTHING, 0.0)
    assert {node.name: node.resting for node in ledger.list_nodes()}["a"] == {"redis"}
    assert ledger.has_node_left_for(replace(ONE, without=frozenset({"b"})))
    assert not ledger.has_node_left_for(replace(ONE, without=frozenset({"a", "b"})))
