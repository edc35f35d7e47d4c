"""The agent's loop: ask the model, react to its answer, until the conversation ends."""

from __future__ import annotations

from dataclasses import replace

from agent.model.window import check_window, room_left
from agent.request import AgentRequest
from agent.steps.repairing import Repairing
from agent.steps.tooling import Tooling
from agent.steps.trail import finish, opening
from agent.values import TOOLS_REFUSED, ModelRequest, Trajectory
from index.errors import ContextTooLongError, ModelError


def run_agent(request: AgentRequest) -> Trajectory:
    """Ask for the function, and react: without tools a draft is compiled and goes back to be repaired; with tools
    calls are answered until one hands the function in.

    The candidate is the last draft that compiled, else the last that was found, whatever ended the conversation. A
    failed call ends in `Trajectory.error`, and so does a first prompt that doesn't fit the model's window; a later
    prompt that no longer fits ends the conversation. CeilingReached, AnswerPending, InfraError and UserError pass
    through.
    """
    steps = Repairing(request) if request.toolbox is None else Tooling(request, request.toolbox)
    trail = opening(request, steps.protocol, steps.specs)
    while not (trail.ended or trail.error):
        trail = _turn(request, steps, trail)
    return trail


def _turn(request: AgentRequest, steps: Repairing | Tooling, trail: Trajectory) -> Trajectory:
    """The trajectory after one more call of the model, or at its end."""
    settings = request.settings
    if why := steps.limit_reached(trail):
        return finish(trail, why)
    question = _model_request(request, steps, trail)
    try:
        check_window(question, trail, settings.window)
        response = request.model.complete(question)
    except ModelError as error:
        grown_too_long = isinstance(error, ContextTooLongError) and trail.rounds
        return finish(trail, "window") if grown_too_long else replace(trail, error=str(error))
    if response.finish_reason == TOOLS_REFUSED:
        if settings.protocol == "auto" and not trail.rounds:
            return opening(request, "text", steps.specs)
        return replace(trail, error=f"the server refuses tools; set protocol=text: {response.text}")
    keep = request.on_step or (lambda trail: None)
    keep(trail := steps.with_answer(trail, response))
    keep(trail := steps.with_reaction(trail, room_left(trail, settings.window, settings.max_tokens)))
    return trail


def _model_request(request: AgentRequest, steps: Repairing | Tooling, trail: Trajectory) -> ModelRequest:
    settings = request.settings
    return ModelRequest(
        model=settings.model,
        messages=trail.messages,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        seed=None if settings.seed is None else settings.seed + request.sample,
        sample=request.sample,
        api_base=settings.api_base,
        extra=settings.extra,
        tools=steps.specs if trail.protocol == "native" else (),
    )
