"""All files of an index -> its call graph: each file's sites resolved, what goes through fields joined."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from index.callgraph.graph import CallGraph, Confidences, Flags, Ids, call_graph
from index.callgraph.resolution.calls import no_calls
from index.callgraph.resolution.names import Names, Row, Symbols
from index.callgraph.resolution.pointers import Assigned, FieldsOf, assigned_in
from index.callgraph.resolution.sites import MOST_POINTERS, Resolver
from index.cpp.macros import MacroForm
from index.cpp.made_functions import Maker
from index.store.macros import definitions_from

if TYPE_CHECKING:
    from index.repo_index import RepoIndex, SourceFile


class Columns(NamedTuple):
    """Edges, one after the other; see `Edge`."""

    caller: Ids
    callee: Ids
    confidence: Confidences
    kind: Flags
    witness: Ids


class Part(NamedTuple):
    """What the resolution of some files gave. `callee` below 0 is -1 - k: a call through the field `fields[k]`.
    `assigned` is what each file (its id) puts into fields, `macros` are the ids of its macros with a checksum of
    their text."""

    caller: Ids
    callee: Ids
    confidence: Confidences
    kind: Flags
    fields: Sequence[str]
    assigned: Sequence[tuple[int, Assigned]]
    macros: Sequence[tuple[int, int]]
    looked_up: Sequence[tuple[int, str]]
    """(file id, name) of names that macros paste together: the file's text needn't have them."""


Held = Mapping[str, Mapping[tuple[int, int], None]]
"""By a field's name, the (function, witness) that it is assigned."""


def size_of(index: RepoIndex) -> int:
    """One more than the largest id of a symbol."""
    size: int = index.rows("SELECT COALESCE(MAX(id), 0) + 1 FROM symbols")[0][0]
    return size


def resolve_files(index: RepoIndex, symbols: Symbols, files: Iterable[SourceFile]) -> Part:
    """The edges that start in these files."""
    names = Names(symbols)
    resolver = Resolver(names, _texts(index), makers_of(index))
    fields = FieldsOf(names)
    calls = no_calls()
    assigned: list[tuple[int, Assigned]] = []
    macros: list[tuple[int, int]] = []
    looked_up: list[tuple[int, str]] = []
    for file in files:
        # Latin-1 keeps every byte one character, so that offsets hold.
        text = index.read(file.path).decode("latin-1")
        resolver.enter(file.id)
        assigned += ((file.id, a) for a in assigned_in(names, resolver.types, fields, file.id, text))
        macros += ((i, zlib.crc32(text[start:end].encode("latin-1"))) for i, start, end in names.macros_in(file.id))
        table = index.site_table(file.path)
        if len(table.at) or names.has_made(file.id):
            resolver.resolve(file, text, table, calls)
        looked_up += ((file.id, name) for name in sorted(resolver.looked_up))
    return Part(
        np.array(calls.caller, dtype=np.int32),
        np.array(calls.callee, dtype=np.int32),
        np.array(calls.confidence, dtype=np.float32),
        np.array(calls.kind, dtype=np.uint8),
        list(calls.fields),
        assigned,
        macros,
        looked_up,
    )


def makers_of(index: RepoIndex) -> dict[str, Maker]:
    """The macros of the tree that define functions, by name: those too whose uses the index can't read."""
    rows = index.rows("SELECT macros FROM files WHERE instr(macros, ?) ORDER BY path", (MacroForm.DECLARES.value,))
    found: dict[str, Maker] = {}
    for (text,) in rows:
        for definition in definitions_from(text):
            maker = definition.maker
            if maker is not None and any(part.kind == "function" for part in maker.parts):
                found.setdefault(definition.name, maker)
    return found


def _texts(index: RepoIndex) -> Callable[[Row], str]:
    paths = {f.id: f.path for f in index.files.values()}
    return lambda row: index.read(paths[row.file])[row.start : row.end].decode("latin-1")


def graph_of(part: Part, size: int) -> CallGraph:
    """The graph of a part that is the whole tree."""
    return call_graph(*pointed(part, held_by(part.assigned)), size)


def held_by(assigned: Iterable[tuple[int, Assigned]]) -> Held:
    """What the files' assignments together put into each field."""
    held: dict[str, dict[tuple[int, int], None]] = {}
    for _, (field, function, witness) in assigned:
        held.setdefault(field, {})[function, witness] = None
    return held


def pointed(part: Part, held: Held) -> Columns:
    """The columns of a part, a row of a field's call replaced by one for each function that the field holds."""
    functions: list[int] = []
    witnesses: list[int] = []
    shares: list[float] = []
    counts = []
    through = part.callee < 0
    for number in (-1 - part.callee[through]).tolist():
        found = held.get(part.fields[number], {})
        if len(found) > MOST_POINTERS:
            found = {}
        functions += [function for function, _ in found]
        witnesses += [witness for _, witness in found]
        shares += [1 / max(1, len(found))] * len(found)
        counts.append(len(found))
    repeats = np.ones(len(part.callee), dtype=np.int64)
    repeats[through] = counts
    through = np.repeat(through, repeats)
    callee = np.repeat(part.callee, repeats)
    callee[through] = functions
    share = np.ones(len(callee), dtype=np.float32)
    share[through] = shares
    witness = np.full(len(callee), -1, dtype=np.int32)
    witness[through] = witnesses
    return Columns(
        np.repeat(part.caller, repeats),
        callee,
        np.repeat(part.confidence, repeats) * share,
        np.repeat(part.kind, repeats),
        witness,
    )
