"""What a build writes: the database's schema, rows of files, and the step that makes a new database the index."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from index.cpp.macros import Definition, LearntMacros
from index.store.database import is_database_sound, read_meta_or_empty
from index.store.macro_texts import decode_definitions, decode_learnt_macros, encode_definitions
from index.store.manifest import FORMAT, find_database, write_manifest
from index.symbols.includes import Include
from index.symbols.source_files import ScannedFile
from index.symbols.source_parser import ParsedFile

BUILDING = "building.sqlite"
"""The database of a build that isn't complete; the next build continues with it."""
_FEW_PATHS = 200

_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, size INTEGER NOT NULL,
    language TEXT NOT NULL, error_bytes INTEGER NOT NULL, reason TEXT NOT NULL,
    first_symbol INTEGER NOT NULL, functions INTEGER NOT NULL, stamp TEXT NOT NULL, macros TEXT NOT NULL);
CREATE TABLE symbols(
    id INTEGER PRIMARY KEY, file_id INTEGER NOT NULL REFERENCES files(id), kind TEXT NOT NULL,
    name TEXT NOT NULL, qualified_name TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    start INTEGER NOT NULL, "end" INTEGER NOT NULL, body INTEGER NOT NULL, doc INTEGER NOT NULL,
    signature TEXT NOT NULL, docstring TEXT NOT NULL);
CREATE TABLE sites(file_id INTEGER PRIMARY KEY, sites BLOB NOT NULL);
CREATE TABLE includes(file_id INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL);
CREATE TABLE runs(symbol_id INTEGER PRIMARY KEY, hashes BLOB NOT NULL, shape BLOB NOT NULL);
CREATE TABLE texts(file_id INTEGER PRIMARY KEY, tokens BLOB NOT NULL, fingerprint BLOB NOT NULL);
"""
_INDEXES = """
CREATE INDEX IF NOT EXISTS symbols_by_file ON symbols(file_id);
CREATE INDEX IF NOT EXISTS symbols_by_name ON symbols(name);
CREATE INDEX IF NOT EXISTS includes_by_file ON includes(file_id);
"""


class StoredFile(NamedTuple):
    """A file as the last build left it."""

    id: int
    path: str
    digest: str
    reason: str
    stamp: str


class FileResult(NamedTuple):
    """All that is stored of one parsed file. `runs` are (position in the symbols, bytes of the run hashes, bytes of
    the shape); `text` are the bytes of all its tokens and of their fingerprint."""

    scanned: ScannedFile
    parsed: ParsedFile
    runs: tuple[tuple[int, bytes, bytes], ...]
    sites: bytes = b""
    includes: tuple[Include, ...] = ()
    text: tuple[bytes, bytes] = (b"", b"")


def open_unfinished_or_new_database(folder: Path, old: sqlite3.Connection | None) -> sqlite3.Connection:
    """The unfinished database of a build that was killed, else a copy of `old`, else an empty one. It stays sound
    when its process is killed at any moment; it isn't safe from a loss of power, and needn't be."""
    path = folder / BUILDING
    connection = _open_unfinished_database(path)
    if connection is None:
        for name in (BUILDING, f"{BUILDING}-journal"):
            (folder / name).unlink(missing_ok=True)
        connection = sqlite3.connect(path, isolation_level=None)
        if old is not None:
            old.backup(connection)
        _set_build_pragmas(connection)
        if old is None:
            connection.executescript(_SCHEMA)
        write_meta(connection, format=str(FORMAT))
    return connection


def _open_unfinished_database(path: Path) -> sqlite3.Connection | None:
    if not path.is_file():
        return None
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        _set_build_pragmas(connection)
        if read_meta_or_empty(connection, "format") == str(FORMAT) and is_database_sound(connection):
            return connection
    except sqlite3.Error:
        pass
    connection.close()
    return None


def _set_build_pragmas(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode=TRUNCATE")
    connection.execute("PRAGMA synchronous=OFF")


def open_database_to_change_in_place(folder: Path) -> sqlite3.Connection:
    """The whole index, to be changed in one transaction. Its readers go on with what they opened."""
    connection = sqlite3.connect(find_database(folder), isolation_level=None, timeout=60)
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """What the block changes is on disk when it ends. When it raises, closing the connection undoes it."""
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.execute("COMMIT")


def remove_files(connection: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Remove files with everything that belongs to them."""
    for file_id in ids:
        connection.execute("DELETE FROM runs WHERE symbol_id IN (SELECT id FROM symbols WHERE file_id=?)", (file_id,))
        for table in ("symbols", "sites", "includes", "texts"):
            connection.execute(f"DELETE FROM {table} WHERE file_id=?", (file_id,))
        connection.execute("DELETE FROM files WHERE id=?", (file_id,))


def insert_file(connection: sqlite3.Connection, result: FileResult) -> None:
    """Add one file. A file that was skipped is kept as a row with its reason."""
    scanned, parsed = result.scanned, result.parsed
    reason = scanned.reason or parsed.reason
    next_id = connection.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM symbols").fetchone()[0]
    cursor = connection.execute(
        "INSERT INTO files(path, digest, size, language, error_bytes, reason, first_symbol, functions, stamp, "
        "macros) VALUES(?,?,?,?,?,?,?,?,?,?)",
        (
            *(scanned.path, scanned.digest, scanned.size, parsed.language, parsed.error_bytes, reason, next_id),
            *(sum(s.kind == "function" for s in parsed.symbols), scanned.stamp, encode_definitions(scanned.macros)),
        ),
    )
    file_id = cursor.lastrowid
    connection.executemany(
        "INSERT INTO symbols VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
        ((next_id + i, file_id, *s) for i, s in enumerate(parsed.symbols)),
    )
    if result.sites:
        connection.execute("INSERT INTO sites VALUES(?,?)", (file_id, result.sites))
    if any(result.text):
        connection.execute("INSERT INTO texts VALUES(?,?,?)", (file_id, *result.text))
    connection.executemany("INSERT INTO includes VALUES(?,?,?)", ((file_id, *i) for i in result.includes))
    connection.executemany("INSERT INTO runs VALUES(?,?,?)", ((next_id + i, *stored) for i, *stored in result.runs))


def set_stamps(connection: sqlite3.Connection, path_stamp_pairs: Iterable[tuple[str, str]]) -> None:
    """Set files' stamps, given as (path, stamp)."""
    connection.executemany(
        "UPDATE files SET stamp=? WHERE path=? AND stamp<>?",
        ((stamp, path, stamp) for path, stamp in path_stamp_pairs),
    )


def write_meta(connection: sqlite3.Connection, **values: str) -> None:
    """Set values of the index's description of itself: format, build, learnt, arrays."""
    connection.executemany("INSERT OR REPLACE INTO meta VALUES(?,?)", values.items())


def write_new_random_state_key(connection: sqlite3.Connection, build: str, learnt: LearntMacros) -> str:
    """Describe a new state of the index under a new random key, by which derived arrays are kept. Returns the key."""
    key = secrets.token_hex(6)
    write_meta(connection, build=build, learnt=json.dumps(learnt, separators=(",", ":")), arrays=key)
    return key


def publish_database(connection: sqlite3.Connection, folder: Path, build: str, learnt: LearntMacros) -> None:
    """Make the database that was built the index. Readers that have an earlier one open keep it."""
    connection.executescript(_INDEXES)
    name = f"index-{write_new_random_state_key(connection, build, learnt)}.sqlite"
    connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
    with (folder / BUILDING).open("rb") as file:
        os.fsync(file.fileno())
    (folder / BUILDING).replace(folder / name)
    write_manifest(folder, build, name)
    for other in folder.glob("index*.sqlite*"):
        if not other.name.startswith(name):
            other.unlink(missing_ok=True)


def read_stored_files(connection: sqlite3.Connection) -> list[StoredFile]:
    """All files that the last build saw, by path; the skipped ones with their reason."""
    rows = connection.execute("SELECT id, path, digest, reason, stamp FROM files ORDER BY path")
    return [StoredFile(*row) for row in rows]


def read_learnt_macros(connection: sqlite3.Connection) -> LearntMacros:
    return decode_learnt_macros(read_meta_or_empty(connection, "learnt") or "{}")


def read_stored_definitions(connection: sqlite3.Connection, paths: Set[str]) -> dict[str, list[Definition]]:
    """The `#define`s of these files by path; a path that isn't stored is left out."""
    if len(paths) > _FEW_PATHS:
        rows = [row for row in connection.execute("SELECT path, macros FROM files") if row[0] in paths]
    else:
        query = "SELECT path, macros FROM files WHERE path=?"
        rows = [row for path in paths for row in connection.execute(query, (path,))]
    return {path: decode_definitions(text) for path, text in rows}
