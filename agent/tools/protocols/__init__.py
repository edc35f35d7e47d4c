"""How a model calls tools: by its provider's native calls, or by a plain-text form that any model can write."""

from agent.tools.protocols.text import describe
from agent.tools.protocols.turn import Turn, answers, read_turn, said

__all__ = ["Turn", "answers", "describe", "read_turn", "said"]
