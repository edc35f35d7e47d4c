"""The order in which candidates are examined. Those that cost little come first: a data set of dear ones would take
hours, to make and to run. Short functions beyond half of the wanted tasks come last: they show little of a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from executor.repository.build.graph import BuildGraph
from executor.values import Task
from index.values import Target

_MANY_UNITS = 8
_SLOW_S = 5.0
SHORT_LINES = 10


def order_tasks_by_cost(
    tasks: Sequence[Task], entered: Mapping[str, Sequence[str]], graph: BuildGraph, suite_seconds: Mapping[str, float]
) -> list[Task]:
    """The tasks whose functions tests enter, in their order, but the dear ones last, the cheapest of them first: those
    that only slow suites enter, then those of headers that many units read. `entered`: task id -> suites;
    `suite_seconds`: wall time of each on the unmodified tree."""
    reading = Counter(path for step in graph.steps if step.kind == "compile" for path in {*step.depends})

    def compute_cost(task: Task) -> tuple[int, float]:
        units = sum(reading[path] for path in {hole.path for hole in task.target.holes})
        seconds = min(suite_seconds[suite] for suite in entered[task.id])
        return (units if units > _MANY_UNITS else 0, seconds if seconds > _SLOW_S else 0.0)

    return sorted((task for task in tasks if entered.get(task.id)), key=compute_cost)


def defer_short_tasks(tasks: Sequence[Task], wanted: int) -> list[Task]:
    """The tasks in their order, but short ones beyond half of those that are wanted at the end."""
    short = [task.id for task in tasks if is_short_task(task.target.holes)]
    late = frozenset(short[wanted // 2 :])
    return sorted(tasks, key=lambda task: task.id in late)


def is_short_task(holes: Iterable[Target]) -> bool:
    """Whether a task's functions together have fewer than 10 lines."""
    return sum(hole.span.last - hole.span.first + 1 for hole in holes) < SHORT_LINES
