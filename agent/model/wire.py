"""Messages and tools in the form that litellm takes, OpenAI's chat completions, and calls read back from it."""

from __future__ import annotations

import json
from typing import Any

from agent.values import Message, ModelRequest, ToolCall

# Anthropic allows four marks. The system message and the last two turns are what the next request shares.
_MARKED_LAST = 2
_MOST_CALLS = 256


def litellm_model_name(model: str) -> str:
    """The model's name for litellm. Under `ollama/` litellm would make one prompt out of the messages, for Ollama's
    older API; under `ollama_chat/` the model gets the messages as they are."""
    return f"ollama_chat/{model.removeprefix('ollama/')}" if model.startswith("ollama/") else model


def make_chat_messages(request: ModelRequest) -> list[dict[str, Any]]:
    """The history as sent. For Claude the stable parts are marked for the provider's prompt cache; other providers
    cache a common beginning by themselves, or not at all. The marks aren't part of a request's key."""
    out = [_make_message_body(message) for message in request.messages]
    if "claude" in request.model.lower():
        users = [number for number, message in enumerate(request.messages) if message.role in ("user", "tool")]
        system = [number for number, message in enumerate(request.messages) if message.role == "system"][:1]
        for number in (*system, *users[-_MARKED_LAST:]):
            text = {"type": "text", "text": out[number]["content"], "cache_control": {"type": "ephemeral"}}
            out[number]["content"] = [text]
    return out


def make_tool_parameters(request: ModelRequest) -> dict[str, Any]:
    if not request.tools:
        return {}
    tools = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": json.loads(tool.parameters),
            },
        }
        for tool in request.tools
    ]
    return {"tools": tools, "tool_choice": "auto"}


def read_tool_calls(message: object, max_bytes: int) -> tuple[ToolCall, ...]:
    """The native calls of an answer. Arguments that aren't text become JSON text; longer ones than `max_bytes` are
    cut, and then aren't valid JSON."""
    found = []
    for call in (getattr(message, "tool_calls", None) or [])[:_MOST_CALLS]:
        function = call.function
        text = function.arguments if isinstance(function.arguments, str) else json.dumps(function.arguments or {})
        kept = getattr(call, "provider_specific_fields", None) or getattr(function, "provider_specific_fields", None)
        found.append(
            ToolCall(
                id=replace_surrogates(str(call.id or "")),
                name=replace_surrogates(str(function.name or "")),
                arguments=text.encode("utf-8", "replace")[:max_bytes].decode("utf-8", "ignore"),
                kept=_dump_json_or_empty(kept),
            )
        )
    return tuple(found)


def read_thoughts_to_send_back(message: object, model: str) -> str:
    """What the provider wants sent back with its calls: Anthropic and OpenRouter signed thoughts, DeepSeek and Kimi
    their thoughts. Kimi, and Gemini behind OpenRouter, refuse calls without them."""
    thinking = getattr(message, "thinking_blocks", None)
    if thinking:
        return _dump_json_or_empty({"thinking_blocks": thinking})
    details = (getattr(message, "provider_specific_fields", None) or {}).get("reasoning_details")
    if details:
        return _dump_json_or_empty({"reasoning_details": details})
    thoughts = getattr(message, "reasoning_content", None)
    wanted = any(name in model.lower() for name in ("deepseek", "kimi"))
    return _dump_json_or_empty({"reasoning_content": thoughts}) if thoughts and wanted else ""


def _make_message_body(message: Message) -> dict[str, Any]:
    out: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "tool":
        out["tool_call_id"] = message.call_id
    if message.calls:
        out["tool_calls"] = [_make_call_body(call) for call in message.calls]
        out.update(json.loads(message.kept) if message.kept else {})
    return out


def _make_call_body(call: ToolCall) -> dict[str, Any]:
    out: dict[str, Any] = {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": call.arguments},
    }
    if call.kept:
        out["provider_specific_fields"] = json.loads(call.kept)
    return out


def _dump_json_or_empty(value: object) -> str:
    try:
        return json.dumps(value, sort_keys=True) if value else ""
    except (TypeError, ValueError):
        return ""


def replace_surrogates(text: str) -> str:
    """Text without lone surrogates, which JSON's escapes can make, and neither a file nor an index can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
