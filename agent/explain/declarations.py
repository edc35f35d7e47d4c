"""Compiler messages -> the repository's declarations that they are about, through the hidden view alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

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

# What one message may bring, and all of them together: a screenful, whatever was asked.
_PER_MESSAGE = 4
_MOST = 10
_CHARS = 900
_ALL_CHARS = 7000
_NEAREST = 3
_MEMBERS = 14
_BASES = 3
# How much alike a name must be before a syntax error is laid at its door.
_SURELY = 88.0


@dataclass(frozen=True, slots=True)
class Lookup:
    """Satisfies `agent.values.Explainer` for one target: what `view` hides is never told."""

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
        """What each message worth telling asks for, the first of each first; at most 10, and 7,000 characters."""
        telling = relevant_messages(diagnostics)
        asked = [self._answers(query for query in queries(one, _notes(one, diagnostics), code)) for one in telling]
        found: list[Declaration] = []
        seen: set[tuple[str, int, str]] = set()
        chars = 0
        for one in (one for rank in zip_longest(*asked) for one in rank if one is not None):
            key = (one.path, one.line, one.text)
            if key in seen or len(found) == _MOST or chars + len(one.text) > _ALL_CHARS:
                continue
            seen.add(key)
            chars += len(one.text)
            found.append(one)
        return tuple(found)

    def _answers(self, asked: Iterable[Query]) -> list[Declaration]:
        found: list[Declaration] = []
        for query in asked:
            if len(found) >= _PER_MESSAGE:
                break
            found += self._answer(query)
        return found[:_PER_MESSAGE]

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
        """The name itself where it is declared out of sight, else the nearest that can be seen here."""
        # In a method the members stand without `this->`.
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
                # A class tells more than the constructor of its name.
                found.sort(key=lambda one: one.kind not in _TYPE and one.qualified_name.endswith(f"{name}::{name}"))
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
        for symbol in sorted(found, key=self._how_telling)[:1]:
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

    def _how_telling(self, symbol: Symbol) -> tuple[bool, bool]:
        return (not self.names.visible(symbol.path), "{" not in self.view.text(symbol))

    def _members(self, query: Query, owner: Symbol, members: Sequence[Symbol]) -> Declaration:
        """The members nearest in name, in the type's own order; the whole type where it is small."""
        text = self.view.text(owner)
        if not members or (
            len(text) <= _CHARS and query.kind == "member" and all(m.path == owner.path for m in members)
        ):
            return self._shown(owner, f"{owner.name} has no {query.name}; it is")
        ranked = self.names.ranked(query.name, query.hint, [one.name for one in members])[:_MEMBERS]
        place = {name: number for number, name in enumerate(ranked)}
        nearest = sorted((one for one in members if one.name in place), key=lambda one: place[one.name])
        lines = [_one_line(one) for one in nearest]
        left = len(members) - len(lines)
        more = [f"/* and {left} more members */"] if left > 0 else []
        reason = f"{owner.name} has no {query.name}; its members, nearest names first"
        return Declaration(reason, _cut("\n".join([*lines[:_MEMBERS], *more])), owner.path, owner.span.first)

    def _shown(self, symbol: Symbol, reason: str) -> Declaration:
        text = symbol.signature if symbol.kind in _FUNCTIONS else self.view.text(symbol)
        return Declaration(reason, _cut(text), symbol.path, symbol.span.first)


def _notes(one: Diagnostic, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The notes behind a message, in the list that the compiler gave."""
    at = next((n for n, other in enumerate(diagnostics) if other is one), len(diagnostics))
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
