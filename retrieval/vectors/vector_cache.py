"""Vectors by the content that was encoded, so that a new build of an index encodes only what changed."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from index.progress import SILENT, Progress
from retrieval.vectors.encoders import Vectors

MOST_BUILDS_KEPT = 3
"""The file keeps this many times the vectors of the last build: going back and forth between commits stays cheap, and
a folder that is used for years doesn't grow without end."""
TEXTS_PER_CHUNK = 256
_BUSY_S = 60.0


def encode_with_cache(
    path: Path,
    texts: Sequence[str],
    width: int,
    encode: Callable[[Sequence[str]], Vectors],
    progress: Progress = SILENT,
) -> Vectors:
    """One row of `width` per text: from the file `path` where it has the text's vector, else from `encode`. New
    vectors are written chunk by chunk, so that a killed build resumes where it was. `progress` counts the texts that
    are encoded. A damaged file is made anew. Two processes may use it at once."""
    keys = [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts]
    try:
        return _encode_through_store(path, keys, texts, width, encode, progress)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            raise
        path.unlink(missing_ok=True)
        return _encode_through_store(path, keys, texts, width, encode, progress)


def _encode_through_store(
    path: Path,
    keys: Sequence[bytes],
    texts: Sequence[str],
    width: int,
    encode: Callable[[Sequence[str]], Vectors],
    progress: Progress,
) -> Vectors:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, timeout=_BUSY_S)) as store:
        store.execute("CREATE TABLE IF NOT EXISTS vectors(key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID")
        out = np.zeros((len(texts), width), dtype=np.float32)
        missing: dict[bytes, list[int]] = {}
        for row, key in enumerate(keys):
            found = store.execute("SELECT vector FROM vectors WHERE key=?", (key,)).fetchone()
            if found is not None and isinstance(found[0], bytes) and len(found[0]) == 4 * width:
                out[row] = np.frombuffer(found[0], dtype=np.float32)
            else:
                missing.setdefault(key, []).append(row)
        todo = list(missing.items())
        with progress.open_count("functions encoded", len(todo)) as advance:
            for start in range(0, len(todo), TEXTS_PER_CHUNK):
                some = todo[start : start + TEXTS_PER_CHUNK]
                vectors = encode([texts[rows[0]] for _, rows in some])
                for (_, rows), vector in zip(some, vectors, strict=True):
                    out[rows] = vector
                with store:
                    store.executemany(
                        "INSERT OR REPLACE INTO vectors VALUES(?, ?)",
                        ((key, vector.tobytes()) for (key, _), vector in zip(some, vectors, strict=True)),
                    )
                advance(len(some))
        _prune_vectors(store, keys)
        return out


def _prune_vectors(store: sqlite3.Connection, used: Sequence[bytes]) -> None:
    held = store.execute("SELECT COUNT(*) FROM vectors").fetchone()[0]
    if held <= MOST_BUILDS_KEPT * max(len(used), TEXTS_PER_CHUNK):
        return
    with store:
        store.execute("CREATE TEMP TABLE used(key BLOB PRIMARY KEY)")
        store.executemany("INSERT OR IGNORE INTO used VALUES(?)", ((key,) for key in used))
        store.execute("DELETE FROM vectors WHERE key NOT IN (SELECT key FROM used)")
