"""The agent's loop: ask the model, react to its answer, until the conversation ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from agent.conversation.conversations import RepairConversation, ToolConversation
from agent.conversation.trajectory import end_conversation
from agent.model.conversation_limits import (
    count_tokens_left_for_results,
    find_reached_limit,
    require_prompt_fits_window,
)
from agent.request import AgentRequest, AgentSettings
from agent.values import TOOLS_REFUSED, Model, ModelRequest, ModelResponse, ToolSpec, Trajectory, UsedProtocol
from index.errors import ContextTooLongError, ModelError


class Conversation(Protocol):
    """How a conversation begins, and what each answer leads to. `specs` are the tools that it offers."""

    @property
    def protocol(self) -> UsedProtocol: ...

    @property
    def specs(self) -> tuple[ToolSpec, ...]: ...

    def start(self, protocol: UsedProtocol) -> Trajectory: ...

    def add_answer(self, trail: Trajectory, response: ModelResponse) -> Trajectory: ...

    def react_to_answer(self, trail: Trajectory, tokens_left: int | None) -> Trajectory: ...


def run_agent(request: AgentRequest) -> Trajectory:
    """Ask for the function, and react: without tools a draft is compiled and goes back to be repaired; with tools
    calls are answered until one hands the function in.

    The candidate is the last draft that compiled, else the last that was found, whatever ended the conversation. A
    failed call ends in `Trajectory.error`, and so does a first prompt that doesn't fit the model's window; a later
    prompt that no longer fits ends the conversation. CeilingReached, AnswerPending, InfraError and UserError pass
    through.
    """
    toolbox = request.toolbox
    conversation = RepairConversation(request) if toolbox is None else ToolConversation(request, toolbox)
    return run_conversation(conversation, request.model, request.settings, request.sample, request.on_step)


def run_conversation(
    conversation: Conversation,
    model: Model,
    settings: AgentSettings,
    sample: int = 0,
    on_step: Callable[[Trajectory], None] | None = None,
) -> Trajectory:
    """The conversation, to its end. Ends, fails and passes errors through as `run_agent` does."""
    keep = on_step or (lambda trail: None)
    trail = conversation.start(conversation.protocol)
    while not (trail.ended or trail.error):
        if trail.protocol and (why := find_reached_limit(trail, settings.limits)):
            return end_conversation(trail, why)
        question = _make_model_request(settings, sample, conversation, trail)
        try:
            require_prompt_fits_window(question, trail, settings.window)
            response = model.complete(question)
        except ModelError as error:
            grown_too_long = isinstance(error, ContextTooLongError) and trail.rounds
            return end_conversation(trail, "window") if grown_too_long else replace(trail, error=str(error))
        if response.finish_reason != TOOLS_REFUSED:
            keep(trail := conversation.add_answer(trail, response))
            tokens_left = count_tokens_left_for_results(trail, settings.window, settings.max_tokens)
            keep(trail := conversation.react_to_answer(trail, tokens_left))
        elif settings.protocol == "auto" and not trail.rounds:
            trail = conversation.start("text")
        else:
            return replace(trail, error=f"the server refuses tools; set protocol=text: {response.text}")
    return trail


def _make_model_request(
    settings: AgentSettings, sample: int, conversation: Conversation, trail: Trajectory
) -> ModelRequest:
    return ModelRequest(
        model=settings.model,
        messages=trail.messages,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        seed=None if settings.seed is None else settings.seed + sample,
        sample=sample,
        api_base=settings.api_base,
        extra=settings.extra,
        tools=conversation.specs if trail.protocol == "native" else (),
    )
