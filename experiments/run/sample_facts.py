"""Small values: what a record keeps beside the verdict, so that a report needs neither stories nor logs, and what a
run remembers of its inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Compare = Literal["none", "passed", "strict"]
"""Which candidates are compared with the gold, call by call: none, those that pass, and whether a difference fails
them."""

AuditState = Literal["", "honest", "partly", "unknown", "forged"]
"""What a control run showed; "" where there was none. `partly`: for some of the judging suites no sabotage is known,
or only such as may show before the task's function is entered. `unknown`: for none is one known."""


@dataclass(frozen=True, slots=True)
class RoundCost:
    """What an answer of the model cost: tokens, USD (None: unknown), wall seconds of the call and of the compiler,
    compilations, tool calls. `compiled` is None where nothing was checked. `handed_in`: the model gave it as its
    answer, and not to a tool; None in a record of an older version. The first answer's counts include the drafts
    before it."""

    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    model_s: float
    compiles: int
    check_s: float
    compiled: bool | None
    tools: int = 0
    handed_in: bool | None = None

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class CalleeFacts:
    """The true body's callees that the repository defines (`needed`), by name. The model saw those in `shown`; its
    answer has those in `used`; the compiler complained about those in `misused`. `known` is False where the callees
    are unknown: there is only the data set's list, and it is empty."""

    needed: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    misused: tuple[str, ...] = ()
    known: bool = False


@dataclass(frozen=True, slots=True)
class Input:
    """Something that a run's verdicts hang on. `origin` says in an error where it came from; `content` is its SHA-256,
    or the text itself where that is short."""

    origin: str
    content: str


@dataclass(frozen=True, slots=True)
class AuditFacts:
    """What a candidate's control run showed, its CPU seconds, and those of the candidate's own check, build and
    tests."""

    state: AuditState = ""
    cpu_s: float = 0.0
    tests_cpu_s: float = 0.0


@dataclass(frozen=True, slots=True)
class HoleFacts:
    """What became of one function of a task of several: whether the answer has it (`given`), whether it is its gold to
    the letter, and whether it passes `alone`, with the others' golds in their places; None where that wasn't tried,
    as where all pass together. `execution` is that trial's folder relative to the run's, "" when nothing ran."""

    name: str
    path: str
    given: bool
    exact_match: bool
    alone: bool | None = None
    execution: str = ""


@dataclass(frozen=True, slots=True)
class Recitation:
    """How far an answer was written from memory (docs/reference/scoring.md).

    gold          tokens of the gold's body; 0 in the record of an older Graft
    run           the longest run of them in the answer's body, None without an answer
    original_run  the same against the original's gold; None in a run of the original tree
    names         names of the original that nothing the model was shown could have told
    new_names     how many different names of the renamed tree the answers use
    """

    gold: int = 0
    run: int | None = None
    original_run: int | None = None
    names: tuple[str, ...] = ()
    new_names: int = 0
