"""Train the generic ranker that ships with Graft, on a training set, and compare it with the one that ships today.

    python -m benchmarks.retrieval.generic_ranker WORK

WORK is the folder of `benchmarks.retrieval.training_set`, in which `benchmarks.retrieval.word_meanings` was run. The
ranker has two parts. A forest learns from the trees that teach and is grown until it gets no better on those that say
when to stop; a network learns in as many rounds as are best there, and there it is found how much each counts when
both are added. Then both learn from all of these trees.

Asked are the trees that are held out, of which nothing was chosen, and their renamed copies: recall, MRR, 95 %
intervals over functions, and the exact paired test of `graft index eval`. The generic rankers alone are compared,
without a local one.

WORK gets the forest (generic_ranker.txt), the network (network.npz) and their card (generic_ranker.md). To ship them,
copy them to retrieval/ranker; the network only where it wins. The same set makes the same forest. What is trained
already isn't trained again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np

from benchmarks.retrieval.training.network import train_network
from benchmarks.retrieval.training.package_lot import Role
from benchmarks.retrieval.training.set_arrays import Question, Sample, find_folders, read_sample
from benchmarks.retrieval.training.set_record import Record, load_record
from benchmarks.retrieval.word_meanings import digest_meanings, read_questions_with_meanings
from benchmarks.tables import Column, TitledTable, print_tables, render_table
from executor.cache import short_digest
from experiments.consoles import print_line, set_up_stderr_logging
from lab.retrieval_eval.figures import (
    HITS_PER_QUERY,
    RECALL_CUTS,
    TargetScore,
    measure_renaming_loss,
    summarise_scores,
)
from retrieval.ranker.forest_ranker import LIGHTGBM_SETTINGS, ForestRanker, load_ranker, write_forest_as_text
from retrieval.ranker.generic_ranker import GenericRanker, load_generic_ranker
from retrieval.ranker.network_ranker import NetworkRanker, NetworkWeights, load_network, save_network
from retrieval.structure.fused_retriever import choose_best_places
from retrieval.structure.signal_maker import Signals
from retrieval.structure.tables.compressed_lists import Floats

LEAVES = 31
MOST_TREES, PATIENCE = 100, 30
"""Trees of a forest, and how many of them in a row may be of no use before it is left at the best. Alone a forest gets
better up to some 200. Beside a network and a local ranker it doesn't, and a query pays for each tree."""
EPOCHS = (4, 8, 12)
"""How often a network may read the lessons: its pace depends on how often it will."""
SHARES = (0.0, 0.25, 0.5, 1.0, 2.0)
"""How much a network may count beside a forest whose scores lie as far apart. A greater share would leave the order to
the network alone."""
SPREAD = 1.29
"""How far the scores lie apart (`spread`): that of the first generic ranker. The `learned` retriever adds a local
ranker's scores, so a ranker that spreads more would weigh more."""
TODAY, FOREST, NETWORK, NEW = "today", "forest", "network", "both"
_FACTS = "generic_ranker.json"
_TAUGHT: tuple[Role, ...] = ("teaches", "stops")

Asked = Callable[[Path], Iterator[Question]]


class Scorer(Protocol):
    """What orders candidates."""

    def score_candidates(self, signals: Signals) -> Floats:
        """One number per candidate."""
        ...


class Alone:
    """A network without a forest."""

    def __init__(self, network: NetworkRanker) -> None:
        self._network = network

    def score_candidates(self, signals: Signals) -> Floats:
        return self._network.score_candidates(signals, np.arange(len(signals.rows), dtype=np.int32))


def find_tree_count(taught: Sample, stopping: Sample) -> int:
    """How many trees do best on `stopping`."""
    import lightgbm

    data = _make_dataset(taught)
    booster = lightgbm.train(
        {**_make_settings(), "metric": "ndcg", "eval_at": [10]},
        data,
        MOST_TREES,
        valid_sets=[_make_dataset(stopping, data)],
        callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)],
    )
    return max(1, int(booster.best_iteration))


def train_forest(taught: Sample, trees: int) -> ForestRanker:
    """A ranker of so many trees that learnt from `taught`. The same sample makes the same ranker, to the last byte."""
    import lightgbm

    return ForestRanker(write_forest_as_text(lightgbm.train(_make_settings(), _make_dataset(taught), trees)))


def _make_settings() -> dict[str, object]:
    return {**LIGHTGBM_SETTINGS, "num_leaves": LEAVES}


def _make_dataset(taught: Sample, reference: object = None):  # type: ignore[no-untyped-def]
    import lightgbm

    return lightgbm.Dataset(
        taught.tables,
        taught.called.astype(np.int32),
        group=taught.sizes.tolist(),
        feature_name=list(taught.names),
        params=_make_settings(),
        reference=reference,
    )


def read_lessons(work: Path, record: Record, roles: Sequence[Role] = _TAUGHT) -> Sample:
    """What the trees of these roles teach, their copies under other names too."""
    kinds = [(role, renamed) for role in roles for renamed in (False, True)]
    folders = [folder for role, renamed in kinds for folder in find_folders(work, record, role, renamed)]
    return read_sample(work, folders, partial(read_questions_with_meanings, work, record), digest_meanings(work))


def find_best_network(taught: Sample, stopping: Sample) -> tuple[NetworkWeights, int]:
    """The network that does best on `stopping`, and how often it read the lessons."""
    found = [(train_network(taught, epochs, stopping), epochs) for epochs in EPOCHS]
    (weights, _), epochs = min(found, key=lambda trained: trained[0][1][-1])
    return weights, epochs


def find_shares(forest: ForestRanker, network: NetworkWeights, folders: Sequence[Path], ask: Asked) -> NetworkWeights:
    """The network with the shares that find most callees of these trees' functions, among the first ten and fifty."""
    spreads = [compute_spread(folders, ask, scorer) for scorer in (forest, Alone(NetworkRanker(network)))]

    def weigh_network(share: float) -> NetworkWeights:
        shares = np.array([1.0 / spreads[0], share / spreads[1]])
        return network._replace(shares=(SPREAD * shares / (1.0 + share)).astype(np.float32))

    rankers = {share: GenericRanker(forest, NetworkRanker(weigh_network(share))) for share in SHARES}
    found = score_rankers(folders, ask, {str(share): ranker for share, ranker in rankers.items()})

    def sum_recall(share: float) -> float:
        figures = summarise_scores(found[str(share)]).figures
        return figures["recall@10"].value + figures["recall@50"].value

    best = max(SHARES, key=sum_recall)
    print_line("shares: " + ", ".join(f"{share} {sum_recall(share):.4f}" for share in SHARES))
    return weigh_network(best)


def score_rankers(folders: Sequence[Path], ask: Asked, rankers: Mapping[str, Scorer]) -> dict[str, list[TargetScore]]:
    """What each ranker makes of the functions of these trees that are such as the benchmark has."""
    found: dict[str, list[TargetScore]] = {name: [] for name in rankers}
    for folder in folders:
        for question in ask(folder):
            if question.usual:
                for name, ranker in rankers.items():
                    ranks = _find_ranks(question, ranker)
                    tree = folder.name.partition("~")[0]
                    found[name].append(TargetScore(tree, question.place, name, ranks, 0, 0.0, 0.0))
    return found


def _find_ranks(question: Question, ranker: Scorer) -> tuple[int, ...]:
    """Each callee's place, 0 where it isn't among the first `LIMIT`."""
    hits = question.callee[choose_best_places(ranker.score_candidates(question.signals), HITS_PER_QUERY)]
    found, first = np.unique(hits, return_index=True)
    place = {int(callee): int(at) + 1 for callee, at in zip(found, first, strict=True)}
    return tuple(place.get(callee, 0) for callee in range(question.callees))


def compute_spread(folders: Sequence[Path], ask: Asked, ranker: Scorer) -> float:
    """How far the scores of a function's candidates lie apart: their standard deviation, the mean over functions."""
    return float(
        np.mean([ranker.score_candidates(question.signals).std() for folder in folders for question in ask(folder)])
    )


def build_tables(
    title: str, scores: Mapping[str, list[TargetScore]], pairs: Sequence[tuple[str, str]]
) -> Iterator[TitledTable]:
    """Figures of all rankers, pooled and by tree, and the paired tests of these pairs."""
    names = ("recall@1", "recall@5", "recall@10", "recall@50", "mrr")
    trees = list(dict.fromkeys(score.repo for of_ranker in scores.values() for score in of_ranker))
    rows: list[tuple[str | float, ...]] = []
    for tree in ("", *trees):
        for name, every in scores.items():
            summary = summarise_scores([score for score in every if tree in ("", score.repo)])
            figures = [summary.figures[figure] for figure in names]
            cells = [f"{f.value:.3f} [{f.low:.3f}, {f.high:.3f}]" for f in figures]
            rows.append((tree or "pooled", name, summary.targets, summary.callees, *cells))
    yield TitledTable(title, ("tree", "ranker", "functions", "callees", *names), tuple(rows))
    for old, new in pairs:
        tested = [measure_renaming_loss(scores[old], scores[new], cut) for cut in RECALL_CUTS]
        yield TitledTable(
            f"{title}: {new} less {old}, pooled; exact paired sign-flip test over functions",
            ("recall at", old, new, "difference", "p"),
            tuple(
                (
                    str(test.cut),
                    test.original,
                    test.renamed,
                    f"{test.difference.value:+.3f} [{test.difference.low:+.3f}, {test.difference.high:+.3f}]",
                    f"{test.p:.2g}",
                )
                for test in tested
            ),
        )


def write_card(record: Record, facts: Sequence[tuple[str, str]], tables: Sequence[TitledTable]) -> str:
    """The card in Markdown: what the ranker is, what it learnt from, how well it does."""
    lines = [
        "# The generic ranker",
        "",
        "Made by `benchmarks/retrieval/generic_ranker.py`; not edited by hand. It orders the functions of a C or C++",
        "repository by how likely a function whose body is missing calls them. It holds no text and no name of the",
        "trees below: only numbers at which signals are split. The trees were drawn by lot",
        "(docs/decisions/training-set.md).",
        "",
        *(f"- {name}: {value}" for name, value in facts),
        "",
    ]
    columns = (
        Column("tree", lambda tree: tree.name),
        Column("version", lambda tree: tree.package.version),
        Column("role", lambda tree: tree.role),
        Column("copy", lambda tree: tree.renamed or "-"),
        Column("language", lambda tree: tree.look.language),
        Column("lines", lambda tree: tree.look.lines, ","),
        Column("functions", lambda tree: tree.functions, ","),
        Column("licences as found", lambda tree: tree.licence[:160].replace("|", "/")),
    )
    for result in tables:
        lines += [f"## {result.title}", "", result.render(), ""]
    return "\n".join([*lines, "## Trees", "", render_table(columns, record.taken), ""])


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("work", type=Path, metavar="WORK")
    given = parser.parse_args()
    set_up_stderr_logging()
    work: Path = given.work
    record = load_record(work / "trees.json")
    ask, key = partial(read_questions_with_meanings, work, record), digest_meanings(work)

    says_when = find_folders(work, record, "stops", False)
    taught = read_lessons(work, record)
    wanted = short_digest({"vectors": key, "functions": len(taught.sizes), "most": MOST_TREES})
    facts_file, forest_file, network_file = (work / name for name in (_FACTS, "generic_ranker.txt", "network.npz"))
    known = json.loads(facts_file.read_text(encoding="utf-8")) if facts_file.exists() else {}
    if known.get("key") != wanted:
        teaching, stopping = read_lessons(work, record, ["teaches"]), read_lessons(work, record, ["stops"])
        trees = find_tree_count(teaching, stopping)
        weights, epochs = find_best_network(teaching, stopping)
        shares = find_shares(train_forest(teaching, trees), weights, says_when, ask).shares
        forest_file.write_text(train_forest(taught, trees).text, encoding="ascii")
        save_network(train_network(taught, epochs)[0]._replace(shares=shares), network_file)
        known = {"key": wanted, "trees": trees, "epochs": epochs}
        facts_file.write_text(json.dumps(known), encoding="utf-8")
    forest, network = load_ranker(forest_file), load_network(network_file)
    rankers: dict[str, Scorer] = {
        TODAY: load_generic_ranker(),
        FOREST: forest,
        NETWORK: Alone(network),
        NEW: GenericRanker(forest, network),
    }
    tables = []
    for title, renamed in (("Held-out trees", False), ("Held-out trees under other names", True)):
        if folders := find_folders(work, record, "held out", renamed):
            tables += build_tables(
                title, score_rankers(folders, ask, rankers), ((TODAY, FOREST), (FOREST, NEW), (TODAY, NEW))
            )
    used = {role: len(find_folders(work, record, role, False)) for role in (*_TAUGHT, "held out")}
    facts = [
        ("date", datetime.now(UTC).date().isoformat()),
        ("command", "`python -m benchmarks.retrieval.generic_ranker WORK`"),
        (
            "learnt from",
            f"{len(taught.sizes):,} functions of {used['teaches'] + used['stops']} trees, copies included",
        ),
        ("trees of the forest", f"{known['trees']}, found on {used['stops']} of these trees; {LEAVES} leaves each"),
        (
            "network",
            "{} rounds; shares of forest and network {:.2f} and {:.2f}".format(known["epochs"], *network.shares),
        ),
        (
            "meanings of words",
            "`python -m benchmarks.retrieval.word_meanings WORK --encoder MODEL`, on the same trees",
        ),
        ("held out", f"{used['held out']} trees"),
        ("size", f"{len(forest.text):,} and {(work / 'network.npz').stat().st_size:,} bytes"),
        (
            "spread of scores",
            ", ".join(f"{name} {compute_spread(says_when, ask, of):.2f}" for name, of in rankers.items()),
        ),
    ]
    (work / "generic_ranker.md").write_text(write_card(record, facts, tables), encoding="utf-8")
    for name, value in facts:
        print_line(f"{name}: {value}")
    print_tables(tables)
    return 0


if __name__ == "__main__":
    sys.exit(main())
