"""The values of the agent side, and its seams: the model and the compiler."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from index.values import Diagnostic
from retrieval.values import Context

Role = Literal["system", "user", "assistant", "tool"]

# Why the conversation ended; "" while it goes on.
Ended = Literal["", "answered", "submitted", "rounds", "steps", "tokens", "cost", "time", "repetition", "window"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told of it. `parameters` is a JSON Schema of type object, as JSON text."""

    name: str
    description: str
    parameters: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model wrote it: `arguments` is meant to be a JSON object and may be anything. `kept` is what
    the provider wants to see again with the call, as JSON text, or ""."""

    id: str
    name: str
    arguments: str
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """`calls` are an assistant's native tool calls, `call_id` names the one that a tool's message answers; `kept`
    is what the provider wants back with an assistant's message (signed thoughts), as JSON text, or ""."""

    role: Role
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    kept: str = ""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call, complete: two equal requests are the same call, and the response store answers the second.

    `sample` numbers the samples of one prompt from 0, so that two samples are two calls; `extra` holds further
    provider parameters as sorted pairs (values are JSON texts).
    """

    model: str
    messages: tuple[Message, ...]
    temperature: float | None
    max_tokens: int | None
    seed: int | None
    sample: int = 0
    api_base: str | None = None
    extra: tuple[tuple[str, str], ...] = ()
    tools: tuple[ToolSpec, ...] = ()


# A server that knows no tools has answered, and that is stored as an answer: a resumed run meets it again.
TOOLS_REFUSED = "tools_refused"


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """`text` is the answer, `reasoning` the model's separate thoughts or ""; `cost` in USD, None when unknown;
    `raw` is the provider's response as JSON; `seconds` wall time of the call that was paid for;
    `tokens_estimated` when the provider gave no counts and ours stand in; `calls` are native tool calls, `kept` as
    in Message. `finish_reason` TOOLS_REFUSED: the server takes no tools; `text` is its message."""

    text: str
    reasoning: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    raw: str
    seconds: float
    cached: bool = False
    tokens_estimated: bool = False
    calls: tuple[ToolCall, ...] = ()
    kept: str = ""


class Model(Protocol):
    """Anything that answers a request. Raises ModelError when it can't, CeilingReached when it mustn't."""

    def complete(self, request: ModelRequest) -> ModelResponse: ...


class Compiler(Protocol):
    """Compiler output on a draft, never a test's verdict. Empty when the draft compiles without a word.

    Raises InfraError when the compiler itself couldn't be run.
    """

    def check(self, code: str) -> Sequence[Diagnostic]: ...


@dataclass(frozen=True, slots=True)
class Declaration:
    """What the repository has that a compiler's message is about. `reason` tells why it is shown ("fields of struct
    dict"), `text` is the declaration as it stands in `path` from `line` on, cut to a bounded size."""

    reason: str
    text: str
    path: str
    line: int


class Explainer(Protocol):
    """Turns the compiler's messages on a draft into declarations of the repository, through the hidden view alone.

    `diagnostics` is all that the compiler said, notes too. At most a screenful, the most telling first; empty where
    the repository has nothing to say.
    """

    def explain(self, code: str, diagnostics: Sequence[Diagnostic]) -> Sequence[Declaration]: ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """What was found in the model's text: the whole function (`code`), or None and the reason why not.

    `how` tells how it was found ("whole function", "method inside class", "body only"...).
    """

    code: str | None
    reason: str = ""
    how: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Sums over a trajectory. `cost` is None as soon as one call's price is unknown."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    model_seconds: float = 0.0
    compiles: int = 0
    compile_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One tool call that was answered. `arguments` as the model wrote them, cut at a bound; `mistake` when the
    answer was a hint instead of a result; `shown` are the symbols in the result, as `qualified name (path)`, and
    `bodies` the functions whose body, or a part of it, stands there: another task of the same run may hide it."""

    name: str
    arguments: str
    mistake: bool
    chars: int
    seconds: float
    shown: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """One answer of the model, the draft that was found in it or in its calls, and what the compiler said to the
    draft (None: not asked), in `check_seconds` of wall time. `declarations` went back to the model with the
    messages. `uses` are the tools that it called; `submitted` is the text that it handed in by calling `submit`."""

    response: ModelResponse
    candidate: Candidate
    diagnostics: tuple[Diagnostic, ...] | None
    check_seconds: float = 0.0
    declarations: tuple[Declaration, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    submitted: str | None = None

    @property
    def answer(self) -> str:
        """The raw answer: what was handed in by a call, else the text."""
        return self.response.text if self.submitted is None else self.submitted


@dataclass(frozen=True, slots=True)
class Draft:
    """A conversation of its own, asked for only to find a better context by what it wrote. `context` is what it was
    shown; `messages` and `rounds` are as a trajectory's."""

    context: Context
    messages: tuple[Message, ...]
    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class Trajectory:
    """All that happened: `messages` is exactly what the model saw, in order, answers included. `ended` says why it
    ended; `protocol` how tools were called, "" where there were none. `drafts` came before and count in `usage`."""

    messages: tuple[Message, ...]
    rounds: tuple[Round, ...]
    candidate: Candidate
    usage: Usage = field(default_factory=Usage)
    error: str = ""
    ended: Ended = ""
    protocol: Literal["", "native", "text"] = ""
    drafts: tuple[Draft, ...] = ()
