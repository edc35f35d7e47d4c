"""A tree -> an index: in parallel by file, by content hash, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from index import store
from index.clones import run_hashes
from index.errors import RecipeError, StaleIndexError
from index.includes import include_lines
from index.macros import MacroForm, learn
from index.parallel import each
from index.parse import ParsedFile, parse_source
from index.scan import Scanned, digest, read_source, scan_file, source_paths
from index.sites import pack
from index.store import FileResult, StoredFile

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What an index holds, and what this build did for it. `skipped` are (path, reason); `parse_error_share` is the
    share of all source bytes that lie under the parser's error nodes; `reparsed` counts files parsed now."""

    files: int
    functions: int
    symbols: int
    skipped: tuple[tuple[str, str], ...]
    parse_error_share: float
    seconds: float
    reparsed: int


def build_index(root: Path, folder: Path, *, workers: int = 2, progress: Progress | None = None) -> IndexReport:
    """Build or refresh the index of the tree `root` in `folder`.

    Every file is hashed; only those that changed since the index in `folder`, if there is a sound one, are parsed
    again. A file that can't be read or parsed is listed in the report, never fatal. The new index stands beside the
    old one until it is whole. `progress` is called with (files done, files to parse).

    Raises RecipeError when `root` is no folder, OSError when `folder` can't be written.
    """
    began = time.monotonic()
    if not root.is_dir():
        raise RecipeError(f"{root}: no such folder; name the root of a source tree")
    folder.mkdir(parents=True, exist_ok=True)
    scanned = sorted(each(scan_file, str(root), list(source_paths(root)), workers), key=lambda s: s.path)
    learnt = learn(d for s in scanned for d in s.macros)
    build = _build_id(scanned, learnt)
    old = _sound_index(folder)
    try:
        if old is not None and store.meta(old, "build") == build:
            store.remove_leftovers(folder, build)
            return _report(old, began, 0)
        known = _still_good(old, root, scanned, learnt)
        todo = [s for s in scanned if s.path not in known]
        _write(root, folder, old, known, todo, (build, learnt, workers), progress)
    finally:
        if old is not None:
            old.close()
    store.remove_leftovers(folder, build)
    new = store.open_database(folder)
    try:
        return _report(new, began, len(todo))
    finally:
        new.close()


def _write(
    root: Path,
    folder: Path,
    old: sqlite3.Connection | None,
    known: Mapping[str, StoredFile],
    todo: Sequence[Scanned],
    build_learnt_workers: tuple[str, dict[str, MacroForm], int],
    progress: Progress | None,
) -> None:
    build, learnt, workers = build_learnt_workers
    beside = folder / f"{store.DATABASE}.tmp-{os.getpid()}"
    beside.unlink(missing_ok=True)
    try:
        if old is None or not known:
            connection = store.create(beside)
        else:
            connection = store.reopen_copy(folder / store.DATABASE, beside)
            store.remove_files(connection, [f.id for f in store.stored_files(connection) if f.path not in known])
        if progress is not None:
            progress(0, len(todo))
        for done, result in enumerate(_parsed(root, todo, learnt, workers), 1):
            store.insert(connection, result)
            if progress is not None:
                progress(done, len(todo))
        store.finish(connection, build, learnt)
        beside.replace(folder / store.DATABASE)
        store.write_manifest(folder, build)
    finally:
        beside.unlink(missing_ok=True)


def _sound_index(folder: Path) -> sqlite3.Connection | None:
    try:
        connection = store.open_database(folder)
    except StaleIndexError:
        return None
    if store.is_whole(connection):
        return connection
    connection.close()
    return None


def _build_id(scanned: Sequence[Scanned], learnt: Mapping[str, MacroForm]) -> str:
    """Equal for equal sources, whatever the order of builds that led there."""
    state = [store.FORMAT, [(s.path, s.digest, s.reason) for s in scanned], learnt]
    return hashlib.blake2b(json.dumps(state).encode(), digest_size=12).hexdigest()


def _still_good(
    old: sqlite3.Connection | None, root: Path, scanned: Sequence[Scanned], learnt: Mapping[str, MacroForm]
) -> dict[str, StoredFile]:
    """The files whose rows in the old index hold: same bytes, and no macro whose blanking has changed."""
    if old is None:
        return {}
    now = {s.path: s.digest for s in scanned}
    same = {f.path: f for f in store.stored_files(old) if f.digest and now.get(f.path) == f.digest}
    before = store.stored_macros(old)
    moved = {n.encode() for n in before.keys() | learnt.keys() if before.get(n) != learnt.get(n)}
    if moved:
        for path in list(same):
            data = (root / path).read_bytes()
            if any(name in data for name in moved):
                del same[path]
    return same


def _parsed(
    root: Path, todo: Sequence[Scanned], learnt: dict[str, MacroForm], workers: int
) -> Iterator[FileResult]:
    yield from (_skipped(s, s.reason) for s in todo if s.reason)
    readable = [s for s in todo if not s.reason]
    yield from each(_parse, (str(root), learnt), readable, workers, _crashed)


def _skipped(scanned: Scanned, reason: str) -> FileResult:
    return FileResult(scanned, ParsedFile("c", (), 0, reason), ())


def _crashed(scanned: Scanned) -> FileResult:
    return _skipped(scanned, "the parser crashed on it")


def _parse(shared: tuple[str, dict[str, MacroForm]], scanned: Scanned) -> FileResult:
    root, learnt = shared
    try:
        data, reason = read_source(root, scanned.path)
    except OSError as error:
        data, reason = b"", error.strerror or type(error).__name__
    if not reason and digest(data) != scanned.digest:
        reason = "changed while it was indexed"
    if reason:
        return _skipped(scanned._replace(digest=""), reason)
    parsed = parse_source(scanned.path, data, learnt)
    runs = tuple(
        (i, run_hashes(data[s.body : s.end].decode("utf-8", "replace")).tobytes())
        for i, s in enumerate(parsed.symbols)
        if s.body >= 0
    )
    # The sites go as a blob: rows of a million calls would be pickled one by one.
    return FileResult(scanned, parsed._replace(sites=()), runs, pack(parsed.sites), include_lines(data))


def _report(connection: sqlite3.Connection, began: float, reparsed: int) -> IndexReport:
    files, errors, size = connection.execute(
        "SELECT COUNT(*), COALESCE(SUM(error_bytes), 0), COALESCE(SUM(size), 0) FROM files WHERE reason=''"
    ).fetchone()
    functions, symbols = connection.execute(
        "SELECT COALESCE(SUM(kind='function'), 0), COUNT(*) FROM symbols"
    ).fetchone()
    skipped = connection.execute("SELECT path, reason FROM files WHERE reason<>'' ORDER BY path")
    return IndexReport(
        files=files,
        functions=functions,
        symbols=symbols,
        skipped=tuple((path, reason) for path, reason in skipped),
        parse_error_share=errors / size if size else 0.0,
        seconds=time.monotonic() - began,
        reparsed=reparsed,
    )
