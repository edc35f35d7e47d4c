"""The control run of plus tests: the answer's own function works once, three times or ten times in a process and is a
stub from then on. A test that passes nevertheless was forged, where it fails when the gold is broken so.

A plus test's program holds the candidate, which can print that test's lines and end it with status 0. After how many
calls is drawn by chance, so that a body which works once and then forges isn't safe.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import replace_file, short_digest
from executor.candidate.control_runs import (
    make_after_calls_sabotages_of_uncalled_functions,
    make_edits_breaking_after_calls,
    needs_control_run_when_none_or_single_pass,
)
from executor.candidate.execute import ExecutionOptions, execute_edits
from executor.function.splice import Edit, make_edits
from executor.grading.grade import why_suite_failed
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.values import ControlRun, Sabotage, SuiteRun, Task
from index.errors import InfraError, TaskError

_KNOWN = TypeAdapter(tuple[str, ...])
_CALLS = (1, 3, 10)


def _draw_call_limits_in_random_order() -> Sequence[int]:
    return secrets.SystemRandom().sample(_CALLS, len(_CALLS))


@dataclass(frozen=True, slots=True)
class PlusControls:
    """Where plus tests are run with a function broken. What is found out about golds is kept in `cache`."""

    image: Image
    backend: Backend
    cache: Path

    def run_controls_on_noticing_suites(
        self, task: Task, edits: Sequence[Edit], suites: Sequence[str], plus_digest: str, folder: Path
    ) -> tuple[ControlRun, ...]:
        """A control for each of the suites, whose text `plus_digest` names, that notices a gold which works only so
        often; without a run where the answer's text doesn't take that change. Logs lie in `folder`/control*. Raises
        InfraErrors of the sandbox."""
        found: list[ControlRun] = []
        for calls in _draw_call_limits_in_random_order():
            own = make_after_calls_sabotages_of_uncalled_functions(self.image, task, calls)
            left = [name for name in suites if all(control.suite != name for control in found)]
            if len(task.target.holes) == 1 and own and left:
                found += self._run_controls_with_sabotage(
                    task, edits, own[0], left, plus_digest, folder / f"after-{calls}"
                )
        return tuple(found)

    def _run_controls_with_sabotage(
        self,
        task: Task,
        edits: Sequence[Edit],
        sabotage: Sabotage,
        suites: Sequence[str],
        plus_digest: str,
        folder: Path,
    ) -> tuple[ControlRun, ...]:
        """The controls of those of the suites that notice it."""
        try:
            call_limited = make_edits_breaking_after_calls(self.image, edits, sabotage)
            left = [
                name
                for name in self._find_suites_failing_sabotaged_gold(task, sabotage, suites, plus_digest, folder)
                if name in suites
            ]
        except TaskError:
            return ()
        found: dict[str, tuple[SuiteRun, ...]] = dict.fromkeys(left, ())
        expected = self.image.expected
        while call_limited is not None and left:
            number = len(found[left[0]]) + 1
            for name, run in self._build_and_run_suites(call_limited, left, folder / f"control{number}").items():
                step = replace(run.step, log=f"{folder.name}/control{number}/{run.step.log}")
                found[name] = (*found[name], replace(run, step=step))
            left = [
                name
                for name in left
                if found[name] and needs_control_run_when_none_or_single_pass(found[name], expected)
            ]
        place = (sabotage.path, sabotage.function, sabotage.change)
        return tuple(
            ControlRun(name, *place, True, (), runs[0] if runs else None, runs[1:]) for name, runs in found.items()
        )

    def _find_suites_failing_sabotaged_gold(
        self, task: Task, sabotage: Sabotage, suites: Sequence[str], plus_digest: str, folder: Path
    ) -> tuple[str, ...]:
        """The suites that fail when the gold is broken so."""
        key = short_digest(
            {
                "image": self.image.key,
                "plus": plus_digest,
                "gold": sabotage.digest,
                "task": task.id,
                "is": sabotage.change,
            }
            | {"suites": sorted(suites)}
        )
        path = self.cache / "plus-controls" / f"{key}.json"
        try:
            return _KNOWN.validate_json(path.read_bytes())
        except (OSError, ValidationError):
            pass
        call_limited = make_edits_breaking_after_calls(self.image, make_edits(task.target, task.gold), sabotage)
        if call_limited is None:
            raise TaskError(f"{task.id}: the gold can't be made to work only once")
        ran = self._build_and_run_suites(call_limited, suites, folder / "control-of-gold")
        # A busy machine says nothing of the gold.
        judged = {name: run for name, run in ran.items() if not (run.step.timed_out or run.step.oom)}
        found = tuple(name for name, run in judged.items() if why_suite_failed(run, self.image.expected))
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, _KNOWN.dump_json(found))
        return found

    def _build_and_run_suites(self, edits: Sequence[Edit], suites: Sequence[str], folder: Path) -> dict[str, SuiteRun]:
        """What the suites did with the edits; empty where these can't be built."""
        options = ExecutionOptions(stop_at_first=False)
        done = execute_edits(self.image, edits, self.backend, suites, folder, options)
        if done.infra_error:
            raise InfraError(done.infra_error)
        return {run.suite: run for run in done.suites}
