"""Steps that end in a proposal: calls are answered, and a text that is handed in and found valid ends them. The texts
of its messages are in the folder `templates`."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from agent.conversation.tool_results import cut_later_results_to_fit_turn, make_last_turns_note, make_tool_use_record
from agent.conversation.trajectory import add_messages, add_response, replace_round_and_reselect_candidate
from agent.request import AgentSettings
from agent.tools.arguments import read_arguments
from agent.tools.protocols import describe_text_protocol, make_assistant_message, make_result_messages, read_turn
from agent.tools.specs import make_spec, text_schema
from agent.tools.tool_answer import Mistake
from agent.tools.toolbox import find_spec
from agent.values import Candidate, Message, ModelResponse, ToolCall, ToolSpec, Trajectory, UsedProtocol
from lab.making.settings import BuildSettings, TestSettings
from lab.setup.file_tools import FileTools
from lab.setup.setup_rounds import SetupRound

_TEMPLATES = Path(__file__).parent / "templates"
_BLOCK = re.compile(r"^```(?:ya?ml)?[ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_NUDGE = "Your answer calls no tool. Look something up, or hand make.yaml in with propose."
_PROPOSE = make_spec(
    "propose",
    "Hand in a changed make.yaml, the whole file. It is checked; then the tree is built and its tests are run by it.",
    {},
    {"code": text_schema("the whole of make.yaml")},
)
_GIVE_UP = make_spec(
    "give_up",
    "Say that no change of make.yaml can help. This ends your work.",
    {"reason": text_schema("one sentence")},
    {},
)


@dataclass(frozen=True, slots=True)
class RecipeConversation:
    """About what failed in the round `waiting`, after the rounds `earlier`. The candidate is the text that was handed
    in. `objection` says why a text isn't valid, "" where it is: an invalid one comes back. Where the model gives up,
    there is no candidate but its reason."""

    waiting: SetupRound
    earlier: Sequence[SetupRound]
    lookup: FileTools
    objection: Callable[[str], str]
    settings: AgentSettings

    @property
    def protocol(self) -> Literal["native", "text"]:
        return "text" if self.settings.protocol == "text" else "native"

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return (*self.lookup.specs, _PROPOSE, _GIVE_UP)

    def start(self, protocol: UsedProtocol) -> Trajectory:
        import jinja2

        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(_TEMPLATES),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,
        )
        form = describe_text_protocol(self.specs) if protocol == "text" else ""
        system = environment.get_template("system.j2").render(
            form=form, steps=self.settings.limits.steps, keys=_describe_changeable_sections()
        )
        first = environment.get_template("first.j2").render(
            problem=self.waiting.problem.strip(),
            output=self.waiting.output.strip(),
            recipe=self.waiting.recipe.strip(),
            earlier=self.earlier,
        )
        messages = (Message("system", system.strip()), Message("user", first.strip()))
        return Trajectory(messages, (), Candidate(None, "the model proposed nothing"), protocol=protocol)

    def add_answer(self, trail: Trajectory, response: ModelResponse) -> Trajectory:
        turn = read_turn(response, {spec.name for spec in self.specs}, len(trail.rounds) + 1)
        return add_response(trail, response, make_assistant_message(turn, response))

    def react_to_answer(self, trail: Trajectory, room: int | None) -> Trajectory:
        entry = trail.rounds[-1]
        turn = read_turn(entry.response, {spec.name for spec in self.specs}, len(trail.rounds))
        note = make_last_turns_note(trail, self.settings.limits, "hand make.yaml in with propose")
        if not turn.calls:
            text = _find_last_yaml_block_or_empty(entry.response.text)
            hint = self.objection(text) if text else ""
            if text and not hint:
                return replace(trail, candidate=Candidate(text), ended="submitted")
            reply = f"error: {hint}" if hint else _NUDGE
            return add_messages(trail, [Message("user", f"{reply}\n{note}".strip())])
        results: list[str] = []
        for call in turn.calls:
            start = time.monotonic()
            try:
                done = self._read_handed_in_candidate(call, entry.response.text)
                if done is not None:
                    trail = replace_round_and_reselect_candidate(trail, entry)
                    return replace(trail, candidate=done, ended="submitted")
                answer = self.lookup.answer_call(call.name, call.arguments)
            except Mistake as mistake:
                answer = mistake.answer
            results.append(answer.text)
            entry = replace(entry, uses=(*entry.uses, make_tool_use_record(call, answer, time.monotonic() - start)))
        messages = make_result_messages(turn, cut_later_results_to_fit_turn(results, room), note)
        return add_messages(replace_round_and_reselect_candidate(trail, entry), messages)

    def _read_handed_in_candidate(self, call: ToolCall, text: str) -> Candidate | None:
        """What the call hands in; None for a call that looks something up. Raises Mistake for what isn't valid."""
        if call.name not in (_PROPOSE.name, _GIVE_UP.name):
            return None
        arguments = read_arguments(find_spec(self.specs, call.name), call.arguments)
        if call.name == _GIVE_UP.name:
            return Candidate(None, f"the model gave up: {' '.join(arguments.text('reason').split())}")
        code = arguments.text("code")
        proposed = _find_last_yaml_block_or_empty(code) or code or _find_last_yaml_block_or_empty(text)
        if not proposed.strip():
            raise Mistake("propose needs code, the whole of make.yaml")
        if hint := self.objection(proposed):
            raise Mistake(hint)
        return Candidate(proposed)


def _describe_changeable_sections() -> str:
    """What the sections mean that the model may change, and their form."""
    parts = []
    for name, model in (("build", BuildSettings), ("tests", TestSettings)):
        schema = json.dumps(model.model_json_schema(), separators=(",", ":"))
        parts.append(f"{name}: {' '.join((model.__doc__ or '').split())}\nIts JSON Schema: {schema}")
    return "\n\n".join(parts)


def _find_last_yaml_block_or_empty(text: str) -> str:
    blocks = _BLOCK.findall(text)
    return str(blocks[-1]) if blocks else ""
