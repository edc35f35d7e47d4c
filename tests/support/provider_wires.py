"""The formats of Anthropic, Gemini and Ollama for the scripted server: what each is sent, refuses, and answers.

Each refuses what its provider refuses: a call without its result, a result without its call, an empty text, a message
of no known form. The demo speaks OpenAI's format alone (experiments/demo/scripted_wires.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from experiments.demo.scripted_rules import ScriptRule
from experiments.demo.scripted_wires import (
    OPENAI_ALONE,
    ChatRequest,
    Wire,
    encode_call_arguments_unless_text,
    estimate_spent_tokens,
    estimate_tokens,
    format_message_with_calls,
    get_or_make_call_id,
    repeat_answer_text,
    require_calls_match_answers,
)

# What a provider signs its thoughts with: it wants it back with the calls that followed from them.
SIGNATURE = "c2lnbmVk"


def _read_anthropic(path: str, body: Mapping[str, Any]) -> ChatRequest:
    if not isinstance(body.get("max_tokens"), int):
        raise ValueError("max_tokens: Field required")
    system = body.get("system") or ""
    texts = [system] if isinstance(system, str) else [str(block["text"]) for block in system]
    marks = json.dumps(body).count('"cache_control"')
    if marks > 4:
        raise ValueError(f"A maximum of 4 blocks with cache_control may be provided. Found {marks}.")
    waiting: list[str] = []
    for message in body["messages"]:
        if message["role"] not in ("user", "assistant"):
            raise ValueError(f"messages: unexpected role {message['role']!r}")
        blocks = list(_anthropic_blocks(message["content"]))
        if message["role"] == "user":
            require_calls_match_answers(waiting, [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"])
            waiting = []
        else:
            waiting = [b["id"] for b in blocks if b["type"] == "tool_use"]
        texts.append("\n".join(map(_anthropic_text, blocks)))
    require_calls_match_answers(waiting, [])
    turn = 1 + sum(message["role"] == "assistant" for message in body["messages"])
    return ChatRequest(str(body["model"]), tuple(texts), turn, bool(body.get("tools")))


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
        return f"{block['name']} {encode_call_arguments_unless_text(block['input'])}"
    content = block.get("content", block.get("text", ""))
    return content if isinstance(content, str) else "\n".join(str(part.get("text", "")) for part in content)


def _write_anthropic(rule: ScriptRule, request: ChatRequest) -> object:
    content: list[dict[str, Any]] = []
    if rule.reasoning:
        content.append({"type": "thinking", "thinking": rule.reasoning, "signature": SIGNATURE})
    if rule.answer or not rule.calls:
        content.append({"type": "text", "text": repeat_answer_text(rule)})
    for number, call in enumerate(rule.calls):
        made = get_or_make_call_id(call, number, request)
        content.append({"type": "tool_use", "id": made, "name": call.name, "input": call.arguments})
    reasons = {"length": "max_tokens", "stop": "end_turn"}
    finish = reasons.get(rule.finish_reason or "", rule.finish_reason) or ("tool_use" if rule.calls else "end_turn")
    prompt, completion = estimate_spent_tokens(rule, request)
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": request.model,
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


def _read_gemini(path: str, body: Mapping[str, Any]) -> ChatRequest:
    texts: list[str] = []
    system = body.get("system_instruction") or body.get("systemInstruction")
    if system:
        texts.append("\n".join(str(part["text"]) for part in system["parts"]))
    waiting: list[str] = []
    for message in body["contents"]:
        parts = _list(message["parts"])
        if not parts:
            raise ValueError("GenerateContentRequest.contents: contents.parts must not be empty.")
        calls = [call for part in parts if (call := _either(part, "functionCall", "function_call"))]
        results = [got for part in parts if (got := _either(part, "functionResponse", "function_response"))]
        if waiting or results:
            require_calls_match_answers(waiting, [got["name"] for got in results])
        waiting = [call["name"] for call in calls]
        lines = [str(part.get("text", "")) for part in parts if "text" in part]
        lines += [f"{call['name']} {encode_call_arguments_unless_text(call.get('args', {}))}" for call in calls]
        texts.append("\n".join([*lines, *(_gemini_result(got) for got in results)]))
    require_calls_match_answers(waiting, [])
    turn = 1 + sum(message.get("role") == "model" for message in body["contents"])
    model = path.partition("?")[0].rpartition("/")[2].partition(":")[0]
    return ChatRequest(model, tuple(texts), turn, bool(body.get("tools")))


def _gemini_result(got: Mapping[str, Any]) -> str:
    response = got["response"]
    return str(response.get("content", response)) if isinstance(response, dict) else str(response)


def _write_gemini(rule: ScriptRule, request: ChatRequest) -> object:
    parts: list[dict[str, Any]] = []
    if rule.reasoning:
        parts.append({"text": rule.reasoning, "thought": True})
    if rule.answer or not rule.calls:
        parts.append({"text": repeat_answer_text(rule)})
    for number, call in enumerate(rule.calls):
        part: dict[str, Any] = {"functionCall": {"name": call.name, "args": call.arguments}}
        if rule.reasoning and number == 0:
            part["thoughtSignature"] = SIGNATURE
        parts.append(part)
    reasons = {"length": "MAX_TOKENS", None: "STOP", "stop": "STOP"}
    candidate = {
        "content": {"role": "model", "parts": parts},
        "finishReason": reasons.get(rule.finish_reason, rule.finish_reason),
        "index": 0,
    }
    response: dict[str, object] = {"candidates": [candidate], "modelVersion": request.model}
    if rule.usage:
        prompt, completion = estimate_spent_tokens(rule, request)
        thoughts = estimate_tokens(rule.reasoning)
        response["usageMetadata"] = {
            "promptTokenCount": prompt,
            "candidatesTokenCount": completion - thoughts,
            "thoughtsTokenCount": thoughts,
            "totalTokenCount": prompt + completion,
        }
    return response


def _error_gemini(status: int, message: str, code: str | None) -> object:
    return {"error": {"code": status, "message": message, "status": code or "INVALID_ARGUMENT"}}


def _read_ollama(path: str, body: Mapping[str, Any]) -> ChatRequest:
    for message in body["messages"]:
        for call in message.get("tool_calls") or []:
            if not isinstance(call["function"]["arguments"], dict):
                raise ValueError("json: cannot unmarshal string into ToolCallFunctionArguments")
    turn = 1 + sum(message.get("role") == "assistant" for message in body["messages"])
    texts = tuple(map(format_message_with_calls, body["messages"]))
    return ChatRequest(str(body["model"]), texts, turn, bool(body.get("tools")))


def _write_ollama(rule: ScriptRule, request: ChatRequest) -> object:
    message: dict[str, Any] = {"role": "assistant", "content": repeat_answer_text(rule)}
    if rule.reasoning:
        message["thinking"] = rule.reasoning
    if rule.calls:
        message["tool_calls"] = [{"function": {"name": call.name, "arguments": call.arguments}} for call in rule.calls]
    response: dict[str, object] = {
        "model": request.model,
        "created_at": "2026-01-01T00:00:00Z",
        "message": message,
        "done": True,
        "done_reason": rule.finish_reason or "stop",
    }
    if rule.usage:
        response["prompt_eval_count"], response["eval_count"] = estimate_spent_tokens(rule, request)
    return response


def _error_ollama(status: int, message: str, code: str | None) -> object:
    return {"error": message}


def _list(value: object) -> list[Mapping[str, Any]]:
    return value if isinstance(value, list) else []


def _either(part: Mapping[str, Any], *names: str) -> Mapping[str, Any] | None:
    """Gemini takes both spellings of its keys."""
    return next((part[name] for name in names if name in part), None)


ALL_PROVIDERS: Mapping[str, Wire] = {
    **OPENAI_ALONE,
    "/v1/messages": Wire(_read_anthropic, _write_anthropic, _error_anthropic),
    ":generateContent": Wire(_read_gemini, _write_gemini, _error_gemini),
    "/api/chat": Wire(_read_ollama, _write_ollama, _error_ollama),
}
"""The end of a path -> the format that is spoken there."""
