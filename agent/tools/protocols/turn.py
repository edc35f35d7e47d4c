"""One answer of the model as a turn: the calls in it, and the messages that the history keeps of it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from agent.tools.protocols.text import own_words, text_calls
from agent.values import Message, ModelResponse, ToolCall

# Answered per turn; more than any engineer looks up at once, and what a flood of calls costs stays bounded.
MOST_CALLS = 8
# What the history keeps of an answer or of one call's arguments: more would only push the task out of the window.
HISTORY_CHARS = 24_000
_NAME = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class Turn:
    """`calls` are those that are answered, with ids of their own; `left_out` counts the ones beyond MOST_CALLS;
    `native`: they came as the provider's calls, and so must go back."""

    calls: tuple[ToolCall, ...]
    native: bool
    left_out: int


def read_turn(response: ModelResponse, known: Collection[str], number: int) -> Turn:
    """The calls of an answer, by whichever way they came: a server that knows no call parser leaves a native call
    in the text. Thoughts hold no calls. `number` is the turn's, for ids where the provider gave none."""
    native = bool(response.calls)
    calls = response.calls if native else text_calls(response.text, known)
    kept: list[ToolCall] = []
    for place, call in enumerate(calls[:MOST_CALLS]):
        taken = {one.id for one in kept}
        own = call.id if call.id and call.id not in taken else f"call_{number}_{place}"
        kept.append(replace(call, id=own))
    return Turn(tuple(kept), native, len(calls) - len(kept))


def said(turn: Turn, response: ModelResponse) -> Message:
    """The assistant's message as the history keeps it. Arguments that are no JSON object, or too long, are kept as
    `{}`: several providers parse them anew with every request, and would refuse each one that follows."""
    text = shortened(own_words(response.text) if turn.calls else response.text)
    if not turn.native:
        return Message("assistant", text if text.strip() else "(no text)")  # several providers refuse an empty one
    calls = tuple(replace(one, name=_safe_name(one.name), arguments=_safe(one.arguments)) for one in turn.calls)
    return Message("assistant", text, calls=calls, kept=response.kept)


def answers(turn: Turn, results: Sequence[str], note: str = "") -> tuple[Message, ...]:
    """The messages that answer a turn's calls, in their order; `note` stands below the last one."""
    if turn.left_out:
        note = f"[{turn.left_out} more calls of this turn were not answered: at most {MOST_CALLS} a turn]\n{note}"
    note = note.strip()
    if turn.native:
        texts = [*results[:-1], "\n\n".join(filter(None, (results[-1], note)))]
        return tuple(Message("tool", text, call_id=call.id) for call, text in zip(turn.calls, texts, strict=True))
    told = [
        f'<tool_result name="{_safe_name(call.name)}">\n{text}\n</tool_result>'
        for call, text in zip(turn.calls, results, strict=True)
    ]
    return (Message("user", "\n\n".join(filter(None, (*told, note)))),)


def shortened(text: str) -> str:
    if len(text) <= HISTORY_CHARS:
        return text
    return f"{text[:HISTORY_CHARS]}\n[{len(text) - HISTORY_CHARS} more characters]"


def _safe_name(name: str) -> str:
    return _NAME.sub("_", name)[:64] or "unnamed"


def _safe(arguments: str) -> str:
    if len(arguments) > HISTORY_CHARS:
        return "{}"
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return "{}"
    return arguments if isinstance(value, dict) else "{}"
