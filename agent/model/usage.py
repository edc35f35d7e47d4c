"""Sums of what a trajectory, or a run, has used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from agent.values import ModelResponse, Usage


def add_call(usage: Usage, response: ModelResponse) -> Usage:
    """`usage` and one model call more. A response from the store counts as it did when it was paid for, so that
    a resumed run reports what an undisturbed one does."""
    return replace(
        usage,
        calls=usage.calls + 1,
        prompt_tokens=usage.prompt_tokens + response.prompt_tokens,
        completion_tokens=usage.completion_tokens + response.completion_tokens,
        cost=_add(usage.cost, response.cost),
        model_seconds=usage.model_seconds + response.seconds,
    )


def add_compile(usage: Usage, seconds: float) -> Usage:
    """`usage` and one compiler check more, of `seconds` wall time."""
    return replace(usage, compiles=usage.compiles + 1, compile_seconds=usage.compile_seconds + seconds)


def total(usages: Iterable[Usage]) -> Usage:
    """The sum; its cost is None as soon as one cost is unknown."""
    result = Usage()
    for one in usages:
        result = Usage(
            calls=result.calls + one.calls,
            prompt_tokens=result.prompt_tokens + one.prompt_tokens,
            completion_tokens=result.completion_tokens + one.completion_tokens,
            cost=_add(result.cost, one.cost),
            model_seconds=result.model_seconds + one.model_seconds,
            compiles=result.compiles + one.compiles,
            compile_seconds=result.compile_seconds + one.compile_seconds,
        )
    return result


def _add(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else left + right
