"""Steps without tools: the answer is the draft, and it goes back with the compiler's messages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from agent.explain.feedback import satisfied
from agent.request import AgentRequest
from agent.steps.trail import (
    compile_draft,
    finish,
    opening,
    read_draft,
    repair_message,
    with_last_round,
    with_messages,
    with_response,
)
from agent.tools.protocols.turn import shortened
from agent.values import Ended, Message, ModelResponse, ToolSpec, Trajectory


@dataclass(frozen=True, slots=True)
class Repairing:
    """A single answer, and with a compiler up to `repair_rounds` repairs."""

    request: AgentRequest
    protocol: Literal[""] = ""
    specs: tuple[ToolSpec, ...] = ()

    def opening(self, protocol: Literal["", "native", "text"]) -> Trajectory:
        return opening(self.request, protocol, self.specs)

    def limit_reached(self, trail: Trajectory) -> Ended:
        """Never: the number of repairs bounds the conversation."""
        return ""

    def with_answer(self, trail: Trajectory, response: ModelResponse) -> Trajectory:
        # Several providers refuse an empty assistant message.
        text = shortened(response.text) if response.text.strip() else "(no text)"
        trail = with_response(trail, response, Message("assistant", text))
        candidate = read_draft(self.request, trail, response.text, response.finish_reason)
        return with_last_round(trail, replace(trail.rounds[-1], candidate=candidate))

    def with_reaction(self, trail: Trajectory, room: int | None) -> Trajectory:
        repairs = self.request.settings.repair_rounds
        if self.request.compiler is None or repairs == 0:
            return finish(trail, "answered")
        trail, entry = compile_draft(self.request, trail, trail.rounds[-1])
        trail = with_last_round(trail, entry)
        if satisfied(trail.rounds):
            return finish(trail, "answered")
        if len(trail.rounds) > repairs:
            return finish(trail, "rounds")
        return with_messages(trail, [repair_message(self.request, entry)])
