"""Sums of what a conversation or a run has used."""

from __future__ import annotations

from collections.abc import Iterable

from agent.values import ModelResponse, Usage


def add_call(usage: Usage, response: ModelResponse) -> Usage:
    """`usage` with one more call of the model. A response from the store counts as it did when it was paid for, so
    that a resumed run reports the same as an undisturbed one."""
    return usage + Usage(
        1, response.prompt_tokens, response.completion_tokens, response.cost, model_seconds=response.seconds
    )


def sum_usage(usages: Iterable[Usage]) -> Usage:
    """The sum; its cost is None when any cost is unknown."""
    return sum(usages, Usage())
