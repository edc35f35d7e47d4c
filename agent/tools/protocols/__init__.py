"""How a model calls tools: by its provider's native calls, or by a plain-text form that any model can write."""

from agent.tools.protocols.text_calls import describe_text_protocol
from agent.tools.protocols.turn import Turn, make_assistant_message, make_result_messages, read_turn

__all__ = ["Turn", "describe_text_protocol", "make_assistant_message", "make_result_messages", "read_turn"]
