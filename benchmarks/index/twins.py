"""How well strict masking finds the twins of a target: functions that give its body away but for names and literals.

    python -m benchmarks.record benchmarks/records/twins.json -- python -m benchmarks.index.twins

It prints JSON: precision and recall of the rule in use and of others on 200 pairs labelled by a reader
(benchmarks/index/data/twins.json: places and labels, no text), and what the rule hides for the benchmark's tasks. The
pairs are of redis, bullet3 and openssl at the benchmark's commits (GRAFT_MIRROR names their sources). They were drawn
by several measures near the decision and at random, and split by target before any threshold was chosen: thresholds
are chosen on the development half. An "idiom" counts against precision.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import Indel

from executor.tasks.datasets import load_rows, make_task_from_row
from experiments.consoles import print_line, set_up_stderr_logging
from index.cpp.declarators import unqualified_name
from index.hiding.body_tokens import BodyTokens, drop_name_prefix_and_case, tokenize_bodies
from index.hiding.copies import find_copies
from index.hiding.fingerprints import SCHEMES, RunScheme
from index.hiding.holes import Hole, find_body_hole
from index.hiding.shape_clones import (
    LEAST_SIMILARITY,
    LEAST_TARGET_TOKENS,
    NAMES_WEIGHT,
    abstract_names_and_literals,
    measure_shape_and_name_similarity,
)
from index.hiding.target_hiding import find_target_body
from index.hiding.text_clones import RunSimilarity, hash_token_runs_per_body, is_clone
from index.repo_index import RepoIndex
from index.values import Span
from lab.retrieval_eval.run import check_out_repository, open_updated_index

LABELS = Path(__file__).parent / "data" / "twins.json"
NAMED_LENGTHS, BLANKED_LENGTHS = (16, 24, 40), (40, 60)
"""Tokens of a shared run, of those that no fingerprint misses."""
HALVES = ("development", "held-out")


class Pair(NamedTuple):
    """A labelled pair with what the rules look at. `shape`: equal tokens in order, names and literals made one;
    `names`: the share of the target's names and literals that occur in the other."""

    half: str
    label: str
    tokens: int
    shape: float
    names: float
    similarity: float
    by_runs: bool


Rule = Callable[[Pair], bool]


RULES: Mapping[str, Rule] = {
    f"in use: runs, or similarity {LEAST_SIMILARITY} from {LEAST_TARGET_TOKENS} tokens": lambda pair: (
        pair.by_runs or (pair.tokens >= LEAST_TARGET_TOKENS and pair.similarity >= LEAST_SIMILARITY)
    ),
    "runs of exact tokens alone": lambda pair: pair.by_runs,
    "shape alone, 0.90": lambda pair: pair.shape >= 0.90,
    "names alone, 0.45": lambda pair: pair.names >= 0.45,
}
"""The rule in use, and simpler ones."""


def measure_rule(half: str, pairs: Iterable[Pair], rule: Rule) -> dict[str, Any]:
    """What a rule finds in one half: of `found` pairs `right` are labelled yes and `idioms` idiom."""
    own = [pair for pair in pairs if pair.half == half]
    labels = [pair.label for pair in own if rule(pair)]
    right, yes = labels.count("yes"), sum(pair.label == "yes" for pair in own)
    return {
        "half": half,
        "found": len(labels),
        "right": right,
        "idioms": labels.count("idiom"),
        "yes": yes,
        "precision": round(right / len(labels), 3) if labels else 1.0,
        "recall": round(right / yes, 3),
    }


def measure_pairs(indexes: Mapping[str, RepoIndex], rows: Sequence[Mapping[str, Any]]) -> list[Pair]:
    """The pairs, measured on the sources."""
    pairs = []
    for row in rows:
        index = indexes[row["repo"]]
        ours = tokenize_bodies([read_target_body(index, row["target"])])
        theirs = tokenize_bodies([read_other_body(index, row["other"])])
        share = RunSimilarity(0, _measure_run_share(ours, theirs), _measure_run_share(theirs, ours))
        names = [drop_name_prefix_and_case(unqualified_name(row[side]["name"])) for side in ("target", "other")]
        by_runs = share.of_target >= 0.6 and is_clone(
            share, body_tokens=len(ours.kinds), same_name=names[0] == names[1]
        )
        shape = float(
            Indel.normalized_similarity(abstract_names_and_literals(ours), abstract_names_and_literals(theirs))
        )
        alike = measure_shape_and_name_similarity(ours, theirs)
        in_common = (alike * (1 + NAMES_WEIGHT) - shape) / NAMES_WEIGHT
        pairs.append(Pair(row["half"], row["label"], len(ours.kinds), shape, in_common, alike, by_runs))
    return pairs


def _measure_run_share(ours: BodyTokens, theirs: BodyTokens) -> float:
    (a,), (b,) = hash_token_runs_per_body(ours), hash_token_runs_per_body(theirs)
    return float(np.isin(a, b).mean()) if len(a) else 0.0


def read_target_body(index: RepoIndex, place: Mapping[str, Any]) -> bytes:
    data = index.read_file(place["path"])
    bodies = [Hole(*found) for found in index.bodies_named(place["path"], unqualified_name(place["name"]))]
    hole = find_body_hole(data, Span(place["line"], place["last"]), bodies)
    return data[hole.start : hole.end]


def read_other_body(index: RepoIndex, place: Mapping[str, Any]) -> bytes:
    entry = next(
        e
        for e in index.entries_in_file(place["path"])
        if e.symbol.span.first == place["line"] and e.symbol.qualified_name == place["name"] and e.body >= 0
    )
    return index.read_file(place["path"])[entry.body : entry.symbol.end_byte]


def count_hidden(repo: str, index: RepoIndex) -> dict[str, Any]:
    """What strict masking hides for the benchmark's tasks of a repository, and what finding it costs."""
    root = index.root
    tasks = [make_task_from_row(row, root) for row in load_rows("yabloco") if row.repository == repo]
    index.hide(tasks[0].target, "strict")  # makes the arrays
    milliseconds, found, places = [], [], []
    callees = 0
    for task in tasks:
        began = time.process_time()
        view = index.hide(task.target, "strict")
        milliseconds.append((time.process_time() - began) * 1000)
        found.append(view.twins)
        places += [copy.kind for copy in view.copies]
        called = {unqualified_name(item.name) for item in task.oracle}
        callees += len({twin.symbol.name for twin in view.twins} & called)
    return {
        "repo": repo,
        "functions": len(index.functions),
        "tasks": len(tasks),
        "with_twins": sum(bool(twins) for twins in found),
        "with_twins_by_shape": sum(any(twin.how == "shape" for twin in twins) for twins in found),
        "hidden": sum(map(len, found)),
        "hidden_by_shape": sum(twin.how == "shape" for twins in found for twin in twins),
        "hidden_by_copy": sum(twin.how == "copy" for twins in found for twin in twins),
        "places": len(places),
        "most": max(map(len, found)),
        "callees": sum(len(task.oracle) for task in tasks),
        "callees_hidden": callees,
        "ms_median": round(statistics.median(milliseconds), 1),
        "ms_most": round(max(milliseconds), 1),
    }


def count_copies_by_length(repo: str, index: RepoIndex) -> dict[str, Any]:
    """How many functions and other places a task of a repository has, beside its twins, that share a run of a length
    with its body: with names, with names blanked, and by the rule in use (`rule`)."""
    tasks = [make_task_from_row(row, index.root) for row in load_rows("yabloco") if row.repository == repo]
    named, blanked = SCHEMES
    rules = {
        **{f"{size}, names": (_require_tokens(named, size), _require_tokens(blanked, 0)) for size in NAMED_LENGTHS},
        **{
            f"{size}, blanked": (_require_tokens(named, 0), _require_tokens(blanked, size)) for size in BLANKED_LENGTHS
        },
        "rule": SCHEMES,
    }
    counts = dict.fromkeys(rules, 0)
    for task in tasks:
        view = index.hide(task.target, "strict")
        body = find_target_body(index, task.target)
        hidden = {task.target.path: [body]}
        for twin in view.twins:
            if twin.how != "copy":
                hidden.setdefault(twin.symbol.path, []).append(twin.hole)
        text = index.read_file(task.target.path)[body.start : body.end]
        for name, schemes in rules.items():
            counts[name] += len(find_copies(index, [text], hidden, schemes))
    return {"repo": repo, "tasks": len(tasks), "counts": counts}


def _require_tokens(scheme: RunScheme, size: int) -> RunScheme:
    return scheme._replace(least=lambda of: size)


def main() -> int:
    set_up_stderr_logging()
    stored = json.loads(LABELS.read_text(encoding="utf-8"))
    indexes = {repo: open_updated_index(check_out_repository(repo, None)) for repo in stored["commits"]}
    pairs = measure_pairs(indexes, stored["pairs"])
    result = {
        "rules": [
            {"rule": name, "halves": [measure_rule(half, pairs, rule) for half in HALVES]}
            for name, rule in RULES.items()
        ],
        "hidden": [count_hidden(repo, index) for repo, index in indexes.items()],
        "lengths": [count_copies_by_length(repo, index) for repo, index in indexes.items()],
    }
    print_line(json.dumps(result, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
