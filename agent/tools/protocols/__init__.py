"""How a model calls tools: by its provider's native calls, or by a plain-text form that any model can write."""

from agent.tools.protocols.text_calls import describe_text_protocol
from agent.tools.protocols.turn import Turn, assistant_message, read_turn, result_messages

__all__ = ["Turn", "assistant_message", "describe_text_protocol", "read_turn", "result_messages"]
