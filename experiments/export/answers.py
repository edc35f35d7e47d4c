"""What a model was asked and what it answered, sample by sample, from a run's stories."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from agent.values import Message, Trajectory
from executor.tasks.datasets import load_rows
from executor.tasks.task_row import TaskRow
from experiments.run.manifest import RunManifest
from experiments.run.records import SampleRecord, Story, locate_story, read_json_file
from experiments.run.sampling.sample import find_answering_or_last_round
from index.errors import InfraError, UserError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """A sample with its conversation (None where none is kept) and its data set's row (None where that isn't at
    hand, or isn't what was asked, as in a renamed tree)."""

    record: SampleRecord
    trail: Trajectory | None
    row: TaskRow | None

    @property
    def prompt(self) -> tuple[Message, ...]:
        """What stood there before the model's first answer."""
        return () if self.trail is None else tuple(takewhile(lambda m: m.role != "assistant", self.trail.messages))

    @property
    def text(self) -> str | None:
        """The raw answer that was scored; None where there is none."""
        found = None if self.trail is None else find_answering_or_last_round(self.trail)
        return None if found is None else found.answer

    @property
    def gold_or_empty(self) -> str:
        """The data set's text of the function, "" where it is unknown."""
        return "" if self.row is None else self.row.dataset_gold or ""


@dataclass(frozen=True, slots=True)
class AnsweredRun:
    """A run with its answers, arm by arm, each arm's by task and sample."""

    path: Path
    manifest: RunManifest
    arms: Mapping[str, Sequence[Answer]]

    def has_all_planned_samples(self, arm: str) -> bool:
        """Whether all planned samples of the arm are there."""
        return len(self.arms[arm]) >= sum(self.manifest.planned.get(arm, {}).values())


def read_answers(run: Path, manifest: RunManifest, records: Sequence[SampleRecord]) -> AnsweredRun:
    """The answers of `records`. A story that is gone or damaged is a warning, and its answer None."""
    rows = {} if manifest.config.get("variant") else _read_rows_by_task_or_empty(run, manifest)
    arms: dict[str, list[Answer]] = {record.arm: [] for record in records}
    for record in sorted(records, key=lambda record: (record.task_id, record.sample)):
        arms[record.arm].append(Answer(record, _read_trajectory(run, record), rows.get(record.task_id)))
    return AnsweredRun(run, manifest, arms)


def _read_rows_by_task_or_empty(run: Path, manifest: RunManifest) -> dict[str, TaskRow]:
    oracle, mirror = (
        None if (path := manifest.config.get(key)) is None else Path(path) for key in ("oracle_file", "mirror")
    )
    try:
        rows = load_rows(manifest.dataset, oracle, repos=tuple(manifest.repos), mirror=mirror)
        return {row.id: row for row in rows if not row.unread}
    except UserError as error:
        log.warning(f"{run}: the golds are left out: {error}")
        return {}


def _read_trajectory(run: Path, record: SampleRecord) -> Trajectory | None:
    try:
        return read_json_file(Story, locate_story(run, *record.key)).trajectory
    except InfraError as error:
        if record.is_scored:
            log.warning(f"{error}; the answer is left out")
        return None


def encode_json_without_surrogates(value: object, *, indent: int | None = None) -> bytes:
    """JSON for every reader: a byte that wasn't UTF-8 is written as `\\udc80`, since many take no lone surrogate."""
    return json.dumps(_escape_lone_surrogates_in_nested_value(value), indent=indent, ensure_ascii=False).encode()


def _escape_lone_surrogates_in_nested_value(value: Any) -> Any:
    if isinstance(value, str):
        return escape_lone_surrogates(value)
    if isinstance(value, Mapping):
        return {
            escape_lone_surrogates(str(key)): _escape_lone_surrogates_in_nested_value(item)
            for key, item in value.items()
        }
    return (
        [_escape_lone_surrogates_in_nested_value(item) for item in value] if isinstance(value, list | tuple) else value
    )


def escape_lone_surrogates(text: str) -> str:
    """The text without lone surrogates."""
    return text.encode("utf-8", "backslashreplace").decode()
