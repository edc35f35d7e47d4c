"""A run's answers scored as YABLoCo scores them, beside Graft's verdicts, and why a task's two scores differ.

The raw answers are parsed, spliced and compared by one of the official rules; a suite's exit status decides, and a
task of which no sample passed is run once more, the second results kept. The suites are those that judged the run;
the official harness runs them all.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from agent.values import Trajectory
from executor.grading.official import (
    OFFICIAL_RULES,
    OfficialName,
    OfficialRules,
    explain_differing_official_exact_match,
    has_passed_by_exit_statuses,
    has_text_for_official_splice,
    is_officially_built_or_only_configured,
    is_officially_exact,
    is_retried_since_none_passed,
    official_gold,
    parse_generation,
    why_official_code_differs,
    why_official_verdict_differs,
    wrap_code_in_line_ends,
)
from executor.values import Outcome, Task, TestRun
from executor.workers.local import LocalWorkers
from experiments.consoles import make_stdout_console
from experiments.files import write_atomically
from experiments.report.metrics import format_count
from experiments.report.report_document import mark_official_title_not_comparable
from experiments.report.run_report import Report, make_report
from experiments.run.config import RunConfig
from experiments.run.manifest import RunManifest, read_manifest
from experiments.run.pass_rule import has_passed_suites
from experiments.run.records import (
    Execution,
    SampleRecord,
    Story,
    encode_json_value,
    locate_story,
    read_finished_records,
    read_json_file,
)
from experiments.run.reference_models import REFERENCES, is_reference_answer
from experiments.run.resolve import resolve_config_parts
from experiments.run.sampling.executions import RECORD, Executions
from experiments.run.sampling.sample import find_answering_or_last_round
from experiments.run.workspace import Workspace, explain_lacking_isolation, prepare_workspace
from experiments.tables import MAIN, Column, Columns, make_label_column, make_table, print_table
from index.errors import ConfigError, InfraError

log = logging.getLogger(__name__)

# Second tries lie in a folder of their own, so that a text that ran is not found in the run's. First tries of texts
# that the run didn't build lie below it.
AGAIN = "official"
FIRST = "first"
KEPT = "official.json"


@dataclass(frozen=True, slots=True)
class OfficialScore:
    """One sample by the official `rules`; `graft_*` are our verdict's, `older_exact` the exact match by the paper's
    version. `retried`: no sample of its task passed, and what stands here is the second try. `why`: what made a figure
    differ, empty where none does."""

    arm: str
    task_id: str
    sample: int
    repo: str
    passed: bool
    built: bool
    exact: bool
    older_exact: bool
    retried: bool
    graft_passed: bool
    graft_exact: bool
    why: tuple[str, ...]
    rules: OfficialName = "yabloco"


def make_and_print_official_scores(
    run: Path,
    mirror: Path | None,
    cache: Path,
    trusted_answers: Collection[str] = (),
    rules: OfficialName | None = None,
) -> None:
    """Score the run's answers by the official rules and print both scores. `rules`: other rules than the run's own;
    `trusted_answers`: answers that Graft's own scripted model gives, which may run without isolation. Raises as
    `make_and_keep_official_scores`, and ConfigError for a folder that holds no run or no finished sample."""
    manifest = read_manifest(run)
    given = {"mirror": None if mirror is None else str(mirror), "official": rules}
    known = {key: value for key, value in given.items() if value is not None}
    manifest = replace(manifest, config={**manifest.config, **known})
    records = read_finished_records(run)
    scores = make_and_keep_official_scores(run, manifest, records, cache, trusted_answers)
    print_official_scores(make_stdout_console(), scores, make_report(run, manifest, records), len(records))


def make_and_keep_official_scores(
    run: Path,
    manifest: RunManifest,
    records: Sequence[SampleRecord],
    cache: Path,
    trusted_answers: Collection[str] = (),
) -> tuple[OfficialScore, ...]:
    """The scores by the rules that the manifest's configuration names. Samples that ended in an infrastructure failure
    are left out, and with a warning those whose story or execution is damaged. What has to run, runs in the run's
    sandbox, or is found where that was done before. Raises ConfigError when the run's sandbox doesn't isolate and an
    answer isn't among `trusted_answers`."""
    if any(record.holes for record in records):
        raise ConfigError(f"{run}: the official rules know one function a task, and tasks of this run have several")
    rules = OFFICIAL_RULES[manifest.config.get("official", "yabloco")]
    scored = [record for record in records if record.sample == 0 or not rules.first_sample]
    trails = {record.key: trail for record in scored if (trail := _read_scorable_trajectory(run, record)) is not None}
    counted = [record for record in scored if record.key in trails]
    if not counted:
        raise ConfigError(f"{run}: no sample can be scored by the official rules")
    # By their text, not by a mark in the folder: a folder may come from anyone.
    others = [
        (record, found.answer)
        for record in counted
        if (found := find_answering_or_last_round(trails[record.key])) is not None
        and found.answer not in trusted_answers
    ]
    space = _prepare_workspace_without_index(manifest, counted, cache, trusted=not others)
    tasks = {task.id: task for task in space.tasks}
    sandbox = space.sandbox.backend
    if not sandbox.isolated and not all(is_reference_answer(tasks[record.task_id], text) for record, text in others):
        raise ConfigError(explain_lacking_isolation(sandbox.name, "answers of other texts"))
    firsts, seconds = (
        Executions(place, LocalWorkers(space.sandbox.backend, cache)) for place in (run / AGAIN / FIRST, run / AGAIN)
    )
    scorer = _Scorer(run, rules, space, firsts, seconds)
    groups: dict[tuple[str, str], list[SampleRecord]] = {}
    for record in counted:
        groups.setdefault((record.arm, record.task_id), []).append(record)
    scores: list[OfficialScore] = []
    for number, ((arm, task_id), members) in enumerate(groups.items(), start=1):
        task = tasks[task_id]
        answers = [scorer.read_and_test_answer(record, trails[record.key], task) for record in members]
        # They are run again together, or none is.
        passed = [answer.first is not None and has_passed_by_exit_statuses(answer.first) for answer in answers]
        again = is_retried_since_none_passed(passed, rules)
        scores += [scorer.score_answer(answer, task, retry=again) for answer in answers]
        if scores[-1].retried:
            log.info(f"{number}/{len(groups)} {task_id} ({arm}): no sample passed, run once more")
    write_atomically(run / KEPT, encode_json_value(tuple(scores), indent=1))
    return tuple(scores)


def _read_scorable_trajectory(run: Path, record: SampleRecord) -> Trajectory | None:
    """The sample's conversation; None for one that is left out."""
    if record.graft.verdict.outcome is Outcome.INFRA_ERROR:
        return None
    try:
        trail = read_json_file(Story, locate_story(run, *record.key)).trajectory
        _read_stored_execution(run, record.official.execution)
    except InfraError as error:
        log.warning(f"{error}; {record.name} is left out; delete the file, and the run's own command makes it again")
        return None
    return trail


def _prepare_workspace_without_index(
    manifest: RunManifest, records: Sequence[SampleRecord], cache: Path, *, trusted: bool
) -> Workspace:
    """Sources, images and sandbox; no index, since nothing is retrieved."""
    tasks = sorted({record.task_id for record in records})
    chosen = {"tasks": tasks, "repos": [], "levels": [], "limit": None, "arms": ["none"], "encoder": None}
    # A run of an older Graft may have keys that are gone.
    known = {key: value for key, value in manifest.config.items() if key in RunConfig.model_fields}
    config = RunConfig.model_validate({**known, **chosen})
    return prepare_workspace(resolve_config_parts(config), cache, trusted=trusted or config.model in REFERENCES)


@dataclass(frozen=True, slots=True)
class _Answer:
    """One sample as the rules read it, and what its first try did. `text` is the raw answer, None where none came;
    `code` what they take from it; `ours` what Graft takes; `first` is None where nothing was spliced."""

    record: SampleRecord
    text: str | None
    code: str
    ours: str | None
    first: TestRun | None


@dataclass(frozen=True, slots=True)
class _Scorer:
    """What scores a run's samples: the rules, the workspace, and where first and second tries run."""

    run: Path
    rules: OfficialRules
    space: Workspace
    firsts: Executions
    seconds: Executions

    def read_and_test_answer(self, record: SampleRecord, trail: Trajectory, task: Task) -> _Answer:
        """The answer by the rules, built and tested once: in the run itself where it ran the same text, else here."""
        found = find_answering_or_last_round(trail)
        text, code, ran = None if found is None else found.answer, "", None
        if text is not None:
            code = parse_generation(text, self.rules)
            if has_text_for_official_splice(code):
                stored = _read_stored_execution(self.run, record.official.execution)
                same = stored is not None and stored.code.strip() == code.strip()
                ran = stored.run if stored is not None and same else self._build_and_test(self.firsts, task, code)
        return _Answer(record, text, code, trail.candidate.code, ran)

    def _build_and_test(self, executions: Executions, task: Task, code: str) -> TestRun:
        insert = wrap_code_in_line_ends(code)
        return executions.build_and_test_once(self.space.repos[task.target.repo], task, insert)[1].run

    def score_answer(self, answer: _Answer, task: Task, *, retry: bool) -> OfficialScore:
        """The sample's score; `retry`: by a second try."""
        record, text, code = answer.record, answer.text, answer.code
        retried = retry and answer.first is not None
        last = self._build_and_test(self.seconds, task, code) if retried else answer.first
        passed = last is not None and has_passed_by_exit_statuses(last)
        gold = official_gold(task)
        exact = text is not None and is_officially_exact(code, gold, self.rules)
        ours = record.graft.verdict
        why: list[str] = []
        differs = passed != (ours.outcome is Outcome.PASSED), exact != record.graft.exact_match
        if any(differs) and text is not None:
            why += why_official_code_differs(text, answer.ours, self.rules)
        if differs[0] and passed and has_passed_suites(ours):
            why.append(ours.reason)
        elif differs[0] and retried and passed:
            why.append("passed when run once more")
        elif differs[0] and not why:
            why.append(why_official_verdict_differs(last or TestRun((), (), ()), ours))
        if differs[1] and (exact or not why):
            why.append(explain_differing_official_exact_match(code, task.gold, gold, self.rules))
        paper = OFFICIAL_RULES["yabloco-paper"]
        return OfficialScore(
            arm=record.arm,
            task_id=record.task_id,
            sample=record.sample,
            repo=record.repo,
            passed=passed,
            built=last is not None and is_officially_built_or_only_configured(last, record.repo),
            exact=exact,
            older_exact=text is not None and is_officially_exact(parse_generation(text, paper), gold, paper),
            retried=retried,
            graft_passed=ours.outcome is Outcome.PASSED,
            graft_exact=record.graft.exact_match,
            why=tuple(why),
            rules=self.rules.name,
        )


def _read_stored_execution(run: Path, name: str) -> Execution | None:
    """The execution; None where nothing ran or its folder was removed. Raises InfraError when it's damaged."""
    path = run / name / RECORD
    return read_json_file(Execution, path) if name and path.is_file() else None


# Title -> the field whose share it is.
_FIGURES = {
    "pass@1": "graft_passed",
    "official pass@1": "passed",
    "exact": "graft_exact",
    "official exact": "exact",
    "older exact": "older_exact",
    "official built": "built",
}


def _make_official_share_columns(*, is_variant: bool) -> Columns[Sequence[OfficialScore]]:
    def make_share_formatter(name: str) -> Callable[[Sequence[OfficialScore]], str]:
        return lambda scores: f"{100 * sum(getattr(score, name) for score in scores) / len(scores):.1f}"

    return {
        make_label_column("arm"): lambda scores: scores[0].arm,
        make_label_column("repository"): lambda scores: scores[0].repo,
        Column("samples"): lambda scores: str(len(scores)),
        **{
            Column(
                mark_official_title_not_comparable(title) if is_variant else title, priority=MAIN
            ): make_share_formatter(name)
            for title, name in _FIGURES.items()
        },
    }


def print_official_scores(
    console: Console, scores: Sequence[OfficialScore], report: Report, finished_count: int
) -> None:
    """Both scores for each arm and repository, then every sample whose two scores differ. `report`: the run's, of
    `finished_count` samples."""
    groups: dict[tuple[str, str], list[OfficialScore]] = {}
    for score in scores:
        groups.setdefault((score.arm, score.repo), []).append(score)
    print_table(console, make_table(groups.values(), _make_official_share_columns(is_variant=bool(report.variants))))
    for line in report.variants:
        console.print(f"not comparable with published scores, {line}", markup=False)
    for line in report.partial:
        console.print(f"partial run: {line}", markup=False)
    if len(scores) < finished_count:
        first = " (MERA scores the first of a task)" if OFFICIAL_RULES[scores[0].rules].first_sample else ""
        console.print(f"partial run: {len(scores)} of {finished_count} finished samples are scored here{first}")
    if not report.isolated:
        console.print("Isolation: none. Its answers are Graft's own; those of a model are never scored so.")
    for rules in {score.rules: OFFICIAL_RULES[score.rules] for score in scores}.values():
        again = sum(score.retried for score in scores)
        retried = format_count(again, "failure") if rules.retries else "No failure is"
        console.print(f"Figures in % of samples, by the rules {rules.name}. {retried} run once more.")
    different = [score for score in scores if score.why]
    if not different:
        console.print("No sample's two scores differ.")
    for score in different:
        said = {True: "yes", False: "no"}
        figures = f"pass {said[score.graft_passed]} / {said[score.passed]}"
        figures += f", exact {said[score.graft_exact]} / {said[score.exact]}"
        where = f"{score.task_id} ({score.arm}, sample {score.sample})"
        console.print(f"  {where}: graft / official: {figures}: {'; '.join(score.why)}", markup=False, soft_wrap=True)
    console.print(f"Every score: {Path(report.run) / KEPT}", markup=False)
