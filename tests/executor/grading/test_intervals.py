"""Prevents: an interval over samples that aren't independent, one that is a point where all tasks agree, and one that
misses the truth more often than it says; a pass@k that is no probability; a p that isn't the exact test's; a half
point off the line."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor.grading.half_point import HalfPoint, estimate_function_count_at_half_passing
from executor.grading.metrics import pass_at_k, wilson_interval
from executor.grading.paired_tests import (
    METHOD,
    Difference,
    correct_by_holm,
    estimate_paired_difference,
    sign_flip_test,
)


@pytest.mark.parametrize(("n", "c"), [(5, 2), (6, 1), (8, 3), (4, 4), (4, 0)])
def test_pass_at_k_is_the_mean_over_all_choices_of_k_samples(n: int, c: int) -> None:
    passed = [True] * c + [False] * (n - c)
    for k in range(1, n + 1):
        draws = [any(draw) for draw in itertools.combinations(passed, k)]
        assert pass_at_k(n, c, k) == pytest.approx(sum(draws) / len(draws))


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0), (3, 1, 4), (0, 0, 1)])
def test_pass_at_k_refuses_what_has_no_estimate(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="pass_at_k needs"):
        pass_at_k(n, c, k)


def test_many_samples_of_one_task_say_nothing_of_other_tasks_and_one_cluster_as_much_as_none() -> None:
    """Prevents: "[100, 100]" over one task."""
    assert wilson_interval([1.0]) == (0.0, 1.0)
    low, high = wilson_interval([1.0, 1.0, 1.0])
    assert (low < 0.5, high) == (True, 1.0)
    values = [1.0, 0.0, 1.0, 1.0]
    assert wilson_interval(values, ["a"] * 4) == wilson_interval(values) == wilson_interval(values, [""] * 4)
    low, high = wilson_interval([1.0] * 40, ["a"] * 20 + ["b"] * 20)
    assert (low < wilson_interval([1.0] * 40)[0], high) == (True, 1.0)


@pytest.mark.parametrize("samples", [1, 3, 10])
@pytest.mark.parametrize("shape", [(0.3, 0.3), (3.0, 1.0), (20.0, 20.0)])
def test_intervals_cover_the_truth_as_often_as_they_say(samples: int, shape: tuple[float, float]) -> None:
    """The benchmark benchmarks/executor/verdict/interval_coverage.py takes more draws, sizes and shapes."""
    rng = np.random.default_rng(7)
    truth = shape[0] / sum(shape)
    covered = 0
    for _ in range(1500):
        values = rng.binomial(samples, rng.beta(*shape, 60)) / samples
        low, high = wilson_interval(values.tolist())
        covered += low <= truth <= high
    assert 0.93 <= covered / 1500 <= 0.975


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_an_interval_holds_the_mean_and_stays_between_0_and_1(values: list[float]) -> None:
    low, high = wilson_interval(values)
    assert 0.0 <= low <= math.fsum(values) / len(values) <= high <= 1.0


@pytest.mark.parametrize("repositories", [3, 12])
def test_repositories_that_differ_make_a_wider_interval_which_covers_the_truth(repositories: int) -> None:
    """Prevents: a pooled score of packages whose interval says what other tasks of the same packages would do."""
    rng = np.random.default_rng(repositories)
    covered = np.zeros(2)
    for _ in range(400):
        chances = 1 / (1 + np.exp(-rng.normal(0, 1, repositories)))
        sizes = rng.integers(10, 31, repositories)
        passed = [rng.random(n) < p for n, p in zip(sizes, chances, strict=True)]
        values = np.concatenate(passed).astype(float).tolist()
        clusters = [str(repo) for repo, n in enumerate(sizes) for _ in range(n)]
        found = wilson_interval(values), wilson_interval(values, clusters)
        covered += [low <= 0.5 <= high for low, high in found]
    over_tasks, over_repositories = covered / 400
    assert over_tasks < 0.75 and over_repositories > 0.92


Pairs = tuple[list[float], list[float]]


def table(both: int, first: int, second: int, neither: int) -> Pairs:
    """So many tasks that passed on both sides, on one alone, on none."""
    one = [1.0] * (both + first) + [0.0] * (second + neither)
    two = [1.0] * both + [0.0] * first + [1.0] * second + [0.0] * neither
    return one, two


def test_sides_that_never_agree_give_no_point_and_no_tasks_no_figure() -> None:
    found = estimate_paired_difference([1.0] * 10, [0.0] * 10)
    assert (found.value, found.high) == (1.0, 1.0)
    assert 0.4 < found.low < 0.7
    same = estimate_paired_difference([1.0] * 10, [1.0] * 10)
    assert (same.value, same.p, same.higher, same.lower) == (0.0, 1.0, 0, 0)
    assert same.low < 0 < same.high
    found = estimate_paired_difference([], [])
    assert isinstance(found, Difference)
    assert math.isnan(found.value)
    assert (found.p, found.tasks) == (1.0, 0)
    with pytest.raises(ValueError, match="can't be paired"):
        estimate_paired_difference([1.0], [])


def enumerated(differences: list[float]) -> float:
    """The sign-flip test by its definition."""
    reached = abs(sum(differences)) - 1e-9
    sums = [
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return sum(found >= reached for found in sums) / len(sums)


@given(st.lists(st.sampled_from([-1.0, -0.75, -0.5, -1 / 3, 0.0, 0.2, 0.25, 2 / 3, 1.0]), max_size=9))
def test_the_test_flips_signs_in_every_way(differences: list[float]) -> None:
    assert sign_flip_test(differences) == pytest.approx(enumerated(differences))


@pytest.mark.parametrize("shares", [(0.4, 0.55, 0.02), (0.3, 0.3, 0.1), (0.9, 0.05, 0.02), (0.2, 0.1, 0.1)])
def test_the_interval_covers_the_truth(shares: tuple[float, float, float]) -> None:
    """Simulated: 30 tasks with one sample a side. 95 % is promised; 93 % allows for chance and for few tasks."""
    both, first, second = shares
    rng = random.Random(5)
    hits = 0
    for _ in range(400):
        drawn = rng.choices(range(4), weights=[both, first, second, 1 - sum(shares)], k=30)
        found = estimate_paired_difference(*table(*(drawn.count(kind) for kind in range(4))))
        hits += found.low <= first - second <= found.high
    assert hits / 400 >= 0.93


@pytest.mark.parametrize("samples", [3, 5])
def test_clustered_samples_are_covered_no_more_often_than_promised(samples: int) -> None:
    """Prevents: intervals of few tasks with several samples that cover 99 %, and hide a difference that is there. The
    simulation of benchmarks/executor/verdict/interval_coverage.py takes more draws."""
    rng = np.random.default_rng(11)
    hits = 0
    for _ in range(600):
        shared, own = rng.normal(0, 1.5, (2, 20))
        one, two = (rng.binomial(samples, 1 / (1 + np.exp(-x))) / samples for x in (0.9 * shared + 0.44 * own, shared))
        found = estimate_paired_difference(one.tolist(), two.tolist())
        hits += found.low <= 0 <= found.high
    assert 0.93 <= hits / 600 <= 0.975


def test_pairing_is_worth_something() -> None:
    """The same means without a link between the sides leave more open."""
    linked = estimate_paired_difference(*table(40, 10, 0, 50))
    loose = estimate_paired_difference(*table(20, 30, 20, 30))
    assert linked.value == pytest.approx(loose.value)
    assert linked.high - linked.low < 0.7 * (loose.high - loose.low)
    assert "paired" in METHOD
    # A large run costs no time.
    rng = random.Random(1)
    assert 0 < sign_flip_test([rng.randint(-7, 7) / 7 for _ in range(300)]) <= 1


def test_holm_against_a_published_example() -> None:
    # Holm's steps by hand: 0.005 * 4, 0.01 * 3, 0.03 * 2, and 0.04, which mustn't fall below the one before it.
    assert correct_by_holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert correct_by_holm([0.6, 0.9]) == [1.0, 1.0]
    assert correct_by_holm([]) == []


PARTED: Mapping[int, Sequence[float]] = {1: [1] * 8, 2: [1] * 8, 4: [0] * 8, 8: [0] * 8}
MIXED: Mapping[int, Sequence[float]] = {
    1: [1] * 20,
    2: [1] * 18 + [0] * 2,
    4: [1] * 10 + [0] * 10,
    8: [1] * 3 + [0] * 17,
}


def find_line(results: Mapping[int, Sequence[float]]) -> HalfPoint:
    found = estimate_function_count_at_half_passing(results)
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
    assert find_line(results).k == pytest.approx(2 ** (-a / b), rel=1e-4)


def test_where_nothing_was_tried_nothing_says_where_the_half_is() -> None:
    found = find_line(PARTED)
    assert found.low <= 2
    assert found.high >= 4
    assert find_line({1: [1.0] * 2, 2: [0.0]}) == HalfPoint(pytest.approx(1.51, abs=0.01), 0.0, math.inf)


@pytest.mark.parametrize(("half", "slope"), [(4.0, -1.5), (2.2, -8.0)])
def test_the_interval_covers_the_truth_as_often_as_it_says(half: float, slope: float) -> None:
    """On a steep line one k alone has both passes and failures, and the penalty makes the line too flat."""
    draw = np.random.default_rng(3)
    covered = 0
    for _ in range(30):
        shares = {k: 1 / (1 + math.exp(-slope * math.log2(k / half))) for k in (1, 2, 4, 8, 16)}
        found = find_line({k: (draw.random(10) < share).astype(float).tolist() for k, share in shares.items()})
        covered += found.low <= half <= found.high
    assert covered >= 27
