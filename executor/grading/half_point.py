"""The number of functions at which an arm passes one half of its tasks, read off a fitted line.

Pure functions of figures in 0..1, one a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DRAWS = 1000
METHOD = (
    "P(pass) = 1 / (1 + exp(-(a + b log2 k))), one half at k = 2^(-a / b). Fitted over tasks by Firth's penalized"
    " likelihood (1993, Biometrika 80:27), which stays finite where k parts those that pass from those that fail;"
    f" 95 % interval: percentiles of {_DRAWS} sets of results drawn from the line (parametric"
    " bootstrap), out to the k on either side where fewer than two k have both passes and failures"
)
_MOST_STEPS = 100
_WHOLE_STEPS = 20
_LONGEST_STEP = 2.0
# Beyond 2^60 functions a line has no half.
_FARTHEST = 60.0


@dataclass(frozen=True, slots=True)
class HalfPoint:
    """The k, and its 95 % interval; `high` is infinite where it has no upper end, `low` is 0 where no lower one."""

    k: float
    low: float
    high: float


def estimate_function_count_at_half_passing(
    shares_by_function_count: Mapping[int, Sequence[float]],
) -> HalfPoint | str:
    """The half point of tasks with so many functions (k -> the share of each task's samples that pass), or why these
    have none."""
    sizes = sorted(k for k, shares in shares_by_function_count.items() if shares)
    counts = np.array([len(shares_by_function_count[k]) for k in sizes], dtype=float)
    passed = np.array([[sum(shares_by_function_count[k]) for k in sizes]], dtype=float)
    if len(sizes) < 2:
        return "the tasks have one number of functions, and a line needs two"
    if not passed.any():
        return "no task passes"
    if (passed == counts).all():
        return "no task fails"
    design = np.stack([np.ones(len(sizes)), np.log2(sizes)], axis=1)
    line = _fit_logistic_lines_by_firth(design, counts, passed)
    if line[0, 1] >= 0:
        return "no fewer pass with more functions"
    drawn = np.random.default_rng(0).binomial(
        counts.astype(int), _predict_pass_shares(design, line), (_DRAWS, len(sizes))
    )
    crossed = np.sort(
        _find_log2_of_half_crossings(_fit_logistic_lines_by_firth(design, counts, drawn.astype(float)), design)
    )
    ends = (crossed[round(share * (_DRAWS - 1))] for share in (0.025, 0.975))
    at, low, high = (float(2.0**x) for x in (_find_log2_of_half_crossings(line, design)[0], *ends))
    shares = (passed[0] / counts).tolist()
    if sum(0 < share < 1 for share in shares) < 2:
        # Nothing but the penalty says how steep the line is, so nothing says where between two k its half lies.
        low = min(low, max((k for k, share in zip(sizes, shares, strict=True) if share >= 0.5), default=low))
        high = max(high, min((k for k, share in zip(sizes, shares, strict=True) if share < 0.5), default=high))
    return HalfPoint(at, low, high)


def _predict_pass_shares(design: NDArray[np.float64], lines: NDArray[np.float64]) -> NDArray[np.float64]:
    share: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.clip(lines @ design.T, -30, 30)))
    return share


def _find_log2_of_half_crossings(lines: NDArray[np.float64], design: NDArray[np.float64]) -> NDArray[np.float64]:
    """log2 k where each line crosses one half; of one that doesn't fall, infinite above one half, else minus that."""
    found: NDArray[np.float64] = np.copysign(np.inf, lines @ design.mean(axis=0))
    np.divide(-lines[:, 0], lines[:, 1], out=found, where=lines[:, 1] < 0)
    found[np.abs(found) > _FARTHEST] *= np.inf
    return found


def _fit_logistic_lines_by_firth(
    design: NDArray[np.float64], counts: NDArray[np.float64], passed: NDArray[np.float64]
) -> NDArray[np.float64]:
    """A line (a, b) for each row of `passed`, by Newton's steps on Firth's modified score. `design` has a row,
    `counts` an entry and `passed` a column for each number of functions."""
    lines = np.zeros((len(passed), 2))
    for number in range(_MOST_STEPS):
        share = _predict_pass_shares(design, lines)
        weight = counts * share * (1 - share)
        inverse = np.linalg.inv(np.einsum("bk,ki,kj->bij", weight, design, design))
        leverage = weight * np.einsum("ki,bij,kj->bk", design, inverse, design)
        step = np.einsum("bij,bj->bi", inverse, (passed - counts * share + leverage * (0.5 - share)) @ design)
        step *= np.minimum(1.0, _LONGEST_STEP / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-12))
        # Where few results decide, whole steps go to and fro for ever.
        lines = lines + (step if number < _WHOLE_STEPS else step / 2)
        if np.abs(step).max() < 1e-6:
            break
    return lines
