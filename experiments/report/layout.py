"""A report becomes a document: titled sections with texts, tables and lists. `render` writes it in each format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from experiments.consoles import printable
from experiments.report.metrics import METRICS, MISSING, Figure, percent
from experiments.report.model import ERRORS, AuditRow, Report, ReportRow, over_valid_tasks
from experiments.run.sampling.rounds import CostPoint
from experiments.run.validity import VALID, describe_validity

T = TypeVar("T")
Columns = Mapping[str, Callable[[T], str]]
"""Title -> what stands in that column for an item."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """`labels`: how many of the first columns are text; the others are figures, aligned to the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int = 1


@dataclass(frozen=True, slots=True)
class Section:
    """A title, a text, and then a table or a list. `brief`: the lines that a terminal shows in place of the list."""

    title: str
    text: str = ""
    table: TextTable | None = None
    items: tuple[str, ...] = ()
    brief: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """`brief` stands above the sections in a terminal, where title and text would be too much."""

    title: str
    text: str
    brief: str
    sections: tuple[Section, ...]


def make_table(items: Iterable[T], columns: Columns[T], labels: int = 1) -> TextTable:
    """One row an item, one cell a column."""
    return TextTable(
        tuple(columns), tuple(tuple(printable(cell(item)) for cell in columns.values()) for item in items), labels
    )


def document(report: Report) -> Document:
    """All of the report, in the order in which it is read."""
    judged = "judged by each task's chosen suites"
    if report.suite == "official":
        judged += ", then by all of the repository's own tests"
    figures = _figures(report)
    arm_name = {"arm": lambda row: over_valid_tasks(row.arm) if row.group == VALID else row.arm}
    renamed = ", renamed" if report.variants else ""
    sections = [
        Section(
            "Variant",
            "The repositories' own names were replaced. Official scores are over renamed tasks, so they compare with"
            " no published ones.",
            items=report.variants,
            brief=tuple(f"variant: {line}" for line in report.variants),
        ),
        Section(
            "A partial run",
            "The figures below are those of the samples that are finished.",
            items=report.partial,
            brief=tuple(f"partial run: {line}" for line in report.partial),
        ),
        Section("Arms", table=make_table((*report.rows, *report.valid_rows), {**arm_name, **figures})),
        _by("repository", report.by_repo, figures),
        _by("level", report.by_level, figures),
        Section(
            "Which tasks are valid",
            "A task is valid where its gold passes each time and a stub fails each time (`graft doctor`).",
            items=tuple(describe_validity(counts) for counts in report.validity),
        ),
        Section(
            "Outcomes",
            items=tuple(f"{row.arm}: {_counts(row.outcomes)}" for row in report.rows),
            brief=tuple(f"{row.arm}: {_counts(row.outcomes)}; {_price(row)}" for row in report.rows),
        ),
        Section(
            "Control runs",
            "An answer that passes runs its suites once more with another function broken, and must fail then. One"
            " that passes again has forged its results, and isn't counted as passed.",
            table=make_table([row for row in report.audits if row.passed > row.left_out], AUDIT_COLUMNS),
        ),
        Section(
            "Separation of programs and drivers",
            "The tested programs start with no more rights than the unmodified ones need. Here more was left to them:",
            items=report.confinement,
            brief=(f"separation of programs and drivers: {len(report.confinement)} limits (report.md lists them)",),
        ),
        Section(
            "Twins",
            "A twin is a function elsewhere that is a task's answer but for names and literals;"
            " `graft show RUN TASK` lists a task's.",
            items=report.twins,
            brief=tuple(f"twins: {line}" for line in report.twins),
        ),
        Section(
            "Failures by cause",
            "One cause a sample, the first that holds; `graft show RUN TASK` says what it is about.",
            items=tuple(f"{row.arm}: {_counts(row.causes)}" for row in report.rows if row.causes),
            brief=tuple(f"{row.arm}: failed, by cause: {_counts(row.causes)}" for row in report.rows if row.causes),
        ),
        Section(
            "Rounds of repair against samples drawn anew",
            "Per task: all that was spent until then; of several samples the first that builds is the answer. A repair"
            " is an answer that was handed in and came back; a compilation that the model asked for is none.",
            table=make_table(report.curves, _curve_columns(report), labels=2),
        ),
        Section("Left out", items=report.left_out, brief=tuple(f"left out: {line}" for line in report.left_out)),
        Section(
            "Infrastructure errors (scored nowhere; a resumed run does them again)",
            items=report.infra,
            brief=(
                f"{len(report.infra)} infrastructure errors, scored nowhere; run again to retry:",
                *(f"  {line}" for line in report.infra[:5]),
            ),
        ),
        Section(
            "Flagged for review",
            items=report.flagged,
            brief=(f"{len(report.flagged)} samples are flagged for review (report.md lists them)",),
        ),
        Section(
            "Decided by a person",
            "Answers that ended as `to_review`, and what a person said of each (`graft review`, reviews.jsonl).",
            items=report.reviews,
            brief=(f"{len(report.reviews)} samples were decided by a person (report.md lists them)",),
        ),
        Section("Tasks that aren't valid", items=report.not_valid, brief=()),
    ]
    return Document(
        title=f"{report.model} on {report.dataset_version}{renamed}",
        text=f"Run `{report.run}`, {_sandbox(report)}, {judged}. Figures in %, with 95 % intervals over tasks"
        " where shown; tokens and seconds are means per sample.",
        brief=f"{report.model} on {report.dataset_version}{renamed}, {_sandbox(report)}, {judged}",
        sections=tuple(
            section for section in sections if section.items or (section.table is not None and section.table.rows)
        ),
    )


def _sandbox(report: Report) -> str:
    return f"sandbox {report.sandbox}" + ("" if report.isolated else " (isolation: none)")


def _curve_columns(report: Report) -> Columns[CostPoint]:
    partial = {row.arm for row in report.rows if any(row.figures[key] for key in ("missing", *ERRORS))}
    own = any(point.own_checks for point in report.curves)
    columns = {title: cell for title, cell in CURVE_COLUMNS.items() if own or title != OWN_CHECKS}
    return {"arm": lambda point: point.arm + (", partial" if point.arm in partial else ""), **columns}


OWN_CHECKS = "of these asked for"


CURVE_COLUMNS: Columns[CostPoint] = {
    "stopped after": lambda point: f"{point.count} {point.kind if point.count != 1 else point.kind.removesuffix('s')}",
    "passed": lambda point: f"{100 * point.passed:.1f}",
    "tokens": lambda point: f"{point.tokens:.0f}",
    "compilations": lambda point: f"{point.compiles:.1f}",
    OWN_CHECKS: lambda point: f"{point.own_checks:.1f}",
    "seconds": lambda point: f"{point.seconds:.1f}",
}


AUDIT_COLUMNS: Columns[AuditRow] = {
    "arm": lambda row: row.arm,
    "passed before": lambda row: str(row.passed),
    "audited": lambda row: str(row.honest + row.partly + row.forged),
    "in part": lambda row: str(row.partly),
    "forged": lambda row: str(row.forged),
    "no sabotage known": lambda row: str(row.unknown),
    "not audited": lambda row: str(row.left_out),
    "CPU-s": lambda row: f"{row.cpu_s:.1f}",
    "of their own": lambda row: f"{100 * row.cpu_s / row.tests_cpu_s:.0f} %" if row.tests_cpu_s else "-",
}


def _figures(report: Report) -> Columns[ReportRow]:
    """A column for each metric that has a title, and a figure in at least one row."""

    def column(key: str, show: Callable[..., str]) -> Callable[[ReportRow], str]:
        return lambda row: show(row.figures[key])

    figures = {
        _title(metric.title, report): column(metric.key, metric.show)
        for metric in METRICS
        if metric.title and any(_has(row.figures[metric.key], rare=metric.rare) for row in report.rows)
    }
    return {**figures, **_repeated(report)}


def _title(title: str, report: Report) -> str:
    first = f"{title}, first sample" if report.first_official and title.startswith("official") else title
    return not_comparable(first) if report.variants else first


def not_comparable(title: str) -> str:
    """The title of a column in a run on a variant: official scores are marked."""
    return f"{title} (not comparable)" if title.startswith(("official", "older")) else title


def _repeated(report: Report) -> Columns[ReportRow]:
    """How many samples a task has, and pass@k; nothing where each task has one sample."""
    if all(row.repeated.n[1] <= 1 for row in report.rows):
        return {}

    def pass_at(k: int) -> Callable[[ReportRow], str]:
        return lambda row: _pass_at(row, k)

    return {"n": lambda row: _range(*row.repeated.n)} | {f"pass@{k}": pass_at(k) for k in report.shown_k if k > 1}


def _range(fewest: int, most: int) -> str:
    return str(most) if fewest == most else f"{fewest}-{most}"


def _pass_at(row: ReportRow, k: int) -> str:
    """`70.0`, or `70.0 (3 tasks)` where other tasks of the row have fewer than k samples."""
    figure = row.repeated.pass_at.get(k)
    if figure is None:
        return MISSING
    return percent(figure) + (f" ({figure.tasks} tasks)" if figure.tasks < row.number("tasks") else "")


def _has(figure: Figure, *, rare: bool) -> bool:
    return bool(figure) if rare else figure is not None


def _by(what: str, rows: Sequence[ReportRow], figures: Columns[ReportRow]) -> Section:
    names: Columns[ReportRow] = {"arm": lambda row: row.arm, what: lambda row: row.group}
    several = len({row.group for row in rows}) > 1
    return Section(f"By {what}", table=make_table(rows, {**names, **figures}, labels=2), brief=None if several else ())


def _counts(named: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in named.items())


def _price(row: ReportRow) -> str:
    cost, cpu_s = row.figures["cost"], row.figures["build_cpu_s"]
    price = "cost unknown" if cost is None else f"cost {cost:.4f} USD"
    return price if cpu_s is None else f"{price}; text to linked, median: {cpu_s:.2f} CPU-s"
