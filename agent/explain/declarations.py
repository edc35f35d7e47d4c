"""Compiler messages -> the declarations of the repository that they are about, through the hidden view alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest

from agent.explain.feedback import relevant_messages
from agent.explain.names import Names
from agent.explain.queries import Query, queries
from agent.explain.stdlib import nearest_in_libc
from agent.tools.names import NameTable
from agent.values import Declaration
from index.hiding.view import HiddenView
from index.values import Diagnostic, Symbol, SymbolKind, Target

_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.PROTOTYPE})
_CALLABLE = _FUNCTIONS | {SymbolKind.MACRO, SymbolKind.TYPE, SymbolKind.GLOBAL}
_VALUES = frozenset(SymbolKind) - {SymbolKind.FIELD}
_TYPE = frozenset({SymbolKind.TYPE})

# Declarations for one message, and for all of them together: at most a screenful.
_PER_MESSAGE = 4
_MOST = 10
_CHARS = 900
_ALL_CHARS = 7000
_NEAREST = 3
_MEMBERS = 14
_BASES = 3
# The likeness that a misspelt name must have before a syntax error is put down to it.
_SURELY = 88.0


@dataclass(frozen=True, slots=True)
class Lookup:
    """The Explainer of one target. It shows only what `view` shows."""

    view: HiddenView
    target: Target
    table: NameTable
    names: Names = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", Names(self.view, self.target.path, self.table))

    @property
    def _callable(self) -> frozenset[SymbolKind]:
        return _CALLABLE if self.target.language == "cpp" else _CALLABLE - {SymbolKind.TYPE}

    def explain(self, code: str, diagnostics: Sequence[Diagnostic]) -> tuple[Declaration, ...]:
        """Declarations relevant to the diagnostics, round-robin, so that each contributes its best first; at most 10,
        and 7,000 characters."""
        by_message = [
            self._answers(queries(diagnostic, _notes(diagnostic, diagnostics), code))
            for diagnostic in relevant_messages(diagnostics)
        ]
        found: list[Declaration] = []
        seen: set[tuple[str, int, str]] = set()
        chars = 0
        for declaration in filter(None, chain.from_iterable(zip_longest(*by_message))):
            key = (declaration.path, declaration.line, declaration.text)
            if key in seen or len(found) == _MOST or chars + len(declaration.text) > _ALL_CHARS:
                continue
            seen.add(key)
            chars += len(declaration.text)
            found.append(declaration)
        return tuple(found)

    def _answers(self, asked: Iterable[Query]) -> list[Declaration]:
        return list(islice(chain.from_iterable(map(self._answer, asked)), _PER_MESSAGE))

    def _answer(self, query: Query) -> Iterator[Declaration]:
        if query.kind == "name":
            yield from self._named(query)
        elif query.kind == "member":
            yield from self._member(query)
        elif query.kind == "word":
            yield from self._word(query.name)
        elif query.kind == "call":
            yield from self._prototype(query.name)
        elif query.kind == "type":
            yield from self._type(query)
        else:
            yield Declaration("your function", self.target.signature, self.target.path, self.target.span.first)

    def _named(self, query: Query) -> Iterator[Declaration]:
        """The name itself where it is declared out of sight, and the most similar names in sight."""
        # In a method members are named without `this->`.
        method = self.target.language == "cpp" and "::" in self.target.name
        kinds = self._callable if query.called else frozenset(SymbolKind) if method else _VALUES
        exact = self.names.exact(query.name, _VALUES)
        for symbol in exact[:1]:
            yield self._shown(symbol, f"{query.name} is declared {self._out_of_sight(symbol)}")
        known, header = nearest_in_libc(query.name)
        if known:
            yield Declaration(f"a name near {query.name}, of the C library", known, header, 1)
        for name in self.names.nearest(query.name, kinds, query.hint, _NEAREST):
            found = self.names.exact(name, kinds)
            if not query.called:
                # A class says more than its constructor.
                constructor = f"{name}::{name}"
                found.sort(key=lambda s: s.kind not in _TYPE and s.qualified_name.endswith(constructor))
            for symbol in found[:1]:
                yield self._shown(symbol, f"a name near {query.name}")

    def _word(self, name: str) -> Iterator[Declaration]:
        if not self.names.exact(name, frozenset(SymbolKind)):
            for other in self.names.nearest(name, _VALUES, "", 1, least=_SURELY):
                for symbol in self.names.exact(other, _VALUES)[:1]:
                    yield self._shown(symbol, f"a name near {name}")

    def _out_of_sight(self, symbol: Symbol) -> str:
        if self.names.visible(symbol.path):
            return "here, but in another scope or further down"
        static = symbol.kind is SymbolKind.FUNCTION and re.match(r"\s*(?:\w+\s+)*?static\b", symbol.signature)
        return "static in another file, so it can't be used here" if static else "in a file that isn't included here"

    def _prototype(self, name: str) -> Iterator[Declaration]:
        for symbol in self.names.exact(name, _CALLABLE | {SymbolKind.FIELD})[:2]:
            yield self._shown(symbol, f"what {name} takes")

    def _type(self, query: Query) -> Iterator[Declaration]:
        found = self.names.exact(query.name, _TYPE)
        for symbol in sorted(found, key=self._rank)[:1]:
            yield self._shown(symbol, f"the type {query.name}")
        if not found:
            for name in self.names.nearest(query.name, _TYPE, query.hint, _NEAREST):
                for symbol in self.names.exact(name, _TYPE)[:1]:
                    yield self._shown(symbol, f"a type with a name near {query.name}")

    def _member(self, query: Query) -> Iterator[Declaration]:
        owners = self.names.owners(query.owner) if query.owner else []
        if not owners:
            holders = self.names.exact(query.name, frozenset({SymbolKind.FIELD}))
            for symbol in holders[: 2 if query.owner == "" else 1]:
                yield self._shown(symbol, f"a member of {self.names.holder_of(symbol)}")
            return
        for owner in owners[:1]:
            members = self.names.members(owner, _BASES)
            yield self._members(query, owner, members)
        if query.hint:
            return
        near = self.names.holders(query.name, owners[0].name)
        if near is not None:
            yield self._shown(near, f"{query.name} is a member of {self.names.holder_of(near)}")

    def _rank(self, symbol: Symbol) -> tuple[bool, bool]:
        return (not self.names.visible(symbol.path), "{" not in self.view.text(symbol))

    def _members(self, query: Query, owner: Symbol, members: Sequence[Symbol]) -> Declaration:
        """The members with the most similar names; the whole type where it is small."""
        text = self.view.text(owner)
        if not members or (
            len(text) <= _CHARS and query.kind == "member" and all(m.path == owner.path for m in members)
        ):
            return self._shown(owner, f"{owner.name} has no {query.name}; it is")
        ranked = self.names.ranked(query.name, query.hint, [member.name for member in members])[:_MEMBERS]
        place = {name: number for number, name in enumerate(ranked)}
        nearest = sorted((member for member in members if member.name in place), key=lambda member: place[member.name])
        lines = [_one_line(member) for member in nearest]
        left = len(members) - len(lines)
        more = [f"/* and {left} more members */"] if left > 0 else []
        reason = f"{owner.name} has no {query.name}; its members, nearest names first"
        return Declaration(reason, _cut("\n".join([*lines[:_MEMBERS], *more])), owner.path, owner.span.first)

    def _shown(self, symbol: Symbol, reason: str) -> Declaration:
        text = symbol.signature if symbol.kind in _FUNCTIONS else self.view.text(symbol)
        return Declaration(reason, _cut(text), symbol.path, symbol.span.first)


def _notes(diagnostic: Diagnostic, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The notes that follow a message in the compiler's output."""
    at = next((n for n, other in enumerate(diagnostics) if other is diagnostic), len(diagnostics))
    found: list[Diagnostic] = []
    for other in diagnostics[at + 1 :]:
        if other.severity != "note":
            break
        found.append(other)
    return found


def _one_line(symbol: Symbol) -> str:
    return " ".join(symbol.signature.split()).rstrip("{; ") + ";"


def _cut(text: str) -> str:
    text = text.strip("\n")
    if len(text) <= _CHARS:
        return text
    kept = text[:_CHARS].rsplit("\n", 1)[0]
    return f"{kept}\n/* {text.count(chr(10)) - kept.count(chr(10))} more lines */"
