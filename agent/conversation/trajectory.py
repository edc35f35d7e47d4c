"""A trajectory grows step by step. Nothing in it changes but its last round; every function returns a new one."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent.answer.extraction import THOUGHTS_ALONE
from agent.answer.multi_function import extract_functions, list_missing_functions
from agent.explain.feedback import has_compiled, select_first_errors_and_bug_warnings
from agent.model.usage import add_call
from agent.prompts import ToolIntroduction
from agent.request import AgentRequest
from agent.tools.protocols import describe_text_protocol
from agent.values import (
    REFUSED,
    Candidate,
    Ended,
    Message,
    ModelResponse,
    Round,
    ToolSpec,
    Trajectory,
    Usage,
    UsedProtocol,
)
from index.cpp.declarators import unqualified_name
from index.values import Diagnostic

# Short, and nothing but a refusal: an apology before prose about code isn't one.
_REFUSAL = re.compile(
    r"(?:(?:I'm|I am) (?:very |so )?sorry|Sorry|Unfortunately)?[,.;:]?\s*(?:but )?"
    r"I (?:can't|cannot|can not|won't|will not|am unable to|am not able to|'m unable to|'m not able to)\b"
    r"(?! (?:see|find|tell))[^`{}]{0,300}\Z",
    re.IGNORECASE,
)
_CALLED_NAME = re.compile(r"([A-Za-z_]\w*)\s*\(")
# What a candidate says about a conversation that didn't end by itself.
_ENDING_REASONS: dict[Ended, str] = {
    "window": "the conversation no longer fits the model's window",
    "steps": "the ceiling on steps was reached",
    "tokens": "the ceiling on tokens was reached",
    "cost": "the ceiling on cost was reached",
    "time": "the ceiling on time was reached",
    "repetition": "the model only repeated itself",
    "left": "the client left before it handed a function in",
}


def open_conversation(request: AgentRequest, protocol: UsedProtocol, specs: Sequence[ToolSpec]) -> Trajectory:
    """The messages that open the conversation; `protocol` is "" where there are no tools."""
    tools = None
    if protocol:
        form = describe_text_protocol(specs) if protocol == "text" else ""
        tools = ToolIntroduction(form, request.settings.limits.steps, request.compiler is not None)
    messages = request.prompts.select_set_for_hole_count(request.target).render_opening(
        request.target,
        request.context,
        task_id=request.task_id,
        instruction=request.instruction,
        context_text=request.context_text,
        tools=tools,
    )
    return Trajectory(messages, (), Candidate(None, "the model gave no answer"), protocol=protocol)


def add_response(trail: Trajectory, response: ModelResponse, message: Message) -> Trajectory:
    """One answer more, with `message` as the history's form of it. Its draft isn't looked for yet."""
    return replace(
        trail,
        messages=(*trail.messages, message),
        usage=add_call(trail.usage, response),
        rounds=(*trail.rounds, Round(response, Candidate(None, "no draft"), None)),
    )


def add_answer_with_draft(
    request: AgentRequest, trail: Trajectory, response: ModelResponse, message: Message
) -> Trajectory:
    """One answer more, whose text holds the draft."""
    trail = add_response(trail, response, message)
    candidate = extract_draft_candidate(request, trail, response.text, response)
    return replace_round_and_reselect_candidate(trail, replace(trail.rounds[-1], candidate=candidate))


def replace_round_and_reselect_candidate(trail: Trajectory, last_round: Round) -> Trajectory:
    """The last round replaced, and the best candidate: the last that compiled, else the last that was found."""
    rounds = (*trail.rounds[:-1], last_round)
    found = [each for each in rounds if each.candidate.code is not None]
    # A reason beside a code names functions that are still missing; what is handed in stays, so there are ever fewer.
    found = [each for each in found if not each.candidate.reason] or found
    compiled = [each for each in found if has_compiled(each)]
    return replace(trail, rounds=rounds, candidate=(compiled or found or rounds)[-1].candidate)


def add_messages(trail: Trajectory, messages: Iterable[Message]) -> Trajectory:
    return replace(trail, messages=(*trail.messages, *messages))


def end_conversation(trail: Trajectory, why: Ended) -> Trajectory:
    """The conversation is over. Where a limit ended it, the candidate says so."""
    best, cause = trail.candidate, _ENDING_REASONS.get(why, "")
    if cause and best.code is None:
        best = replace(best, reason=f"{cause}: {best.reason}")
    elif cause:
        best = replace(best, how=f"{best.how}; {cause}" if best.how else cause)
    return replace(trail, ended=why, candidate=best)


def extract_draft_candidate(
    request: AgentRequest, trail: Trajectory, text: str, response: ModelResponse, entry: Round | None = None
) -> Candidate:
    """The function in a text. What the target's files define, and functions that the model was shown, it may only
    quote: they exist already. Of several functions those that the text lacks are taken from the draft in `entry`, the
    present round, or before."""
    shown_texts = (*(snippet.text for snippet in request.context.snippets), request.context_text or "")
    existing = {name for shown in shown_texts for name in _CALLED_NAME.findall(shown)}
    existing |= request.existing | {
        unqualified_name(name.split(" (")[0]) for entry in trail.rounds for use in entry.uses for name in use.shown
    }
    drafts = [each.candidate.code for each in (*trail.rounds, *filter(None, [entry])) if each.candidate.code]
    candidate = extract_functions(text, request.target, existing=existing, earlier_code=drafts[-1] if drafts else None)
    if candidate.code is None:
        return replace(candidate, reason=_explain_missing_answer(text, response, candidate.reason))
    return candidate


def _explain_missing_answer(text: str, response: ModelResponse, reason: str) -> str:
    """The reason; where the provider or the model held the answer back, with a word before it that names the report's
    cause, and with what to change."""
    finish = response.finish_reason
    if finish == "length":
        return f"cut off: {reason}; the answer reached its limit (finish_reason: length): raise answer_tokens"
    if finish == "content_filter":
        return (
            f"filtered: {reason}; the provider stopped the answer (finish_reason: content_filter): try another model"
        )
    if finish == REFUSED or _REFUSAL.match(text.strip()):
        return f"refused: the model says {' '.join(text.split())[:200]!r}: try another model or other prompts"
    if reason == THOUGHTS_ALONE or (response.reasoning and not text.strip()):
        return (
            f"only thoughts: {reason}, the answer may stand in them: raise answer_tokens or lower the model's effort"
        )
    return reason


def compile_and_explain_draft(request: AgentRequest, trail: Trajectory, entry: Round) -> tuple[Trajectory, Round]:
    """The round with the compiler's messages on its draft, and the declarations that explain them."""
    code = entry.candidate.code
    if request.compiler is None or code is None:
        return trail, entry
    start = time.monotonic()
    diagnostics = (*request.compiler.check(code), *_make_missing_function_errors(request, code))
    seconds = time.monotonic() - start
    entry = replace(entry, diagnostics=diagnostics, check_seconds=entry.check_seconds + seconds, declarations=())
    trail = replace(trail, usage=trail.usage + Usage(compiles=1, compile_seconds=seconds))
    if request.explainer is not None and select_first_errors_and_bug_warnings(diagnostics):
        entry = replace(entry, declarations=tuple(request.explainer.explain(code, diagnostics)))
    return trail, entry


def _make_missing_function_errors(request: AgentRequest, code: str) -> Iterable[Diagnostic]:
    names = list_missing_functions(code, request.target)
    for number, hole in enumerate(request.target.holes, start=1):
        if hole.name in names:
            message = f"function {number}, {hole.name}, is missing from your answer"
            # Not its line on disk, which tells how long the hidden bodies above it are.
            yield Diagnostic("error", message, hole.path, 1, 1, False)


def make_repair_message(request: AgentRequest, entry: Round) -> Message:
    return request.prompts.select_set_for_hole_count(request.target).render_repair(
        request.target,
        entry.candidate,
        select_first_errors_and_bug_warnings(entry.diagnostics or ()),
        entry.declarations,
        tools=request.toolbox is not None,
    )
