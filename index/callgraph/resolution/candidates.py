"""Which symbols a file's calls of one name can mean, before a call's arguments are looked at. They are found once for
each file: it calls the same things again and again, and a large tree has dozens of functions of one name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import takewhile
from operator import eq

from index.callgraph.resolution.calls import Call, Key
from index.callgraph.resolution.declared_types import Types
from index.callgraph.resolution.names import Names, Row
from index.symbols.call_sites import MEMBER


class Candidates:
    """The candidates of calls in the file that was entered, each set found once."""

    def __init__(self, names: Names, types: Types) -> None:
        self._names = names
        self._types = types
        self._narrowed: dict[Key, Sequence[Row]] = {}

    def drop_file_caches(self) -> None:
        self._narrowed.clear()

    def find_own_or_visible_free_functions(
        self, rows: Sequence[Row], call: Call, scope: str
    ) -> tuple[Key, Sequence[Row]]:
        """Of several functions of one name the file's own, else those that it sees in the nearest namespace; and
        their key."""
        key = (call.form, call.name, scope, False, call.arity)
        found = self._narrowed.get(key)
        if found is None:
            found = self._narrowed[key] = self._narrow_to_own_or_visible_functions(rows, call.arity, scope)
        return key, found

    def _narrow_to_own_or_visible_functions(self, rows: Sequence[Row], arity: int, scope: str) -> Sequence[Row]:
        names = self._names
        own = [r for r in rows if r.file == names.file]
        if own and any(names.arity(r).accepts(arity) for r in own):
            return keep_rows_of_innermost_scope(names.prefer_rows_fitting_arity(own, arity), scope)
        rows = [r for r in rows if names.visible[r.file] or not names.is_static_outside_headers(r)]
        rows = names.prefer_rows_fitting_arity(rows, arity)
        if len(rows) > 1:
            rows = [r for r in rows if names.visible[r.file]] or rows
        return keep_rows_of_innermost_scope(rows, scope)

    def find_methods(self, owner: str, name: str, const: bool, arity: int) -> tuple[Key, Sequence[Row]]:
        """The methods of a class, or of the nearest of its bases, that a call on a const or non-const object means;
        and their key."""
        key = (MEMBER, name, owner, const, arity)
        found = self._narrowed.get(key)
        if found is None:
            methods = self.prefer_overloads_fitting_const(self._types.find_methods(owner, name), const)
            found = self.prefer_visible_candidates_fitting_arity(key, methods, arity)
        return key, found

    def prefer_visible_candidates_fitting_arity(self, key: Key, rows: Sequence[Row], arity: int) -> Sequence[Row]:
        """The candidates among `rows` that the file sees and that take this number of arguments. `rows` must always be
        the same for the same key."""
        found = self._narrowed.get(key)
        if found is None:
            if len(rows) > 1:
                rows = self._names.prefer_rows_fitting_arity(self._prefer_methods_of_visible_class(rows), arity)
            found = self._narrowed[key] = rows
        return found

    def prefer_overloads_fitting_const(self, rows: Sequence[Row], const_receiver: bool) -> Sequence[Row]:
        """Of overloads that differ in `const` alone, those that a const or non-const receiver calls."""
        if len(rows) < 2:
            return rows
        fit = [r for r in rows if r.const == const_receiver]
        if not fit or len(fit) == len(rows):
            return rows
        return fit if len({self._names.arity(r).most for r in rows}) < len(rows) else rows

    def _prefer_methods_of_visible_class(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Of the methods of several classes with one name, those of the class that the file sees."""
        scope, file = rows[0].scope, rows[0].file
        if all(r.scope == scope and r.file == file for r in rows):
            return rows
        seen = [r for r in rows if self._names.visible[r.file] or self._has_declaration_in_visible_class(r)]
        if seen:
            return seen
        paths = self._names.paths
        here = paths[self._names.file]
        return keep_rows_nearest_caller(rows, lambda r: count_shared_leading_parts(here, paths[r.file], "/"))

    def _has_declaration_in_visible_class(self, row: Row) -> bool:
        """Whether a method that another file defines is declared in a class that the file sees."""
        names = self._names
        declared = names[row.name].prototypes.get(row.owner, ())
        return any(names.visible[d.file] and d.scope == row.scope for d in declared)


def keep_rows_nearest_caller(rows: Sequence[Row], closeness: Callable[[Row], int]) -> Sequence[Row]:
    """Those of `rows`, at least one, that share the most with the caller."""
    common = [closeness(r) for r in rows]
    best = max(common)
    return rows if min(common) == best else [r for r, c in zip(rows, common, strict=True) if c == best]


def keep_rows_of_innermost_scope(rows: Sequence[Row], caller_scope: str) -> Sequence[Row]:
    """Those of `rows` in the innermost scope around the caller's; where none is around it, those nearest to it."""
    if len(rows) < 2:
        return rows
    around = [r for r in rows if not r.scope or f"{caller_scope}::".startswith(f"{r.scope}::")]
    if around:
        innermost = max(len(r.scope) for r in around)
        return [r for r in around if len(r.scope) == innermost]
    return keep_rows_nearest_caller(rows, lambda r: count_shared_leading_parts(caller_scope, r.scope, "::"))


@lru_cache(maxsize=1 << 16)
def count_shared_leading_parts(path: str, other: str, separator: str) -> int:
    are_equal = map(eq, path.split(separator), other.split(separator))
    return sum(takewhile(bool, are_equal))
