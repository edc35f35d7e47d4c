"""The types, macros, constants and variables that the missing body will likely name, each with its probability.

What speaks for a candidate (`retrieval.context.related_candidates`) is weighed by a logistic regression, one for each
kind. `python -m benchmarks.retrieval.named_symbols` fitted it on functions that are no target of a benchmark, and
prints the weights in this form.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from index.hiding.hidden_view import HiddenView
from index.values import SymbolKind, Target
from retrieval.context.related_candidates import ContextCandidate, gather_candidates
from retrieval.values import Hit

MOST_RELATED_SYMBOLS = 150
"""Beyond these a budget of 8,000 tokens shows nothing."""

Kind = Literal["types", "macros", "globals"]
WEIGHT_COLUMN_OF_KIND: Mapping[SymbolKind, Kind] = {
    SymbolKind.TYPE: "types",
    SymbolKind.MACRO: "macros",
    SymbolKind.ENUMERATOR: "macros",
    SymbolKind.GLOBAL: "globals",
}


class EvidenceWeight(NamedTuple):
    """What a kind of evidence adds to the logarithm of the odds, by the candidate's kind. `reason` becomes a hit's
    reason where this adds most."""

    evidence: str
    types: float
    macros: float
    globals: float
    reason: str


ODDS_BIAS = EvidenceWeight("", -7.44, -7.95, -9.65, "")
ODDS_WEIGHTS = (
    EvidenceWeight("near", 1.78, 2.48, 2.65, "functions beside the target use it"),
    EvidenceWeight("alike", -0.14, 0.42, 1.16, "functions of the file with a like name use it"),
    EvidenceWeight("file", -1.32, -1.34, 0.75, "functions of the file use it"),
    EvidenceWeight("callees", 1.7, 2.23, 0.01, "functions that the target may call use it"),
    EvidenceWeight("cousins", 0.89, 2.52, 0.97, "other callers of what the target may call use it"),
    EvidenceWeight("callers", -0.61, 0.05, 0.0, "callers of the target use it"),
    EvidenceWeight("beside", 0.94, -0.95, 0.86, "other code uses it in calls of what the target may call"),
    EvidenceWeight("in_doc", -0.24, 4.0, -0.09, "the docstring names it"),
    EvidenceWeight("in_file", -0.59, -0.21, -0.74, "it stands in the target's file"),
    EvidenceWeight("needed", -0.48, 0.0, 0.0, "the signature needs it"),
    EvidenceWeight("of_field", 0.63, -0.18, 0.82, "a type of the signature names it"),
    EvidenceWeight("by_field", 2.89, 0.0, 0.0, "functions around the target use its fields"),
    EvidenceWeight("of_global", 1.12, 0.0, 0.0, "a variable has this type"),
    EvidenceWeight("passed", -0.34, 0.0, 0.0, "functions that the target may call take or return it"),
    EvidenceWeight("of_enum", 0.0, 0.48, 0.0, "a constant of a type of the signature"),
    EvidenceWeight("in_reach", 0.41, 0.07, 1.27, "its name has the target's words"),
    EvidenceWeight("words", 1.34, 0.68, 0.57, "its name has the target's words"),
    EvidenceWeight("rare_words", -0.17, -0.96, -1.7, "its name has the target's words"),
    EvidenceWeight("in_name", 0.79, 1.85, 1.23, "its name has words of the target's name"),
    EvidenceWeight("renamed", 0.2, 4.2, 0.35, "a function of a like name uses its counterpart"),
    EvidenceWeight("family", 0.0, 0.38, 0.42, "functions around the target use its kin"),
    EvidenceWeight("near_place", 2.28, 2.45, 5.14, "it is declared near"),
    EvidenceWeight("fits", 0.86, 0.87, -0.18, "it has a type of the signature"),
)


def find_related_symbols(
    view: HiddenView, target: Target, hits: Sequence[Hit] = (), limit: int = MOST_RELATED_SYMBOLS
) -> list[Hit]:
    """At most `limit` symbols that are no functions, the most probable first; scores are probabilities. `hits`: the
    functions that a retriever proposes, best first. Equal calls give equal answers."""
    found = [_score_candidate(candidate) for candidate in gather_candidates(view, target, hits)]
    return sorted(found, key=lambda hit: (-hit.score, hit.symbol.path, hit.symbol.start_byte))[:limit]


def compute_features(candidate: ContextCandidate) -> list[float]:
    """What the weights multiply, in their order. Square roots, since the step from no vote to one says more than one
    from nine to ten."""
    return [math.sqrt(candidate.evidence.get(weight.evidence, 0.0)) for weight in ODDS_WEIGHTS]


def _score_candidate(candidate: ContextCandidate) -> Hit:
    kind = WEIGHT_COLUMN_OF_KIND[candidate.symbol.kind]
    parts = [getattr(w, kind) * value for w, value in zip(ODDS_WEIGHTS, compute_features(candidate), strict=True)]
    strongest = max(zip(parts, ODDS_WEIGHTS, strict=True), key=lambda part: part[0])[1]
    odds = getattr(ODDS_BIAS, kind) + sum(parts)
    return Hit(candidate.symbol, 1 / (1 + math.exp(-odds)), strongest.reason)
