"""The agent's loop: ask the model, react to its answer, until the conversation ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, Protocol

from agent.model.window import check_window, room_left
from agent.request import AgentRequest, AgentSettings
from agent.steps.repairing import Repairing
from agent.steps.tooling import Tooling
from agent.steps.trail import finish
from agent.values import TOOLS_REFUSED, Ended, Model, ModelRequest, ModelResponse, ToolSpec, Trajectory
from index.errors import ContextTooLongError, ModelError


class Steps(Protocol):
    """What happens to a conversation at its beginning and at each answer."""

    @property
    def protocol(self) -> Literal["", "native", "text"]: ...

    @property
    def specs(self) -> tuple[ToolSpec, ...]: ...

    def opening(self, protocol: Literal["", "native", "text"]) -> Trajectory: ...

    def limit_reached(self, trail: Trajectory) -> Ended: ...

    def with_answer(self, trail: Trajectory, response: ModelResponse) -> Trajectory: ...

    def with_reaction(self, trail: Trajectory, room: int | None) -> Trajectory: ...


def run_agent(request: AgentRequest) -> Trajectory:
    """Ask for the function, and react: without tools a draft is compiled and goes back to be repaired; with tools
    calls are answered until one hands the function in.

    The candidate is the last draft that compiled, else the last that was found, whatever ended the conversation. A
    failed call ends in `Trajectory.error`, and so does a first prompt that doesn't fit the model's window; a later
    prompt that no longer fits ends the conversation. CeilingReached, AnswerPending, InfraError and UserError pass
    through.
    """
    steps = Repairing(request) if request.toolbox is None else Tooling(request, request.toolbox)
    return converse(steps, request.model, request.settings, request.sample, request.on_step)


def converse(
    steps: Steps,
    model: Model,
    settings: AgentSettings,
    sample: int = 0,
    on_step: Callable[[Trajectory], None] | None = None,
) -> Trajectory:
    """The conversation that the steps make, to its end. Ends, fails and passes errors through as `run_agent` does."""
    trail = steps.opening(steps.protocol)
    while not (trail.ended or trail.error):
        trail = _turn(steps, model, settings, sample, on_step or (lambda trail: None), trail)
    return trail


def _turn(
    steps: Steps,
    model: Model,
    settings: AgentSettings,
    sample: int,
    keep: Callable[[Trajectory], None],
    trail: Trajectory,
) -> Trajectory:
    """The trajectory after one more call of the model, or at its end."""
    if why := steps.limit_reached(trail):
        return finish(trail, why)
    question = _model_request(settings, sample, steps, trail)
    try:
        check_window(question, trail, settings.window)
        response = model.complete(question)
    except ModelError as error:
        grown_too_long = isinstance(error, ContextTooLongError) and trail.rounds
        return finish(trail, "window") if grown_too_long else replace(trail, error=str(error))
    if response.finish_reason == TOOLS_REFUSED:
        if settings.protocol == "auto" and not trail.rounds:
            return steps.opening("text")
        return replace(trail, error=f"the server refuses tools; set protocol=text: {response.text}")
    keep(trail := steps.with_answer(trail, response))
    keep(trail := steps.with_reaction(trail, room_left(trail, settings.window, settings.max_tokens)))
    return trail


def _model_request(settings: AgentSettings, sample: int, steps: Steps, trail: Trajectory) -> ModelRequest:
    return ModelRequest(
        model=settings.model,
        messages=trail.messages,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        seed=None if settings.seed is None else settings.seed + sample,
        sample=sample,
        api_base=settings.api_base,
        extra=settings.extra,
        tools=steps.specs if trail.protocol == "native" else (),
    )
