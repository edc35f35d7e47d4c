"""Damages a sample: bytes, lines, JSON values, or the whole."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

MOST_BYTES = 256 * 1024
"""No damaged input is larger, so that a bound in seconds means something."""

# Texts that have hurt readers: they are put in, and repeated until they fill the input.
SHARP: tuple[bytes, ...] = (
    b"\0", b"\xff\xfe", b"\xed\xa0\x80", b'"\\ud800"', b"\\u0000", b"\r", b"\x85", b"\xe2\x80\xa8", b"\x1b[31m", b"\n",
    b"[", b"{", b'{"', b'{"a":', b"[\n", b'{"\n', b"]" * 50, b"}" * 50, b"((", b"{{", b"/*", b'R"(', b'"', b"'", b"\\",
    b"1e999", b"-1", b"NaN", b"9" * 400, b"null", b"true", b"[]", b"{}", b'""', b"\xc2\xb2", b"1970-13-41", b"!!int x",
    b"&a [*a]", b"used: ", b"ok 1 - ", b"not ok 2 # TODO ", b"    ", b"\t", b"[ok]: a", b"[ RUN      ] A.b", b"PASS x",
    b"```", b"```c\n", b"<tool_call>", b"</tool_call>", b"<think>", b"a.c:1:2: error: ", b"template<",
    b"#include \"x\"\n",    b"file://[", b"%00", b"../", b"\xf0\x9f\x98\x80",
)  # fmt: skip
# Values in the place of any JSON value.
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 2**63, 10**300, 0.5, float("nan"), float("inf"), "", "x", "\ud800", "\0", "9" * 300, [],
    [[]], {}, {"": None}, [None], "../..", "x" * 5000,
)  # fmt: skip


def damage_sample(sample: bytes, chance: random.Random) -> bytes:
    """A copy of the sample with one kind of damage, sometimes several."""
    data = sample[:MOST_BYTES]
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        data = chance.choice(_WAYS)(data, chance)[:MOST_BYTES]
    return data


def _change_bytes(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data or b"\0")
    for _ in range(chance.choice((1, 1, 3, 30))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _cut_end(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _drop_part(data: bytes, chance: random.Random) -> bytes:
    start, end = _draw_range(data, chance)
    return data[:start] + data[end:]


def _repeat_part(data: bytes, chance: random.Random) -> bytes:
    start, end = _draw_range(data, chance)
    return data[:start] + data[start:end] * chance.choice((2, 10, 2000)) + data[end:]


def _insert_sharp_text(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(SHARP) + data[at:]


def _fill_with_sharp_text(data: bytes, chance: random.Random) -> bytes:
    """One sharp text over and over: what is quadratic shows."""
    at = chance.choice((0, len(data), chance.randrange(len(data) + 1)))
    text = chance.choice(SHARP) + chance.choice((b"", b"", b"\n", b" ", chance.choice(SHARP)))
    return data[:at] + text * (MOST_BYTES // len(text)) + data[at : at + 100]


def _move_lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines[: chance.randrange(len(lines) + 1)] if chance.random() < 0.5 else lines)


def _replace_json_value(data: bytes, chance: random.Random) -> bytes:
    """Another value, or another type, somewhere in the JSON; in the JSON of one line where there are several."""
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    for text, put in (
        (data, lambda new: new),
        (lines[place], lambda new: b"\n".join((*lines[:place], new, *lines[place + 1 :]))),
    ):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            continue
        return bytes(put(json.dumps(_change_value(value, chance)).encode()))
    return _change_bytes(data, chance)


def _change_value(value: Any, chance: random.Random) -> Any:
    """`value` with one value inside it replaced, left out or doubled. The way down is chosen at random."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        if chance.random() < 0.1:
            return {name: item for name, item in value.items() if name != key}
        return {**value, key: _change_value(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        place = chance.randrange(len(value))
        if chance.random() < 0.1:
            return [*value[:place], *value[place + 1 :], *value[:place]]
        return [*value[:place], _change_value(value[place], chance), *value[place + 1 :]]
    return chance.choice(ODD_VALUES)


def _draw_range(data: bytes, chance: random.Random) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 4, 64, 4096)))


_WAYS: Sequence[Callable[[bytes, random.Random], bytes]] = (
    _change_bytes, _cut_end, _drop_part, _repeat_part, _insert_sharp_text, _fill_with_sharp_text, _move_lines,
    _replace_json_value, _replace_json_value, _replace_json_value,
)  # fmt: skip
