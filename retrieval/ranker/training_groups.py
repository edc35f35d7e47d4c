"""What a ranker is trained on: functions of a repository, each queried as if its body were hidden; and where it is
kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from index.hiding.hidden_view import HiddenView
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

Model = TypeVar("Model")
_NO_MODEL = "nothing to learn from\n"


def load_or_train_model(
    index: RepoIndex,
    name: str,
    version: str,
    held_out: Sequence[Target],
    train: Callable[[], str | None],
    read: Callable[[str], Model],
) -> Model | None:
    """What `read` makes of the text that `train` gives: trained once for each build of the index, each `version` and
    each set of targets `held_out`, and kept in the index's folder. None where there is too little to learn from."""
    targets = sorted({f"{t.path}\t{t.span.first}\t{t.span.last}\t{t.name}\t{t.signature}" for t in held_out})
    key = hashlib.sha256("\n".join([version, *targets]).encode("utf-8", "replace")).hexdigest()[:16]

    def train_and_save(folder: Path) -> None:
        (folder / f"{name}.txt").write_text(train() or _NO_MODEL, encoding="ascii")

    def load(folder: Path) -> Model | None:
        text = (folder / f"{name}.txt").read_text(encoding="ascii")
        return None if text == _NO_MODEL else read(text)

    return index.load_or_make_arrays(f"{name}-{key}", train_and_save, load)


class TrainingQuery(NamedTuple):
    """A function that teaches, as a target whose body is hidden, and its candidates' signals."""

    entry: Entry
    target: Target
    view: HiddenView
    signals: Signals


def query_training_functions(
    signaller: Signaller, barred: Rows, names: Sequence[str], count: int, progress_title: str, progress: Progress
) -> Iterator[TrainingQuery]:
    """At most `count` functions, none of the rows `barred`, which neither vote nor are candidates. Which functions are
    chosen depends on their places and names. `names` are the signals; `progress` counts the functions
    as `progress_title`."""
    functions = choose_training_functions(signaller, barred, count)
    with progress.open_count(progress_title, len(functions)) as advance:
        for entry in functions:
            target = make_target(entry.symbol)
            view = signaller.index.hide(target, "strict")
            yield TrainingQuery(entry, target, view, signaller.compute_signals(view, target, barred, names))
            advance()


class TrainingGroup(NamedTuple):
    """Some candidates of one function: their signals (n, signals), which of them it calls, and the signals' names."""

    table: SignalTable
    called: npt.NDArray[np.bool_]
    names: tuple[str, ...]


def find_target_and_clone_rows(signaller: Signaller, targets: Sequence[Target]) -> Rows:
    """The rows of targets and of their strict clones, which no ranker may learn from."""
    found: set[int] = set()
    for target in targets:
        found.update(signaller.find_hidden_rows(signaller.index.hide(target, "strict"), target).tolist())
    return np.array(sorted(found), dtype=np.int32)


def make_training_groups(
    signaller: Signaller,
    held_out: Sequence[Target],
    count: int = TRAINING_FUNCTIONS,
    progress: Progress = SILENT,
    names: Sequence[str] = SIGNAL_NAMES,
) -> Iterator[TrainingGroup]:
    """The groups of at most `count` functions, one each. Functions of `held_out` and their clones train nothing, and
    no other function's group sees them or their edges. `names`: the signals, "pool" among them."""
    barred = find_target_and_clone_rows(signaller, held_out)
    random = np.random.default_rng(SEED)
    asked = query_training_functions(signaller, barred, names, count, "functions learnt from", progress)
    for entry, _, _, signals in asked:
        called = np.isin(signals.rows, find_sure_callees(signaller, int(signaller.tables.row_of[entry.id])))
        if called.any():
            kept = choose_training_candidates(signals, called, random)
            yield TrainingGroup(signals.table[kept], called[kept], signals.names)


def find_sure_callees(signaller: Signaller, row: int) -> Rows:
    calls = signaller.tables.calls
    sure = signaller.tables.weights[calls.starts[row] : calls.starts[row + 1]] >= SURE_CALL_CONFIDENCE
    return calls.get_list(row)[sure]


def make_target(symbol: Symbol, repo: str = "") -> Target:
    """The target that a function of the index would be."""
    return Target(
        repo, symbol.path, symbol.span, symbol.qualified_name, symbol.signature, symbol.docstring, symbol.language
    )


def choose_training_functions(signaller: Signaller, held_out: Rows, count: int) -> list[Entry]:
    """The functions that train, in order; none of the rows `held_out`."""
    barred = set(held_out.tolist())
    tables = signaller.tables
    calling = tables.calls.measure_lengths() > 0
    callers = tables.callers.measure_lengths()
    usual, others = [], []
    for row, entry in enumerate(signaller.index.functions):
        if row in barred or not calling[row] or is_test_code(entry.symbol.path):
            continue
        fits = tables.lines[row] in USUAL_LINES and callers[row] <= MOST_USUAL_CALLERS
        if fits and len(split_words(entry.symbol.docstring)) >= FEWEST_USUAL_DOC_WORDS:
            usual.append(entry)
        else:
            others.append(entry)
    usual.sort(key=_make_random_draw_key)
    others.sort(key=_make_random_draw_key)
    half = usual[: max(count // 2, count - len(others))]
    return half + others[: count - len(half)]


def _make_random_draw_key(entry: Entry) -> bytes:
    text = f"{SEED}\n{entry.symbol.path}\n{entry.symbol.qualified_name}\n{entry.symbol.signature}"
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()


def choose_training_candidates(signals: Signals, called: npt.NDArray[np.bool_], random: np.random.Generator) -> Rows:
    """The places of the candidates that a function teaches with, ascending: all callees and some others."""
    others = np.flatnonzero(~called)
    ordered = others[np.argsort(-signals.find_column("pool")[others], kind="stable")]
    rest = ordered[BEST_OTHERS_PER_FUNCTION:]
    drawn = random.choice(rest, min(DRAWN_OTHERS_PER_FUNCTION, len(rest)), replace=False)
    kept = np.concatenate([np.flatnonzero(called), ordered[:BEST_OTHERS_PER_FUNCTION], drawn])
    return np.sort(kept).astype(np.int32)
