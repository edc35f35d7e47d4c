"""The trials of a folder of Harbor's jobs, as Harbor 0.25 leaves them.

A trial's `config.json` and `result.json` are Harbor's own. What lies in `agent/` and `artifacts/` was written by the
agent: it may hold links, forged names and any size.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, ValidationError

from experiments.harbor.verify import VERDICT_FILE, VerifierRecord
from experiments.run.records import decode_json_value
from index.errors import ConfigError, InfraError

SEPARATE = "separate"
# A trajectory of a long session has some megabytes.
_MOST_BYTES = 64 << 20
# JOBS, a job, a trial.
_MOST_LEVELS = 2


class HarborModel(BaseModel):
    """The keys that Graft reads; others are left."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def make_field_at_path(*path: str, default: Any = None) -> Any:
    """A field whose value lies at `path`."""
    return Field(default=default, validation_alias=AliasPath(*path))


class TrialResult(HarborModel):
    """A trial's result, with its configuration as `config`. `task` is what Harbor calls the task, and `task_path` its
    folder, as seen from where Harbor ran; `uri` is the trial's own folder. `model` is None where the agent was given
    none; tokens and cost are None where the agent doesn't tell. `error`: the name of the exception that Harbor
    recorded, "" for none. `started`, `ended`: of the agent alone. `mode`: the verifier's."""

    task: str = Field(
        default="",
        validation_alias=AliasChoices(
            "task_name", AliasPath("config", "task", "name"), AliasPath("config", "task", "path")
        ),
    )
    agent: str = Field(
        default="agent",
        validation_alias=AliasChoices(
            AliasPath("agent_info", "name"),
            AliasPath("config", "agent", "name"),
            AliasPath("config", "agent", "import_path"),
        ),
    )
    task_path: str | None = make_field_at_path("config", "task", "path")
    uri: str = make_field_at_path("trial_uri", default="")
    model: str | None = make_field_at_path("config", "agent", "model_name")
    prompt_tokens: int | None = make_field_at_path("agent_result", "n_input_tokens")
    completion_tokens: int | None = make_field_at_path("agent_result", "n_output_tokens")
    cost: float | None = make_field_at_path("agent_result", "cost_usd")
    error: str = make_field_at_path("exception_info", "exception_type", default="")
    message: str = make_field_at_path("exception_info", "exception_message", default="")
    started: datetime | None = make_field_at_path("agent_execution", "started_at")
    ended: datetime | None = make_field_at_path("agent_execution", "finished_at")
    mode: str | None = make_field_at_path("verifier_environment_mode")
    began: str = make_field_at_path("started_at", default="~")

    @property
    def agent_seconds_or_zero(self) -> float:
        return (self.ended - self.started).total_seconds() if self.started and self.ended else 0.0


@dataclass(frozen=True)
class Trial:
    """`is_whole`: Harbor wrote its result; where it was stopped there is the configuration alone."""

    folder: Path
    result: TrialResult
    is_whole: bool

    @cached_property
    def task_metadata_or_empty(self) -> Mapping[str, Any]:
        """What the task's folder says of the task, where it is still there."""
        # WHERE/JOBS/JOB/TRIAL
        above = Path(self.result.uri.removeprefix("file://")).parents
        places = [place / (self.result.task_path or "") / "task.toml" for place in (*above[1:3], Path())]
        try:
            found = next(place for place in places if place.is_file())
            return dict(tomllib.loads(found.read_text())["metadata"])
        except (OSError, StopIteration, ValueError, KeyError, TypeError):
            return {}

    @cached_property
    def verifier_record_or_problem(self) -> VerifierRecord | str:
        """What the verifier left, or why it can't be taken."""
        data = self.read_small_regular_file(f"verifier/{VERDICT_FILE}")
        if not self.is_whole:
            return "it has no result.json: Harbor was stopped in it, or is still at it"
        if self.result.mode != SEPARATE:
            return "its verifier ran where the agent could write its verdict: judge it with --regrade"
        if data is None:
            return f"its verifier left no {VERDICT_FILE}"
        try:
            return decode_json_value(VerifierRecord, data, VERDICT_FILE)
        except InfraError as error:
            return str(error)

    def read_small_regular_file(self, name: str) -> bytes | None:
        """A file of the trial's folder; None where there is none, or a link, or one that is too large."""
        path = self.folder / name
        try:
            plain = path.resolve(strict=True) == self.folder.resolve() / name and path.is_file()
            return path.read_bytes() if plain and path.stat().st_size <= _MOST_BYTES else None
        except OSError:
            return None


def read_trials(folder: Path) -> list[Trial]:
    """The trials of a job's folder, or of a folder of jobs, in the order in which they began. Raises ConfigError when
    there is none."""
    found = sorted(_find_trials(folder, _MOST_LEVELS), key=lambda trial: (trial.result.began, str(trial.folder)))
    if not found:
        raise ConfigError(f"{folder}: no trial of Harbor's lies there (what `harbor run -o` names holds jobs)")
    return found


def _find_trials(folder: Path, most_levels_below: int) -> Iterator[Trial]:
    config, result = (_read_json_object_or_empty(folder / name) for name in ("config.json", "result.json"))
    if "trial_name" in config:
        # Nothing below is looked at: an agent may leave a folder there that looks like another trial.
        try:
            whole = json.dumps({**result, "config": config})
            yield Trial(folder, TrialResult.model_validate_json(whole), bool(result))
        except ValidationError as error:
            raise ConfigError(f"{folder}: not as Harbor 0.25 writes it: {str(error).splitlines()[1]}") from error
    elif most_levels_below and folder.is_dir():
        for child in sorted(folder.iterdir()):
            if child.is_dir() and not child.is_symlink():
                yield from _find_trials(child, most_levels_below - 1)


def _read_json_object_or_empty(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
