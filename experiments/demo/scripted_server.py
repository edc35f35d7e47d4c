"""A scripted model behind a real HTTP server on loopback: it serves a script (see scripted_rules.py) to clients of
OpenAI's chat completions. Tests add the formats of other providers (`start_server(wires=...)`)."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from experiments.demo.scripted_rules import Script, ScriptCall, ScriptRule, load_script
from experiments.demo.scripted_wires import OPENAI, OPENAI_ALONE, ChatRequest, Wire

__all__ = ["RunningServer", "Script", "ScriptCall", "ScriptRule", "ServerLog", "load_script", "start_server"]

_PIECE = 64
RuleName = str


@dataclass(frozen=True, slots=True)
class Served:
    """One request that arrived: its body as sent, and the rule and status that answered it."""

    body: str
    rule: str
    status: int


@dataclass(frozen=True, slots=True)
class ServerLog:
    """Every request served so far, in the order of arrival. Safe to read while the server runs."""

    requests: list[Served] = field(default_factory=list)

    @property
    def request_count(self) -> int:
        return len(self.requests)


@dataclass(frozen=True, slots=True)
class RunningServer:
    """`base_url` ends in /v1, as the `api_base` of OpenAI's clients does."""

    base_url: str
    log: ServerLog


@contextmanager
def start_server(script: Script, wires: Mapping[str, Wire] = OPENAI_ALONE) -> Iterator[RunningServer]:
    """Serve `script` on a free port of 127.0.0.1 until the block ends. `wires`: the end of a path -> the format that
    is spoken there."""
    server = _Server(script, wires)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield RunningServer(f"http://127.0.0.1:{server.server_address[1]}/v1", server.log)
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, script: Script, wires: Mapping[str, Wire]) -> None:
        self.script = script
        self.wires = wires
        self.log = ServerLog()
        self.closing = threading.Event()
        self._used = [0] * len(script.rules)
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Handler)

    def choose_rule_and_count_use(
        self, texts: Sequence[str], turn: int, *, tools: bool
    ) -> tuple[RuleName, ScriptRule]:
        """The rule that serves now, with its name; its use is counted."""
        with self._lock:
            for number, rule in enumerate(self.script.rules):
                unused = rule.times is None or self._used[number] < rule.times
                if unused and rule.fits_conversation(texts, turn, tools=tools):
                    self._used[number] += 1
                    return rule.name or f"rule {number + 1}", rule
        if self.script.default is not None:
            return "default", self.script.default
        return "no rule", ScriptRule(status=404, answer="the script has no rule for this request")


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    # 1.1, and yet a connection per request (_send): no idle socket outlives a test.
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Silent: the log is `ServerLog`."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8", "replace")
        plain = self.path.partition("?")[0].rstrip("/")
        wire = next((wire for ending, wire in self.server.wires.items() if plain.endswith(ending)), None)
        if wire is None:
            self._send_response(404, _encode_error_body(OPENAI, 404, "no such path"), {}, None)
            return
        try:
            request = wire.read(self.path, json.loads(body))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._send_response(400, _encode_error_body(wire, 400, f"not a chat request: {error!r}"), {}, None)
            return
        name, rule = self.server.choose_rule_and_count_use(request.texts, request.turn, tools=request.tools)
        self.server.log.requests.append(Served(body, name, rule.status))
        self.server.closing.wait(rule.delay_s)
        self._send_response(
            rule.status, _encode_answer_body(rule, wire, request), rule.headers, rule.cut_after, rule.pause_s
        )

    def _send_response(
        self,
        status: int,
        body: bytes,
        headers: dict[str, str],
        cut_after_bytes: int | None,
        pause_per_piece_s: float = 0.0,
    ) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            for key, value in headers.items():
                self.send_header(key, value)
            self.end_headers()
            sent = body if cut_after_bytes is None else body[:cut_after_bytes]
            for start in range(0, len(sent), _PIECE if pause_per_piece_s else max(len(sent), 1)):
                self.wfile.write(sent[start : start + _PIECE] if pause_per_piece_s else sent)
                self.wfile.flush()
                if pause_per_piece_s and self.server.closing.wait(pause_per_piece_s):
                    break
        except OSError:
            pass  # the client gave up; that is its right (a time-out under test)
        self.close_connection = True


def _encode_error_body(wire: Wire, status: int, message: str) -> bytes:
    return json.dumps(wire.error(status, message, None)).encode()


def _encode_answer_body(rule: ScriptRule, wire: Wire, request: ChatRequest) -> bytes:
    if rule.body is not None:
        return rule.body.encode() if isinstance(rule.body, str) else rule.body
    if rule.status != 200:
        message = rule.answer or f"scripted status {rule.status}"
        return json.dumps(wire.error(rule.status, message, rule.code)).encode()
    return json.dumps(wire.write(rule, request)).encode()
