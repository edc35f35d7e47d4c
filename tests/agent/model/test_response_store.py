"""Prevents: a response that was received and paid for, asked for again after a kill or by a second
thread; two different requests that share an answer; or a run that goes on paying past its ceiling, or stops short of
it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, fields, replace
from pathlib import Path

import pytest

from agent.model.response_store import request_key, sum_stored_usage, wrap_in_store
from agent.model.spending_ceiling import SpendingLimitedModel
from agent.values import Message, ModelRequest, ModelResponse, ToolCall, ToolSpec, Usage
from index.errors import CeilingReached, InfraError, ModelError

REQUEST = ModelRequest("m", (Message("user", "héllo \ud800"),), 0.5, 10, 1, 0, None, (("top_p", "0.9"),))


def sample(number):
    return replace(REQUEST, sample=number)


@pytest.fixture
def path(tmp_path):
    """Of the store."""
    return tmp_path / "r.sqlite"


class Counting:
    def __init__(self, delay_s=0.0, error=None, cost=0.25):
        self.calls, self.delay_s, self.error, self.cost = 0, delay_s, error, cost

    def complete(self, request):
        self.calls += 1
        time.sleep(self.delay_s)
        if self.error is not None:
            raise self.error
        calls = (ToolCall("1", "read", '{"path": "a.c"}', '{"signature": "x"}'),)
        return ModelResponse(f"answer {self.calls}", "", "stop", 3, 4, self.cost, "{}", 1.5, calls=calls, kept="[1]")


def test_the_second_equal_request_is_answered_from_disk(path):
    model = Counting()
    first = wrap_in_store(model, path).complete(REQUEST)
    again = wrap_in_store(model, path).complete(REQUEST)
    assert model.calls == 1
    assert (first.cached, again) == (False, replace(first, cached=True))


def test_every_field_of_a_request_counts():
    others = {
        "model": "n", "messages": (Message("system", "héllo \ud800"),), "temperature": None, "max_tokens": None,
        "seed": 2, "sample": 1, "api_base": "http://x", "extra": (), "tools": (ToolSpec("read", "reads", "{}"),),
    }  # fmt: skip
    assert set(others) == {field.name for field in fields(ModelRequest)}
    keys = {request_key(replace(REQUEST, **{name: value})) for name, value in others.items()}
    assert len(keys | {request_key(REQUEST)}) == len(others) + 1


@pytest.mark.parametrize("equal", [True, False])
def test_threads_share_a_call_for_equal_requests_and_wait_for_no_other(path, equal):
    model = Counting(delay_s=0.3)
    shared = wrap_in_store(model, path)
    start = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(shared.complete, [sample(0 if equal else n) for n in range(8)]))
    assert time.monotonic() - start < 8 * 0.3
    assert model.calls == sum_stored_usage(path).calls == (1 if equal else 8)


def test_an_error_is_not_kept(path):
    with pytest.raises(ModelError):
        wrap_in_store(Counting(error=ModelError("down")), path).complete(REQUEST)
    assert wrap_in_store(Counting(), path).complete(REQUEST).text == "answer 1"


def test_what_was_spent(path):
    assert sum_stored_usage(path).calls == 0
    shared = wrap_in_store(Counting(), path)
    for number in (0, 0, 1, 1, 2, 2):
        shared.complete(sample(number))
    usage = sum_stored_usage(path)
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cost) == (3, 9, 12, 0.75)
    wrap_in_store(Counting(cost=None), path).complete(sample(9))
    usage = sum_stored_usage(path)
    assert (usage.cost, usage.prompt_tokens) == (None, 12), "a price is unknown, so is the sum"


def test_what_an_older_graft_stored_is_counted_too(path):
    """It kept no table of costs. A row that is damaged can't be counted."""
    shared = wrap_in_store(Counting(), path)
    for number in range(3):
        shared.complete(sample(number))
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE costs")
        connection.execute("PRAGMA user_version = 0")
        damaged = "UPDATE responses SET response = '{\"text\": [' WHERE key = ?"
        connection.execute(damaged, (request_key(sample(1)),))
    usage = sum_stored_usage(path)
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cost) == (2, 6, 8, 0.5)
    assert sum_stored_usage(path) == usage
    wrap_in_store(Counting(), path).complete(sample(1))
    assert sum_stored_usage(path).calls == 3


def test_the_key_is_that_of_the_plain_fields():
    """Prevents: stored answers that another way of writing the same request no longer finds."""
    call = ToolCall("1", "read", '{"path": "a.c"}', "kept")
    messages = (*REQUEST.messages, Message("assistant", "", calls=(call,)), Message("tool", "text", call_id="1"))
    full = replace(REQUEST, messages=messages, tools=(ToolSpec("read", "reads", "{}"),))
    for request in (REQUEST, full):
        text = json.dumps({"format": 2, **asdict(request)}, sort_keys=True, separators=(",", ":"))
        assert request_key(request) == hashlib.sha256(text.encode()).hexdigest()


def test_the_file_is_closed_with_the_model(path):
    shared = wrap_in_store(Counting(), path)
    shared.complete(REQUEST)
    assert path.with_name("r.sqlite-wal").exists()
    del shared
    assert not path.with_name("r.sqlite-wal").exists()


def test_a_damaged_store_is_our_failure_and_says_where(path):
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(InfraError, match=r"r\.sqlite"):
        wrap_in_store(Counting(), path).complete(REQUEST)


KILLED = """
import sys
from pathlib import Path
from agent.model.response_store import wrap_in_store
from tests.agent.model.test_response_store import Counting, sample

model = wrap_in_store(Counting(), Path(sys.argv[1]))
for number in range(100000):
    model.complete(sample(number))
    print(number, flush=True)
"""


def test_sigkill_loses_no_response_that_was_returned(path):
    root = Path(__file__).parents[3]
    with subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, cwd=root) as process:
        for _ in range(20):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
        counted = 20 + len([line for line in process.stdout.read().split(b"\n")[:-1] if line])
    assert sum_stored_usage(path).calls >= counted


@pytest.mark.parametrize(
    ("price", "max_cost", "max_tokens", "spent", "calls"),
    [
        (None, None, 18, Usage(), 3),
        (None, None, 18, Usage(prompt_tokens=7), 2),
        (None, None, 0, Usage(), 0),
        (0.5, 1.0, None, Usage(), 2),
        (0.5, 1.0, None, Usage(cost=1.0), 0),
        (9.0, None, None, Usage(), 100),
    ],
)
def test_calls_until_a_ceiling_stops_them(price, max_cost, max_tokens, spent, calls):
    model = Counting(cost=price)
    limited = SpendingLimitedModel(model, max_cost, max_tokens, spent)
    with pytest.raises(CeilingReached) if calls < 100 else nullcontext():
        for number in range(100):
            limited.complete(sample(number))
    assert model.calls == calls


def test_a_model_without_a_price_is_named_once_and_held_by_tokens():
    notes: list[str] = []
    model = Counting(cost=None)
    limited = SpendingLimitedModel(model, 0.01, 35, Usage(), notes.append)
    with pytest.raises(CeilingReached, match="max_tokens"):
        for number in range(100):
            limited.complete(sample(number))
    assert model.calls == 5
    assert notes == ["max_cost: the price of m is unknown, so the ceiling on tokens alone holds"]


def test_stored_answers_pass_the_ceiling_and_a_resumed_run_goes_on_counting(path):
    """One answer has no price, as that of a batch."""
    wrap_in_store(Counting(cost=None), path).complete(sample(9))
    model = Counting(cost=0.5)

    def resume():
        return wrap_in_store(
            SpendingLimitedModel(model, 1.0, None, sum_stored_usage(path, known_prices_alone=True)), path
        )

    first = resume()
    for number in (0, 1):
        first.complete(sample(number))
    resumed = resume()
    for number in (0, 1):
        assert resumed.complete(sample(number)).cached
    with pytest.raises(CeilingReached):
        resumed.complete(sample(2))
    assert model.calls == 2
