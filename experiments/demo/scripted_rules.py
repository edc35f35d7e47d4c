"""The script of the scripted server: rules that say what is answered to which request.

A YAML file of this form:

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

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, field_validator

from index.errors import ConfigError
from index.user_files import StrictModel, explain_validation_error, read_yaml

_FLAGS = re.DOTALL | re.MULTILINE


class ScriptCall(StrictModel):
    """One tool call. `arguments` as keys and values, or a text that is sent as it is; without `id` one is made."""

    name: str
    arguments: dict[str, Any] | str = Field(default_factory=dict)
    id: str | None = None


class ScriptRule(StrictModel):
    """One rule; the module's docstring explains each key."""

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
        return None if value is None else _require_regex(value)

    @field_validator("all", "none")
    @classmethod
    def _regexes(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_require_regex(regex) for regex in value)

    @field_validator("body_hex")
    @classmethod
    def _hex(cls, value: str | None) -> str | None:
        if value is not None:
            bytes.fromhex(value)
        return value

    def fits_conversation(self, texts: Sequence[str], turn: int = 1, *, tools: bool = False) -> bool:
        """`texts` are the messages' texts in order, `turn` is the number of the answer, `tools` whether the
        request offers tools."""
        if self.turn not in (None, turn) or self.when_tools not in (None, tools):
            return False
        whole = "\n\n".join(texts)
        wanted = [*self.all, *([self.match] if self.match is not None else [])]
        return (
            all(re.search(regex, whole, _FLAGS) for regex in wanted)
            and not any(re.search(regex, whole, _FLAGS) for regex in self.none)
            and (self.last is None or bool(texts and re.search(self.last, texts[-1], _FLAGS)))
        )


class Script(StrictModel):
    """Rules in the order in which they are tried."""

    rules: tuple[ScriptRule, ...] = ()
    default: ScriptRule | None = None


def _require_regex(regex: str) -> str:
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
        raise ConfigError(f"{path}: {explain_validation_error(error, Script)}") from error
