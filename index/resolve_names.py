"""The tree's names as look-up tables: what a call can mean, by name, by class, by what a file can see."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from index.language import TEMPLATE
from index.values import SymbolKind

MANY = 1 << 20
"""The arity of a function with `...`."""


class Row(NamedTuple):
    """What resolution knows of a symbol. `owner` is the last component of its scope, a class or a namespace;
    `const` is a method that says so."""

    id: int
    kind: str
    file: int
    name: str
    scope: str
    owner: str
    start: int
    end: int
    body: int
    signature: str
    const: bool


class Arity(NamedTuple):
    """How many arguments a function takes."""

    least: int
    most: int

    def takes(self, count: int) -> bool:
        """Whether a call with `count` arguments (-1: unknown) can mean it."""
        return count < 0 or self.least <= count <= self.most


_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".def", ".ipp", ".tcc")


class Names:
    """Symbols by the ways a call can reach them. `paths` is by file id, `included` the files that a file includes
    itself."""

    def __init__(
        self, rows: Iterable[Row], paths: Mapping[int, str], included: Mapping[int, Sequence[int]]
    ) -> None:
        self.paths = paths
        self.headers = {i for i, path in paths.items() if path.removesuffix(TEMPLATE).endswith(_HEADERS)}
        self.rows: dict[int, Row] = {}
        self.classes: dict[str, list[Row]] = {}
        self.free: dict[str, list[Row]] = {}
        self.methods: dict[tuple[str, str], list[Row]] = {}
        self.method_owners: dict[str, list[str]] = {}
        self.prototypes: dict[tuple[str, str], list[Row]] = {}
        self.macros: dict[str, list[Row]] = {}
        self.fields: dict[tuple[str, str], list[Row]] = {}
        self.fields_named: dict[str, list[Row]] = {}
        self.globals: dict[str, list[Row]] = {}
        self._included = included
        functions: list[Row] = []
        prototypes: list[Row] = []
        by_kind = {
            SymbolKind.FUNCTION.value: functions.append,
            SymbolKind.PROTOTYPE.value: prototypes.append,
            SymbolKind.TYPE.value: lambda r: self.classes.setdefault(r.name, []).append(r),
            SymbolKind.MACRO.value: lambda r: self.macros.setdefault(r.name, []).append(r),
            SymbolKind.GLOBAL.value: lambda r: self.globals.setdefault(r.name, []).append(r),
            SymbolKind.FIELD.value: self._add_field,
        }
        for row in rows:
            by_kind[row.kind](row)
        self._add_functions(functions, prototypes)
        self._drop_macros_in(functions)
        self.closure = lru_cache(maxsize=None)(self._closure)
        self._arities: dict[int, Arity] = {}

    def _add_field(self, row: Row) -> None:
        self.fields.setdefault((row.owner, row.name), []).append(row)
        self.fields_named.setdefault(row.name, []).append(row)

    def _drop_macros_in(self, functions: Sequence[Row]) -> None:
        """Forget the macros that a function's body defines: what they say is that body's secret, and an edge of
        another function must not tell it."""
        bodies: dict[int, list[tuple[int, int]]] = {}
        for row in functions:
            if row.body >= 0:
                bodies.setdefault(row.file, []).append((row.body, row.end))
        for extents in bodies.values():
            extents.sort()
        for name, rows in list(self.macros.items()):
            kept = [r for r in rows if not _inside(bodies.get(r.file, ()), r.start)]
            if kept:
                self.macros[name] = kept
            else:
                del self.macros[name]

    def _add_functions(self, functions: Sequence[Row], prototypes: Sequence[Row]) -> None:
        for row in functions:
            self.rows[row.id] = row
            if row.owner and row.owner in self.classes:
                self.methods.setdefault((row.owner, row.name), []).append(row)
            else:
                self.free.setdefault(row.name, []).append(row)
        for row in prototypes:
            self.rows[row.id] = row
            self.prototypes.setdefault((row.owner, row.name), []).append(row)
        for (owner, name), declared in self.prototypes.items():
            if owner and owner in self.classes:
                defined = self.methods.get((owner, name), [])
                if len(defined) < len(declared):
                    counts = {parameter_count(d.signature, name).most for d in defined}
                    for row in declared:
                        most = parameter_count(row.signature, name).most
                        if most not in counts:
                            counts.add(most)
                            self.methods.setdefault((owner, name), []).append(row)
            elif name not in self.free:
                self.free[name] = declared
        for owner, name in self.methods:
            self.method_owners.setdefault(name, []).append(owner)

    def sees(self, file: int, other: int) -> bool:
        """Whether `other` is `file` or included by it, however far."""
        return file == other or other in self.closure(file)

    def _closure(self, file: int) -> frozenset[int]:
        seen: set[int] = set()
        pending = [file]
        while pending:
            for other in self._included.get(pending.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    pending.append(other)
        return frozenset(seen)

    def arity(self, row: Row) -> Arity:
        """How many arguments a function takes, its declarations' defaults included."""
        found = self._arities.get(row.id)
        if found is None:
            found = self._arities[row.id] = self._arity(row)
        return found

    def _arity(self, row: Row) -> Arity:
        own = parameter_count(row.signature, row.name)
        if row.body < 0 or own.most == own.least == 0:
            return own
        # Default arguments stand at the declaration, an out-of-line definition hasn't got them.
        least = own.least
        for declared in self.prototypes.get((row.owner, row.name), ()):
            count = parameter_count(declared.signature, row.name)
            if count.most == own.most:
                least = min(least, count.least)
        return Arity(least, own.most)

    def fitting(self, rows: Sequence[Row], count: int) -> Sequence[Row]:
        """Those that take `count` arguments; all of them when none does (a macro among the arguments)."""
        if len(rows) == 1:
            return rows
        return [r for r in rows if self.arity(r).takes(count)] or rows

    def is_static(self, row: Row) -> bool:
        """Whether a free function is its file's own."""
        return "static" in row.signature.partition(row.name)[0].lower() and row.file not in self.headers


def _inside(extents: Sequence[tuple[int, int]], at: int) -> bool:
    i = bisect_right(extents, (at, MANY << 20)) - 1
    return i >= 0 and at < extents[i][1]


def parameter_count(signature: str, name: str) -> Arity:
    """The arity that a signature tells."""
    at = signature.find(f"{name}(")
    if at < 0:
        at = signature.find(f"{name} (")
    opening = signature.find("(", at + len(name)) if at >= 0 else signature.find("(")
    if opening < 0:
        return Arity(0, MANY)
    depth = angles = commas = defaults = 0
    after_default = False
    last = opening
    for i in range(opening, len(signature)):
        c = signature[i]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                last = i
                break
        elif c == "<":
            angles += 1
        elif c == ">":
            angles = max(0, angles - 1)
        elif depth == 1 and c == "=" and not after_default:
            after_default = True
            defaults += 1
        elif depth == 1 and angles == 0 and c == ",":
            commas += 1
            after_default = False
    inside = signature[opening + 1 : last].strip()
    if not inside or inside == "void":
        return Arity(0, 0)
    if "..." in inside:
        return Arity(max(0, commas - defaults), MANY)
    return Arity(commas + 1 - defaults, commas + 1)


def row_of(values: tuple[int, str, int, str, str, int, int, int, str]) -> Row:
    """(id, kind, file id, name, qualified name, start, end, body, signature) as a row."""
    number, kind, file, name, qualified, start, end, body, signature = values
    scope = qualified[: -len(name) - 2] if len(qualified) > len(name) else ""
    owner = scope.rsplit("::", 1)[-1] if scope else ""
    const = bool(scope) and signature.rstrip(" ;").endswith("const")
    return Row(number, kind, file, name, scope, owner, start, end, body, signature, const)
