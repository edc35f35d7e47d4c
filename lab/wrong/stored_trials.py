"""Runs suites on a wrong body as they run on a candidate. What a suite said of a text is stored at once, so that a
killed call goes on where it was and further suites are run alone."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import TypeAdapter, ValidationError

from executor.cache import replace_file, short_digest
from executor.candidate.execute import ExecutionOptions, execute_edits
from executor.function.splice import make_edits
from executor.grading.grade import grade, limit_expected_to_suites, shorten_name_list, why_suite_failed
from executor.manifest.health import Fate, WrongFate
from executor.manifest.manifest import digest_suites
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.values import Task, TestRun, Tier
from index.errors import InfraError
from lab.wrong.body_file import WrongBody

_BY_ALARM = 128 + signal.SIGALRM


@dataclass(frozen=True, slots=True)
class TriedText:
    """What is known of a text. `suites`: each suite that ran, with why it failed, or "". `unbuilt`: why it couldn't be
    built, or "". `changed`: a file of the tree that it changed while they ran, or ""."""

    suites: Mapping[str, str] = field(default_factory=dict)
    unbuilt: str = ""
    changed: str = ""

    def find_fate(self, suites: Sequence[str]) -> Fate:
        """What a candidate with this text would meet in these suites."""
        if self.unbuilt:
            return Fate.UNBUILT
        if self.changed or any(self.suites.get(name) for name in suites):
            return Fate.KILLED
        return Fate.SURVIVED if all(name in self.suites for name in suites) else Fate.UNKNOWN

    def find_first_failing_suite_or_empty(self, suites: Sequence[str]) -> str:
        """The first of these suites that fails, or ""."""
        return next((name for name in suites if self.suites.get(name)), "")


_TRIED_TEXT = TypeAdapter(TriedText)


@dataclass(frozen=True, slots=True)
class TextTrials:
    """Texts tried on a warm image in its sandbox. What is known of them, and their logs, lie in `folder`."""

    image: Image
    backend: Backend
    cache: Path

    @property
    def folder(self) -> Path:
        return self.cache / "wrong" / self.image.key / digest_suites(self.image.recipe)

    def ensure_log_folder(self) -> Path:
        """The folder for logs, made if need be. Each trial has its own in it: another process may try the same."""
        folder = self.folder / "logs"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def find_stored_path(self, task: Task, text: str, plus: str = "") -> Path:
        """Where it is stored what is known of the text. What plus tests say of it is stored apart, by their digest
        `plus`: they change while they are written."""
        digest = short_digest({"task": task.id, "gold": task.gold, "text": text})
        return self.folder / "tried" / f"{digest}{plus and '-'}{plus}.json"


def try_text_on_missing_suites(
    trials: TextTrials, task: Task, text: str, suites: Sequence[str], *, stop_at_first: bool = True, plus: str = ""
) -> TriedText:
    """Run those of the suites that haven't run on the text yet. `stop_at_first`: none once one has failed, as a
    candidate is judged. `plus`: the digest of the suites, where they are plus tests. What a time limit ended is done
    once more, and the second run stands: a busy machine must not kill what would pass. Raises InfraError when Graft
    itself failed, RecipeError when no suite's programs are built from the file."""
    path = trials.find_stored_path(task, text, plus)
    try:
        known = _TRIED_TEXT.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        known = TriedText()
    left = [name for name in suites if name not in known.suites]
    done = known.find_fate(suites)
    if not left or done is Fate.UNBUILT or (stop_at_first and done is Fate.KILLED):
        return known
    for _ in range(2):
        # The reasons are kept; thousands of logs would fill the disk.
        with TemporaryDirectory(
            prefix=f"{task.id}-", dir=trials.ensure_log_folder(), ignore_cleanup_errors=True
        ) as logs:
            run = run_suites_on_text(trials, task, text, left, Path(logs), stop_at_first=stop_at_first)
        if not _was_ended_by_time_limit(run):
            break
    expected = trials.image.expected
    verdict = grade(run, limit_expected_to_suites(expected, left), text)
    found = TriedText(
        {**known.suites, **{ran.suite: why_suite_failed(ran, expected) for ran in run.suites}},
        verdict.reason if verdict.tier in (Tier.CHECK, Tier.BUILD) else "",
        known.changed or shorten_name_list(run.changed),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, _TRIED_TEXT.dump_json(found))
    return found


def make_body_fate(body: WrongBody, tried: TriedText, suites: Sequence[str]) -> WrongFate:
    """What became of the body in these suites, as a manifest has it."""
    return WrongFate(
        body.kind,
        body.digest,
        body.held,
        body.only,
        tried.find_fate(suites),
        tried.find_first_failing_suite_or_empty(suites),
    )


def run_suites_on_text(
    trials: TextTrials,
    task: Task,
    text: str,
    suites: Sequence[str],
    logs: Path,
    *,
    stop_at_first: bool = False,
) -> TestRun:
    """Run the suites once on the text, as `ExecutionOptions` has it. Raises InfraError when Graft itself failed."""
    options = ExecutionOptions(stop_at_first=stop_at_first)
    run = execute_edits(trials.image, make_edits(task.target, text), trials.backend, suites, logs, options)
    if run.infra_error:
        raise InfraError(f"{task.id} {task.target.name}: {run.infra_error}")
    return run


def _was_ended_by_time_limit(run: TestRun) -> bool:
    """Whether a time limit ended a step: Graft's, or an alarm of the test's own."""
    steps = (*run.check, *run.build, *(suite.step for suite in run.suites))
    return any(step.timed_out or step.exit_code == _BY_ALARM for step in steps)
