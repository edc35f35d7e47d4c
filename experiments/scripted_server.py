"""A scripted model behind a real OpenAI-compatible HTTP server on loopback, for the demo and the tests.

    python -m experiments.scripted_server SCRIPT.yaml --port 8000

serves POST /v1/chat/completions and GET /v1/models. The answers come from a script, a YAML file of this form:

    model: scripted                # the name that GET /v1/models lists (default: scripted)
    rules:                         # tried in order; the first that fits and isn't used up serves
      - name: repaired             # optional, shown in the log (default: rule 1, rule 2, ...)
        match: 'int my_add\\('      # a regex to be found somewhere in the messages; short for all: [...]
        all: ['my_add', 'static']  # every regex must be found somewhere in the messages
        none: ['oracle']           # no regex may be found in the messages
        last: 'error:'             # a regex that must be found in the last message
        turn: 2                    # the model's n-th answer in its conversation (the first is 1)
        times: 1                   # serves this often, then the next that fits takes over (default: always)
        answer: |                  # the assistant's text
          ```c
          int my_add(int a, int b) { return a + b; }
          ```
      - match: 'my_slow'
        delay_s: 2.5               # seconds to wait before anything is sent
        answer: 'x'
        repeat: 1000               # the answer this many times over (a 5 MB answer in one line of script)
      - last: 'my_add'
        calls:                     # tool calls, sent as tool_calls with finish_reason tool_calls
          - {name: search, arguments: {query: add}}
          - {name: read_symbol, arguments: '{"name": not JSON', id: call_7}   # a text is sent as it is
        when_tools: true           # only for a request that offers tools (false: only for one that doesn't)
        reasoning: 'thoughts'      # sent as reasoning_content
        finish_reason: length      # default: stop
        usage: false               # leave the token counts out (default: true)
      - match: 'my_busy'
        status: 429                # an HTTP error; `answer` is its message, `code` its error code
        code: rate_limit_exceeded
        headers: {Retry-After: '1'}
      - match: 'my_junk'
        body: 'not JSON'           # the response's body, as it is; `body_hex` where it isn't text
        cut_after: 20              # send this many bytes of the body, then drop the connection
        pause_s: 0.2               # seconds to wait after each 64 bytes of the body: a stream that dribbles
    default:                       # serves what no rule fits (default: HTTP 404 with a line that says so)
      answer: 'I do not know.'

Regexes are Python's, searched with DOTALL and MULTILINE in the message texts joined by blank lines; an assistant's
earlier tool calls count as text, `name arguments`. Token counts are a quarter of the UTF-8 bytes, rounded up. Use
single quotes or `|` in YAML so that backslashes stay.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, field_validator

from index.errors import ConfigError
from index.strict import Strict, explain, read_yaml

_FLAGS = re.DOTALL | re.MULTILINE
_PIECE = 64


class ScriptCall(Strict):
    """One tool call. `arguments` as keys and values, or a text that is sent as it is; without `id` one is made."""

    name: str
    arguments: dict[str, Any] | str = Field(default_factory=dict)
    id: str | None = None


class ScriptRule(Strict):
    """One rule; the module's docstring tells what each key does."""

    name: str = ""
    match: str | None = None
    all: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    last: str | None = None
    turn: int | None = Field(default=None, ge=1)
    when_tools: bool | None = None
    times: int | None = Field(default=None, ge=1)
    answer: str = ""
    repeat: int = Field(default=1, ge=1)
    reasoning: str = ""
    calls: tuple[ScriptCall, ...] = ()
    finish_reason: str | None = None
    usage: bool = True
    status: int = Field(default=200, ge=200, le=599)
    code: str | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    delay_s: float = Field(default=0.0, ge=0)
    body: str | None = None
    body_hex: str | None = None
    cut_after: int | None = Field(default=None, ge=0)
    pause_s: float = Field(default=0.0, ge=0)

    @field_validator("match", "last")
    @classmethod
    def _one_regex(cls, value: str | None) -> str | None:
        return None if value is None else _checked(value)

    @field_validator("all", "none")
    @classmethod
    def _regexes(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_checked(one) for one in value)

    @field_validator("body_hex")
    @classmethod
    def _hex(cls, value: str | None) -> str | None:
        if value is not None:
            bytes.fromhex(value)
        return value

    def fits(self, texts: Sequence[str], turn: int = 1, *, tools: bool = False) -> bool:
        """`texts` are the messages' texts in order, `turn` numbers the answer that is asked for, `tools`: the
        request offers some."""
        if self.turn not in (None, turn) or self.when_tools not in (None, tools):
            return False
        whole = "\n\n".join(texts)
        wanted = [*self.all, *([self.match] if self.match is not None else [])]
        return (
            all(re.search(regex, whole, _FLAGS) for regex in wanted)
            and not any(re.search(regex, whole, _FLAGS) for regex in self.none)
            and (self.last is None or bool(texts and re.search(self.last, texts[-1], _FLAGS)))
        )


class Script(Strict):
    """Rules in the order in which they are tried."""

    model: str = "scripted"
    rules: tuple[ScriptRule, ...] = ()
    default: ScriptRule | None = None


def _checked(regex: str) -> str:
    try:
        re.compile(regex, _FLAGS)
    except re.error as error:
        raise ValueError(f"{regex!r} is not a regex: {error}") from error
    return regex


def load_script(path: Path) -> Script:
    """Read a script. Raises ConfigError that names the file, the key and the fix."""
    try:
        return Script.model_validate(read_yaml(path, ConfigError))
    except ValidationError as error:
        raise ConfigError(f"{path}: {explain(error, Script)}") from error


@dataclass(frozen=True, slots=True)
class Served:
    """One request that arrived: its body as sent, and the rule and status that answered it."""

    body: str
    rule: str
    status: int


@dataclass(slots=True)
class ServerLog:
    """Every request served so far, in the order of arrival. Safe to read while the server runs."""

    _served: list[Served] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, served: Served) -> None:
        with self._lock:
            self._served.append(served)

    @property
    def requests(self) -> tuple[Served, ...]:
        with self._lock:
            return tuple(self._served)

    @property
    def count(self) -> int:
        return len(self.requests)


@dataclass(frozen=True, slots=True)
class RunningServer:
    """`base_url` ends in /v1, as an `api_base` does."""

    base_url: str
    log: ServerLog


@contextmanager
def start_server(script: Script, port: int = 0) -> Iterator[RunningServer]:
    """Serve `script` on 127.0.0.1 until the block ends; port 0 takes a free one. Raises ConfigError when the
    port is taken."""
    server = _bind(script, port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield RunningServer(f"http://127.0.0.1:{server.server_address[1]}/v1", server.log)
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join(timeout=5)


def _bind(script: Script, port: int) -> _Server:
    try:
        return _Server(script, port)
    except OSError as error:
        raise ConfigError(f"port {port} of 127.0.0.1 can't be served: {error.strerror}; use --port 0") from error


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, script: Script, port: int) -> None:
        self.script = script
        self.log = ServerLog()
        self.closing = threading.Event()
        self._used = [0] * len(script.rules)
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", port), _Handler)

    def take(self, texts: Sequence[str], turn: int, *, tools: bool) -> tuple[str, ScriptRule]:
        """The rule that serves now, with its name; its use is counted."""
        with self._lock:
            for number, rule in enumerate(self.script.rules):
                unused = rule.times is None or self._used[number] < rule.times
                if unused and rule.fits(texts, turn, tools=tools):
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

    def do_GET(self) -> None:
        if self.path.rstrip("/").endswith("/models"):
            listing = {"object": "list", "data": [{"id": self.server.script.model, "object": "model"}]}
            self._send(200, json.dumps(listing).encode(), {}, None)
        else:
            self._send(404, _error("no such path", None), {}, None)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8", "replace")
        try:
            request = json.loads(body)
            texts = [_text_of(message) for message in request["messages"]]
            turn = 1 + sum(message.get("role") == "assistant" for message in request["messages"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._send(400, _error(f"not a chat request: {error!r}", None), {}, None)
            return
        if not self.path.rstrip("/").endswith("/chat/completions"):
            self._send(404, _error("no such path", None), {}, None)
            return
        name, rule = self.server.take(texts, turn, tools=bool(request.get("tools")))
        self.server.log.add(Served(body, name, rule.status))
        self.server.closing.wait(rule.delay_s)
        model = str(request.get("model", self.server.script.model))
        self._send(rule.status, _body(rule, model, texts), rule.headers, rule.cut_after, rule.pause_s)

    def _send(
        self, status: int, body: bytes, headers: dict[str, str], cut_after: int | None, pause_s: float = 0.0
    ) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            for key, value in headers.items():
                self.send_header(key, value)
            self.end_headers()
            told = body if cut_after is None else body[:cut_after]
            for start in range(0, len(told), _PIECE if pause_s else max(len(told), 1)):
                self.wfile.write(told[start : start + _PIECE] if pause_s else told)
                self.wfile.flush()
                if pause_s and self.server.closing.wait(pause_s):
                    break
        except OSError:
            pass  # the client gave up; that is its right (a time-out under test)
        self.close_connection = True


def _text_of(message: dict[str, Any]) -> str:
    """A message's text; a list of parts, as some clients send it, is joined; tool calls stand below."""
    content = message.get("content")
    lines = [content] if isinstance(content, str) else []
    if isinstance(content, list):
        lines = [str(part.get("text", "")) for part in content if isinstance(part, dict)]
    for call in message.get("tool_calls") or []:
        lines.append(f"{call['function']['name']} {call['function']['arguments']}")
    return "\n".join(lines)


def _body(rule: ScriptRule, model: str, texts: Sequence[str]) -> bytes:
    if rule.body_hex is not None:
        return bytes.fromhex(rule.body_hex)
    if rule.body is not None:
        return rule.body.encode()
    if rule.status != 200:
        return _error(rule.answer or f"scripted status {rule.status}", rule.code)
    answer = rule.answer * rule.repeat
    message: dict[str, Any] = {"role": "assistant", "content": answer}
    if rule.calls:
        message["tool_calls"] = [_call(one, number, len(texts)) for number, one in enumerate(rule.calls)]
        message["content"] = answer or None
    finish = rule.finish_reason or ("tool_calls" if rule.calls else "stop")
    if rule.reasoning:
        message["reasoning_content"] = rule.reasoning
    response: dict[str, object] = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    if rule.usage:
        told = answer + rule.reasoning + json.dumps(message.get("tool_calls") or "")[2:]
        prompt, completion = sum(map(_tokens, texts)), _tokens(told)
        response["usage"] = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }
    return json.dumps(response).encode()


def _call(one: ScriptCall, number: int, messages: int) -> dict[str, Any]:
    # Made of the place in the conversation: equal requests get equal answers.
    made = one.id if one.id is not None else f"call_{messages}_{number}"
    arguments = one.arguments if isinstance(one.arguments, str) else json.dumps(one.arguments)
    return {"id": made, "type": "function", "function": {"name": one.name, "arguments": arguments}}


def _error(message: str, code: str | None) -> bytes:
    return json.dumps({"error": {"message": message, "type": code or "error", "code": code}}).encode()


def _tokens(text: str) -> int:
    return math.ceil(len(text.encode("utf-8", "replace")) / 4)


def main(argv: Sequence[str] | None = None) -> int:
    """Serve a script until interrupted. Exit 2 on a user's mistake."""
    parser = argparse.ArgumentParser(prog="python -m experiments.scripted_server", description="A scripted model.")
    parser.add_argument("script", type=Path)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free port (default)")
    options = parser.parse_args(argv)
    try:
        with start_server(load_script(options.script), options.port) as running:
            sys.stdout.write(f"{running.base_url}\n")
            sys.stdout.flush()
            threading.Event().wait()
    except ConfigError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
