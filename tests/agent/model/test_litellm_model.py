"""Prevents: a provider's bad day that hangs a run, is paid for twice, or is scored as the model's.

All over loopback through litellm itself, against a real HTTP server.
"""

from __future__ import annotations

import json
import socket
import time

import pytest

from agent.model import litellm_model, transport
from agent.model.litellm_model import LiteLLMModel, RetryPolicy
from agent.values import Message, ModelRequest
from index.errors import ConfigError, ContextTooLongError, ModelError
from tests.agent.conftest import FAST


def request(api_base: str, text: str = "hello", model: str = "openai/scripted") -> ModelRequest:
    return ModelRequest(model, (Message("user", text),), 0.0, 100, 7, api_base=api_base)


def body_with(content: str) -> str:
    message = f'{{"role": "assistant", "content": {content}}}'
    return f'{{"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{{"index": 0, "message": {message}, "finish_reason": "stop"}}]}}'  # noqa: E501


def test_an_answer_with_its_accounts(serve):
    server = serve({"answer": "int f(void);", "reasoning": "let me see"})
    response = LiteLLMModel(policy=FAST).complete(request(server.base_url))
    assert (response.text, response.reasoning, response.finish_reason) == ("int f(void);", "let me see", "stop")
    assert (response.prompt_tokens, response.completion_tokens, response.tokens_estimated) == (2, 6, False)
    assert response.cost is None, "an unpriced model's cost is unknown, not 0"
    assert json.loads(response.raw)["choices"][0]["message"]["content"] == "int f(void);"
    assert response.seconds > 0
    sent = json.loads(server.log.requests[0].body)
    assert (sent["temperature"], sent["max_tokens"], sent["seed"]) == (0.0, 100, 7)


def test_five_megabytes(serve, monkeypatch):
    server = serve({"answer": "0123456789", "repeat": 500_000})
    assert len(LiteLLMModel(policy=FAST).complete(request(server.base_url)).text) == 5_000_000
    monkeypatch.setattr(litellm_model, "_MOST_ANSWER_BYTES", 1000)
    cut = LiteLLMModel(policy=FAST).complete(request(server.base_url))
    assert (len(cut.text), cut.finish_reason) == (1000, "length")


def test_an_empty_answer(serve):
    server = serve({"answer": "", "times": 1}, {"body": body_with("null")})
    model = LiteLLMModel(policy=FAST)
    assert model.complete(request(server.base_url)).text == ""
    null = model.complete(request(server.base_url))
    assert (null.text, null.tokens_estimated, null.prompt_tokens) == ("", True, 2)


def test_invalid_utf8_costs_a_character_not_the_answer(serve):
    bad = body_with('"a\x00b"').encode().replace(b"\x00", b"\xff\xfe")
    server = serve({"body": bad, "times": 1}, {"body": body_with('"a\\ud800b"')})
    model = LiteLLMModel(policy=FAST)
    assert model.complete(request(server.base_url)).text == "a\ufffd\ufffdb"
    assert model.complete(request(server.base_url)).text == "a?b"
    assert server.log.count == 2


def test_a_rate_limit_is_waited_out_as_long_as_the_provider_asks(serve):
    server = serve({"status": 429, "times": 1, "headers": {"Retry-After": "1"}}, {"answer": "after"})
    notes: list[str] = []
    start = time.monotonic()
    response = LiteLLMModel(policy=FAST, on_retry=notes.append).complete(request(server.base_url))
    assert response.text == "after"
    assert time.monotonic() - start >= 1.0
    assert response.seconds < 1.0, "the wait is not the model's time"
    assert server.log.count == 2
    assert len(notes) == 1


def test_a_wait_beyond_the_ceiling_is_not_begun(serve):
    server = serve({"status": 429, "headers": {"Retry-After": "3600"}})
    start = time.monotonic()
    with pytest.raises(ModelError, match="1 call failed"):
        LiteLLMModel(policy=FAST).complete(request(server.base_url))
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("status", [500, 502, 503, 408])
def test_a_passing_fault_is_tried_again(serve, status):
    server = serve({"status": status, "times": 1}, {"answer": "after"})
    assert LiteLLMModel(policy=FAST).complete(request(server.base_url)).text == "after"


@pytest.mark.parametrize(
    "rule",
    [
        {"status": 500},
        {"body": "<html>gateway</html>"},
        {"body": ""},
        {"body": "[1, 2]"},
        {"body": '{"choices": []}'},
        {"answer": "cut off", "cut_after": 40},
    ],
    ids=["500", "not JSON", "no body", "a list", "no choice", "cut off"],
)
def test_a_lasting_fault_ends_after_the_attempts(serve, rule):
    server = serve(rule)
    with pytest.raises(ModelError, match="3 calls failed"):
        LiteLLMModel(policy=FAST).complete(request(server.base_url))
    assert server.log.count == 3


def test_a_slow_server_is_left(serve):
    server = serve({"delay_s": 5, "answer": "late"})
    start = time.monotonic()
    policy = RetryPolicy(attempts=2, first_wait_s=0.02, timeout_s=0.3)
    with pytest.raises(ModelError, match="2 calls failed"):
        LiteLLMModel(policy=policy).complete(request(server.base_url))
    assert time.monotonic() - start < 4


def test_nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ModelError, match="3 calls failed"):
        LiteLLMModel(policy=FAST).complete(request(f"http://127.0.0.1:{port}/v1"))


@pytest.mark.parametrize(
    ("rule", "error"),
    [
        ({"status": 400, "code": "context_length_exceeded", "answer": "too long"}, ContextTooLongError),
        ({"status": 400, "answer": "prompt exceeds the context length"}, ContextTooLongError),
        ({"status": 400, "answer": "bad parameter"}, ModelError),
        ({"status": 401, "answer": "wrong key"}, ModelError),
        ({"status": 403, "answer": "no"}, ModelError),
        ({"status": 404, "answer": "no such model"}, ModelError),
        ({"status": 429, "code": "insufficient_quota", "answer": "insufficient_quota"}, ModelError),
    ],
)  # fmt: skip
def test_what_will_not_pass_is_not_tried_again(serve, rule, error):
    server = serve(rule)
    with pytest.raises(error) as raised:
        LiteLLMModel(policy=FAST).complete(request(server.base_url))
    assert type(raised.value) is error
    assert server.log.count == 1


def test_a_model_without_a_provider_is_the_users_mistake(serve):
    with pytest.raises(ConfigError, match="openai/NAME"):
        LiteLLMModel(policy=FAST).complete(request(serve({"answer": "x"}).base_url, model="scripted"))


def test_a_prompt_that_the_server_cut_silently_is_refused(serve):
    usage = '"usage": {"prompt_tokens": 2048, "completion_tokens": 5, "total_tokens": 2053}'
    body = body_with('"int f(void);"')[:-1] + f", {usage}}}"
    server = serve({"body": body})
    with pytest.raises(ContextTooLongError, match="cut the prompt silently"):
        LiteLLMModel(policy=FAST).complete(request(server.base_url, "dictAdd(d, key, value); " * 2000))
    assert server.log.count == 1
    assert LiteLLMModel(policy=FAST).complete(request(server.base_url, "dictAdd(d, key, value); " * 200)).text


def test_a_response_without_end_is_cut_and_not_asked_for_again(serve, monkeypatch):
    monkeypatch.setattr(transport, "_MOST_BYTES", 10_000)
    server = serve({"answer": "0123456789", "repeat": 10_000})
    with pytest.raises(ModelError, match="1 call failed"):
        LiteLLMModel(policy=FAST).complete(request(server.base_url))
    assert server.log.count == 1
