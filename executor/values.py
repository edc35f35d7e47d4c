"""The values that pass between the stages of execution and grading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from index.function_texts import split_functions_or_empty
from index.values import Target


class Level(StrEnum):
    """How far away the callees of the true body lie (YABLoCo's five levels)."""

    NONE = "none"
    STDLIB = "stdlib"
    FILE = "file"
    PACKAGE = "package"
    PROJECT = "project"


class Outcome(StrEnum):
    """How a sample ended. TO_REVIEW: it passed, its control runs too, and it has a flag: a person has to look.
    MODEL_ERROR: no answer came from the model's server. INFRA_ERROR: Graft itself failed."""

    PASSED = "passed"
    TESTS_FAILED = "tests_failed"
    BUILD_FAILED = "build_failed"
    TIMEOUT = "timeout"
    TO_REVIEW = "to_review"
    NO_ANSWER = "no_answer"
    MODEL_ERROR = "model_error"
    INFRA_ERROR = "infra_error"


class Tier(StrEnum):
    """The stages of a candidate's way, in order. A verdict names the one that stopped it."""

    ANSWER = "answer"
    CHECK = "check"
    BUILD = "build"
    TESTS = "tests"


# Which candidates that pass get a control run.
Audit = Literal["all", "flagged", "none"]


@dataclass(frozen=True, slots=True)
class OracleItem:
    """A callee of the true body, as the data set gives it; `path` and `name` are "" where it doesn't say."""

    text: str
    path: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """A task bound to its repository's source. `gold` is the repository's own text at the span, byte for byte (UTF-8
    with surrogateescape). `dataset_gold` is the data set's text, and `official_gold` what the official exact match
    compares with where that is another. `notes` name the damage that was found. `instruction` is the row's own prompt
    template and `oracle_text` its context (MERA), both verbatim.

    Of a task of several functions `target` is a HoleSet, and `gold` the joined text of all (see
    `index.function_texts`)."""

    id: str
    target: Target
    gold: str
    dataset_gold: str
    oracle: tuple[OracleItem, ...]
    level: Level
    dataset: str
    dataset_version: str
    instruction: str | None = None
    oracle_text: str | None = None
    notes: tuple[str, ...] = ()
    meta: Mapping[str, str] = field(default_factory=dict)
    official_gold: str | None = None

    @property
    def golds(self) -> tuple[str, ...]:
        """The gold of each of its functions."""
        return split_functions_or_empty(self.gold, len(self.target.holes))


class TestStatus(StrEnum):
    __test__ = False

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class TestResult:
    __test__ = False

    name: str
    status: TestStatus


@dataclass(frozen=True, slots=True)
class Step:
    """One command that ran for a candidate. `log` is a path relative to the record's folder."""

    name: str
    tier: Tier
    argv: tuple[str, ...]
    cwd: str
    exit_code: int | None
    timed_out: bool
    oom: bool
    truncated: bool
    wall_s: float
    cpu_s: float | None
    log: str

    @property
    def cost_s(self) -> float:
        """CPU seconds, or wall seconds where the sandbox doesn't measure CPU time."""
        return self.wall_s if self.cpu_s is None else self.cpu_s


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """One suite's step and the result of each of its tests, in the order printed. `problem`: why these results don't
    stand, or "". `failed_status`: the exit status of an ordinary failed test, None unless the suite's own end was
    read."""

    suite: str
    step: Step
    results: tuple[TestResult, ...]
    problem: str = ""
    failed_status: int | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What the repository and the gold say of a candidate's text. `names`: those of its words that the repository
    defines or that the function's file calls; words for what is dangerous are among them only when the gold uses them.
    `leads`: its words that the repository defines, that the file doesn't call, and that lead to what is dangerous.
    `marks`: the flags that the gold's own text raises. `writes`: whether `names` also holds the globals that the file
    writes to, `lasting` whether `marks` knows of variables that live between calls, and `defines` whether it knows
    what the gold defines; records of older versions don't, so nothing can be said of these."""

    names: tuple[str, ...] = ()
    leads: Mapping[str, str] = field(default_factory=dict)
    marks: tuple[str, ...] = ()
    writes: bool = False
    lasting: bool = False
    defines: bool = False


@dataclass(frozen=True, slots=True)
class Sabotage:
    """A function that is broken on purpose: a suite must fail then. It is the recipe of a change, and no text of the
    repository. `path`, `function` and the lines `first`..`last` name it, `digest` its unmodified text, `change` what
    is done to it (see executor.function.sabotage).

    tasks   these tasks' functions are entered before it shows, and it shows outside them: what a forged body hides;
            or it is such a function's own change `after-N`
    others  it shows outside these tasks' functions, but perhaps before they are entered
    """

    path: str
    function: str
    first: int
    last: int
    change: str
    digest: str
    tasks: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ControlRun:
    """A judging suite run once more, with `function` of the file `path` broken by `change`. The three are "" and `run`
    is None where no sabotage is known; `run` is also None where the programs couldn't be built. `late`: on the
    unmodified source the fault shows only after the task's function was entered, so that a forged body would hide it.
    A suite may have several, each with another sabotage. `again`: further runs of a suite that passed, each in a
    session of its own. `idle`: where the task's own function broke, runs with the same change set so that it never
    shows: one that passed, or up to three.
    """

    suite: str
    path: str = ""
    function: str = ""
    change: str = ""
    late: bool = False
    build: tuple[Step, ...] = ()
    run: SuiteRun | None = None
    again: tuple[SuiteRun, ...] = ()
    idle: tuple[SuiteRun, ...] = ()

    @property
    def sabotaged_runs(self) -> tuple[SuiteRun, ...]:
        return () if self.run is None else (self.run, *self.again)


@dataclass(frozen=True, slots=True)
class TestRun:
    """All that was observed of one candidate. `infra_error` is "" or what failed in Graft itself. `changed` are source
    files and build products that were changed while the suites ran, `added` new files beside source files.
    `confinement` says in one line how the candidate's programs were kept apart from the suites' drivers: `full`, or
    what didn't hold; "" when they weren't. `known` is None in records of older versions. `controls` has an entry for
    each judging suite of a candidate that was audited; none of one that wasn't."""

    __test__ = False

    check: tuple[Step, ...]
    build: tuple[Step, ...]
    suites: tuple[SuiteRun, ...]
    infra_error: str = ""
    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    confinement: str = ""
    known: Known | None = None
    controls: tuple[ControlRun, ...] = ()


@dataclass(frozen=True, slots=True)
class ExpectedTests:
    """What passed on the unmodified source: suite -> test name -> how often. `ignored` are names of tests that don't
    count. `rewritten` are files of the tree that its own tests change.

    `ignored_in`: the ignored names that each suite printed there; without it (older records) every ignored name is
    taken for any suite's. `statuses`: the exit statuses other than 0 with which a suite ended there.
    """

    suites: Mapping[str, Mapping[str, int]]
    ignored: frozenset[str] = frozenset()
    rewritten: frozenset[str] = frozenset()
    ignored_in: Mapping[str, frozenset[str]] = field(default_factory=dict)
    statuses: Mapping[str, frozenset[int]] = field(default_factory=dict)

    def list_ignored_tests(self, suite: str) -> frozenset[str]:
        """The names of this suite's tests that don't count."""
        return self.ignored_in.get(suite, frozenset()) if self.ignored_in else self.ignored


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement on one candidate. `built` is True once everything that the chosen tests need was compiled and
    linked. `flags` name what a reviewer should look at, as exits in the candidate's text."""

    outcome: Outcome
    tier: Tier
    built: bool
    reason: str
    passed: int = 0
    failed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def has_passed_or_awaits_review(self) -> bool:
        """Whether its suites and its control runs let it through. With a flag that isn't yet a pass (`TO_REVIEW`)."""
        return self.outcome in (Outcome.PASSED, Outcome.TO_REVIEW)
