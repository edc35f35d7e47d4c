"""How often the 95 % intervals of a report and of a comparison cover the truth, by simulation.

    python -m benchmarks.record benchmarks/records/intervals.json --text -- \\
        python -m benchmarks.executor.verdict.interval_coverage

Each task draws its own chance of passing from a Beta distribution, and each of its samples passes by that chance: so
samples of one task are alike, as a model's are. The truth is the distribution's mean. Of two sides that are compared
each task has a common difficulty, and a share of its own on each side. Markdown tables go to standard output.
"""

from __future__ import annotations

import itertools
import math
import sys

import numpy as np
import numpy.typing as npt

from benchmarks.tables import render_cells
from executor.grading.metrics import wilson_interval
from executor.grading.paired_tests import estimate_paired_difference

Chances = npt.NDArray[np.float64]

TASKS = (10, 20, 50, 150)
SAMPLES = (1, 3, 10)
# Beta's two parameters: tasks that a model can or can't do; mostly done; mostly failed; all alike; nearly never.
SHAPES = ((0.3, 0.3), (3.0, 1.0), (0.5, 2.0), (20.0, 20.0), (1.0, 20.0))
SEED = 20261122
# Simulated runs for each row; of two sides a quarter of them.
DRAWS = 4000
# Samples of both sides; how much of a task's difficulty is common to them; the second side's lead, on the logit scale.
SIDES = ((1, 1), (5, 5), (1, 5))
COMMON = (0.9, 0.3)
LEADS = (0.0, 1.0)


def measure_coverage(tasks: int, samples: int, shape: tuple[float, float], draws: int) -> float:
    """The share of `draws` simulated runs whose interval holds the true mean."""
    rng = np.random.default_rng([SEED, tasks, samples])
    truth = shape[0] / sum(shape)
    covered = 0
    for _ in range(draws):
        low, high = wilson_interval((rng.binomial(samples, rng.beta(*shape, tasks)) / samples).tolist())
        covered += low <= truth <= high
    return covered / draws


def draw_chances(tasks: int, common: float, lead: float, rng: np.random.Generator) -> tuple[Chances, Chances]:
    """Each task's chance of passing on either side."""
    shared, own = rng.normal(0, 1.5, tasks), rng.normal(0, 1.5, tasks)
    first = common * shared + math.sqrt(1 - common**2) * own + lead
    return 1 / (1 + np.exp(-first)), 1 / (1 + np.exp(-shared))


def bootstrap_interval(differences: Chances, rng: np.random.Generator) -> tuple[float, float]:
    """The percentile bootstrap over tasks, which is often used for this."""
    picks = rng.integers(0, len(differences), (1000, len(differences)))
    low, high = np.quantile(differences[picks].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


def compare_sides(tasks: int, samples: tuple[int, int], common: float, lead: float, draws: int) -> tuple[float, ...]:
    """The shares of simulated comparisons whose interval holds the true difference, whose bootstrap does, and whose p
    is below 0.05."""
    rng = np.random.default_rng([SEED, tasks, *samples, round(100 * common), round(100 * lead)])
    one, two = draw_chances(2_000_000, common, lead, rng)
    truth = float((one - two).mean())
    counts = np.zeros(3)
    for _ in range(draws):
        sides = draw_chances(tasks, common, lead, rng)
        first, second = (rng.binomial(k, side) / k for k, side in zip(samples, sides, strict=True))
        found = estimate_paired_difference(first.tolist(), second.tolist())
        low, high = bootstrap_interval(first - second, rng)
        counts += (found.low <= truth <= found.high, low <= truth <= high, found.p < 0.05)
    return tuple((counts / draws).tolist())


def main() -> None:
    singles = [
        [tasks, samples, *(f"{100 * measure_coverage(tasks, samples, shape, DRAWS):.1f}" for shape in SHAPES)]
        for tasks, samples in itertools.product(TASKS, SAMPLES)
    ]
    pairs = []
    for tasks, samples, common, lead in itertools.product(TASKS[1:], SIDES, COMMON, LEADS):
        found = compare_sides(tasks, samples, common, lead, DRAWS // 4)
        names = (tasks, f"{samples[0]}, {samples[1]}", common, "first" if lead else "none")
        pairs.append([*names, *(f"{100 * share:.1f}" for share in found)])
    tables = [
        render_cells(("tasks", "samples", *(f"Beta{shape}" for shape in SHAPES)), singles, left=2),
        render_cells(("tasks", "samples", "common", "true lead", "covered", "bootstrap", "p < 0.05"), pairs, left=2),
    ]
    sys.stdout.write("\n\n".join(tables) + "\n")


if __name__ == "__main__":
    main()
