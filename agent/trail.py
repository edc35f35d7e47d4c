"""What happens to a trajectory, step by step. It only grows; every function gives a new one."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

from agent.answer.extract import extract
from agent.explain.feedback import compiles, worth_telling
from agent.model.usage import add_call, add_compile
from agent.prompts import PromptSet
from agent.values import (
    Candidate,
    Compiler,
    Declaration,
    Ended,
    Explainer,
    Message,
    ModelResponse,
    Round,
    Trajectory,
)
from index.cpp.declarators import last_name
from index.values import Target

_CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")
_HOW: dict[Ended, str] = {
    "rounds": "",
    "window": "the conversation no longer fits the model's window",
    "steps": "the ceiling on steps was reached",
    "tokens": "the ceiling on tokens was reached",
    "cost": "the ceiling on cost was reached",
    "time": "the ceiling on time was reached",
    "repetition": "the model only repeated itself",
}


@dataclass(frozen=True, slots=True)
class Case:
    """What stays the same over a conversation. `compiler` is None where no draft is checked; `repairs` bounds how
    often a draft that doesn't compile goes back to the model; `existing` are functions that its context showed."""

    target: Target
    prompts: PromptSet
    compiler: Compiler | None
    explainer: Explainer | None
    repairs: int
    existing: frozenset[str]


def called_in(texts: Iterable[str]) -> frozenset[str]:
    """Functions that the shown code defines or calls: the repository has them, so an answer may only quote them."""
    return frozenset(name for text in texts for name in _CALLED.findall(text))


def answered(trail: Trajectory, response: ModelResponse, said: Message) -> Trajectory:
    """One answer more, nothing made of it yet."""
    entry = Round(response, Candidate(None, "no draft"), None)
    return replace(
        trail,
        messages=(*trail.messages, said),
        usage=add_call(trail.usage, response),
        rounds=(*trail.rounds, entry),
    )


def with_last(trail: Trajectory, entry: Round) -> Trajectory:
    """The last round replaced, and the best candidate: the last that compiled, else the last that was found."""
    rounds = (*trail.rounds[:-1], entry)
    found = [one for one in rounds if one.candidate.code is not None]
    compiled = [one for one in found if compiles(one)]
    return replace(trail, rounds=rounds, candidate=(compiled or found or rounds)[-1].candidate)


def told(trail: Trajectory, messages: Iterable[Message]) -> Trajectory:
    return replace(trail, messages=(*trail.messages, *messages))


def ended(trail: Trajectory, why: Ended) -> Trajectory:
    """The conversation is over; where a ceiling ended it, the candidate says so."""
    best, how = trail.candidate, _HOW.get(why, "")
    if how and best.code is None:
        best = replace(best, reason=f"{how}: {best.reason}")
    elif how:
        best = replace(best, how="; ".join(filter(None, (best.how, how))))
    return replace(trail, ended=why, candidate=best)


def draft(case: Case, trail: Trajectory, text: str, finish_reason: str) -> Candidate:
    """The function in a text. What the model was shown of the repository it may only quote."""
    shown = {last_name(name.split(" (")[0]) for one in trail.rounds for use in one.uses for name in use.shown}
    candidate = extract(text, case.target, existing=case.existing | shown)
    if candidate.code is None and finish_reason == "length":
        return replace(candidate, reason=f"{candidate.reason}; the answer was cut off (finish_reason: length)")
    return candidate


def checked(case: Case, trail: Trajectory, entry: Round) -> tuple[Trajectory, Round]:
    """The round with the compiler's word on its draft, and the repository's declarations beside it."""
    code = entry.candidate.code
    if case.compiler is None or code is None:
        return trail, entry
    start = time.monotonic()
    diagnostics = tuple(case.compiler.check(code))
    seconds = time.monotonic() - start
    entry = replace(entry, diagnostics=diagnostics, check_seconds=entry.check_seconds + seconds, declarations=())
    trail = replace(trail, usage=add_compile(trail.usage, seconds))
    telling = worth_telling(diagnostics)
    if case.explainer is not None and telling:
        declarations: tuple[Declaration, ...] = tuple(case.explainer.explain(code, diagnostics))
        entry = replace(entry, declarations=declarations)
    return trail, entry


def repair(case: Case, entry: Round, *, tools: bool = False) -> Message:
    """The message that asks for another draft."""
    telling = worth_telling(entry.diagnostics or ())
    return case.prompts.repair(case.target, entry.candidate, telling, entry.declarations, tools=tools)
