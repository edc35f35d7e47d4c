"""When a conversation ends by itself: ceilings, and turns that bring nothing new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.values import Ended, Round, Trajectory

# So many turns in a row that asked only what had been asked before, or asked and answered nothing.
STALE_TURNS = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings of one trajectory. `tokens` counts prompts and completions of all calls together, `cost` is in USD,
    `seconds` is the model's own time: the store knows it, so that a replay ends where the first run did. None is no
    ceiling. A call in flight isn't cut off."""

    steps: int = 20
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


def reached(trail: Trajectory, limits: Limits) -> Ended:
    """Why no further call is made, or ""."""
    usage = trail.usage
    if len(trail.rounds) >= limits.steps:
        return "steps"
    if limits.tokens is not None and usage.prompt_tokens + usage.completion_tokens >= limits.tokens:
        return "tokens"
    if limits.cost is not None and (usage.cost or 0.0) >= limits.cost:
        return "cost"
    if limits.seconds is not None and usage.model_seconds >= limits.seconds:
        return "time"
    return "repetition" if stale_turns(trail.rounds) >= STALE_TURNS else ""


def stale_turns(rounds: Sequence[Round]) -> int:
    """How many of the last turns in a row were stale: each call in them had been made before with the same
    arguments, or there was none and no draft either. A cycle of any length shows by it."""
    known: set[tuple[str, str]] = set()
    stale = 0
    for one in rounds:
        asked = {(use.name, " ".join(use.arguments.split())) for use in one.uses}
        new = bool(asked - known) if asked else one.candidate.code is not None
        stale = 0 if new else stale + 1
        known |= asked
    return stale
