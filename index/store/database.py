"""Opening the database of an index for reading."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from index.errors import StaleIndexError
from index.store.manifest import FORMAT, compute_database_stamp, find_database, read_manifest


def open_database(folder: Path) -> sqlite3.Connection:
    """The database of the index in `folder`, for reading. Raises StaleIndexError when it is missing, damaged or of
    another format."""
    try:
        return _open_sound_database(folder)
    except (StaleIndexError, OSError):
        # A rebuild may have replaced the database after its manifest was read.
        return _open_sound_database(folder)


def _open_sound_database(folder: Path) -> sqlite3.Connection:
    path = find_database(folder)
    connection = _open_read_only_checking_format(path)
    if read_manifest(folder).stamp == compute_database_stamp(path) or is_database_sound(connection):
        return connection
    connection.close()
    raise StaleIndexError(f"{path}: damaged; rebuild the index")


def _open_read_only_checking_format(path: Path) -> sqlite3.Connection:
    log = path.with_name(f"{path.name}-wal")
    has_log = log.is_file() and log.stat().st_size > 0
    # SQLite has to write beside a log. A read-only folder can't have a log that is in use.
    immutable = "" if has_log or os.access(path.parent, os.W_OK) else "&immutable=1"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro{immutable}", uri=True, check_same_thread=False, isolation_level=None
    )
    try:
        # One transaction for as long as it is open, so that the reader never sees an update beside it.
        connection.execute("BEGIN")
        if read_meta_or_empty(connection, "format") != str(FORMAT):
            raise StaleIndexError(f"{path}: of another format than its manifest says; rebuild the index")
        connection.execute("SELECT value FROM meta").fetchall()  # so that a damaged one shows here
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        if not has_log and path.stat().st_size < pages * size:
            raise StaleIndexError(f"{path}: cut short; rebuild the index")
    except (sqlite3.Error, UnicodeDecodeError) as error:  # a damaged file's own texts aren't UTF-8
        connection.close()
        raise StaleIndexError(f"{path}: damaged ({error}); rebuild the index") from error
    except (StaleIndexError, OSError):
        connection.close()
        raise
    return connection


def is_database_sound(connection: sqlite3.Connection) -> bool:
    """Whether SQLite finds the structure of every page sound (some 2 ms a MB)."""
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False


def read_meta_or_empty(connection: sqlite3.Connection, key: str) -> str:
    """A value of the index's description of itself (format, build, learnt, arrays), or "" when it isn't there."""
    row = connection.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
    return "" if row is None else str(row[0])
