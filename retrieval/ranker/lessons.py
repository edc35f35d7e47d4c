"""What the learned ranker is taught with: functions of a repository, each asked for as if its body were hidden."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.progress import SILENT, Progress
from index.repo_index import RepoIndex
from index.values import Entry, Symbol, Target
from retrieval.structure.signaller import Signaller, Signals, SignalTable
from retrieval.structure.tables.lists import Rows
from retrieval.test_code import is_test_code

LESSONS = 1200
"""Functions that one repository teaches with: twice as many gave no more on the development split."""
TOP_OTHERS, OTHER_OTHERS = 150, 100
"""Candidates of each function that are no callees: the best of the pool, and some drawn from the rest. With 60 and
40 a ranker hardly sees what stands between, and puts it first: the generic one's recall@10 on redis was 0.39."""
SEED = 20
SURE = 0.5
"""Confidence of an edge that counts as a call: below, the name fits another function as well."""

MIN_DOC_WORDS = 4
LINES = range(4, 21)
MAX_CALLERS = 7
"""Half of the lessons are functions that a benchmark would ask for; the others are of every kind."""

_WORD = re.compile(r"[^\W\d]\w*")


class Lesson(NamedTuple):
    """Some candidates of one function: (n, signals), which of them it calls, and the signals' names."""

    table: SignalTable
    called: npt.NDArray[np.bool_]
    names: tuple[str, ...]


def held_out_rows(index: RepoIndex, signaller: Signaller, targets: Sequence[Target]) -> Rows:
    """The rows of targets and of their strict clones: all that nobody may learn from."""
    found: set[int] = set()
    for target in targets:
        found.update(signaller.hidden_rows(index.hide(target, "strict"), target).tolist())
    return np.array(sorted(found), dtype=np.int32)


def lessons(
    index: RepoIndex,
    signaller: Signaller,
    held_out: Sequence[Target],
    count: int = LESSONS,
    progress: Progress = SILENT,
) -> Iterator[Lesson]:
    """At most `count` lessons. Functions of `held_out` and their clones teach nothing, and are seen by no other
    lesson: neither their edges nor they as candidates. Which functions teach depends on their places and names.
    `progress` counts the functions."""
    barred = held_out_rows(index, signaller, held_out)
    random = np.random.default_rng(SEED)
    teachers = chosen(index, signaller, barred, count)
    with progress.counting("functions learnt from", len(teachers)) as advance:
        for entry in teachers:
            symbol = entry.symbol
            target = target_of(symbol)
            view = index.hide(target, "strict")
            signals = signaller.of(view, target, barred)
            callees = called_by(signaller, int(signaller.tables.row_of[entry.id]))
            called = np.isin(signals.rows, callees)
            if called.any():
                kept = _some(signals, called, random)
                yield Lesson(signals.table[kept], called[kept], signals.names)
            advance()


def called_by(signaller: Signaller, row: int) -> Rows:
    """The rows that a row surely calls."""
    calls = signaller.tables.calls
    sure = signaller.tables.weights[calls.starts[row] : calls.starts[row + 1]] >= SURE
    return calls.of(row)[sure]


def target_of(symbol: Symbol) -> Target:
    """The hole that a function of the index would be."""
    return Target(
        "", symbol.path, symbol.span, symbol.qualified_name, symbol.signature, symbol.docstring, symbol.language
    )


def chosen(index: RepoIndex, signaller: Signaller, held_out: Rows, count: int) -> list[Entry]:
    """The functions that teach, in order; none of the rows `held_out`."""
    barred = set(held_out.tolist())
    tables = signaller.tables
    calling = tables.calls.sizes() > 0
    callers = tables.callers.sizes()
    usual, others = [], []
    for row, entry in enumerate(index.functions):
        if row in barred or not calling[row] or is_test_code(entry.symbol.path):
            continue
        fits = tables.lines[row] in LINES and callers[row] <= MAX_CALLERS
        if fits and len(_WORD.findall(entry.symbol.docstring)) >= MIN_DOC_WORDS:
            usual.append(entry)
        else:
            others.append(entry)
    usual.sort(key=_draw)
    others.sort(key=_draw)
    half = usual[: max(count // 2, count - len(others))]
    return half + others[: count - len(half)]


def _draw(entry: Entry) -> bytes:
    text = f"{SEED}\n{entry.symbol.path}\n{entry.symbol.qualified_name}\n{entry.symbol.signature}"
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def _some(signals: Signals, called: npt.NDArray[np.bool_], random: np.random.Generator) -> Rows:
    """Places of all callees and some others, ascending."""
    others = np.flatnonzero(~called)
    ordered = others[np.argsort(-signals.column("pool")[others], kind="stable")]
    rest = ordered[TOP_OTHERS:]
    drawn = random.choice(rest, min(OTHER_OTHERS, len(rest)), replace=False)
    return np.sort(np.concatenate([np.flatnonzero(called), ordered[:TOP_OTHERS], drawn])).astype(np.int32)
