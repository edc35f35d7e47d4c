"""An index opened for reading, as typed queries. Nothing is loaded before a query needs it; nothing ever changes."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import numpy as np

from index.cpp.macros import Definition, MacroForm
from index.errors import StaleIndexError, TaskError
from index.store.database import open_database, read_meta_or_empty
from index.store.derived_arrays import Arrays, load_columns, load_or_make_derived_arrays, save_columns
from index.store.macro_texts import decode_definitions
from index.symbols.call_sites import HEAD, CallSite, SiteTable, count_packed_sites, unpack_sites
from index.symbols.includes import Include, find_nearest_included_path, group_paths_by_base_name
from index.symbols.source_files import hash_content
from index.values import ByteRange, Entry, FileId, Language, Span, Symbol, SymbolId, SymbolKind

_FILES_HELD = 256
_MOST_PARAMETERS = 500
"""Parameters of one SQL query."""


class SourceFile(NamedTuple):
    """An indexed file. `reason` says why it holds no symbols, or is "". The ids of its symbols count from
    `first_symbol`, in order of place."""

    id: int
    path: str
    digest: str
    size: int
    language: Language
    error_bytes: int
    reason: str
    first_symbol: int
    functions: int


SymbolColumns = tuple[int, str, int, str, str, int, int, int, str]
"""A symbol as the call graph reads it: id, kind, file id, name, qualified name, start, end, body, signature."""

MacroColumns = tuple[SymbolId, FileId, str, int, int]
"""A macro without parameters: id, file id, name, start, end."""

_PLAIN_MACRO = "(kind='macro' AND signature='#define ' || name AND qualified_name=name AND body=-1)"
_ROWS_PER_QUERY = 50_000

_FILES = (
    "SELECT id, path, digest, size, language, error_bytes, reason, first_symbol, functions FROM files ORDER BY path"
)
_ENTRIES = (
    'SELECT s.id, s.kind, s.name, s.qualified_name, f.path, s.first, s.last, s.start, s."end", s.signature, '
    "s.docstring, f.language, s.body, s.doc FROM symbols s JOIN files f ON f.id = s.file_id"
)


class IndexReader:
    """Files, symbols, call sites and includes of one commit. Safe to share between threads.

    Every method raises StaleIndexError when it meets a damaged page of the database.
    """

    def __init__(self, folder: Path, root: Path) -> None:
        """Open the index in `folder` of the tree `root`, which must stand as it was indexed. Raises StaleIndexError
        when it is missing, damaged or of another format; the message says to rebuild the index."""
        self.folder = folder
        self.root = root
        self._connection = open_database(folder)
        self._lock = threading.Lock()
        self.build = read_meta_or_empty(self._connection, "build")
        self.state = read_meta_or_empty(self._connection, "arrays")
        """A random key of the database's state. Whatever is derived from it by symbol ids is kept under this key."""
        self._arrays: dict[str, Any] = {}
        self.read_file = lru_cache(maxsize=_FILES_HELD)(self._read_file)
        self.entries_of_kind = lru_cache(maxsize=len(SymbolKind))(self._read_entries_of_kind)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def load_or_make_arrays(self, name: str, make: Callable[[Path], None], load: Callable[[Path], Arrays]) -> Arrays:
        """The arrays `name`, made once for this state of the index and kept in its folder (`store.derived_arrays`)."""
        return load_or_make_derived_arrays(self.folder, name, self.state, make, load)

    def load_or_make_columns(
        self, name: str, kind: type[Arrays], make_or_write: Callable[[Path], Arrays | None]
    ) -> Arrays:
        """The NamedTuple of arrays that `make_or_write` gives, made and kept as by `load_or_make_arrays`, mapped into
        memory at the first call. `make_or_write` gets the folder; where it gives None, it has written the arrays
        itself."""

        def save_made_columns_unless_written(folder: Path) -> None:
            if (columns := make_or_write(folder)) is not None:
                save_columns(columns, folder)

        if name not in self._arrays:
            self._arrays[name] = self.load_or_make_arrays(
                name, save_made_columns_unless_written, partial(load_columns, kind)
            )
        return cast(Arrays, self._arrays[name])

    # Files

    @cached_property
    def files(self) -> Mapping[str, SourceFile]:
        """All files that the build saw, by path, including those that it skipped."""
        return {row[1]: SourceFile(*row) for row in self._query(_FILES)}

    @cached_property
    def source_files(self) -> Sequence[SourceFile]:
        """The files that weren't skipped, by path."""
        return [file for file in self.files.values() if not file.reason]

    def read_symbol_text(self, symbol: Symbol) -> bytes:
        """A symbol's bytes, nothing hidden. Raises as `read_file`."""
        return self.read_file(symbol.path)[symbol.start_byte : symbol.end_byte]

    def _read_file(self, path: str) -> bytes:
        """An indexed file's bytes. Raises StaleIndexError when the file isn't what was indexed, TaskError when it
        isn't indexed at all."""
        file = self.files.get(path)
        if file is None or file.reason:
            raise TaskError(f"{path}: not a source file in the index of {self.root}")
        try:
            data = (self.root / path).read_bytes()
        except OSError as error:
            raise StaleIndexError(f"{self.root / path}: {error.strerror}; rebuild the index") from error
        if hash_content(data) != file.digest:
            raise StaleIndexError(f"{self.root / path}: changed since it was indexed; rebuild the index")
        return data

    # Symbols

    @property
    def functions(self) -> tuple[Entry, ...]:
        """All functions, sorted by path and place: the order in which retrievers number them."""
        return self.entries_of_kind(SymbolKind.FUNCTION)

    def iterate_functions(self) -> Iterator[Entry]:
        """As `functions`, read file by file: all of the kernel's at once are a gigabyte."""
        for file in self.source_files:
            if file.functions:
                yield from self.entries_in_file(file.path, SymbolKind.FUNCTION)

    def _read_entries(self, condition: str, *values: str | int) -> tuple[Entry, ...]:
        return tuple(map(_make_entry, self._query(f"{_ENTRIES} WHERE {condition}", *values)))

    def _read_entries_of_file(self, path: str, condition: str, *values: str | int) -> tuple[Entry, ...]:
        return tuple(map(_make_entry, self._query_file(path, f"{_ENTRIES} WHERE s.file_id=? {condition}", *values)))

    def _read_entries_of_kind(self, kind: SymbolKind) -> tuple[Entry, ...]:
        """All symbols of a kind, sorted by path and place."""
        return self._read_entries("s.kind=? ORDER BY f.path, s.start, s.id", kind.value)

    def entries_in_file(self, path: str, kind: SymbolKind | None = None) -> tuple[Entry, ...]:
        """The symbols of one file, of every kind or of one, in order; none for a path that isn't indexed."""
        if kind is None:
            return self._read_entries_of_file(path, "ORDER BY s.start, s.id")
        return self._read_entries_of_file(path, "AND s.kind=? ORDER BY s.start, s.id", kind.value)

    def entries_at(self, path: str, start_byte: int) -> tuple[Entry, ...]:
        """The symbols of a file that begin at this byte (a type and its typedef may begin together)."""
        return self._read_entries_of_file(path, "AND s.start=? ORDER BY s.id", start_byte)

    def find_symbol_ids(self, symbol: Symbol) -> list[SymbolId]:
        """The row ids of a symbol; several where the same text declares it more than once."""
        place = (symbol.kind, symbol.end_byte, symbol.name)
        return [
            entry.id
            for entry in self.entries_at(symbol.path, symbol.start_byte)
            if (entry.symbol.kind, entry.symbol.end_byte, entry.symbol.name) == place
        ]

    def read_entries_sorted_by_place(self, ids: Sequence[int]) -> list[Entry]:
        """The symbols with these row ids, by path and place; unknown ids are left out."""
        found: list[Entry] = []
        for i in range(0, len(ids), _MOST_PARAMETERS):
            some = [int(n) for n in ids[i : i + _MOST_PARAMETERS]]
            found += self._read_entries(f"s.id IN ({','.join('?' * len(some))})", *some)
        return sorted(found, key=lambda entry: (entry.symbol.path, entry.symbol.start_byte, entry.id))

    def entries_named(self, unqualified_name: str) -> tuple[Entry, ...]:
        """All symbols, of every kind, with this unqualified name, by path and place."""
        return self._read_entries("s.name=? ORDER BY f.path, s.start, s.id", unqualified_name)

    def bodies_named(self, path: str, unqualified_name: str) -> list[ByteRange]:
        """(start, end) of the bodies of a file's functions with this unqualified name, in order of place."""
        query = 'SELECT body, "end" FROM symbols WHERE file_id=? AND body>=0 AND name=? ORDER BY start, id'
        return self._query_file(path, query, unqualified_name)

    def list_extents_with_docstrings_overlapping(
        self, path: str, start: int, end: int
    ) -> list[tuple[SymbolId, int, int]]:
        """(row id, first byte, end) of a file's symbols, docstrings included, that overlap the bytes [start, end)."""
        query = 'SELECT id, doc, "end" FROM symbols WHERE file_id=? AND doc<? AND "end">?'
        return self._query_file(path, query, end, start)

    def list_distinct_qualified_names(self) -> list[str]:
        """All qualified names of all kinds, sorted, each once."""
        return [name for (name,) in self._query("SELECT DISTINCT qualified_name FROM symbols ORDER BY qualified_name")]

    def signatures(self, kinds: Iterable[SymbolKind]) -> list[tuple[SymbolId, str]]:
        """(row id, signature) of the symbols of these kinds, by id."""
        wanted = [kind.value for kind in kinds]
        places = ",".join("?" * len(wanted))
        return self._query(f"SELECT id, signature FROM symbols WHERE kind IN ({places}) ORDER BY id", *wanted)

    def symbol_counts(self) -> dict[str, int]:
        """The number of symbols of each kind, most first."""
        return dict(self._query("SELECT kind, COUNT(*) FROM symbols GROUP BY 1 ORDER BY 2 DESC"))

    def iterate_symbols_for_call_graph(self) -> Iterator[SymbolColumns]:
        """All symbols but enumerators and plain macros, by id, as the call graph reads them."""
        return self._query_in_batches_by_id(
            'SELECT id, kind, file_id, name, qualified_name, start, "end", body, signature FROM symbols '
            f"WHERE id > ? AND kind <> 'enumerator' AND NOT {_PLAIN_MACRO} ORDER BY id LIMIT {_ROWS_PER_QUERY}"
        )

    def iterate_macros_without_parameters(self) -> Iterator[MacroColumns]:
        """The plain macros, those without parameters, by id."""
        return self._query_in_batches_by_id(
            'SELECT id, file_id, name, start, "end" FROM symbols '
            f"WHERE id > ? AND {_PLAIN_MACRO} ORDER BY id LIMIT {_ROWS_PER_QUERY}"
        )

    def next_symbol_id(self) -> SymbolId:
        """One more than the largest id of a symbol."""
        return int(self._query("SELECT COALESCE(MAX(id), 0) + 1 FROM symbols")[0][0])

    # Call sites

    def call_sites(self, caller: Symbol) -> list[CallSite]:
        """The calls in a function in order of place, without those in functions inside it."""
        return [site for site, _ in self.call_sites_with_ends(caller)]

    def call_sites_with_ends(self, caller: Symbol) -> list[tuple[CallSite, int]]:
        """As `call_sites`, each with the end of the text that it was read from: a hole before that hides the site."""
        file = self.files.get(caller.path)
        if file is None:
            return []
        owners = [number - file.first_symbol for number in self.find_symbol_ids(caller)]
        table = self.site_table(caller.path)
        rows = np.flatnonzero(np.isin(table.owner, owners))
        return [(table.site_at(int(row)), int(table.end[row])) for row in rows]

    def site_table(self, path: str) -> SiteTable:
        """All call sites of a file as columns; `owner` counts from the file's `first_symbol`."""
        rows = self._query_file(path, "SELECT sites FROM sites WHERE file_id=?")
        try:
            return unpack_sites(rows[0][0] if rows else b"")
        except ValueError as error:
            raise StaleIndexError(f"{self.folder}: damaged ({path}: {error}); rebuild the index") from error

    def site_blob_sizes(self) -> dict[FileId, int]:
        """The stored bytes of each file's sites, by file id."""
        return dict(self._query("SELECT file_id, length(sites) FROM sites"))

    def count_call_sites(self) -> int:
        return sum(count_packed_sites(head) for (head,) in self._query("SELECT substr(sites, 1, ?) FROM sites", HEAD))

    # Includes and macros

    def includes_with_places(self, path: str) -> tuple[Include, ...]:
        """The includes of a file with their places."""
        rows = self._query_file(path, "SELECT at, text FROM includes WHERE file_id=? ORDER BY at")
        return tuple(Include(*row) for row in rows)

    def all_includes(self) -> list[tuple[FileId, str]]:
        """(file id, text) of all includes, by file and place."""
        return self._query("SELECT file_id, text FROM includes ORDER BY file_id, at")

    def includes(self, path: str) -> tuple[str, ...]:
        """The files of the tree that a file includes itself, in order, each once; see
        `includes.find_nearest_included_path`."""
        return self.resolve_includes(path, self.includes_with_places(path))

    def resolve_includes(self, path: str, includes: Iterable[Include]) -> tuple[str, ...]:
        """The files of the tree that these includes of `path` mean."""
        found = (find_nearest_included_path(path, include.text, self._paths_by_base_name) for include in includes)
        return tuple(dict.fromkeys(p for p in found if p is not None and p != path))

    @cached_property
    def _paths_by_base_name(self) -> Mapping[str, Sequence[str]]:
        return group_paths_by_base_name(file.path for file in self.source_files)

    def read_definitions_of_files_with(self, form: MacroForm) -> list[Definition]:
        """The `#define`s of all files that have a definition of this form, by path; those of other forms too."""
        rows = self._query("SELECT macros FROM files WHERE instr(macros, ?) ORDER BY path", form.value)
        return [definition for (text,) in rows for definition in decode_definitions(text)]

    # Token runs and shapes

    def body_blobs(self, column: Literal["hashes", "shape"]) -> Iterator[tuple[SymbolId, bytes]]:
        """(function's id, bytes of its run hashes or of its shape) of all functions, by id."""
        return self._query_in_batches_by_id(
            f"SELECT symbol_id, {column} FROM runs WHERE symbol_id > ? ORDER BY symbol_id LIMIT 5000"
        )

    def read_file_fingerprints(self) -> list[tuple[FileId, bytes]]:
        """(file id, bytes of the fingerprint) of all files, by id."""
        return self._query("SELECT file_id, fingerprint FROM texts ORDER BY file_id")

    def read_encoded_tokens(self, file_id: FileId) -> bytes:
        """The bytes of all tokens of a file."""
        rows = self._query("SELECT tokens FROM texts WHERE file_id=?", file_id)
        return rows[0][0] if rows else b""

    def _query_file(self, path: str, sql: str, *values: str | int) -> list[Any]:
        """The rows of a query whose first value is the file's id; none for a path that isn't indexed."""
        file = self.files.get(path)
        return [] if file is None else self._query(sql, file.id, *values)

    def _query_in_batches_by_id(self, sql: str) -> Iterator[Any]:
        """The rows of a query that gives those after an id: the kernel's symbols at once are gigabytes."""
        last = -1
        while rows := self._query(sql, last):
            yield from rows
            last = rows[-1][0]

    def _query(self, sql: str, *values: str | int) -> list[Any]:
        try:
            with self._lock:
                return self._connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise StaleIndexError(f"{self.folder}: damaged ({error}); rebuild the index") from error


def _make_entry(row: Sequence[Any]) -> Entry:
    number, kind, name, qualified_name, path, first, last, start, end, signature, docstring, language, body, doc = row
    place = (path, Span(first, last), start, end)
    return Entry(
        number, Symbol(SymbolKind(kind), name, qualified_name, *place, signature, docstring, language), body, doc
    )
