"""Copies of a target's text in whatever is no function to the index, or isn't like the target as a whole.

Each place of the tree that shares a run of tokens with a body which gives the body away (`fingerprints.SCHEMES`) is a
copy: a comment, a string, a macro's replacement, a function, else whole lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from index.arrays import sort_distinct
from index.cpp.tokens import BRACES
from index.hiding.fingerprints import (
    SCHEMES,
    Hits,
    RunScheme,
    count_distinct_patterns_per_run,
    find_files_maybe_sharing_runs,
    open_or_make_fingerprint_table,
    spell_values_by_scheme,
)
from index.hiding.holes import Hole
from index.hiding.text_tokens import (
    COMMENT,
    STRING,
    TextPart,
    TextTokens,
    Values,
    encode_distinct_code_comment_string_spellings,
    encode_tokens_grouped_by_kind,
    locate_text_tokens,
)
from index.store.reader import IndexReader
from index.values import Entry, SymbolKind

PlaceKind = Literal["function", "macro", "comment", "string", "lines"]

_LOGICAL_LINE_END = re.compile(rb"(?<!\\)(?<!\\\r)\n")
_DEFINE = re.compile(rb"[ \t]*(?:#|%:|\?\?=)[ \t]*define[ \t]+\w+(?:\([^)]*\))?")

_VALUE_BYTES = 2
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
    reader: IndexReader,
    bodies: Iterable[bytes],
    hidden: Mapping[str, Sequence[Hole]],
    schemes: Sequence[RunScheme] = SCHEMES,
) -> tuple[Copy, ...]:
    """All copies of these bodies outside what is `hidden` already, by path and place."""
    table = open_or_make_fingerprint_table(reader)
    hits: dict[int, list[Hits]] = {}
    for values in (values for body in bodies for values in encode_distinct_code_comment_string_spellings(body)):
        for number, found in find_files_maybe_sharing_runs(table, values, schemes):
            hits.setdefault(number, []).append(found)
    copies = []
    for file in reader.source_files:
        own = hits.get(file.id)
        if own is None:
            continue
        holes = hidden.get(file.path, ())
        data = reader.read_file(file.path) if holes else b""
        text = np.frombuffer(reader.read_encoded_tokens(file.id), dtype=np.uint16)
        bodies = (data[hole.start : hole.end] for hole in holes)
        runs = _find_revealing_shared_runs(own, _blank_bodies_occurring_once(text, bodies))
        if runs:
            data = _blank_holes(reader.read_file(file.path), holes)
            # What is left may be a hole's comments, which are told from others by their place alone.
            runs = _find_revealing_shared_runs(own, encode_tokens_grouped_by_kind(data)) if holes else runs
        if runs:
            copies += _locate_copies(reader, file.path, data, runs)
    return tuple(copies)


def _blank_bodies_occurring_once(text: Values, bodies: Iterable[bytes]) -> Values:
    """A file's values without those of its hidden bodies, as far as such a body's stand there only once. So most files
    with holes needn't be read again without them."""
    left = text.copy()
    for body in bodies:
        values = encode_distinct_code_comment_string_spellings(body)[0]
        places = list(_find_positions_of_value_sequence(text.tobytes(), values.tobytes()))
        if len(places) == 1:
            left[places[0] : places[0] + len(values)] = 0
    return left


def _find_positions_of_value_sequence(text_bytes: bytes, wanted_bytes: bytes) -> Iterator[int]:
    """Where the values `wanted_bytes` stand among those of a text, both as bytes: the fastest search that there is."""
    at = text_bytes.find(wanted_bytes)
    while at >= 0:
        if at % _VALUE_BYTES == 0:
            yield at // _VALUE_BYTES
        at = text_bytes.find(wanted_bytes, at + 1)


def _blank_holes(data: bytes, holes: Sequence[Hole]) -> bytes:
    blanked = bytearray(data)
    for hole in holes:
        blanked[hole.start : hole.end] = b" " * (hole.end - hole.start)
    return bytes(blanked)


def _find_revealing_shared_runs(hits: Iterable[Hits], text: Values) -> list[_SharedRun]:
    """The runs of a text that give one away which it has these hits with."""
    spellings = {scheme.length: (spelt, positions) for scheme, spelt, positions in spell_values_by_scheme(text)}
    found = []
    for hit in hits:
        other, positions = spellings[hit.scheme.length]
        for begin, size, at in _extend_hit_to_longest_runs(hit, other):
            run = hit.spelt[at : at + size]
            if (
                size >= hit.required_run_length
                and count_distinct_patterns_per_run(run, size)[0] >= hit.required_run_length // 2
            ):
                # Of names behind each other that were made one the last belongs to the run too.
                end = positions[begin + size] if begin + size < len(positions) else len(text)
                found.append(_SharedRun(int(positions[begin]), int(end) - 1, size / len(hit.spelt)))
    return found


_TextStartSizeHitStart = tuple[int, int, int]


def _extend_hit_to_longest_runs(hit: Hits, text: Values) -> Iterator[_TextStartSizeHitStart]:
    """(place in the text, tokens, place in the hit's text) of each longest run around what they have in common."""
    seen: dict[int, int] = {}
    searched = text.tobytes()
    for at in hit.at.tolist():
        for place in _find_positions_of_value_sequence(searched, hit.spelt[at : at + hit.scheme.length].tobytes()):
            if seen.get(place - at, -1) < place:
                before = _count_common_prefix(hit.spelt[:at][::-1], text[:place][::-1])
                size = before + _count_common_prefix(hit.spelt[at:], text[place:])
                seen[place - at] = place - before + size
                yield place - before, size, at - before


def _count_common_prefix(left: Values, right: Values) -> int:
    size = min(len(left), len(right))
    unequal = np.flatnonzero(left[:size] != right[:size])
    return int(unequal[0]) if len(unequal) else size


def _locate_copies(reader: IndexReader, path: str, data: bytes, runs: Iterable[_SharedRun]) -> list[Copy]:
    """The places of a file that these runs lie in, each once, in order."""
    tokens = locate_text_tokens(data)
    bodies = [entry for entry in reader.entries_in_file(path) if entry.body >= 0]
    found: list[Copy] = []
    for run in sorted(runs, key=lambda run: -run.share):
        for copy in _locate_copies_of_run(path, data, tokens, run, bodies):
            if not any(other.hole.start <= copy.hole.start and copy.hole.end <= other.hole.end for other in found):
                found.append(copy)
    return _join_nearby_line_copies(data, sorted(found, key=lambda copy: copy.hole))


def _locate_copies_of_run(
    path: str, data: bytes, tokens: TextTokens, run: _SharedRun, bodies: Sequence[Entry]
) -> Iterator[Copy]:
    """The place that one run lies in; several where it goes over comments or strings with code between them."""
    start, end = int(tokens.starts[run.first]), int(tokens.ends[run.last])
    parts = sort_distinct(tokens.of_part[run.first : run.last + 1]).tolist()
    kinds = {tokens.parts[part].kind for part in parts}
    if kinds == {COMMENT}:
        for hole in _widen_touched_to_adjacent_comments(data, tokens.parts, parts):
            yield Copy(path, "comment", hole, run.share)
        return
    if kinds == {STRING}:
        hole = _widen_to_adjacent_parts_of_kind(data, tokens.parts, parts[0], parts[-1], len(data))
        yield Copy(path, "string", hole, run.share)
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
        hole = _find_enclosing_block(data, start, end, most) or _widen_to_whole_lines(data, start, end)
        yield Copy(path, "lines", hole, run.share)


def _widen_touched_to_adjacent_comments(
    data: bytes, parts: Sequence[TextPart], touched_parts: Sequence[int]
) -> Iterator[Hole]:
    """The comments `touched_parts`, each with those before and behind it on lines of their own."""
    end = -1
    for number in touched_parts:
        if parts[number].end > end:
            hole = _widen_to_adjacent_parts_of_kind(data, parts, number, number, 1)
            end = hole.end
            yield hole


def _widen_to_adjacent_parts_of_kind(
    data: bytes, parts: Sequence[TextPart], first: int, last: int, most_line_ends: int
) -> Hole:
    """From one comment or string to another, with those of their kind that only white space with at most
    `most_line_ends` line ends parts from them."""
    while _is_adjacent_to_next_of_kind(data, parts, last, most_line_ends):
        last += 3
    while _is_adjacent_to_next_of_kind(data, parts, first - 3, most_line_ends):
        first -= 3
    return Hole(parts[first].start, parts[last].end)


def _is_adjacent_to_next_of_kind(data: bytes, parts: Sequence[TextPart], number: int, most_line_ends: int) -> bool:
    """Whether a comment or string and the next of its kind are only parted by white space with at most
    `most_line_ends` line ends."""
    if number < 0 or number + 3 >= len(parts):
        return False
    this, following = parts[number], parts[number + 3]
    between = data[this.end : following.start]
    full = this.end > this.start and following.end > following.start
    return full and not between.strip() and between.count(b"\n") <= most_line_ends


def _find_enclosing_block(data: bytes, start: int, end: int, longest: int) -> Hole | None:
    """The innermost pair of braces around some bytes, None where it is longer than `longest`."""
    open_at: list[int] = []
    for match in BRACES.finditer(data):
        if match.group() == b"{":
            open_at.append(match.start())
        elif match.group() == b"}" and open_at:
            begin = open_at.pop()
            if begin <= start and match.end() >= end:
                return Hole(begin, match.end()) if match.end() - begin <= longest else None
    return None


def _widen_to_whole_lines(data: bytes, start: int, end: int) -> Hole:
    last = data.find(b"\n", end)
    return Hole(data.rfind(b"\n", 0, start) + 1, last if last >= 0 else len(data))


def _find_logical_line(data: bytes, at: int) -> Hole:
    """The line around a byte, with the lines before and behind it that a backslash joins to it; no line end."""
    start = data.rfind(b"\n", 0, at) + 1
    while data[max(0, start - 3) : start].endswith((b"\\\n", b"\\\r\n")):
        start = data.rfind(b"\n", 0, start - 1) + 1
    end = _LOGICAL_LINE_END.search(data, at)
    return Hole(start, len(data) if end is None else end.start())


def _join_nearby_line_copies(data: bytes, copies: Sequence[Copy]) -> list[Copy]:
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
