"""What retrieval hands on: ranked hits, and a context that is packed into a token budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from index.values import Span, Symbol

TokenCounter = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Hit:
    """A symbol that a retriever proposes. A higher score is better; scores of two retrievers don't compare."""

    symbol: Symbol
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of text as the model will see it. `source` names who put it there: oracle, lexical, file..."""

    title: str
    path: str
    span: Span | None
    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """A snippet that the packer left out, its size in tokens, and why."""

    title: str
    tokens: int
    reason: str


@dataclass(frozen=True, slots=True)
class Context:
    """What a prompt gets. `tokens` counts the kept snippets' texts by the packer's counter."""

    snippets: tuple[Snippet, ...]
    tokens: int
    budget: int
    dropped: tuple[Dropped, ...]
