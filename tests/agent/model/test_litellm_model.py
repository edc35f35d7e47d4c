"""Prevents: a provider's bad day that hangs a run, is paid for twice, or is scored as the model's; a tool call that
is lost, or sent back in a form that the provider refuses for ever; a model without tools that fails instead of being
asked by text.

All over loopback through litellm itself, against a real HTTP server.
"""

from __future__ import annotations

import json
import socket
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from agent.model import litellm_model, transport
from agent.model.batch_wire import make_anthropic_or_gemini_request_body
from agent.model.capabilities import find_missing_api_key_variable
from agent.model.litellm_model import LiteLLMModel, RetryPolicy
from agent.model.wire import make_chat_messages, make_tool_parameters, read_thoughts_to_send_back
from agent.values import TOOLS_REFUSED, Message, ModelRequest, ToolCall, ToolSpec
from index.errors import ConfigError, ContextTooLongError, ModelError
from tests.agent.conftest import FAST

SCHEMA = '{"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}'
TOOLS = (ToolSpec("read", "Read a file.", SCHEMA),)
HISTORY = (
    Message("system", "Be brief."),
    Message("user", "Write f."),
    Message("assistant", "", (ToolCall("call_1", "read", '{"path": "a.c"}'),)),
    Message("tool", "int f(void);", call_id="call_1"),
)


def ask(api_base, text="hello", model="openai/scripted", tools=(), **policy):
    request = ModelRequest(model, (Message("user", text),), 0.0, 100, 7, api_base=api_base, tools=tools)
    return LiteLLMModel(**{"policy": FAST, **policy}).complete(request)


def body_with(content):
    message = f'{{"role": "assistant", "content": {content}}}'
    return f'{{"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{{"index": 0, "message": {message}, "finish_reason": "stop"}}]}}'  # noqa: E501


def test_an_answer_with_its_accounts(serve):
    server = serve({"answer": "int f(void);", "reasoning": "let me see"})
    response = ask(server.base_url)
    assert (response.text, response.reasoning, response.finish_reason) == ("int f(void);", "let me see", "stop")
    assert (response.prompt_tokens, response.completion_tokens, response.tokens_estimated) == (2, 6, False)
    assert response.cost is None, "an unpriced model's cost is unknown, not 0"
    assert json.loads(response.raw)["choices"][0]["message"]["content"] == "int f(void);"
    assert response.seconds > 0
    sent = json.loads(server.log.requests[0].body)
    assert (sent["temperature"], sent["max_tokens"], sent["seed"]) == (0.0, 100, 7)


def test_an_argument_of_the_call_itself_may_stand_in_model_args(serve):
    """Where the configuration allows a key, the call did not: it was named twice."""
    extra = tuple((key, json.dumps(value)) for key, value in {"api_key": "k", "max_retries": 1, "timeout": 9}.items())
    request = ModelRequest("openai/m", (Message("user", "hi"),), None, None, None, extra=extra)
    server = serve({"answer": "int f(void);"})
    assert LiteLLMModel(FAST).complete(replace(request, api_base=server.base_url)).text == "int f(void);"
    assert json.loads(server.log.requests[0].body).keys() == {"messages", "model"}
    assert "messages" in make_anthropic_or_gemini_request_body(replace(request, model="anthropic/claude-sonnet-4-5"))


def test_five_megabytes(serve, monkeypatch):
    server = serve({"answer": "0123456789", "repeat": 500_000})
    assert len(ask(server.base_url).text) == 5_000_000
    monkeypatch.setattr(litellm_model, "_MOST_ANSWER_BYTES", 1000)
    cut = ask(server.base_url)
    assert (len(cut.text), cut.finish_reason) == (1000, "length")


def test_an_empty_answer(serve):
    server = serve({"answer": "", "times": 1}, {"body": body_with("null")})
    assert ask(server.base_url).text == ""
    null = ask(server.base_url)
    assert (null.text, null.tokens_estimated, null.prompt_tokens) == ("", True, 2)


def test_invalid_utf8_costs_a_character_not_the_answer(serve):
    bad = body_with('"a\x00b"').encode().replace(b"\x00", b"\xff\xfe")
    server = serve({"body": bad, "times": 1}, {"body": body_with('"a\\ud800b"')})
    assert [ask(server.base_url).text for _ in range(2)] == ["a\ufffd\ufffdb", "a?b"]
    assert server.log.request_count == 2


def test_a_rate_limit_is_waited_out_as_long_as_the_provider_asks(serve):
    server = serve({"status": 429, "times": 1, "headers": {"Retry-After": "1"}}, {"answer": "after"})
    notes: list[str] = []
    start = time.monotonic()
    response = ask(server.base_url, on_retry=notes.append)
    assert time.monotonic() - start >= 1.0
    assert response.seconds < 1.0, "the wait is not the model's time"
    assert (response.text, server.log.request_count, len(notes)) == ("after", 2, 1)


@pytest.mark.parametrize("status", [500, 502, 503, 408])
def test_a_passing_fault_is_tried_again(serve, status):
    assert ask(serve({"status": status, "times": 1}, {"answer": "after"}).base_url).text == "after"


# In the words of many servers.
TOO_LONG = [
    "prompt exceeds the context length",
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length",
    "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    "Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)",
    "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]",
    "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).",
    "Prompt exceeds max length",
]


@pytest.mark.parametrize(
    ("rule", "calls", "error"),
    [
        ({"status": 500}, 3, ModelError),
        ({"body": "<html>gateway</html>"}, 3, ModelError),
        ({"body": ""}, 3, ModelError),
        ({"body": "[1, 2]"}, 3, ModelError),
        ({"body": '{"choices": []}'}, 3, ModelError),
        ({"answer": "cut off", "cut_after": 40}, 3, ModelError),
        # A wait beyond the ceiling isn't begun, and what won't pass isn't tried again.
        ({"status": 429, "headers": {"Retry-After": "3600"}}, 1, ModelError),
        ({"status": 400, "code": "context_length_exceeded", "answer": "too long"}, 1, ContextTooLongError),
        *(({"status": 400, "answer": message}, 1, ContextTooLongError) for message in TOO_LONG),
        ({"status": 400, "answer": "bad parameter"}, 1, ModelError),
        ({"status": 401, "answer": "wrong key"}, 1, ModelError),
        ({"status": 403, "answer": "no"}, 1, ModelError),
        ({"status": 404, "answer": "no such model"}, 1, ModelError),
        ({"status": 429, "code": "insufficient_quota", "answer": "insufficient_quota"}, 1, ModelError),
    ],
)  # fmt: skip
def test_a_lasting_fault_ends_after_so_many_calls(serve, rule, calls, error):
    server = serve(rule)
    start = time.monotonic()
    with pytest.raises(error, match=f"{calls} calls? failed" if error is ModelError else None) as raised:
        ask(server.base_url)
    assert type(raised.value) is error
    assert server.log.request_count == calls
    assert time.monotonic() - start < 10


def test_a_slow_server_is_left(serve):
    server = serve({"delay_s": 5, "answer": "late"})
    start = time.monotonic()
    with pytest.raises(ModelError, match="2 calls failed"):
        ask(server.base_url, policy=RetryPolicy(attempts=2, first_wait_s=0.02, timeout_s=0.3))
    assert time.monotonic() - start < 4


def test_nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    notes: list[str] = []
    for model, url in (("openai/x", f"http://127.0.0.1:{port}/v1"), ("ollama/x", f"http://127.0.0.1:{port}")):
        with pytest.raises(ModelError) as raised:
            ask(url, model=model, on_retry=notes.append)
        assert str(raised.value) == f"{model}: 3 calls failed: api_base {url}: nothing answers there"
    assert len(notes) == 4 and all(note.endswith("nothing answers there") for note in notes)


def test_a_missing_key_is_no_fault_of_the_server(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert find_missing_api_key_variable("openai/gpt-4o") == "OPENAI_API_KEY"
    assert [find_missing_api_key_variable(model) for model in ("ollama/x", "hosted_vllm/x", "nobody/x")] == [None] * 3
    with pytest.raises(ModelError, match=r"1 call failed: InternalServerError: OpenAIException - Missing cred"):
        ask(None)


def test_a_model_that_the_server_lacks_is_told_with_the_key(serve):
    server = serve({"status": 404, "answer": "no such model."})
    with pytest.raises(ModelError, match=r"no such model; put the key model right \(or api_base\)$") as raised:
        ask(server.base_url)
    assert str(raised.value).count("NotFoundError") == 1


def test_a_model_without_a_provider_is_the_users_mistake(serve):
    with pytest.raises(ConfigError, match="openai/NAME"):
        ask(serve({"answer": "x"}).base_url, model="scripted")


def test_a_prompt_that_the_server_cut_silently_is_refused(serve):
    usage = '"usage": {"prompt_tokens": 2048, "completion_tokens": 5, "total_tokens": 2053}'
    server = serve({"body": body_with('"int f(void);"')[:-1] + f", {usage}}}"})
    with pytest.raises(ContextTooLongError, match="cut the prompt silently"):
        ask(server.base_url, "dictAdd(d, key, value); " * 2000)
    assert server.log.request_count == 1
    assert ask(server.base_url, "dictAdd(d, key, value); " * 200).text


def test_a_response_without_end_is_cut_and_not_asked_for_again(serve, monkeypatch):
    monkeypatch.setattr(transport, "_MOST_BYTES", 10_000)
    server = serve({"answer": "0123456789", "repeat": 10_000})
    with pytest.raises(ModelError, match="1 call failed"):
        ask(server.base_url)
    assert server.log.request_count == 1


def test_calls_come_as_they_were_written(serve):
    whole = {"name": "read", "arguments": {"path": "a.c"}, "id": "x1"}
    broken = {"name": "read", "arguments": '{"path": "a.c'}
    server = serve({"answer": "Let me look.", "calls": [whole, broken]})
    response = ask(server.base_url, tools=TOOLS)
    assert (response.text, response.finish_reason) == ("Let me look.", "tool_calls")
    assert response.calls[0] == ToolCall("x1", "read", '{"path": "a.c"}')
    assert response.calls[1].arguments == '{"path": "a.c'
    assert response.calls[1].id
    sent = json.loads(server.log.requests[0].body)
    function = {"name": "read", "description": "Read a file.", "parameters": json.loads(SCHEMA)}
    assert (sent["tools"][0]["function"], sent["tool_choice"]) == (function, "auto")


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (500, "tools param requires --jinja flag"),
        (400, "registry.ollama.ai/library/codegemma:latest does not support tools"),
        (404, "No endpoints found that support tool use. To learn more about provider routing, visit: https://x"),
        (404, "No endpoints found that support the provided 'tool_choice' value."),
        (400, "Function calling is not enabled for models/gemma-3-12b-it"),
        (400, "Tool use with function calling is unsupported"),
        (400, "Unsupported parameter: 'tools' is not supported with this model."),
        (400, "function calling is not supported"),
    ],
)
def test_a_server_without_tools_is_an_answer_not_a_failure(serve, status, message):
    server = serve({"when_tools": True, "status": status, "answer": message}, {"answer": "as text"})
    response = ask(server.base_url, tools=TOOLS)
    assert (response.finish_reason, response.prompt_tokens, response.cost) == (TOOLS_REFUSED, 0, 0.0)
    assert server.log.request_count == 1
    assert ask(server.base_url).text == "as text"


@pytest.mark.parametrize("message", ["wrong key", "the tools are busy", "functions are fun"])
def test_another_failure_is_not_taken_for_it(serve, message):
    with pytest.raises(ModelError):
        ask(serve({"status": 400, "answer": message}).base_url, tools=TOOLS)


def test_a_call_that_groq_cannot_read_is_the_models_answer(serve):
    written = '<function=read>{"path": "a.c"'
    failed = {"message": "See 'failed_generation'.", "code": "tool_use_failed", "failed_generation": written}
    server = serve({"status": 400, "body": json.dumps({"error": failed})})
    response = ask(server.base_url, model="groq/llama-3.3-70b-versatile", tools=TOOLS, api_key="key")
    assert (response.text, response.finish_reason) == (written, "stop")
    assert (response.calls, response.cost, response.tokens_estimated) == ((), None, True)
    assert server.log.request_count == 1


def test_claudes_stable_parts_are_marked_and_litellm_understands_them():
    from litellm import AnthropicConfig

    request = ModelRequest("anthropic/claude-sonnet-4-5", HISTORY, None, 100, None, tools=TOOLS)
    config, given = AnthropicConfig(), {**make_tool_parameters(request), "max_tokens": 100}
    parameters = config.map_openai_params(given, {}, "claude-sonnet-4-5", drop_params=True)
    sent = config.transform_request("claude-sonnet-4-5", make_chat_messages(request), parameters, {}, {})
    assert sent["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert json.dumps(sent["messages"]).count("cache_control") == 2
    assert sent["messages"][-1]["content"][0]["type"] == "tool_result"
    plain = make_chat_messages(ModelRequest("openai/gpt-4o", HISTORY, None, 100, None, tools=TOOLS))
    assert "cache_control" not in json.dumps(plain)


@pytest.mark.parametrize(
    ("model", "kept"),
    [("openai/scripted", False), ("deepseek/deepseek-reasoner", True), ("openai/kimi-k2-thinking", True)],
)
def test_thoughts_go_back_to_who_wants_them(model, kept):
    """Signed ones are played in test_providers."""
    assert bool(read_thoughts_to_send_back(SimpleNamespace(reasoning_content="hm"), model)) == kept


def test_openrouters_signed_thoughts_go_back_with_the_calls(serve):
    """Else Gemini behind it refuses each second turn."""
    details = [{"type": "reasoning.encrypted", "data": "c2lnbmVk", "id": "call_1", "index": 0}]
    called = {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": '{"path": "a.c"}'}}
    message = {"role": "assistant", "content": "", "tool_calls": [called], "reasoning_details": details}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    server = serve({"turn": 1, "body": json.dumps(body)}, {"answer": "done"})
    request = ModelRequest(
        "openrouter/google/gemini-3-pro-preview", (Message("user", "hi"),), 0.0, 100, 7,
        api_base=server.base_url, tools=TOOLS,
    )  # fmt: skip
    model = LiteLLMModel(policy=FAST, api_key="key")
    first = model.complete(request)
    back = (Message("assistant", "", first.calls, kept=first.kept), Message("tool", "int f;", call_id="call_1"))
    assert model.complete(replace(request, messages=(*request.messages, *back))).text == "done"
    assert json.loads(server.log.requests[1].body)["messages"][1]["reasoning_details"] == details
