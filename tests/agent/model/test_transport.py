"""Prevents: a server that sends a byte now and then, or without end, and holds a run for good."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import httpx
import pytest

from agent.model import transport
from agent.model.litellm_model import LiteLLMModel, RetryPolicy
from agent.model.transport import bounded_client
from agent.values import Message, ModelRequest
from index.errors import ModelError

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"


@pytest.fixture
def dribbling() -> Iterator[str]:
    """The address of a server that sends one byte every 50 ms and never ends."""
    stop = threading.Event()

    def serve(listener: socket.socket) -> None:
        while not stop.is_set():
            try:
                client, _ = listener.accept()
            except OSError:
                continue
            with client:
                try:
                    client.recv(65536)
                    client.sendall(HEAD)
                    while not stop.wait(0.05):
                        client.sendall(b" ")
                except OSError:
                    continue

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        stop.set()
        thread.join()


def test_a_dribbling_server_is_left_after_the_time_out(dribbling):
    start = time.monotonic()
    with bounded_client() as client, pytest.raises(httpx.ReadTimeout):
        client.get(dribbling, timeout=0.5)
    assert time.monotonic() - start < 3


def test_a_response_without_end_is_cut_and_not_asked_for_again(serve, monkeypatch):
    monkeypatch.setattr(transport, "_MOST_BYTES", 10_000)
    server = serve({"answer": "0123456789", "repeat": 10_000})
    request = ModelRequest("openai/scripted", (Message("user", "x"),), None, None, None, api_base=server.base_url)
    with pytest.raises(ModelError, match="1 call failed"):
        LiteLLMModel(policy=RetryPolicy(attempts=3, first_wait_s=0.01)).complete(request)
    assert server.log.count == 1


def test_invalid_bytes_become_replacement_characters(serve):
    server = serve({"body_hex": b"a\xff\xc3\xa9".hex()})
    with bounded_client() as client:
        body = {"messages": [{"role": "user", "content": "x"}]}
        assert client.post(f"{server.base_url}/chat/completions", json=body).text == "a\ufffdé"
