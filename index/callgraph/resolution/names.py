"""The tree's names as look-up tables, sorted out when they are first asked for: what a call can mean, by name, by
class, by what a file can see."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from index.callgraph.symbol_table import SymbolTable
from index.cpp.language import TEMPLATE_SUFFIX
from index.cpp.type_text import extract_text_in_brackets_or_empty, split_at_outer_commas
from index.store.reader import SymbolColumns
from index.values import SymbolId, SymbolKind

VARIADIC_ARITY = 1 << 20
"""The arity of a function with `...`."""

_MOST_NESTED_FUNCTIONS = 20
"""How many functions back from a place the one around it is looked for."""


class Row(NamedTuple):
    """What resolution knows of a symbol. `owner` is the last component of its scope, a class or a namespace. `const`
    says that it is a const method."""

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

    def accepts(self, count: int) -> bool:
        """Whether a call with `count` arguments (-1: unknown) can mean the function."""
        return count < 0 or self.least <= count <= self.most


class NameMeanings(NamedTuple):
    """What one name means in the tree. Methods, prototypes and fields are by the class or namespace they are in.
    `free` are functions outside classes, or their prototypes where no definition exists."""

    classes: Sequence[Row] = ()
    free: Sequence[Row] = ()
    methods: Mapping[str, Sequence[Row]] = {}
    prototypes: Mapping[str, Sequence[Row]] = {}
    macros: Sequence[Row] = ()
    fields: Mapping[str, Sequence[Row]] = {}
    globals: Sequence[Row] = ()


_StartEndBodyId = tuple[int, int, int, SymbolId]

NO_MEANINGS = NameMeanings()

_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".def", ".ipp", ".tcc")


class Names(dict[str, NameMeanings]):
    """The tree's symbols by name, and what the entered file sees of them. An unknown name is `NO_MEANINGS`."""

    def __init__(self, symbols: SymbolTable) -> None:
        super().__init__()
        self._symbols = symbols
        self.paths = symbols.paths
        self.headers = frozenset(
            i for i, path in symbols.paths.items() if path.removesuffix(TEMPLATE_SUFFIX).endswith(_HEADERS)
        )
        self.held = 0
        """How many symbols' rows were made for the names that were looked up."""
        self.file = -1
        self.visible = b""
        self.field_names = lru_cache(maxsize=None)(self._list_field_names_in_order)
        # By id: a row takes longer to hash than to look up.
        self._arities: dict[int, Arity] = {}
        self._list_body_extents = lru_cache(maxsize=None)(self._list_extents_of_functions_with_body)

    def set_file_and_its_visibility(self, file: int) -> None:
        self.file = file
        self.visible = self._symbols.mark_visible_files(file)

    def __missing__(self, name: str) -> NameMeanings:
        raw = self._symbols.find_by_name(name)
        self.held += len(raw)
        found = self[name] = self._group_symbols_by_meaning(raw) if raw else NO_MEANINGS
        return found

    def _group_symbols_by_meaning(self, raw: Sequence[SymbolColumns]) -> NameMeanings:
        rows = [self._move_friend_out_of_class(make_row(values)) for values in raw]
        if len(rows) > 1:
            # Not by id, so that an updated index gives what a fresh one gives.
            paths = self.paths
            rows.sort(key=lambda r: (paths[r.file], r.start))
        elif rows[0].kind == "function" and (not rows[0].owner or not self._is_class(rows[0].owner)):
            return NO_MEANINGS._replace(free=rows)  # most names
        by_kind: dict[str, list[Row]] = {}
        for row in rows:
            by_kind.setdefault(row.kind, []).append(row)
        free: list[Row] = []
        methods: dict[str, list[Row]] = {}
        for row in by_kind.get("function", ()):
            (methods.setdefault(row.owner, []) if self._is_class(row.owner) else free).append(row)
        prototypes = _group_by_owner(by_kind.get("prototype", ()))
        declared_free: Sequence[Row] = ()
        for owner, declared in prototypes.items():
            if not self._is_class(owner):
                declared_free = declared_free or declared
            else:
                self._add_undefined_methods_of_new_arity(methods.setdefault(owner, []), declared)
        return NameMeanings(
            by_kind.get("type", ()),
            free or declared_free,
            methods,
            prototypes,
            [
                r
                for r in by_kind.get("macro", ())
                if self.find_enclosing_function_id_or_minus_one(r.file, r.start, in_body=True) < 0
            ],
            _group_by_owner(by_kind.get("field", ())),
            by_kind.get("global", ()),
        )

    def _move_friend_out_of_class(self, row: Row) -> Row:
        """A friend as what it is, a function of the namespace around the classes that it stands in. Operators stay:
        they are looked for by the class of their operands and its bases."""
        if not row.owner or "friend" not in row.signature.partition("(")[0].split() or row.name.startswith("operator"):
            return row
        scope = row.scope
        while scope and self._is_class(scope.rpartition("::")[2]):
            scope = scope.rpartition("::")[0]
        return row._replace(scope=scope, owner=scope.rpartition("::")[2])

    def _is_class(self, name: str) -> bool:
        return bool(name) and name in self._symbols.classes

    def _add_undefined_methods_of_new_arity(self, defined: list[Row], declared: Sequence[Row]) -> None:
        """Add methods that are declared and not defined: one for each number of parameters that no other has."""
        counts = {read_arity(d.signature, d.name).most for d in defined}
        for row in declared:
            most = read_arity(row.signature, row.name).most
            if most not in counts:
                counts.add(most)
                defined.append(row)

    def rows_in(self, file: int, kind: SymbolKind) -> list[Row]:
        """The symbols of a file and of one kind in order of place, macros without parameters left out."""
        return [make_row(values) for values in self._symbols.find_in_file(file, kind)]

    def _list_field_names_in_order(self, owner: str) -> Sequence[str]:
        """The names of a struct's fields in the order of their declaration."""
        files = sorted({r.file for r in self[owner].classes}, key=lambda file: self.paths[file])
        fields = (r for file in files for r in self.rows_in(file, SymbolKind.FIELD))
        return list(dict.fromkeys(r.name for r in fields if r.owner == owner))

    def conversions_to_pointers(self) -> dict[str, list[Row]]:
        """Methods like `operator T *()` by class."""
        found: dict[str, list[Row]] = {}
        for name in sorted(self._symbols.conversions):
            for owner, rows in self[name].methods.items():
                found.setdefault(owner, []).extend(rows)
        return found

    def find_enclosing_function_id_or_minus_one(self, file: int, at: int, in_body: bool = False) -> int:
        """The id of the function (with `in_body`, of one whose body) that a place of a file lies in, or -1.

        A macro that a body defines is that body's secret, and an edge of another function must not tell it.
        """
        extents = self._list_body_extents(file)
        i = bisect_right(extents, (at, VARIADIC_ARITY << 20)) - 1
        # Functions in a function's class stand behind its beginning and may end before the place.
        for start, end, opening, number in reversed(extents[max(0, i + 1 - _MOST_NESTED_FUNCTIONS) : i + 1]):
            if start <= at < end:
                return -1 if in_body and at < opening else number
        return -1

    def _list_extents_of_functions_with_body(self, file: int) -> list[_StartEndBodyId]:
        """Start, end, start of the body and id of a file's functions, in order."""
        return sorted((r.start, r.end, r.body, r.id) for r in self.rows_in(file, SymbolKind.FUNCTION) if r.body >= 0)

    def arity(self, row: Row) -> Arity:
        """How many arguments a function takes, its declarations' defaults included."""
        found = self._arities.get(row.id)
        if found is None:
            found = self._arities[row.id] = self._read_arity_with_declared_defaults(row)
        return found

    def _read_arity_with_declared_defaults(self, row: Row) -> Arity:
        own = read_arity(row.signature, row.name)
        if row.body < 0 or own.most == own.least == 0:
            return own
        # Default arguments stand at the declaration, an out-of-line definition hasn't got them.
        least = own.least
        for declared in self[row.name].prototypes.get(row.owner, ()):
            count = read_arity(declared.signature, row.name)
            if count.most == own.most:
                least = min(least, count.least)
        return Arity(least, own.most)

    def prefer_rows_fitting_arity(self, rows: Sequence[Row], count: int) -> Sequence[Row]:
        """The functions that take `count` arguments, or all of them when none does (a macro may be among the
        arguments)."""
        if len(rows) == 1 or count < 0:
            return rows
        fit = []
        arities = self._arities
        for row in rows:
            least, most = arities.get(row.id) or self.arity(row)
            if least <= count <= most:
                fit.append(row)
        return fit or rows

    def is_hidden_static(self, row: Row, file: int) -> bool:
        """Whether a free function is another file's own, which `file` doesn't include."""
        return row.file != file and not self.visible[row.file] and self.is_static_outside_headers(row)

    def is_static_outside_headers(self, row: Row) -> bool:
        return "static" in row.signature.partition(row.name)[0].lower() and row.file not in self.headers


def _group_by_owner(rows: Iterable[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.owner, []).append(row)
    return found


def read_arity(signature: str, name: str) -> Arity:
    at = signature.find(f"{name}(")
    if at < 0:
        at = signature.find(f"{name} (")
    opening = signature.find("(", at + len(name)) if at >= 0 else signature.find("(")
    if opening < 0:
        return Arity(0, VARIADIC_ARITY)
    inside = extract_text_in_brackets_or_empty(signature, opening, len(signature)).strip()
    if not inside or inside == "void":
        return Arity(0, 0)
    parts = split_at_outer_commas(inside)
    least = sum("=" not in part for part in parts)
    return Arity(max(0, least - 1), VARIADIC_ARITY) if "..." in inside else Arity(least, len(parts))


def make_row(values: SymbolColumns) -> Row:
    number, kind, file, name, qualified, start, end, body, signature = values
    # By `tuple` itself: the constructor of a NamedTuple is a function in Python.
    if len(qualified) <= len(name):
        return tuple.__new__(Row, (number, kind, file, name, "", "", start, end, body, signature, False))
    scope = qualified[: -len(name) - 2]
    owner = scope.rsplit("::", 1)[-1] if ":" in scope else scope
    const = signature.rstrip(" ;").endswith("const")
    return tuple.__new__(Row, (number, kind, file, name, scope, owner, start, end, body, signature, const))
