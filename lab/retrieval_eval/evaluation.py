"""Run every retriever on every target, the target hidden, and note where its true callees came, and which of the names
that the true body needs a prompt shows."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from experiments.arms.retrievers import list_retrievers, make_retriever
from index.errors import ConfigError
from index.hiding.hidden_view import HiddenView
from index.hiding.holes import NO_LINES, Lines
from index.plugins import is_import_path
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex
from index.user_files import make_spelling_hint
from index.values import Masking, Target
from lab.retrieval_eval.controls import CONTROLS, ORACLE, Query, make_control_queries
from lab.retrieval_eval.figures import CONTEXT_BUDGETS, HITS_PER_QUERY, NAME_KINDS, PromptScore, TargetScore
from lab.retrieval_eval.targets import EvaluationTarget
from lab.retrieval_eval.true_callees import Callee, SymbolKey, make_symbol_byte_range_key
from retrieval.context.assembly import (
    Packing,
    make_oracle_and_declarations_context,
    make_oracle_context,
    make_retrieved_context,
    make_surroundings_context,
)
from retrieval.names.needed_names import NeededName, find_missing_names, find_needed_names, join_prompt_text
from retrieval.protocol import FindNames, RetrieverSettings
from retrieval.text.nearness import FUNCTIONS
from retrieval.values import Context, Hit

ARM_ROWS = ("none", "file", "oracle", "oracle+")
"""Arms without a retriever, whose prompts are measured beside those of retrievers."""


@dataclass(frozen=True, slots=True)
class RepoAccount:
    """A repository's targets; `prompted` has also those without a callee, last: they only have prompts. `left_out`
    says how many others there are and why; `excluded`: (target, call, reason) of the calls that don't count."""

    name: str
    prompted: tuple[EvaluationTarget, ...]
    left_out: tuple[str, ...]
    excluded: tuple[tuple[str, str, str], ...]

    @property
    def targets(self) -> tuple[EvaluationTarget, ...]:
        """Those with at least one callee, which have ranks."""
        return tuple(target for target in self.prompted if target.truth.callees)

    @property
    def unknown_callees(self) -> list[str]:
        """Callees that count though the index lacks them, so that nobody can find them."""
        return [callee.name for t in self.targets for callee in t.truth.callees if not callee.symbols]


@dataclass(frozen=True, slots=True)
class RepoTargets(RepoAccount):
    """The same with the repository's index, the lines that its build doesn't compile, and what no trained ranker may
    learn from."""

    index: RepoIndex
    uncompiled: Lines = field(default_factory=dict)
    barred: tuple[Target, ...] = ()

    @property
    def account(self) -> RepoAccount:
        return RepoAccount(self.name, self.prompted, self.left_out, self.excluded)


def keep_found_targets(
    name: str, index: RepoIndex, targets: Sequence[EvaluationTarget], uncompiled: Lines = NO_LINES
) -> RepoTargets:
    """The targets that can be scored, and the account of the rest."""
    kept = sorted((t for t in targets if not t.missing), key=lambda t: not t.truth.callees)
    left_out = []
    if without := sum(not t.truth.callees for t in kept):
        left_out.append(f"{without} targets call nothing in the repository")
    for reason in dict.fromkeys(t.missing for t in targets if t.missing):
        left_out.append(f"{sum(t.missing == reason for t in targets)} targets: {reason}")
    excluded = tuple((t.id, call, why) for t in targets for call, why in t.truth.excluded)
    return RepoTargets(name, tuple(kept), tuple(left_out), excluded, index, uncompiled)


def validate_retriever_names(names: Sequence[str]) -> tuple[str, ...]:
    """Retrievers' and controls' names, each once. Raises ConfigError for another one."""
    known = (*list_retrievers(), *CONTROLS)
    for name in names:
        if name not in known and not is_import_path(name):
            raise ConfigError(
                f"--retrievers: unknown {name!r}{make_spelling_hint(name, known)} (known: {', '.join(known)})"
            )
    return tuple(dict.fromkeys(names))


def make_queries(names: Sequence[str], index: RepoIndex, settings: RetrieverSettings) -> dict[str, Query]:
    """Retrievers and controls by name, each made now: vectors and training may take minutes."""
    controls = make_control_queries(index)

    def make_query(name: str) -> Query:
        retriever = make_retriever(name, index, settings)
        return lambda view, target, limit: retriever.retrieve(view, target.target, limit)

    return {name: controls.get(name) or make_query(name) for name in names}


class RepoScores(NamedTuple):
    """What was measured of a repository: ranks of the targets with callees, and prompts of all."""

    ranks: list[TargetScore]
    prompts: list[PromptScore]


def score_retrievers_and_prompts(
    repo: RepoTargets,
    queries: Mapping[str, Query],
    masking: Masking,
    progress: Progress = SILENT,
    find_names: FindNames | None = None,
) -> RepoScores:
    """One score per target and retriever, target by target. With `find_names` prompts are made too, and scored."""
    out = RepoScores([], [])
    targets = repo.targets if find_names is None else repo.prompted
    with progress.open_count(f"targets of {repo.name}", len(targets)) as advance:
        for target in targets:
            needed = find_needed_names(target.gold, target.target, repo.index, repo.uncompiled)
            if find_names is not None:
                view = repo.index.hide(target.target, masking).leave_out_lines(repo.uncompiled)
                for row, context in _make_contexts_of_arms(view, target, needed):
                    out.prompts.append(_score_prompt(repo.name, target, row, context, needed))
            for name, query in queries.items():
                score, view, hits = _score_target(repo, target, name, query, masking)
                if target.truth.callees:
                    out.ranks.append(score)
                if find_names is not None and name != ORACLE:  # the arm of that name stands above
                    for context in _make_context_for_each_budget(view, target, name, hits, find_names):
                        out.prompts.append(_score_prompt(repo.name, target, name, context, needed))
            advance()
    return out


def _score_target(
    repo: RepoTargets, target: EvaluationTarget, name: str, query: Query, masking: Masking
) -> tuple[TargetScore, HiddenView, list[Hit]]:
    # A fresh view each time: what one retriever looks up would be cached for the next.
    began = time.process_time()
    view = repo.index.hide(target.target, masking).leave_out_lines(repo.uncompiled)
    hidden = time.process_time()
    hits = query(view, target, HITS_PER_QUERY)
    done = time.process_time()
    clones = {make_symbol_byte_range_key(clone) for clone in view.clones} if masking == "strict" else set()
    score = TargetScore(
        repo=repo.name,
        id=target.id,
        retriever=name,
        ranks=find_callee_ranks_or_zeros(hits, target.truth.callees),
        hidden=sum(bool(callee.symbols) and callee.symbol_keys <= clones for callee in target.truth.callees),
        hide_ms=1000 * (hidden - began),
        query_ms=1000 * (done - hidden),
    )
    return score, view, hits


def _make_contexts_of_arms(
    view: HiddenView, target: EvaluationTarget, needed: Sequence[NeededName]
) -> Iterator[tuple[str, Context]]:
    """The contexts of ARM_ROWS, for each of CONTEXT_BUDGETS; of `oracle` none where there is no data set."""
    for packing in map(Packing, CONTEXT_BUDGETS):
        yield "none", Context((), 0, packing.budget, ())
        yield "file", make_surroundings_context(view, target.target, packing)
        if target.oracle is not None:
            yield "oracle", make_oracle_context(target.oracle, packing)
        yield (
            "oracle+",
            make_oracle_and_declarations_context(view, target.target, target.oracle or (), packing, [needed]),
        )


def _make_context_for_each_budget(
    view: HiddenView, target: EvaluationTarget, name: str, hits: Sequence[Hit], find_names: FindNames
) -> Iterator[Context]:
    """The contexts that an arm of `graft run` would make of these hits, one for each of CONTEXT_BUDGETS."""
    packings = [Packing(budget) for budget in CONTEXT_BUDGETS]
    chosen = hits[: packings[0].requested_hits_including_tests]
    names = find_names(view, target.target, [hit for hit in chosen if hit.symbol.kind in FUNCTIONS])
    for packing in packings:
        yield make_retrieved_context(view, target.target, chosen, packing, name, lambda view, target, hits: names)


def _score_prompt(
    repo: str, target: EvaluationTarget, row: str, context: Context, needed: Sequence[NeededName]
) -> PromptScore:
    prompt = join_prompt_text(target.target, (snippet.text for snippet in context.snippets))
    wanted = Counter(name.kind for name in needed)
    missing = Counter(name.kind for name in find_missing_names(needed, prompt))
    return PromptScore(
        repo,
        target.id,
        row,
        context.budget,
        context.tokens,
        tuple(wanted[kind] for kind in NAME_KINDS),
        tuple(wanted[kind] - missing[kind] for kind in NAME_KINDS),
    )


def find_callee_ranks_or_zeros(hits: Sequence[Hit], callees: Sequence[Callee]) -> tuple[int, ...]:
    """Each callee's place among the hits, from 1; 0 where it isn't there."""
    first: dict[SymbolKey, int] = {}
    for number, hit in enumerate(hits, 1):
        first.setdefault(make_symbol_byte_range_key(hit.symbol), number)
    return tuple(min((first[key] for key in callee.symbol_keys if key in first), default=0) for callee in callees)
