"""The agent's loop: ask the model, react to its answer, until the conversation ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from agent.conversation.repair import RepairConversation
from agent.conversation.tools import ToolConversation
from agent.conversation.trajectory import end_conversation
from agent.model.context_window import check_window, tokens_left
from agent.request import AgentRequest, AgentSettings
from agent.values import TOOLS_REFUSED, Ended, Model, ModelRequest, ModelResponse, ToolSpec, Trajectory, UsedProtocol
from index.errors import ContextTooLongError, ModelError


class Conversation(Protocol):
    """What happens to a conversation at its beginning and at each answer."""

    @property
    def protocol(self) -> UsedProtocol: ...

    @property
    def specs(self) -> tuple[ToolSpec, ...]: ...

    def start(self, protocol: UsedProtocol) -> Trajectory: ...

    def find_reached_limit(self, trail: Trajectory) -> Ended: ...

    def add_answer(self, trail: Trajectory, response: ModelResponse) -> Trajectory: ...

    def react_to_answer(self, trail: Trajectory, room: int | None) -> Trajectory: ...


def run_agent(request: AgentRequest) -> Trajectory:
    """Ask for the function, and react: without tools a draft is compiled and goes back to be repaired; with tools
    calls are answered until one hands the function in.

    The candidate is the last draft that compiled, else the last that was found, whatever ended the conversation. A
    failed call ends in `Trajectory.error`, and so does a first prompt that doesn't fit the model's window; a later
    prompt that no longer fits ends the conversation. CeilingReached, AnswerPending, InfraError and UserError pass
    through.
    """
    steps = RepairConversation(request) if request.toolbox is None else ToolConversation(request, request.toolbox)
    return run_conversation(steps, request.model, request.settings, request.sample, request.on_step)


def run_conversation(
    steps: Conversation,
    model: Model,
    settings: AgentSettings,
    sample: int = 0,
    on_step: Callable[[Trajectory], None] | None = None,
) -> Trajectory:
    """The conversation that the steps make, to its end. Ends, fails and passes errors through as `run_agent` does."""
    trail = steps.start(steps.protocol)
    while not (trail.ended or trail.error):
        trail = _take_turn(steps, model, settings, sample, on_step or (lambda trail: None), trail)
    return trail


def _take_turn(
    steps: Conversation,
    model: Model,
    settings: AgentSettings,
    sample: int,
    keep: Callable[[Trajectory], None],
    trail: Trajectory,
) -> Trajectory:
    """The trajectory after one more call of the model, or at its end."""
    if why := steps.find_reached_limit(trail):
        return end_conversation(trail, why)
    question = _make_model_request(settings, sample, steps, trail)
    try:
        check_window(question, trail, settings.window)
        response = model.complete(question)
    except ModelError as error:
        grown_too_long = isinstance(error, ContextTooLongError) and trail.rounds
        return end_conversation(trail, "window") if grown_too_long else replace(trail, error=str(error))
    if response.finish_reason == TOOLS_REFUSED:
        if settings.protocol == "auto" and not trail.rounds:
            return steps.start("text")
        return replace(trail, error=f"the server refuses tools; set protocol=text: {response.text}")
    keep(trail := steps.add_answer(trail, response))
    keep(trail := steps.react_to_answer(trail, tokens_left(trail, settings.window, settings.max_tokens)))
    return trail


def _make_model_request(settings: AgentSettings, sample: int, steps: Conversation, trail: Trajectory) -> ModelRequest:
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
