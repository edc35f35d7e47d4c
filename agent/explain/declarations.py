"""Compiler messages -> the declarations of the repository that they are about, through the hidden view alone.

A name that isn't declared is answered by what is spelled nearly so; else by what fits its place in the draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest

from agent.explain.feedback import relevant_messages
from agent.explain.likeness import likeness
from agent.explain.names import ViewNames
from agent.explain.queries import Query, queries
from agent.explain.roles.fitting import DraftRoles, Fitter
from agent.explain.roles.places import Role
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
# The likeness that a misspelt name must have before a syntax error is put down to it, and before nothing else is
# offered in its place.
_SURELY = 88.0
# Below this likeness two names only look alike: that alone says nothing.
_CLEARLY = 80.0
# Symbols that fit a place, and the characters that their lines may take: for one message, and at least.
_FITTING = 30
_FITTING_CHARS = 2600
_LEAST_CHARS = 700


@dataclass(frozen=True, slots=True)
class Lookup:
    """The Explainer of one target. It shows only what `view` shows."""

    view: HiddenView
    target: Target
    table: NameTable
    names: ViewNames = field(init=False)
    fitter: Fitter = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", ViewNames(self.view, self.target.path, self.table))
        object.__setattr__(self, "fitter", Fitter(self.names, self.target))

    @property
    def _callable(self) -> frozenset[SymbolKind]:
        return _CALLABLE if self.target.language == "cpp" else _CALLABLE - {SymbolKind.TYPE}

    def explain(self, code: str, diagnostics: Sequence[Diagnostic]) -> tuple[Declaration, ...]:
        """Declarations relevant to the diagnostics, round-robin, so that each contributes its best first; at most 10,
        and 7,000 characters."""
        asked = [
            queries(diagnostic, _notes(diagnostic, diagnostics), code) for diagnostic in relevant_messages(diagnostics)
        ]
        unknown = sum(any(query.kind in ("name", "member") for query in each) for each in asked)
        chars = max(min(_FITTING_CHARS, _ALL_CHARS // max(unknown, 1)), _LEAST_CHARS)
        draft = _Asking(self.fitter.draft(code), chars)
        by_message = [self._answers(each, draft) for each in asked]
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

    def _answers(self, asked: Iterable[Query], draft: _Asking) -> list[Declaration]:
        return list(islice(chain.from_iterable(self._answer(query, draft) for query in asked), _PER_MESSAGE))

    def _answer(self, query: Query, draft: _Asking) -> Iterator[Declaration]:
        if query.kind == "name":
            yield from self._named(query, draft)
        elif query.kind == "member":
            yield from self._member(query, draft)
        elif query.kind == "word":
            yield from self._word(query.name)
        elif query.kind == "call":
            yield from self._prototype(query.name)
        elif query.kind == "type":
            yield from self._type(query)
        else:
            yield Declaration("your function", self.target.signature.strip(), self.target.path, self.target.span.first)

    def _named(self, query: Query, draft: _Asking) -> Iterator[Declaration]:
        """The name itself where it is declared out of sight, names in sight that are spelled nearly so, and what fits
        the place."""
        # In a method members are named without `this->`.
        method = self.target.language == "cpp" and "::" in self.target.name
        kinds = self._callable if query.called else frozenset(SymbolKind) if method else _VALUES
        exact = self.names.exact(query.name, _VALUES)
        for symbol in exact[:1]:
            yield self._shown(symbol, f"{query.name} is declared {self._out_of_sight(symbol)}")
        known, header = nearest_in_libc(query.name)
        if known:
            yield Declaration(f"a name near {query.name}, of the C library", known, header, 1)
        roles = draft.text.roles(query.name)
        if self.target.language == "c" and roles and roles[0].use == "value":
            kinds = kinds - _TYPE
        near = self.names.nearest(query.name, kinds, query.hint, _NEAREST, least=_CLEARLY, far=False)
        surely = False
        shown = False
        for name in near:
            found = self.names.exact(name, kinds)
            if not query.called:
                # A class says more than its constructor.
                constructor = f"{name}::{name}"
                found.sort(key=lambda s: s.kind not in _TYPE and s.qualified_name.endswith(constructor))
            alike = likeness(query.name, name) >= _SURELY
            fits = not roles or draft.text.fits(found, roles)
            surely = surely or (alike and fits)
            for symbol in found[:1] if alike or fits else ():
                shown = True
                yield self._shown(symbol, f"a name near {query.name}")
        usable = any(self.names.visible(symbol.path) or not _is_static(symbol) for symbol in exact)
        if not usable and not known and not surely:
            yield from self._fitting(query, draft, roles, more=shown or bool(exact))
        if not exact and not shown:
            yield from self._far(query, kinds)

    def _far(self, query: Query, kinds: frozenset[SymbolKind]) -> Iterator[Declaration]:
        """Names nearly the same that this file doesn't see, without what another file keeps for itself."""
        for name in self.names.far(query.name, kinds):
            if likeness(query.name, name) >= _SURELY:
                for symbol in self.names.exact(name, kinds)[:1]:
                    if not _is_static(symbol):
                        yield self._shown(symbol, f"a name near {query.name}, {self._out_of_sight(symbol)}")

    def _fitting(self, query: Query, draft: _Asking, found: Sequence[Role], *, more: bool) -> Iterator[Declaration]:
        """What fits the place of a name that doesn't exist, a line each. `more`: something else was offered."""
        lines: list[str] = []
        left = draft.chars
        symbols = draft.text.fitting(query.name, found, _FITTING)
        for symbol in symbols:
            line = f"{_header(symbol)}  /* {symbol.path}:{symbol.span.first} */"
            left -= len(line) + 1
            if left < 0:
                break
            lines.append(line)
        written = draft.text.written(found)
        if written:
            lines.append(f"/* other code writes there: {', '.join(written)} */")
        elsewhere = bool(self.names.exact(query.name, _VALUES))
        missing = f"{'nothing usable here' if elsewhere else 'nothing in this repository'} is called {query.name}"
        if lines:
            reason = f"{missing}; {_what_fits(found)}, the likeliest first"
            place = (symbols[0].path, symbols[0].span.first) if symbols else self._place
            yield Declaration(reason, "\n".join(lines), *place)
        elif not more:
            yield Declaration(missing, f"/* {missing} */", *self._place)

    @property
    def _place(self) -> tuple[str, int]:
        return self.target.path, self.target.span.first

    def _word(self, name: str) -> Iterator[Declaration]:
        if not self.names.exact(name, frozenset(SymbolKind)):
            for other in self.names.nearest(name, _VALUES, "", 1, least=_SURELY):
                for symbol in self.names.exact(other, _VALUES)[:1]:
                    yield self._shown(symbol, f"a name near {name}")

    def _out_of_sight(self, symbol: Symbol) -> str:
        if self.names.visible(symbol.path):
            return "here, but in another scope or further down"
        if _is_static(symbol):
            return "static in another file, so it can't be used here"
        return "in a file that isn't included here"

    def _prototype(self, name: str) -> Iterator[Declaration]:
        found = self.names.exact(name, _CALLABLE | {SymbolKind.FIELD})[:2]
        for symbol in found:
            yield self._shown(symbol, f"what {name} takes")
        # `memccpy` exists, too, and takes one argument more.
        known, header = nearest_in_libc(name) if not found else ("", "")
        if known:
            yield Declaration(f"a name near {name}, of the C library", known, header, 1)

    def _type(self, query: Query) -> Iterator[Declaration]:
        found = self.names.exact(query.name, _TYPE)
        for symbol in sorted(found, key=self._rank)[:1]:
            yield self._shown(symbol, f"the type {query.name}")
        if not found:
            for name in self.names.nearest(query.name, _TYPE, query.hint, _NEAREST):
                for symbol in self.names.exact(name, _TYPE)[:1]:
                    yield self._shown(symbol, f"a type with a name near {query.name}")

    def _member(self, query: Query, draft: _Asking) -> Iterator[Declaration]:
        owners = self.names.owners(query.owner) if query.owner else []
        if not owners:
            holders = self.names.exact(query.name, frozenset({SymbolKind.FIELD}))
            for symbol in holders[: 2 if query.owner == "" else 1]:
                yield self._shown(symbol, f"a member of {self.names.holder_of(symbol)}")
            return
        for owner in owners[:1]:
            members = self.names.members(owner, _BASES)
            yield self._members(query, owner, members, draft)
        if query.hint:
            return
        near = self.names.holders(query.name, owners[0].name)
        if near is not None:
            yield self._shown(near, f"{query.name} is a member of {self.names.holder_of(near)}")

    def _rank(self, symbol: Symbol) -> tuple[bool, bool]:
        return (not self.names.visible(symbol.path), "{" not in self.view.text(symbol))

    def _members(self, query: Query, owner: Symbol, members: Sequence[Symbol], draft: _Asking) -> Declaration:
        """The whole type where it is small; else the members with nearly the same names, or those that fit."""
        text = self.view.text(owner)
        if not members or (len(text) <= _CHARS and query.kind == "member" and all(_within(m, owner) for m in members)):
            return self._shown(owner, f"{owner.name} has no {query.name}; it is")
        ranked = self.names.ranked(query.name, query.hint, [member.name for member in members])
        alike = max((likeness(query.name, name) for name in ranked), default=0.0)
        if alike >= _CLEARLY:
            place = {name: number for number, name in enumerate(ranked[:_MEMBERS])}
            first = sorted((member for member in members if member.name in place), key=lambda m: place[m.name])
            lines, order = [_one_line(member) for member in first][:_MEMBERS], "nearest names first"
        else:
            lines, order = [], "those that fit the place first"
            left = draft.chars
            for member in draft.text.members(query.name, members, draft.text.roles(query.name)):
                left -= len(_one_line(member)) + 1
                if left < 0:
                    break
                lines.append(_one_line(member))
        more = [f"/* and {len(members) - len(lines)} more members */"] if len(members) > len(lines) else []
        reason = f"{owner.name} has no {query.name}; its members, {order}"
        written = "\n".join([*lines, *more])
        return Declaration(reason, written, owner.path, owner.span.first)

    def _shown(self, symbol: Symbol, reason: str) -> Declaration:
        text = symbol.signature if symbol.kind in _FUNCTIONS else self.view.text(symbol)
        return Declaration(reason, _cut(text), symbol.path, symbol.span.first)


@dataclass(frozen=True, slots=True)
class _Asking:
    """One draft, and the characters that each answer by its places may take."""

    text: DraftRoles
    chars: int


def _what_fits(found: Sequence[Role]) -> str:
    role = found[0]
    if role.use == "called":
        return f"what can be called there with {len(role.takes)} argument{'s' * (len(role.takes) != 1)}"
    return "what has a fitting type there"


def _header(symbol: Symbol) -> str:
    """A symbol on one line, as it is declared; of a macro its name and parameters."""
    text = " ".join(symbol.signature.split()).rstrip("{; ")
    if symbol.kind is SymbolKind.ENUMERATOR:
        return symbol.qualified_name + ","
    return text if symbol.kind is SymbolKind.MACRO else text + ";"


def _notes(diagnostic: Diagnostic, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The notes that follow a message in the compiler's output."""
    at = next((n for n, other in enumerate(diagnostics) if other is diagnostic), len(diagnostics))
    found: list[Diagnostic] = []
    for other in diagnostics[at + 1 :]:
        if other.severity != "note":
            break
        found.append(other)
    return found


def _within(member: Symbol, owner: Symbol) -> bool:
    return member.path == owner.path and owner.start_byte <= member.start_byte < owner.end_byte


def _is_static(symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.FUNCTION and bool(re.match(r"\s*(?:\w+\s+)*?static\b", symbol.signature))


def _one_line(symbol: Symbol) -> str:
    return " ".join(symbol.signature.split()).rstrip("{; ") + ";"


def _cut(text: str) -> str:
    text = text.strip("\n")
    if len(text) <= _CHARS:
        return text
    kept = text[:_CHARS].rsplit("\n", 1)[0]
    return f"{kept}\n/* {text.count(chr(10)) - kept.count(chr(10))} more lines */"
