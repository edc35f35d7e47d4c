"""Every true callee with the rank that each retriever gave it, and how far from the target it stands."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from experiments.files import write_atomically
from index.errors import ConfigError
from index.values import Masking
from lab.retrieval_eval.evaluation import RepoTargets
from lab.retrieval_eval.figures import TargetScore
from lab.retrieval_eval.targets import EvaluationTarget
from lab.retrieval_eval.true_callees import Callee
from retrieval.text.nearness import ELSEWHERE, Nearness

DISTANCES = ("the same file", "a file that it includes", "two includes away", "the same folder", "elsewhere")
"""By `retrieval.text.nearness.Nearness`; a `.c` beside a header is as near as the header."""
DISTANCE_CUT = 10


class RankedCallee(NamedTuple):
    """`ranks`: by retriever, 0 where the callee wasn't among the hits. `distance` is one of `DISTANCES`."""

    repo: str
    target: str
    callee: str
    path: str
    distance: str
    ranks: Mapping[str, int]


def rank_callees(
    repos: Sequence[RepoTargets], scores: Sequence[TargetScore], masking: Masking
) -> Iterator[RankedCallee]:
    """All callees of all targets, in order."""
    by_target: dict[tuple[str, str], dict[str, TargetScore]] = {}
    for score in scores:
        by_target.setdefault((score.repo, score.id), {})[score.retriever] = score
    for repo in repos:
        for target in repo.targets:
            nearness = Nearness(repo.index.hide(target.target, masking))
            found = by_target[repo.name, target.id]
            for place, callee in enumerate(target.truth.callees):
                ranks = {name: score.ranks[place] for name, score in found.items()}
                yield _make_ranked_callee(repo, target, callee, nearness, ranks)


def write_ranks(path: Path, rows: Sequence[RankedCallee]) -> None:
    """One JSON object per line. Raises ConfigError when the file can't be written."""
    text = "".join(json.dumps(row._asdict()) + "\n" for row in rows)
    try:
        write_atomically(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise ConfigError(f"--ranks {path}: can't be written ({error.strerror})") from error


def compute_recall_by_distance(rows: Sequence[RankedCallee]) -> list[tuple[str, int, dict[str, float]]]:
    """(distance, callees, recall at `CUT` by retriever), the nearest first; distances without a callee aren't
    there."""
    out = []
    for distance in DISTANCES:
        some = [row for row in rows if row.distance == distance]
        if some:
            names = some[0].ranks
            share = {name: sum(0 < row.ranks[name] <= DISTANCE_CUT for row in some) / len(some) for name in names}
            out.append((distance, len(some), share))
    return out


def _make_ranked_callee(
    repo: RepoTargets, target: EvaluationTarget, callee: Callee, nearness: Nearness, ranks: Mapping[str, int]
) -> RankedCallee:
    level = min((nearness.measure_distance(symbol.path) for symbol in callee.symbols), default=ELSEWHERE)
    return RankedCallee(repo.name, target.id, callee.name, callee.path, DISTANCES[level], ranks)
