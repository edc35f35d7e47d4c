"""What a ranker is trained on: functions of a repository, each queried as if its body were hidden."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.progress import SILENT, Progress
from index.repo_index import RepoIndex
from index.values import Entry, Symbol, Target
from retrieval.structure.signaller import Signaller, Signals, SignalTable
from retrieval.structure.signals import NAMES
from retrieval.structure.tables.lists import Rows
from retrieval.test_code import is_test_code
from retrieval.text.terms import words

TRAINING_FUNCTIONS = 1200
"""Functions of one repository that train a ranker: twice as many gave no more on the development split."""
TOP_OTHERS, OTHER_OTHERS = 150, 100
"""Candidates of each function that are no callees: the best of the pool, and some drawn from the rest. With 60 and 40
a ranker hardly sees what lies between and ranks it first: the generic one's recall@10 on redis was 0.39."""
SEED = 20
SURE = 0.5
"""Confidence of an edge that counts as a call: below, the name fits another function as well."""

MIN_DOC_WORDS = 4
LINES = range(4, 21)
MAX_CALLERS = 7
"""Half of the functions are such as a benchmark has: documented, of so many lines and callers. The others are of
every kind."""


class TrainingGroup(NamedTuple):
    """Some candidates of one function: their signals (n, signals), which of them it calls, and the signals' names."""

    table: SignalTable
    called: npt.NDArray[np.bool_]
    names: tuple[str, ...]


def held_out_rows(index: RepoIndex, signaller: Signaller, targets: Sequence[Target]) -> Rows:
    """The rows of targets and of their strict clones, which no ranker may learn from."""
    found: set[int] = set()
    for target in targets:
        found.update(signaller.hidden_rows(index.hide(target, "strict"), target).tolist())
    return np.array(sorted(found), dtype=np.int32)


def training_groups(
    index: RepoIndex,
    signaller: Signaller,
    held_out: Sequence[Target],
    count: int = TRAINING_FUNCTIONS,
    progress: Progress = SILENT,
    names: Sequence[str] = NAMES,
) -> Iterator[TrainingGroup]:
    """The groups of at most `count` functions, one each. Functions of `held_out` and their clones train nothing, and
    no other function's group sees them or their edges. Which functions are chosen depends on their places and names.
    `progress` counts the functions. `names`: the signals, "pool" among them."""
    barred = held_out_rows(index, signaller, held_out)
    random = np.random.default_rng(SEED)
    functions = training_functions(index, signaller, barred, count)
    with progress.counting("functions learnt from", len(functions)) as advance:
        for entry in functions:
            symbol = entry.symbol
            target = target_of(symbol)
            view = index.hide(target, "strict")
            signals = signaller.of(view, target, barred, names)
            callees = sure_callees(signaller, int(signaller.tables.row_of[entry.id]))
            called = np.isin(signals.rows, callees)
            if called.any():
                kept = taught_with(signals, called, random)
                yield TrainingGroup(signals.table[kept], called[kept], signals.names)
            advance()


def sure_callees(signaller: Signaller, row: int) -> Rows:
    """The rows that a row surely calls."""
    calls = signaller.tables.calls
    sure = signaller.tables.weights[calls.starts[row] : calls.starts[row + 1]] >= SURE
    return calls.of(row)[sure]


def target_of(symbol: Symbol, repo: str = "") -> Target:
    """The target that a function of the index would be."""
    return Target(
        repo, symbol.path, symbol.span, symbol.qualified_name, symbol.signature, symbol.docstring, symbol.language
    )


def training_functions(index: RepoIndex, signaller: Signaller, held_out: Rows, count: int) -> list[Entry]:
    """The functions that train, in order; none of the rows `held_out`."""
    barred = set(held_out.tolist())
    tables = signaller.tables
    calling = tables.calls.sizes() > 0
    callers = tables.callers.sizes()
    usual, others = [], []
    for row, entry in enumerate(index.functions):
        if row in barred or not calling[row] or is_test_code(entry.symbol.path):
            continue
        fits = tables.lines[row] in LINES and callers[row] <= MAX_CALLERS
        if fits and len(words(entry.symbol.docstring)) >= MIN_DOC_WORDS:
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


def taught_with(signals: Signals, called: npt.NDArray[np.bool_], random: np.random.Generator) -> Rows:
    """The places of the candidates that a function teaches with, ascending: all callees and some others."""
    others = np.flatnonzero(~called)
    ordered = others[np.argsort(-signals.column("pool")[others], kind="stable")]
    rest = ordered[TOP_OTHERS:]
    drawn = random.choice(rest, min(OTHER_OTHERS, len(rest)), replace=False)
    return np.sort(np.concatenate([np.flatnonzero(called), ordered[:TOP_OTHERS], drawn])).astype(np.int32)
