"""The agent's loop, with tools or without: ask, react, until it ends. All of it on one screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from agent.model.limits import Limits, reached
from agent.model.window import over, room
from agent.prompts import PromptSet, Tools
from agent.repairing import Repairing
from agent.tooling import Tooling
from agent.tools.protocols import describe
from agent.tools.protocols.choice import ToolProtocol
from agent.tools.toolbox import Toolbox
from agent.trail import Case, called_in, ended
from agent.values import (
    TOOLS_REFUSED,
    Candidate,
    Compiler,
    Explainer,
    Model,
    ModelRequest,
    Trajectory,
)
from index.errors import ContextTooLongError, ModelError
from index.values import Target
from retrieval.values import Context


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """`seed` is the first sample's, sample n gets seed + n; `extra` as in ModelRequest. `window` is the model's, in
    tokens, prompt and answer together; None: unknown, the server must refuse what doesn't fit. `protocol` "auto" is
    native calls, and plain text once the server has refused them; `limits` hold for a conversation with tools."""

    model: str
    temperature: float | None = 0.0
    max_tokens: int | None = None
    seed: int | None = None
    repair_rounds: int = 0
    api_base: str | None = None
    extra: tuple[tuple[str, str], ...] = ()
    protocol: ToolProtocol = "auto"
    limits: Limits = Limits()  # noqa: RUF009 - frozen
    window: int | None = None


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
    toolbox: Toolbox | None = None,
    explainer: Explainer | None = None,
    on_step: Callable[[Trajectory], None] | None = None,
) -> Trajectory:
    """Ask, and react to what comes: check the draft and have it repaired up to `repair_rounds` times, or, with a
    `toolbox`, answer the calls of tools until one hands the function in.

    The candidate is the last that compiled, else the last that was found, whatever ended the conversation.
    `explainer` adds the repository's declarations to the compiler's messages. `on_step` gets the trajectory after
    every answer and after every reaction. A ModelError ends in `Trajectory.error`; a prompt that no longer fits the
    model's window ends the conversation, the first one is an error. CeilingReached, InfraError and UserError pass
    through.
    """
    texts = [one.text for one in context.snippets] + [context_text or ""]
    case = Case(target, prompts, compiler, explainer, settings.repair_rounds, called_in(texts))
    keep = on_step or (lambda trail: None)

    def opened(protocol: Literal["", "native", "text"]) -> Trajectory:
        form = describe(mode.specs) if protocol == "text" else ""
        tools = Tools(form, settings.limits.steps, compiler is not None) if protocol else None
        first = prompts.first(
            target, context, task_id=task_id, instruction=instruction, context_text=context_text, tools=tools
        )
        return Trajectory(first, (), Candidate(None, "the model gave no answer"), protocol=protocol)

    mode = Repairing(case) if toolbox is None else Tooling(case, toolbox, settings.limits)
    trail = opened("" if toolbox is None else "text" if settings.protocol == "text" else "native")
    while not (trail.ended or trail.error):
        request = _request(settings, trail, mode, sample)
        if why := reached(trail, settings.limits) if toolbox is not None else "":
            return ended(trail, why)
        try:
            over(request, trail, settings.window)
            response = model.complete(request)
        except ContextTooLongError as error:
            return ended(trail, "window") if trail.rounds else replace(trail, error=str(error))
        except ModelError as error:
            return replace(trail, error=str(error))
        if response.finish_reason == TOOLS_REFUSED:
            if settings.protocol != "auto" or trail.rounds:
                return replace(trail, error=f"the server takes no tools, say protocol=text: {response.text}")
            trail = opened("text")
            continue
        keep(trail := mode.answered(trail, response))
        keep(trail := mode.reacted(trail, room(trail, settings.window, settings.max_tokens)))
    return trail


def _request(settings: AgentSettings, trail: Trajectory, mode: Repairing | Tooling, sample: int) -> ModelRequest:
    return ModelRequest(
        model=settings.model,
        messages=trail.messages,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        seed=None if settings.seed is None else settings.seed + sample,
        sample=sample,
        api_base=settings.api_base,
        extra=settings.extra,
        tools=mode.specs if trail.protocol == "native" else (),
    )
