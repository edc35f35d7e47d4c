"""A run's answers scored as YABLoCo scores them, beside Graft's verdicts, and why a task's two scores differ.

The raw answers are parsed, spliced and compared by the official rules; a suite's exit status decides, and every
failure is run once more, the second result kept. The suites are those that judged the run; the official harness
runs them all.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from executor.grading.official import (
    official_built,
    official_exact_match,
    official_passed,
    older_exact_match,
    parse_generation,
    why_exact_differs,
    why_judged_differently,
    why_read_differently,
)
from executor.values import Outcome, Task, TestRun
from experiments.files import write_atomically
from experiments.run.config import RunConfig
from experiments.run.executions import RECORD, Executions, Slots
from experiments.run.manifest import Manifest
from experiments.run.records import Execution, SampleRecord, Story, dumps, loads, story_path
from experiments.run.reference_models import REFERENCES
from experiments.run.sample import answer_round
from experiments.run.workspace import Workspace, prepare

log = logging.getLogger(__name__)

# Second tries lie in a folder of their own, so that a text that ran is not found in the run's.
AGAIN = "official"
KEPT = "official.json"


@dataclass(frozen=True, slots=True)
class OfficialScore:
    """One sample by the official rules; `graft_*` are our verdict's. `retried`: it failed, and what stands here is
    the second try. `why`: what made a figure differ, empty where none does."""

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


def score_officially(
    run: Path, manifest: Manifest, records: Sequence[SampleRecord], cache: Path
) -> tuple[OfficialScore, ...]:
    """Samples that ended in an infrastructure failure are left out. Failures are run again in the run's sandbox, or
    found where that was done before. Raises InfraError for a story or a log that is gone."""
    counted = [record for record in records if record.graft.verdict.outcome is not Outcome.INFRA_ERROR]
    space = _prepare(manifest, counted, cache)
    tasks = {task.id: task for task in space.tasks}
    executions = Executions(run / AGAIN, space.sandbox.backend, Slots(1))
    scores = []
    for number, record in enumerate(counted, start=1):
        scores.append(_score(run, record, tasks[record.task_id], space, executions))
        if scores[-1].retried:
            log.info(f"{number}/{len(counted)} {record.task_id} ({record.arm}): failed, run once more")
    write_atomically(run / KEPT, dumps(tuple(scores), indent=1))
    return tuple(scores)


def _prepare(manifest: Manifest, records: Sequence[SampleRecord], cache: Path) -> Workspace:
    """Sources, images and sandbox; no index, since nothing is retrieved."""
    tasks = sorted({record.task_id for record in records})
    chosen = {"tasks": tasks, "repos": [], "levels": [], "limit": None, "arms": ["none"], "encoder": None}
    config = RunConfig.model_validate({**manifest.config, **chosen})
    return prepare(config, cache, trusted=config.model in REFERENCES)


def _score(run: Path, record: SampleRecord, task: Task, space: Workspace, executions: Executions) -> OfficialScore:
    path = story_path(run, record.arm, record.task_id, record.sample)
    asked = loads(Story, path.read_bytes(), path).trajectory
    found = answer_round(asked)
    ours = record.graft.verdict
    if found is None:
        code, exact, older = "", False, False
        first = last = TestRun((), (), ())
        retried = passed = built = False
    else:
        code = parse_generation(found.answer)
        exact = official_exact_match(code, task.dataset_gold)
        older = older_exact_match(code, task.dataset_gold)
        first = _stored(run, record.official.execution)
        passed = official_passed(first)
        retried = not passed
        last = executions.of(space.repos[record.repo], task, f"\n{code}\n")[1].run if retried else first
        passed, built = official_passed(last), official_built(last, record.repo)
    why: list[str] = []
    differs = passed != (ours.outcome is Outcome.PASSED), exact != record.graft.exact_match
    if any(differs) and found is not None:
        why += why_read_differently(found.answer, asked.candidate.code)
    if differs[0] and retried and passed:
        why.append("passed when run once more")
    elif differs[0] and not why:
        why.append(why_judged_differently(last, ours))
    if differs[1] and (exact or not why):
        why.append(why_exact_differs(code, task.gold, task.dataset_gold))
    return OfficialScore(
        arm=record.arm,
        task_id=record.task_id,
        sample=record.sample,
        repo=record.repo,
        passed=passed,
        built=built,
        exact=exact,
        older_exact=older,
        retried=retried,
        graft_passed=ours.outcome is Outcome.PASSED,
        graft_exact=record.graft.exact_match,
        why=tuple(why),
    )


def _stored(run: Path, name: str) -> TestRun:
    path = run / name / RECORD
    if not name or not path.is_file():
        return TestRun((), (), ())
    return loads(Execution, path.read_bytes(), path).run


def print_official(console: Console, run: Path, scores: Sequence[OfficialScore]) -> None:
    """Both scores for each arm and repository, then every sample whose two scores differ."""
    table = Table(box=None, pad_edge=False)
    head = ("arm", "repository", "samples", "pass@1", "official", "exact", "official", "older", "official built")
    for column in head:
        table.add_column(column, justify="left" if column in head[:2] else "right", no_wrap=True)
    for arm, repo in dict.fromkeys((score.arm, score.repo) for score in scores):
        rows = [score for score in scores if (score.arm, score.repo) == (arm, repo)]
        columns = [
            [score.graft_passed for score in rows],
            [score.passed for score in rows],
            [score.graft_exact for score in rows],
            [score.exact for score in rows],
            [score.older_exact for score in rows],
            [score.built for score in rows],
        ]
        table.add_row(arm, repo, str(len(rows)), *(f"{100 * sum(column) / len(rows):.1f}" for column in columns))
    console.print(table)
    again = sum(score.retried for score in scores)
    console.print(f"Figures in % of samples. {again} failures were run once more, as the official harness does.")
    different = [score for score in scores if score.why]
    if not different:
        console.print("No sample's two scores differ.")
    for score in different:
        pairs = (("pass", score.graft_passed, score.passed), ("exact", score.graft_exact, score.exact))
        figures = ", ".join(f"{name} {_word(ours)} / {_word(theirs)}" for name, ours, theirs in pairs)
        where = f"{score.task_id} ({score.arm}, sample {score.sample})"
        console.print(f"  {where}: graft / official: {figures}: {'; '.join(score.why)}", markup=False, soft_wrap=True)
    console.print(f"Every score: {run / KEPT}")


def _word(value: bool) -> str:
    return "yes" if value else "no"
