"""What a variant is and what is known of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Style = Literal["nonsense", "plausible", "swapped"]
STYLES: tuple[Style, ...] = get_args(Style)


@dataclass(frozen=True, slots=True)
class VariantSpec:
    """What a user asks for. `files`: file names change as well; `locals`: parameters and local variables too."""

    style: Style = "nonsense"
    seed: int = 1
    files: bool = False
    locals: bool = False

    @property
    def slug(self) -> str:
        """A name for folders: `plausible-2-files`."""
        return f"{self.style}-{self.seed}" + "-files" * self.files + "-locals" * self.locals

    def __str__(self) -> str:
        """As `variant=` takes it: `renamed:style=plausible,seed=2`."""
        more = ",files=true" * self.files + ",locals=true" * self.locals
        return f"renamed:style={self.style},seed={self.seed}{more}"


@dataclass(frozen=True, slots=True)
class Proof:
    """What was shown of a variant in a sandbox. `image` is the key of its warm image. Counts are of tasks or of
    suites; `problems` are lines for a person, and a variant with any isn't proved.

    rounds    how often the build was tried, with the map mended between
    suites    suites whose results are the original's, name by name
    golds     renamed golds that passed all `gold_runs` runs, of `golds_tried`; there are `tasks` (0: not recorded)
    stubs     stubs that failed, of `stubs_tried`
    reruns    tasks whose examination gave the original manifest's result, of `reruns_tried`
    plus_tasks  tasks whose plus tests, renamed, say of gold, stubs and wrong bodies what they say on the original, of
              `plus_tried`; those of other tasks grade nothing on the variant
    seconds   stage -> wall seconds
    datasets  those whose tasks were tried; empty in a proof of before 2026-11-28
    """

    sandbox: str
    image: str
    date: str
    rounds: int = 1
    suites: int = 0
    suites_tried: int = 0
    tests: int = 0
    golds: int = 0
    golds_tried: int = 0
    gold_runs: int = 3
    stubs: int = 0
    stubs_tried: int = 0
    reruns: int = 0
    reruns_tried: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    tasks: int = 0
    plus_tasks: tuple[str, ...] = ()
    plus_tried: int = 0
    datasets: tuple[str, ...] = ()

    @property
    def has_tried_suites_without_problems(self) -> bool:
        return not self.problems and self.suites_tried > 0

    @property
    def passed_golds_of_tried(self) -> str:
        """`60 of 60`, and `2 of 2 (67 tasks)` where fewer were asked for than there are."""
        return f"{self.golds} of {self.golds_tried}" + f" ({self.tasks} tasks)" * (self.golds_tried < self.tasks)


@dataclass(frozen=True, slots=True)
class LearntNames:
    """What variants of a tree showed of its names, whatever the style and seed: those that must stay, with the reason,
    and names of outside that can be renamed all the same."""

    stay: Mapping[str, str] = field(default_factory=dict)
    free: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class VariantRecord:
    """A variant: its map, what stays under its own name and why, and its proof (None before there is one).

    original  the name of the original's source tree, with its commit in it
    names     identifier -> new identifier; injective
    kept      identifier that the repository defines -> why it stays
    paths     path -> new path, for files that are renamed; empty otherwise
    digest    of `names` and `paths`: two trees with the same digest are the same
    used      how many different identifiers that the repository defines the golds use
    used_renamed  how many of them are renamed
    learnt    of `kept`, the names that no rule holds: preprocessor, compiler, build or suites showed that they stay
    free      names of outside as well, which the compiler showed can be renamed
    """

    repo: str
    spec: VariantSpec
    commit: str
    original: str
    names: Mapping[str, str]
    kept: Mapping[str, str]
    paths: Mapping[str, str]
    digest: str
    used: int = 0
    used_renamed: int = 0
    proof: Proof | None = None
    learnt: tuple[str, ...] = ()
    free: tuple[str, ...] = ()

    @property
    def renamed_share_of_gold_identifiers(self) -> float | None:
        """The share of the golds' identifiers that is renamed, None where no gold was looked at."""
        return self.used_renamed / self.used if self.used else None

    def new_path_of(self, original: str) -> str:
        """The path of a file in the variant's tree."""
        return self.paths.get(original, original)
