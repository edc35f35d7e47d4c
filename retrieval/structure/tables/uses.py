"""How each call stands in its caller's body: what becomes of its result, and what follows it.

One set of flags per edge of the call graph. Everything is read from the caller's own text, so a hidden body's flags go
with its edges.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from enum import IntFlag

import numpy as np

from index.repo_index import RepoIndex
from index.symbols.sites import SiteTable
from index.values import Entry
from retrieval.structure.tables.arrays import Flags
from retrieval.structure.tables.lists import Lists, Places, Rows
from retrieval.structure.tables.outside import QUIET


class Use(IntFlag):
    """What is done with the result of a call, and where the call stands."""

    DROPPED = 1
    """A statement of its own."""
    STORED = 2
    RETURNED = 4
    TESTED = 8
    """In a condition, itself or the variable that it was stored in right before."""
    NULLED = 16
    """Negated or compared with NULL."""
    NEGATIVE = 32
    """Compared by size, or with a negative number."""
    PASSED = 64
    """An argument of another call."""
    LEAVES = 128
    """Right before a return, goto, break or exit: an error's report, or a clean-up."""
    CLEANS = 256
    """Behind a label that a goto of the function leads to."""
    OPENS = 512
    """The caller's first call."""
    CLOSES = 1024
    """The caller's last call."""


BITS = len(Use)

_LOOKED_BACK, _LOOKED_AHEAD, _LONGEST_CALL = 40, 100, 1500
_ARGUMENTS = re.compile(rb"\s*\((?:[^()]++|\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\))*+\)")
_CAST = re.compile(rb"(?<![\w])\(\s*(?:const\s+|struct\s+|unsigned\s+)*\w+[\s*]*\)$")
_CONDITION = re.compile(rb"\b(?:if|while|switch)\s*\($")
_COMPARED = re.compile(rb"\s*(==|!=|<=?|>=?)\s*(NULL\b|nullptr\b|-)?")
_LEAVES = re.compile(rb"\s*;\s*(?:return|goto|break|continue|throw|exit|abort)\b")
_THEN_TESTED = re.compile(
    rb"\s*;\s*(?:if|while)\s*\(\s*(!?)\s*[\w.]+(?:->\w+)*\s*(==|!=|<=?|>=?)?\s*(NULL\b|nullptr\b|-)?"
)
_GOTO = re.compile(rb"\bgoto\s+(\w+)")


def edge_uses(index: RepoIndex, entries: Sequence[Entry], row_of: Rows, calls: Lists, turns: Rows) -> Flags:
    """The flags of each edge of `calls`, whose place in its caller's order is in `turns`. An edge without a site of
    its callee's name (a constructor's, an operator's) has none but `OPENS` and `CLOSES`."""
    number: dict[str, int] = {}
    names = np.array([number.setdefault(entry.symbol.name, len(number)) for entry in entries], dtype=np.int64)
    caller = np.repeat(np.arange(len(entries)), calls.sizes())
    first = turns == 0
    last = turns == np.repeat(calls.sizes() - 1, calls.sizes())
    found: Flags = (first * np.uint16(Use.OPENS) | last * np.uint16(Use.CLOSES)).astype(np.uint16)
    keys, flags = _by_key(index, entries, row_of, number)
    if len(keys) and len(found):
        wanted = caller * len(number) + names[calls.flat]
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        found |= np.where(keys[at] == wanted, flags[at], 0).astype(np.uint16)
    return found


def _by_key(index: RepoIndex, entries: Sequence[Entry], row_of: Rows, number: dict[str, int]) -> tuple[Places, Flags]:
    """The flags of all calls of one name in one function, together; their keys, sorted: row * names + name."""
    keys, flags = array("q"), array("H")
    for file in index.files.values():
        table = index.site_table(file.path)
        if not len(table.at):
            continue
        data = index.read(file.path)
        for row, name, use in _of_file(data, table, file.first_symbol, entries, row_of, number):
            keys.append(row * len(number) + name)
            flags.append(use)
    if not keys:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint16)
    unsorted = np.frombuffer(keys, dtype=np.int64)
    order = np.argsort(unsorted, kind="stable")
    found = unsorted[order]
    starts = np.flatnonzero(np.concatenate([[True], found[1:] != found[:-1]]))
    return found[starts], np.bitwise_or.reduceat(np.frombuffer(flags, dtype=np.uint16)[order], starts)


def _of_file(
    data: bytes, table: SiteTable, first: int, entries: Sequence[Entry], row_of: Rows, number: dict[str, int]
) -> Iterator[tuple[int, int, int]]:
    """(row, number of the callee's name, flags) of each call in a file that may be an edge."""
    known = np.array([number.get(text.rpartition("::")[2], -1) for text in table.strings], dtype=np.int64)
    sites = np.flatnonzero(known[table.name] >= 0)
    ids = first + table.owner[sites]
    sites, ids = sites[ids < len(row_of)], ids[ids < len(row_of)]
    rows = row_of[ids]
    here, text, start, labels = -1, b"", 0, 0
    columns = (rows, known[table.name[sites]], table.at[sites], table.end[sites])
    for row, name, at, end in zip(*(column.tolist() for column in columns), strict=True):
        if row < 0:
            continue
        if row != here:
            symbol = entries[row].symbol
            here, start = row, symbol.start_byte
            text = QUIET.sub(_blank, data[start : symbol.end_byte])
            labels = _first_label(text)
        use = use_of(text, at - start, end - start)
        yield row, name, use | Use.CLEANS if at - start > labels else use


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * (found.end() - found.start())


def _first_label(text: bytes) -> int:
    """Where the first label stands that a goto leads to; the text's end without one."""
    if b"goto" not in text:
        return len(text)
    wanted = {found[1] for found in _GOTO.finditer(text)}
    places = (m.start() for name in wanted for m in re.finditer(rb"[;{}]\s*" + re.escape(name) + rb"\s*:(?!:)", text))
    return min(places, default=len(text))


def use_of(text: bytes, at: int, end: int) -> int:
    """The flags, as a number, of a call whose name or receiver begins at `at` and whose name ends at `end`, in a text
    without comments and strings."""
    before = text[max(0, at - _LOOKED_BACK) : at].rstrip()
    if before.endswith(b")") and (cast := _CAST.search(before)) is not None:
        inner = before[: cast.start()].rstrip()
        before = before if inner.endswith((b"if", b"while", b"for", b"switch")) else inner
    arguments = _ARGUMENTS.match(text, end, end + _LONGEST_CALL)
    after = text[arguments.end() : arguments.end() + _LOOKED_AHEAD] if arguments else b""
    use = _by_what_stands_before(before)
    compared = _COMPARED.match(after)
    if compared is not None:
        use = use & ~Use.PASSED | _comparison(compared[1], compared[2])
    if use & (Use.DROPPED | Use.STORED) and _LEAVES.match(after):
        use |= Use.LEAVES
    if use & Use.STORED and (test := _THEN_TESTED.match(after)) is not None:
        use |= _comparison(test[2] or b"", test[3]) | (Use.NULLED if test[1] else 0)
    return int(use)


def _by_what_stands_before(before: bytes) -> int:
    last = before[-1:]
    if not last or last in b";{}:)" or before.endswith((b"else", b"do")):
        return Use.DROPPED
    if before.endswith(b"return"):
        return Use.RETURNED
    if last == b"=" and before[-2:] not in (b"==", b"!=", b"<=", b">="):
        return Use.STORED
    if last == b"!":
        return Use.TESTED | Use.NULLED
    if last in b"=<>?" or before.endswith((b"&&", b"||")) or _CONDITION.search(before):
        return Use.TESTED
    return Use.PASSED if last in b"(," else 0


def _comparison(operator: bytes, value: bytes | None) -> int:
    if value in (b"NULL", b"nullptr"):
        return Use.TESTED | Use.NULLED
    if value == b"-" or operator[:1] in (b"<", b">"):
        return Use.TESTED | Use.NEGATIVE
    return Use.TESTED
