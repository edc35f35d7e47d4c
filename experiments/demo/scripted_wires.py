"""The wire formats that the scripted server speaks: what a provider is sent, refuses, and answers.

By the request's path: OpenAI's chat completions (vLLM, llama.cpp's server and others speak it too), Anthropic's
messages, Gemini's generateContent, Ollama's chat. Each refuses what the provider refuses: a call without its
answer, an answer without its call, an empty text, a message of no known form.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from experiments.demo.scripted_rules import ScriptCall, ScriptRule

# What a provider signs its thoughts with: it wants it back with the calls that followed from them.
SIGNATURE = "c2lnbmVk"


class Asked(NamedTuple):
    """A request as rules see it: the messages' texts in order, the number of the answer that is asked for, and
    whether tools are offered."""

    model: str
    texts: tuple[str, ...]
    turn: int
    tools: bool


class Wire(NamedTuple):
    """One provider's form. `read` takes the path and the body, and raises ValueError with what is wrong with it;
    `write` gives the body of an answer, `error` that of a failure (status, message, code)."""

    read: Callable[[str, Mapping[str, Any]], Asked]
    write: Callable[[ScriptRule, Asked], object]
    error: Callable[[int, str, str | None], object]


def wire_of(path: str) -> Wire | None:
    """The form that is spoken at a path; None: there is nothing."""
    plain = path.partition("?")[0].rstrip("/")
    for ending, wire in _WIRES.items():
        if plain.endswith(ending):
            return wire
    return None


def tokens(text: str) -> int:
    """A quarter of the UTF-8 bytes, rounded up."""
    return math.ceil(len(text.encode("utf-8", "replace")) / 4)


def _said(rule: ScriptRule) -> str:
    return rule.answer * rule.repeat


def _call_id(one: ScriptCall, number: int, asked: Asked) -> str:
    # Made of the place in the conversation: equal requests get equal answers.
    return one.id if one.id is not None else f"call_{len(asked.texts)}_{number}"


def _spent(rule: ScriptRule, asked: Asked) -> tuple[int, int]:
    """Tokens of the prompt and of the answer, thoughts and calls included."""
    calls = "".join(f"{one.name}{_text(one.arguments)}" for one in rule.calls)
    return sum(map(tokens, asked.texts)), tokens(_said(rule) + rule.reasoning + calls)


def _text(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _answered(open_calls: Sequence[str], given: Sequence[str]) -> None:
    """Raises ValueError unless each call has its answer, and each answer its call."""
    if sorted(open_calls) != sorted(given):
        raise ValueError(f"the calls {sorted(open_calls)} were answered by {sorted(given)}")


def _read_openai(path: str, body: Mapping[str, Any]) -> Asked:
    messages = body["messages"]
    turn = 1 + sum(one.get("role") == "assistant" for one in messages)
    waiting: list[str] = []
    given: list[str] = []
    for one in messages:
        if one.get("role") == "tool":
            given.append(str(one["tool_call_id"]))
            continue
        _answered(waiting, given)
        waiting, given = [str(call["id"]) for call in one.get("tool_calls") or []], []
    _answered(waiting, given)
    texts = tuple(map(_openai_text, messages))
    return Asked(str(body.get("model", "scripted")), texts, turn, bool(body.get("tools")))


def _openai_text(message: Mapping[str, Any]) -> str:
    """A message's text; a list of parts, as some clients send it, is joined; tool calls stand below."""
    content = message.get("content")
    lines = [content] if isinstance(content, str) else []
    if isinstance(content, list):
        lines = [str(part.get("text", "")) for part in content if isinstance(part, dict)]
    for call in message.get("tool_calls") or []:
        lines.append(f"{call['function']['name']} {_text(call['function']['arguments'])}")
    return "\n".join(lines)


def _write_openai(rule: ScriptRule, asked: Asked) -> object:
    answer = _said(rule)
    message: dict[str, Any] = {"role": "assistant", "content": answer}
    if rule.calls:
        message["tool_calls"] = [
            {
                "id": _call_id(one, number, asked),
                "type": "function",
                "function": {"name": one.name, "arguments": _text(one.arguments)},
            }
            for number, one in enumerate(rule.calls)
        ]
        message["content"] = answer or None
    if rule.reasoning:
        message["reasoning_content"] = rule.reasoning
    finish = rule.finish_reason or ("tool_calls" if rule.calls else "stop")
    response: dict[str, object] = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if rule.usage:
        prompt, completion = _spent(rule, asked)
        response["usage"] = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }
    return response


def _error_openai(status: int, message: str, code: str | None) -> object:
    return {"error": {"message": message, "type": code or "error", "code": code}}


def _read_anthropic(path: str, body: Mapping[str, Any]) -> Asked:
    if not isinstance(body.get("max_tokens"), int):
        raise ValueError("max_tokens: Field required")
    system = body.get("system") or ""
    texts = [system] if isinstance(system, str) else [str(one["text"]) for one in system]
    marks = json.dumps(body).count('"cache_control"')
    if marks > 4:
        raise ValueError(f"A maximum of 4 blocks with cache_control may be provided. Found {marks}.")
    waiting: list[str] = []
    for one in body["messages"]:
        if one["role"] not in ("user", "assistant"):
            raise ValueError(f"messages: unexpected role {one['role']!r}")
        blocks = list(_anthropic_blocks(one["content"]))
        if one["role"] == "user":
            _answered(waiting, [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"])
            waiting = []
        else:
            waiting = [b["id"] for b in blocks if b["type"] == "tool_use"]
        texts.append("\n".join(map(_anthropic_text, blocks)))
    _answered(waiting, [])
    turn = 1 + sum(one["role"] == "assistant" for one in body["messages"])
    return Asked(str(body["model"]), tuple(texts), turn, bool(body.get("tools")))


def _anthropic_blocks(content: object) -> Iterator[Mapping[str, Any]]:
    for block in [{"type": "text", "text": content}] if isinstance(content, str) else _list(content):
        if block["type"] == "text" and not block["text"].strip():
            raise ValueError("messages: text content blocks must contain non-whitespace text")
        if block["type"] == "tool_use" and not isinstance(block["input"], dict):
            raise ValueError("tool_use.input: Input should be a valid dictionary")
        if block["type"] == "thinking" and block.get("signature") != SIGNATURE:
            raise ValueError("Invalid `signature` in `thinking` block")
        yield block


def _anthropic_text(block: Mapping[str, Any]) -> str:
    if block["type"] == "tool_use":
        return f"{block['name']} {_text(block['input'])}"
    content = block.get("content", block.get("text", ""))
    return content if isinstance(content, str) else "\n".join(str(one.get("text", "")) for one in content)


def _write_anthropic(rule: ScriptRule, asked: Asked) -> object:
    content: list[dict[str, Any]] = []
    if rule.reasoning:
        content.append({"type": "thinking", "thinking": rule.reasoning, "signature": SIGNATURE})
    if rule.answer or not rule.calls:
        content.append({"type": "text", "text": _said(rule)})
    for number, one in enumerate(rule.calls):
        made = _call_id(one, number, asked)
        content.append({"type": "tool_use", "id": made, "name": one.name, "input": one.arguments})
    reasons = {"length": "max_tokens", "stop": "end_turn"}
    finish = reasons.get(rule.finish_reason or "", rule.finish_reason) or ("tool_use" if rule.calls else "end_turn")
    prompt, completion = _spent(rule, asked)
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": content,
        "stop_reason": finish,
        "stop_sequence": None,
        "usage": {
            "input_tokens": prompt if rule.usage else 0,
            "output_tokens": completion if rule.usage else 0,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    }


def _error_anthropic(status: int, message: str, code: str | None) -> object:
    return {"type": "error", "error": {"type": code or "invalid_request_error", "message": message}}


def _read_gemini(path: str, body: Mapping[str, Any]) -> Asked:
    texts: list[str] = []
    system = body.get("system_instruction") or body.get("systemInstruction")
    if system:
        texts.append("\n".join(str(part["text"]) for part in system["parts"]))
    waiting: list[str] = []
    for one in body["contents"]:
        parts = _list(one["parts"])
        if not parts:
            raise ValueError("GenerateContentRequest.contents: contents.parts must not be empty.")
        calls = [call for part in parts if (call := _either(part, "functionCall", "function_call"))]
        results = [got for part in parts if (got := _either(part, "functionResponse", "function_response"))]
        if waiting or results:
            _answered(waiting, [got["name"] for got in results])
        waiting = [call["name"] for call in calls]
        lines = [str(part.get("text", "")) for part in parts if "text" in part]
        lines += [f"{call['name']} {_text(call.get('args', {}))}" for call in calls]
        texts.append("\n".join([*lines, *(_gemini_result(got) for got in results)]))
    _answered(waiting, [])
    turn = 1 + sum(one.get("role") == "model" for one in body["contents"])
    model = path.partition("?")[0].rpartition("/")[2].partition(":")[0]
    return Asked(model, tuple(texts), turn, bool(body.get("tools")))


def _gemini_result(got: Mapping[str, Any]) -> str:
    response = got["response"]
    return str(response.get("content", response)) if isinstance(response, dict) else str(response)


def _write_gemini(rule: ScriptRule, asked: Asked) -> object:
    parts: list[dict[str, Any]] = []
    if rule.reasoning:
        parts.append({"text": rule.reasoning, "thought": True})
    if rule.answer or not rule.calls:
        parts.append({"text": _said(rule)})
    for number, one in enumerate(rule.calls):
        part: dict[str, Any] = {"functionCall": {"name": one.name, "args": one.arguments}}
        if rule.reasoning and number == 0:
            part["thoughtSignature"] = SIGNATURE
        parts.append(part)
    reasons = {"length": "MAX_TOKENS", None: "STOP", "stop": "STOP"}
    candidate = {
        "content": {"role": "model", "parts": parts},
        "finishReason": reasons.get(rule.finish_reason, rule.finish_reason),
        "index": 0,
    }
    response: dict[str, object] = {"candidates": [candidate], "modelVersion": asked.model}
    if rule.usage:
        prompt, completion = _spent(rule, asked)
        thoughts = tokens(rule.reasoning)
        response["usageMetadata"] = {
            "promptTokenCount": prompt,
            "candidatesTokenCount": completion - thoughts,
            "thoughtsTokenCount": thoughts,
            "totalTokenCount": prompt + completion,
        }
    return response


def _error_gemini(status: int, message: str, code: str | None) -> object:
    return {"error": {"code": status, "message": message, "status": code or "INVALID_ARGUMENT"}}


def _read_ollama(path: str, body: Mapping[str, Any]) -> Asked:
    for one in body["messages"]:
        for call in one.get("tool_calls") or []:
            if not isinstance(call["function"]["arguments"], dict):
                raise ValueError("json: cannot unmarshal string into ToolCallFunctionArguments")
    turn = 1 + sum(one.get("role") == "assistant" for one in body["messages"])
    texts = tuple(map(_openai_text, body["messages"]))
    return Asked(str(body["model"]), texts, turn, bool(body.get("tools")))


def _write_ollama(rule: ScriptRule, asked: Asked) -> object:
    message: dict[str, Any] = {"role": "assistant", "content": _said(rule)}
    if rule.reasoning:
        message["thinking"] = rule.reasoning
    if rule.calls:
        message["tool_calls"] = [{"function": {"name": one.name, "arguments": one.arguments}} for one in rule.calls]
    response: dict[str, object] = {
        "model": asked.model,
        "created_at": "2026-01-01T00:00:00Z",
        "message": message,
        "done": True,
        "done_reason": rule.finish_reason or "stop",
    }
    if rule.usage:
        response["prompt_eval_count"], response["eval_count"] = _spent(rule, asked)
    return response


def _error_ollama(status: int, message: str, code: str | None) -> object:
    return {"error": message}


def _list(value: object) -> list[Mapping[str, Any]]:
    return value if isinstance(value, list) else []


def _either(part: Mapping[str, Any], *names: str) -> Mapping[str, Any] | None:
    """Gemini takes both spellings of its keys."""
    return next((part[name] for name in names if name in part), None)


OPENAI = Wire(_read_openai, _write_openai, _error_openai)
_WIRES: Mapping[str, Wire] = {
    "/chat/completions": OPENAI,
    "/v1/messages": Wire(_read_anthropic, _write_anthropic, _error_anthropic),
    ":generateContent": Wire(_read_gemini, _write_gemini, _error_gemini),
    "/api/chat": Wire(_read_ollama, _write_ollama, _error_ollama),
}
