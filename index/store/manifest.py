"""The manifest of an index folder: which file is the database, of which format, and how the last build left it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import NamedTuple

from index.errors import StaleIndexError

FORMAT = 20
"""Raised with the schema, and whenever the parser finds other symbols in the same text."""
MANIFEST = "manifest.json"
_DATABASE_NAME = re.compile(r"index-[0-9a-f]+\.sqlite")


class IndexManifest(NamedTuple):
    """`build` is the build's id, `database` the database's file name, `stamp` its size and time after the build."""

    build: str
    database: str
    stamp: str


def read_manifest(folder: Path) -> IndexManifest:
    """The manifest of the index in `folder`. Raises StaleIndexError when it is missing, damaged or of another format;
    the message says to rebuild the index."""
    path = folder / MANIFEST
    if not path.is_file():
        raise StaleIndexError(f"{folder}: no index there; build one")
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        stated = content["format"]
    except (ValueError, KeyError, TypeError, OSError, RecursionError) as error:
        raise StaleIndexError(f"{path}: damaged; rebuild the index") from error
    if stated != FORMAT:
        raise StaleIndexError(f"{path}: index format {stated}, this Graft reads {FORMAT}; rebuild the index")
    manifest = IndexManifest(*(str(content.get(key, "")) for key in IndexManifest._fields))
    if not _DATABASE_NAME.fullmatch(manifest.database):
        raise StaleIndexError(f"{path}: damaged; rebuild the index")
    return manifest


def write_manifest(folder: Path, build: str, database: str) -> None:
    """Name `database` as the index. Readers see either the old manifest or the new one."""
    content = {
        "format": FORMAT,
        "build": build,
        "database": database,
        "stamp": compute_database_stamp(folder / database),
    }
    new = folder / f"{MANIFEST}.tmp-{os.getpid()}"
    new.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    new.replace(folder / MANIFEST)


def find_database(folder: Path) -> Path:
    """The database that the manifest names. Raises StaleIndexError as `read_manifest`, and when it isn't there."""
    path = folder / read_manifest(folder).database
    if not path.is_file():
        raise StaleIndexError(f"{folder}: no index there; build one")
    return path


def compute_database_stamp(path: Path) -> str:
    """The size and time of a database, by which it is told from one that was changed since its build."""
    info = path.stat()
    return f"{info.st_size}.{info.st_mtime_ns}"
