"""The response store: a response that was paid for is never asked for again, whatever ends the run.

SQLite, one row per request, keyed by the SHA-256 of the whole request. WAL with synchronous=FULL: `complete`
returns only after the row is on disk, so SIGKILL at any later moment, or a power cut, loses nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from agent.values import Model, ModelRequest, ModelResponse, Usage
from index.errors import InfraError
from index.key_locks import KeyLocks

# Part of every key: where the meaning of a field changes, old answers must not be found.
_FORMAT = 2
_BUSY_S = 30.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS responses (
    key TEXT PRIMARY KEY, request TEXT NOT NULL, response TEXT NOT NULL
) WITHOUT ROWID
"""
# What each response cost. The responses of a million samples are tens of gigabytes, too much to be read for their sum.
_COSTS = """
CREATE TABLE IF NOT EXISTS costs (
    key TEXT PRIMARY KEY, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost REAL, seconds REAL
) WITHOUT ROWID
"""
_COSTS_KEPT = 1
_MOST = 2**48
_COUNT_OLD = """
INSERT OR IGNORE INTO costs SELECT * FROM (
    SELECT key, json_extract(response, '$.prompt_tokens') AS prompt,
        json_extract(response, '$.completion_tokens') AS completion,
        json_extract(response, '$.cost'), json_extract(response, '$.seconds')
    FROM responses WHERE json_valid(response)
) WHERE typeof(prompt) = 'integer' AND typeof(completion) = 'integer'
"""
_SUM = """
SELECT count(*), count(cost), ifnull(sum(prompt_tokens), 0), ifnull(sum(completion_tokens), 0), total(cost),
    total(seconds) FROM costs
"""


def wrap_in_store(model: Model, path: Path) -> Model:
    """`model` behind the store at `path`, which is made when it isn't there (its folder must be).

    A second equal request gets the stored response with `cached=True`. Threads with equal requests make one call;
    two processes on one store may both call, and the first answer stays. Errors are not stored. Raises InfraError
    when the store can't be read or written.
    """
    connection = _connect_to_store(path)
    with _convert_sqlite_errors(path), connection:
        _create_tables_and_backfill_costs(connection)
    found = _StoringModel(model, path, connection)
    weakref.finalize(found, connection.close)
    return found


def sum_stored_usage(path: Path, *, known_prices_alone: bool = False) -> Usage:
    """The sum of all calls in the store at `path`; nothing when there is none. Where a price is unknown, so is the
    cost, unless `known_prices_alone` are asked for."""
    if not path.exists():
        return Usage()
    with _open_store(path) as connection:
        _create_tables_and_backfill_costs(connection)
        calls, priced, prompt_tokens, completion_tokens, cost, seconds = connection.execute(_SUM).fetchone()
    known = known_prices_alone or priced == calls
    return Usage(calls, prompt_tokens, completion_tokens, cost if known else None, seconds)


def find_response(path: Path, request: ModelRequest) -> ModelResponse | None:
    """The answer that the store at `path` has for the request; None where it has none that can be read."""
    if not path.exists():
        return None
    with _open_store(path) as connection:
        connection.execute(_SCHEMA)
        return _select_response(connection, request_key(request))


def store_response_if_missing(path: Path, request: ModelRequest, response: ModelResponse) -> None:
    """Store an answer that didn't come from a call; one that is stored already stays."""
    with _open_store(path) as connection:
        _create_tables_and_backfill_costs(connection)
        _insert_response_if_missing_or_damaged(
            connection, request_key(request), _encode_whole_request_as_json(request), response
        )


def request_key(request: ModelRequest) -> str:
    """SHA-256 of the request as canonical JSON. Every field takes part, `sample` and `api_base` included."""
    return hashlib.sha256(_encode_whole_request_as_json(request).encode()).hexdigest()


@dataclass(frozen=True, slots=True, weakref_slot=True)
class _StoringModel:
    """Satisfies Model. Its threads share one connection: to open one costs more than all else that a call takes."""

    model: Model
    path: Path
    connection: sqlite3.Connection
    access: threading.Lock = field(default_factory=threading.Lock)
    calls: KeyLocks = field(default_factory=KeyLocks)

    def complete(self, request: ModelRequest) -> ModelResponse:
        key = request_key(request)
        with self.calls.hold(key):
            with self.access, _convert_sqlite_errors(self.path):
                found = _select_response(self.connection, key)
            if found is not None:
                return replace(found, cached=True)
            response = self.model.complete(request)
            with self.access, _convert_sqlite_errors(self.path), self.connection:
                _insert_response_if_missing_or_damaged(
                    self.connection, key, _encode_whole_request_as_json(request), response
                )
            return response


def _create_tables_and_backfill_costs(connection: sqlite3.Connection) -> None:
    """Make the tables, and count what an older Graft stored."""
    connection.execute(_SCHEMA)
    connection.execute(_COSTS)
    if connection.execute("PRAGMA user_version").fetchone()[0] < _COSTS_KEPT:
        connection.execute(_COUNT_OLD)
        connection.execute(f"PRAGMA user_version = {_COSTS_KEPT}")


def _insert_response_if_missing_or_damaged(
    connection: sqlite3.Connection, key: str, request: str, response: ModelResponse
) -> None:
    """Store the answer, unless there is one that isn't damaged."""
    if _select_response(connection, key) is not None:
        return
    text = json.dumps(response, default=_read_slots_as_dict, sort_keys=True)
    # A damaged answer may claim more tokens than SQLite can count; so much that sums of them fit too.
    tokens = [min(max(n, -_MOST), _MOST) for n in (response.prompt_tokens, response.completion_tokens)]
    costs = (key, *tokens, response.cost, response.seconds)
    connection.execute("INSERT OR REPLACE INTO responses VALUES (?, ?, ?)", (key, request, text))
    connection.execute("INSERT OR REPLACE INTO costs VALUES (?, ?, ?, ?, ?)", costs)


def _select_response(connection: sqlite3.Connection, key: str) -> ModelResponse | None:
    row = connection.execute("SELECT response FROM responses WHERE key = ?", (key,)).fetchone()
    return None if row is None else _decode_response(row[0])


@contextlib.contextmanager
def _open_store(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection for this block alone, and what it changes."""
    with contextlib.closing(_connect_to_store(path)) as connection, _convert_sqlite_errors(path), connection:
        yield connection


def _connect_to_store(path: Path) -> sqlite3.Connection:
    with _convert_sqlite_errors(path):
        connection = sqlite3.connect(path, timeout=_BUSY_S, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        return connection


@contextlib.contextmanager
def _convert_sqlite_errors(path: Path) -> Iterator[None]:
    """Raises InfraError where SQLite fails."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # a damaged file's own texts aren't UTF-8
        raise InfraError(
            f"{path}: the response store failed: {error}; if the file is damaged, move it away: answers in it are then"
            " asked for again"
        ) from error


def _encode_whole_request_as_json(request: ModelRequest) -> str:
    # ASCII escapes: a lone surrogate from a file that isn't UTF-8 must not break the key.
    plain = {"format": _FORMAT, **_read_slots_as_dict(request)}
    return json.dumps(plain, default=_read_slots_as_dict, sort_keys=True, separators=(",", ":"))


def _read_slots_as_dict(value: Any) -> dict[str, Any]:
    """A frozen value's fields. Unlike `asdict` it copies nothing: a request holds a whole conversation."""
    return {name: getattr(value, name) for name in value.__slots__}


def _decode_response(text: object) -> ModelResponse | None:
    """The stored response; None where the row is damaged, so that it is asked for again."""
    if not isinstance(text, str):
        return None
    try:
        return _response_adapter().validate_python(json.loads(text))
    except (ValueError, RecursionError):
        return None


@lru_cache
def _response_adapter() -> TypeAdapter[ModelResponse]:
    return TypeAdapter(ModelResponse)
