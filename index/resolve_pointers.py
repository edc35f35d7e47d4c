"""Functions that a struct's field is assigned: what a call through the field may reach.

Found in the text: `.f = g`, `x->f = g`, and the initializers of globals that name no fields, by the order of the
struct's own. An assignment in a function's body is that function's secret: it is its witness.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from index.resolve_names import Names, Row
from index.resolve_types import Types, split_arguments

_ASSIGNED = re.compile(r"(?:\.|->)\s*([A-Za-z_]\w*)\s*=\s*&?\s*([A-Za-z_]\w*)\s*(?=[;,}\n])")
_NAME = re.compile(r"&?\s*(?:\([\w\s*]+\)\s*)?([A-Za-z_]\w*)")
_LONGEST_INITIALIZER = 200_000


class Assigned(NamedTuple):
    """A function that a field holds, and the function in whose body it is put there, or -1."""

    function: int
    witness: int


def assigned(
    names: Names, types: Types, text_of: Callable[[int], str], called: Collection[str]
) -> dict[str, tuple[Assigned, ...]]:
    """By the name of a field, the functions that it is assigned anywhere in the tree. `called` are the names of
    fields that something calls: no others are looked for."""
    wanted = {name for name in called if name in names.fields_named}
    if not wanted:
        return {}
    found: dict[str, dict[Assigned, None]] = {}
    extents = _extents(names)
    tables = _globals_by_file(names, types, wanted)
    for file in names.paths:
        text = text_of(file)
        bodies = extents.get(file, [])
        starts = [start for start, _, _ in bodies]
        if "=" in text:
            for match in _ASSIGNED.finditer(text):
                if match[1] in wanted and match[2] in names.free:
                    _add(names, found, match[1], match[2], file, _around(bodies, starts, match.start()))
        for row, fields in tables.get(file, ()):
            for name, function in _positional(
                text[row.start : min(row.end, row.start + _LONGEST_INITIALIZER)], fields
            ):
                if name in wanted and function in names.free:
                    _add(names, found, name, function, file, -1)
    return {name: tuple(functions) for name, functions in found.items()}


def _add(
    names: Names, found: dict[str, dict[Assigned, None]], field: str, function: str, file: int, witness: int
) -> None:
    rows = names.free[function]
    own = [r for r in rows if r.file == file]
    fitting = own or [r for r in rows if not names.is_static(r) or names.sees(file, r.file)]
    for row in fitting[:2]:
        found.setdefault(field, {})[Assigned(row.id, witness)] = None


def _extents(names: Names) -> dict[int, list[tuple[int, int, int]]]:
    """By file, (start, end, id) of the functions with a body, by place."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    for row in names.rows.values():
        if row.body >= 0:
            found.setdefault(row.file, []).append((row.start, row.end, row.id))
    for rows in found.values():
        rows.sort()
    return found


def _around(bodies: Sequence[tuple[int, int, int]], starts: Sequence[int], at: int) -> int:
    i = bisect_right(starts, at) - 1
    return bodies[i][2] if i >= 0 and at < bodies[i][1] else -1


def _globals_by_file(
    names: Names, types: Types, wanted: Collection[str]
) -> Mapping[int, list[tuple[Row, Sequence[str]]]]:
    """The globals of structs that have a wanted field, with their fields in order."""
    owners = {row.owner for name in wanted for row in names.fields_named[name]}
    fields: dict[str, list[Row]] = {}
    for (owner, _), rows in names.fields.items():
        if owner in owners:
            fields.setdefault(owner, []).append(rows[0])
    ordered = {o: [r.name for r in sorted(rows, key=lambda r: (r.file, r.start))] for o, rows in fields.items()}
    found: dict[int, list[tuple[Row, Sequence[str]]]] = {}
    for rows in names.globals.values():
        for row in rows:
            kind = types.declared(row.signature, row.name)
            if kind is not None and (base := types.resolved(kind).base) in ordered:
                found.setdefault(row.file, []).append((row, ordered[base]))
    return found


def _positional(text: str, fields: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(field, name) of an initializer's elements that are names; a list of lists is an array of structs."""
    opening = text.find("{")
    if opening < 0:
        return
    pending = [text[opening + 1 : text.rfind("}")]]
    while pending:
        parts = [p.strip() for p in split_arguments(pending.pop())]
        for i, part in enumerate(parts):
            if part.startswith("{"):
                pending.append(part[1 : part.rfind("}")])
            elif i < len(fields) and (match := _NAME.fullmatch(part)):
                yield fields[i], match[1]
