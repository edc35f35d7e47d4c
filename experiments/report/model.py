"""Journal -> tables. The same records always give the same report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent.model.usage import total
from executor.grading.metrics import Estimate, SampleScore, pass_at, summarise
from executor.values import Level, Outcome
from experiments.files import write_atomically
from experiments.run.attribution import counts
from experiments.run.manifest import Manifest
from experiments.run.records import SampleRecord, dumps
from experiments.run.rounds import CostPoint, cost_curve
from experiments.run.validity import VALID, RepoHealth, Validity, told, validity

# Where no row has a figure there is a dash, never a nought.
NOTHING = "-"


@dataclass(frozen=True, slots=True)
class Row:
    """One group of samples. Means are per sample; `cost` is the group's sum in USD, None when a price is unknown.
    Seconds are wall time of model calls, compiler checks, build and tests. `outcomes` counts the samples, `causes`
    those that failed, by the one cause of each (see experiments.attribution)."""

    arm: str
    group: str
    tasks: int
    samples: int
    infra_errors: int
    pass_at_1: Estimate
    official_pass_at_1: Estimate
    pass_at_k: Estimate | None
    exact_match: Estimate
    official_exact_match: Estimate
    edit_similarity: Estimate
    built: Estimate
    tokens: float
    cost: float | None
    seconds: float
    build_cpu_s: float | None
    outcomes: dict[str, int]
    causes: dict[str, int]


@dataclass(frozen=True, slots=True)
class Report:
    """`k` is the number of samples per task; pass@k stands beside pass@1 when it's over 1. `expected` is how many
    samples a finished run has, `flagged` the samples with a mark that a reviewer should look at. `suite` is the
    configuration's. `valid_rows` are
    `rows` over the valid tasks alone (none where no manifest names one), `not_valid` a line for each task that a
    manifest calls weak, flaky or broken."""

    run: str
    model: str
    sandbox: str
    suite: str
    dataset_version: str
    k: int
    rows: tuple[Row, ...]
    valid_rows: tuple[Row, ...]
    by_repo: tuple[Row, ...]
    by_level: tuple[Row, ...]
    flagged: tuple[str, ...]
    infra: tuple[str, ...]
    model_errors: int
    left_out: tuple[str, ...]
    validity: tuple[Validity, ...]
    not_valid: tuple[str, ...]
    curves: tuple[CostPoint, ...]


def make_report(run: Path, manifest: Manifest, records: Sequence[SampleRecord]) -> Report:
    arms = list(dict.fromkeys([*manifest.config.get("arms", []), *(record.arm for record in records)]))
    arms = [arm for arm in arms if any(record.arm == arm for record in records)]
    repos = list(dict.fromkeys(record.repo for record in records))
    levels = [level.value for level in Level if any(record.level == level.value for record in records)]

    facts = {name: manifest.repos[name].health if name in manifest.repos else None for name in repos}
    valid = [record for record in records if _health(facts[record.repo], record.task_id) == VALID]
    ids = {name: dict.fromkeys(record.task_id for record in records if record.repo == name) for name in repos}

    def rows(
        groups: Sequence[str], of: Callable[[SampleRecord], str], among: Sequence[SampleRecord] = records
    ) -> tuple[Row, ...]:
        made = []
        for arm in arms:
            for group in groups:
                chosen = [record for record in among if record.arm == arm and of(record) == group]
                if chosen:
                    made.append(_row(arm, group, chosen))
        return tuple(made)

    return Report(
        run=str(run),
        model=str(manifest.config.get("model", "")),
        sandbox=manifest.sandbox,
        suite=str(manifest.config.get("suite", "chosen")),
        dataset_version=f"{manifest.dataset} {manifest.dataset_version}",
        k=max((record.sample for record in records), default=0) + 1,
        rows=rows(["all"], lambda record: "all"),
        valid_rows=rows([VALID], lambda record: VALID, valid),
        by_repo=(
            *rows(repos, lambda record: record.repo),
            # With one repository they would be `valid_rows` again.
            *rows(
                [_only_valid(repo) for repo in repos if len(repos) > 1],
                lambda record: _only_valid(record.repo),
                valid,
            ),
        ),
        by_level=rows(levels, lambda record: record.level),
        flagged=tuple(
            f"{record.task_id} ({record.arm}, sample {record.sample}): {'; '.join(record.graft.verdict.flags)}"
            for record in records
            if record.graft.verdict.flags
        ),
        infra=tuple(
            f"{record.task_id} ({record.arm}, sample {record.sample}): {record.graft.verdict.reason}"
            for record in records
            if record.graft.verdict.outcome is Outcome.INFRA_ERROR
        ),
        model_errors=sum(record.graft.verdict.outcome is Outcome.MODEL_ERROR for record in records),
        left_out=tuple(manifest.left_out),
        validity=tuple(validity(name, facts[name], tuple(ids[name])) for name in repos),
        not_valid=tuple(
            f"{task} ({name}): {known.health[task]}: {known.reasons.get(task, '')}"
            for name, known in facts.items()
            if known is not None
            for task in ids[name]
            if known.health.get(task, VALID) != VALID
        ),
        curves=tuple(
            point for arm in arms for point in cost_curve(arm, [record for record in records if record.arm == arm])
        ),
    )


def _health(known: RepoHealth | None, task: str) -> str:
    return "" if known is None else known.health.get(task, "")


def _only_valid(name: str) -> str:
    return f"{name}, valid tasks"


def keep_report(run: Path, report: Report) -> None:
    write_atomically(run / "report.json", dumps(report, indent=1))
    write_atomically(run / "report.md", markdown(report).encode())


HEAD = ("tasks", "pass@1", "official pass@1", "exact", "official exact", "edit sim.", "built", "tokens", "seconds")


def cells(row: Row, k: int) -> tuple[str, ...]:
    """The columns of HEAD, then pass@k when k > 1."""
    tail = (percent(row.pass_at_k),) if k > 1 else ()
    return (
        str(row.tasks),
        percent(row.pass_at_1, interval=True),
        percent(row.official_pass_at_1),
        percent(row.exact_match),
        percent(row.official_exact_match),
        percent(row.edit_similarity),
        percent(row.built),
        f"{row.tokens:.0f}",
        f"{row.seconds:.1f}",
        *tail,
    )


def judged_by(report: Report) -> str:
    """Which tests decided, in words."""
    chosen = "judged by each task's chosen suites"
    return f"{chosen}, then by all of the repository's own tests" if report.suite == "official" else chosen


def head(k: int) -> tuple[str, ...]:
    return (*HEAD, f"pass@{k}") if k > 1 else HEAD


def percent(estimate: Estimate | None, *, interval: bool = False) -> str:
    if estimate is None or estimate.method == "none":
        return NOTHING
    text = f"{100 * estimate.value:.1f}"
    return f"{text} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]" if interval else text


def markdown(report: Report) -> str:
    lines = [
        f"# {report.model} on {report.dataset_version}",
        "",
        f"Run `{report.run}`, sandbox {report.sandbox}, {judged_by(report)}. Figures in %, with"
        " 95 % intervals over tasks where shown; tokens and seconds are means per sample.",
    ]
    both = (*report.rows, *report.valid_rows)
    for title, rows in (("Arms", both), ("By repository", report.by_repo), ("By level", report.by_level)):
        lines += ["", f"## {title}", ""]
        columns = ("arm", *(() if title == "Arms" else (title[3:],)), *head(report.k))
        lines += ["| " + " | ".join(columns) + " |", "| " + " | ".join("---" for _ in columns) + " |"]
        for row in rows:
            first = (named(row),) if title == "Arms" else (row.arm, row.group)
            lines.append("| " + " | ".join((*first, *cells(row, report.k))) + " |")
    lines += ["", "## Which tasks are valid", ""]
    lines += ["A task is valid where its gold passes each time and a stub fails each time (`graft doctor`).", ""]
    lines += [f"- {told(one)}" for one in report.validity]
    lines += ["", "## Outcomes", ""]
    lines += [f"- {row.arm}: {outcomes(row)}" for row in report.rows]
    if any(row.causes for row in report.rows):
        lines += ["", "## Failures by cause", ""]
        lines += ["One cause a sample, the first that holds; `graft show RUN TASK` says what it is about.", ""]
    lines += [f"- {row.arm}: {causes(row)}" for row in report.rows if row.causes]
    if report.curves:
        lines += ["", "## Rounds of repair against samples drawn anew", ""]
        lines += [
            "Per task: all that was spent until then; of several samples the first that builds is the answer.",
            "",
        ]
        lines += ["| " + " | ".join(CURVE_HEAD) + " |", "| " + " | ".join("---" for _ in CURVE_HEAD) + " |"]
        lines += ["| " + " | ".join(curve_cells(point)) + " |" for point in report.curves]
    for title, items in (
        ("Left out", report.left_out),
        ("Infrastructure errors (scored nowhere; a resumed run does them again)", report.infra),
        ("Flagged for review", report.flagged),
        ("Tasks that aren't valid", report.not_valid),
    ):
        if items:
            lines += ["", f"## {title}", "", *(f"- {item}" for item in items)]
    return "\n".join(lines) + "\n"


def named(row: Row) -> str:
    """The arm, and over which tasks where that isn't all."""
    return _only_valid(row.arm) if row.group == VALID else row.arm


CURVE_HEAD = ("arm", "stopped after", "passed", "tokens", "compilations", "seconds")


def curve_cells(point: CostPoint) -> tuple[str, ...]:
    """The columns of CURVE_HEAD. "samples" are drawn until one builds."""
    return (
        point.arm,
        f"{point.count} {point.kind if point.count != 1 else point.kind.removesuffix('s')}",
        f"{100 * point.passed:.1f}",
        f"{point.tokens:.0f}",
        f"{point.compiles:.1f}",
        f"{point.seconds:.1f}",
    )


def causes(row: Row) -> str:
    return ", ".join(f"{name} {count}" for name, count in row.causes.items())


def outcomes(row: Row) -> str:
    return ", ".join(f"{name} {count}" for name, count in row.outcomes.items())


def _row(arm: str, group: str, records: Sequence[SampleRecord]) -> Row:
    ours = [_score(record) for record in records]
    theirs = [
        replace(score, outcome=record.official.verdict.outcome) for score, record in zip(ours, records, strict=True)
    ]
    counted = [record for record in records if record.graft.verdict.outcome is not Outcome.INFRA_ERROR]
    summary = summarise(ours)
    n = max(len(counted), 1)
    used = total(record.usage for record in counted)
    builds = [record.build_cpu_s for record in counted if record.build_cpu_s is not None]
    tally = Counter(record.graft.verdict.outcome for record in records)
    k = max(record.sample for record in records) + 1
    return Row(
        arm=arm,
        group=group,
        tasks=summary.tasks,
        samples=summary.samples,
        infra_errors=summary.infra_errors,
        pass_at_1=summary.pass_at_1,
        official_pass_at_1=summarise(theirs).pass_at_1,
        pass_at_k=pass_at(ours, k) if k > 1 else None,
        exact_match=summary.exact_match,
        official_exact_match=summary.official_exact_match,
        edit_similarity=summary.edit_similarity,
        built=summary.built,
        tokens=(used.prompt_tokens + used.completion_tokens) / n,
        cost=used.cost,
        seconds=sum(record.seconds for record in counted) / n,
        build_cpu_s=_median(builds),
        outcomes={outcome.value: tally[outcome] for outcome in Outcome if tally[outcome]},
        causes=counts(records),
    )


def _score(record: SampleRecord) -> SampleScore:
    return SampleScore(
        task_id=record.task_id,
        sample=record.sample,
        outcome=record.graft.verdict.outcome,
        built=record.graft.verdict.built,
        exact=record.graft.exact_match,
        official_exact=record.official.exact_match,
        edit=record.edit_similarity,
    )


def _median(values: Sequence[float]) -> float | None:
    if not values:
        return None
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
