"""The agent: one answer, then rounds of compiler feedback. All of it on one screen."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from agent.answer import extract
from agent.feedback import is_fatal, worth_telling
from agent.prompts import PromptSet
from agent.usage import add_call, add_compile
from agent.values import (
    Candidate,
    Compiler,
    Declaration,
    Explainer,
    Message,
    Model,
    ModelRequest,
    ModelResponse,
    Round,
    Trajectory,
)
from index.errors import ContextTooLongError, ModelError
from index.values import Target
from retrieval.values import Context

# What the history keeps of an answer that rambles on: more would only push the task out of the window.
_HISTORY_CHARS = 24_000


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """`seed` is the first sample's, sample n gets seed + n; `extra` as in ModelRequest."""

    model: str
    temperature: float | None = 0.0
    max_tokens: int | None = None
    seed: int | None = None
    repair_rounds: int = 0
    api_base: str | None = None
    extra: tuple[tuple[str, str], ...] = ()


def run_agent(
    target: Target,
    context: Context,
    model: Model,
    prompts: PromptSet,
    settings: AgentSettings,
    compiler: Compiler | None,
    *,
    task_id: str,
    sample: int = 0,
    instruction: str | None = None,
    context_text: str | None = None,
    explainer: Explainer | None = None,
    on_step: Callable[[Trajectory], None] | None = None,
) -> Trajectory:
    """Ask, look, and with a compiler ask again up to `repair_rounds` times.

    The candidate is the last that compiled, else the last that was found. `explainer` adds the repository's
    declarations to the compiler's messages. `on_step` gets the trajectory after every answer and every check. A
    ModelError ends in `Trajectory.error`; when only a repair prompt doesn't fit the
    model's window, the rounds end and the best candidate so far stands. CeilingReached, InfraError and UserError
    pass through.
    """
    first = prompts.first(target, context, task_id=task_id, instruction=instruction, context_text=context_text)
    existing = _called_in(context, context_text)
    trail = Trajectory(messages=first, rounds=(), candidate=Candidate(None, "the model gave no answer"))
    feedback = compiler if settings.repair_rounds > 0 else None
    rounds_left = settings.repair_rounds if feedback is not None else 0
    while True:
        try:
            response = model.complete(_request(settings, trail.messages, sample))
        except ContextTooLongError as error:
            return _stopped(trail) if trail.rounds else replace(trail, error=str(error))
        except ModelError as error:
            return replace(trail, error=str(error))
        trail = _step(_answered(trail, response, target, existing), on_step)
        if feedback is not None and trail.rounds[-1].candidate.code is not None:
            trail = _step(_checked(trail, feedback), on_step)
        if rounds_left == 0 or _settled(trail.rounds[-1]):
            return trail
        rounds_left -= 1
        trail = _explained(trail, explainer)
        last = trail.rounds[-1]
        repair = prompts.repair(target, last.candidate, worth_telling(last.diagnostics or ()), last.declarations)
        trail = replace(trail, messages=(*trail.messages, repair))


def _request(settings: AgentSettings, messages: tuple[Message, ...], sample: int) -> ModelRequest:
    return ModelRequest(
        model=settings.model,
        messages=messages,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        seed=None if settings.seed is None else settings.seed + sample,
        sample=sample,
        api_base=settings.api_base,
        extra=settings.extra,
    )


def _called_in(context: Context, context_text: str | None) -> frozenset[str]:
    """Functions that the shown code defines or calls: the repository has them, so an answer may only quote them."""
    texts = [one.text for one in context.snippets] + [context_text or ""]
    return frozenset(name for text in texts for name in re.findall(r"([A-Za-z_]\w*)\s*\(", text))


def _answered(trail: Trajectory, response: ModelResponse, target: Target, existing: frozenset[str]) -> Trajectory:
    candidate = extract(response.text, target, existing=existing)
    if candidate.code is None and response.finish_reason == "length":
        candidate = replace(candidate, reason=f"{candidate.reason}; the answer was cut off (finish_reason: length)")
    return _with_rounds(
        replace(
            trail,
            messages=(*trail.messages, Message("assistant", _for_history(response.text))),
            usage=add_call(trail.usage, response),
        ),
        (*trail.rounds, Round(response, candidate, None)),
    )


def _checked(trail: Trajectory, compiler: Compiler) -> Trajectory:
    last = trail.rounds[-1]
    start = time.monotonic()
    diagnostics = tuple(compiler.check(last.candidate.code or ""))
    seconds = time.monotonic() - start
    checked = replace(last, diagnostics=diagnostics, check_seconds=seconds)
    return _with_rounds(replace(trail, usage=add_compile(trail.usage, seconds)), (*trail.rounds[:-1], checked))


def _explained(trail: Trajectory, explainer: Explainer | None) -> Trajectory:
    last = trail.rounds[-1]
    told = worth_telling(last.diagnostics or ())
    if explainer is None or last.candidate.code is None or not told:
        return trail
    declarations: tuple[Declaration, ...] = tuple(explainer.explain(last.candidate.code, told))
    return replace(trail, rounds=(*trail.rounds[:-1], replace(last, declarations=declarations)))


def _with_rounds(trail: Trajectory, rounds: tuple[Round, ...]) -> Trajectory:
    """The rounds, and the best candidate among them: the last that compiled, else the last that was found."""
    found = [one for one in rounds if one.candidate.code is not None]
    compiled = [one for one in found if _settled(one)]
    best = (compiled or found or rounds)[-1]
    return replace(trail, rounds=rounds, candidate=best.candidate)


def _stopped(trail: Trajectory) -> Trajectory:
    best = trail.candidate
    how = "; ".join(filter(None, (best.how, "repair stopped: the prompt no longer fits the model's window")))
    return replace(trail, candidate=replace(best, how=how))


def _settled(one: Round) -> bool:
    return one.candidate.code is not None and one.diagnostics is not None and not is_fatal(one.diagnostics)


def _for_history(text: str) -> str:
    if not text.strip():
        return "(no text)"  # several providers refuse an empty assistant message
    if len(text) <= _HISTORY_CHARS:
        return text
    return f"{text[:_HISTORY_CHARS]}\n[{len(text) - _HISTORY_CHARS} more characters]"


def _step(trail: Trajectory, on_step: Callable[[Trajectory], None] | None) -> Trajectory:
    if on_step is not None:
        on_step(trail)
    return trail
