"""The index on disk: one SQLite file for what was parsed, a manifest for people and for the format check, and a
folder of derived arrays that anybody can make again."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping, Set
from pathlib import Path
from typing import NamedTuple, TypeVar

from index.cpp.macros import Definition, Learnt
from index.errors import StaleIndexError
from index.store.macros import as_text, definitions_from, definitions_text, from_text
from index.symbols.includes import Include, base_name
from index.symbols.parse import ParsedFile
from index.symbols.scan import Scanned

Arrays = TypeVar("Arrays")

FORMAT = 10
"""Raised with the schema, and whenever the parser finds other symbols in the same text."""
BUILDING = "building.sqlite"
"""A build that isn't whole yet; the next one goes on with it."""
MANIFEST = "manifest.json"
_DERIVED = "derived"
_RENAMED = 5
_FEW_PATHS = 200

_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, size INTEGER NOT NULL,
    language TEXT NOT NULL, error_bytes INTEGER NOT NULL, reason TEXT NOT NULL,
    first_symbol INTEGER NOT NULL, symbols INTEGER NOT NULL, functions INTEGER NOT NULL, stamp TEXT NOT NULL,
    macros TEXT NOT NULL);
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
    stamp: str


class FileResult(NamedTuple):
    """What the parsing stage hands to the store: `runs` are (position in the symbols, hashes' bytes)."""

    scanned: Scanned
    parsed: ParsedFile
    runs: tuple[tuple[int, bytes], ...]
    sites: bytes = b""
    includes: tuple[Include, ...] = ()


def start_building(folder: Path, old: sqlite3.Connection | None) -> sqlite3.Connection:
    """The unfinished database of a build that was killed, else a copy of `old`, else an empty one. A process that
    is killed at any moment leaves it sound; it isn't safe from a loss of power, and needn't be."""
    path = folder / BUILDING
    connection = _unfinished(path)
    if connection is None:
        for name in (BUILDING, f"{BUILDING}-journal"):
            (folder / name).unlink(missing_ok=True)
        connection = sqlite3.connect(path, isolation_level=None)
        if old is not None:
            old.backup(connection)
        _for_building(connection)
        if old is None:
            connection.executescript(_SCHEMA)
        connection.execute("INSERT OR REPLACE INTO meta VALUES('format', ?)", (str(FORMAT),))
    return connection


def _unfinished(path: Path) -> sqlite3.Connection | None:
    if not path.is_file():
        return None
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        _for_building(connection)
        if meta(connection, "format") == str(FORMAT) and is_whole(connection):
            return connection
    except sqlite3.Error:
        pass
    connection.close()
    return None


def _for_building(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode=TRUNCATE")
    connection.execute("PRAGMA synchronous=OFF")


def open_for_update(folder: Path) -> sqlite3.Connection:
    """The whole index, to be changed in one transaction beside its readers, who go on with what they opened."""
    told = _manifest(folder)
    if told.pop("sum", None) is not None:
        _write_manifest(folder, told)  # before the database changes: else a reader would take it for damaged
    connection = sqlite3.connect(_database(folder), isolation_level=None, timeout=60)
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


def remove_files(connection: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Drop files with all that hangs on them."""
    for file_id in ids:
        connection.execute("DELETE FROM runs WHERE symbol_id IN (SELECT id FROM symbols WHERE file_id=?)", (file_id,))
        for table in ("symbols", "sites", "includes"):
            connection.execute(f"DELETE FROM {table} WHERE file_id=?", (file_id,))
        connection.execute("DELETE FROM files WHERE id=?", (file_id,))


def insert(connection: sqlite3.Connection, result: FileResult) -> None:
    """Add one file. A file that was skipped is kept as a row with its reason."""
    scanned, parsed = result.scanned, result.parsed
    reason = scanned.reason or parsed.reason
    next_id = connection.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM symbols").fetchone()[0]
    cursor = connection.execute(
        "INSERT INTO files(path, digest, size, language, error_bytes, reason, first_symbol, symbols, functions, "
        "stamp, macros) VALUES(?,?,?,?,?,?,?,?,?,?,?)",
        (
            *(scanned.path, scanned.digest, scanned.size, parsed.language, parsed.error_bytes, reason, next_id),
            *(len(parsed.symbols), sum(s.kind == "function" for s in parsed.symbols), scanned.stamp),
            macros_text(scanned.macros),
        ),
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


def macros_text(found: Iterable[Definition]) -> str:
    """A file's definitions as they are stored."""
    return definitions_text(found)


def describe(connection: sqlite3.Connection, **values: str) -> None:
    """Set values of the index's own description: build, arrays, learnt."""
    connection.executemany("INSERT OR REPLACE INTO meta VALUES(?,?)", values.items())


def learnt_text(learnt: Learnt) -> str:
    """The learnt macros as they are stored."""
    return as_text(learnt)


def publish(connection: sqlite3.Connection, folder: Path, build: str, learnt: Learnt) -> None:
    """Make the database that was built the index. Those who have another open keep it."""
    arrays = secrets.token_hex(6)
    connection.executescript(_INDEXES)
    describe(connection, build=build, learnt=learnt_text(learnt), arrays=arrays)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.close()
    path = folder / f"index-{arrays}.sqlite"
    with (folder / BUILDING).open("rb") as file:
        os.fsync(file.fileno())
    (folder / BUILDING).replace(path)
    write_manifest(folder, build, path.name, summed=True)
    for other in folder.glob("index*.sqlite*"):
        if not other.name.startswith(path.name):
            other.unlink(missing_ok=True)


def write_manifest(folder: Path, build: str, database: str = "", *, summed: bool = False) -> None:
    """What people, and the next build, want to know of the index. `stamp` tells whether somebody else has written
    to the database since, `sum` whether that has changed it."""
    database = database or _database(folder).name
    told = {"format": FORMAT, "build": build, "database": database, "stamp": _stamp(folder / database)}
    _write_manifest(folder, told | ({"sum": _sum(folder / database)} if summed else {}))


def _write_manifest(folder: Path, told: Mapping[str, object]) -> None:
    beside = folder / f"{MANIFEST}.tmp-{os.getpid()}"
    beside.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    beside.replace(folder / MANIFEST)


def _stamp(path: Path) -> str:
    info = path.stat()
    return f"{info.st_size}.{info.st_mtime_ns}"


def _sum(path: Path) -> int:
    total = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            total = zlib.crc32(block, total)
    return total


def _is_as_written(folder: Path) -> bool:
    """Whether the database holds what the build wrote, as far as that can be told: SQLite itself sees damage to its
    structure, not to a text in it. Read whole only when somebody else has written to it."""
    told = _manifest(folder)
    return "sum" not in told or untouched(folder) or told["sum"] == _sum(_database(folder))


def untouched(folder: Path) -> bool:
    """Whether the database is the very file that the last build left."""
    return str(_manifest(folder).get("stamp")) == _stamp(_database(folder))


def _manifest(folder: Path) -> dict[str, object]:
    path = folder / MANIFEST
    if not path.is_file():
        raise StaleIndexError(f"{folder}: no index there; build one")
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        stated = told["format"]
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise StaleIndexError(f"{path}: damaged; rebuild the index") from error
    if stated != FORMAT:
        raise StaleIndexError(f"{path}: index format {stated}, this Graft reads {FORMAT}; rebuild the index")
    if not re.fullmatch(r"index-[0-9a-f]+\.sqlite", str(told.get("database"))):
        raise StaleIndexError(f"{path}: damaged; rebuild the index")
    return dict(told)


def _database(folder: Path) -> Path:
    path = folder / str(_manifest(folder)["database"])
    if not path.is_file():
        raise StaleIndexError(f"{folder}: no index there; build one")
    return path


def open_database(folder: Path) -> sqlite3.Connection:
    """The index in `folder`, for reading. Raises StaleIndexError when it is missing, damaged or of another
    format."""
    for _ in range(_RENAMED):
        path = _manifest(folder)["database"]
        try:
            connection = _open(_database(folder))
            if _is_as_written(folder):
                return connection
            connection.close()
            raise StaleIndexError(f"{folder / str(path)}: damaged; rebuild the index")
        except (StaleIndexError, OSError):
            if _manifest(folder)["database"] == path:
                raise
    raise StaleIndexError(f"{folder}: it is rebuilt all the time; build it once, then use it")


def _open(path: Path) -> sqlite3.Connection:
    log = path.with_name(f"{path.name}-wal")
    logged = log.is_file() and log.stat().st_size > 0
    # Beside a log SQLite wants to write; a folder that is for reading only can have none that is in use.
    alone = "" if logged or os.access(path.parent, os.W_OK) else "&immutable=1"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro{alone}", uri=True, check_same_thread=False, isolation_level=None
    )
    try:
        # One transaction for as long as it is open: an update beside it is never seen, and never by half.
        connection.execute("BEGIN")
        if meta(connection, "format") != str(FORMAT):
            raise StaleIndexError(f"{path}: of another format than its manifest says; rebuild the index")
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        if not logged and path.stat().st_size < pages * size:
            raise StaleIndexError(f"{path}: cut short; rebuild the index")
    except sqlite3.Error as error:
        connection.close()
        raise StaleIndexError(f"{path}: damaged ({error}); rebuild the index") from error
    except (StaleIndexError, OSError):
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
    rows = connection.execute("SELECT id, path, digest, reason, stamp FROM files ORDER BY path")
    return [StoredFile(*row) for row in rows]


def stored_macros(connection: sqlite3.Connection) -> Learnt:
    """The macros that the last build blanked."""
    return from_text(meta(connection, "learnt") or "{}")


def stored_definitions(connection: sqlite3.Connection, paths: Set[str]) -> dict[str, str]:
    """These files' `#define`s by path, as `macros_text` wrote them; a path that isn't stored is left out."""
    if len(paths) > _FEW_PATHS:
        rows = connection.execute("SELECT path, macros FROM files")
        return {path: macros for path, macros in rows if path in paths}
    found: dict[str, str] = {}
    for path in paths:
        found.update(connection.execute("SELECT path, macros FROM files WHERE path=?", (path,)))
    return found


def definitions_of(text: str) -> list[Definition]:
    """What `macros_text` wrote."""
    return definitions_from(text)


def derived(
    folder: Path, name: str, build: str, make: Callable[[Path], None], load: Callable[[Path], Arrays]
) -> Arrays:
    """What `load` reads from the folder of arrays `name` of build `build`. `make` fills that folder when it isn't
    there, or when `load` finds it damaged (OSError, ValueError, EOFError), or half removed by an update. Atomic:
    two processes may make it at once, and either's serves both. What `load` opens has to last when its folder
    moves."""
    path = folder / _DERIVED / f"{name}-{build}"
    if path.is_dir():
        try:
            return load(path)
        except (OSError, ValueError, EOFError):
            shutil.rmtree(path, ignore_errors=True)
    beside = path.with_name(f"{path.name}-{threading.get_ident()}.tmp-{os.getpid()}")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    try:
        make(beside)
        # Read while it is this thread's alone: once it has its name, an update may remove it at any moment.
        arrays = load(beside)
        # Another's, made meanwhile, stays.
        with contextlib.suppress(OSError):
            beside.rename(path)
        return arrays
    finally:
        shutil.rmtree(beside, ignore_errors=True)


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
