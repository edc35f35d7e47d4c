"""Prevents: a response that was received and paid for, asked for again after a kill or by a second
thread; or two different requests that share an answer."""

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
from dataclasses import asdict, fields, replace
from pathlib import Path

import pytest

from agent.model.response_store import request_key, sum_stored_usage, wrap_in_store
from agent.values import Message, ModelRequest, ModelResponse, ToolCall, ToolSpec
from index.errors import InfraError, ModelError

REQUEST = ModelRequest("m", (Message("user", "héllo \ud800"),), 0.5, 10, 1, 0, None, (("top_p", "0.9"),))


class Counting:
    def __init__(self, delay_s: float = 0.0, error: Exception | None = None, cost: float | None = 0.25) -> None:
        self.calls, self.delay_s, self.error, self.cost = 0, delay_s, error, cost

    def complete(self, request: ModelRequest) -> ModelResponse:
        self.calls += 1
        time.sleep(self.delay_s)
        if self.error is not None:
            raise self.error
        calls = (ToolCall("1", "read", '{"path": "a.c"}', '{"signature": "x"}'),)
        return ModelResponse(f"answer {self.calls}", "", "stop", 3, 4, self.cost, "{}", 1.5, calls=calls, kept="[1]")


def test_the_second_equal_request_is_answered_from_disk(tmp_path):
    model = Counting()
    first = wrap_in_store(model, tmp_path / "r.sqlite").complete(REQUEST)
    again = wrap_in_store(model, tmp_path / "r.sqlite").complete(REQUEST)
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
def test_threads_share_a_call_for_equal_requests_and_wait_for_no_other(tmp_path, equal):
    model = Counting(delay_s=0.3)
    shared = wrap_in_store(model, tmp_path / "r.sqlite")
    start = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(shared.complete, [replace(REQUEST, sample=0 if equal else n) for n in range(8)]))
    assert time.monotonic() - start < 8 * 0.3
    assert model.calls == sum_stored_usage(tmp_path / "r.sqlite").calls == (1 if equal else 8)


def test_an_error_is_not_kept(tmp_path):
    with pytest.raises(ModelError):
        wrap_in_store(Counting(error=ModelError("down")), tmp_path / "r.sqlite").complete(REQUEST)
    assert wrap_in_store(Counting(), tmp_path / "r.sqlite").complete(REQUEST).text == "answer 1"


def test_what_was_spent(tmp_path):
    path = tmp_path / "r.sqlite"
    assert sum_stored_usage(path).calls == 0
    shared = wrap_in_store(Counting(), path)
    for sample in range(3):
        shared.complete(replace(REQUEST, sample=sample))
        shared.complete(replace(REQUEST, sample=sample))
    usage = sum_stored_usage(path)
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cost) == (3, 9, 12, 0.75)
    wrap_in_store(Counting(cost=None), path).complete(replace(REQUEST, sample=9))
    assert (sum_stored_usage(path).cost, sum_stored_usage(path).prompt_tokens) == (None, 12), (
        "a price is unknown, so is the sum"
    )


def test_what_an_older_graft_stored_is_counted_too(tmp_path):
    """It kept no table of costs. A row that is damaged can't be counted."""
    path = tmp_path / "r.sqlite"
    shared = wrap_in_store(Counting(), path)
    for sample in range(3):
        shared.complete(replace(REQUEST, sample=sample))
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE costs")
        connection.execute("PRAGMA user_version = 0")
        damaged = "UPDATE responses SET response = '{\"text\": [' WHERE key = ?"
        connection.execute(damaged, (request_key(replace(REQUEST, sample=1)),))
    usage = sum_stored_usage(path)
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.cost) == (2, 6, 8, 0.5)
    assert sum_stored_usage(path) == usage
    wrap_in_store(Counting(), path).complete(replace(REQUEST, sample=1))
    assert sum_stored_usage(path).calls == 3


def test_the_key_is_that_of_the_plain_fields(tmp_path):
    """Prevents: stored answers that another way of writing the same request no longer finds."""
    call = ToolCall("1", "read", '{"path": "a.c"}', "kept")
    messages = (*REQUEST.messages, Message("assistant", "", calls=(call,)), Message("tool", "text", call_id="1"))
    full = replace(REQUEST, messages=messages, tools=(ToolSpec("read", "reads", "{}"),))
    for request in (REQUEST, full):
        text = json.dumps({"format": 2, **asdict(request)}, sort_keys=True, separators=(",", ":"))
        assert request_key(request) == hashlib.sha256(text.encode()).hexdigest()


def test_the_file_is_closed_with_the_model(tmp_path):
    path = tmp_path / "r.sqlite"
    shared = wrap_in_store(Counting(), path)
    shared.complete(REQUEST)
    assert path.with_name("r.sqlite-wal").exists()
    del shared
    assert not path.with_name("r.sqlite-wal").exists()


def test_a_damaged_store_is_our_failure_and_says_where(tmp_path):
    path = tmp_path / "r.sqlite"
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(InfraError, match=r"r\.sqlite"):
        wrap_in_store(Counting(), path).complete(REQUEST)


KILLED = """
import sys
from pathlib import Path
from agent.model.response_store import wrap_in_store
from agent.values import Message, ModelRequest, ModelResponse

class Model:
    def complete(self, request):
        return ModelResponse(str(request.sample), "", "stop", 1, 1, 0.0, "{}", 0.0)

model = wrap_in_store(Model(), Path(sys.argv[1]))
for sample in range(100000):
    model.complete(ModelRequest("m", (), None, None, None, sample))
    sys.stdout.write(f"{sample}\\n")
    sys.stdout.flush()
"""


def test_sigkill_loses_no_response_that_was_returned(tmp_path):
    path = tmp_path / "r.sqlite"
    root = Path(__file__).parents[3]
    with subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, cwd=root) as process:
        assert process.stdout is not None
        for _ in range(20):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
        counted = 20 + len([line for line in process.stdout.read().split(b"\n")[:-1] if line])
    assert sum_stored_usage(path).calls >= counted
