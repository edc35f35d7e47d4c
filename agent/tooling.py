"""The reaction with tools: calls are answered, drafts are compiled, and a submission ends the conversation."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.explain.feedback import compiles, satisfied, worth_telling
from agent.model.limits import Limits
from agent.tools.arguments import Mistake, read_arguments
from agent.tools.protocols import Turn, answers, read_turn, said
from agent.tools.protocols.text import own_words
from agent.tools.render import ToolAnswer
from agent.tools.specs import CHECK, SUBMIT
from agent.tools.toolbox import Toolbox, find_spec
from agent.trail import Case, answered, checked, draft, ended, repair, told, with_last
from agent.values import Message, ModelResponse, Round, ToolCall, ToolSpec, ToolUse, Trajectory

# All results of one turn together: about 6,000 tokens.
_TURN_CHARS = 24_000
# A token is rarely less than two characters of code.
_CHARS_PER_TOKEN = 2
# Less than a useful result: the model is told to come to an end.
_LITTLE_ROOM = 1_000
_KEPT_ARGUMENTS = 2_000
_TURNS_LEFT_TOLD = 3
_NUDGE = "Your answer calls no tool and holds no function ({reason}). Look something up, or hand the function in."
_FULL = "[no room is left for more results: hand the function in with submit now]"
_SKIPPED = "error: not answered, since the draft that you handed in came back"


@dataclass(frozen=True, slots=True)
class Tooling:
    """A draft is what `check` or `submit` is given, or the function in an answer without calls, which counts as
    handed in. With a compiler a submission that doesn't compile comes back, up to `case.repairs` times."""

    case: Case
    toolbox: Toolbox
    limits: Limits

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return (*self.toolbox.specs, *([CHECK] if self.case.compiler is not None else []), SUBMIT)

    def answered(self, trail: Trajectory, response: ModelResponse) -> Trajectory:
        turn = self._turn(response, len(trail.rounds) + 1)
        trail = answered(trail, response, said(turn, response))
        if turn.calls:
            return with_last(trail, trail.rounds[-1])
        candidate = draft(self.case, trail, response.text, response.finish_reason)
        return with_last(trail, replace(trail.rounds[-1], candidate=candidate))

    def reacted(self, trail: Trajectory, room: int | None) -> Trajectory:
        entry = trail.rounds[-1]
        turn = self._turn(entry.response, len(trail.rounds))
        if not turn.calls:
            return self._without_calls(trail, entry)
        results: list[str] = []
        for call in turn.calls:
            start = time.monotonic()
            back = entry.submitted is not None  # an earlier call of this turn handed in, and it came back
            if back:
                answer = ToolAnswer(_SKIPPED, mistake=True)
            elif call.name in (CHECK.name, SUBMIT.name) and any(call.name == one.name for one in self.specs):
                trail, entry, answer = self._drafted(trail, entry, call)
                if entry.submitted is not None and not answer.text:
                    return ended(with_last(trail, entry), "submitted")
            else:
                answer = self.toolbox.use(call.name, call.arguments) if self._looks_up(call) else self._unknown(call)
            results.append(answer.text)
            entry = replace(entry, uses=(*entry.uses, _use(call, answer, time.monotonic() - start)))
        fitted = _fitted(results, _TURN_CHARS if room is None else min(_TURN_CHARS, room * _CHARS_PER_TOKEN))
        full = room is not None and room < _LITTLE_ROOM
        return told(with_last(trail, entry), answers(turn, fitted, _FULL if full else self._note(trail)))

    def _turn(self, response: ModelResponse, number: int) -> Turn:
        return read_turn(response, {one.name for one in self.specs}, number)

    def _looks_up(self, call: ToolCall) -> bool:
        return any(call.name == one.name for one in self.toolbox.specs)

    def _unknown(self, call: ToolCall) -> ToolAnswer:
        try:
            find_spec(self.specs, call.name)
        except Mistake as mistake:
            if not call.name:
                return ToolAnswer('error: a call must be JSON as {"name": ..., "arguments": {...}}', mistake=True)
            return ToolAnswer(f"error: {mistake}", mistake=True)
        raise AssertionError("a known tool is answered elsewhere")

    def _without_calls(self, trail: Trajectory, entry: Round) -> Trajectory:
        if entry.candidate.code is None:
            nudge = _NUDGE.format(reason=entry.candidate.reason)
            return told(trail, [Message("user", "\n".join(filter(None, (nudge, self._note(trail)))))])
        trail, entry, reply = self._handed_in(trail, replace(entry, submitted=entry.response.text))
        trail = with_last(trail, entry)
        return told(trail, [Message("user", reply)]) if reply else ended(trail, "submitted")

    def _drafted(self, trail: Trajectory, entry: Round, call: ToolCall) -> tuple[Trajectory, Round, ToolAnswer]:
        """`check` or `submit`; an empty answer: the function is handed in."""
        try:
            written = self._code(call, entry)
        except Mistake as mistake:
            return trail, entry, ToolAnswer(f"error: {mistake}", mistake=True)
        candidate = draft(self.case, trail, written, entry.response.finish_reason)
        if candidate.code is None:
            return trail, entry, ToolAnswer(f"error: {candidate.reason}", mistake=True)
        new = replace(entry, candidate=candidate, diagnostics=None, declarations=())
        if call.name == SUBMIT.name:
            trail, entry, reply = self._handed_in(trail, replace(new, submitted=written))
            return trail, entry, ToolAnswer(reply)
        trail, new = checked(self.case, trail, new)
        text = repair(self.case, new, tools=True).content if not compiles(new) else _compiles(new)
        # A later draft of the same turn that doesn't compile takes nothing away from one that does.
        kept = replace(entry, check_seconds=new.check_seconds) if compiles(entry) and not compiles(new) else new
        return trail, kept, ToolAnswer(text)

    def _handed_in(self, trail: Trajectory, entry: Round) -> tuple[Trajectory, Round, str]:
        """With a compiler the reply to a draft that doesn't compile, while repairs are left; else ""."""
        trail, entry = checked(self.case, trail, entry)
        bounced = sum(one.submitted is not None for one in trail.rounds[:-1])
        enough = satisfied((*trail.rounds[:-1], entry)) or bounced >= self.case.repairs
        if self.case.compiler is None or enough:
            return trail, entry, ""
        return trail, entry, repair(self.case, entry, tools=True).content

    def _code(self, call: ToolCall, entry: Round) -> str:
        """The draft as an answer would hold it: the call's own, or the fenced block beside the call."""
        spec = find_spec((CHECK, SUBMIT), call.name)
        code = read_arguments(spec, call.arguments).text("code")
        if not code:
            if "```" not in entry.response.text:
                raise Mistake(f"{call.name} needs code, the complete function")
            return own_words(entry.response.text)
        return code if "```" in code else f"```{self.case.target.language}\n{code}\n```\n"

    def _note(self, trail: Trajectory) -> str:
        left = self.limits.steps - len(trail.rounds)
        if left > _TURNS_LEFT_TOLD:
            return ""
        return f"[{left} {'turn' if left == 1 else 'turns'} left: hand the function in with submit]"


def _compiles(entry: Round) -> str:
    """What to say to a draft that compiles: its warnings, where they matter."""
    lines = [
        f"line {one.line}: {one.severity}: {one.message}" if one.in_candidate else f"{one.path}: {one.message}"
        for one in worth_telling(entry.diagnostics or ())
    ]
    return "\n".join(["It compiles, with warnings:", *lines]) if lines else "It compiles."


def _use(call: ToolCall, answer: ToolAnswer, seconds: float) -> ToolUse:
    arguments = call.arguments
    if len(arguments) > _KEPT_ARGUMENTS:
        digest = hashlib.sha256(arguments.encode("utf-8", "replace")).hexdigest()
        arguments = f"{arguments[:_KEPT_ARGUMENTS]}... ({len(arguments)} characters, SHA-256 {digest})"
    return ToolUse(call.name[:100], arguments, answer.mistake, len(answer.text), seconds, answer.shown)


def _fitted(results: Sequence[str], limit: int) -> list[str]:
    """Results that are too long together are cut, the later ones first, and say so."""
    left = limit
    out = []
    for text in results:
        cut = text if len(text) <= left else f"{text[:left]}\n[cut here: too much for one turn; ask for less at once]"
        out.append(cut)
        left = max(0, left - len(text))
    return out
