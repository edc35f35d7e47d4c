"""Prevents: a tool call that is lost, or sent back in a form that the provider refuses for ever; a
model without tools that fails instead of being asked by text.

Over loopback through litellm itself, against a real HTTP server.
"""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from agent.model.litellm_model import LiteLLMModel
from agent.model.wire import make_chat_messages, make_tool_parameters, read_provider_state
from agent.values import TOOLS_REFUSED, Message, ModelRequest, ToolCall, ToolSpec
from index.errors import ModelError
from tests.agent.conftest import FAST

SCHEMA = '{"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}'
TOOLS = (ToolSpec("read", "Read a file.", SCHEMA),)
CALL = ToolCall("call_1", "read", '{"path": "a.c"}')
HISTORY = (
    Message("system", "Be brief."),
    Message("user", "Write f."),
    Message("assistant", "", (CALL,)),
    Message("tool", "int f(void);", call_id="call_1"),
)


def ask(api_base: str, messages=HISTORY[:2], tools=TOOLS, model="openai/scripted"):
    request = ModelRequest(model, messages, 0.0, 100, 7, api_base=api_base, tools=tools)
    return LiteLLMModel(policy=FAST).complete(request)


def test_calls_come_as_they_were_written(serve):
    whole = {"name": "read", "arguments": {"path": "a.c"}, "id": "x1"}
    broken = {"name": "read", "arguments": '{"path": "a.c'}
    server = serve({"answer": "Let me look.", "reasoning": "first the header", "calls": [whole, broken]})
    response = ask(server.base_url)
    shown = (response.text, response.reasoning, response.finish_reason)
    assert shown == ("Let me look.", "first the header", "tool_calls")
    assert response.calls[0] == ToolCall("x1", "read", '{"path": "a.c"}')
    assert response.calls[1].arguments == '{"path": "a.c'
    assert response.calls[1].id
    sent = json.loads(server.log.requests[0].body)
    function = {"name": "read", "description": "Read a file.", "parameters": json.loads(SCHEMA)}
    assert sent["tools"][0]["function"] == function
    assert sent["tool_choice"] == "auto"


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (500, "tools param requires --jinja flag"),
        (400, "registry.ollama.ai/library/codegemma:latest does not support tools"),
        (404, "No endpoints found that support tool use: this model doesn't support tools"),
        (400, "Unsupported parameter: 'tools' is not supported with this model."),
        (400, "function calling is not supported"),
    ],
)
def test_a_server_without_tools_is_an_answer_not_a_failure(serve, status, message):
    server = serve({"when_tools": True, "status": status, "answer": message}, {"answer": "as text"})
    response = ask(server.base_url)
    assert response.finish_reason == TOOLS_REFUSED
    assert (response.prompt_tokens, response.cost) == (0, 0.0)
    assert server.log.count == 1
    assert ask(server.base_url, tools=()).text == "as text"


@pytest.mark.parametrize("message", ["wrong key", "the tools are busy", "functions are fun"])
def test_another_failure_is_not_taken_for_it(serve, message):
    with pytest.raises(ModelError):
        ask(serve({"status": 400, "answer": message}).base_url)


def test_claudes_stable_parts_are_marked_and_litellm_understands_them():
    from litellm import AnthropicConfig

    request = ModelRequest("anthropic/claude-sonnet-4-5", HISTORY, None, 100, None, tools=TOOLS)
    messages = make_chat_messages(request)
    config = AnthropicConfig()
    parameters = config.map_openai_params(
        {**make_tool_parameters(request), "max_tokens": 100}, {}, "claude-sonnet-4-5", drop_params=True
    )
    sent = config.transform_request("claude-sonnet-4-5", messages, parameters, {}, {})
    assert sent["system"][0]["cache_control"] == {"type": "ephemeral"}
    marked = json.dumps(sent["messages"]).count("cache_control")
    assert marked == 2
    assert sent["messages"][-1]["content"][0]["type"] == "tool_result"
    plain = make_chat_messages(ModelRequest("openai/gpt-4o", HISTORY, None, 100, None, tools=TOOLS))
    assert "cache_control" not in json.dumps(plain)


@pytest.mark.parametrize(("model", "kept"), [("openai/scripted", False), ("deepseek/deepseek-reasoner", True)])
def test_thoughts_go_back_to_who_wants_them(model, kept):
    """Signed ones are played in test_providers."""
    assert bool(read_provider_state(SimpleNamespace(reasoning_content="hm"), model)) == kept
