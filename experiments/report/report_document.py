"""A report becomes a document: what it found in a sentence, one table of the arms, and details."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from executor.grading.half_point import METHOD
from experiments.documents import Document, Section, make_document_without_empty_sections
from experiments.report.by_holes import HolesRow
from experiments.report.metrics import (
    METRICS,
    MISSING,
    Figure,
    Part,
    format_count,
    format_percent,
    format_percent_with_interval,
    make_decimal_formatter,
)
from experiments.report.prompt_names import PromptNames
from experiments.report.run_report import AuditRow, Report, ReportRow, name_row_of_valid_tasks
from experiments.report.stored_run import ERRORS
from experiments.run.pass_rule import WITH_PLUS
from experiments.run.sampling.rounds import CostPoint
from experiments.run.validity import VALID, describe_validity
from experiments.tables import EXTRA, MAIN, Column, Columns, Table, make_label_column, make_table


class Measured(Protocol):
    """A row of METRICS' figures, by their keys."""

    @property
    def figures(self) -> Mapping[str, Figure]: ...


_PARTS: Mapping[Part, tuple[str, str]] = {
    "judges": ("Other judges", "How much would pass by looser and by stricter tests?"),
    "text": ("Likeness to the gold", "How close are the answers to the repository's own text?"),
    "memory": ("From memory", "How much of the answers to renamed tasks repeats the original?"),
    "costs": ("Building", "How much work is it to compile and link an answer? The median of the samples."),
}

_LEGEND = (("tokens", "mean of a sample"), ("USD", "sum of all samples"), ("seconds", "mean of a sample"))


def make_report_document(report: Report) -> Document:
    """All of the report, in the order in which it is read."""
    renamed = ", renamed" if report.variants else ""
    sandbox = f"sandbox {report.sandbox}" + ("" if report.isolated else " (isolation: none)")
    judged = "judged by each task's chosen suites" + (" and plus tests" if report.pass_rule == WITH_PLUS else "")
    if report.suite == "official":
        judged += ", then by all of the repository's own tests"
    title = f"{report.model} on {report.dataset_version}{renamed}"
    arm = {make_label_column("arm"): lambda row: name_row_of_valid_tasks(row.arm) if row.group == VALID else row.arm}
    rows = (*report.rows, *report.valid_rows)
    return make_document_without_empty_sections(
        title,
        report.lead,
        f"Run {report.run}: {title}, {sandbox}, {judged}.",
        [
            Section(
                "Arms",
                table=make_table(rows, {**arm, **_make_main_columns(report)}),
                items=_list_notes(report),
                legend=_LEGEND,
            )
        ],
        [
            Section("Variant", "Which repositories' names were replaced, and how?", items=report.variants),
            Section("A partial run", "Which samples are missing from the figures?", items=report.partial),
            _make_group_section("repository", (*report.by_repo, *(report.rows if report.clustered else ())), report),
            _make_group_section("level", report.by_level, report),
            Section(
                "By number of functions",
                "How far does an arm come when k functions are missing at once? pass@1 needs all of them; alone, each"
                " is judged with the others' golds. Tokens, USD and compilations are means of a sample. Below, the k"
                f" at which a fitted line falls below one half: {METHOD}.",
                make_table(report.by_holes, HOLES_COLUMNS),
                (*report.half_points, *report.holes_notes),
                brief=report.half_points if len({row.holes for row in report.by_holes}) > 1 else (),
            ),
            *(
                Section(title, text, make_table(rows, {**arm, **columns}))
                for part, (title, text) in _PARTS.items()
                if (columns := make_figure_columns(report.rows, part, _make_official_title_marker(report)))
            ),
            Section(
                "Names in the prompts",
                "Did the prompts show every name of the repository that the true body uses, and did answers to those"
                " that did pass more often? Below, the names that lacked most often. An arm with tools is judged by"
                " its first message.",
                make_table(report.names, NAMES_COLUMNS),
                tuple(
                    f"{row.arm}: {', '.join(f'{name} ({count})' for name, count in row.missing)}"
                    for row in report.names
                    if row.missing
                ),
            ),
            Section(
                "Rounds of repair against samples drawn anew",
                "What would each arm have scored, had it stopped earlier? Per task, all that was spent until then; of"
                " several samples the first that builds is the answer. A repair is an answer that was handed in and"
                " came back; a compilation that the model asked for is none.",
                make_table(report.curves, _make_cost_curve_columns(report)),
            ),
            Section(
                "Outcomes",
                "How did the samples end?",
                _make_count_table([(row.arm, row.outcomes) for row in report.rows]),
            ),
            Section(
                "Failures by cause",
                "Why did samples fail? Each has one cause, the first that holds; `graft show RUN TASK` says what it is"
                " about.",
                _make_count_table([(row.arm, row.causes) for row in report.rows if row.causes]),
            ),
            Section(
                "Control runs",
                "Did any answer forge its results? One that passes runs its suites once more with another function"
                " broken, and must fail then.",
                make_table([row for row in report.audits if row.passed > row.left_out], AUDIT_COLUMNS),
            ),
            Section(
                "Separation of programs and drivers",
                "Which rights were left to the tested programs that the unmodified ones don't need?",
                items=report.confinement,
                brief=(
                    f"{format_count(len(report.confinement), 'limit')} on tested programs held in part (--details)",
                ),
            ),
            Section(
                "Twins",
                "How many answers stand elsewhere in the tree, but for names and literals, or in their oracle?",
                items=report.twins,
            ),
            Section("Left out", "Which tasks weren't run?", items=report.left_out, brief=report.left_out),
            Section(
                "Infrastructure errors",
                "Which samples did Graft itself spoil? They are scored nowhere, and a resumed run does them again.",
                items=report.infra,
                brief=(
                    f"{format_count(len(report.infra), 'infrastructure error')}, scored nowhere; run again to retry"
                    " (--details)",
                ),
            ),
            Section(
                "Flagged for review",
                "Which answers should a person look at?",
                items=report.flagged,
                brief=(f"{format_count(len(report.flagged), 'sample')} flagged for review (--details)",),
            ),
            Section(
                "Decided by a person",
                "What was said of answers that ended as `to_review` (`graft grade`, reviews.jsonl)?",
                items=report.reviews,
                brief=(f"{format_count(len(report.reviews), 'sample')} decided by a person (--details)",),
            ),
            Section("Tasks that aren't valid", "Which tasks can't tell right from wrong?", items=report.not_valid),
        ],
    )


def _list_notes(report: Report) -> tuple[str, ...]:
    """What a reader must know of the figures."""
    over = ", a repository's being one cluster" if report.clustered else ""
    again = format_count(report.model_errors, "sample")
    again += " ended in a model error; graft run ... --retry-errors tries again"
    return (
        f"Figures in %, in brackets 95 % intervals over tasks{over}.",
        *(f"variant: {line}" for line in report.variants),
        *(f"partial run: {line}" for line in report.partial),
        *((again,) if report.model_errors else ()),
        *report.judged_by,
        *(describe_validity(counts) for counts in report.validity),
    )


def make_figure_columns(
    rows: Sequence[Measured], part: Part = "main", title_of: Callable[[str], str] = str
) -> Columns[Measured]:
    """A column for each metric of a table that has a figure in at least one row."""

    def make_figure_cell(key: str, show: Callable[..., str]) -> Callable[[Measured], str]:
        return lambda row: show(row.figures[key])

    return {
        Column(title_of(metric.title), priority=metric.priority): make_figure_cell(metric.key, metric.show)
        for metric in METRICS
        if metric.title
        and metric.part == part
        and any(metric.is_worth_a_column(row.figures[metric.key]) for row in rows)
    }


def _make_main_columns(report: Report) -> Columns[ReportRow]:
    """The first table's."""
    columns = make_figure_columns(report.rows, "main", _make_official_title_marker(report))
    return {**columns, **_make_pass_at_k_columns(report)}


def _make_official_title_marker(report: Report) -> Callable[[str], str]:
    def mark_column_title(title: str) -> str:
        first = f"{title}, first sample" if report.first_official and title.startswith("official") else title
        return mark_official_title_not_comparable(first) if report.variants else first

    return mark_column_title


def mark_official_title_not_comparable(title: str) -> str:
    """The title of a column in a run on a variant: official scores are marked."""
    return f"{title} (not comparable)" if title.startswith(("official", "older")) else title


def _make_count_table(counted: Sequence[tuple[str, Mapping[str, int]]]) -> Table:
    """An arm a row, and a column for each thing that was counted of any."""

    def make_count_cell(name: str) -> Callable[[tuple[str, Mapping[str, int]]], str]:
        return lambda item: str(item[1].get(name, 0))

    names = dict.fromkeys(name for _, counts in counted for name in counts)
    return make_table(
        counted,
        {make_label_column("arm"): lambda item: item[0], **{Column(name): make_count_cell(name) for name in names}},
    )


def _make_cost_curve_columns(report: Report) -> Columns[CostPoint]:
    partial = {row.arm for row in report.rows if any(row.figures[key] for key in ("missing", *ERRORS))}
    own = any(point.own_checks for point in report.curves)
    return {
        make_label_column("arm"): lambda point: point.arm + (", partial" if point.arm in partial else ""),
        make_label_column("stopped after"): lambda point: point.stopped_after,
        Column("passed", priority=MAIN): lambda point: f"{100 * point.passed:.1f}",
        Column("tokens"): lambda point: f"{point.tokens:.0f}",
        Column("compilations"): lambda point: f"{point.compiles:.1f}",
        **({Column("of these asked for"): lambda point: f"{point.own_checks:.1f}"} if own else {}),
        Column("seconds"): lambda point: f"{point.seconds:.1f}",
    }


AUDIT_COLUMNS: Columns[AuditRow] = {
    make_label_column("arm"): lambda row: row.arm,
    Column("passed before"): lambda row: str(row.passed),
    Column("audited"): lambda row: str(row.honest + row.partly + row.forged),
    Column("in part"): lambda row: str(row.partly),
    Column("forged", priority=MAIN): lambda row: str(row.forged),
    Column("no sabotage known"): lambda row: str(row.unknown),
    Column("not audited"): lambda row: str(row.left_out),
    Column("CPU-s", priority=EXTRA): lambda row: f"{row.cpu_s:.1f}",
    Column("of their own", priority=EXTRA): lambda row: (
        f"{100 * row.cpu_s / row.tests_cpu_s:.0f} %" if row.tests_cpu_s else MISSING
    ),
}


HOLES_COLUMNS: Columns[HolesRow] = {
    make_label_column("arm"): lambda row: row.arm,
    make_label_column("k"): lambda row: str(row.holes),
    Column("tasks", priority=EXTRA): lambda row: str(row.pass_at_1.tasks),
    Column("pass@1", priority=MAIN): lambda row: format_percent_with_interval(row.pass_at_1),
    Column("functions alone", priority=MAIN): lambda row: format_percent_with_interval(row.alone),
    Column("tokens"): lambda row: f"{row.tokens:.0f}",
    Column("USD"): lambda row: make_decimal_formatter(4)(row.cost),
    Column("compiler rounds"): lambda row: f"{row.compilations:.1f}",
}


NAMES_COLUMNS: Columns[PromptNames] = {
    make_label_column("arm"): lambda row: row.arm,
    Column("prompts", priority=EXTRA): lambda row: str(row.samples),
    Column("showed every name", priority=MAIN): lambda row: format_percent_with_interval(row.answerable),
    Column("pass@1 of these"): lambda row: format_percent_with_interval(row.passed),
    Column("pass@1 of the others"): lambda row: format_percent_with_interval(row.passed_lacking),
}


def _make_pass_at_k_columns(report: Report) -> Columns[ReportRow]:
    """How many samples a task has, and pass@k; nothing where each task has one sample."""
    if all(row.repeated.n[1] <= 1 for row in report.rows):
        return {}

    def format_range(row: ReportRow) -> str:
        fewest, most = row.repeated.n
        return str(most) if fewest == most else f"{fewest}-{most}"

    def make_pass_at_cell(k: int) -> Callable[[ReportRow], str]:
        return lambda row: _format_pass_at_with_task_count(row, k)

    return {
        Column("n"): format_range,
        **{Column(f"pass@{k}"): make_pass_at_cell(k) for k in report.shown_k if k > 1},
    }


def _format_pass_at_with_task_count(row: ReportRow, k: int) -> str:
    """`70.0`, or `70.0 (3 tasks)` where other tasks of the row have fewer than k samples."""
    figure = row.repeated.pass_at.get(k)
    if figure is None:
        return MISSING
    fewer = figure.tasks < row.get_number("tasks")
    return format_percent(figure) + (f" ({format_count(figure.tasks, 'task')})" if fewer else "")


def _make_group_section(what: str, rows: Sequence[ReportRow], report: Report) -> Section:
    names: Columns[ReportRow] = {
        make_label_column("arm"): lambda row: row.arm,
        make_label_column(what): lambda row: row.group,
    }
    several = len({row.group for row in rows}) > 1
    table = make_table(rows if several else (), {**names, **_make_main_columns(report)})
    return Section(f"By {what}", f"Does a {what} make a difference?", table)
