"""The values of the agent side, and its seams: the model, the compiler and the explainer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from index.values import Diagnostic
from retrieval.values import Context

Role = Literal["system", "user", "assistant", "tool"]

# Why the conversation ended; "" while it goes on.
Ended = Literal[
    "", "answered", "submitted", "rounds", "steps", "tokens", "cost", "time", "repetition", "window", "left"
]

# How tools are called: as a configuration says it, and as a conversation did ("" without tools).
ToolProtocol = Literal["auto", "native", "text"]
UsedProtocol = Literal["", "native", "text"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is described to a model. `parameters` is a JSON Schema of type object, as JSON text."""

    name: str
    description: str
    parameters: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model wrote it: `arguments` should be a JSON object and may be any text. `kept` is what the
    provider wants sent back with the call, as JSON text, or ""."""

    id: str
    name: str
    arguments: str
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """`calls` are an assistant's native tool calls; `call_id` is the id of the call that a tool's message answers.
    `kept` is what the provider wants sent back with an assistant's message (signed thoughts), as JSON text, or ""."""

    role: Role
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    kept: str = ""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """All of one call: two equal requests are the same call, and the response store answers the second.

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


# The `finish_reason` of an answer that the provider marks as a refusal; `text` is then what it says.
REFUSED = "refusal"
# A server's refusal of tools is stored like an answer, so that a resumed run goes the same way.
TOOLS_REFUSED = "tools_refused"


@dataclass(frozen=True, slots=True)
class ModelResponse:
    """`text` is the answer and `reasoning` the model's separate thoughts, or ""; `cost` is in USD, None when unknown;
    `raw` is the provider's response as JSON; `seconds` is the wall time of the call that was paid for;
    `tokens_estimated`: the provider gave no counts and ours stand in; `calls` are native tool calls; `kept` is as in
    Message. With the `finish_reason` TOOLS_REFUSED the server refuses tools, and `text` is its message."""

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
    """Anything that answers a request. Raises ModelError when it fails, CeilingReached when no call may be made."""

    def complete(self, request: ModelRequest) -> ModelResponse: ...


class Compiler(Protocol):
    """Compiler output on a draft, never a test's verdict. Empty when the draft compiles without a message.

    Raises InfraError when the compiler itself couldn't be run.
    """

    def check(self, code: str) -> Sequence[Diagnostic]: ...


@dataclass(frozen=True, slots=True)
class Declaration:
    """A declaration of the repository that a compiler's message is about. `reason` says why it is shown ("fields of
    struct dict"); `text` is the declaration at `line` of `path`, cut to a bounded size."""

    reason: str
    text: str
    path: str
    line: int


class Explainer(Protocol):
    """Finds the declarations that explain the compiler's messages on a draft, through the hidden view alone.

    `diagnostics` are all messages, notes too. At most a screenful comes back, the most useful first; empty where the
    repository has nothing that helps.
    """

    def explain(self, code: str, diagnostics: Sequence[Diagnostic]) -> Sequence[Declaration]: ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """The function found in a model's text: the whole of it (`code`), or None and the reason.

    `how` says how it was found ("whole function", "body only, the repository's header", ...). `choice`: of several
    definitions in the text, which was taken and which were left, and why; "" where there was no choice.
    """

    code: str | None
    reason: str = ""
    how: str = ""
    choice: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Sums over a conversation. `cost` is None when the price of any call is unknown."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    model_seconds: float = 0.0
    compiles: int = 0
    compile_seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        pairs = [(getattr(self, name), getattr(other, name)) for name in self.__slots__]
        sums: list[Any] = [None if None in pair else sum(pair) for pair in pairs]
        return Usage(*sums)


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
    """One answer of the model: the draft found in it or in its calls, and the compiler's messages on the draft (None:
    not compiled), which took `check_seconds` of wall time. `declarations` went back to the model with the messages.
    `uses` are its tool calls; `submitted` is the text that it handed in by calling `submit`."""

    response: ModelResponse
    candidate: Candidate
    diagnostics: tuple[Diagnostic, ...] | None
    check_seconds: float = 0.0
    declarations: tuple[Declaration, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    submitted: str | None = None

    @property
    def answer(self) -> str:
        """The raw answer: the text handed in by a call, else the text of the response."""
        return self.response.text if self.submitted is None else self.submitted


@dataclass(frozen=True, slots=True)
class Draft:
    """A conversation of its own whose only use is to find a better context. `context` is what it was shown;
    `messages` and `rounds` are as in Trajectory."""

    context: Context
    messages: tuple[Message, ...]
    rounds: tuple[Round, ...]


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A whole conversation. `messages` is exactly what the model saw, in order, its answers included. `ended` says why
    it ended; `protocol` is how tools were called, "" without tools. `drafts` came before and count in `usage`."""

    messages: tuple[Message, ...]
    rounds: tuple[Round, ...]
    candidate: Candidate
    usage: Usage = field(default_factory=Usage)
    error: str = ""
    ended: Ended = ""
    protocol: UsedProtocol = ""
    drafts: tuple[Draft, ...] = ()
