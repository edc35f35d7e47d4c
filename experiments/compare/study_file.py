"""A study in one file: keys that vary, and a run for each of their combinations.

vary:
  model: [openai/gpt-4o, anthropic/claude-sonnet-4-5]
  seed: [0, 1]
arms: [none, oracle]        # every other key is the same in all runs
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.run.config import RunConfig, find_config_file, read_override, validate_config
from index.errors import ConfigError
from index.user_files import make_spelling_hint, read_yaml

VARY = "vary"
# They make up one run's samples, or where it lies; a list of them is no list of runs. Runs on two data sets can't be
# paired.
_NOT_VARIED = frozenset({"out", "mirror", "dataset", "arms", "repos", "tasks", "levels", "groups"})


@dataclass(frozen=True, slots=True)
class Combination:
    """A run of the study. `title` says what varies: `model=gpt-4o seed=1`."""

    title: str
    config: RunConfig


@dataclass(frozen=True, slots=True)
class Matrix:
    """The study's folder and its runs, each in a folder of its own there."""

    out: Path
    runs: tuple[Combination, ...]


def read_matrix(path: Path, overrides: Sequence[str] = ()) -> Matrix | None:
    """The study that the file describes; None for a file without `vary`. A `key=value` word for a key that varies
    leaves that value alone. Raises ConfigError: one line that names the file, the key and the fix."""
    path = find_config_file(path)
    data = read_yaml(path, ConfigError)
    if VARY not in data:
        return None
    given = dict(read_override(word) for word in overrides)
    vary = {key: values for key, values in _check_varied_keys(data.pop(VARY), str(path)).items() if key not in given}
    out = Path(given.get("out") or data.get("out") or Path("runs") / path.stem)
    runs: dict[str, Combination] = {}
    for values in itertools.product(*vary.values()):
        chosen = dict(zip(vary, values, strict=True))
        folder = "-".join(filter(None, (_make_folder_name(key, value) for key, value in chosen.items()))) or "run"
        if folder in runs:
            raise ConfigError(f"{path}: {VARY}: two combinations are called {folder}; leave one of them out")
        config = validate_config({**data, **chosen}, overrides, str(path))
        title = " ".join(f"{key}={value}" for key, value in chosen.items())
        runs[folder] = Combination(title, config.model_copy(update={"out": out / folder}))
    return Matrix(out, tuple(runs.values()))


def _check_varied_keys(given: object, origin: str) -> Mapping[str, Sequence[Any]]:
    if not isinstance(given, dict) or not given:
        raise ConfigError(f"{origin}: {VARY}: expected keys with lists, such as `model: [gold, stub]`")
    known = [key for key in RunConfig.model_fields if key not in _NOT_VARIED]
    for key, values in given.items():
        if key in _NOT_VARIED:
            raise ConfigError(f"{origin}: {VARY}.{key}: {key} can't vary; give it beside {VARY}, for all runs")
        if key not in known:
            raise ConfigError(f"{origin}: {VARY}.{key}: unknown key{make_spelling_hint(str(key), known)}")
        if not isinstance(values, list) or not values:
            raise ConfigError(f"{origin}: {VARY}.{key}: expected a list of values")
    return given


def _make_folder_name(key: str, value: object) -> str:
    """`gpt-4o`, `seed1`, `renamed-seed-1`; "" for null, which is the usual value."""
    if value is None:
        return ""
    text = value.rpartition("/")[2] if key == "model" and isinstance(value, str) else str(value)
    plain = re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-")
    return plain if isinstance(value, str) else f"{key}{plain}"
