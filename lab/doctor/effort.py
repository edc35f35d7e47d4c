"""How much the doctor does."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effort:
    """How much the doctor does. `budget_s`: wall seconds for the variants of one task; the gold, the plain stub and
    the forgeries are always tried. `patience_s`: a variant other than the plain stub counts as a survivor once it has
    passed suites that take the unmodified tree so long, the likeliest killers first. `variant_share`: the part of the
    budget that one variant may take. `weak_too`: try the other variants even when the plain stub passes, which alone
    makes the task weak. `ends`: seconds since the epoch when an unfinished examination raises
    TimeOver."""

    budget_s: float = 300.0
    gold_runs: int = 3
    mutants: int = 12
    patience_s: float = 60.0
    variant_share: float = 0.34
    forgeries: bool = True
    weak_too: bool = True
    ends: float = math.inf
