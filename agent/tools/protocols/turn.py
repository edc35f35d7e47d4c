"""One answer of the model as a turn: its tool calls, and the messages that the history keeps of it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from agent.tools.protocols.text_calls import cut_invented_result, read_text_calls, strip_tool_name_decorations
from agent.values import Message, ModelResponse, ToolCall

# Calls answered per turn: more than an engineer looks up at once, and a flood of calls stays cheap.
MOST_CALLS = 8
# Characters that the history keeps of an answer, or of one call's arguments: more would push the task out of the
# model's window.
HISTORY_CHARS = 24_000
_NAME = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class Turn:
    """`calls` are the calls to answer, each with an id of its own; `left_out` counts the calls beyond MOST_CALLS.
    `native`: they came as the provider's own calls, so their results must go back the same way."""

    calls: tuple[ToolCall, ...]
    native: bool
    left_out: int


def read_turn(response: ModelResponse, known: Collection[str], turn_number: int) -> Turn:
    """The calls in an answer, native or in its text: a server without a parser for calls leaves native ones there.
    Thoughts aren't searched for calls. `turn_number` is the turn's; it makes ids where the provider gave none."""
    native = bool(response.calls)
    calls = response.calls if native else read_text_calls(response.text, known)
    kept: list[ToolCall] = []
    for place, call in enumerate(calls[:MOST_CALLS]):
        taken = {earlier.id for earlier in kept}
        own = call.id if call.id and call.id not in taken else f"call_{turn_number}_{place}"
        kept.append(replace(call, id=own, name=strip_tool_name_decorations(call.name, known)))
    return Turn(tuple(kept), native, len(calls) - len(kept))


def make_assistant_message(turn: Turn, response: ModelResponse) -> Message:
    """The assistant's message as the history keeps it. Arguments that aren't a JSON object, or are too long, become
    `{}`: several providers parse the whole history with every request, and would refuse all that follow."""
    text = cut_text_end_for_history(cut_invented_result(response.text) if turn.calls else response.text)
    if not turn.native:
        return Message("assistant", text if text.strip() else "(no text)")  # several providers refuse an empty one
    calls = tuple(
        replace(
            call,
            name=_sanitize_tool_name(call.name),
            arguments=_replace_invalid_arguments_by_empty_object(call.arguments),
        )
        for call in turn.calls
    )
    return Message("assistant", text, calls=calls, kept=response.kept)


def make_result_messages(turn: Turn, results: Sequence[str], note: str = "") -> tuple[Message, ...]:
    """The messages that answer a turn's calls, in their order; `note` stands below the last one."""
    if turn.left_out:
        note = f"[{turn.left_out} more calls of this turn were not answered: at most {MOST_CALLS} a turn]\n{note}"
    note = note.strip()
    if turn.native:
        texts = [*results[:-1], "\n\n".join(filter(None, (results[-1], note)))]
        return tuple(Message("tool", text, call_id=call.id) for call, text in zip(turn.calls, texts, strict=True))
    blocks = [
        f'<tool_result name="{_sanitize_tool_name(call.name)}">\n{text}\n</tool_result>'
        for call, text in zip(turn.calls, results, strict=True)
    ]
    return (Message("user", "\n\n".join(filter(None, (*blocks, note)))),)


def cut_text_end_for_history(text: str) -> str:
    if len(text) <= HISTORY_CHARS:
        return text
    return f"{text[:HISTORY_CHARS]}\n[{len(text) - HISTORY_CHARS} more characters]"


def _sanitize_tool_name(name: str) -> str:
    return _NAME.sub("_", name)[:64] or "unnamed"


def _replace_invalid_arguments_by_empty_object(arguments: str) -> str:
    if len(arguments) > HISTORY_CHARS:
        return "{}"
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return "{}"
    return arguments if isinstance(value, dict) else "{}"
