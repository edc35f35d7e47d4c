"""When a conversation ends by itself: ceilings, turns that bring nothing new, and a prompt that doesn't fit the
model's window, which some servers would cut silently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.values import Ended, Message, ModelRequest, Round, Trajectory
from index.errors import ContextTooLongError
from retrieval.context.token_budget import estimate_tokens

# So many turns in a row may repeat earlier calls, or make no call and give no draft.
STALE_TURNS = 3
# Left for an answer whose length the configuration doesn't bound.
_ANSWER_TOKENS = 4096
# What a message's role, id and marks cost in any template.
_MESSAGE_TOKENS = 8


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
    # Calls without a known price count as 0 USD, as in a run's ceiling: one of them makes the sum of all unknown.
    if limits.cost is not None and sum(entry.response.cost or 0.0 for entry in trail.rounds) >= limits.cost:
        return "cost"
    if limits.seconds is not None and usage.model_seconds >= limits.seconds:
        return "time"
    return "repetition" if count_stale_turns_at_end(trail.rounds) >= STALE_TURNS else ""


def count_stale_turns_at_end(rounds: Sequence[Round]) -> int:
    """How many turns at the end are stale: each of their calls was made before with the same arguments, and brought no
    other draft, or there was neither a call nor a draft. A cycle of any length is found this way."""
    known: set[tuple[str, str]] = set()
    drafts: set[str | None] = {None}
    stale = 0
    for entry in rounds:
        asked = {(use.name, " ".join(use.arguments.split())) for use in entry.uses}
        # The draft may stand in a fence beside the call.
        code = entry.candidate.code
        new = bool(asked - known) or code not in drafts if asked else code is not None
        stale = 0 if new else stale + 1
        known |= asked
        drafts.add(code)
    return stale


def require_prompt_fits_window(request: ModelRequest, trail: Trajectory, window: int | None) -> None:
    """Raises ContextTooLongError when the prompt and the longest answer don't fit into `window` tokens (None:
    unknown). The provider's counts of earlier calls are trusted; the rest is estimated, on the safe side."""
    if window is None:
        return
    needed = _estimate_prompt_tokens(request, trail) + (request.max_tokens or _ANSWER_TOKENS)
    if needed > window:
        raise ContextTooLongError(
            f"{request.model}: the prompt doesn't fit: about {needed} tokens with the answer, the window holds"
            f" {window}; lower context_tokens or answer_tokens, or raise window"
        )


def count_tokens_left_for_results(trail: Trajectory, window: int | None, max_tokens: int | None) -> int | None:
    """How many tokens of results still fit after the last answer, with two more answers to come; None when the
    window is unknown."""
    if window is None or not trail.rounds:
        return None
    last = trail.rounds[-1].response
    return max(0, window - last.prompt_tokens - last.completion_tokens - 2 * (max_tokens or _ANSWER_TOKENS))


def _estimate_prompt_tokens(request: ModelRequest, trail: Trajectory) -> int:
    last = trail.rounds[-1].response if trail.rounds else None
    if last is not None and not last.tokens_estimated:
        answer = max(n for n, message in enumerate(trail.messages) if message.role == "assistant")
        new = trail.messages[answer + 1 :]
        return last.prompt_tokens + last.completion_tokens + sum(map(_estimate_message_tokens, new))
    tools = sum(estimate_tokens(tool.description + tool.parameters) for tool in request.tools)
    return tools + sum(map(_estimate_message_tokens, request.messages))


def _estimate_message_tokens(message: Message) -> int:
    texts = (message.content, *(call.arguments for call in message.calls))
    return _MESSAGE_TOKENS + sum(map(estimate_tokens, texts))
