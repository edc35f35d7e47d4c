"""The weights of the fixed fusions, each with its reason. All signals here lie in 0..1 but for the counts' logs.

Chosen on the development split (docs/decisions/retrieval.md), never on the benchmark's targets.
"""

from __future__ import annotations

from typing import NamedTuple


class Weight(NamedTuple):
    """`says` is what a hit's reason tells when this signal says most for it."""

    signal: str
    value: float
    says: str


STRUCTURAL = (Weight("pool", 1.0, "the functions around call it"),)
HYBRID = STRUCTURAL
