"""The values that the index hands on, and the hole that everything is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Literal, NamedTuple

Language = Literal["c", "cpp"]
Masking = Literal["strict", "realistic"]
Severity = Literal["error", "warning", "note"]

ByteRange = tuple[int, int]
"""Bytes of a text: [start, end)."""
FileId = int
SymbolId = int
"""Row ids in an index."""


class SymbolKind(StrEnum):
    """What a symbol is. `FUNCTION` has a body, `PROTOTYPE` has none. A `GLOBAL` is a variable outside functions, a
    `FIELD` (`Type::field`) a member that is no function, an `ENUMERATOR` is `X`, or `Enum::X` in a scoped enum."""

    FUNCTION = "function"
    PROTOTYPE = "prototype"
    TYPE = "type"
    MACRO = "macro"
    GLOBAL = "global"
    ENUMERATOR = "enumerator"
    FIELD = "field"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Lines of a file, 1-based, both ends included."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Target:
    """The hole: all that the agent side ever learns about the function to write.

    `path` is relative to the repository's root, with forward slashes; `span` covers the whole definition
    (signature and body); `name` is qualified (`ns::Class::method`).
    """

    repo: str
    path: str
    span: Span
    name: str
    signature: str
    docstring: str
    language: Language

    @property
    def holes(self) -> tuple[Target, ...]:
        """All functions that are to be written: itself, and in a HoleSet the others."""
        return (self,)


@dataclass(frozen=True, slots=True)
class HoleSet(Target):
    """Several functions that are hidden at once and written together. As a Target it is the first of them; `further`
    are the others, in the order in which they are asked for. A task of one function has a plain Target, so that
    nothing of it is spelt otherwise (docs/decisions/holes.md)."""

    further: tuple[Target, ...] = ()

    @property
    def holes(self) -> tuple[Target, ...]:
        first = Target(**{field.name: getattr(self, field.name) for field in fields(Target)})
        return (first, *self.further)


def join_targets(holes: Sequence[Target]) -> Target:
    """One target of these functions, the first of which is the one that a place shows with room for one."""
    first, *further = holes
    if not further:
        return first
    return HoleSet(**{field.name: getattr(first, field.name) for field in fields(Target)}, further=tuple(further))


@dataclass(frozen=True, slots=True)
class Symbol:
    """A function, prototype, type, macro, variable, field or enumerator of the repository.

    Bytes are offsets into the file as it stands on disk, end excluded; `docstring` is the comment above it, for a
    variable, field or enumerator also the one behind it on its line, as written, or "". `signature` is on one line,
    without body and initializer.
    """

    kind: SymbolKind
    name: str
    qualified_name: str
    path: str
    span: Span
    start_byte: int
    end_byte: int
    signature: str
    docstring: str
    language: Language


class Entry(NamedTuple):
    """A symbol with what only the index knows of it: its row id, where its body begins (-1 without one), and where its
    docstring begins (the symbol's own start without one above it)."""

    id: int
    symbol: Symbol
    body: int
    doc: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of a compiler.

    `line` is 1-based in the candidate's own text where the message falls inside it (`in_candidate`), else in
    `path`. `column` is 1-based. `option` is the warning flag, as `-Wunused-result`, or "".
    """

    severity: Severity
    message: str
    path: str
    line: int
    column: int
    in_candidate: bool
    option: str = ""
