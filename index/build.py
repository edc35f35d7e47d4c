"""Building an index of a tree: in parallel by file, only the files that changed, completely or not at all."""

from __future__ import annotations

import fcntl
import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter
from pathlib import Path

from index.cpp.macros import Definition, LearntMacros, learn_macros
from index.errors import RecipeError, StaleIndexError
from index.hiding.body_tokens import tokenize_bodies
from index.hiding.fingerprints import make_fingerprint
from index.hiding.shape_clones import encode_kind_and_name_counts_or_empty
from index.hiding.text_clones import hash_token_runs_per_body
from index.hiding.text_tokens import encode_tokens_grouped_by_kind
from index.progress import SILENT, Progress
from index.store import writer as store
from index.store.database import open_database, read_meta_or_empty
from index.store.derived_arrays import remove_stale_arrays_and_temporaries
from index.store.manifest import FORMAT, find_database, write_manifest
from index.store.reader import IndexReader
from index.store.writer import FileResult, StoredFile
from index.symbols.call_sites import pack_sites
from index.symbols.includes import find_includes
from index.symbols.source_files import (
    ScannedFile,
    compute_stamp_of_settled_file_or_empty,
    find_source_paths,
    hash_content,
    read_digest_and_macros,
    read_source_or_skip_reason,
)
from index.symbols.source_parser import ParsedFile, parse_source
from index.worker_processes import (
    WorkerPool,
    exit_silently_if_worker_starting,
    map_maybe_in_workers_as_completed,
    pause_garbage_collection,
    run_works_maybe_in_workers,
)

DerivingStep = Callable[[tuple[Path, Path]], None]
"""A function of a module that gets a tree's root and its index's folder. It may run in another process."""

MOST_FILES_IN_PLACE = 200
"""Up to this many files are changed in the index itself. For more a copy is made, so that the build can be resumed."""
FILES_PER_COMMIT = 64
"""Files between two commits of a build: the most that are parsed again after it was killed."""
LARGE_TREE_FUNCTIONS = 100_000
"""Functions of a tree whose call graph is made once the processes that have parsed have ended: the call graph of the
kernel or of Boost takes as much memory as its text search and runs do together."""
_LOCK_NAME = "lock"


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


def build_index(
    root: Path,
    folder: Path,
    *,
    workers: int = 2,
    progress: Progress = SILENT,
    afterwards: Sequence[DerivingStep] = (),
) -> IndexReport:
    """Build or refresh the index of the tree `root` in `folder`.

    A file with the same size, times and inode as at the last build counts as unchanged. The others are hashed, and
    those with new bytes are parsed. A few are changed in place, in one transaction. Many are put into a database
    beside the index; when a build is killed, the next one continues with it. A file that can't be read or parsed is
    listed in the report and doesn't stop the build. A second build of the same folder waits for the first.
    `progress` counts the files that are parsed. `afterwards` derive from the index what its readers will need (text
    search, call graph), side by side in the processes that have parsed. In a large tree the last of them, which
    should be the one that needs most memory, runs alone once those processes have ended.

    Raises RecipeError when `root` is no folder, ConfigError when no worker process starts, OSError when `folder`
    can't be written.
    """
    exit_silently_if_worker_starting()
    began = time.monotonic()
    if not root.is_dir():
        raise RecipeError(f"{root}: no such folder; name the root of a source tree")
    folder.mkdir(parents=True, exist_ok=True)
    with WorkerPool(workers) as processes:
        with (folder / _LOCK_NAME).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with pause_garbage_collection():
                reparsed = _refresh_index_counting_parsed_files(root, folder, processes, progress)
            report = _clean_and_describe_index(root, folder, reparsed)
        alone = afterwards[-1:] if report.functions >= LARGE_TREE_FUNCTIONS else ()
        run_works_maybe_in_workers(afterwards[: len(afterwards) - len(alone)], (root, folder), processes)
        if alone:
            processes.shut_down()
            alone[0]((root, folder))
        return replace(report, seconds=time.monotonic() - began)


def _clean_and_describe_index(root: Path, folder: Path, reparsed: int) -> IndexReport:
    """What the index in `folder` holds now, `seconds` left open. Removes leftovers of earlier states."""
    with closing(IndexReader(folder, root)) as reader:
        remove_stale_arrays_and_temporaries(folder, reader.state)
        files = reader.source_files
        return IndexReport(
            files=len(files),
            functions=sum(file.functions for file in files),
            symbols=sum(reader.symbol_counts().values()),
            skipped=tuple((file.path, file.reason) for file in reader.files.values() if file.reason),
            parse_error_share=sum(file.error_bytes for file in files) / max(1, sum(file.size for file in files)),
            seconds=0.0,
            reparsed=reparsed,
        )


@dataclass(frozen=True, slots=True)
class _PendingChange:
    """What becomes of an index: the build's id, the macros that were learnt, and the files of the tree."""

    root: Path
    folder: Path
    build: str
    learnt: LearntMacros
    scanned: Sequence[ScannedFile]
    progress: Progress


def _refresh_index_counting_parsed_files(root: Path, folder: Path, workers: WorkerPool, progress: Progress) -> int:
    old: sqlite3.Connection | None = None
    with suppress(StaleIndexError):
        old = open_database(folder)
    try:
        stored = {} if old is None else {f.path: f for f in store.read_stored_files(old)}
        now = time.time_ns()
        stamps = {
            path: compute_stamp_of_settled_file_or_empty(str(root), path, now) for path in find_source_paths(root)
        }
        if old is not None and stamps == {f.path: f.stamp for f in stored.values()} and "" not in stamps.values():
            return 0
        scanned = _scan_changed_and_list_all_sources(root, stored, stamps, workers)
        learnt = _reuse_or_learn_macros(old, stored, scanned)
        state = [FORMAT, [(s.path, s.digest, s.reason) for s in scanned], learnt]
        # The build's id: equal for equal sources, whichever builds led there.
        build = hashlib.blake2b(json.dumps(state).encode(), digest_size=12).hexdigest()
        if old is not None and read_meta_or_empty(old, "build") == build:
            todo: list[ScannedFile] = []
        else:
            known = _find_reusable_files(old, root, scanned, learnt)
            todo = [s for s in scanned if s.path not in known]
        gone = len(stored.keys() - {s.path for s in scanned})
        change = _PendingChange(root, folder, build, learnt, scanned, progress)
        if old is None or len(todo) + gone > MOST_FILES_IN_PLACE:
            return _publish_new_database_counting_parsed_files(change, old, workers)
        todo = _attach_stored_macro_definitions(old, todo)
        old.close()
        _update_index_in_place(change, stored, todo)
        return len(todo)
    finally:
        if old is not None:
            old.close()


def _scan_changed_and_list_all_sources(
    root: Path, stored: Mapping[str, StoredFile], stamps: Mapping[str, str], workers: WorkerPool
) -> list[ScannedFile]:
    """Every source of the tree, by path. A file whose stamp hasn't changed isn't read, and has no macros here."""
    same = {p for p, stamp in stamps.items() if stamp and p in stored and stored[p].stamp == stamp}
    changed = [p for p in stamps if p not in same]
    read = map_maybe_in_workers_as_completed(read_digest_and_macros, str(root), changed, workers)
    scanned = [s._replace(stamp=stamps.get(s.path, "")) for s in read]
    scanned += [
        ScannedFile(p, stored[p].digest, 0, (), "" if stored[p].digest else stored[p].reason, stamps[p]) for p in same
    ]
    return sorted(scanned, key=lambda s: s.path)


def _reuse_or_learn_macros(
    old: sqlite3.Connection | None,
    stored: Mapping[str, StoredFile],
    scanned: Sequence[ScannedFile],
) -> LearntMacros:
    """The macros to blank. They are learnt anew only when the definitions in some file have changed."""
    unread = {s.path for s in scanned if s.path in stored and stored[s.path].stamp == s.stamp != ""}
    read = {s.path: list(s.macros) for s in scanned if s.macros and s.path not in unread}
    definitions: dict[str, list[Definition]] = {}
    if old is not None:
        # Only the files that were read or are gone: an edit rarely touches a `#define`.
        before = store.read_stored_definitions(old, stored.keys() - unread)
        if {path: found for path, found in before.items() if found} == read:
            return store.read_learnt_macros(old)
        definitions = store.read_stored_definitions(old, unread)
    # By path, as in a build from nothing: some things depend on which of two definitions comes first.
    return learn_macros(d for s in scanned for d in definitions.get(s.path, s.macros))


def _update_index_in_place(
    change: _PendingChange, stored: Mapping[str, StoredFile], todo: Sequence[ScannedFile]
) -> None:
    """Parse the files `todo` and change the index in one transaction."""
    results = []
    with change.progress.open_count("files parsed", len(todo)) as advance:
        for result in _parse_files(change.root, todo, change.learnt, WorkerPool(1)):
            results.append(result)
            advance()
    parsed = {result.scanned.path for result in results}
    present = {file.path for file in change.scanned}
    gone = [file.id for file in stored.values() if file.path in parsed or file.path not in present]
    stamps = [
        (file.path, file.stamp)
        for file in change.scanned
        if file.path not in parsed and file.path in stored and stored[file.path].stamp != file.stamp
    ]
    if not results and not gone and not stamps:
        return
    with closing(store.open_database_to_change_in_place(change.folder)) as connection, store.transaction(connection):
        store.remove_files(connection, gone)
        for result in results:
            store.insert_file(connection, result)
        store.set_stamps(connection, stamps)
        if results or gone:
            store.write_new_random_state_key(connection, change.build, change.learnt)
    write_manifest(change.folder, change.build, find_database(change.folder).name)


def _publish_new_database_counting_parsed_files(
    change: _PendingChange, old: sqlite3.Connection | None, workers: WorkerPool
) -> int:
    """Make a database beside the index and then put it in the index's place. Returns how many files were parsed."""
    with closing(store.open_unfinished_or_new_database(change.folder, old)) as connection:
        known = _find_reusable_files(connection, change.root, change.scanned, change.learnt)
        todo = _attach_stored_macro_definitions(old, [s for s in change.scanned if s.path not in known])
        with store.transaction(connection):
            store.remove_files(connection, [f.id for f in store.read_stored_files(connection) if f.path not in known])
            store.write_new_random_state_key(connection, "", change.learnt)
            store.set_stamps(connection, ((s.path, s.stamp) for s in change.scanned if s.path in known))
        results = _parse_files(change.root, todo, change.learnt, workers)
        with change.progress.open_count("files parsed", len(todo)) as advance:
            for _ in range(0, len(todo), FILES_PER_COMMIT):
                with store.transaction(connection):
                    for result in islice(results, FILES_PER_COMMIT):
                        store.insert_file(connection, result)
                        advance()
        store.publish_database(connection, change.folder, change.build, change.learnt)
        return len(todo)


def _attach_stored_macro_definitions(old: sqlite3.Connection | None, todo: Sequence[ScannedFile]) -> list[ScannedFile]:
    """The files with their definitions. A file that is parsed again because of another file's macros wasn't read, so
    its definitions are the stored ones."""
    unread = {s.path for s in todo if not s.macros}
    stored = {} if old is None else store.read_stored_definitions(old, unread)
    return [s._replace(macros=tuple(stored[s.path])) if s.path in stored else s for s in todo]


def _find_reusable_files(
    old: sqlite3.Connection | None, root: Path, scanned: Sequence[ScannedFile], learnt: LearntMacros
) -> dict[str, StoredFile]:
    """The files whose rows in the old index are still right: same bytes, and no macro in them is read differently."""
    if old is None:
        return {}
    now = {s.path: s.digest for s in scanned}
    same = {f.path: f for f in store.read_stored_files(old) if f.digest and now.get(f.path) == f.digest}
    before = store.read_learnt_macros(old)
    changed = {n.encode() for n in before.keys() | learnt.keys() if before.get(n) != learnt.get(n)}
    if changed:
        for path in list(same):
            data = (root / path).read_bytes()
            if any(name in data for name in changed):
                del same[path]
    return same


def _parse_files(
    root: Path, todo: Sequence[ScannedFile], learnt: LearntMacros, workers: WorkerPool
) -> Iterator[FileResult]:
    yield from (_make_skipped_file_result(s, s.reason) for s in todo if s.reason)
    macros = {s.path: s.macros for s in todo if not s.reason}
    # Without their macros, which the workers don't read: the kernel has three million.
    readable = [s._replace(macros=()) for s in todo if not s.reason]
    shared = (str(root), learnt)
    for result in map_maybe_in_workers_as_completed(
        _parse_file, shared, readable, workers, _skip_crashed_file, attrgetter("size")
    ):
        yield result._replace(scanned=result.scanned._replace(macros=macros[result.scanned.path]))


def _make_skipped_file_result(scanned: ScannedFile, reason: str) -> FileResult:
    return FileResult(scanned, ParsedFile("c", (), 0, reason), ())


def _skip_crashed_file(scanned: ScannedFile) -> FileResult:
    return _make_skipped_file_result(scanned, "the parser crashed on it")


def _parse_file(shared: tuple[str, LearntMacros], scanned: ScannedFile) -> FileResult:
    root, learnt = shared
    try:
        data, reason = read_source_or_skip_reason(root, scanned.path)
    except OSError as error:
        data, reason = b"", error.strerror or type(error).__name__
    if not reason and hash_content(data) != scanned.digest:
        reason = "changed while it was indexed"
    if reason:
        return _make_skipped_file_result(scanned._replace(digest="", stamp=""), reason)
    scanned = scanned._replace(size=len(data))
    parsed = parse_source(scanned.path, data, learnt)
    bodies = [(i, data[s.body : s.end]) for i, s in enumerate(parsed.symbols) if s.body >= 0]
    found = tokenize_bodies(body for _, body in bodies)
    stored = zip(bodies, hash_token_runs_per_body(found), encode_kind_and_name_counts_or_empty(found), strict=True)
    runs = tuple((i, hashes.tobytes(), shape) for (i, _), hashes, shape in stored)
    values = encode_tokens_grouped_by_kind(data)
    text = values.tobytes(), make_fingerprint(values)
    # The sites are handed over as a blob: a million rows would be pickled one by one.
    sites = pack_sites(parsed.sites)
    return FileResult(scanned, parsed._replace(sites=()), runs, sites, find_includes(data), text)
