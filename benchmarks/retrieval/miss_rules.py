"""Why true callees are missed: for each that isn't among a ranker's first k hits one reason, by rule.

The rules read the same signals as the rankers, with the target hidden as it was for them, so that a reason says what
could be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from experiments.retrieval_eval.callees import Callee, SymbolKey, key_of
from experiments.retrieval_eval.evaluate import RepoTargets, hidden_clones, ranks
from experiments.retrieval_eval.score import LIMIT
from experiments.retrieval_eval.targets import EvaluationTarget
from index.hiding.view import HiddenView
from index.repo_index import RepoIndex
from index.values import Masking, Target
from retrieval.protocol import Retriever
from retrieval.structure.signaller import Signaller, Signals
from retrieval.structure.tables.lists import Rows
from retrieval.values import Hit

SIBLINGS = (
    "file",
    "near",
    "scope",
    "names",
    "alike",
    "more_alike",
    "types",
    "docs",
    "namesakes",
    "callers",
    "cousins",
)
"""Votes of functions that are similar to the target, beside it, or called where it is called."""
WORDS = ("name", "in_doc", "in_offered", "mentioned")
TYPES = ("takes", "gives", "gives_taken", "takes_given", "reachable", "own", "inherited", "of_types", "of_fields")


class Facts(NamedTuple):
    """One true callee and what can be seen of it."""

    repo: str
    target: str
    callee: str
    rank: int
    """0 where it isn't among the hits."""
    callees: int
    """The number of the target's callees."""
    hidden: bool
    """Hidden as a clone of the target."""
    known: bool
    """The index knows it, and it can be called from there."""
    in_pool: bool
    called: int
    """Visible functions that call it."""
    by_clones: int
    """Hidden functions beside the target that call it."""
    by_siblings: bool
    by_words: bool
    by_types: bool
    """Whether such signals speak for it."""
    in_file: bool
    namesake: int
    """Rank of the first hit of its name that is no callee, 0 for none."""


EVERYBODYS = 20
"""Callers above which a function counts as everybody's tool."""

_TOOL = "outranked: everybody's tool (over 20 callers), similar ones to the target among them"

Rule = Callable[[Facts, int], bool]
RULES: Mapping[str, Rule] = {
    "hidden as a clone of the target": lambda f, cut: f.hidden,
    "not in the index, or not callable from there by the index": lambda f, cut: not f.known,
    "not among the 1,000 candidates": lambda f, cut: not f.in_pool,
    "the target has more callees than places": lambda f, cut: f.callees > cut,
    "a namesake of it was taken: an overload, another build": lambda f, cut: 0 < f.namesake <= cut,
    "only hidden clones of the target call it beside the target": lambda f, cut: not f.called and f.by_clones > 0,
    "nothing else calls it, and no word points to it": lambda f, cut: not f.called and not f.by_words,
    "nothing else calls it, but words point to it": lambda f, cut: not f.called,
    "called, but by nothing similar to the target; no word points to it": lambda f, cut: (
        not f.by_siblings and not f.by_words
    ),
    "called, but by nothing similar to the target; words point to it": lambda f, cut: not f.by_siblings,
    "outranked: functions similar to the target call it; no word points to it": lambda f, cut: (
        f.called <= EVERYBODYS and not f.by_words
    ),
    "outranked: functions similar to the target call it; words point to it": (lambda f, cut: f.called <= EVERYBODYS),
    f"{_TOOL}; no word points to it": lambda f, cut: not f.by_words,
    f"{_TOOL}; words point to it": lambda f, cut: True,
}
"""Reason -> whether it holds for a callee that isn't among the first `cut` hits; the first that holds counts."""


class Wrong(NamedTuple):
    """What a hit among the first ten that is no callee has for it, by its signals."""

    by_siblings: bool
    by_words: bool
    by_types: bool
    everybodys: bool


class Misses(NamedTuple):
    facts: tuple[Facts, ...]
    wrong: tuple[Wrong, ...]


def facts_of(repo: RepoTargets, retriever: Retriever, signaller: Signaller, masking: Masking) -> Iterator[Misses]:
    """Of each target of a repository."""
    for evaluated in repo.targets:
        view = repo.index.hide(evaluated.target, masking)
        signals = signaller.of(view, evaluated.target)
        hits = retriever.retrieve(view, evaluated.target, LIMIT)
        yield _of_target(repo, evaluated, view, signaller, signals, hits)


def _of_target(
    repo: RepoTargets,
    evaluated: EvaluationTarget,
    view: HiddenView,
    signaller: Signaller,
    signals: Signals,
    hits: Sequence[Hit],
) -> Misses:
    index = repo.index
    place = {int(i): at for at, i in enumerate(signaller.tables.ids[signals.rows])}
    true = {p for callee in evaluated.truth.callees for p in callee.keys}
    namesakes: dict[str, int] = {}
    for number, hit in enumerate(hits, 1):
        if key_of(hit.symbol) not in true:
            namesakes.setdefault(hit.symbol.name, number)
    own = _own(index, evaluated.target)
    clones = hidden_clones(view)
    facts = []
    for callee, rank in zip(evaluated.truth.callees, ranks(hits, evaluated.truth.callees), strict=True):
        ids = _ids(index, callee)
        at = [place[i] for i in ids if i in place]
        callers = {int(c) for i in ids for c in index.graph.callers(i)}
        rows = signaller.tables.row_of[[i for i in ids if i < len(signaller.tables.row_of)]]
        facts.append(
            Facts(
                repo=repo.name,
                target=evaluated.id,
                callee=callee.name,
                rank=rank,
                callees=len(evaluated.truth.callees),
                hidden=bool(callee.symbols) and callee.keys <= clones,
                known=_callable(signaller, rows, evaluated.target, index),
                in_pool=bool(at),
                called=len(callers - view.touched),
                by_clones=len((callers & view.touched) - own),
                by_siblings=_speaks(signals, at, SIBLINGS),
                by_words=_speaks(signals, at, WORDS),
                by_types=_speaks(signals, at, TYPES),
                in_file=evaluated.target.path == callee.path,
                namesake=min((namesakes[s.name] for s in callee.symbols if s.name in namesakes), default=0),
            )
        )
    return Misses(tuple(facts), tuple(_wrong(index, signals, place, hits[:10], true)))


def _own(index: RepoIndex, target: Target) -> set[int]:
    """The target's own symbols: what calls something as itself is no clone."""
    return {e.id for e in index.entries_of(target.path) if e.symbol.span.first == target.span.first}


def _ids(index: RepoIndex, callee: Callee) -> list[int]:
    named = (e for name in {s.name for s in callee.symbols} for e in index.entries_named(name))
    return [e.id for e in named if key_of(e.symbol) in callee.keys]


def _callable(signaller: Signaller, rows: Rows, target: Target, index: RepoIndex) -> bool:
    """Whether one of the rows (-1 for none) may be a candidate: static functions of other files may not."""
    tables = signaller.tables
    paths = [path for path, file in index.files.items() if not file.reason]
    rows = rows[rows >= 0]
    return any(not tables.static[row] or paths[tables.file[row]] == target.path for row in rows.tolist())


def _speaks(signals: Signals, at: Sequence[int], names: Sequence[str]) -> bool:
    return any(bool((signals.column(name)[list(at)] > 0).any()) for name in names) if at else False


def _wrong(
    index: RepoIndex,
    signals: Signals,
    place: Mapping[int, int],
    hits: Sequence[Hit],
    true: set[SymbolKey],
) -> Iterator[Wrong]:
    for hit in hits:
        if key_of(hit.symbol) in true:
            continue
        there = index.entries_at(hit.symbol.path, hit.symbol.start_byte)
        at = [place[e.id] for e in there if e.id in place]
        called = float(np.expm1(signals.column("called")[at].max(initial=0.0)))
        yield Wrong(
            _speaks(signals, at, SIBLINGS),
            _speaks(signals, at, WORDS),
            _speaks(signals, at, TYPES),
            called > EVERYBODYS,
        )


def reason(facts: Facts, cut: int) -> str:
    """Why a callee isn't among the first `cut`; "" where it is."""
    if 0 < facts.rank <= cut:
        return ""
    return next(reason for reason, holds in RULES.items() if holds(facts, cut))


class Ceiling(NamedTuple):
    """`share`: recall at a cut if all callees of which `holds` were ranked before everything else."""

    holds: str
    share: float


def ceilings(facts: Sequence[Facts], cut: int) -> list[Ceiling]:
    """What perfect orders of ever less would find among the first `cut`."""
    kinds = {
        "every candidate": [f.in_pool for f in facts],
        "candidates that a visible function calls": [f.in_pool and f.called > 0 for f in facts],
        "candidates that a function similar to the target calls": [f.in_pool and f.by_siblings for f in facts],
        "candidates that a word or a similar function points to": [
            f.in_pool and (f.by_siblings or f.by_words) for f in facts
        ],
        "candidates that both point to": [f.in_pool and f.by_siblings and f.by_words for f in facts],
    }
    out = []
    for label, within in kinds.items():
        per_target: dict[tuple[str, str], int] = {}
        for callee, inside in zip(facts, within, strict=True):
            key = callee.repo, callee.target
            per_target[key] = per_target.get(key, 0) + inside
        found = sum(min(cut, count) for count in per_target.values())
        out.append(Ceiling(label, found / max(len(facts), 1)))
    return out


class Part(NamedTuple):
    """Some of the callees, and the recall at two cuts among them."""

    label: str
    callees: int
    at_10: float
    at_50: float


def parts(facts: Sequence[Facts]) -> list[Part]:
    """Recall by what can be seen of a callee."""
    kinds: dict[str, Callable[[Facts], bool]] = {
        "all": lambda f: True,
        "no visible function calls it": lambda f: f.called == 0,
        "1 to 3 visible functions call it": lambda f: 1 <= f.called <= 3,
        "4 to 20": lambda f: 4 <= f.called <= 20,
        "more than 20": lambda f: f.called > EVERYBODYS,
        "in the target's file": lambda f: f.in_file,
        "elsewhere": lambda f: not f.in_file,
        "functions similar to the target call it": lambda f: f.by_siblings,
        "none does": lambda f: not f.by_siblings,
        "a word of the target points to it": lambda f: f.by_words,
        "no word does": lambda f: not f.by_words,
        "neither, nor a type": lambda f: not (f.by_siblings or f.by_words or f.by_types),
    }
    out = []
    for label, fits in kinds.items():
        some = [f for f in facts if fits(f)]
        if some:
            shares = (sum(0 < f.rank <= cut for f in some) / len(some) for cut in (10, 50))
            out.append(Part(label, len(some), *shares))
    return out
