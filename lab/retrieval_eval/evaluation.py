"""Run every retriever on every target, the target hidden, and note where its true callees came."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from experiments.arms.retrievers import list_retrievers, make_retriever
from index.errors import ConfigError
from index.hiding.hidden_view import HiddenView
from index.plugins import is_import_path
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex
from index.user_files import suggest_spelling
from index.values import Masking
from lab.retrieval_eval.controls import CONTROLS, ORACLE, Query, make_controls
from lab.retrieval_eval.figures import CONTEXT_BUDGETS, HITS_PER_QUERY, TargetScore
from lab.retrieval_eval.targets import EvaluationTarget
from lab.retrieval_eval.things_used import count_shown_things, list_things_used
from lab.retrieval_eval.true_callees import Callee, SymbolKey, make_symbol_key
from retrieval.context.assembly import ORACLE_GROUPS, RETRIEVED_GROUPS, Packing, make_retrieved_context
from retrieval.context.needed_symbols import find_needed_symbols
from retrieval.context.related_symbols import find_related_symbols
from retrieval.protocol import RetrieverSettings
from retrieval.text.nearness import FUNCTIONS
from retrieval.values import Context, Hit


@dataclass(frozen=True, slots=True)
class RepoAccount:
    """A repository's targets, each with at least one callee. `left_out` says how many others there are and why;
    `excluded`: (target, call, reason) of the calls that don't count."""

    name: str
    targets: tuple[EvaluationTarget, ...]
    left_out: tuple[str, ...]
    excluded: tuple[tuple[str, str, str], ...]

    @property
    def unknown_callees(self) -> list[str]:
        """Callees that count though the index lacks them, so that nobody can find them."""
        return [callee.name for t in self.targets for callee in t.truth.callees if not callee.symbols]


@dataclass(frozen=True, slots=True)
class RepoTargets(RepoAccount):
    """The same with the repository's index."""

    index: RepoIndex

    @property
    def account(self) -> RepoAccount:
        return RepoAccount(self.name, self.targets, self.left_out, self.excluded)


def keep_scorable_targets(name: str, index: RepoIndex, targets: Sequence[EvaluationTarget]) -> RepoTargets:
    """The targets that can be scored, and the account of the rest."""
    kept = tuple(t for t in targets if t.truth.callees and not t.missing)
    left_out = []
    none = sum(not t.truth.callees and not t.missing for t in targets)
    if none:
        left_out.append(f"{none} targets call nothing in the repository")
    for reason in dict.fromkeys(t.missing for t in targets if t.missing):
        left_out.append(f"{sum(t.missing == reason for t in targets)} targets: {reason}")
    excluded = tuple((t.id, call, why) for t in targets for call, why in t.truth.excluded)
    return RepoTargets(name, kept, tuple(left_out), excluded, index)


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """Retrievers' and controls' names, each once. Raises ConfigError for another one."""
    known = (*list_retrievers(), *CONTROLS)
    for name in names:
        if name not in known and not is_import_path(name):
            raise ConfigError(
                f"--retrievers: unknown {name!r}{suggest_spelling(name, known)} (known: {', '.join(known)})"
            )
    return tuple(dict.fromkeys(names))


def make_queries(names: Sequence[str], index: RepoIndex, settings: RetrieverSettings) -> dict[str, Query]:
    """Retrievers and controls by name, each made now: vectors and training may take minutes."""
    controls = make_controls(index)

    def make_query(name: str) -> Query:
        retriever = make_retriever(name, index, settings)
        return lambda view, target, limit: retriever.retrieve(view, target.target, limit)

    return {name: controls.get(name) or make_query(name) for name in names}


def score_retrievers(
    repo: RepoTargets,
    queries: Mapping[str, Query],
    masking: Masking,
    progress: Progress = SILENT,
    *,
    contexts: bool = True,
) -> list[TargetScore]:
    """One score per target and retriever, target by target. `contexts`: pack and score contexts too."""
    out = []
    with progress.open_count(f"targets of {repo.name}", len(repo.targets)) as advance:
        for target in repo.targets:
            used = list_things_used(target.gold, target.target, target.truth, repo.index) if contexts else []
            for name, query in queries.items():
                score, view, hits = _score_target(repo, target, name, query, masking)
                if used:
                    packed = _pack_contexts(view, target, name, hits)
                    score = replace(
                        score, shown=tuple(c for context in packed for c in count_shown_things(context, used))
                    )
                out.append(score)
            advance()
    return out


def _score_target(
    repo: RepoTargets, target: EvaluationTarget, name: str, query: Query, masking: Masking
) -> tuple[TargetScore, HiddenView, list[Hit]]:
    # A fresh view each time: what one retriever looks up would be cached for the next.
    began = time.process_time()
    view = repo.index.hide(target.target, masking)
    hidden = time.process_time()
    hits = query(view, target, HITS_PER_QUERY)
    done = time.process_time()
    score = TargetScore(
        repo=repo.name,
        id=target.id,
        retriever=name,
        ranks=find_ranks(hits, target.truth.callees),
        hidden=sum(not _is_visible(callee, view) for callee in target.truth.callees),
        shown=(),
        hide_ms=1000 * (hidden - began),
        query_ms=1000 * (done - hidden),
    )
    return score, view, hits


def _pack_contexts(view: HiddenView, target: EvaluationTarget, name: str, hits: Sequence[Hit]) -> list[Context]:
    """The contexts that an arm of `graft run` would make of these hits, one for each of `CONTEXT_BUDGETS`; those of
    the control `oracle` show what the arm `oracle+` does."""
    functions = [hit for hit in hits if hit.symbol.kind in FUNCTIONS]
    groups = ORACLE_GROUPS if name == ORACLE else RETRIEVED_GROUPS
    beside = (
        find_needed_symbols(view, target.target, [view.text(hit.symbol) for hit in functions])
        if name == ORACLE
        else find_related_symbols(view, target.target, functions)
    )
    out = []
    for budget in CONTEXT_BUDGETS:
        packing = Packing(budget, groups=groups)
        chosen = hits[: packing.requested_hits]
        out.append(
            make_retrieved_context(view, target.target, chosen, packing, name, lambda view, target, hits: beside)
        )
    return out


def find_ranks(hits: Sequence[Hit], callees: Sequence[Callee]) -> tuple[int, ...]:
    """Each callee's place among the hits, from 1; 0 where it isn't there."""
    first: dict[SymbolKey, int] = {}
    for number, hit in enumerate(hits, 1):
        first.setdefault(make_symbol_key(hit.symbol), number)
    return tuple(min((first[key] for key in callee.symbol_keys if key in first), default=0) for callee in callees)


def find_hidden_clones(view: HiddenView) -> set[SymbolKey]:
    """The clones that the view hides."""
    return {make_symbol_key(clone) for clone in view.clones} if view.masking == "strict" else set()


def _is_visible(callee: Callee, view: HiddenView) -> bool:
    """Whether the view shows any symbol of a callee that the index knows; it may be a clone of the target."""
    return not callee.symbols or not callee.symbol_keys <= find_hidden_clones(view)
