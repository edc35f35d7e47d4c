"""What a run's folder has of a sample: its conversation, and what was built and tested."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from experiments.run.records import Execution, SampleRecord, Scored, Story, locate_story, read_json_file
from experiments.run.sampling.executions import RECORD
from index.errors import InfraError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """An answer as the rules called `name` read and score it; `execution` is None where nothing ran or is kept."""

    name: str
    scored: Scored
    execution: Execution | None


@dataclass(frozen=True, slots=True)
class StoredSample:
    """A sample with what is kept of it. `problems` names what is gone or damaged."""

    run: Path
    record: SampleRecord
    story: Story | None
    readings: tuple[AnswerReading, ...]
    problems: tuple[str, ...]


def read_sample(run: Path, record: SampleRecord) -> StoredSample:
    """All that the folder still has."""
    problems: list[str] = []

    def read_value_or_note_problem(kind: type[T], path: Path) -> T | None:
        try:
            return read_json_file(kind, path)
        except InfraError as error:
            problems.append(str(error))
            return None

    scores = [("graft", record.graft)]
    if record.official.execution != record.graft.execution and not record.holes:
        scores.append(("official", record.official))
    story = read_value_or_note_problem(Story, locate_story(run, *record.key))
    readings = tuple(
        AnswerReading(
            name,
            scored,
            read_value_or_note_problem(Execution, run / scored.execution / RECORD) if scored.execution else None,
        )
        for name, scored in scores
    )
    return StoredSample(run, record, story, readings, tuple(problems))
