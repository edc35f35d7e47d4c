"""What `graft make` is asked for, and make.yaml: all that it believes about a repository, for a person to correct."""

from __future__ import annotations

import datetime
import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, ValidationError, model_validator

from executor.cache import replace_file
from executor.grading.logs.parser import Parser, Regex
from executor.repository.recipe import RecipeSource
from executor.repository.suites import Suite
from index.errors import ConfigError
from index.user_files import StrictModel, explain_first_validation_problem, parse_yaml_up_to_size_limit, read_yaml
from index.values import Language

MAKE_FILE = "make.yaml"
# Beside it: a folder for each change of it that a model proposed (lab.setup.setup_rounds).
SETUP_FOLDER = "setup"
PROPOSED_FILE = "proposed.yaml"
System = Literal["cmake", "meson", "autotools", "make"]
Stage = Literal["detect", "build", "choose", "reach", "doctor", "write"]
MOST_HOLES = 16


class BuildSettings(StrictModel):
    """How the tree is built. `system` decides how its tests are listed; `folder` is where they are listed, relative to
    the root. `packages`: Debian packages that the sandbox's base needs beside a compiler, make, CMake, Perl, Tcl and
    Python. `commands`: shell lines, run in the root with $JOBS set."""

    system: System
    folder: str = "."
    packages: tuple[Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9+.-]+$")], ...] = ()
    commands: tuple[str, ...] = Field(min_length=1)
    env: Mapping[str, str] = {}
    jobs: int = Field(default=2, ge=1)
    timeout_s: float = Field(default=3600.0, gt=0)


class TestSettings(StrictModel):
    """Which tests judge. `target`: the target of a plain Makefile that runs them. `skip`: regular expressions of tests
    to leave out, by name. `timeout_s`: a test that takes longer is left out. `most`: so many suites at most, the
    quickest of each folder and fixture. `suites` and `parsers`, written as in a recipe, replace the found tests."""

    __test__ = False

    target: str = ""
    skip: tuple[Regex, ...] = ()
    timeout_s: float = Field(default=60.0, gt=0)
    most: int = Field(default=60, ge=1)
    suites: tuple[Suite, ...] = ()
    parsers: Mapping[str, Parser] = {}


class ChooseSettings(StrictModel):
    """Which functions become tasks. `lines`: the fewest and the most lines of a definition. `holes`: the fewest and
    the most functions of a task; those of one task belong together by the call graph. `hard`:
    clusters of 1, 2, 4, 8 and 16 functions within `holes`, each of which the tests notice, around one of 40 to 200
    lines; `tasks` is how many of each size, of 16 half as many. `since`: only functions whose
    body was changed on this day or later, by git. `documented`: only functions with a comment of `words` words or
    more. `exclude`: patterns (fnmatch) of files to leave out."""

    tasks: int = Field(default=50, ge=1)
    lines: tuple[int, int] = (5, 60)
    holes: tuple[int, int] = (1, 1)
    hard: bool = False
    since: datetime.date | None = None
    documented: bool = True
    words: int = Field(default=4, ge=1)
    exclude: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _check_ranges(self) -> ChooseSettings:
        if not 1 <= self.lines[0] <= self.lines[1]:
            raise ValueError("lines: give the fewest and the most, as [5, 60]")
        if not 1 <= self.holes[0] <= self.holes[1] <= MOST_HOLES:
            raise ValueError(f"holes: give the fewest and the most, as [1, 4]; at most {MOST_HOLES}")
        return self


class DoctorSettings(StrictModel):
    """How tasks are proved. `strength`: the least share of mutants that the tests must kill. `candidates`: look at so
    many times the wanted tasks, and at more where tests enter too few of them or too few are good tasks."""

    gold_runs: int = Field(default=3, ge=1)
    mutants: int = Field(default=4, ge=0)
    forgeries: bool = True
    budget_s: float = Field(default=60.0, gt=0)
    strength: float = Field(default=0.0, ge=0, le=1)
    candidates: float = Field(default=3.0, ge=1)


class MakeSettings(StrictModel):
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+$")]
    languages: tuple[Language, ...] = Field(min_length=1)
    source: RecipeSource
    build: BuildSettings
    tests: TestSettings = TestSettings()
    choose: ChooseSettings = ChooseSettings()
    doctor: DoctorSettings = DoctorSettings()


@dataclass(frozen=True, slots=True)
class MakeRequest:
    """What the command was asked for. `choose` counts only while there is no make.yaml. `until`: the last stage.
    `deadline`: when the doctor is to end, in seconds since the epoch: what it hasn't finished by then is left.
    `controls_end`: when the search for control runs is."""

    given: str
    out: Path
    rev: str | None = None
    mirror: Path | None = None
    choose: ChooseSettings = ChooseSettings()  # noqa: RUF009 - frozen
    until: Stage = "write"
    deadline: float = math.inf
    controls_end: float = math.inf


def read_settings(path: Path) -> MakeSettings:
    """Raises ConfigError: one line that names the file, the key and the fix."""
    return _validate_settings(read_yaml(path, ConfigError), str(path))


def parse_settings(text: str) -> MakeSettings:
    """The settings of a text that isn't in a file yet. Raises ConfigError as `read_settings` does."""
    try:
        data = parse_yaml_up_to_size_limit(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"{MAKE_FILE}: not YAML: {' '.join(str(error).split())}") from error
    return _validate_settings(data, MAKE_FILE)


def _validate_settings(data: object, where: str) -> MakeSettings:
    try:
        return MakeSettings.model_validate(data)
    except ValidationError as error:
        raise ConfigError(f"{where}: {explain_first_validation_problem(error, MakeSettings)}") from error


def write_settings(path: Path, settings: MakeSettings, reasons: Mapping[str, Sequence[str]]) -> None:
    """Write the file, with the reasons for what was detected as comments above its sections."""
    head = "# What `graft make` believes about this repository. Correct a line and run the same command again."
    dumped = settings.model_dump(mode="json", exclude_none=True)
    dumped["source"] = settings.source.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    parts = [head]
    for key, value in dumped.items():
        parts += [f"# {line}" for reason in reasons.get(key, ()) for line in reason.splitlines()]
        parts.append(_dump_yaml({key: value}).rstrip("\n"))
    replace_file(path, ("\n".join(parts) + "\n").encode())


def add_package_unless_line_edited(path: Path, package: str) -> bool:
    """Add a Debian package to `build: packages` of the file, whose other lines stay as they are. False where the line
    isn't written as Graft writes it."""
    packages = list(read_settings(path).build.packages)
    old, new = (textwrap.indent(_dump_yaml({"packages": names}), "  ") for names in (packages, [*packages, package]))
    text = path.read_text(encoding="utf-8")
    if text.count(old) != 1:
        return False
    replace_file(path, text.replace(old, new).encode())
    return True


class _Dumper(yaml.SafeDumper):
    """Writes a short list on one line, and a long one as a block that is easy to correct."""

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> yaml.SequenceNode:
        is_short = (
            all(isinstance(item, (str, int, float)) for item in sequence) and sum(map(len, map(str, sequence))) < 70
        )
        return super().represent_sequence(tag, sequence, flow_style=is_short)


def _dump_yaml(value: Any) -> str:
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
