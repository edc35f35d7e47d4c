"""What each group of signals adds, on the development split: never on the benchmark's own targets.

    python -m benchmarks.retrieval.ablations redis bullet3=DIR [--targets 400] [--functions 1200] [--json FILE]

Per repository and pooled, for strict hiding: recall@10, recall@50 (micro over callees, by the call graph) and MRR of
the fixed fusions and of the rankers; then of a local ranker that is trained and used without one group of signals
after the other. Neither the targets nor the benchmark's teach it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.retrieval.common import DevelopmentTree, ResultTable, development_trees, parser_of, publish
from experiments.consoles import log_to_stderr
from experiments.retrieval_eval.callees import Callee, key_of
from index.repo_index import RepoIndex
from retrieval.ranker.generic import load_generic
from retrieval.ranker.learned import FORESTS, LEAVES, LOCAL_SHARE, TREES
from retrieval.ranker.ranker import Ranker, train_ranker
from retrieval.ranker.training import TRAINING_FUNCTIONS, TrainingGroup, training_groups
from retrieval.structure.fusion import HYBRID, STRUCTURAL, Weight
from retrieval.structure.signaller import Signaller, Signals
from retrieval.structure.signals import USUAL
from retrieval.structure.structural import contributions, with_text
from retrieval.structure.tables.lists import Floats
from retrieval.text.lexical import LexicalRetriever

GROUPS = {
    "siblings": "file near near_best scope alike alike_best more_alike file_words first_word_votes last_word_votes"
    " file_share scope_share names names_best namesakes namesakes_share by_name_words",
    "votes for what lies beside": " ".join(
        f"{votes}_of_{what}"
        for votes in ("near", "alike", "file", "types", "name_words", "doc_words")
        for what in ("name", "file", "scope", "words", "best_word")
    ),
    "renamed siblings": "analogous analogous_best",
    "types": "types types_best by_types_taken takes gives gives_taken takes_given reachable types_taken types_given"
    " kinds kinds_covered arguments arguments_covered same_result of_types of_fields",
    "callers": "callers callers_share cousins calls_target target_callers",
    "popularity": "called called_in_file called_in_folder called_elsewhere never_called orphan outside implied"
    " folder folder_share",
    "a static function that nobody calls": "orphan outside",
    "names": "name name_covered name_cosine prefix inside around same_spelling first_word last_word words",
    "text": "docs docs_best by_doc_words by_offered_words in_doc in_doc_covered in_offered in_all_covered doc"
    " mentioned documented",
    "places": "in_file in_folder in_area distance place reach declared test header static defined own inherited"
    " alike_named nearer_namesake",
    "the pool's own score": "pool",
}
_RANKED = ("_rank", "_part")


class RankingCase(NamedTuple):
    """A target's candidates, text search's scores among their signals, and for each of its callees the places among
    them that count as it."""

    signals: Signals
    callees: tuple[tuple[int, ...], ...]


class Repo(NamedTuple):
    name: str
    cases: list[RankingCase]
    groups: list[TrainingGroup]


Scorer = Callable[[Signals], Floats]


def cases_of(tree: DevelopmentTree, taught: int) -> Repo:
    """The development split's candidates, and what `taught` functions of the rest of the repository teach."""
    index, signaller = tree.index, Signaller(tree.index)
    lexical = LexicalRetriever(index)
    names = tuple(dict.fromkeys((*load_generic().names, *USUAL)))
    cases = []
    for evaluated in tree.targets:
        view = index.hide(evaluated.target, "strict")
        seen = signaller.of(view, evaluated.target, names=names)
        signals = with_text(seen, signaller, lexical, view, evaluated.target)
        cases.append(RankingCase(signals, callee_places(index, signaller, signals, evaluated.truth.callees)))
    return Repo(tree.name, cases, list(training_groups(index, signaller, tree.held_out, taught, names=USUAL)))


def callee_places(
    index: RepoIndex, signaller: Signaller, signals: Signals, callees: Sequence[Callee]
) -> tuple[tuple[int, ...], ...]:
    """For each callee the places among the candidates that count as it."""
    place = {int(i): at for at, i in enumerate(signaller.tables.ids[signals.rows])}
    found = []
    for callee in callees:
        entries = [e for name in {s.name for s in callee.symbols} for e in index.entries_named(name)]
        same = [e for e in entries if key_of(e.symbol) in callee.keys]
        found.append(tuple(place[e.id] for e in same if e.id in place))
    return tuple(found)


def figures(repos: Sequence[Repo], scorers: Sequence[Scorer]) -> tuple[float, float, float]:
    """recall@10, recall@50 and MRR over the repositories, each with its scorer."""
    ranks: list[list[int]] = []
    for repo, scorer in zip(repos, scorers, strict=True):
        for case in repo.cases:
            order = np.argsort(-scorer(case.signals), kind="stable")
            rank = np.empty(len(order), dtype=np.int64)
            rank[order] = np.arange(len(order))
            ranks.append([min((int(rank[p]) for p in places), default=sys.maxsize) for places in case.callees])
    flat = np.array([rank for of_target in ranks for rank in of_target], dtype=np.float64)
    mrr = float(np.mean([1.0 / (1.0 + min(of_target)) for of_target in ranks]))
    return float((flat < 10).mean()), float((flat < 50).mean()), mrr


def fused(weights: Sequence[Weight]) -> Scorer:
    return lambda signals: contributions(signals, weights).sum(axis=1)


def trees(ranker: Ranker) -> Scorer:
    """A ranker reads nothing of the last signal, which `hybrid` has alone."""
    return ranker.scores


def without(signals: Signals, dropped: set[str]) -> Signals:
    """The signals with some columns blanked: the others keep their places."""
    table = signals.table.copy()
    table[:, [at for at, name in enumerate(signals.names) if name in dropped]] = 0.0
    return signals._replace(table=table)


def group_of(names: Sequence[str], group: str) -> set[str]:
    """The signals of a group, with their ranks and parts."""
    wanted = set(GROUPS[group].split())
    return {n for n in names if n in wanted or any(n.endswith(r) and n.removesuffix(r) in wanted for r in _RANKED)}


def blanked(repo: Repo, dropped: set[str]) -> Ranker:
    """A local ranker that never saw some signals."""
    columns = [at for at, name in enumerate(repo.groups[0].names) if name in dropped]
    taught = []
    for group in repo.groups:
        table = group.table.copy()
        table[:, columns] = 0.0
        taught.append(group._replace(table=table))
    return train_ranker(taught, TREES, LEAVES, FORESTS)


def table(repos: Sequence[Repo]) -> ResultTable:
    """What is printed."""
    generic = load_generic()
    local = [blanked(repo, set()) for repo in repos]
    both: list[Scorer] = [lambda s, r=r: generic.scores(s) + LOCAL_SHARE * trees(r)(s) for r in local]
    rows: list[tuple[str, list[Scorer]]] = [
        ("pool's score", [lambda s: s.column("pool").astype(np.float64)] * len(repos)),
        ("structural", [fused(STRUCTURAL)] * len(repos)),
        ("hybrid", [fused(HYBRID)] * len(repos)),
        ("learned: generic alone", [generic.scores] * len(repos)),
        ("learned: local alone", [trees(r) for r in local]),
        ("learned", both),
    ]
    names = repos[0].groups[0].names
    for weight in HYBRID:
        rest = [w for w in HYBRID if w is not weight]
        rows.append((f"hybrid without {weight.signal}", [fused(rest)] * len(repos)))
    for group in GROUPS:
        dropped = group_of(names, group)
        rankers = [blanked(repo, dropped) for repo in repos]
        scorers: list[Scorer] = [lambda s, r=r, d=dropped: trees(r)(without(s, d)) for r in rankers]
        rows.append((f"local without {group}", scorers))
    titles = [*(["pooled"] if len(repos) > 1 else []), *(repo.name for repo in repos)]
    columns = ("ranker", *(f"{title} {figure}" for title in titles for figure in ("@10", "@50", "MRR")))
    out: list[tuple[str | float, ...]] = []
    for label, scorers in rows:
        cells = list(figures(repos, scorers)) if len(repos) > 1 else []
        for repo, scorer in zip(repos, scorers, strict=True):
            cells += figures([repo], [scorer])
        out.append((label, *cells))
    return ResultTable("What each group of signals adds", columns, tuple(out))


def main() -> int:
    parser = parser_of(__doc__, targets=400)
    parser.add_argument("--functions", type=int, default=TRAINING_FUNCTIONS)
    given = parser.parse_args()
    repos = [cases_of(tree, given.functions) for tree in development_trees(given.trees, given.targets)]
    publish([table(repos)], given.json)
    return 0


if __name__ == "__main__":
    log_to_stderr()
    sys.exit(main())
