"""Prevents: a suite that hits its time limit because of the harness's other sandboxes, and a model that is blamed."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from executor.values import Step, SuiteRun, TestRun, Tier
from experiments.run.executions import Executions, KeyLocks, Slots
from index.values import Span


def test_alone_waits_for_all_and_keeps_others_out() -> None:
    slots = Slots(3)
    inside = 0
    seen_by_the_lonely: list[int] = []
    guard = threading.Lock()

    def work() -> None:
        nonlocal inside
        for _ in range(20):
            with slots.shared():
                with guard:
                    inside += 1
                time.sleep(0.001)
                with guard:
                    inside -= 1

    def lonely() -> None:
        for _ in range(5):
            with slots.alone():
                seen_by_the_lonely.append(inside)
                time.sleep(0.002)
                seen_by_the_lonely.append(inside)

    # Two that want to be alone at once would each hold some slots for ever without the lock between them.
    threads = [threading.Thread(target=work) for _ in range(6)] + [threading.Thread(target=lonely) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert not any(thread.is_alive() for thread in threads)
    assert seen_by_the_lonely == [0] * 20


def test_equal_keys_exclude_each_other_and_others_do_not() -> None:
    locks = KeyLocks()
    entered = threading.Event()

    def enter(key: str) -> None:
        with locks.hold(key):
            entered.set()

    with locks.hold("a"):
        other = threading.Thread(target=enter, args=("b",))
        other.start()
        assert entered.wait(5)
        other.join()
        entered.clear()
        same = threading.Thread(target=enter, args=("a",))
        same.start()
        assert not entered.wait(0.05)
    assert entered.wait(5)
    same.join()


@pytest.mark.parametrize("where", ["check", "build", "suite"])
def test_what_a_busy_machine_cut_off_runs_again_alone(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def step(name: str, tier: Tier) -> Step:
        late = name == where and not ran
        return Step(name, tier, ("x",), ".", None if late else 0, late, False, False, 1.0, 1.0, f"{name}.log")

    ran: list[TestRun] = []

    def execute(*_: object, **__: object) -> TestRun:
        suite = SuiteRun("unit", step("suite", Tier.TESTS), ())
        ran.append(TestRun((step("check", Tier.CHECK),), (step("build", Tier.BUILD),), (suite,), "", ()))
        return ran[-1]

    monkeypatch.setattr("experiments.run.executions.execute", execute)
    repo = SimpleNamespace(
        image=SimpleNamespace(key="tiny"), chosen_for=lambda _: ("unit",), suites_for=lambda _: ("unit",)
    )
    task = SimpleNamespace(id="add", target=SimpleNamespace(path="calc.c", span=Span(5, 8), repo="tiny"))
    executions = Executions(tmp_path, cast(Any, None), Slots(2))
    _, done = executions.of(cast(Any, repo), cast(Any, task), "int add;")
    assert (len(ran), done.retries, done.run) == (2, 1, ran[1])
