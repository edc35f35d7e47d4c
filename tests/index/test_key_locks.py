"""Prevents: equal texts of two threads that are built twice; a lock for each text of a run that is kept for ever."""

from __future__ import annotations

import threading
import time

from index.key_locks import KeyLocks


def test_equal_keys_wait_and_others_do_not() -> None:
    locks, at_once, most = KeyLocks(), [0], [0]

    def work(key: str) -> None:
        with locks.hold(key):
            at_once[0] += key == "same"
            most[0] = max(most[0], at_once[0])
            time.sleep(0.01)
            at_once[0] -= key == "same"

    threads = [threading.Thread(target=work, args=(key,)) for key in ["same"] * 8 + list("abcdefgh")]
    began = time.monotonic()
    with locks.hold("held by this thread"):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert most == [1]
    assert time.monotonic() - began < 5


def test_a_key_is_forgotten_with_its_last_thread() -> None:
    locks = KeyLocks()
    for number in range(1000):
        with locks.hold(str(number)):
            pass
    assert not locks._locks
