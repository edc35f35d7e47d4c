"""How often a function's name occurs outside all bodies: in tables of functions, macros and initialisers.

A static function that no visible body calls and no table names is called by something hidden.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from index.repo_index import RepoIndex
from index.values import Entry, SymbolKind
from retrieval.structure.tables.compressed_lists import Rows
from retrieval.text.terms import split_raw_words

_QUIET = re.compile(rb"""/\*.*?(?:\*/|\Z)|//[^\n]*|"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+'""", re.DOTALL)
"""Comments, strings and characters: a name in them isn't a use of a function."""


def count_mentions_outside_bodies(index: RepoIndex, entries: Sequence[Entry]) -> Rows:
    """For each entry how often its name occurs outside all functions' bodies, without its definitions and
    declarations. It depends on no body, so nothing has to be taken back for a hidden one."""
    counted = {entry.symbol.name.encode(): 0 for entry in entries}
    bodies: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for entry in index.functions:
        if entry.body >= 0:
            bodies[entry.symbol.path].append((entry.body, entry.symbol.end_byte))
    for path, file in index.files.items():
        if not file.reason:
            for word in split_raw_words(_QUIET.sub(b" ", _cut_holes_out(index.read_file(path), bodies.get(path, ())))):
                if word in counted:
                    counted[word] += 1
    heads = Counter(e.symbol.name for e in index.functions)
    heads.update(e.symbol.name for e in index.entries_of_kind(SymbolKind.PROTOTYPE))
    found = (counted[e.symbol.name.encode()] - heads[e.symbol.name] for e in entries)
    return np.maximum(np.fromiter(found, dtype=np.int32, count=len(entries)), 0)


def _cut_holes_out(data: bytes, holes: Iterable[tuple[int, int]]) -> bytes:
    parts = []
    at = 0
    for begin, end in sorted(holes):
        if begin > at:
            parts.append(data[at:begin])
        at = max(at, end)
    parts.append(data[at:])
    return b" ".join(parts)
