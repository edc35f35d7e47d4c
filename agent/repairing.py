"""The reaction without tools: the answer is the draft, and goes back with the compiler's messages."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agent.explain.feedback import satisfied
from agent.tools.protocols.turn import shortened
from agent.trail import Case, answered, checked, draft, ended, repair, told, with_last
from agent.values import Message, ModelResponse, ToolSpec, Trajectory


@dataclass(frozen=True, slots=True)
class Repairing:
    """A single answer, then with a compiler up to `case.repairs` repairs."""

    case: Case
    specs: tuple[ToolSpec, ...] = ()

    def answered(self, trail: Trajectory, response: ModelResponse) -> Trajectory:
        # Several providers refuse an empty assistant message.
        text = shortened(response.text) if response.text.strip() else "(no text)"
        trail = answered(trail, response, Message("assistant", text))
        candidate = draft(self.case, trail, response.text, response.finish_reason)
        return with_last(trail, replace(trail.rounds[-1], candidate=candidate))

    def reacted(self, trail: Trajectory, room: int | None) -> Trajectory:
        entry = trail.rounds[-1]
        if self.case.compiler is None or self.case.repairs == 0:
            return ended(trail, "answered")
        trail, entry = checked(self.case, trail, entry)
        trail = with_last(trail, entry)
        if satisfied(trail.rounds):
            return ended(trail, "answered")
        if len(trail.rounds) > self.case.repairs:
            return ended(trail, "rounds")
        return told(trail, [repair(self.case, entry)])
