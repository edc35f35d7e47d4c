"""Ask every retriever for every target with the target hidden, and note where its true callees came."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from experiments.arms.retrievers import make_retriever, retrievers
from experiments.retrieval_eval.callees import Callee, place_of
from experiments.retrieval_eval.controls import CONTROLS, controls
from experiments.retrieval_eval.score import BUDGETS, LIMIT, Scored, Shown
from experiments.retrieval_eval.targets import Asked
from experiments.retrieval_eval.uses import Needed, needed, shown
from index.errors import ConfigError
from index.hiding.view import HiddenView
from index.plugins import is_import_path
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex
from index.strict import did_you_mean
from index.values import Masking, Target
from retrieval.context.assemble import Packing, retrieved_context
from retrieval.context.related import related
from retrieval.protocol import RetrieverSettings
from retrieval.values import Hit

Ask = Callable[[HiddenView, Asked, int], list[Hit]]


@dataclass(frozen=True, slots=True)
class RepoTargets:
    """A repository and whom to ask for in it. `asked` have at least one callee; `left_out` says of the others how
    many there are and why; `excluded`: (target, call, reason) of the calls that don't count."""

    name: str
    index: RepoIndex
    asked: tuple[Asked, ...]
    left_out: tuple[str, ...]
    excluded: tuple[tuple[str, str, str], ...]


def with_callees(name: str, index: RepoIndex, asked: Sequence[Asked]) -> RepoTargets:
    """The targets that can be scored, and the account of the rest."""
    kept = tuple(a for a in asked if a.truth.callees and not a.missing)
    left_out = []
    none = sum(not a.truth.callees and not a.missing for a in asked)
    if none:
        left_out.append(f"{none} targets call nothing in the repository")
    for reason in dict.fromkeys(a.missing for a in asked if a.missing):
        left_out.append(f"{sum(a.missing == reason for a in asked)} targets: {reason}")
    excluded = tuple((a.id, call, why) for a in asked for call, why in a.truth.excluded)
    return RepoTargets(name, index, kept, tuple(left_out), excluded)


def known_names(names: Sequence[str]) -> tuple[str, ...]:
    """Retrievers' and controls' names, each once. Raises ConfigError for another one."""
    known = (*retrievers(), *CONTROLS)
    for name in names:
        if name not in known and not is_import_path(name):
            raise ConfigError(f"--retrievers: unknown {name!r}{did_you_mean(name, known)} (known: {', '.join(known)})")
    return tuple(dict.fromkeys(names))


def askers(names: Sequence[str], index: RepoIndex, settings: RetrieverSettings) -> dict[str, Ask]:
    """Retrievers and controls by name, each made now: vectors and training may take minutes."""
    extra = controls(index)
    return {name: extra[name] if name in extra else _asking(name, index, settings) for name in names}


def _asking(name: str, index: RepoIndex, settings: RetrieverSettings) -> Ask:
    retriever = make_retriever(name, index, settings)

    def ask(view: HiddenView, asked: Asked, limit: int) -> list[Hit]:
        return retriever.retrieve(view, asked.target, limit)

    return ask


def evaluate(
    repo: RepoTargets,
    asking: Mapping[str, Ask],
    masking: Masking,
    progress: Progress = SILENT,
    *,
    contexts: bool = True,
) -> list[Scored]:
    """One `Scored` per target and retriever, target by target. `contexts`: pack and score contexts too."""
    out = []
    with progress.counting(f"targets of {repo.name}", len(repo.asked)) as advance:
        for asked in repo.asked:
            wanted = needed(asked.gold, asked.target, asked.truth, repo.index) if contexts else []
            beside = related(repo.index.hide(asked.target, masking), asked.target) if contexts else []
            for name, ask in asking.items():
                out.append(_score(repo, asked, name, ask, masking, wanted, beside))
            advance()
    return out


def _score(
    repo: RepoTargets,
    asked: Asked,
    name: str,
    ask: Ask,
    masking: Masking,
    wanted: Sequence[Needed],
    beside: Sequence[Hit],
) -> Scored:
    # A fresh view each time: what one retriever has it look up would be the next one's for nothing.
    began = time.process_time()
    view = repo.index.hide(asked.target, masking)
    hidden = time.process_time()
    hits = ask(view, asked, LIMIT)
    done = time.process_time()
    packed: list[Shown] = []
    if wanted:
        packed = [one for budget in BUDGETS for one in _packed(view, asked, name, hits, wanted, beside, budget)]
    return Scored(
        repo=repo.name,
        id=asked.id,
        retriever=name,
        ranks=ranks(hits, asked.truth.callees),
        hidden=sum(not _visible(callee, view) for callee in asked.truth.callees),
        shown=tuple(packed),
        hide_ms=1000 * (hidden - began),
        query_ms=1000 * (done - hidden),
    )


def _packed(
    view: HiddenView,
    asked: Asked,
    name: str,
    hits: Sequence[Hit],
    wanted: Sequence[Needed],
    beside: Sequence[Hit],
    budget: int,
) -> list[Shown]:
    """What of `wanted` the context shows that an arm of `graft run` would give for these hits. `beside`: the types
    and macros that such an arm adds; they don't depend on the hits."""
    packing = Packing(budget)
    context = retrieved_context(view, asked.target, hits[: packing.asked], packing, name, lambda view, target: beside)
    return shown(context, wanted)


def ranks(hits: Sequence[Hit], callees: Sequence[Callee]) -> tuple[int, ...]:
    """Each callee's place among the hits, from 1; 0 where it isn't there."""
    first: dict[tuple[str, int, int], int] = {}
    for number, hit in enumerate(hits, 1):
        first.setdefault(place_of(hit.symbol), number)
    return tuple(min((first[p] for p in callee.places if p in first), default=0) for callee in callees)


def _visible(callee: Callee, view: HiddenView) -> bool:
    """Whether the view shows any symbol of a callee that the index knows; it may be a clone of the target."""
    clones = {place_of(clone) for clone in view.clones} if view.masking == "strict" else set()
    return not callee.symbols or not callee.places <= clones


def held_out(targets: Sequence[Target], drawn: Sequence[Target]) -> tuple[Target, ...]:
    """What no trained ranker may learn from, in a fixed order, so that a model on disk is found again."""
    return tuple(sorted({*targets, *drawn}, key=lambda t: (t.path, t.span.first, t.span.last, t.name)))
