"""Prevents: a provider that works in the demo's form alone: a prompt that litellm rewrites on its way, calls or
signed thoughts that don't come back as the provider wants them, thoughts in an answer, counts and prices lost.

The scripted server speaks each provider's own form and refuses what the provider refuses; litellm is the real one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from agent.loop import run_agent
from agent.model.batch_wire import make_anthropic_or_gemini_request_body
from agent.model.capabilities import choose_tool_protocol
from agent.model.conversation_limits import ConversationLimits
from agent.model.litellm_model import LiteLLMModel, RetryPolicy
from agent.tools.specs import search_tool_spec
from agent.values import Message, ModelRequest
from index.errors import ContextTooLongError, ModelError
from tests.agent.conftest import FAST, make_request

GOOD = "long box_sum(const box *b)\n{\n    return b->items[0];\n}"
LOOK = [{"name": "definition", "arguments": {"name": "box"}}, {"name": "outline", "arguments": {"path": "src/box.c"}}]
SEARCH = search_tool_spec(["symbol"])
SUBMIT = {"name": "submit", "arguments": {"code": GOOD}}


@dataclass(frozen=True)
class Provider:
    """`too_long` is how it says that a prompt doesn't fit: status, code, message."""

    model: str
    v1: bool
    priced: bool
    seeds: bool
    signs: bool
    too_long: tuple[int, str, str]


PROVIDERS = {
    "openai": Provider(
        "openai/gpt-4o", True, True, True, False, (400, "context_length_exceeded", "This model's maximum is 8192")
    ),
    "anthropic": Provider(
        "anthropic/claude-sonnet-4-5", False, True, False, True,
        (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    ),
    "gemini": Provider(
        "gemini/gemini-2.5-pro", False, True, False, True,
        (400, "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed"),
    ),
    "vllm": Provider(
        "hosted_vllm/Qwen/Qwen2.5-Coder-7B-Instruct", True, False, True, False,
        (400, "BadRequestError", "This model's maximum context length is 4096 tokens. However, you requested 5000"),
    ),
    "ollama": Provider(
        "ollama_chat/qwen2.5-coder", False, False, True, False, (400, "", "input exceeds the context length")
    ),
    "ollama, the old prefix": Provider(
        "ollama/qwen2.5-coder", False, False, True, False, (400, "", "input exceeds the context length")
    ),
    "llama.cpp": Provider(
        "openai/any-name", True, False, True, False,
        (400, "exceed_context_size_error", "the request exceeds the available context size, try increasing it"),
    ),
}  # fmt: skip
each_provider = pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)


@pytest.fixture(autouse=True)
def no_key_of_the_machine(monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def base_of(server, provider):
    return server.base_url if provider.v1 else server.base_url.removesuffix("/v1")


def ask(server, provider, text, policy=FAST):
    base = base_of(server, provider)
    request = ModelRequest(provider.model, (Message("user", text),), 0.0, 100, 7, api_base=base)
    return LiteLLMModel(policy=policy, api_key="key").complete(request)


@pytest.fixture
def converse(serve, toolbox, sum_target):
    """converse(provider, rule, ...) -> (trajectory, the bodies that were sent)."""

    def start(provider, *rules, protocol="native"):
        server = serve(*rules)
        settings = {"model": provider.model, "api_base": base_of(server, provider), "protocol": protocol}
        settings |= {"max_tokens": 500, "seed": 7, "limits": ConversationLimits(steps=6)}
        model = LiteLLMModel(policy=FAST, api_key="key")
        trail = run_agent(make_request(sum_target, server, settings, model=model, toolbox=toolbox))
        return trail, [json.loads(request.body) for request in server.log.requests]

    return start


@each_provider
def test_look_up_with_thoughts_and_submit(converse, provider):
    rules = (
        {"turn": 1, "reasoning": "first the struct", "answer": "I look.", "calls": LOOK},
        {"turn": 2, "all": ["long items", "box_product"], "reasoning": "now it is clear", "calls": [SUBMIT]},
    )
    trail, sent = converse(provider, *rules)
    assert (trail.error, trail.ended, trail.protocol) == ("", "submitted", "native")
    assert trail.candidate.code == GOOD
    assert [use.name for use in trail.rounds[0].uses] == ["definition", "outline"]
    assert not any(use.mistake for use in trail.rounds[0].uses)
    assert [entry.response.reasoning for entry in trail.rounds] == ["first the struct", "now it is clear"]
    assert "first the struct" not in "".join(message.content for message in trail.messages)
    assert trail.rounds[0].response.text == "I look."
    # What was written down is what was sent: word for word, each call with its answer.
    wire = "".join(leaf for leaf in leaves(sent[1]) if isinstance(leaf, str))
    for message in trail.messages[:-1]:
        assert message.content.strip() in wire
    # Anthropic and Gemini sign their thoughts, and refuse or forget without them.
    assert ("c2lnbmVk" in wire) == provider.signs
    first = trail.rounds[0].response
    assert not first.tokens_estimated
    assert (first.prompt_tokens > 100, first.completion_tokens > 10) == (True, True)
    assert (trail.usage.cost is not None and trail.usage.cost > 0) == provider.priced


def leaves(value):
    """All texts and numbers of a request."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from leaves(item)
    else:
        yield value


@each_provider
def test_an_answer_in_plain_text_is_sent_as_it_stands(converse, provider):
    trail, sent = converse(provider, {"answer": f"```c\n{GOOD}\n```"}, protocol="text")
    assert (trail.candidate.code, trail.error) == (GOOD, "")
    found = list(leaves(sent[0]))
    assert {str(leaf).strip() for leaf in found} >= {message.content.strip() for message in trail.messages[:2]}
    assert not sent[0].get("tools")
    assert (7 in found) == provider.seeds


@pytest.mark.parametrize("name", ["anthropic", "gemini"])
def test_a_batch_request_is_what_a_live_call_sends(serve, name):
    provider = PROVIDERS[name]
    server = serve({"answer": "x"})
    request = ModelRequest(
        provider.model, (Message("system", "be brief"), Message("user", "hi")), 0.5, 100, 7,
        api_base=server.base_url.removesuffix("/v1"), tools=(SEARCH,),
    )  # fmt: skip
    LiteLLMModel(policy=FAST, api_key="key").complete(request)
    assert make_anthropic_or_gemini_request_body(request) == json.loads(server.log.requests[0].body)


@each_provider
def test_faults_in_the_providers_own_words(serve, provider):
    status, code, message = provider.too_long
    server = serve(
        {"match": "busy", "status": 429, "headers": {"Retry-After": "0"}, "answer": "slow down", "times": 1},
        {"match": "busy", "status": 529 if "claude" in provider.model else 503, "answer": "overloaded", "times": 1},
        {"match": "busy", "answer": "after"},
        {"match": "long", "status": status, "code": code, "answer": message},
        {"match": "key", "status": 401, "answer": "invalid key"},
    )
    assert ask(server, provider, "busy").text == "after"
    assert server.log.request_count == 3
    with pytest.raises(ContextTooLongError):
        ask(server, provider, "long")
    with pytest.raises(ModelError, match="1 call failed"):
        ask(server, provider, "key")
    assert server.log.request_count == 5


@each_provider
def test_a_stream_that_never_ends_is_left(serve, provider):
    server = serve({"answer": "x" * 4000, "pause_s": 0.05})
    with pytest.raises(ModelError, match="1 call failed"):
        ask(server, provider, "x", RetryPolicy(attempts=1, timeout_s=0.5))


@pytest.mark.parametrize("model", ["ollama/qwen2.5-coder", "ollama_chat/qwen2.5-coder", "openai/any-name"])
def test_a_model_that_nobody_knows_is_asked_whether_it_takes_tools(model):
    assert choose_tool_protocol(model) == "auto"
