"""An index opened for reading. Nothing is loaded before a query needs it; nothing in it ever changes."""

from __future__ import annotations

import posixpath
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from index.callgraph.graph import CallGraph
from index.callgraph.graph import load as load_graph
from index.cpp.declarators import last_name
from index.cpp.tokens import tokens
from index.errors import StaleIndexError, TaskError
from index.hiding.clone_runs import load_runs, make_runs
from index.hiding.clones import RunTable, alike, is_clone, normalised_name
from index.hiding.holes import Hole, body_hole, merged, touches
from index.hiding.view import HiddenView
from index.store import database as store
from index.store.changes import Before, since
from index.store.database import Arrays
from index.symbols.includes import Include, by_base_name, resolve
from index.symbols.scan import digest
from index.symbols.sites import CallSite, SiteTable, unpack
from index.values import Masking, Span, Symbol, SymbolKind, Target

_OPEN_FILES = 256
_SQL_VALUES = 500


class Entry(NamedTuple):
    """A symbol with what only the index knows: its row id, where its body begins (-1: none) and its docstring."""

    id: int
    symbol: Symbol
    body: int
    doc: int


class SourceFile(NamedTuple):
    """An indexed file; `reason` says why it holds no symbols, or is "". Its symbols' ids count from
    `first_symbol`, in order of place."""

    id: int
    path: str
    digest: str
    reason: str
    first_symbol: int


_COLUMNS = (
    's.id, s.kind, s.name, s.qualified_name, f.path, s.first, s.last, s.start, s."end", s.signature, s.docstring, '
    "f.language, s.body, s.doc FROM symbols s JOIN files f ON f.id = s.file_id"
)


def open_index(folder: Path, root: Path) -> RepoIndex:
    """The index in `folder` of the tree `root`, which must stand as it was indexed.

    Raises StaleIndexError (missing, damaged, of another format: the message says to rebuild); so does every later
    use that meets a damaged page or a source file that has changed since.
    """
    return RepoIndex(folder, root, store.open_database(folder))


class RepoIndex:
    """Symbols, calls and runs of one commit. Safe to share between threads."""

    def __init__(self, folder: Path, root: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self.root = root
        self._connection = connection
        self._lock = threading.Lock()
        self.build = store.meta(connection, "build")
        self._arrays = store.meta(connection, "arrays")
        self._read = lru_cache(maxsize=_OPEN_FILES)(self._read_checked)
        self._of_kind = lru_cache(maxsize=len(SymbolKind))(self._load_kind)

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            self._connection.close()

    def hide(self, target: Target, masking: Masking) -> HiddenView:
        """The index without the target's body, and in "strict" without its clones' bodies; see `HiddenView`.

        Raises TaskError when the target's file isn't indexed or its span lies outside the file.
        """
        data = self._target_bytes(target)
        bodies = self.rows(
            'SELECT body, "end" FROM symbols WHERE file_id=? AND body>=0 AND name=? ORDER BY start, id',
            (self.files[target.path].id, last_name(target.name)),
        )
        hole = body_hole(data, target.span, [Hole(*body) for body in bodies])
        clones = self._clones(target, data, hole)
        holes: dict[str, list[Hole]] = {target.path: [hole]}
        if masking == "strict":
            for clone in clones:
                holes.setdefault(clone.symbol.path, []).append(Hole(clone.body, clone.symbol.end_byte))
        return HiddenView(
            self,
            target,
            masking,
            tuple(c.symbol for c in clones),
            {path: merged(found) for path, found in holes.items()},
        )

    def _target_bytes(self, target: Target) -> bytes:
        file = self.files.get(target.path)
        if file is None:
            raise TaskError(f"{target.repo}: {target.path} is not in the index of {self.root}")
        if file.reason:
            raise TaskError(f"{target.repo}: {target.path} was skipped by the index: {file.reason}")
        data = self.read(target.path)
        lines = data.count(b"\n") + 1
        if not 1 <= target.span.first <= target.span.last <= lines:
            span = f"{target.span.first}-{target.span.last}"
            raise TaskError(f"{target.repo}: {target.path} has {lines} lines, the target's span is {span}")
        return data

    def _clones(self, target: Target, data: bytes, hole: Hole) -> list[Entry]:
        body = data[hole.start : hole.end]
        size = len(tokens(body.decode("utf-8", "replace")))
        name = normalised_name(last_name(target.name))
        found = []
        likenesses = {c.id: c for c in alike(self.runs, body)}
        for entry in self.entries_by_id(list(likenesses)):
            symbol = entry.symbol
            same = symbol.path == target.path and symbol.start_byte < hole.end and hole.start < symbol.end_byte
            if not same and is_clone(
                likenesses[entry.id], body_tokens=size, same_name=normalised_name(symbol.name) == name
            ):
                found.append(entry)
        return found

    @cached_property
    def files(self) -> Mapping[str, SourceFile]:
        """All files that the build saw, by path, the skipped ones too."""
        with self._lock:
            rows = self._query("SELECT id, path, digest, reason, first_symbol FROM files ORDER BY path", ())
        return {row[1]: SourceFile(*row) for row in rows}

    def read(self, path: str) -> bytes:
        """An indexed file's bytes. Raises StaleIndexError when it isn't what was indexed, TaskError when it isn't
        indexed at all."""
        return self._read(path)

    def _read_checked(self, path: str) -> bytes:
        file = self.files.get(path)
        if file is None or file.reason:
            raise TaskError(f"{path}: not a source file in the index of {self.root}")
        try:
            data = (self.root / path).read_bytes()
        except OSError as error:
            raise StaleIndexError(f"{self.root / path}: {error.strerror}; rebuild the index") from error
        if digest(data) != file.digest:
            raise StaleIndexError(f"{self.root / path}: changed since it was indexed; rebuild the index")
        return data

    @property
    def functions(self) -> tuple[Entry, ...]:
        """All functions, sorted by path and place: the order in which retrievers number them."""
        return self.entries(SymbolKind.FUNCTION)

    def entries(self, kind: SymbolKind) -> tuple[Entry, ...]:
        """All symbols of a kind, sorted by path and place."""
        return self._of_kind(kind)

    def _load_kind(self, kind: SymbolKind) -> tuple[Entry, ...]:
        with self._lock:
            rows = self._query(f"SELECT {_COLUMNS} WHERE s.kind=? ORDER BY f.path, s.start, s.id", (kind.value,))
        return tuple(_entry(row) for row in rows)

    def entries_of(self, path: str) -> tuple[Entry, ...]:
        """All symbols of one file, in order."""
        file = self.files.get(path)
        if file is None:
            return ()
        with self._lock:
            rows = self._query(f"SELECT {_COLUMNS} WHERE s.file_id=? ORDER BY s.start, s.id", (file.id,))
        return tuple(_entry(row) for row in rows)

    def entries_at(self, path: str, start: int) -> tuple[Entry, ...]:
        """The symbols of a file that begin at this byte (a type and its typedef may begin together)."""
        file = self.files.get(path)
        if file is None:
            return ()
        values = (file.id, start)
        rows = self.rows(f"SELECT {_COLUMNS} WHERE s.file_id=? AND s.start=? ORDER BY s.id", values)
        return tuple(_entry(row) for row in rows)

    def ids_touched(self, path: str, holes: Sequence[Hole]) -> list[int]:
        """Row ids of a file's symbols, docstrings included, that a hole takes a byte of."""
        file = self.files.get(path)
        if file is None or not holes:
            return []
        # Those between the first hole and the last; a file has a handful of holes and thousands of symbols.
        values = (file.id, max(hole.end for hole in holes), min(hole.start for hole in holes))
        rows = self.rows('SELECT id, doc, "end" FROM symbols WHERE file_id=? AND doc<? AND "end">?', values)
        return [number for number, doc, end in rows if touches(doc, end, holes)]

    def entries_by_id(self, ids: Sequence[int]) -> list[Entry]:
        """The symbols with these row ids, by path and place; ids that there aren't are left out."""
        rows = []
        for i in range(0, len(ids), _SQL_VALUES):
            some = tuple(int(n) for n in ids[i : i + _SQL_VALUES])
            places = ",".join("?" * len(some))
            with self._lock:
                rows += self._query(f"SELECT {_COLUMNS} WHERE s.id IN ({places})", some)
        return sorted((_entry(row) for row in rows), key=_place)

    def entries_named(self, name: str) -> tuple[Entry, ...]:
        """All symbols, of every kind, with this unqualified name, by path and place."""
        with self._lock:
            rows = self._query(f"SELECT {_COLUMNS} WHERE s.name=? ORDER BY f.path, s.start, s.id", (name,))
        return tuple(_entry(row) for row in rows)

    def qualified_names(self) -> list[str]:
        """All qualified names of all kinds, sorted, each once."""
        with self._lock:
            rows = self._query("SELECT DISTINCT qualified_name FROM symbols ORDER BY qualified_name", ())
        return [name for (name,) in rows]

    def signatures(self, kinds: Iterable[SymbolKind]) -> list[tuple[int, str]]:
        """(row id, signature) of the symbols of these kinds, by id."""
        wanted = tuple(kind.value for kind in kinds)
        with self._lock:
            return self._query(
                f"SELECT id, signature FROM symbols WHERE kind IN ({','.join('?' * len(wanted))}) ORDER BY id",
                wanted,
            )

    def call_sites(self, symbol: Symbol) -> list[CallSite]:
        """The calls in a function, those in functions inside it excluded, in order of place."""
        return [site for site, _ in self.sites_with_ends(symbol)]

    def sites_with_ends(self, symbol: Symbol) -> list[tuple[CallSite, int]]:
        """As `call_sites`, each with the end of the text that it was read from: a hole before it hides the site."""
        file = self.files.get(symbol.path)
        if file is None:
            return []
        owners = [
            e.id - file.first_symbol
            for e in self.entries_at(symbol.path, symbol.start_byte)
            if (e.symbol.start_byte, e.symbol.end_byte, e.symbol.name)
            == (symbol.start_byte, symbol.end_byte, symbol.name)
        ]
        table = self.site_table(symbol.path)
        rows = np.flatnonzero(np.isin(table.owner, owners))
        return [(table.site(int(row)), int(table.end[row])) for row in rows]

    def site_table(self, path: str) -> SiteTable:
        """All call sites of a file as columns; `owner` counts from the file's `first_symbol`."""
        file = self.files.get(path)
        if file is None:
            return unpack(b"")
        with self._lock:
            rows = self._query("SELECT sites FROM sites WHERE file_id=?", (file.id,))
        try:
            return unpack(rows[0][0] if rows else b"")
        except ValueError as error:
            raise StaleIndexError(f"{self.folder}: damaged ({path}: {error}); rebuild the index") from error

    def all_sites(self) -> Iterator[tuple[SourceFile, SiteTable]]:
        """The sites of all files that have some, by path; a file's table is made when it is asked for."""
        for file in self.files.values():
            table = self.site_table(file.path)
            if len(table.at):
                yield file, table

    def calls_of(self, symbol: Symbol) -> list[tuple[int, str]]:
        """(offset in the file, name as written) of the calls in a function, in order; neither constructions nor
        operators."""
        return [(s.at, s.name) for s in self.call_sites(symbol) if s.form not in ("construct", "operator")]

    def include_lines(self, path: str) -> tuple[str, ...]:
        """What a file includes, as written with its quotes or angles, in order."""
        return tuple(include.text for include in self.included(path))

    def included(self, path: str) -> tuple[Include, ...]:
        """The includes of a file with their places."""
        file = self.files.get(path)
        if file is None:
            return ()
        with self._lock:
            rows = self._query("SELECT at, text FROM includes WHERE file_id=? ORDER BY at", (file.id,))
        return tuple(Include(*row) for row in rows)

    def includes(self, path: str) -> tuple[str, ...]:
        """The files of the tree that a file includes itself, in order, each once; see `includes.resolve`."""
        return self.resolved(path, self.included(path))

    def resolved(self, path: str, lines: Iterable[Include]) -> tuple[str, ...]:
        """The files of the tree that these includes of `path` mean."""
        found = (resolve(path, line.text, self._paths) for line in lines)
        return tuple(dict.fromkeys(p for p in found if p is not None and p != path))

    def included_by(self, path: str) -> tuple[str, ...]:
        """The files that include `path` themselves, sorted."""
        return tuple(sorted({where for where, _ in self.includers(path)}))

    def includers(self, path: str) -> list[tuple[str, int]]:
        """(file, offset in it) of the include lines that mean `path`."""
        with self._lock:
            rows = self._query(
                "SELECT f.path, i.at, i.text FROM includes i JOIN files f ON f.id = i.file_id WHERE i.base=?",
                (posixpath.basename(path),),
            )
        return [(where, at) for where, at, text in rows if where != path and resolve(where, text, self._paths) == path]

    @cached_property
    def _paths(self) -> Mapping[str, Sequence[str]]:
        return by_base_name(f.path for f in self.files.values() if not f.reason)

    def derived(self, name: str, make: Callable[[Path], None], load: Callable[[Path], Arrays]) -> Arrays:
        """The arrays `name`, made once for this build and kept with it; see `store.derived`."""
        return store.derived(self.folder, name, self._arrays, make, load)

    @cached_property
    def graph(self) -> CallGraph:
        """Who calls whom, resolved by name over the whole tree: made at the first use, then mapped. After an update
        of a few files the graph of before is patched."""
        return self.derived("graph", self._make_graph, load_graph)

    def _make_graph(self, folder: Path) -> None:
        from index.callgraph.patch import make_graph

        make_graph(self, folder)

    @property
    def state(self) -> str:
        """The random key of the database's state: what is derived from it by symbol ids goes by it."""
        return self._arrays

    def changed_since(self, state: str) -> list[Before] | None:
        """The files that aren't as they were in an earlier state, as they were; None when that isn't told."""
        with self._lock:
            try:
                return since(self._connection, state, self._arrays)
            except sqlite3.DatabaseError as error:
                raise StaleIndexError(f"{self.folder}: damaged ({error}); rebuild the index") from error

    def rows(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple]:  # type: ignore[type-arg]
        """The rows of a query over the index's own tables, for what is derived from them."""
        with self._lock:
            return self._query(sql, values)

    @cached_property
    def runs(self) -> RunTable:
        """The hashed token runs of all bodies, by which a target's clones are found."""
        return self.derived("runs", lambda folder: make_runs(self, folder), load_runs)

    def _query(self, sql: str, values: tuple[object, ...]) -> list[tuple]:  # type: ignore[type-arg]
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise StaleIndexError(f"{self.folder}: damaged ({error}); rebuild the index") from error


def _entry(row: tuple) -> Entry:  # type: ignore[type-arg]
    number, kind, name, qualified, path, first, last, start, end, signature, docstring, language, body, doc = row
    symbol = Symbol(
        kind=SymbolKind(kind),
        name=name,
        qualified_name=qualified,
        path=path,
        span=Span(first, last),
        start_byte=start,
        end_byte=end,
        signature=signature,
        docstring=docstring,
        language=language,
    )
    return Entry(number, symbol, body, doc)


def _place(entry: Entry) -> tuple[str, int, int]:
    return entry.symbol.path, entry.symbol.start_byte, entry.id
