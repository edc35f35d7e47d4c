"""A model's window: what doesn't fit is refused or cut here, by rule; a server would cut it silently."""

from __future__ import annotations

from agent.values import Message, ModelRequest, Trajectory
from index.errors import ContextTooLongError
from retrieval.context.pack import estimate_tokens

# Left for an answer whose length the configuration doesn't bound.
_ANSWER_TOKENS = 4096
# What roles, ids and marks of a message cost in any template.
_MESSAGE_TOKENS = 8


def over(request: ModelRequest, trail: Trajectory, window: int | None) -> None:
    """Raise ContextTooLongError when the prompt and the longest answer don't fit into `window` tokens. What the
    provider counted so far is trusted; the rest is our estimate, which is on the safe side."""
    if window is None:
        return
    needed = _prompt_tokens(request, trail) + (request.max_tokens or _ANSWER_TOKENS)
    if needed > window:
        raise ContextTooLongError(
            f"{request.model}: the prompt doesn't fit: about {needed} tokens with the answer, the window holds"
            f" {window}; lower context_tokens or answer_tokens, or raise window"
        )


def room(trail: Trajectory, window: int | None, max_tokens: int | None) -> int | None:
    """How many tokens of results still fit after the last answer, with two answers more; None without a known
    window."""
    if window is None or not trail.rounds:
        return None
    last = trail.rounds[-1].response
    return max(0, window - last.prompt_tokens - last.completion_tokens - 2 * (max_tokens or _ANSWER_TOKENS))


def _prompt_tokens(request: ModelRequest, trail: Trajectory) -> int:
    last = trail.rounds[-1].response if trail.rounds else None
    if last is not None and not last.tokens_estimated:
        answer = max(n for n, one in enumerate(trail.messages) if one.role == "assistant")
        new = trail.messages[answer + 1 :]
        return last.prompt_tokens + last.completion_tokens + sum(map(_tokens, new))
    tools = sum(estimate_tokens(one.description + one.parameters) for one in request.tools)
    return tools + sum(map(_tokens, request.messages))


def _tokens(one: Message) -> int:
    return _MESSAGE_TOKENS + sum(map(estimate_tokens, (one.content, *(call.arguments for call in one.calls))))
