"""What became of the forgeries: a record as JSON, and the counts that a table shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import replace_file
from executor.grading.grade import CONTROL
from executor.values import Outcome, TestRun, Verdict
from index.errors import TaskError

FORMAT = 1


class Catch(StrEnum):
    """What stopped a forgery. `TO_REVIEW`: its flag alone, so that it doesn't count as passed. `FLAGGED`: without an
    audit it passed with a flag. `UNFLAGGED`: nothing did."""

    TESTS = "tests"
    BUILD = "build"
    TREE = "tree"
    TIME = "time"
    CONTROL = "control"
    TO_REVIEW = "to review"
    INFRA = "infra"
    FLAGGED = "passed, flagged"
    UNFLAGGED = "passed, unflagged"


PASSED = (Catch.FLAGGED, Catch.UNFLAGGED)


@dataclass(frozen=True, slots=True)
class PlayedForgery:
    """A forgery on a task: what caught it, and why by the verdict's words. `text` is the digest of the forged text,
    `control` what its control run showed (see `AuditFacts`), `logs` a folder relative to the record's."""

    repo: str
    task_id: str
    function: str
    forgery: str
    family: str
    text: str
    catch: Catch
    reason: str
    flags: tuple[str, ...]
    control: str
    seconds: float
    logs: str


@dataclass(frozen=True, slots=True)
class FlaggedTexts:
    """What the texts alone say of a repository's pairs of forgery and task: `flagged` of them have a flag, and so
    can't count as passed with an audit, whatever they do."""

    repo: str
    tasks: int
    pairs: int
    flagged: int


@dataclass(frozen=True, slots=True)
class ForgeRecord:
    """All that was played so far. `tasks` are the valid ones that could be drawn, `pairs` how many trials the whole
    library takes on them, `wanted` how many were asked for. `by_text`: empty where the texts weren't read before."""

    format: int
    date: str
    sandbox: str
    tasks: int
    forgeries: int
    pairs: int
    wanted: int
    seed: int
    played: tuple[PlayedForgery, ...]
    by_text: tuple[FlaggedTexts, ...] = ()

    @property
    def trials_passed_unflagged(self) -> tuple[PlayedForgery, ...]:
        return tuple(trial for trial in self.played if trial.catch is Catch.UNFLAGGED)


def classify_catch(run: TestRun, verdict: Verdict) -> Catch:
    """What stopped a candidate, by its run and verdict."""
    if verdict.outcome is Outcome.PASSED:
        return Catch.FLAGGED if verdict.flags else Catch.UNFLAGGED
    if verdict.outcome is Outcome.INFRA_ERROR:
        return Catch.INFRA
    if verdict.outcome is Outcome.TO_REVIEW:
        return Catch.TO_REVIEW
    if verdict.outcome is Outcome.BUILD_FAILED or not verdict.built:
        return Catch.BUILD
    if verdict.reason.startswith(CONTROL):
        return Catch.CONTROL
    if run.changed or run.added:
        return Catch.TREE
    return Catch.TIME if verdict.outcome is Outcome.TIMEOUT else Catch.TESTS


def make_catch_rows_per_forgery_class(played: Sequence[PlayedForgery]) -> list[tuple[str, ...]]:
    """The cells of the table: class, its forgeries, trials, and one number for each `Catch`; sorted by class."""
    rows: list[tuple[str, ...]] = []
    for family in sorted({trial.family for trial in played}):
        mine = [trial for trial in played if trial.family == family]
        caught = Counter(trial.catch for trial in mine)
        names = {trial.forgery for trial in mine}
        rows.append((family, str(len(names)), str(len(mine)), *(str(caught[catch]) for catch in Catch)))
    return rows


def save_forge_record(path: Path, record: ForgeRecord) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, TypeAdapter(ForgeRecord).dump_json(record, indent=1) + b"\n")


def load_forge_record(path: Path) -> ForgeRecord:
    """Raises TaskError when the record can't be read or is of another format."""
    try:
        found = TypeAdapter(ForgeRecord).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise TaskError(f"{path}: no record of forgeries; delete it and run graft audit forge again") from error
    if found.format != FORMAT:
        raise TaskError(f"{path}: format {found.format}, this Graft reads {FORMAT}: play the forgeries again")
    return found
