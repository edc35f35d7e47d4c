"""The index on disk: one SQLite file for what was parsed, a manifest for people and for the format check, and a
folder of derived arrays that anybody can make again."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from index.errors import StaleIndexError
from index.includes import Include, base_name
from index.macros import MacroForm
from index.parse import ParsedFile
from index.scan import Scanned

Arrays = TypeVar("Arrays")

FORMAT = 3
"""Raised with the schema, and whenever the parser finds other symbols in the same text."""
DATABASE = "index.sqlite"
MANIFEST = "manifest.json"
_DERIVED = "derived"

_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, size INTEGER NOT NULL,
    language TEXT NOT NULL, error_bytes INTEGER NOT NULL, reason TEXT NOT NULL,
    first_symbol INTEGER NOT NULL);
CREATE TABLE symbols(
    id INTEGER PRIMARY KEY, file_id INTEGER NOT NULL REFERENCES files(id), kind TEXT NOT NULL,
    name TEXT NOT NULL, qualified_name TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    start INTEGER NOT NULL, "end" INTEGER NOT NULL, body INTEGER NOT NULL, doc INTEGER NOT NULL,
    signature TEXT NOT NULL, docstring TEXT NOT NULL);
CREATE TABLE sites(file_id INTEGER PRIMARY KEY, sites BLOB NOT NULL);
CREATE TABLE includes(file_id INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL, base TEXT NOT NULL);
CREATE TABLE runs(symbol_id INTEGER PRIMARY KEY, hashes BLOB NOT NULL);
"""
_INDEXES = """
CREATE INDEX IF NOT EXISTS symbols_by_file ON symbols(file_id);
CREATE INDEX IF NOT EXISTS symbols_by_name ON symbols(name);
CREATE INDEX IF NOT EXISTS includes_by_file ON includes(file_id);
CREATE INDEX IF NOT EXISTS includes_by_base ON includes(base);
"""


class StoredFile(NamedTuple):
    """A file's row: what the last build knew of it."""

    id: int
    path: str
    digest: str
    reason: str


class FileResult(NamedTuple):
    """What the parsing stage hands to the store: `runs` are (position in the symbols, hashes' bytes)."""

    scanned: Scanned
    parsed: ParsedFile
    runs: tuple[tuple[int, bytes], ...]
    sites: bytes = b""
    includes: tuple[Include, ...] = ()


def create(path: Path) -> sqlite3.Connection:
    """A new, empty database. It is only renamed into place when whole, so it needs no journal of its own."""
    connection = sqlite3.connect(path)
    _unsafe_but_beside(connection)
    connection.executescript(_SCHEMA)
    return connection


def reopen_copy(source: Path, path: Path) -> sqlite3.Connection:
    """A copy of an index to be changed and renamed over the old one."""
    shutil.copyfile(source, path)
    connection = sqlite3.connect(path)
    _unsafe_but_beside(connection)
    return connection


def _unsafe_but_beside(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode=OFF")
    connection.execute("PRAGMA synchronous=OFF")


def remove_files(connection: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Drop files with all that hangs on them."""
    for file_id in ids:
        connection.execute(
            "DELETE FROM runs WHERE symbol_id IN (SELECT id FROM symbols WHERE file_id=?)", (file_id,)
        )
        for table in ("symbols", "sites", "includes"):
            connection.execute(f"DELETE FROM {table} WHERE file_id=?", (file_id,))
        connection.execute("DELETE FROM files WHERE id=?", (file_id,))


def insert(connection: sqlite3.Connection, result: FileResult) -> None:
    """Add one file. A file that was skipped is kept as a row with its reason."""
    scanned, parsed = result.scanned, result.parsed
    reason = scanned.reason or parsed.reason
    next_id = connection.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM symbols").fetchone()[0]
    cursor = connection.execute(
        "INSERT INTO files(path, digest, size, language, error_bytes, reason, first_symbol) VALUES(?,?,?,?,?,?,?)",
        (scanned.path, scanned.digest, scanned.size, parsed.language, parsed.error_bytes, reason, next_id),
    )
    file_id = cursor.lastrowid
    connection.executemany(
        "INSERT INTO symbols VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
        ((next_id + i, file_id, *s) for i, s in enumerate(parsed.symbols)),
    )
    if result.sites:
        connection.execute("INSERT INTO sites VALUES(?,?)", (file_id, result.sites))
    connection.executemany(
        "INSERT INTO includes VALUES(?,?,?,?)",
        ((file_id, i.at, i.text, base_name(i.text)) for i in result.includes),
    )
    connection.executemany("INSERT INTO runs VALUES(?,?)", ((next_id + i, h) for i, h in result.runs))


def finish(connection: sqlite3.Connection, build: str, learnt: Mapping[str, MacroForm]) -> None:
    """Write what makes it a whole index."""
    connection.executescript(_INDEXES)
    connection.executemany(
        "INSERT OR REPLACE INTO meta VALUES(?,?)",
        (("format", str(FORMAT)), ("build", build), ("learnt", json.dumps(learnt))),
    )
    connection.commit()
    connection.close()


def write_manifest(folder: Path, build: str) -> None:
    beside = folder / f"{MANIFEST}.tmp-{os.getpid()}"
    beside.write_text(json.dumps({"format": FORMAT, "build": build}, indent=1) + "\n", encoding="utf-8")
    beside.replace(folder / MANIFEST)


def open_database(folder: Path) -> sqlite3.Connection:
    """The index in `folder`, for reading. Raises StaleIndexError when it is missing, damaged or of another
    format."""
    path = folder / DATABASE
    manifest = folder / MANIFEST
    if not path.is_file() or not manifest.is_file():
        raise StaleIndexError(f"{folder}: no index there; build one")
    try:
        stated = json.loads(manifest.read_text(encoding="utf-8"))["format"]
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise StaleIndexError(f"{manifest}: damaged; rebuild the index") from error
    if stated != FORMAT:
        raise StaleIndexError(f"{manifest}: index format {stated}, this Graft reads {FORMAT}; rebuild the index")
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
    try:
        if meta(connection, "format") != str(FORMAT):
            raise StaleIndexError(f"{path}: of another format than its manifest says; rebuild the index")
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        if path.stat().st_size < pages * size:
            raise StaleIndexError(f"{path}: cut short; rebuild the index")
    except sqlite3.Error as error:
        connection.close()
        raise StaleIndexError(f"{path}: damaged ({error}); rebuild the index") from error
    except StaleIndexError:
        connection.close()
        raise
    return connection


def is_whole(connection: sqlite3.Connection) -> bool:
    """Whether every page of the database is what was written (some 2 ms a MB)."""
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False


def meta(connection: sqlite3.Connection, key: str) -> str:
    """A value of the index's own description: format, build, learnt; "" when it isn't there."""
    row = connection.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
    return "" if row is None else str(row[0])


def stored_files(connection: sqlite3.Connection) -> list[StoredFile]:
    """All files that the last build saw, the skipped ones with their reason."""
    rows = connection.execute("SELECT id, path, digest, reason FROM files ORDER BY path")
    return [StoredFile(*row) for row in rows]


def stored_macros(connection: sqlite3.Connection) -> dict[str, MacroForm]:
    """The macros that the last build blanked."""
    return {name: MacroForm(form) for name, form in json.loads(meta(connection, "learnt") or "{}").items()}


def derived(
    folder: Path, name: str, build: str, make: Callable[[Path], None], load: Callable[[Path], Arrays]
) -> Arrays:
    """What `load` reads from the folder of arrays `name` of build `build`. `make` fills that folder when it isn't
    there, or when `load` finds it damaged (OSError, ValueError, EOFError). Atomic: two processes may make it at
    once, and either's serves both."""
    path = folder / _DERIVED / f"{name}-{build}"
    if path.is_dir():
        try:
            return load(path)
        except (OSError, ValueError, EOFError):
            shutil.rmtree(path, ignore_errors=True)
    _make_beside(path, make)
    return load(path)


def _make_beside(path: Path, make: Callable[[Path], None]) -> None:
    if not path.is_dir():
        beside = path.with_name(f"{path.name}.tmp-{os.getpid()}")
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        make(beside)
        try:
            beside.rename(path)
        except OSError:
            shutil.rmtree(beside)
            if not path.is_dir():
                raise


def remove_leftovers(folder: Path, build: str) -> None:
    """Drop derived arrays of other builds, and the unfinished files of processes that are gone."""
    for path in (folder / _DERIVED).glob("*"):
        if not path.name.endswith(build) and not _in_use(path):
            shutil.rmtree(path, ignore_errors=True)
    for path in folder.glob("*.tmp-*"):
        if not _in_use(path):
            path.unlink(missing_ok=True)


def _in_use(path: Path) -> bool:
    _, mark, pid = path.name.rpartition(".tmp-")
    return bool(mark) and pid.isdigit() and Path("/proc", pid).exists()
