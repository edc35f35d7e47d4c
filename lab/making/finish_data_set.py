"""The last stages of `graft make`: a task's own body is judged as a run judges an answer, as what a run wouldn't count
can't be a task; and the proved tasks become folders, one table, a recipe with its manifest and control runs, and a
datasheet."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from executor.cache import replace_file, short_digest
from executor.candidate.execute import execute_edits
from executor.function.splice import make_edits
from executor.grading.grade import grade, limit_expected_to_suites
from executor.manifest.health import Health, HealthManifest, TaskHealth
from executor.manifest.manifest import choose_killing_else_entering_suites
from executor.repository.images import Image
from executor.repository.uncompiled import find_uncompiled_lines, save_uncompiled_lines
from executor.sandbox.contract import Backend
from executor.values import Outcome, Task
from index.errors import RecipeError, SandboxError
from index.progress import Progress
from index.repo_index import open_index
from lab.doctor.manifest import count_fewest_sabotages_per_task
from lab.doctor.repository_examination import OpenRepository
from lab.doctor.repository_sabotages import find_sabotages_failing_suites
from lab.doctor.suite_sabotages import SearchEffort
from lab.making.functions.call_agreement import compare_oracles_with_gcc_calls
from lab.making.settings import DoctorSettings, MakeRequest
from lab.making.write_data_set import RECIPES, Dropped, rewrite_task_folders, write_datasheet, write_table

log = logging.getLogger(__name__)

_SABOTAGES_WANTED = 2
# One task's own fault takes a few runs of its suite, and a suite judges several tasks.
_BUDGETS_A_SUITE = 2.0


@dataclass(frozen=True, slots=True)
class MadeDataSet:
    """A data set as far as it was made. `examined` counts functions, `controlled` the tasks with a control run."""

    out: Path
    wanted: int
    tasks: tuple[Task, ...] = ()
    examined: int = 0
    controlled: int = 0


@dataclass(frozen=True, slots=True)
class Making:
    """A data set in the making, once its repository is built: what is wanted by make.yaml, and the warm image."""

    wanted: MakeRequest
    doctor: DoctorSettings
    image: Image
    backend: Backend
    cache: Path
    progress: Progress

    @property
    def manifest_path(self) -> Path:
        """Beside the data set's recipe."""
        return self.wanted.out / RECIPES / self.image.recipe.name / "manifest.json"

    def is_valid_with_strong_tests(self, health: TaskHealth) -> bool:
        """Whether it is valid by the doctor, and the tests kill enough of its mutants."""
        strong = health.kill_score is None or health.kill_score >= self.doctor.strength
        return health.health is Health.VALID and not health.forgeries_passed and strong

    def find_log_folder(self, task: Task) -> Path:
        return self.cache / "doctor" / self.image.key / task.id


def judge_gold_and_explain_failure(
    image: Image, backend: Backend, task: Task, health: TaskHealth, folder: Path
) -> str:
    """Why a run would flag or fail the task's own body, or "", as it is kept in `folder`. Raises SandboxError."""
    # Where the doctor's time was over, a run takes further suites, in which the gold wasn't tried yet.
    suites = choose_killing_else_entering_suites(image.recipe, health, task.id)
    path = folder / f"as-an-answer-{short_digest({'suites': suites})}.txt"
    if path.is_file():
        return path.read_text(encoding="utf-8")
    run = execute_edits(image, make_edits(task.target, task.gold), backend, suites, folder)
    if run.infra_error:
        raise SandboxError(run.infra_error)
    verdict = grade(run, limit_expected_to_suites(image.expected, suites), task.gold)
    why = "" if verdict.outcome is Outcome.PASSED else f"its own body: {verdict.reason}"
    if verdict.flags:
        why = f"its own body is flagged: {'; '.join(verdict.flags)}"
    replace_file(path, why.encode("utf-8", "replace"))
    return why


def write_data_set_and_count_found_controls(
    making: Making,
    good: Sequence[Task],
    manifest: HealthManifest,
    dropped: Sequence[Dropped],
    left_out: Mapping[str, int],
    facts: Mapping[str, str],
) -> int:
    """Write the data set of the `good` tasks, and find for their suites what must make them fail, as far as the time
    goes: a run's control breaks it beside an answer that passed. `dropped`: functions that were examined; `left_out`:
    how many were left out before, by reason; `facts` for the datasheet. Returns how many tasks have a control run for
    each suite. Raises InfraErrors of the sandbox."""
    image, backend, out, ids = making.image, making.backend, making.wanted.out, [task.id for task in good]
    effort = SearchEffort(_SABOTAGES_WANTED, _BUDGETS_A_SUITE * making.doctor.budget_s, making.wanted.controls_end)
    repository = OpenRepository(image, backend, good, ids, making.manifest_path, making.cache)
    root = image.source_root
    with closing(open_index(making.cache / "indexes" / root.name, root)) as index:
        known = {entry.symbol.name for entry in index.functions}
        agreement = compare_oracles_with_gcc_calls(image, backend, good, known)
        log.info(f"5/6 doctor: {agreement}")
        rewrite_task_folders(good, out)
        table = write_table(good, manifest, out)
        log.info("6/6 write: looking for what must make the tests fail, for the runs' controls")
        searched = find_sabotages_failing_suites(repository, index, effort, making.progress)
    controlled = sum(count > 0 for count in count_fewest_sabotages_per_task(searched, ids))
    try:
        path = save_uncompiled_lines(find_uncompiled_lines(image, backend, making.progress), image.recipe)
        log.info(f"6/6 write: {path}: what the build doesn't compile")
    except RecipeError as error:
        # The data set is whole without it: contexts show every branch then.
        log.warning(f"6/6 write: {error}")
    facts = {
        **facts,
        "sandbox": backend.name,
        "calls, as gcc sees them": agreement,
        "tasks with a control run": f"{controlled} of {len(good)}",
    }
    write_datasheet(image.recipe, good, manifest, dropped, facts, left_out, table, out)
    return controlled
