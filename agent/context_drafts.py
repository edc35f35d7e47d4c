"""Drafts that lead to a better context (iterative arms): ask, retrieve by what the draft names, ask again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agent.values import Candidate, Draft, Round, Trajectory, Usage
from retrieval.values import Context


@dataclass(frozen=True, slots=True)
class DraftedContext:
    """The context that the drafts led to, the drafts in order, and their usage. `error` is "", or why a draft failed;
    the context is then the one that the failed draft was asked on."""

    context: Context
    drafts: tuple[Draft, ...]
    usage: Usage
    error: str = ""


def improve_context_by_drafts(
    first: Context,
    next_context: Callable[[str], Context],
    rounds: int,
    ask: Callable[[Context], Trajectory],
) -> DraftedContext:
    """`rounds` times: `ask` for a draft on the context, then make the next context from the function that it wrote,
    or from all of its text when there is no function. Ends early when a draft doesn't change the context, since the
    next request would be the same."""
    context = first
    drafts: list[Draft] = []
    usage = Usage()
    for _ in range(rounds):
        trail = ask(context)
        drafts.append(Draft(context, trail.messages, trail.rounds))
        usage += trail.usage
        if trail.error:
            return DraftedContext(context, tuple(drafts), usage, trail.error)
        following = next_context(take_code_or_text_of_last_round(trail.rounds))
        if following.snippets == context.snippets:
            break
        context = following
    return DraftedContext(context, tuple(drafts), usage)


def add_drafts_and_usage(trajectory: Trajectory, drafted: DraftedContext) -> Trajectory:
    return replace(trajectory, drafts=drafted.drafts, usage=drafted.usage + trajectory.usage)


def trajectory_of_failed_draft(drafted: DraftedContext) -> Trajectory:
    """The trajectory where no answer was asked for, since a draft failed."""
    empty = Trajectory((), (), Candidate(None, "no draft could be had"), error=drafted.error)
    return add_drafts_and_usage(empty, drafted)


def take_code_or_text_of_last_round(rounds: Sequence[Round]) -> str:
    """What a draft's conversation wrote in the end: the function, or all of its text where there is none."""
    if not rounds:
        return ""
    code = rounds[-1].candidate.code
    return rounds[-1].response.text if code is None else code
