"""Reads what the forks' comparisons left in the session."""

from __future__ import annotations

import re
from collections import Counter

from executor.grading.differential import CallDifference, Differential

_ARROW = re.compile(r"^(\S+?)->(?= |$)")
# Some calls' own names are clearer than numbers; the rest stay numbers.
_SYSTEM_CALL_NAMES = {
    "0": "read", "1": "write", "2": "open", "7": "poll", "8": "lseek", "23": "select", "41": "socket", "42": "connect",
    "45": "recvfrom", "56": "clone", "57": "fork", "62": "kill", "72": "fcntl", "82": "rename", "87": "unlink",
    "232": "epoll_wait", "257": "openat", "281": "epoll_pwait", "288": "accept4", "435": "clone3",
}  # fmt: skip


def parse_comparison_lines(data: bytes, count: int = 1) -> tuple[Differential, ...]:
    """One for each of the `count` candidates. Lines that aren't a comparison's are passed over: a program may have
    damaged the file."""
    counts: dict[str, Counter[int]] = {"same": Counter(), "probed": Counter()}
    told: dict[str, dict[int, list[CallDifference]]] = {"differs": {}, "broke": {}, "calls": {}}
    left: Counter[str] = Counter()
    for line in data.decode("utf-8", "replace").split("\n"):
        match line.split("\t", 4):
            case [_, _, call, "left", words] if call.isdecimal():
                left[_explain_system_call(words)] += 1
            case [number, program, call, kind, words] if number.isdecimal() and call.isdecimal():
                if kind in counts:
                    counts[kind][int(number)] += 1
                elif kind in told:
                    plain = words.replace("*", "") if kind == "calls" else _simplify_arrows(words)
                    told[kind].setdefault(int(number), []).append(CallDifference(program, int(call), plain))
    reasons = dict(left.most_common())
    return tuple(
        Differential(
            counts["same"][n],
            tuple(told["differs"].get(n, ())),
            reasons,
            probed=counts["probed"][n],
            broke=tuple(told["broke"].get(n, ())),
            called=tuple(told["calls"].get(n, ())),
        )
        for n in range(count)
    )


def _simplify_arrows(words: str) -> str:
    """`out-> was 3, is 4` -> `*out was 3, is 4`; `list->[1].x` -> `list[1].x`."""
    return _ARROW.sub(r"*\1", words.replace("->[", "["))


def _explain_system_call(words: str) -> str:
    number = re.fullmatch(r"it makes system call (\d+)", words)
    if number is None:
        return words
    return f"it does input or output ({_SYSTEM_CALL_NAMES.get(number[1], f'system call {number[1]}')})"
