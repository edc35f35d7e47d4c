"""The figures of a report. A new one is a function of a `Group` and a line in METRICS, and stands in every output."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.model.usage import sum_usage
from executor.grading.metrics import Estimate, estimate_mean, pass_at_k
from executor.grading.paired_tests import Difference
from executor.grading.recitation import LONG_RUN
from executor.values import Outcome
from experiments.run.records import SampleRecord
from experiments.run.sample_facts import Recitation
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


OFFICIAL: Mapping[str, Value] = {
    "pass@1": lambda record: record.official.verdict.outcome is Outcome.PASSED,
    "exact": lambda record: record.official.exact_match,
}
"""The same by the official reading."""


@dataclass(frozen=True, slots=True)
class Group:
    """The samples of one row of a table. `counted` are those that didn't end in an infrastructure error, and `tasks`
    the same task by task; `official` those with an official score, task by task. `missing` counts the samples that
    the run is to have and that aren't finished."""

    records: Sequence[SampleRecord]
    counted: Sequence[SampleRecord]
    tasks: Sequence[Sequence[SampleRecord]]
    official: Sequence[Sequence[SampleRecord]]
    missing: int


def group_counted_and_official_samples(
    records: Sequence[SampleRecord], missing: int = 0, *, first_official: bool = False
) -> Group:
    """`first_official`: the official score is of each task's first sample alone, as MERA scores. Tasks of several
    functions have no official score."""
    counted = [record for record in records if record.is_scored]
    official = [
        record
        for record in records
        if (record.sample == 0 or not first_official)
        and not record.holes
        and record.official.verdict.outcome is not Outcome.INFRA_ERROR
    ]
    tasks, scored = (list(group_by_task(part).values()) for part in (counted, official))
    return Group(records, counted, tasks, scored, missing)


def group_by_task(records: Iterable[SampleRecord]) -> dict[str, list[SampleRecord]]:
    tasks: dict[str, list[SampleRecord]] = {}
    for record in records:
        tasks.setdefault(record.task_id, []).append(record)
    return tasks


def average_by_task(records: Iterable[SampleRecord], value: Value) -> dict[str, float]:
    """Task -> the mean of its samples' figures."""
    return {task: sum(map(value, samples)) / len(samples) for task, samples in group_by_task(records).items()}


def estimate_over_tasks(records: Iterable[SampleRecord], value: Value) -> Estimate:
    """Over tasks, each the mean of its samples."""
    return _estimate_mean_over_tasks(group_by_task(records).values(), value)


def _estimate_mean_over_tasks(tasks: Collection[Sequence[SampleRecord]], value: Value) -> Estimate:
    means = [sum(map(value, samples)) / len(samples) for samples in tasks]
    return estimate_mean(means, [samples[0].cluster for samples in tasks])


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

    def is_worth_a_column(self, figure: Figure) -> bool:
        """Whether this figure of a row is worth a column."""
        value = figure.value if isinstance(figure, Estimate) else figure
        return bool(value) if self.rare else value is not None


@dataclass(frozen=True, slots=True)
class Repeated:
    """pass@k of tasks with several samples, for each k that at least one task has samples for. `n`: the fewest and the
    most samples that a task of the row has."""

    n: tuple[int, int]
    pass_at: Mapping[int, Estimate]


def measure_pass_at_k(group: Group) -> Repeated:
    """pass@k for the numbers of draws that are shown, and so for the most samples of a task; over the tasks that have
    at least k counted samples."""
    drawn = [(len(found), sum(record.passed for record in found), found[0].cluster) for found in group.tasks]
    sizes = [size for size, _, _ in drawn]
    n = min(sizes, default=0), max(sizes, default=0)
    pass_at = {}
    for k in list_shown_draw_counts(n[1]):
        enough = [found for found in drawn if found[0] >= k]
        pass_at[k] = estimate_mean([pass_at_k(size, c, k) for size, c, _ in enough], [found[2] for found in enough])
    return Repeated(n, pass_at)


def _make_task_mean_estimator(value: Value) -> Callable[[Group], Estimate]:
    return lambda group: _estimate_mean_over_tasks(group.tasks, value)


def _make_official_task_mean_estimator(value: Value) -> Callable[[Group], Estimate]:
    return lambda group: _estimate_mean_over_tasks(group.official, value)


def _make_outcome_counter(outcome: Outcome) -> Callable[[Group], int]:
    return lambda group: sum(record.graft.verdict.outcome is outcome for record in group.records)


def estimate_share_of_wrong_bodies_passing(records: Sequence[SampleRecord]) -> Estimate | None:
    """The share of wrong bodies that pass what judges the answers, over the tasks of which that is known; None where
    there is none."""

    def compute_pass_rate_or_nan(record: SampleRecord) -> float:
        found = record.wrong_plus or record.wrong
        return math.nan if found is None else found.pass_rate_or_nan

    known = [record for record in records if not math.isnan(compute_pass_rate_or_nan(record))]
    return estimate_over_tasks(known, compute_pass_rate_or_nan) if known else None


def estimate_pass_by_suites_if_plus_known(records: Sequence[SampleRecord]) -> Estimate | None:
    """pass@1 by the suites alone. None where answers pass their suites and none ran plus tests."""
    if not records or (any(r.passed_suites for r in records) and not any(r.plus for r in records)):
        return None
    return estimate_over_tasks(records, lambda record: record.passed_suites)


def estimate_pass_without_gold_differences(records: Sequence[SampleRecord]) -> Estimate | None:
    """pass@1 without the answers that differ from the gold at a call. None where none was compared."""
    if not any(record.differential for record in records):
        return None
    return estimate_over_tasks(records, lambda record: record.passed and not record.differential.startswith("differs"))


def estimate_functions_passing_alone(records: Iterable[SampleRecord]) -> Estimate | None:
    """The share of functions that pass alone, with the others' golds, in tasks of several; None without such a task.
    One that wasn't handed in has failed; one whose trial Graft itself failed doesn't count."""
    tried = [r for r in records if r.holes and any(alone is not None for alone in r.alone_results)]

    def compute_share_passing_alone(record: SampleRecord) -> float:
        return statistics.fmean(alone for alone in record.alone_results if alone is not None)

    return estimate_over_tasks(tried, compute_share_passing_alone) if tried else None


def compute_mean_tokens(group: Group) -> float:
    """Mean per sample, in and out."""
    spent = sum(record.usage.prompt_tokens + record.usage.completion_tokens for record in group.counted)
    return spent / max(len(group.counted), 1)


def sum_cost(group: Group) -> float | None:
    """USD; None where a price isn't known. Task by task: rounding is as in older reports."""
    return sum_usage(sum_usage(record.usage for record in samples) for samples in group.tasks).cost


def compute_mean_seconds(group: Group) -> float:
    """Mean wall time per sample of model calls, compiler checks, build and tests."""
    return sum(record.seconds for record in group.counted) / max(len(group.counted), 1)


def compute_median_build_cpu_s(group: Group) -> float | None:
    """Median CPU seconds from the answer's text to the linked program; None when nothing was linked."""
    known = [record.build_cpu_s for record in group.counted if record.build_cpu_s is not None]
    return statistics.median(known) if known else None


LongestRun = Callable[[Recitation], int | None]


def _compute_median_longest_run(records: Sequence[SampleRecord], longest_run_of: LongestRun) -> float | None:
    """The median over answers of the longest run."""
    runs = [length for record in records if (length := longest_run_of(record.recitation)) is not None]
    return statistics.median(runs) if runs else None


def _compute_reciting_share(records: Sequence[SampleRecord], longest_run_of: LongestRun) -> float | None:
    """The share of answers with a run of LONG_RUN tokens or more, among answers to golds that have so many."""
    runs = [longest_run_of(record.recitation) for record in records if record.recitation.gold >= LONG_RUN]
    return _compute_share_of_true(length >= LONG_RUN for length in runs if length is not None)


def _compute_share_of_names_from_memory(records: Sequence[SampleRecord]) -> float | None:
    """Of the repository's names in answers to renamed tasks, original and new, the share which only memory could have
    told."""
    answers = _list_renamed_recitations(records)
    remembered, read = sum(len(a.names) for a in answers), sum(a.new_names for a in answers)
    return remembered / (remembered + read) if remembered + read else None


def _list_renamed_recitations(records: Sequence[SampleRecord]) -> list[Recitation]:
    return [record.recitation for record in records if record.recitation.original_run is not None]


def _compute_share_of_true(found: Iterable[bool]) -> float | None:
    each = list(found)
    return sum(each) / len(each) if each else None


RECITED: Mapping[str, Callable[[Sequence[SampleRecord]], float | None]] = {
    "gold_run": lambda records: _compute_median_longest_run(records, lambda answer: answer.run),
    "gold_recited": lambda records: _compute_reciting_share(records, lambda answer: answer.run),
    "original_run": lambda records: _compute_median_longest_run(records, lambda answer: answer.original_run),
    "original_recited": lambda records: _compute_reciting_share(records, lambda answer: answer.original_run),
    "remembering": lambda records: _compute_share_of_true(bool(a.names) for a in _list_renamed_recitations(records)),
    "remembered_names": _compute_share_of_names_from_memory,
}
"""Key -> how much of these samples came from memory; docs/reference/scoring.md defines each. None where there is
nothing to count: no answer, or, of the figures about the original, a tree whose names are its own."""


def make_recitation_measure(key: str) -> Callable[[Group], float | None]:
    """The figure `key` of RECITED."""
    return lambda group: RECITED[key](group.counted)


def format_count(count: int, noun: str) -> str:
    """`1 task`, `2 tasks`"""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def format_percent(figure: Figure) -> str:
    """`55.6`, of an estimate or a number in 0..1; MISSING without a figure."""
    value = figure.value if isinstance(figure, Estimate) else figure
    return MISSING if value is None or math.isnan(value) else f"{100 * value:.1f}"


def format_percent_with_interval(figure: Figure) -> str:
    """`55.6 [34, 75]`"""
    if not isinstance(figure, Estimate) or not figure.tasks:
        return MISSING
    return f"{format_percent(figure)} [{100 * figure.low:.0f}, {100 * figure.high:.0f}]"


def format_points_with_interval(difference: Difference) -> str:
    """`+8.3 [-2, +18]`, in points."""
    return f"{100 * difference.value:+.1f} [{100 * difference.low:+.0f}, {100 * difference.high:+.0f}]"


def make_decimal_formatter(places: int) -> Callable[[Figure], str]:
    """Shows a number with `places` decimal places; MISSING without one."""
    return lambda figure: MISSING if figure is None else f"{figure:.{places}f}"


def format_number_without_trailing_zeros(figure: Figure) -> str:
    """`24` or `24.5`; MISSING without a figure."""
    return MISSING if figure is None or isinstance(figure, Estimate) else f"{figure:g}"


METRICS = (
    Metric("tasks", lambda group: len(group.tasks), "tasks"),
    Metric("samples", lambda group: len(group.counted)),
    Metric("missing", lambda group: group.missing, "not done", priority=MAIN, rare=True),
    Metric("model_errors", _make_outcome_counter(Outcome.MODEL_ERROR), "model errors", priority=MAIN, rare=True),
    Metric("infra_errors", _make_outcome_counter(Outcome.INFRA_ERROR), "infra errors", priority=MAIN, rare=True),
    Metric("to_review", _make_outcome_counter(Outcome.TO_REVIEW), "to review", priority=MAIN, rare=True),
    Metric(
        "pass_at_1",
        _make_task_mean_estimator(COMPARED["pass@1"]),
        "pass@1",
        format_percent_with_interval,
        priority=MAIN,
    ),
    Metric(
        "suites_pass_at_1",
        lambda group: estimate_pass_by_suites_if_plus_known(group.counted),
        "suites only",
        format_percent_with_interval,
        "judges",
        rare=True,
    ),
    Metric(
        "same_pass_at_1",
        lambda group: estimate_pass_without_gold_differences(group.counted),
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
    Metric("false_pass", lambda group: estimate_share_of_wrong_bodies_passing(group.counted)),
    Metric(
        "official_pass_at_1", _make_official_task_mean_estimator(OFFICIAL["pass@1"]), "official pass@1", format_percent
    ),
    Metric("exact_match", _make_task_mean_estimator(COMPARED["exact"]), "exact", format_percent),
    Metric(
        "official_exact_match",
        _make_official_task_mean_estimator(OFFICIAL["exact"]),
        "official exact",
        format_percent,
        "text",
    ),
    Metric(
        "edit_similarity",
        _make_task_mean_estimator(lambda record: record.edit_similarity),
        "edit similarity",
        format_percent,
        "text",
    ),
    Metric("built", _make_task_mean_estimator(COMPARED["built"]), "built", format_percent),
    Metric("tokens", compute_mean_tokens, "tokens", make_decimal_formatter(0), priority=EXTRA),
    Metric("cost", sum_cost, "USD", make_decimal_formatter(4), priority=EXTRA),
    Metric("seconds", compute_mean_seconds, "seconds", make_decimal_formatter(1), priority=EXTRA),
    Metric("build_cpu_s", compute_median_build_cpu_s, "CPU-s to link", make_decimal_formatter(2), "costs"),
    Metric("gold_run", make_recitation_measure("gold_run")),
    Metric("gold_recited", make_recitation_measure("gold_recited")),
    Metric(
        "original_run",
        make_recitation_measure("original_run"),
        "run of original",
        format_number_without_trailing_zeros,
        "memory",
    ),
    Metric("original_recited", make_recitation_measure("original_recited"), "recited", format_percent, "memory"),
    Metric("remembering", make_recitation_measure("remembering"), "with old names", format_percent, "memory"),
    Metric("remembered_names", make_recitation_measure("remembered_names")),
)
