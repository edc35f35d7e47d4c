"""What updates took out of an index: enough to tell which of the arrays made before them still hold.

Each update in place leaves, beside its own rows, those that the files it touched had before. Who has arrays of an
earlier state learns from them what has changed since, without that state.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_SCHEMA = """
CREATE TABLE IF NOT EXISTS changes(
    number INTEGER PRIMARY KEY, before TEXT NOT NULL, after TEXT NOT NULL, path TEXT NOT NULL,
    file_id INTEGER NOT NULL, symbols TEXT NOT NULL, includes TEXT NOT NULL)
"""
_KEPT = 400
"""Files' states that are kept: older arrays are made anew."""
_FORGET = """
DELETE FROM changes WHERE before IN
(SELECT before FROM changes WHERE number <= (SELECT MAX(number) FROM changes) - ?)
"""
_SYMBOLS = 'SELECT id, kind, file_id, name, qualified_name, start, "end", body, signature FROM symbols WHERE file_id=?'

Symbol = tuple[int, str, int, str, str, int, int, int, str]


class Before(NamedTuple):
    """A file as it was: its id, -1 when it wasn't there, its symbols in order of place, its includes as written."""

    path: str
    file_id: int
    symbols: Sequence[Symbol]
    includes: Sequence[str]


def note(connection: sqlite3.Connection, before: str, after: str, gone: Iterable[int], came: Iterable[str]) -> None:
    """Keep the rows of the files `gone`, which an update is about to take out, and the paths that it adds or puts
    back; `before` and `after` are the keys of the states around the update."""
    connection.execute(_SCHEMA)
    seen = set()
    for file_id in gone:
        (path,) = connection.execute("SELECT path FROM files WHERE id=?", (file_id,)).fetchone()
        seen.add(path)
        symbols = connection.execute(f"{_SYMBOLS} ORDER BY id", (file_id,)).fetchall()
        includes = [
            t for (t,) in connection.execute("SELECT text FROM includes WHERE file_id=? ORDER BY at", (file_id,))
        ]
        _insert(connection, before, after, path, file_id, json.dumps(symbols), json.dumps(includes))
    for path in sorted(set(came) - seen):
        _insert(connection, before, after, path, -1, "[]", "[]")
    connection.execute(_FORGET, (_KEPT,))


def _insert(connection: sqlite3.Connection, *values: str | int) -> None:
    connection.execute(
        "INSERT INTO changes(before, after, path, file_id, symbols, includes) VALUES(?,?,?,?,?,?)", values
    )


def since(connection: sqlite3.Connection, before: str, now: str) -> list[Before] | None:
    """The files that aren't as they were in the state `before`, as they were then; None when that isn't told."""
    if before == now:
        return []
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name='changes'").fetchone() is None:
        return None
    steps = dict(connection.execute("SELECT before, after FROM changes"))
    found: dict[str, Before] = {}
    state = before
    for _ in range(len(steps)):
        if state not in steps or state == now:
            break
        rows = connection.execute(
            "SELECT path, file_id, symbols, includes FROM changes WHERE before=? ORDER BY number", (state,)
        )
        for path, file_id, symbols, includes in rows:
            if path not in found:
                found[path] = Before(path, file_id, [tuple(s) for s in json.loads(symbols)], json.loads(includes))
        state = steps[state]
    return list(found.values()) if state == now else None
