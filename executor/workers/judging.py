"""The work that a run gives away: a text is built and tested, compared with the gold, or checked by the compiler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from executor.candidate.control import draw, run_controls
from executor.candidate.execute import execute_edits
from executor.candidate.precompiled import header_store
from executor.candidate.several import open_compiler
from executor.differential.run import compare_with_gold
from executor.differential.values import Differential
from executor.function.splice import Edit
from executor.grading.exact_match import compare_code
from executor.grading.grade import chosen, grade
from executor.repository.images import Image
from executor.values import Audit, ExpectedTests, Outcome, Sabotage, Task, TestRun
from executor.workers.contract import Site
from index.values import Diagnostic, Target


@dataclass(frozen=True, slots=True)
class Order:
    """A text that is to be built and tested in the place of a task's functions, as `edits`. The suites `first` judge
    it; those in `then` run when these pass. `sabotages` are those of `first`; with `golds` the gold's own text is
    audited too. `before`: what it did without a control run, where that is known."""

    task_id: str
    edits: tuple[Edit, ...]
    code: str
    gold: str
    first: tuple[str, ...]
    then: tuple[str, ...]
    audit: Audit
    golds: bool
    sabotages: Mapping[str, Sequence[Sabotage]]
    before: TestRun | None = None


def judge(site: Site, image: Image, folder: Path, order: Order) -> TestRun:
    """What the text did, and its control run where that is due. Raises as `execute_edits` and
    `run_controls` do, OSError."""
    objects: dict[str, bytes] = {}
    run = order.before or execute_edits(
        image, order.edits, site.backend, order.first, folder, then=order.then, objects=objects
    )
    run = _unless_overloaded(site, run)
    if not to_audit(run, image.expected, order):
        return run
    drawn = draw(order.sabotages, order.first, order.task_id)
    controls = run_controls(image, order.edits, site.backend, drawn, folder, objects, site.broken)
    return replace(run, controls=controls)


def to_audit(run: TestRun, expected: ExpectedTests, order: Order) -> bool:
    """Whether the run is to be followed by a control run, and wasn't yet."""
    if order.audit == "none" or run.controls or run.infra_error:
        return False
    verdict = grade(run, chosen(expected, (*order.first, *order.then)), order.code)
    if verdict.outcome is not Outcome.PASSED or (order.audit == "flagged" and not verdict.flags):
        return False
    return order.golds or not compare_code(order.code, order.gold).tokens


def cut_off(run: TestRun) -> bool:
    """Whether a step was stopped at its time limit."""
    return any(step.timed_out for step in (*run.check, *run.build, *(suite.step for suite in run.suites)))


def judge_plus(site: Site, image: Image, folder: Path, edits: Sequence[Edit], suites: Sequence[str]) -> TestRun:
    """What plus tests say of a text, each of them. Raises as `execute_edits` does."""
    return _unless_overloaded(site, execute_edits(image, edits, site.backend, suites, folder, stop_at_first=False))


def _unless_overloaded(site: Site, run: TestRun) -> TestRun:
    """A time-out on an overloaded machine says nothing of the text."""
    if cut_off(run) and (problem := site.overloaded()):
        return replace(run, infra_error=f"stopped at a time limit while {problem}")
    return run


def differ(site: Site, image: Image, folder: Path, task: Task, code: str, suites: Sequence[str]) -> Differential:
    """Compare the text with the gold call by call. Raises as `compare_with_gold` does."""
    return compare_with_gold(image, task, [code], site.backend, suites, folder)[0]


def check_draft(site: Site, image: Image, folder: Path, target: Target, code: str) -> Sequence[Diagnostic]:
    """The compiler's messages on a draft, in a session of its own. Raises as `open_compiler` does."""
    del folder
    with open_compiler(image, site.backend, target, header_store(site.cache)) as compiler:
        return compiler.check(code)
