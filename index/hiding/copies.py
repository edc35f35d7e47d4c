"""Copies of a target's text in whatever is no function to the index, or isn't like the target as a whole.

Each place of the tree that shares a run of tokens with a body which gives the body away (`fingerprints.SCHEMES`) is a
copy: a comment, a string, a macro's replacement, a function, else whole lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from index.cpp.tokens import BRACES
from index.hiding.fingerprints import (
    find_candidate_files,
    hash_telling_runs,
    hash_token_runs,
    list_spellings,
    open_fingerprint_table,
)
from index.hiding.holes import Hole
from index.hiding.text_tokens import (
    COMMENT,
    STRING,
    TextPart,
    TextTokens,
    Values,
    locate_text_tokens,
    read_gold_values,
    read_text_values,
)
from index.store.reader import IndexReader
from index.values import Entry, SymbolKind

PlaceKind = Literal["function", "macro", "comment", "string", "lines"]

_DEFINE = re.compile(rb"[ \t]*(?:#|%:|\?\?=)[ \t]*define[ \t]+\w+(?:\([^)]*\))?")


_MOST_BLOCK = 2
"""How many times as long as the target a block in braces around copied lines may be, to be hidden as a whole."""
_LINES_BETWEEN = 2
"""Lines between two copied runs of lines that belong to the copy: a statement that was changed."""


class Copy(NamedTuple):
    """Where text of the target stands: the bytes `hole` of a file. `share`: of the target's tokens, how many the
    longest run there has. `function` is the function whose body the hole is, else None."""

    path: str
    kind: PlaceKind
    hole: Hole
    share: float
    function: Entry | None = None


class _SharedRun(NamedTuple):
    """Tokens [first, last] of a file's text that are a run of a target's body too, and their share of its tokens."""

    first: int
    last: int
    share: float


def find_copies(
    reader: IndexReader, bodies: Sequence[tuple[str, bytes]], hidden: Mapping[str, Sequence[Hole]]
) -> tuple[Copy, ...]:
    """All copies of these bodies, given as (path, text), outside what is `hidden` already, by path and place."""
    golds = [values for _, body in bodies for values in read_gold_values(body)]
    table = open_fingerprint_table(reader)
    candidates = set().union(*(find_candidate_files(table, values) for values in golds))
    found = []
    for file in reader.source_files:
        if file.id not in candidates:
            continue
        text = np.frombuffer(reader.text_tokens(file.id), dtype=np.uint16)
        runs = _find_all_runs(golds, text)
        if runs and (holes := hidden.get(file.path)):
            data = reader.read_file(file.path)
            runs = _leave_out_holes(runs, text, [data[hole.start : hole.end] for hole in holes])
            if runs:
                data = _blank_holes(data, holes)
                runs = _find_all_runs(golds, read_text_values(data))
        elif runs:
            data = reader.read_file(file.path)
        if runs:
            found += _locate_copies(reader, file.path, data, runs)
    return tuple(found)


def _find_all_runs(golds: Iterable[Values], text: Values) -> list[_SharedRun]:
    return [run for gold in golds for run in _find_shared_runs(gold, text)]


def _leave_out_holes(runs: Sequence[_SharedRun], text: Values, hidden: Iterable[bytes]) -> list[_SharedRun]:
    """The runs outside those `hidden` bodies whose tokens stand in the text only once. So most files with holes
    needn't be read again without them."""
    left = list(runs)
    for body in hidden:
        values = read_gold_values(body)[0]
        places = _find_sequence(text, values)
        if len(places) == 1:
            last = places[0] + len(values) - 1
            left = [run for run in left if run.first < places[0] or run.last > last]
    return left


def _find_sequence(text: Values, wanted: Values) -> list[int]:
    """Where the values `wanted` stand in a text."""
    places = np.arange(max(0, len(text) - len(wanted) + 1))
    for at, value in enumerate(wanted.tolist()):
        if not len(places):
            break
        places = places[text[places + at] == value]
    return [int(place) for place in places]


def _blank_holes(data: bytes, holes: Sequence[Hole]) -> bytes:
    if not holes:
        return data
    blanked = bytearray(data)
    for hole in holes:
        blanked[hole.start : hole.end] = b" " * (hole.end - hole.start)
    return bytes(blanked)


def _find_shared_runs(gold: Values, text: Values) -> Iterator[_SharedRun]:
    """The runs of the text that give the gold away."""
    ours, theirs = list_spellings(gold), list_spellings(text)
    for (scheme, spelt, _), (_, other, positions) in zip(ours, theirs, strict=True):
        least = scheme.least(len(spelt))
        if not least or len(other) < scheme.length:
            continue
        wanted, at = hash_telling_runs(spelt, scheme.length)
        hashes = hash_token_runs(other, scheme.length)
        there = np.flatnonzero(np.isin(hashes, wanted))
        if not len(there):
            continue
        order = np.argsort(wanted, kind="stable")
        wanted, at = wanted[order], at[order]
        left = np.searchsorted(wanted, hashes[there], "left")
        counts = np.searchsorted(wanted, hashes[there], "right") - left
        text_at = np.repeat(there, counts)
        offsets = np.arange(len(text_at)) - np.repeat(np.cumsum(counts) - counts, counts)
        gold_at = at[np.repeat(left, counts) + offsets]
        # A run is pairs of positions that go up together: of one diagonal.
        diagonal = text_at - gold_at
        order = np.lexsort((text_at, diagonal))
        text_at, diagonal = text_at[order], diagonal[order]
        first = np.ones(len(text_at), dtype=bool)
        first[1:] = (diagonal[1:] != diagonal[:-1]) | (text_at[1:] != text_at[:-1] + 1)
        begins = np.flatnonzero(first)
        ends = np.append(begins[1:], len(text_at)) - 1
        sizes = text_at[ends] - text_at[begins] + scheme.length
        for begin, size in zip(text_at[begins].tolist(), sizes.tolist(), strict=True):
            if size >= least:
                last = begin + size - 1
                # Of names behind each other that were made one the last belongs to the run too.
                end = int(positions[last + 1]) - 1 if last + 1 < len(positions) else len(text) - 1
                yield _SharedRun(int(positions[begin]), end, size / len(spelt))


def _locate_copies(reader: IndexReader, path: str, data: bytes, runs: Iterable[_SharedRun]) -> list[Copy]:
    """The places of a file that these runs lie in, each once, in order."""
    tokens = locate_text_tokens(data)
    bodies = [entry for entry in reader.entries_in_file(path) if entry.body >= 0]
    found: list[Copy] = []
    for run in sorted(runs, key=lambda run: -run.share):
        for copy in _locate_run(path, data, tokens, run, bodies):
            if not any(other.hole.start <= copy.hole.start and copy.hole.end <= other.hole.end for other in found):
                found.append(copy)
    return _join_lines(data, sorted(found, key=lambda copy: copy.hole))


def _locate_run(
    path: str, data: bytes, tokens: TextTokens, run: _SharedRun, bodies: Sequence[Entry]
) -> Iterator[Copy]:
    """The place that one run lies in; several where it goes over comments or strings with code between them."""
    start, end = int(tokens.starts[run.first]), int(tokens.ends[run.last])
    parts = np.unique(tokens.of_part[run.first : run.last + 1]).tolist()
    kinds = {tokens.parts[part].kind for part in parts}
    if kinds == {COMMENT}:
        for hole in _find_comments(data, tokens.parts, parts):
            yield Copy(path, "comment", hole, run.share)
        return
    if kinds == {STRING}:
        yield Copy(path, "string", _find_strings(data, tokens.parts, parts), run.share)
        return
    around = [entry for entry in bodies if entry.body <= start and end <= entry.symbol.end_byte]
    if around:
        entry = min(around, key=lambda entry: entry.symbol.end_byte - entry.body)
        if entry.symbol.kind is SymbolKind.FUNCTION:
            yield Copy(path, "function", Hole(entry.body, entry.symbol.end_byte), run.share, entry)
            return
    line = _find_logical_line(data, start)
    head = _DEFINE.match(data, line.start, line.end)
    if head is not None and head.end() <= start and end <= line.end:
        yield Copy(path, "macro", Hole(head.end(), line.end), run.share)
    else:
        most = round(_MOST_BLOCK * (end - start) / run.share)
        yield Copy(path, "lines", _find_block(data, start, end, most) or _find_lines(data, start, end), run.share)


def _find_comments(data: bytes, parts: Sequence[TextPart], touched: Sequence[int]) -> tuple[Hole, ...]:
    """The comments `touched`, each with those before and behind it on lines of their own."""
    holes = []
    for number in touched:
        first = last = number
        while _are_neighbours(data, parts, last, 1):
            last += 3
        while _are_neighbours(data, parts, first - 3, 1):
            first -= 3
        holes.append(Hole(parts[first].start, parts[last].end))
    return tuple(dict.fromkeys(holes))


def _find_strings(data: bytes, parts: Sequence[TextPart], touched: Sequence[int]) -> Hole:
    """From the first of the strings `touched` to the last, with those that only white space parts from them."""
    first, last = touched[0], touched[-1]
    while _are_neighbours(data, parts, last, len(data)):
        last += 3
    while _are_neighbours(data, parts, first - 3, len(data)):
        first -= 3
    return Hole(parts[first].start, parts[last].end)


def _are_neighbours(data: bytes, parts: Sequence[TextPart], number: int, most: int) -> bool:
    """Whether a comment or string and the next of its kind are only parted by white space with `most` line ends."""
    if number < 0 or number + 3 >= len(parts):
        return False
    this, following = parts[number], parts[number + 3]
    between = data[this.end : following.start]
    full = this.end > this.start and following.end > following.start
    return full and not between.strip() and between.count(b"\n") <= most


def _find_block(data: bytes, start: int, end: int, most: int) -> Hole | None:
    """The innermost pair of braces around some bytes, None where it is longer than `most`."""
    open_at: list[int] = []
    for match in BRACES.finditer(data):
        if match.group() == b"{":
            open_at.append(match.start())
        elif match.group() == b"}" and open_at:
            begin = open_at.pop()
            if begin <= start and match.end() >= end:
                return Hole(begin, match.end()) if match.end() - begin <= most else None
    return None


def _find_lines(data: bytes, start: int, end: int) -> Hole:
    last = data.find(b"\n", end)
    return Hole(data.rfind(b"\n", 0, start) + 1, last if last >= 0 else len(data))


def _find_logical_line(data: bytes, at: int) -> Hole:
    """The line around a byte, with the lines before and behind it that a backslash joins to it; no line end."""
    start = data.rfind(b"\n", 0, at) + 1
    while data[max(0, start - 3) : start].endswith((b"\\\n", b"\\\r\n")):
        start = data.rfind(b"\n", 0, start - 1) + 1
    end = at
    while True:
        end = data.find(b"\n", end)
        if end < 0:
            return Hole(start, len(data))
        if not data[max(0, end - 2) : end + 1].endswith((b"\\\n", b"\\\r\n")):
            return Hole(start, end)
        end += 1


def _join_lines(data: bytes, copies: Sequence[Copy]) -> list[Copy]:
    """Copies of whole lines with at most `_LINES_BETWEEN` lines between them as one."""
    out: list[Copy] = []
    for copy in copies:
        before = out[-1] if out else None
        if (
            before is not None
            and before.kind == copy.kind == "lines"
            and data.count(b"\n", before.hole.end, max(before.hole.end, copy.hole.start)) <= _LINES_BETWEEN + 1
        ):
            hole = Hole(before.hole.start, max(before.hole.end, copy.hole.end))
            out[-1] = before._replace(hole=hole, share=min(1.0, before.share + copy.share))
        else:
            out.append(copy)
    return out
