"""What tools answered in one turn: as the record keeps it, and as the history shows it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from agent.model.conversation_limits import ConversationLimits
from agent.tools.tool_answer import ToolAnswer
from agent.values import ToolCall, ToolUse, Trajectory

# All results of one turn together: about 6,000 tokens.
_TURN_CHARS = 24_000
# A token is rarely less than two characters of code.
_CHARS_PER_TOKEN = 2
_KEPT_ARGUMENTS = 2_000
# From here on the model is reminded of how many turns are left.
_LAST_TURNS = 3


def make_tool_use_record(call: ToolCall, answer: ToolAnswer, seconds: float) -> ToolUse:
    arguments = call.arguments
    if len(arguments) > _KEPT_ARGUMENTS:
        digest = hashlib.sha256(arguments.encode("utf-8", "replace")).hexdigest()
        arguments = f"{arguments[:_KEPT_ARGUMENTS]}... ({len(arguments)} characters, SHA-256 {digest})"
    return ToolUse(call.name[:100], arguments, answer.mistake, len(answer.text), seconds, answer.shown, answer.bodies)


def cut_later_results_to_fit_turn(results: Sequence[str], tokens_left: int | None) -> list[str]:
    """The results of one turn, the later ones cut where all together are too long. `tokens_left` in the model's
    window, None where that isn't known."""
    left = _TURN_CHARS if tokens_left is None else min(_TURN_CHARS, tokens_left * _CHARS_PER_TOKEN)
    cut_down = []
    for text in results:
        cut = text if len(text) <= left else f"{text[:left]}\n[cut here: too much for one turn; ask for less at once]"
        cut_down.append(cut)
        left = max(0, left - len(text))
    return cut_down


def make_last_turns_note(trail: Trajectory, limits: ConversationLimits, ending: str) -> str:
    """How many of the last turns are left, and how to come to an end; "" before the last ones."""
    left = limits.steps - len(trail.rounds)
    return "" if left > _LAST_TURNS else f"[{left} {'turn' if left == 1 else 'turns'} left: {ending}]"
