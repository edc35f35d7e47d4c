"""A suite hit its time limit because the harness's own other sandboxes had the cores, and the model was blamed."""

from __future__ import annotations

import threading
import time

from experiments.executions import KeyLocks, Slots


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
    threads = [threading.Thread(target=work) for _ in range(6)] + [
        threading.Thread(target=lonely) for _ in range(2)
    ]
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
