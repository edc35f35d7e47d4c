"""The set as arrays: samples for a forest, and all candidates of each function for an evaluation."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.retrieval.training.candidate_rows import CANDIDATES, TARGETS, describe_signals, is_whole
from benchmarks.retrieval.training.package_lot import Role
from benchmarks.retrieval.training.set_record import Record
from executor.cache import short_digest
from retrieval.ranker.network_ranker import compute_moments, squash_long_tails
from retrieval.ranker.training_groups import (
    BEST_OTHERS_PER_FUNCTION,
    DRAWN_OTHERS_PER_FUNCTION,
    SEED,
    choose_training_candidates,
)
from retrieval.structure.signal_maker import Signals, SignalTable

SET, SAMPLED = "set", "sampled"
_OF_CANDIDATES = ("target", "row", "callee")


class Question(NamedTuple):
    """A function of the set, all its candidates, and for each the number of the callee that it is, else -1. `row`: its
    own."""

    place: str
    row: int
    callees: int
    usual: bool
    signals: Signals
    callee: npt.NDArray[np.int16]


class Sample(NamedTuple):
    """What some trees teach. `tables` are arrays of candidates, mapped from disk, a tree each; `called` and `sizes`
    (candidates of each function) are of all of them, in order; so are `moments` (functions, 2, signals), those of a
    network that sees all candidates of a function."""

    names: tuple[str, ...]
    tables: list[SignalTable]
    called: npt.NDArray[np.bool_]
    sizes: npt.NDArray[np.int64]
    moments: SignalTable


def find_folders(work: Path, record: Record, role: Role, renamed: bool) -> list[Path]:
    """The folders of the trees of that role, in the order in which they were taken, or of their renamed copies; those
    that are whole with today's signals."""
    trees = [tree for tree in record.taken if tree.role == role and (tree.renamed or not renamed)]
    folders = [work / SET / (f"{tree.name}~{tree.renamed}" if renamed else tree.name) for tree in trees]
    return [folder for folder in folders if is_whole(folder)]


def read_questions(folder: Path) -> Iterator[Question]:
    """The functions of a tree, in order; 25 of them are in memory."""
    import pyarrow.parquet as pq

    targets = pq.read_table(
        folder / TARGETS, columns=["target", "row", "path", "line", "callees", "usual"]
    ).to_pylist()
    described = {row["target"]: row for row in targets}
    whole = pq.ParquetFile(folder / CANDIDATES)
    names = tuple(name for name in whole.schema_arrow.names if name not in _OF_CANDIDATES)
    for number in range(whole.num_row_groups):
        group = whole.read_row_group(number)
        target, rows, callee = (group.column(name).to_numpy() for name in _OF_CANDIDATES)
        table = np.empty((len(rows), len(names)), dtype=np.float32)
        for at, name in enumerate(names):
            table[:, at] = group.column(name).to_numpy()
        starts = np.flatnonzero(np.diff(target, prepend=-1))
        for begin, end in zip(starts, [*starts[1:], len(target)], strict=True):
            row = described[int(target[begin])]
            yield Question(
                f"{row['path']}:{row['line']}",
                row["row"],
                row["callees"],
                row["usual"],
                Signals(rows[begin:end], table[begin:end], names),
                callee[begin:end],
            )


def read_sample(work: Path, folders: Sequence[Path], ask: Callable[[Path], Iterator[Question]], key: str) -> Sample:
    """What these trees teach: of each function all callees and some other candidates. Kept on disk, by tree. `ask`
    gives a folder's questions; `key` changes with what it makes of them. Raises ValueError when there are none."""
    kept = [_keep_sample(work / SAMPLED / folder.name, folder, ask, key) for folder in folders]
    if not kept:
        raise ValueError("no tree of the set has today's signals: make the set first")
    names = tuple((kept[0] / "names.txt").read_text().split())
    tables = [np.load(place / "table.npy", mmap_mode="r") for place in kept]
    return Sample(
        names,
        [table for table in tables if len(table)],
        np.concatenate([np.load(place / "called.npy") for place in kept]),
        np.concatenate([np.load(place / "sizes.npy") for place in kept]),
        np.concatenate([np.load(place / "moments.npy") for place in kept]),
    )


def _keep_sample(place: Path, folder: Path, ask: Callable[[Path], Iterator[Question]], key: str) -> Path:
    """The tree's sample on disk, made unless it is there."""
    others = [BEST_OTHERS_PER_FUNCTION, DRAWN_OTHERS_PER_FUNCTION, SEED]
    whole = place / short_digest({"version": describe_signals(), "others": others, "asked": key})
    if whole.is_dir():
        return whole
    shutil.rmtree(place, ignore_errors=True)
    scratch = place / ".new"
    scratch.mkdir(parents=True)
    random = np.random.default_rng(SEED)
    tables, called, moments, names = [], [], [], tuple[str, ...]()
    for question in ask(folder):
        names = question.signals.names
        calls = question.callee >= 0
        if calls.any():
            at = choose_training_candidates(question.signals, calls, random)
            tables.append(question.signals.table[at])
            called.append(calls[at])
            moments.append(compute_moments(squash_long_tails(question.signals.table)))
    np.save(scratch / "table.npy", np.concatenate(tables) if tables else np.zeros((0, len(names)), dtype=np.float32))
    np.save(scratch / "called.npy", np.concatenate([*called, np.zeros(0, dtype=bool)]))
    np.save(scratch / "moments.npy", np.array(moments, dtype=np.float32).reshape(len(called), 2, len(names)))
    np.save(scratch / "sizes.npy", np.array([len(c) for c in called], dtype=np.int64))
    (scratch / "names.txt").write_text(" ".join(names))
    scratch.rename(whole)
    return whole
