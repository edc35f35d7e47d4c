"""Call sites: who calls what by the text alone, before any resolution. Those of a file are stored as one blob of
columns, so that a million of them are read as arrays, never as rows."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

CallForm = Literal["plain", "member", "qualified", "construct", "operator"]
FORMS: tuple[CallForm, ...] = ("plain", "member", "qualified", "construct", "operator")
PLAIN, MEMBER, QUALIFIED, CONSTRUCT, OPERATOR = range(len(FORMS))
MAX_RECEIVER = 200
"""Characters of a receiver that are stored: enough for a variable or a chain of members."""


class CallSite(NamedTuple):
    """One call in a function.

    `at` is its byte offset in the file. `name` is as written, without template arguments and receiver: `f`,
    `ns::f`, the type for "construct" (`new T(x)`, `T v(x)`, `T{x}`, an initializer `T(x)`), `operator+` for
    "operator". `receiver` is the text of the expression before `.` or `->` (the left operand of an operator, the
    variable that is constructed), or "". `arity` is the number of arguments (operands) as written, -1 unknown.
    """

    at: int
    name: str
    form: CallForm
    receiver: str
    arity: int


class SiteRow(NamedTuple):
    """A site as the parser finds it. `owner` is the position of the function in the file's symbols. [at, end) is the
    text that name and receiver come from: a hole in it hides the site."""

    owner: int
    at: int
    end: int
    name: str
    form: int
    receiver: str
    arity: int


class SiteTable(NamedTuple):
    """The sites of one file as columns, in order of `at`. `name` and `receiver` are positions in `strings`, `form`
    is a position in `FORMS`."""

    owner: npt.NDArray[np.int32]
    at: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    name: npt.NDArray[np.int32]
    receiver: npt.NDArray[np.int32]
    arity: npt.NDArray[np.int32]
    form: npt.NDArray[np.int32]
    strings: list[str]

    def site_at(self, row: int) -> CallSite:
        return CallSite(
            int(self.at[row]),
            self.strings[self.name[row]],
            FORMS[self.form[row]],
            self.strings[self.receiver[row]],
            int(self.arity[row]),
        )


_COLUMNS = 7
_CHECKED = 4
"""Bytes of the checksum before a blob."""
HEAD = _CHECKED + 4
"""Bytes of a blob before its columns: checksum, number of sites."""


def pack_sites(rows: Sequence[SiteRow]) -> bytes:
    """A file's sites as a blob, b"" for no sites."""
    if not rows:
        return b""
    numbers: dict[str, int] = {}
    table = np.empty((_COLUMNS, len(rows)), dtype=np.int32)
    owners, ats, ends, names, forms, receivers, arities = zip(*rows, strict=True)
    table[0], table[1], table[2], table[5], table[6] = owners, ats, ends, arities, forms
    table[3] = [numbers.setdefault(name, len(numbers)) for name in names]
    table[4] = [numbers.setdefault(receiver, len(numbers)) for receiver in receivers]
    strings = "\0".join(s.replace("\0", " ") for s in numbers).encode("utf-8", "replace")
    body = len(rows).to_bytes(4, "little") + table.tobytes() + strings
    return zlib.crc32(body).to_bytes(_CHECKED, "little") + body


def count_packed_sites(head: bytes) -> int:
    """How many sites a blob holds, by its first `HEAD` bytes; 0 for an empty one."""
    return int.from_bytes(head[_CHECKED:HEAD], "little")


def unpack_sites(blob: bytes) -> SiteTable:
    """The columns of a blob from `pack_sites`. Raises ValueError when the blob is damaged."""
    if not blob:
        empty = np.zeros(0, dtype=np.int32)
        return SiteTable(empty, empty, empty, empty, empty, empty, empty, [])
    start = HEAD
    if zlib.crc32(memoryview(blob)[_CHECKED:]) != int.from_bytes(blob[:_CHECKED], "little"):
        raise ValueError("call sites that are damaged")
    count = int.from_bytes(blob[_CHECKED:start], "little")
    table = np.frombuffer(blob, dtype="<i4", count=_COLUMNS * count, offset=start).reshape(_COLUMNS, count)
    strings = blob[start + 4 * _COLUMNS * count :].decode("utf-8", "replace").split("\0")
    owner, at, end, name, receiver, arity, form = table
    return SiteTable(owner, at, end, name, receiver, arity, form, strings)
