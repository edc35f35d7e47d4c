"""How often the 95 % intervals of a report cover the truth, by simulation.

    python -m benchmarks.record docs/measured/intervals.json --text -- python -m benchmarks.executor.intervals

Each task draws its own chance of passing from a Beta distribution, and each of its samples passes by that chance: so
samples of one task are alike, as a model's are. The truth is the distribution's mean. A Markdown table goes to
standard output: a row for each number of tasks and samples, a column for each shape of the distribution.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from executor.grading.metrics import interval

TASKS = (10, 20, 50, 150)
SAMPLES = (1, 3, 10)
# Beta's two parameters: tasks that a model can or can't do; mostly done; mostly failed; all alike; nearly never.
SHAPES = ((0.3, 0.3), (3.0, 1.0), (0.5, 2.0), (20.0, 20.0), (1.0, 20.0))
SEED = 20261122


def coverage(tasks: int, samples: int, shape: tuple[float, float], draws: int) -> float:
    """The share of `draws` simulated runs whose interval holds the true mean."""
    rng = np.random.default_rng([SEED, tasks, samples])
    truth = shape[0] / sum(shape)
    covered = 0
    for _ in range(draws):
        low, high = interval((rng.binomial(samples, rng.beta(*shape, tasks)) / samples).tolist())
        covered += low <= truth <= high
    return covered / draws


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--draws", type=int, default=4000, help="simulated runs for each row")
    draws = parser.parse_args().draws
    lines = [
        f"| tasks | samples | {' | '.join(f'Beta{shape}' for shape in SHAPES)} |",
        "| --- | --- |" + " --- |" * len(SHAPES),
    ]
    for tasks in TASKS:
        for samples in SAMPLES:
            cells = (f"{100 * coverage(tasks, samples, shape, draws):.1f}" for shape in SHAPES)
            lines.append(f"| {tasks} | {samples} | {' | '.join(cells)} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
