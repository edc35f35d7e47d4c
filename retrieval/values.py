"""What retrieval returns: ranked hits, and a context that is packed into a token budget."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from index.values import Span, Symbol

Bodies = Literal["all", "auto", "none"]
"""How functions are shown (`retrieval.context.token_budget`): whole as far as they fit; by signature, the best ones
whole; or by signature alone."""


class SnippetGroup(StrEnum):
    """What a snippet is to the body that has to be written, in the order in which a context shows them."""

    FILE = "file"
    FUNCTIONS = "functions"
    TYPES = "types"
    MACROS = "macros"
    GLOBALS = "globals"
    INCLUDES = "includes"
    EXAMPLES = "examples"


@dataclass(frozen=True, slots=True)
class Hit:
    """A symbol that a retriever proposes. A higher score is better; scores of different retrievers don't compare."""

    symbol: Symbol
    score: float
    reason: str


class NameChance(NamedTuple):
    """A name that a body may need, as the declaration that it most likely means; `chance` lies between 0 and 1."""

    symbol: Symbol
    chance: float


def drop_repeated_hits(hits: Iterable[Hit]) -> list[Hit]:
    """Each symbol once, at its first place."""
    once: dict[tuple[str, int], Hit] = {}
    for hit in hits:
        once.setdefault((hit.symbol.path, hit.symbol.start_byte), hit)
    return list(once.values())


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of text as the model will see it. `source` says where it comes from: oracle, lexical, file...

    `brief` is a shorter form of `text` for a packer that lacks room, or "". In a packed context it is empty, and
    `is_brief` says whether it became the text.
    """

    title: str
    path: str
    span: Span | None
    text: str
    source: str
    group: SnippetGroup = SnippetGroup.FUNCTIONS
    brief: str = ""
    is_brief: bool = False


def sort_by_group(snippets: Iterable[Snippet]) -> list[Snippet]:
    """Group by group; those of one group stay in their order."""
    order = list(SnippetGroup)
    return sorted(snippets, key=lambda snippet: order.index(snippet.group))


@dataclass(frozen=True, slots=True)
class DroppedSnippet:
    """A snippet that was left out or cut to its brief form, the tokens that this saved, and why."""

    title: str
    tokens: int
    reason: str
    group: SnippetGroup = SnippetGroup.FUNCTIONS


@dataclass(frozen=True, slots=True)
class Context:
    """What a prompt gets. `tokens` counts the snippets' texts by `estimate_tokens`; `tests` is the number of snippets
    from the repository's own tests."""

    snippets: tuple[Snippet, ...]
    tokens: int
    budget: int
    dropped: tuple[DroppedSnippet, ...]
    tests: int = 0
