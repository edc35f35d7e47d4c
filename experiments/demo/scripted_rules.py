"""The script of the scripted server: rules that say what is answered to which request.

    rules:                         # tried in order; the first that fits and isn't used up serves
      - match: 'int my_add\\('
        answer: |
          ```c
          int my_add(int a, int b) { return a + b; }
          ```
      - last: 'my_add'
        calls:
          - {name: search, arguments: {query: add}}
          - {name: read_symbol, arguments: '{"name": not JSON', id: call_7}   # a text is sent as it is
    default: {answer: 'I do not know.'}

Regexes are Python's, searched with DOTALL and MULTILINE in the message texts joined by blank lines; an assistant's
earlier tool calls count as text, `name arguments`. Token counts are a quarter of the UTF-8 bytes, rounded up. Use
single quotes or `|` in YAML so that backslashes stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from index.errors import ConfigError
from index.user_files import StrictModel, explain_first_validation_problem, read_yaml

_FLAGS = re.DOTALL | re.MULTILINE


def _require_regex(regex: str) -> str:
    try:
        re.compile(regex, _FLAGS)
    except re.error as error:
        raise ValueError(f"{regex!r} is not a regex: {error}") from error
    return regex


Regex = Annotated[str, AfterValidator(_require_regex)]


class ScriptCall(StrictModel):
    """One tool call. `arguments` as keys and values, or a text that is sent as it is; without `id` one is made."""

    name: str
    arguments: dict[str, Any] | str = Field(default_factory=dict)
    id: str | None = None


class ScriptRule(StrictModel):
    """To which requests a rule fits, and what it answers."""

    name: str = ""  # shown in the log; without it: rule 1, rule 2, ...
    match: Regex | None = None  # to be found somewhere in the messages; short for all: [...]
    all: tuple[Regex, ...] = ()  # every one must be found somewhere in the messages
    none: tuple[Regex, ...] = ()  # none may be found in the messages
    last: Regex | None = None  # must be found in the last message
    turn: int | None = Field(default=None, ge=1)  # the model's n-th answer in its conversation
    when_tools: bool | None = None  # only for a request that offers tools, or only for one that doesn't
    times: int | None = Field(default=None, ge=1)  # serves this often, then the next that fits takes over

    answer: str = ""  # the assistant's text; with `status` the error's message
    repeat: int = Field(default=1, ge=1)  # the answer this many times over
    reasoning: str = ""  # sent as reasoning_content
    calls: tuple[ScriptCall, ...] = ()  # sent as tool_calls with finish_reason tool_calls
    finish_reason: str | None = None
    usage: bool = True  # whether the token counts are sent
    status: int = Field(default=200, ge=200, le=599)  # another than 200: an HTTP error, `code` its error code
    code: str | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    delay_s: float = Field(default=0.0, ge=0)  # seconds to wait before anything is sent
    body: str | bytes | None = None  # the response's body, as it is
    cut_after: int | None = Field(default=None, ge=0)  # send so many bytes of the body, then drop the connection
    pause_s: float = Field(default=0.0, ge=0)  # seconds to wait after each 64 bytes: a stream that dribbles

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
    """Rules in the order in which they are tried. What none fits is answered by `default`, without one by HTTP 404 and
    a line that says so."""

    rules: tuple[ScriptRule, ...] = ()
    default: ScriptRule | None = None


def load_script(path: Path) -> Script:
    """Read a script. Raises ConfigError that names the file, the key and the fix."""
    try:
        return Script.model_validate(read_yaml(path, ConfigError))
    except ValidationError as error:
        raise ConfigError(f"{path}: {explain_first_validation_problem(error, Script)}") from error
