"""What a record keeps of a sample beside its verdict, so that a report needs neither the story nor the logs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoundCost:
    """What one answer of the model took: tokens, USD (None: unknown), wall seconds of the call and of the compiler,
    compilations, tool calls. `compiled` is None where no draft was checked. The first answer's counts hold those of
    the drafts that came before it."""

    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    model_s: float
    compiles: int
    check_s: float
    compiled: bool | None
    tools: int = 0

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class CalleeFacts:
    """The true body's callees that the repository has, by name, and what became of each: `shown` stood in something
    that the model saw, `used` in its answer, `misused` in the compiler's complaints about it. `known` is False
    where they couldn't be told (nothing but the data set's list, and that is empty)."""

    needed: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    misused: tuple[str, ...] = ()
    known: bool = False
