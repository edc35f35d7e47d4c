"""A model's window: a prompt that doesn't fit is refused here, where some servers would cut it silently."""

from __future__ import annotations

from agent.values import Message, ModelRequest, Trajectory
from index.errors import ContextTooLongError
from retrieval.context.token_budget import estimate_tokens

# Left for an answer whose length the configuration doesn't bound.
_ANSWER_TOKENS = 4096
# What a message's role, id and marks cost in any template.
_MESSAGE_TOKENS = 8


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
