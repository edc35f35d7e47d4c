"""OpenAI's chat completions as the scripted server speaks them. A request is refused where OpenAI refuses it: a tool
call without its result, a result without its call."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from experiments.demo.scripted_rules import ScriptCall, ScriptRule


class ChatRequest(NamedTuple):
    """A request as rules see it: the messages' texts in order, the number of the answer that it asks for, and whether
    it offers tools."""

    model: str
    texts: tuple[str, ...]
    turn: int
    tools: bool


class Wire(NamedTuple):
    """One provider's format. `read` takes a request's path and body, and raises ValueError for one that the provider
    would refuse; `write` makes the body of an answer, `error` the body of a failure (status, message, code)."""

    read: Callable[[str, Mapping[str, Any]], ChatRequest]
    write: Callable[[ScriptRule, ChatRequest], object]
    error: Callable[[int, str, str | None], object]


def estimate_tokens(text: str) -> int:
    """A quarter of the UTF-8 bytes, rounded up."""
    return math.ceil(len(text.encode("utf-8", "replace")) / 4)


def repeat_answer_text(rule: ScriptRule) -> str:
    """The answer, repeated as often as the rule says."""
    return rule.answer * rule.repeat


def get_or_make_call_id(call: ScriptCall, number: int, request: ChatRequest) -> str:
    """The call's id. One that is made up depends on its place alone: equal requests get equal answers."""
    return call.id if call.id is not None else f"call_{len(request.texts)}_{number}"


class SpentTokens(NamedTuple):
    """Those of the prompt, and those of the answer, thoughts and calls included."""

    prompt: int
    answer: int


def estimate_spent_tokens(rule: ScriptRule, request: ChatRequest) -> SpentTokens:
    """Tokens of the prompt and of the answer, thoughts and calls included."""
    calls = "".join(f"{call.name}{encode_call_arguments_unless_text(call.arguments)}" for call in rule.calls)
    return SpentTokens(
        sum(map(estimate_tokens, request.texts)),
        estimate_tokens(repeat_answer_text(rule) + rule.reasoning + calls),
    )


def encode_call_arguments_unless_text(arguments: object) -> str:
    """A call's arguments as JSON; a text stays as it is."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def require_calls_match_answers(call_ids: Sequence[str], answered_call_ids: Sequence[str]) -> None:
    """Raises ValueError unless each call has its answer, and each answer its call."""
    if sorted(call_ids) != sorted(answered_call_ids):
        raise ValueError(f"the calls {sorted(call_ids)} were answered by {sorted(answered_call_ids)}")


def _parse_openai_request(path: str, body: Mapping[str, Any]) -> ChatRequest:
    messages = body["messages"]
    turn = 1 + sum(message.get("role") == "assistant" for message in messages)
    waiting: list[str] = []
    given: list[str] = []
    for message in messages:
        if message.get("role") == "tool":
            given.append(str(message["tool_call_id"]))
            continue
        require_calls_match_answers(waiting, given)
        waiting, given = [str(call["id"]) for call in message.get("tool_calls") or []], []
    require_calls_match_answers(waiting, given)
    texts = tuple(map(format_message_with_calls, messages))
    return ChatRequest(str(body.get("model", "scripted")), texts, turn, bool(body.get("tools")))


def format_message_with_calls(message: Mapping[str, Any]) -> str:
    """A message's text; a list of parts, as some clients send it, is joined; tool calls stand below."""
    content = message.get("content")
    lines = [content] if isinstance(content, str) else []
    if isinstance(content, list):
        lines = [str(part.get("text", "")) for part in content if isinstance(part, dict)]
    for call in message.get("tool_calls") or []:
        lines.append(f"{call['function']['name']} {encode_call_arguments_unless_text(call['function']['arguments'])}")
    return "\n".join(lines)


def _make_openai_response(rule: ScriptRule, request: ChatRequest) -> object:
    answer = repeat_answer_text(rule)
    message: dict[str, Any] = {"role": "assistant", "content": answer}
    if rule.calls:
        message["tool_calls"] = [
            {
                "id": get_or_make_call_id(call, number, request),
                "type": "function",
                "function": {"name": call.name, "arguments": encode_call_arguments_unless_text(call.arguments)},
            }
            for number, call in enumerate(rule.calls)
        ]
        message["content"] = answer or None
    if rule.reasoning:
        message["reasoning_content"] = rule.reasoning
    finish = rule.finish_reason or ("tool_calls" if rule.calls else "stop")
    response: dict[str, object] = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if rule.usage:
        prompt, completion = estimate_spent_tokens(rule, request)
        response["usage"] = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }
    return response


def _make_openai_error_body(status: int, message: str, code: str | None) -> object:
    return {"error": {"message": message, "type": code or "error", "code": code}}


OPENAI = Wire(_parse_openai_request, _make_openai_response, _make_openai_error_body)
OPENAI_ALONE: Mapping[str, Wire] = {"/chat/completions": OPENAI}
"""The end of a path -> the format that is spoken there."""
