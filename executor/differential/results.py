"""Reads what the forks' comparisons left in the session."""

from __future__ import annotations

import re
from collections import Counter

from executor.differential.values import Difference, Differential

_ARROW = re.compile(r"^(\S+?)->(?= |$)")
# Some calls' own names are clearer than numbers; the rest stay numbers.
_CALLS = {"0": "read", "1": "write", "2": "open", "41": "socket", "42": "connect", "56": "clone", "57": "fork"}
_CALLS |= {"8": "lseek", "72": "fcntl", "257": "openat", "62": "kill", "435": "clone3", "82": "rename", "87": "unlink"}
_CALLS |= {"232": "epoll_wait", "281": "epoll_pwait", "7": "poll", "23": "select", "288": "accept4", "45": "recvfrom"}


def read_results(data: bytes) -> Differential:
    """Lines that aren't a comparison's are passed over: a program may have damaged the file."""
    same = 0
    differs: list[Difference] = []
    left: Counter[str] = Counter()
    for line in data.decode("utf-8", "replace").split("\n"):
        parts = line.split("\t", 4)
        if len(parts) != 5 or not parts[2].isdecimal():
            continue
        program, _, call, what, words = parts
        if what == "same":
            same += 1
        elif what == "differs":
            differs.append(Difference(program, int(call), _plain(words)))
        elif what == "left":
            left[_reason(words)] += 1
    return Differential(same, tuple(differs), dict(left.most_common()))


def _plain(words: str) -> str:
    """`out-> was 3, is 4` -> `*out was 3, is 4`; `list->[1].x` -> `list[1].x`."""
    return _ARROW.sub(r"*\1", words.replace("->[", "["))


def _reason(words: str) -> str:
    number = re.fullmatch(r"it makes system call (\d+)", words)
    if number is None:
        return words
    return f"it does input or output ({_CALLS.get(number[1], f'system call {number[1]}')})"
