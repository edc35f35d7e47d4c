"""When a conversation ends by itself: ceilings, and turns that bring nothing new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.values import Ended, Round, Trajectory

# So many turns in a row may repeat earlier calls, or make no call and give no draft.
STALE_TURNS = 3


@dataclass(frozen=True, slots=True)
class ConversationLimits:
    """Ceilings of one conversation; None is no ceiling. `tokens` counts prompts and completions of all calls, `cost`
    is in USD, `seconds` is the model's own time: the response store keeps it, so that a replay ends where the first
    run did. A call in progress isn't cut off."""

    steps: int = 20
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


def find_reached_limit(trail: Trajectory, limits: ConversationLimits) -> Ended:
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
    return "repetition" if count_stale_turns(trail.rounds) >= STALE_TURNS else ""


def count_stale_turns(rounds: Sequence[Round]) -> int:
    """How many turns at the end are stale: each of their calls was made before with the same arguments, or there was
    neither a call nor a draft. A cycle of any length is found this way."""
    known: set[tuple[str, str]] = set()
    stale = 0
    for entry in rounds:
        asked = {(use.name, " ".join(use.arguments.split())) for use in entry.uses}
        new = bool(asked - known) if asked else entry.candidate.code is not None
        stale = 0 if new else stale + 1
        known |= asked
    return stale
