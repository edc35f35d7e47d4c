"""Steps that end in a proposal: calls are answered, and a text that is handed in and found valid ends them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from agent.conversation.tool_results import cut_results, make_tool_use_record, turns_left_note
from agent.conversation.trajectory import add_messages, add_response, replace_last_round_and_candidate
from agent.model.conversation_limits import ConversationLimits
from agent.tools.arguments import read_arguments
from agent.tools.protocols import describe_text_protocol, make_assistant_message, make_result_messages, read_turn
from agent.tools.tool_answer import Mistake
from agent.tools.toolbox import find_spec
from agent.values import Candidate, Message, ModelResponse, ToolCall, ToolSpec, Trajectory, UsedProtocol
from lab.setup.file_tools import FileTools
from lab.setup.prompt import RecipeQuestion, make_recipe_messages
from lab.setup.tool_specs import GIVE_UP, PROPOSE

_BLOCK = re.compile(r"^```(?:ya?ml)?[ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_NUDGE = "Your answer calls no tool. Look something up, or hand make.yaml in with propose."


@dataclass(frozen=True, slots=True)
class RecipeConversation:
    """The candidate is the text that was handed in. `objection` says why a text isn't valid, "" where it is: an
    invalid one comes back. Where the model gives up, there is no candidate but its reason."""

    question: RecipeQuestion
    lookup: FileTools
    objection: Callable[[str], str]
    limits: ConversationLimits
    protocol: Literal["native", "text"] = "native"

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return (*self.lookup.specs, PROPOSE, GIVE_UP)

    def start(self, protocol: UsedProtocol) -> Trajectory:
        form = describe_text_protocol(self.specs) if protocol == "text" else ""
        messages = make_recipe_messages(self.question, form, self.limits.steps)
        return Trajectory(messages, (), Candidate(None, "the model proposed nothing"), protocol=protocol)

    def add_answer(self, trail: Trajectory, response: ModelResponse) -> Trajectory:
        turn = read_turn(response, {spec.name for spec in self.specs}, len(trail.rounds) + 1)
        return add_response(trail, response, make_assistant_message(turn, response))

    def react_to_answer(self, trail: Trajectory, room: int | None) -> Trajectory:
        entry = trail.rounds[-1]
        turn = read_turn(entry.response, {spec.name for spec in self.specs}, len(trail.rounds))
        if not turn.calls:
            text = _find_last_yaml_block(entry.response.text)
            reply = f"error: {hint}" if text and (hint := self.objection(text)) else ""
            if text and not reply:
                return _set_submitted_candidate(trail, Candidate(text))
            return add_messages(
                trail, [Message("user", f"{reply or _NUDGE}\n{self._write_turns_left_note(trail)}".strip())]
            )
        results: list[str] = []
        for call in turn.calls:
            start = time.monotonic()
            try:
                done = self._read_handed_in_candidate(call, entry.response.text)
                if done is not None:
                    return _set_submitted_candidate(replace_last_round_and_candidate(trail, entry), done)
                answer = self.lookup.answer_call(call.name, call.arguments)
            except Mistake as mistake:
                answer = mistake.answer
            results.append(answer.text)
            entry = replace(entry, uses=(*entry.uses, make_tool_use_record(call, answer, time.monotonic() - start)))
        messages = make_result_messages(turn, cut_results(results, room), self._write_turns_left_note(trail))
        return add_messages(replace_last_round_and_candidate(trail, entry), messages)

    def _read_handed_in_candidate(self, call: ToolCall, text: str) -> Candidate | None:
        """What the call hands in; None for a call that looks something up. Raises Mistake for what isn't valid."""
        if call.name not in (PROPOSE.name, GIVE_UP.name):
            return None
        arguments = read_arguments(find_spec(self.specs, call.name), call.arguments)
        if call.name == GIVE_UP.name:
            return Candidate(None, f"the model gave up: {' '.join(arguments.text('reason').split())}")
        proposed = (
            _find_last_yaml_block(arguments.text("code")) or arguments.text("code") or _find_last_yaml_block(text)
        )
        if not proposed.strip():
            raise Mistake("propose needs code, the whole of make.yaml")
        if hint := self.objection(proposed):
            raise Mistake(hint)
        return Candidate(proposed)

    def _write_turns_left_note(self, trail: Trajectory) -> str:
        return turns_left_note(trail, self.limits, "hand make.yaml in with propose")


def _set_submitted_candidate(trail: Trajectory, candidate: Candidate) -> Trajectory:
    return replace(trail, candidate=candidate, ended="submitted")


def _find_last_yaml_block(text: str) -> str:
    """The last fenced block of YAML in the text, or ""."""
    blocks = _BLOCK.findall(text)
    return str(blocks[-1]) if blocks else ""
