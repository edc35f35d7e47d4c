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
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from agent.model.usage import add_call
from agent.values import Model, ModelRequest, ModelResponse, Usage
from index.errors import InfraError

# Part of every key: where the meaning of a field changes, old answers must not be found.
_FORMAT = 2
_BUSY_S = 30.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS responses (
    key TEXT PRIMARY KEY, request TEXT NOT NULL, response TEXT NOT NULL
) WITHOUT ROWID
"""


def stored(model: Model, path: Path) -> Model:
    """`model` behind the store at `path`, which is made when it isn't there (its folder must be).

    A second equal request gets the stored response with `cached=True`. Threads with equal requests make one call;
    two processes on one store may both call, and the first answer stays. Errors are not stored. Raises InfraError
    when the store can't be read or written.
    """
    with _opened(path) as connection:
        connection.execute(_SCHEMA)
    return _Stored(model, path)


def spent(path: Path) -> Usage:
    """The sum of all calls in the store at `path`; nothing when there is none. A damaged row counts nothing."""
    usage = Usage()
    if not path.exists():
        return usage
    with _opened(path) as connection:
        connection.execute(_SCHEMA)
        for (text,) in connection.execute("SELECT response FROM responses"):
            response = _decode(text)
            usage = usage if response is None else add_call(usage, response)
    return usage


def has_response(path: Path, request: ModelRequest) -> bool:
    """Whether the store at `path` answers the request."""
    if not path.exists():
        return False
    with _opened(path) as connection:
        connection.execute(_SCHEMA)
        row = connection.execute("SELECT 1 FROM responses WHERE key = ?", (request_key(request),)).fetchone()
    return row is not None


def find_response(path: Path, request: ModelRequest) -> ModelResponse | None:
    """The answer that the store at `path` has for the request; None where it has none that can be read."""
    if not path.exists():
        return None
    with _opened(path) as connection:
        connection.execute(_SCHEMA)
        row = connection.execute("SELECT response FROM responses WHERE key = ?", (request_key(request),)).fetchone()
    return None if row is None else _decode(row[0])


def keep_response(path: Path, request: ModelRequest, response: ModelResponse) -> None:
    """Store an answer that didn't come from a call; one that is stored already stays."""
    with _opened(path) as connection:
        connection.execute(_SCHEMA)
        row = (request_key(request), _encode(request), json.dumps(asdict(response), sort_keys=True))
        connection.execute("INSERT OR IGNORE INTO responses VALUES (?, ?, ?)", row)


def request_key(request: ModelRequest) -> str:
    """SHA-256 of the request as canonical JSON. Every field takes part, `sample` and `api_base` included."""
    return hashlib.sha256(_encode(request).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Stored:
    model: Model
    path: Path
    # key -> (lock, threads that hold or wait for it); an entry goes with its last thread.
    _calls: dict[str, tuple[threading.Lock, int]] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, request: ModelRequest) -> ModelResponse:
        key = request_key(request)
        with self._one_call(key):
            found = self._find(key)
            if found is not None:
                return replace(found, cached=True)
            response = self.model.complete(request)
            self._keep(key, request, response)
            return response

    @contextlib.contextmanager
    def _one_call(self, key: str) -> Iterator[None]:
        with self._guard:
            lock, users = self._calls.get(key, (threading.Lock(), 0))
            self._calls[key] = (lock, users + 1)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, users = self._calls.pop(key)
                if users > 1:
                    self._calls[key] = (lock, users - 1)

    def _find(self, key: str) -> ModelResponse | None:
        with _opened(self.path) as connection:
            row = connection.execute("SELECT response FROM responses WHERE key = ?", (key,)).fetchone()
        return None if row is None else _decode(row[0])

    def _keep(self, key: str, request: ModelRequest, response: ModelResponse) -> None:
        row = (key, _encode(request), json.dumps(asdict(response), sort_keys=True))
        with _opened(self.path) as connection:
            # What is there is another process's answer, which stays, or a damaged one.
            found = connection.execute("SELECT response FROM responses WHERE key = ?", (key,)).fetchone()
            if found is None or _decode(found[0]) is None:
                connection.execute("INSERT OR REPLACE INTO responses VALUES (?, ?, ?)", row)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A new connection: sqlite3 connections can't be shared between threads."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=_BUSY_S)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            with connection:
                yield connection
    except (sqlite3.Error, UnicodeDecodeError) as error:  # a damaged file's own texts aren't UTF-8
        raise InfraError(
            f"{path}: the response store failed: {error}; if the file is damaged, move it away: answers in it are then"
            " asked for again"
        ) from error


def _encode(request: ModelRequest) -> str:
    # ASCII escapes: a lone surrogate from a file that isn't UTF-8 must not break the key.
    return json.dumps({"format": _FORMAT, **asdict(request)}, sort_keys=True, separators=(",", ":"))


def _decode(text: object) -> ModelResponse | None:
    """The stored response; None where the row is damaged, so that it is asked for again."""
    if not isinstance(text, str):
        return None
    try:
        found: ModelResponse = _adapter().validate_python(json.loads(text))
    except (ValueError, RecursionError):
        return None
    return found


@lru_cache
def _adapter() -> TypeAdapter[ModelResponse]:
    return TypeAdapter(ModelResponse)
