"""A run's records become a report. The same records always give the same report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.grading.metrics import Estimate
from executor.grading.official import OFFICIAL_RULES, OfficialName
from executor.tasks.oracle_items import summarise_oracle_cuts
from executor.values import Level, Outcome
from experiments.report.by_holes import (
    HolesRow,
    describe_budget_growth_by_hole_count,
    describe_failed_multi_hole_answers,
    describe_half_pass_hole_counts,
    make_rows_by_hole_count_if_multi_hole,
)
from experiments.report.headline import describe_best_side_against_next, make_standing
from experiments.report.metrics import (
    METRICS,
    Figure,
    Repeated,
    estimate_share_of_wrong_bodies_passing,
    format_count,
    format_percent_with_interval,
    group_counted_and_official_samples,
    measure_pass_at_k,
)
from experiments.report.prompt_names import PromptNames, measure_names_lacking_in_prompts
from experiments.report.stored_run import (
    count_missing_by_arm_and_task,
    describe_arms_with_gaps_or_errors,
    group_by_arm_in_configured_order,
)
from experiments.run.manifest import RunManifest
from experiments.run.pass_rule import SUITES_ALONE, PassRule
from experiments.run.records import SampleRecord
from experiments.run.reviews import REVIEWED
from experiments.run.sampling.attribution import count_failure_causes
from experiments.run.sampling.rounds import CostPoint, make_repair_or_sample_cost_curve
from experiments.run.validity import VALID, Validity, count_tasks_by_health
from experiments.run.variant_source import describe_variant


@dataclass(frozen=True, slots=True)
class ReportRow:
    """The samples of one arm in one group. `figures` holds a value for each of METRICS, by its key; `repeated` is
    pass@k; `outcomes` counts all samples, `causes` the failed ones, by the cause of each (see
    experiments.run.sampling.attribution)."""

    arm: str
    group: str
    figures: Mapping[str, Figure]
    repeated: Repeated
    outcomes: Mapping[str, int]
    causes: Mapping[str, int]

    def get_estimate(self, key: str) -> Estimate:
        """The figure `key`, which must have an interval. Raises TypeError when it has none."""
        figure = self.figures[key]
        if not isinstance(figure, Estimate):
            raise TypeError(f"{key} has no interval")
        return figure

    def get_number(self, key: str) -> float:
        """The figure `key`, which must be a plain number. Raises TypeError for one that isn't."""
        figure = self.figures[key]
        if figure is None or isinstance(figure, Estimate):
            raise TypeError(f"{key} is no plain number")
        return figure


@dataclass(frozen=True, slots=True)
class AuditRow:
    """The control runs of one arm. Of `passed` samples before the control, `honest` failed with another function
    broken, as they must; `forged` didn't. `partly` failed too, but not for every suite a sabotage is known that shows
    late enough to convict; for `unknown` none is known; `left_out` had no control run (the gold's own text, or what
    `audit` leaves out). CPU seconds of the controls, and of the same samples' own check, build and tests."""

    arm: str
    passed: int
    honest: int
    partly: int
    forged: int
    unknown: int
    left_out: int
    cpu_s: float
    tests_cpu_s: float


@dataclass(frozen=True, slots=True)
class Report:
    """What report.json holds.

    isolated    whether the sandbox keeps candidates apart from the machine
    partial     a line for each arm with samples that aren't finished or have no verdict on an answer
    suite       the configuration's: chosen, or official
    shown_k     the k whose pass@k has a column
    valid_rows  `rows` over the valid tasks alone; none where no manifest names one, and where every task is valid
    by_repo     `rows` by repository; where there are several, over the valid tasks of each as well, unless all are
    flagged     samples with a mark that a reviewer should look at
    infra       samples that ended in an infrastructure error and are scored nowhere
    not_valid   a line for each task that a manifest calls weak, flaky or broken
    confinement a line for each way in which tested programs weren't fully kept apart from the tests' drivers
    twins       lines on the tasks that have a twin in the tree, where an arm reads the index, or in their oracle
    curves      what each arm would have scored had it stopped earlier
    reviews     a line for each answer on which a person decided
    pass_rule   what an answer must pass to count as passed
    names       for each arm, what its prompts showed of the names that the true bodies need; none where it is unknown
    judged_by   lines on what judged the answers: where it was the suites alone, and how many wrong bodies pass it
    variants    a line for each repository that was renamed; official scores are then comparable with no others
    first_official  the official scores are of each task's first sample alone, as MERA's are, and there are more
    by_holes    each arm's figures by the number of functions that tasks ask for; none where all ask for one
    half_points a line for each arm: the number of functions at which it falls below one half
    clustered   intervals over several repositories count each as a cluster, as in runs on the suite
    holes_notes lines on answers that fail with some of their functions right, and on the tasks' budgets
    lead        which arm is ahead, by how much, and whether chance may explain it; none where nothing is scored
    """

    run: str
    model: str
    sandbox: str
    isolated: bool
    suite: str
    dataset_version: str
    shown_k: tuple[int, ...]
    partial: tuple[str, ...]
    rows: tuple[ReportRow, ...]
    valid_rows: tuple[ReportRow, ...]
    by_repo: tuple[ReportRow, ...]
    by_level: tuple[ReportRow, ...]
    flagged: tuple[str, ...]
    infra: tuple[str, ...]
    model_errors: int
    left_out: tuple[str, ...]
    validity: tuple[Validity, ...]
    not_valid: tuple[str, ...]
    curves: tuple[CostPoint, ...]
    audits: tuple[AuditRow, ...] = ()
    confinement: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    first_official: bool = False
    reviews: tuple[str, ...] = ()
    lead: tuple[str, ...] = ()
    pass_rule: PassRule = SUITES_ALONE
    judged_by: tuple[str, ...] = ()
    names: tuple[PromptNames, ...] = ()
    by_holes: tuple[HolesRow, ...] = ()
    half_points: tuple[str, ...] = ()
    holes_notes: tuple[str, ...] = ()
    clustered: bool = False


def make_report(
    run: Path, manifest: RunManifest, records: Sequence[SampleRecord], shown_k: Sequence[int] = ()
) -> Report:
    """The report of `records`, which are the run's or some of them. Without `shown_k` pass@k is shown for the numbers
    of samples that the arms have."""
    official: OfficialName = manifest.config.get("official", "yabloco")
    first_official = OFFICIAL_RULES[official].first_sample
    arms = group_by_arm_in_configured_order(manifest, records)
    repos = list(dict.fromkeys(record.repo for record in records))
    health = {name: manifest.repos[name].health if name in manifest.repos else None for name in repos}
    tasks: dict[str, dict[str, None]] = {name: {} for name in repos}
    for record in records:
        tasks[record.repo][record.task_id] = None
    missing, done = count_missing_by_arm_and_task(manifest, records), {record.task_id for record in records}
    places = {**manifest.places, **{record.task_id: (record.repo, record.level) for record in records}}

    def is_valid(task: str) -> bool:
        known = health.get(places[task][0])
        return known is not None and known.health.get(task) == VALID

    def make_group_rows(
        groups: Sequence[str], group_of: Callable[[str], str], *, valid: bool = False
    ) -> tuple[ReportRow, ...]:
        names = {task: group_of(task) for task in places if is_valid(task) or not valid}
        rows: list[ReportRow] = []
        for arm, samples in arms.items():
            found: dict[str | None, list[SampleRecord]] = {}
            for record in samples:
                found.setdefault(names.get(record.task_id), []).append(record)
            lacking: Counter[str | None] = Counter()
            for (other, task), count in missing.items():
                lacking[names.get(task)] += count if other == arm else 0
            rows += [
                make_report_row(arm, group, found[group], lacking[group], first_official=first_official)
                for group in groups
                if group in found
            ]
        return tuple(rows)

    by_repo = make_group_rows(repos, lambda task: places[task][0])
    if len(repos) > 1:  # With one repository they would be `valid_rows` again.
        names = [name_row_of_valid_tasks(name) for name in repos if not all(map(is_valid, tasks[name]))]
        by_repo += make_group_rows(names, lambda task: name_row_of_valid_tasks(places[task][0]), valid=True)
    all_rows = make_group_rows(["all"], lambda task: "all")
    by_holes = tuple(
        row for arm, samples in arms.items() for row in make_rows_by_hole_count_if_multi_hole(arm, samples)
    )
    return Report(
        run=str(run),
        model=manifest.model,
        sandbox=manifest.sandbox,
        isolated=manifest.isolated if manifest.isolated is not None else manifest.sandbox != "process",
        suite=str(manifest.config.get("suite", "chosen")),
        dataset_version=f"{manifest.dataset} {manifest.dataset_version}",
        shown_k=tuple(shown_k) or tuple(sorted({n for row in all_rows if (n := row.repeated.n[1]) > 1})),
        partial=tuple(describe_arms_with_gaps_or_errors(manifest, records).values()),
        rows=all_rows,
        valid_rows=() if all(map(is_valid, done)) else make_group_rows([VALID], lambda task: VALID, valid=True),
        by_repo=by_repo,
        by_level=make_group_rows([level.value for level in Level], lambda task: places[task][1]),
        flagged=tuple(
            f"{record.name}: {'; '.join(record.graft.verdict.flags)}"
            for record in records
            if record.graft.verdict.flags
        ),
        infra=tuple(f"{record.name}: {record.graft.verdict.reason}" for record in records if not record.is_scored),
        model_errors=sum(record.graft.verdict.outcome is Outcome.MODEL_ERROR for record in records),
        left_out=tuple(manifest.left_out),
        validity=tuple(count_tasks_by_health(name, health[name], tuple(tasks[name])) for name in repos),
        not_valid=tuple(
            f"{task} ({name}): {known.health[task]}: {known.reasons.get(task, '')}"
            for name, known in health.items()
            if known is not None
            for task in tasks[name]
            if known.health.get(task, VALID) != VALID
        ),
        confinement=_describe_confinement_gaps(records) if manifest.sandbox != "process" else (),
        twins=(
            *_describe_twins_and_copies(records, str(manifest.config.get("masking", "strict"))),
            *summarise_oracle_cuts(manifest.task_notes.values()),
        ),
        variants=tuple(
            f"{name}: {describe_variant(facts.variant)}" for name, facts in manifest.repos.items() if facts.variant
        ),
        first_official=first_official and any(row.repeated.n[1] > 1 for row in all_rows),
        audits=tuple(_count_control_run_results(arm, samples) for arm, samples in arms.items()),
        reviews=tuple(
            f"{record.name}: {record.graft.verdict.outcome.value}; {record.graft.verdict.reason}"
            for record in records
            if record.graft.verdict.reason.startswith(REVIEWED)
        ),
        curves=tuple(
            point for arm, samples in arms.items() for point in make_repair_or_sample_cost_curve(arm, samples)
        ),
        lead=describe_best_side_against_next(
            [make_standing(arm, [r for r in samples if r.is_scored]) for arm, samples in arms.items()]
        ),
        pass_rule=manifest.pass_rule,
        judged_by=(*explain_pass_without_plus_tests(manifest), *_describe_wrong_bodies_passing(records)),
        by_holes=by_holes,
        clustered=len({record.cluster for record in records}) > 1,
        half_points=describe_half_pass_hole_counts(arms),
        holes_notes=(*describe_budget_growth_by_hole_count(manifest), *describe_failed_multi_hole_answers(records))
        if by_holes
        else (),
        names=tuple(
            row for arm, samples in arms.items() if (row := measure_names_lacking_in_prompts(arm, samples)) is not None
        ),
    )


def explain_pass_without_plus_tests(manifest: RunManifest) -> tuple[str, ...]:
    """Lines on where plus tests have no part in pass@1, and why."""
    if manifest.pass_rule == SUITES_ALONE:
        return (
            "pass@1 is by the suites alone, as before 2026-11-27; `graft grade` scores the run by its plus tests too",
        )
    if not manifest.config.get("plus", True):
        return ("pass@1 is by the suites alone: the run was made with plus=false",)
    lines = []
    for name, facts in manifest.repos.items():
        tasks = [task for task, (repo, _) in manifest.places.items() if repo == name]
        if facts.variant is not None and not facts.plus_tasks:
            lines.append(
                f"{name}: pass@1 is by the suites alone: no plus test was seen to hold on the variant;"
                " `graft variants make` tries them"
            )
        elif len(facts.plus_tasks) < len(tasks):
            lines.append(
                f"{name}: {len(facts.plus_tasks)} of {len(tasks)} tasks have plus tests, which an answer must pass too"
            )
    return tuple(lines)


def _describe_wrong_bodies_passing(records: Sequence[SampleRecord]) -> tuple[str, ...]:
    rate = estimate_share_of_wrong_bodies_passing(records)
    if rate is None:
        return ()
    return (
        f"Of wrong bodies that look right these tests let pass {format_percent_with_interval(rate)} %, over"
        f" {format_count(rate.tasks, 'task')}.",
    )


def _describe_confinement_gaps(records: Sequence[SampleRecord]) -> tuple[str, ...]:
    """What held less than in full, the most frequent first."""
    tested = [record.confinement for record in records if record.confinement]
    counted = Counter(part for line in tested if line != "full" for part in line.split("; "))
    return tuple(
        f"{'no launcher was there' if part == 'none' else part}: {count} of {len(tested)} samples"
        for part, count in counted.most_common()
    )


def _describe_twins_and_copies(records: Sequence[SampleRecord], masking: str) -> tuple[str, ...]:
    """How many tasks have a function elsewhere, or another place, that gives the answer away, and whether the model
    could see it."""
    clones: dict[str, int] = {}
    copies: dict[str, tuple[str, ...]] = {}
    for record in records:
        clones[record.task_id] = max(record.clones, clones.get(record.task_id, 0))
        copies[record.task_id] = max(record.copies, copies.get(record.task_id, ()), key=len)
    fate = "were hidden" if masking == "strict" else "stayed to be seen"
    lines = []
    if twins := [count for count in clones.values() if count]:
        lines.append(
            f"{len(twins)} of {len(clones)} tasks have twins in the tree; these {sum(twins)} functions {fate}"
        )
    if kinds := Counter(kind for found in copies.values() for kind in found):
        where = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        lines.append(
            f"{sum(map(bool, copies.values()))} of {len(copies)} tasks have their text in places that are no function"
            f" ({where}); these {fate}"
        )
    return tuple(lines)


def _count_control_run_results(arm: str, records: Sequence[SampleRecord]) -> AuditRow:
    passed = [
        record
        for record in records
        if record.passed_suites or record.audit.state == "forged" or record.graft.verdict.outcome is Outcome.TO_REVIEW
    ]
    tally = Counter(record.audit.state for record in passed)
    return AuditRow(
        arm,
        len(passed),
        tally["honest"],
        tally["partly"],
        tally["forged"],
        tally["unknown"],
        tally[""],
        round(sum(record.audit.cpu_s for record in passed), 1),
        round(sum(record.audit.tests_cpu_s for record in passed), 1),
    )


def name_row_of_valid_tasks(name: str) -> str:
    """What an arm or a repository is called in a row over its valid tasks alone."""
    return f"{name}, valid tasks"


def make_report_row(
    arm: str, group: str, records: Sequence[SampleRecord], missing: int = 0, *, first_official: bool = False
) -> ReportRow:
    """All figures of an arm's samples in a group; `missing`: of those that the run is to have. `first_official` as in
    `group_counted_and_official_samples`."""
    scored = group_counted_and_official_samples(records, missing, first_official=first_official)
    outcomes = Counter(record.graft.verdict.outcome for record in records)
    return ReportRow(
        arm=arm,
        group=group,
        figures={metric.key: metric.measure(scored) for metric in METRICS},
        repeated=measure_pass_at_k(scored),
        outcomes={outcome.value: outcomes[outcome] for outcome in Outcome if outcomes[outcome]},
        causes=count_failure_causes(records),
    )
