"""A name -> the symbols that it most likely means at the hole: exact look-up, the nearest declaration first."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from index.hiding.hidden_view import HiddenView
from index.values import Symbol, SymbolKind
from retrieval.test_code import is_test_code

SAME_FILE, INCLUDED, INCLUDED_TWICE, SAME_FOLDER, ELSEWHERE = range(5)
"""How far a file is. Of redis's and bullet3's 147 true callees 43 live in the file itself, 44 one include away, 33
two, 10 in the folder, 15 elsewhere."""

MOST_SYMBOLS_OF_NAME = 3
"""Overloads, and namesakes at the same distance; more of one name would crowd out the others."""

FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.PROTOTYPE})
TYPES = frozenset({SymbolKind.TYPE})
_FIELDS = frozenset({SymbolKind.FIELD})
MOST_TYPES_WITH_FIELD = 2
"""A field's name that more types have (`next`, `size`) doesn't say which type is meant."""

# A definition says more than a declaration: where both exist only the definition counts.
_KIND_ORDER = (
    SymbolKind.FUNCTION, SymbolKind.PROTOTYPE, SymbolKind.TYPE, SymbolKind.MACRO, SymbolKind.ENUMERATOR,
    SymbolKind.GLOBAL, SymbolKind.FIELD,
)  # fmt: skip


class Nearness:
    """How far files are from a view's target, and what a name means at that target."""

    def __init__(self, view: HiddenView) -> None:
        self._view = view
        home = view.target.path
        self._folder = PurePosixPath(home).parent
        self._levels = _find_two_include_levels(view, home)
        self._known: dict[str, tuple[bool, int]] = {}

    def find_distance_level(self, path: str) -> int:
        """SAME_FILE to ELSEWHERE. A `.c` beside an included header is as near as the header, whose declarations it
        defines."""
        known = self._levels.get(path)
        if known is not None:
            return known
        place = PurePosixPath(path)
        headers = (str(place.with_suffix(ending)) for ending in (".h", ".hpp"))
        beside = min((self._levels.get(header, ELSEWHERE) for header in headers), default=ELSEWHERE)
        return min(beside, SAME_FOLDER if place.parent == self._folder else ELSEWHERE)

    def find_equally_nearest_symbols(
        self, name: str, kinds: Collection[SymbolKind], limit: int = MOST_SYMBOLS_OF_NAME
    ) -> list[Symbol]:
        """The nearest visible symbols of that name (qualified or not) and these kinds, at most `limit`. Tests come
        after all other code, then distance counts, then the order of `_KIND_ORDER`."""
        ending = f"::{name.removeprefix('::')}" if "::" in name else ""
        found = [
            s
            for s in self._view.symbols_named(name.rpartition("::")[2])
            if s.kind in kinds and f"::{s.qualified_name}".endswith(ending)
        ]
        if any(s.kind is SymbolKind.FUNCTION for s in found):
            found = [s for s in found if s.kind is not SymbolKind.PROTOTYPE]

        def make_sort_key(s: Symbol) -> tuple[object, ...]:
            # Of a variable that also stands beside the header that declares it, what the target sees is the header's.
            # Of a struct and the typedef that names it the struct says more.
            is_outside_includes = s.kind is SymbolKind.GLOBAL and s.path not in self._levels
            type_length = s.end_byte - s.start_byte if s.kind is SymbolKind.TYPE else 0
            return self._make_nearness_key(s), is_outside_includes, -type_length, s.path, s.start_byte

        found.sort(key=make_sort_key)
        return [s for s in found if self._make_nearness_key(s) == self._make_nearness_key(found[0])][:limit]

    def find_types_of_distinctive_field(self, field: str, fields_considered: int) -> list[Symbol]:
        """The types that have the `fields_considered` nearest fields of that name; none where too many do."""
        fields = self.find_equally_nearest_symbols(field, _FIELDS, fields_considered)
        owners = dict.fromkeys(found.qualified_name.rpartition("::")[0] for found in fields)
        if len(owners) > MOST_TYPES_WITH_FIELD:
            return []
        return [symbol for owner in owners if owner for symbol in self.find_equally_nearest_symbols(owner, TYPES, 1)]

    def _make_nearness_key(self, symbol: Symbol) -> tuple[bool, int, int]:
        path = symbol.path
        if path not in self._known:
            self._known[path] = is_test_code(path), self.find_distance_level(path)
        return (*self._known[path], _KIND_ORDER.index(symbol.kind))


def _find_two_include_levels(view: HiddenView, home: str) -> dict[str, int]:
    levels = {home: SAME_FILE}
    edge: Iterable[str] = [home]
    for level in (INCLUDED, INCLUDED_TWICE):
        edge = [path for file in edge for path in view.includes(file) if path not in levels]
        levels.update((path, level) for path in edge if path not in levels)
    return levels
