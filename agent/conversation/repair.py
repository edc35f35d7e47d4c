"""Steps without tools: the answer is the draft, and it goes back with the compiler's messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agent.conversation.trajectory import (
    add_answer_with_draft,
    add_messages,
    compile_draft,
    end_conversation,
    make_repair_message,
    open_conversation,
    replace_last_round_and_candidate,
)
from agent.explain.feedback import is_final_draft
from agent.request import AgentRequest
from agent.tools.protocols.turn import cut_text_for_history
from agent.values import Message, ModelResponse, ToolSpec, Trajectory, UsedProtocol


@dataclass(frozen=True, slots=True)
class RepairConversation:
    """A single answer, and with a compiler up to `repair_rounds` repairs."""

    request: AgentRequest
    protocol: Literal[""] = ""
    specs: tuple[ToolSpec, ...] = ()

    def start(self, protocol: UsedProtocol) -> Trajectory:
        return open_conversation(self.request, protocol, self.specs)

    def add_answer(self, trail: Trajectory, response: ModelResponse) -> Trajectory:
        # Several providers refuse an empty assistant message.
        text = cut_text_for_history(response.text) if response.text.strip() else "(no text)"
        return add_answer_with_draft(self.request, trail, response, Message("assistant", text))

    def react_to_answer(self, trail: Trajectory, room: int | None) -> Trajectory:
        repairs = self.request.settings.repair_rounds
        if self.request.compiler is None or repairs == 0:
            return end_conversation(trail, "answered")
        trail, entry = compile_draft(self.request, trail, trail.rounds[-1])
        trail = replace_last_round_and_candidate(trail, entry)
        if is_final_draft(trail.rounds):
            return end_conversation(trail, "answered")
        if len(trail.rounds) > repairs:
            return end_conversation(trail, "rounds")
        return add_messages(trail, [make_repair_message(self.request, entry)])
