"""Prevents: a test double that answers something else than its script says."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from experiments.demo.scripted_server import Script, load_script, start_server
from index.errors import ConfigError


def post(base_url: str, body: object) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(f"{base_url}/chat/completions", data=json.dumps(body).encode())
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, json.loads(response.read())
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def ask(base_url: str, *texts: str) -> tuple[int, dict[str, Any]]:
    return post(base_url, {"model": "m", "messages": [{"role": "user", "content": text} for text in texts]})


def answer(base_url: str, *texts: str) -> str:
    status, body = ask(base_url, *texts)
    return body["choices"][0]["message"]["content"] if status == 200 else f"HTTP {status}"


def script(*rules: dict[str, Any], **more: Any) -> Script:
    return Script.model_validate({"rules": rules, **more})


def test_the_first_rule_that_fits_serves() -> None:
    rules = script(
        {"all": ["needle", "hay"], "answer": "both"},
        {"match": "needle", "none": ["thread"], "answer": "needle without thread"},
        {"last": "^end$", "answer": "the end"},
        default={"answer": "default"},
    )
    asked = {
        ("needle", "in the hay"): ("both", "rule 1"),
        ("a needle",): ("needle without thread", "rule 2"),
        ("needle and thread",): ("default", "default"),
        ("a", "end"): ("the end", "rule 3"),
        ("end", "a"): ("default", "default"),
    }
    with start_server(rules) as server:
        assert [answer(server.base_url, *texts) for texts in asked] == [text for text, _ in asked.values()]
        assert [request.rule for request in server.log.requests] == [rule for _, rule in asked.values()]
        assert server.log.request_count == 5


def test_times_hold_under_many_threads() -> None:
    with start_server(script({"times": 5, "answer": "a"}, {"answer": "b"})) as server, ThreadPoolExecutor(20) as pool:
        got = list(pool.map(lambda _: answer(server.base_url, "x"), range(20)))
    assert sorted(got) == ["a"] * 5 + ["b"] * 15


def test_errors_and_usage() -> None:
    rules = script(
        {"match": "busy", "status": 429, "code": "rate", "answer": "slow down", "headers": {"Retry-After": "7"}},
        {"match": "quiet", "answer": "x", "usage": False},
        {"match": "1", "answer": "12345", "reasoning": "1234", "finish_reason": "length", "repeat": 2},
    )
    with start_server(rules) as server:
        status, body = ask(server.base_url, "busy")
        assert (status, body["error"]) == (429, {"message": "slow down", "type": "rate", "code": "rate"})
        status, body = ask(server.base_url, "x")
        assert (status, body["error"]["message"]) == (404, "the script has no rule for this request")
        assert "usage" not in ask(server.base_url, "quiet")[1]
        _, body = ask(server.base_url, "12345678")
        assert body["usage"] == {"prompt_tokens": 2, "completion_tokens": 4, "total_tokens": 6}
        assert body["choices"][0]["finish_reason"] == "length"
        assert body["choices"][0]["message"] == {
            "role": "assistant", "content": "1234512345", "reasoning_content": "1234",
        }  # fmt: skip


def test_tools_and_turns() -> None:
    rules = script(
        {"when_tools": False, "answer": "no tools offered"},
        {"turn": 2, "all": ["read .*a\\.c"], "answer": "read it"},
        {"calls": [{"name": "read", "arguments": {"path": "a.c"}}, {"name": "x", "arguments": "not JSON", "id": "i"}]},
    )
    with start_server(rules) as server:
        assert answer(server.base_url, "x") == "no tools offered"
        body: dict[str, Any] = {"model": "m", "tools": [{}], "messages": [{"role": "user", "content": "x"}]}
        (first,) = post(server.base_url, body)[1]["choices"]
        assert first["finish_reason"] == "tool_calls"
        calls = first["message"]["tool_calls"]
        assert calls[0]["function"] == {"name": "read", "arguments": '{"path": "a.c"}'}
        assert calls[1] == {"id": "i", "type": "function", "function": {"name": "x", "arguments": "not JSON"}}
        body["messages"].append(first["message"])
        assert post(server.base_url, body)[0] == 400  # as the provider: a call needs its answer
        body["messages"] += [{"role": "tool", "tool_call_id": call["id"], "content": "text"} for call in calls]
        assert post(server.base_url, body)[1]["choices"][0]["message"]["content"] == "read it"


def test_a_body_may_dribble_or_be_cut_though_it_is_announced_whole() -> None:
    start = time.monotonic()
    with start_server(script({"body": '{"choices": [' + " " * 200 + "]}", "pause_s": 0.1})) as server:
        assert ask(server.base_url, "x")[1] == {"choices": []}
    assert time.monotonic() - start >= 0.3
    with start_server(script({"body": "0123456789", "cut_after": 4})) as server:
        assert post(server.base_url, [])[0] == 400, "a request of no known form is refused"
        with pytest.raises(http.client.IncompleteRead):
            ask(server.base_url, "x")


def test_closing_does_not_wait_for_a_slow_rule() -> None:
    start = time.monotonic()
    with ThreadPoolExecutor() as pool, start_server(script({"delay_s": 60, "answer": "late"})) as server:
        pool.submit(ask, server.base_url, "x")
        while server.log.request_count == 0:
            time.sleep(0.01)
    assert time.monotonic() - start < 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules: [{anwser: x}]", r"rules\.0\.anwser: unknown key; did you mean 'answer'\?"),
        ("rulse: []", r"rulse: unknown key; did you mean 'rules'\?"),
        ("rules: [{match: '('}]", r"rules\.0\.match: .*not a regex"),
        ("rules: [{none: ['[']}]", r"rules\.0\.none\.0: .*not a regex"),
        ("rules: [{times: 0}]", r"rules\.0\.times"),
        ("rules: [", "not YAML"),
        ("[]", "expected keys and values"),
    ],
)
def test_a_mistake_in_a_script_names_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "script.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message) as raised:
        load_script(path)
    assert str(raised.value).startswith(str(path))
    assert "\n" not in str(raised.value)
