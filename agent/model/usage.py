"""Sums of what a conversation or a run has used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from agent.values import ModelResponse, Usage


def add_call(usage: Usage, response: ModelResponse) -> Usage:
    """`usage` with one more call of the model. A response from the store counts as it did when it was paid for, so
    that a resumed run reports the same as an undisturbed one."""
    return replace(
        usage,
        calls=usage.calls + 1,
        prompt_tokens=usage.prompt_tokens + response.prompt_tokens,
        completion_tokens=usage.completion_tokens + response.completion_tokens,
        cost=_add_costs(usage.cost, response.cost),
        model_seconds=usage.model_seconds + response.seconds,
    )


def add_compile(usage: Usage, seconds: float) -> Usage:
    """`usage` with one more compiler check, of `seconds` wall time."""
    return replace(usage, compiles=usage.compiles + 1, compile_seconds=usage.compile_seconds + seconds)


def sum_usage(usages: Iterable[Usage]) -> Usage:
    """The sum; its cost is None when any cost is unknown."""
    each = tuple(usages)
    costs = [usage.cost for usage in each if usage.cost is not None]
    return Usage(
        calls=sum(usage.calls for usage in each),
        prompt_tokens=sum(usage.prompt_tokens for usage in each),
        completion_tokens=sum(usage.completion_tokens for usage in each),
        cost=sum(costs, 0.0) if len(costs) == len(each) else None,
        model_seconds=sum((usage.model_seconds for usage in each), 0.0),
        compiles=sum(usage.compiles for usage in each),
        compile_seconds=sum((usage.compile_seconds for usage in each), 0.0),
    )


def _add_costs(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else left + right
