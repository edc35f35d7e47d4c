"""Prevents: a half point off the line, an interval that is a point where the data part cleanly, and one that
misses the truth more often than it says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from executor.grading.half_point import HalfPoint, find_half_point

PARTED: Mapping[int, Sequence[float]] = {1: [1] * 8, 2: [1] * 8, 4: [0] * 8, 8: [0] * 8}
MIXED: Mapping[int, Sequence[float]] = {
    1: [1] * 20,
    2: [1] * 18 + [0] * 2,
    4: [1] * 10 + [0] * 10,
    8: [1] * 3 + [0] * 17,
}


def _find(results: Mapping[int, Sequence[float]]) -> HalfPoint:
    found = find_half_point(results)
    assert isinstance(found, HalfPoint), found
    return found


@pytest.mark.parametrize("results", [PARTED, MIXED, {1: [1, 1], 2: [0]}, {1: [0.5] * 5, 2: [0, 0.5, 0.25], 4: [0]}])
def test_the_line_has_the_highest_penalized_likelihood(results: Mapping[int, Sequence[float]]) -> None:
    """By another way: a search that knows nothing of Newton's steps."""
    from scipy.optimize import minimize

    x = np.array([[1.0, math.log2(k)] for k, shares in results.items() for _ in shares])
    y = np.array([share for shares in results.values() for share in shares])

    def lack(line: np.ndarray) -> float:
        at = x @ line
        weight = 1 / (2 + np.exp(at) + np.exp(-at))
        information = (x * weight[:, None]).T @ x
        return float(-(y * at - np.logaddexp(0, at)).sum() - 0.5 * np.log(np.linalg.det(information)))

    a, b = minimize(lack, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 5000}).x
    assert _find(results).k == pytest.approx(2 ** (-a / b), rel=1e-4)


def test_where_nothing_was_tried_nothing_says_where_the_half_is() -> None:
    found = _find(PARTED)
    assert found.low <= 2
    assert found.high >= 4
    assert _find({1: [1.0] * 2, 2: [0.0]}) == HalfPoint(pytest.approx(1.51, abs=0.01), 0.0, math.inf)


@pytest.mark.parametrize(("half", "slope"), [(4.0, -1.5), (2.2, -8.0)])
def test_the_interval_covers_the_truth_as_often_as_it_says(half: float, slope: float) -> None:
    """On a steep line one k alone has both passes and failures, and the penalty makes the line too flat."""
    draw = np.random.default_rng(3)
    covered = 0
    for _ in range(30):
        shares = {k: 1 / (1 + math.exp(-slope * math.log2(k / half))) for k in (1, 2, 4, 8, 16)}
        found = _find({k: (draw.random(10) < share).astype(float).tolist() for k, share in shares.items()})
        covered += found.low <= half <= found.high
    assert covered >= 27
