"""Train the generic ranker that ships with Graft, on a training set, and compare it with the one that ships today.

    python -m benchmarks.retrieval.generic_ranker WORK [--out FILE] [--without SIGNAL...] [--json FILE]

WORK is the folder of `benchmarks.retrieval.training_set`. A forest learns from the trees that teach and is grown until
it gets no better on those that say when to stop; then one of that many trees learns from all of these. Both rankers
are asked about the trees that are held out, of which nothing was chosen, and about their renamed copies: recall, MRR,
95 % intervals over functions, and the exact paired test of `graft retrieval-eval`. The generic rankers alone are
compared, without a local one.

FILE (WORK/generic_ranker.txt) gets the ranker, and a file of that name with the suffix .md its card. To ship it, copy
both to retrieval/ranker. The same set makes the same ranker.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from benchmarks.retrieval.common import ResultTable, as_markdown, publish
from benchmarks.retrieval.training.lot import Role
from benchmarks.retrieval.training.reading import Question, Sample, folders_of, questions, sample
from benchmarks.retrieval.training.record import Record, load_record
from experiments.consoles import say
from experiments.retrieval_eval.score import CUTS, LIMIT, TargetScore, loss, summarise
from retrieval.ranker.learned import GENERIC, GENERIC_LEAVES
from retrieval.ranker.ranker import SETTINGS, Ranker, forest_text, load_ranker
from retrieval.structure.structural import best_of

MOST_TREES, PATIENCE = 400, 30
"""Trees of a forest, and how many of them in a row may be of no use before it is left at the best."""
TODAY, NEW = "today", "new"
_TAUGHT: tuple[Role, ...] = ("teaches", "stops")


def fitted(taught: Sample, stopping: Sample) -> int:
    """How many trees do best on `stopping`."""
    import lightgbm

    data = _dataset(taught)
    booster = lightgbm.train(
        {**_settings(), "metric": "ndcg", "eval_at": [10]},
        data,
        MOST_TREES,
        valid_sets=[_dataset(stopping, data)],
        callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)],
    )
    return max(1, int(booster.best_iteration))


def grown(taught: Sample, trees: int) -> Ranker:
    """A ranker of so many trees that learnt from `taught`. The same sample makes the same ranker, to the last byte."""
    import lightgbm

    return Ranker(forest_text(lightgbm.train(_settings(), _dataset(taught), trees)))


def _settings() -> dict[str, object]:
    return {**SETTINGS, "num_leaves": GENERIC_LEAVES}


def _dataset(taught: Sample, reference: object = None):  # type: ignore[no-untyped-def]
    import lightgbm

    return lightgbm.Dataset(
        taught.tables,
        taught.called.astype(np.int32),
        group=taught.sizes.tolist(),
        feature_name=list(taught.names),
        params=_settings(),
        reference=reference,
    )


def without(taught: Sample, signals: Sequence[str]) -> Sample:
    """The sample without these signals: their columns are all 0, so that no tree splits by them. Raises ValueError for
    a signal that the set doesn't have."""
    if missing := set(signals) - set(taught.names):
        raise ValueError(f"no such signals: {', '.join(sorted(missing))}")
    if not signals:
        return taught
    kept = ~np.isin(taught.names, signals)
    return taught._replace(tables=[np.asarray(table * kept.astype(np.float32)) for table in taught.tables])


def scored(folders: Sequence[Path], rankers: dict[str, Ranker]) -> dict[str, list[TargetScore]]:
    """What each ranker makes of the functions of these trees that are such as the benchmark has."""
    found: dict[str, list[TargetScore]] = {name: [] for name in rankers}
    for folder in folders:
        for question in questions(folder):
            if question.usual:
                for name, ranker in rankers.items():
                    ranks = _ranks(question, ranker)
                    tree = folder.name.partition("~")[0]
                    found[name].append(TargetScore(tree, question.place, name, ranks, 0, (), 0.0, 0.0))
    return found


def _ranks(question: Question, ranker: Ranker) -> tuple[int, ...]:
    """Each callee's place, 0 where it isn't among the first `LIMIT`."""
    hits = question.callee[best_of(ranker.scores(question.signals), LIMIT)]
    found, first = np.unique(hits, return_index=True)
    place = {int(callee): int(at) + 1 for callee, at in zip(found, first, strict=True)}
    return tuple(place.get(callee, 0) for callee in range(question.callees))


def spread(folders: Sequence[Path], ranker: Ranker) -> float:
    """How far the scores of a function's candidates lie apart: their standard deviation, the mean over functions. The
    `learned` retriever adds a local ranker's scores, so a ranker that spreads more weighs more."""
    return float(
        np.mean([ranker.scores(question.signals).std() for folder in folders for question in questions(folder)])
    )


def tables_of(title: str, scores: dict[str, list[TargetScore]]) -> Iterator[ResultTable]:
    """Figures of both rankers, pooled and by tree, and the paired tests."""
    names = ("recall@1", "recall@5", "recall@10", "recall@50", "mrr")
    trees = list(dict.fromkeys(score.repo for score in scores[NEW]))
    rows: list[tuple[str | float, ...]] = []
    for tree in ("", *trees):
        for name in (TODAY, NEW):
            summary = summarise([score for score in scores[name] if tree in ("", score.repo)])
            figures = [summary.figures[figure] for figure in names]
            cells = [f"{f.value:.3f} [{f.low:.3f}, {f.high:.3f}]" for f in figures]
            rows.append((tree or "pooled", name, summary.targets, summary.callees, *cells))
    yield ResultTable(title, ("tree", "ranker", "functions", "callees", *names), tuple(rows))
    tested = [loss(scores[TODAY], scores[NEW], cut) for cut in CUTS]
    yield ResultTable(
        f"{title}: new less today's, pooled; exact paired sign-flip test over functions",
        ("recall at", "today", "new", "difference", "p"),
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


def card(record: Record, facts: Sequence[tuple[str, str]], tables: Sequence[ResultTable]) -> str:
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
    columns = ("tree", "version", "role", "copy", "language", "lines", "functions", "licences as found")
    rows = tuple(
        (
            tree.name,
            tree.package.version,
            tree.role,
            tree.renamed or "-",
            tree.look.language,
            f"{tree.look.lines:,}",
            f"{tree.functions:,}",
            tree.licence[:160].replace("|", "/"),
        )
        for tree in record.taken
    )
    for result in (*tables, ResultTable("Trees", columns, rows)):
        lines += [f"## {result.title}", "", as_markdown(result), ""]
    return "\n".join(lines)


def main() -> int:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("work", type=Path, metavar="WORK")
    parser.add_argument("--out", type=Path, help="where the ranker goes (default: WORK/generic_ranker.txt)")
    parser.add_argument("--against", type=Path, default=GENERIC, help="the ranker to compare with")
    parser.add_argument("--without", nargs="+", default=[], metavar="SIGNAL", help="for an ablation")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the tables there too")
    given = parser.parse_args()
    record = load_record(given.work / "trees.json")

    def taught_by(*roles: Role) -> Sample:
        kinds = [(role, renamed) for role in roles for renamed in (False, True)]
        folders = [folder for role, renamed in kinds for folder in folders_of(given.work, record, role, renamed)]
        return without(sample(given.work, folders), given.without)

    trees = fitted(taught_by("teaches"), taught_by("stops"))
    taught = taught_by(*_TAUGHT)
    ranker = grown(taught, trees)
    out = given.out or given.work / "generic_ranker.txt"
    out.write_text(ranker.text, encoding="ascii")
    rankers = {TODAY: load_ranker(given.against), NEW: ranker}
    tables = []
    for title, renamed in (("Held-out trees", False), ("Held-out trees under other names", True)):
        folders = folders_of(given.work, record, "held out", renamed)
        if scores := scored(folders, rankers) if folders else {}:
            tables += tables_of(title, scores)
    stopping = folders_of(given.work, record, "stops", False)
    left_out = ["--without", *given.without] if given.without else []
    used = {role: len(folders_of(given.work, record, role, False)) for role in (*_TAUGHT, "held out")}
    facts = [
        ("date", datetime.now(UTC).date().isoformat()),
        ("command", f"`python -m benchmarks.retrieval.generic_ranker {' '.join(['WORK', *left_out])}`"),
        (
            "learnt from",
            f"{len(taught.sizes):,} functions of {used['teaches'] + used['stops']} trees, copies included",
        ),
        ("trees of the forest", f"{trees}, found on {used['stops']} of these trees; {GENERIC_LEAVES} leaves each"),
        ("held out", f"{used['held out']} trees"),
        ("size", f"{len(ranker.text):,} bytes"),
        ("spread of scores", ", ".join(f"{name} {spread(stopping, ranker):.2f}" for name, ranker in rankers.items())),
    ]
    out.with_suffix(".md").write_text(card(record, facts, tables), encoding="utf-8")
    for name, value in facts:
        say(f"{name}: {value}")
    publish(tables, given.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
