"""Steps with tools: calls are answered, drafts are compiled, and a submission ends the conversation."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Literal

from agent.answer.several import missing_functions
from agent.explain.feedback import compiles, relevant_messages, satisfied
from agent.model.limits import reached
from agent.request import AgentRequest
from agent.steps.results import fitted, tool_use
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
from agent.tools.arguments import read_arguments
from agent.tools.protocols import Turn, assistant_message, read_turn, result_messages
from agent.tools.protocols.text import before_invented_result
from agent.tools.results import Mistake, ToolAnswer
from agent.tools.specs import SUBMIT, draft_specs
from agent.tools.toolbox import Toolbox, find_spec
from agent.values import Ended, Message, ModelResponse, Round, ToolCall, ToolSpec, Trajectory

# Less than a useful result: the model is asked to come to an end.
_LITTLE_ROOM = 1_000
# From here on the model is reminded of how many turns are left.
_LAST_TURNS = 3
_NUDGE = "Your answer calls no tool and holds no function ({reason}). Look something up, or hand the function in."
_FULL = "[no room is left for more results: hand the function in with submit now]"
_SKIPPED = "error: not answered, since the draft that you handed in came back"
_NO_NAME = 'a call must be JSON as {"name": ..., "arguments": {...}}'


@dataclass(frozen=True, slots=True)
class Tooling:
    """A draft is what `check` or `submit` is given, or the function in an answer without calls, which counts as
    handed in. With a compiler a submission that doesn't compile comes back, up to `repair_rounds` times."""

    request: AgentRequest
    toolbox: Toolbox

    @property
    def protocol(self) -> Literal["native", "text"]:
        return "text" if self.request.settings.protocol == "text" else "native"

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return (*self.toolbox.specs, *self._draft_specs)

    @property
    def _draft_specs(self) -> tuple[ToolSpec, ...]:
        return draft_specs(checked=self.request.compiler is not None, several=len(self.request.target.holes) > 1)

    def opening(self, protocol: Literal["", "native", "text"]) -> Trajectory:
        return opening(self.request, protocol, self.specs)

    def limit_reached(self, trail: Trajectory) -> Ended:
        return reached(trail, self.request.settings.limits)

    def with_answer(self, trail: Trajectory, response: ModelResponse) -> Trajectory:
        turn = self._turn(response, len(trail.rounds) + 1)
        trail = with_response(trail, response, assistant_message(turn, response))
        if turn.calls:
            return with_last_round(trail, trail.rounds[-1])
        candidate = read_draft(self.request, trail, response.text, response.finish_reason)
        return with_last_round(trail, replace(trail.rounds[-1], candidate=candidate))

    def with_reaction(self, trail: Trajectory, room: int | None) -> Trajectory:
        entry = trail.rounds[-1]
        turn = self._turn(entry.response, len(trail.rounds))
        if not turn.calls:
            return self._without_calls(trail, entry)
        results: list[str] = []
        for call in turn.calls:
            start = time.monotonic()
            if entry.submitted is not None:  # an earlier call of this turn handed in, and it came back
                answer = ToolAnswer(_SKIPPED, mistake=True)
            elif any(call.name == spec.name for spec in self._draft_specs):
                trail, entry, answer = self._take_draft(trail, entry, call)
                if entry.submitted is not None and not answer.text:
                    return finish(with_last_round(trail, entry), "submitted")
            else:
                answer = self._look_up(call)
            results.append(answer.text)
            entry = replace(entry, uses=(*entry.uses, tool_use(call, answer, time.monotonic() - start)))
        note = _FULL if room is not None and room < _LITTLE_ROOM else self._turns_left(trail)
        return with_messages(with_last_round(trail, entry), result_messages(turn, fitted(results, room), note))

    def _turn(self, response: ModelResponse, number: int) -> Turn:
        return read_turn(response, {spec.name for spec in self.specs}, number)

    def _look_up(self, call: ToolCall) -> ToolAnswer:
        try:
            if not call.name:
                raise Mistake(_NO_NAME)
            find_spec(self.specs, call.name)
            return self.toolbox.use(call.name, call.arguments)
        except Mistake as mistake:
            return mistake.answer

    def _without_calls(self, trail: Trajectory, entry: Round) -> Trajectory:
        if entry.candidate.code is None:
            nudge = _NUDGE.format(reason=entry.candidate.reason)
            return with_messages(trail, [Message("user", "\n".join(filter(None, (nudge, self._turns_left(trail)))))])
        trail, entry, reply = self._hand_in(trail, replace(entry, submitted=entry.response.text))
        trail = with_last_round(trail, entry)
        return with_messages(trail, [Message("user", reply)]) if reply else finish(trail, "submitted")

    def _take_draft(self, trail: Trajectory, entry: Round, call: ToolCall) -> tuple[Trajectory, Round, ToolAnswer]:
        """`check` or `submit`; an empty answer: the function is handed in."""
        try:
            text = self._draft_text(trail, entry, call)
            candidate = read_draft(self.request, trail, text, entry.response.finish_reason, entry)
            if candidate.code is None:
                raise Mistake(candidate.reason)
        except Mistake as mistake:
            return trail, entry, mistake.answer
        new = replace(entry, candidate=candidate, diagnostics=None, declarations=())
        if call.name == SUBMIT.name:
            trail, entry, reply = self._hand_in(trail, replace(new, submitted=text))
            return trail, entry, ToolAnswer(reply)
        trail, new = compile_draft(self.request, trail, new)
        reply = _success(new) if compiles(new) else repair_message(self.request, new).content
        # A later draft of the same turn that doesn't compile must not replace one that does.
        kept = replace(entry, check_seconds=new.check_seconds) if compiles(entry) and not compiles(new) else new
        return trail, kept, ToolAnswer(reply)

    def _hand_in(self, trail: Trajectory, entry: Round) -> tuple[Trajectory, Round, str]:
        """The reply to a submission: "" when it is taken, the compiler's messages when it comes back."""
        trail, entry = compile_draft(self.request, trail, entry)
        if entry.candidate.reason:
            # Some functions are still to come: nothing is handed in yet, so nothing comes back.
            return trail, replace(entry, submitted=None), self._still_missing(entry)
        returned = sum(earlier.submitted is not None for earlier in trail.rounds[:-1])
        enough = satisfied((*trail.rounds[:-1], entry)) or returned >= self.request.settings.repair_rounds
        if self.request.compiler is None or enough:
            return trail, entry, ""
        return trail, entry, repair_message(self.request, entry).content

    def _still_missing(self, entry: Round) -> str:
        missing = ", ".join(missing_functions(entry.candidate.code, self.request.target))
        messages = f"{repair_message(self.request, entry).content}\n\n" if self.request.compiler else ""
        return f"{messages}Kept. Still to hand in: {missing}."

    def _draft_text(self, trail: Trajectory, entry: Round, call: ToolCall) -> str:
        """The draft as an answer would hold it: the call's own, else the fenced block beside the call, else, for
        `submit`, the draft that `check` accepted last. Raises Mistake where there is none."""
        code = read_arguments(find_spec(self._draft_specs, call.name), call.arguments).text("code")
        if not code and "```" in entry.response.text:
            return before_invented_result(entry.response.text)
        accepted = [each.candidate.code or "" for each in (*trail.rounds[:-1], entry) if compiles(each)]
        if not code and call.name == SUBMIT.name and accepted:
            code = accepted[-1]
        if not code:
            raise Mistake(f"{call.name} needs code, the complete function")
        return code if "```" in code else f"```{self.request.target.language}\n{code}\n```\n"

    def _turns_left(self, trail: Trajectory) -> str:
        left = self.request.settings.limits.steps - len(trail.rounds)
        if left > _LAST_TURNS:
            return ""
        return f"[{left} {'turn' if left == 1 else 'turns'} left: hand the function in with submit]"


def _success(entry: Round) -> str:
    """The reply to a draft that compiles: its warnings, where they matter."""
    lines = [
        f"line {each.line}: {each.severity}: {each.message}" if each.in_candidate else f"{each.path}: {each.message}"
        for each in relevant_messages(entry.diagnostics or ())
    ]
    return "\n".join(["It compiles, with warnings:", *lines]) if lines else "It compiles."
