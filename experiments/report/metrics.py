"""The figures of a report. A new one is a function of a `Group` and a line in METRICS, and stands in every output."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.model.usage import sum_usage
from agent.values import Usage
from executor.grading.metrics import Estimate, estimate_mean, pass_at_k
from executor.grading.paired_tests import Difference
from executor.manifest.false_passes import false_pass_rate
from executor.values import Outcome
from experiments.report.recitation import RECITED
from experiments.run.records import SampleRecord
from experiments.run.sampling.attribution import count_causes
from experiments.run.sampling.rounds import list_shown_draw_counts
from experiments.tables import EXTRA, MAIN, USUAL

Figure = Estimate | float | int | None
Value = Callable[[SampleRecord], float]

COMPARED: Mapping[str, Value] = {
    "pass@1": lambda record: record.passed,
    "built": lambda record: record.graft.verdict.built,
    "exact": lambda record: record.graft.exact_match,
}
"""What two sides are compared by: a title, and a sample's figure in 0..1."""

MISSING = "-"
"""Stands where a row has no figure; a nought would be one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One arm's samples of one task, scored. `counted` are those that didn't end in an infrastructure error, and
    `passed` of them passed. `means`: of AVERAGED and OFFICIAL those that have a sample to be averaged over. `seconds`
    and `usage` are sums over `counted`, `outcomes` and `causes` count `records`."""

    records: Sequence[SampleRecord]
    counted: Sequence[SampleRecord]
    passed: int
    means: Mapping[str, float]
    usage: Usage
    seconds: float
    outcomes: Counter[Outcome]
    causes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Group:
    """The cells of one row of a table. `counted` as in a Cell; `missing` counts the samples that the run is to have
    and that aren't finished."""

    cells: Sequence[Cell]
    records: Sequence[SampleRecord]
    counted: Sequence[SampleRecord]
    usage: Usage
    seconds: float
    missing: int = 0


AVERAGED: Mapping[str, Value] = {
    "pass_at_1": COMPARED["pass@1"],
    "exact_match": COMPARED["exact"],
    "edit_similarity": lambda record: record.edit_similarity,
    "built": COMPARED["built"],
}
OFFICIAL: Mapping[str, Value] = {
    "official_pass_at_1": lambda record: record.official.verdict.outcome is Outcome.PASSED,
    "official_exact_match": lambda record: record.official.exact_match,
}
"""Figures that are means over tasks of their samples' means, by Graft's and by the official reading."""


def score_samples_by_task(records: Iterable[SampleRecord], *, first_official: bool = False) -> list[Cell]:
    """One arm's samples, task by task. Rows by repository, by level and over valid tasks share these cells, so that a
    sample is scored once. `first_official`: the official score is of each task's first sample alone, as MERA scores.
    Tasks of several functions have no official score."""
    tasks: dict[str, list[SampleRecord]] = {}
    for record in records:
        tasks.setdefault(record.task_id, []).append(record)
    return [_score_task_samples(samples, first_official=first_official) for samples in tasks.values()]


def _score_task_samples(records: Sequence[SampleRecord], *, first_official: bool) -> Cell:
    counted = [record for record in records if record.counts]
    official = [
        record
        for record in records
        if (record.sample == 0 or not first_official)
        and not record.holes
        and record.official.verdict.outcome is not Outcome.INFRA_ERROR
    ]
    return Cell(
        records=records,
        counted=counted,
        passed=sum(record.passed for record in counted),
        means={**_average_samples(counted, AVERAGED), **_average_samples(official, OFFICIAL)},
        usage=sum_usage(record.usage for record in counted),
        seconds=sum(record.seconds for record in counted),
        outcomes=Counter(record.graft.verdict.outcome for record in records),
        causes=count_causes(records),
    )


def _average_samples(records: Sequence[SampleRecord], figures: Mapping[str, Value]) -> dict[str, float]:
    return {key: sum(map(value, records)) / len(records) for key, value in figures.items()} if records else {}


def score_group(cells: Sequence[Cell], missing: int = 0) -> Group:
    """Score at least one cell by both readings of its answers."""
    return Group(
        cells=cells,
        records=[record for cell in cells for record in cell.records],
        counted=[record for cell in cells for record in cell.counted],
        usage=sum_usage(cell.usage for cell in cells),
        seconds=sum(cell.seconds for cell in cells),
        missing=missing,
    )


def make_average_measure(key: str) -> Callable[[Group], Estimate]:
    """The figure `key` of AVERAGED or OFFICIAL, over the tasks that have it."""
    return lambda group: _estimate_cells(group.cells, lambda cell: cell.means.get(key))


def _estimate_cells(cells: Sequence[Cell], value: Callable[[Cell], float | None]) -> Estimate:
    found = [(figure, cell.records[0].cluster) for cell in cells if (figure := value(cell)) is not None]
    return estimate_mean([figure for figure, _ in found], [cluster for _, cluster in found])


Part = Literal["main", "judges", "text", "memory", "costs"]
"""The table that a figure stands in: the first of a report, or one of its details."""


@dataclass(frozen=True, slots=True)
class Metric:
    """`key` names the figure in report.json, `title` its column; "" for no column. A `rare` one has its column only
    where a row's figure isn't nought. `priority` says how long the column stays where a terminal is narrow."""

    key: str
    measure: Callable[[Group], Figure]
    title: str = ""
    show: Callable[[Figure], str] = str
    part: Part = "main"
    priority: int = USUAL
    rare: bool = False


@dataclass(frozen=True, slots=True)
class Repeated:
    """pass@k of tasks with several samples, for each k that at least one task has samples for. `n`: the fewest and the
    most samples that a task of the row has."""

    n: tuple[int, int]
    pass_at: Mapping[int, Estimate]


def measure_pass_at_k(group: Group) -> Repeated:
    """pass@k for the numbers of draws that are shown, and so for the most samples of a task."""
    sizes = [len(cell.counted) for cell in group.cells if cell.counted]
    n = min(sizes, default=0), max(sizes, default=0)
    return Repeated(n, {k: _estimate_pass_at_k(group.cells, k) for k in list_shown_draw_counts(n[1])})


def _estimate_pass_at_k(cells: Sequence[Cell], k: int) -> Estimate:
    """Over the tasks that have at least k counted samples."""
    return _estimate_cells(
        cells, lambda cell: pass_at_k(len(cell.counted), cell.passed, k) if len(cell.counted) >= k else None
    )


def count_model_errors(group: Group) -> int:
    """How many samples got no answer. They count as failed."""
    return sum(record.graft.verdict.outcome is Outcome.MODEL_ERROR for record in group.records)


def count_infra_errors(group: Group) -> int:
    """How many samples Graft itself spoilt. They are scored nowhere."""
    return len(group.records) - len(group.counted)


def count_samples_to_review(group: Group) -> int:
    """How many audited samples passed with a flag. They don't count as passed."""
    return sum(record.graft.verdict.outcome is Outcome.TO_REVIEW for record in group.records)


def estimate_false_pass(records: Sequence[SampleRecord]) -> Estimate:
    """The share of wrong bodies that pass what judges the answers, over the tasks of which that is known."""
    return false_pass_rate(
        {r.task_id: found for r in records if (found := r.passing_wrong_bodies) is not None}.values()
    )


def estimate_pass_by_suites(records: Sequence[SampleRecord]) -> Estimate:
    """pass@1 by the suites alone. Over no task where no answer ran plus tests."""
    if not any(record.plus for record in records):
        return estimate_mean([])
    return estimate_over_tasks(records, lambda record: record.passed_suites)


def estimate_pass_same_as_gold(records: Sequence[SampleRecord]) -> Estimate:
    """pass@1 without the answers that differ from the gold at a call. Over no task where none was compared."""
    if not any(record.differential for record in records):
        return estimate_mean([])
    return estimate_over_tasks(records, lambda record: record.passed and not record.differential.startswith("differs"))


def make_measure_skipping_empty(
    measure: Callable[[Sequence[SampleRecord]], Estimate],
) -> Callable[[Group], Estimate | None]:
    """As a figure of a row: None where it is over no task."""

    def measure_unless_empty(group: Group) -> Estimate | None:
        found = measure(group.counted)
        return found if found.tasks else None

    return measure_unless_empty


def estimate_functions_passing_alone(records: Iterable[SampleRecord]) -> Estimate | None:
    """The share of functions that pass alone, with the others' golds, in tasks of several; None without such a task.
    One that wasn't handed in has failed; one whose trial Graft itself failed doesn't count."""
    tried = [record for record in records if any(alone is not None for alone in record.alone_results)]
    return estimate_over_tasks(tried, _compute_share_passing_alone) if tried else None


def _compute_share_passing_alone(record: SampleRecord) -> float:
    return statistics.fmean(alone for alone in record.alone_results if alone is not None)


def compute_mean_tokens(group: Group) -> float:
    """Mean per sample, in and out."""
    return (group.usage.prompt_tokens + group.usage.completion_tokens) / max(len(group.counted), 1)


def compute_mean_seconds(group: Group) -> float:
    """Mean wall time per sample of model calls, compiler checks, build and tests."""
    return group.seconds / max(len(group.counted), 1)


def compute_median_build_cpu_s(group: Group) -> float | None:
    """Median CPU seconds from the answer's text to the linked program; None when nothing was linked."""
    known = [record.build_cpu_s for record in group.counted if record.build_cpu_s is not None]
    return statistics.median(known) if known else None


def make_recited_measure(key: str) -> Callable[[Group], float | None]:
    """The figure `key` of RECITED."""
    return lambda group: RECITED[key](group.counted)


def average_by_task(records: Iterable[SampleRecord], value: Value) -> dict[str, float]:
    """Task -> the mean of its samples' figures."""
    each: dict[str, list[float]] = {}
    for record in records:
        each.setdefault(record.task_id, []).append(float(value(record)))
    return {task: math.fsum(figures) / len(figures) for task, figures in each.items()}


def estimate_over_tasks(records: Sequence[SampleRecord], value: Value) -> Estimate:
    """Over tasks, each the mean of its samples."""
    means, clusters = average_by_task(records, value), {record.task_id: record.cluster for record in records}
    return estimate_mean(list(means.values()), [clusters[task] for task in means])


def format_percent(figure: Figure) -> str:
    """`55.6`; MISSING without a figure."""
    if not isinstance(figure, Estimate) or not figure.tasks:
        return MISSING
    return f"{100 * figure.value:.1f}"


def format_percent_with_interval(figure: Figure) -> str:
    """`55.6 [34, 75]`"""
    if not isinstance(figure, Estimate) or not figure.tasks:
        return MISSING
    return f"{format_percent(figure)} [{100 * figure.low:.0f}, {100 * figure.high:.0f}]"


def format_points(difference: Difference) -> str:
    """`+8.3 [-2, +18]`, in points."""
    return f"{100 * difference.value:+.1f} [{100 * difference.low:+.0f}, {100 * difference.high:+.0f}]"


def make_decimal_format(count: int) -> Callable[[Figure], str]:
    """Shows a number with `count` decimal places; MISSING without one."""
    return lambda figure: MISSING if figure is None else f"{figure:.{count}f}"


def format_share(figure: Figure) -> str:
    """A plain number in 0..1 as `55.6`; MISSING without a figure."""
    return MISSING if figure is None or isinstance(figure, Estimate) else f"{100 * figure:.1f}"


def format_number(figure: Figure) -> str:
    """`24` or `24.5`; MISSING without a figure."""
    return MISSING if figure is None or isinstance(figure, Estimate) else f"{figure:g}"


METRICS = (
    Metric("tasks", lambda group: sum(bool(cell.counted) for cell in group.cells), "tasks"),
    Metric("samples", lambda group: len(group.counted)),
    Metric("missing", lambda group: group.missing, "not done", priority=MAIN, rare=True),
    Metric("model_errors", count_model_errors, "model errors", priority=MAIN, rare=True),
    Metric("infra_errors", count_infra_errors, "infra errors", priority=MAIN, rare=True),
    Metric("to_review", count_samples_to_review, "to review", priority=MAIN, rare=True),
    Metric("pass_at_1", make_average_measure("pass_at_1"), "pass@1", format_percent_with_interval, priority=MAIN),
    Metric(
        "suites_pass_at_1",
        make_measure_skipping_empty(estimate_pass_by_suites),
        "suites only",
        format_percent_with_interval,
        "judges",
    ),
    Metric(
        "same_pass_at_1",
        make_measure_skipping_empty(estimate_pass_same_as_gold),
        "same as gold",
        format_percent_with_interval,
        "judges",
    ),
    Metric(
        "functions_alone",
        lambda group: estimate_functions_passing_alone(group.counted),
        "functions alone",
        format_percent_with_interval,
    ),
    Metric("false_pass", make_measure_skipping_empty(estimate_false_pass)),
    Metric("official_pass_at_1", make_average_measure("official_pass_at_1"), "official pass@1", format_percent),
    Metric("exact_match", make_average_measure("exact_match"), "exact", format_percent),
    Metric(
        "official_exact_match",
        make_average_measure("official_exact_match"),
        "official exact",
        format_percent,
        "text",
    ),
    Metric("edit_similarity", make_average_measure("edit_similarity"), "edit similarity", format_percent, "text"),
    Metric("built", make_average_measure("built"), "built", format_percent),
    Metric("tokens", compute_mean_tokens, "tokens", make_decimal_format(0), priority=EXTRA),
    Metric("cost", lambda group: group.usage.cost, "USD", make_decimal_format(4), priority=EXTRA),
    Metric("seconds", compute_mean_seconds, "seconds", make_decimal_format(1), priority=EXTRA),
    Metric("build_cpu_s", compute_median_build_cpu_s, "CPU-s to link", make_decimal_format(2), "costs"),
    Metric("gold_run", make_recited_measure("gold_run")),
    Metric("gold_recited", make_recited_measure("gold_recited")),
    Metric("original_run", make_recited_measure("original_run"), "run of original", format_number, "memory"),
    Metric("original_recited", make_recited_measure("original_recited"), "recited", format_share, "memory"),
    Metric("remembering", make_recited_measure("remembering"), "with old names", format_share, "memory"),
    Metric("remembered_names", make_recited_measure("remembered_names")),
)
