"""Drafts that lead to a context: ask, look at what came, make the next context, ask again (iterative arms)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from agent.model.usage import total
from agent.values import Candidate, Draft, Trajectory, Usage
from retrieval.values import Context


@dataclass(frozen=True, slots=True)
class Drafted:
    """The context that the drafts led to, the drafts in order, and what they used. `error` is "" or why a draft
    couldn't be had: the context is then that of the last one that could."""

    context: Context
    drafts: tuple[Draft, ...]
    usage: Usage
    error: str = ""


def draft_context(
    first: Context,
    next_context: Callable[[str], Context],
    rounds: int,
    ask: Callable[[Context], Trajectory],
) -> Drafted:
    """`rounds` times: `ask` for a draft on the context, then make the `next_context` of what it wrote: the function
    in it, or all of its text when there is none. Ends early when a draft changes nothing in the context: the next
    request would be the same."""
    context = first
    drafts: list[Draft] = []
    usages: list[Usage] = []
    for _ in range(rounds):
        asked = ask(context)
        drafts.append(Draft(context, asked.messages, asked.rounds))
        usages.append(asked.usage)
        if asked.error:
            return Drafted(context, tuple(drafts), total(usages), asked.error)
        following = next_context(_wrote(asked))
        if following.snippets == context.snippets:
            break
        context = following
    return Drafted(context, tuple(drafts), total(usages))


def with_drafts(trajectory: Trajectory, drafted: Drafted) -> Trajectory:
    """The trajectory of the answer, with what came before it."""
    return replace(trajectory, drafts=drafted.drafts, usage=total((drafted.usage, trajectory.usage)))


def failed(drafted: Drafted) -> Trajectory:
    """The trajectory of an answer that was never asked for, since a draft failed."""
    empty = Trajectory((), (), Candidate(None, "no draft could be had"), error=drafted.error)
    return with_drafts(empty, drafted)


def _wrote(asked: Trajectory) -> str:
    if asked.candidate.code is not None:
        return asked.candidate.code
    return asked.rounds[-1].response.text if asked.rounds else ""
