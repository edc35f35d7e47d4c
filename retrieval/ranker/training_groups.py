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
from retrieval.structure.signal_maker import Signaller, Signals, SignalTable
from retrieval.structure.signals import SIGNAL_NAMES
from retrieval.structure.tables.compressed_lists import Rows
from retrieval.test_code import is_test_code
from retrieval.text.terms import split_words

TRAINING_FUNCTIONS = 1200
"""Functions of one repository that train a ranker: twice as many gave no more on the development split."""
BEST_OTHERS_PER_FUNCTION, DRAWN_OTHERS_PER_FUNCTION = 150, 100
"""Candidates of each function that are no callees: the best of the pool, and some drawn from the rest. With 60 and 40
a ranker hardly sees what lies between and ranks it first: the generic one's recall@10 on redis was 0.39."""
SEED = 20
SURE_CALL_CONFIDENCE = 0.5
"""Confidence of an edge that counts as a call: below, the name fits another function as well."""

FEWEST_USUAL_DOC_WORDS = 4
USUAL_LINES = range(4, 21)
MOST_USUAL_CALLERS = 7
"""Half of the functions are such as a benchmark has: documented, of so many lines and callers. The others are of
every kind."""


class TrainingGroup(NamedTuple):
    """Some candidates of one function: their signals (n, signals), which of them it calls, and the signals' names."""

    table: SignalTable
    called: npt.NDArray[np.bool_]
    names: tuple[str, ...]


def find_held_out_rows(index: RepoIndex, signaller: Signaller, targets: Sequence[Target]) -> Rows:
    """The rows of targets and of their strict clones, which no ranker may learn from."""
    found: set[int] = set()
    for target in targets:
        found.update(signaller.find_hidden_rows(index.hide(target, "strict"), target).tolist())
    return np.array(sorted(found), dtype=np.int32)


def make_training_groups(
    index: RepoIndex,
    signaller: Signaller,
    held_out: Sequence[Target],
    count: int = TRAINING_FUNCTIONS,
    progress: Progress = SILENT,
    names: Sequence[str] = SIGNAL_NAMES,
) -> Iterator[TrainingGroup]:
    """The groups of at most `count` functions, one each. Functions of `held_out` and their clones train nothing, and
    no other function's group sees them or their edges. Which functions are chosen depends on their places and names.
    `progress` counts the functions. `names`: the signals, "pool" among them."""
    barred = find_held_out_rows(index, signaller, held_out)
    random = np.random.default_rng(SEED)
    functions = choose_training_functions(index, signaller, barred, count)
    with progress.open_count("functions learnt from", len(functions)) as advance:
        for entry in functions:
            symbol = entry.symbol
            target = make_target(symbol)
            view = index.hide(target, "strict")
            signals = signaller.compute_signals(view, target, barred, names)
            callees = find_sure_callees(signaller, int(signaller.tables.row_of[entry.id]))
            called = np.isin(signals.rows, callees)
            if called.any():
                kept = choose_training_candidates(signals, called, random)
                yield TrainingGroup(signals.table[kept], called[kept], signals.names)
            advance()


def find_sure_callees(signaller: Signaller, row: int) -> Rows:
    """The rows that a row surely calls."""
    calls = signaller.tables.calls
    sure = signaller.tables.weights[calls.starts[row] : calls.starts[row + 1]] >= SURE_CALL_CONFIDENCE
    return calls.get_list(row)[sure]


def make_target(symbol: Symbol, repo: str = "") -> Target:
    """The target that a function of the index would be."""
    return Target(
        repo, symbol.path, symbol.span, symbol.qualified_name, symbol.signature, symbol.docstring, symbol.language
    )


def make_target_key(target: Target) -> str:
    """What tells a target from all others: a model on disk is kept under the targets that taught it nothing."""
    return f"{target.path}\t{target.span.first}\t{target.span.last}\t{target.name}\t{target.signature}"


def choose_training_functions(index: RepoIndex, signaller: Signaller, held_out: Rows, count: int) -> list[Entry]:
    """The functions that train, in order; none of the rows `held_out`."""
    barred = set(held_out.tolist())
    tables = signaller.tables
    calling = tables.calls.measure_lengths() > 0
    callers = tables.callers.measure_lengths()
    usual, others = [], []
    for row, entry in enumerate(index.functions):
        if row in barred or not calling[row] or is_test_code(entry.symbol.path):
            continue
        fits = tables.lines[row] in USUAL_LINES and callers[row] <= MOST_USUAL_CALLERS
        if fits and len(split_words(entry.symbol.docstring)) >= FEWEST_USUAL_DOC_WORDS:
            usual.append(entry)
        else:
            others.append(entry)
    usual.sort(key=_make_draw_key)
    others.sort(key=_make_draw_key)
    half = usual[: max(count // 2, count - len(others))]
    return half + others[: count - len(half)]


def _make_draw_key(entry: Entry) -> bytes:
    text = f"{SEED}\n{entry.symbol.path}\n{entry.symbol.qualified_name}\n{entry.symbol.signature}"
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def choose_training_candidates(signals: Signals, called: npt.NDArray[np.bool_], random: np.random.Generator) -> Rows:
    """The places of the candidates that a function teaches with, ascending: all callees and some others."""
    others = np.flatnonzero(~called)
    ordered = others[np.argsort(-signals.find_column("pool")[others], kind="stable")]
    rest = ordered[BEST_OTHERS_PER_FUNCTION:]
    drawn = random.choice(rest, min(DRAWN_OTHERS_PER_FUNCTION, len(rest)), replace=False)
    return np.sort(np.concatenate([np.flatnonzero(called), ordered[:BEST_OTHERS_PER_FUNCTION], drawn])).astype(
        np.int32
    )
