"""What each answer leads to: drafts are compiled, with tools calls are answered, and a submission ends it."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, replace
from typing import Literal

from agent.answer.multi_function import list_missing_functions
from agent.conversation.tool_results import cut_later_results_to_fit_turn, make_last_turns_note, make_tool_use_record
from agent.conversation.trajectory import (
    add_answer_with_draft,
    add_messages,
    add_response,
    compile_and_explain_draft,
    end_conversation,
    extract_draft_candidate,
    make_repair_message,
    open_conversation,
    replace_round_and_reselect_candidate,
)
from agent.explain.feedback import has_compiled, has_compiled_cleanly_or_twice, select_first_errors_and_bug_warnings
from agent.request import AgentRequest
from agent.tools.arguments import read_arguments
from agent.tools.protocols import Turn, make_assistant_message, make_result_messages, read_turn
from agent.tools.protocols.text_calls import cut_invented_result
from agent.tools.specs import SUBMIT, draft_tool_specs
from agent.tools.tool_answer import Mistake, ToolAnswer
from agent.tools.toolbox import Toolbox, find_spec
from agent.values import Message, ModelResponse, Round, ToolCall, ToolSpec, Trajectory, UsedProtocol

# Less than a useful result: the model is asked to come to an end.
_LITTLE_ROOM_TOKENS = 1_000
_NUDGE = "Your answer calls no tool and holds no function ({reason}). Look something up, or hand the function in."
_NO_ROOM_NOTE = "[no room is left for more results: hand the function in with submit now]"
_SKIPPED_ANSWER = "error: not answered, since the draft that you handed in came back"
_ESCAPED_LINE_END = re.compile(r"[;{}]\\n")
_UNNAMED_CALL_HINT = 'a call must be JSON as {"name": ..., "arguments": {...}}'


@dataclass(frozen=True, slots=True)
class RepairConversation:
    """Without tools: the answer is the draft, and with a compiler it goes back with the compiler's messages, up to
    `repair_rounds` times."""

    request: AgentRequest
    protocol: Literal[""] = ""
    specs: tuple[ToolSpec, ...] = ()

    def start(self, protocol: UsedProtocol) -> Trajectory:
        return open_conversation(self.request, protocol, self.specs)

    def add_answer(self, trail: Trajectory, response: ModelResponse) -> Trajectory:
        message = make_assistant_message(Turn((), native=False, left_out=0), response)
        return add_answer_with_draft(self.request, trail, response, message)

    def react_to_answer(self, trail: Trajectory, tokens_left: int | None) -> Trajectory:
        repairs = self.request.settings.repair_rounds
        if self.request.compiler is None or repairs == 0:
            return end_conversation(trail, "answered")
        trail, entry = compile_and_explain_draft(self.request, trail, trail.rounds[-1])
        trail = replace_round_and_reselect_candidate(trail, entry)
        if has_compiled_cleanly_or_twice(trail.rounds):
            return end_conversation(trail, "answered")
        if len(trail.rounds) > repairs:
            return end_conversation(trail, "rounds")
        return add_messages(trail, [make_repair_message(self.request, entry)])


@dataclass(frozen=True, slots=True)
class ToolConversation:
    """A draft is what `check` or `submit` is given, or the function in an answer without calls, which counts as
    handed in. With a compiler a submission that doesn't compile comes back, up to `repair_rounds` times."""

    request: AgentRequest
    toolbox: Toolbox

    @property
    def protocol(self) -> Literal["native", "text"]:
        return "text" if self.request.settings.protocol == "text" else "native"

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return (*self.toolbox.specs, *self._draft_tool_specs)

    @property
    def _draft_tool_specs(self) -> tuple[ToolSpec, ...]:
        return draft_tool_specs(checked=self.request.compiler is not None, several=len(self.request.target.holes) > 1)

    def start(self, protocol: UsedProtocol) -> Trajectory:
        return open_conversation(self.request, protocol, self.specs)

    def add_answer(self, trail: Trajectory, response: ModelResponse) -> Trajectory:
        turn = self._parse_turn(response, len(trail.rounds) + 1)
        message = make_assistant_message(turn, response)
        if not turn.calls:
            return add_answer_with_draft(self.request, trail, response, message)
        trail = add_response(trail, response, message)
        return replace_round_and_reselect_candidate(trail, trail.rounds[-1])

    def react_to_answer(self, trail: Trajectory, tokens_left: int | None) -> Trajectory:
        entry = trail.rounds[-1]
        turn = self._parse_turn(entry.response, len(trail.rounds))
        if not turn.calls:
            return self._submit_code_in_text_or_remind(trail, entry)
        results: list[str] = []
        for call in turn.calls:
            start = time.monotonic()
            if entry.submitted is not None:  # an earlier call of this turn handed in, and it came back
                answer = ToolAnswer(_SKIPPED_ANSWER, mistake=True)
            elif any(call.name == spec.name for spec in self._draft_tool_specs):
                trail, entry, answer = self._answer_draft_call(trail, entry, call)
                if entry.submitted is not None and not answer.text:
                    return end_conversation(replace_round_and_reselect_candidate(trail, entry), "submitted")
            else:
                answer = self._answer_lookup_call(call)
            results.append(answer.text)
            entry = replace(entry, uses=(*entry.uses, make_tool_use_record(call, answer, time.monotonic() - start)))
        note = (
            _NO_ROOM_NOTE
            if tokens_left is not None and tokens_left < _LITTLE_ROOM_TOKENS
            else self._make_last_turns_note(trail)
        )
        return add_messages(
            replace_round_and_reselect_candidate(trail, entry),
            make_result_messages(turn, cut_later_results_to_fit_turn(results, tokens_left), note),
        )

    def _parse_turn(self, response: ModelResponse, turn_number: int) -> Turn:
        return read_turn(response, {spec.name for spec in self.specs}, turn_number)

    def _answer_lookup_call(self, call: ToolCall) -> ToolAnswer:
        try:
            if not call.name:
                raise Mistake(_UNNAMED_CALL_HINT)
            find_spec(self.specs, call.name)
            return self.toolbox.answer_call(call.name, call.arguments)
        except Mistake as mistake:
            return mistake.answer

    def _submit_code_in_text_or_remind(self, trail: Trajectory, entry: Round) -> Trajectory:
        if entry.candidate.code is None:
            nudge = _NUDGE.format(reason=entry.candidate.reason)
            return add_messages(
                trail, [Message("user", "\n".join(filter(None, (nudge, self._make_last_turns_note(trail)))))]
            )
        trail, entry, reply = self._compile_submission_and_reply_if_rejected(
            trail, replace(entry, submitted=entry.response.text)
        )
        trail = replace_round_and_reselect_candidate(trail, entry)
        return add_messages(trail, [Message("user", reply)]) if reply else end_conversation(trail, "submitted")

    def _answer_draft_call(
        self, trail: Trajectory, entry: Round, call: ToolCall
    ) -> tuple[Trajectory, Round, ToolAnswer]:
        """`check` or `submit`; an empty answer: the function is handed in."""
        try:
            text = self._find_draft_text(trail, entry, call)
            candidate = extract_draft_candidate(self.request, trail, text, entry.response, entry)
            if candidate.code is None:
                raise Mistake(candidate.reason)
        except Mistake as mistake:
            return trail, entry, mistake.answer
        new = replace(entry, candidate=candidate, diagnostics=None, declarations=())
        if call.name == SUBMIT.name:
            trail, entry, reply = self._compile_submission_and_reply_if_rejected(trail, replace(new, submitted=text))
            return trail, entry, ToolAnswer(reply)
        trail, new = compile_and_explain_draft(self.request, trail, new)
        reply = _reply_to_compiled_draft(new) if has_compiled(new) else make_repair_message(self.request, new).content
        # A later draft of the same turn that doesn't compile must not replace one that does.
        kept = (
            replace(entry, check_seconds=new.check_seconds) if has_compiled(entry) and not has_compiled(new) else new
        )
        return trail, kept, ToolAnswer(reply)

    def _compile_submission_and_reply_if_rejected(
        self, trail: Trajectory, entry: Round
    ) -> tuple[Trajectory, Round, str]:
        """The reply to a submission: "" when it is taken, the compiler's messages when it comes back."""
        trail, entry = compile_and_explain_draft(self.request, trail, entry)
        if entry.candidate.reason:
            # Some functions are still to come: nothing is handed in yet, so nothing comes back.
            return trail, replace(entry, submitted=None), self._reply_to_missing_functions(entry)
        returned = sum(earlier.submitted is not None for earlier in trail.rounds[:-1])
        enough = (
            has_compiled_cleanly_or_twice((*trail.rounds[:-1], entry))
            or returned >= self.request.settings.repair_rounds
        )
        if self.request.compiler is None or enough:
            return trail, entry, ""
        return trail, entry, make_repair_message(self.request, entry).content

    def _reply_to_missing_functions(self, entry: Round) -> str:
        missing = ", ".join(list_missing_functions(entry.candidate.code, self.request.target))
        messages = f"{make_repair_message(self.request, entry).content}\n\n" if self.request.compiler else ""
        return f"{messages}Kept. Still to hand in: {missing}."

    def _find_draft_text(self, trail: Trajectory, entry: Round, call: ToolCall) -> str:
        """The draft as an answer would hold it: the call's own, else the fenced block beside the call, else, for
        `submit`, the draft that `check` accepted last. Raises Mistake where there is none."""
        given = read_arguments(find_spec(self._draft_tool_specs, call.name), call.arguments)
        code = _undo_second_escaping(given.text("code"))
        if not code and "```" in entry.response.text:
            return cut_invented_result(entry.response.text)
        accepted = [each.candidate.code or "" for each in (*trail.rounds[:-1], entry) if has_compiled(each)]
        if not code and call.name == SUBMIT.name and accepted:
            code = accepted[-1]
        if not code:
            raise Mistake(f"{call.name} needs code, the complete function")
        return code if "```" in code else f"```{self.request.target.language}\n{code}\n```\n"

    def _make_last_turns_note(self, trail: Trajectory) -> str:
        return make_last_turns_note(trail, self.request.settings.limits, "hand the function in with submit")


def _undo_second_escaping(code: str) -> str:
    """The code of a call, where the model (Grok, often) escaped it twice: each line end and quote stands there as JSON
    writes it."""
    if "\n" in code or _ESCAPED_LINE_END.search(code) is None:
        return code
    try:
        return str(json.loads(f'"{code}"', strict=False))
    except ValueError:
        return code


def _reply_to_compiled_draft(entry: Round) -> str:
    """The reply to a draft that compiles: its warnings, where they matter."""
    lines = [
        f"line {each.line}: {each.severity}: {each.message}" if each.in_candidate else f"{each.path}: {each.message}"
        for each in select_first_errors_and_bug_warnings(entry.diagnostics or ())
    ]
    return "\n".join(["It compiles, with warnings:", *lines]) if lines else "It compiles."
