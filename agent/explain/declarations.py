"""Compiler messages -> the declarations of the repository that they are about, through the hidden view alone.

A name that isn't declared is answered by what is spelled nearly so; else by what fits its place in the draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, takewhile, zip_longest

from agent.explain.c_library import find_nearest_in_libc
from agent.explain.feedback import select_relevant_messages
from agent.explain.name_similarity import name_similarity
from agent.explain.queries import Query, make_queries
from agent.explain.roles.name_roles import Role
from agent.explain.roles.symbol_ranking import DraftSymbols, SymbolRanker
from agent.explain.view_names import ViewNames
from agent.values import Declaration
from index.hiding.hidden_view import HiddenView
from index.values import Diagnostic, Symbol, SymbolKind, Target

_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.PROTOTYPE})
_CALLABLE = _FUNCTIONS | {SymbolKind.MACRO, SymbolKind.TYPE, SymbolKind.GLOBAL}
_VALUES = frozenset(SymbolKind) - {SymbolKind.FIELD}
_TYPE = frozenset({SymbolKind.TYPE})

# Declarations for one message, and for all of them together: at most a screenful.
_MOST_PER_MESSAGE = 4
_MOST_DECLARATIONS = 10
_MOST_DECLARATION_CHARS = 900
_MOST_ALL_CHARS = 7000
_MOST_NEAR_NAMES = 3
_MOST_MEMBERS = 14
_MOST_BASE_LEVELS = 3
# The likeness that a misspelt name must have before a syntax error is put down to it, and before nothing else is
# offered in its place.
_SURE_SIMILARITY = 88.0
# Below this likeness two names only look alike: that alone says nothing.
_CLEAR_SIMILARITY = 80.0
# Symbols that fit a place, and the characters that their lines may take: for one message, and at least.
_MOST_FITTING = 30
_FITTING_CHARS = 2600
_LEAST_CHARS = 700


@dataclass(frozen=True, slots=True)
class DeclarationLookup:
    """The Explainer of one target. It shows only what `view` shows."""

    view: HiddenView
    target: Target
    names: ViewNames = field(init=False)
    fitter: SymbolRanker = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", ViewNames(self.view, self.target.path))
        object.__setattr__(self, "fitter", SymbolRanker(self.names, self.target))

    @property
    def _callable_kinds(self) -> frozenset[SymbolKind]:
        return _CALLABLE if self.target.language == "cpp" else _CALLABLE - {SymbolKind.TYPE}

    def explain(self, code: str, diagnostics: Sequence[Diagnostic]) -> tuple[Declaration, ...]:
        """Declarations relevant to the diagnostics, round-robin, so that each contributes its best first; at most 10,
        and 7,000 characters."""
        asked = [
            make_queries(diagnostic, _find_notes(diagnostic, diagnostics), code)
            for diagnostic in select_relevant_messages(diagnostics)
        ]
        unknown = sum(any(query.kind in ("name", "member") for query in each) for each in asked)
        chars = max(min(_FITTING_CHARS, _MOST_ALL_CHARS // max(unknown, 1)), _LEAST_CHARS)
        draft = _DraftBudget(self.fitter.read_draft(code), chars)
        by_message = [self._answer_queries_of_message(each, draft) for each in asked]
        found: list[Declaration] = []
        seen: set[tuple[str, int, str]] = set()
        chars = 0
        for declaration in filter(None, chain.from_iterable(zip_longest(*by_message))):
            key = (declaration.path, declaration.line, declaration.text)
            if key in seen or len(found) == _MOST_DECLARATIONS or chars + len(declaration.text) > _MOST_ALL_CHARS:
                continue
            seen.add(key)
            chars += len(declaration.text)
            found.append(declaration)
        return tuple(found)

    def _answer_queries_of_message(self, asked: Iterable[Query], draft: _DraftBudget) -> list[Declaration]:
        return list(
            islice(chain.from_iterable(self._answer_query(query, draft) for query in asked), _MOST_PER_MESSAGE)
        )

    def _answer_query(self, query: Query, draft: _DraftBudget) -> Iterator[Declaration]:
        if query.kind == "name":
            yield from self._explain_unknown_name(query, draft)
        elif query.kind == "member":
            yield from self._explain_unknown_member(query, draft)
        elif query.kind == "word":
            yield from self._explain_word_in_syntax_error(query.name)
        elif query.kind == "call":
            yield from self._show_callee(query.name)
        elif query.kind == "type":
            yield from self._show_type(query)
        else:
            yield Declaration("your function", self.target.signature.strip(), self.target.path, self.target.span.first)

    def _explain_unknown_name(self, query: Query, draft: _DraftBudget) -> Iterator[Declaration]:
        """The name itself where it is declared out of sight, names in sight that are spelled nearly so, and what fits
        the place."""
        # In a method members are named without `this->`.
        method = self.target.language == "cpp" and "::" in self.target.name
        kinds = self._callable_kinds if query.called else frozenset(SymbolKind) if method else _VALUES
        exact = self.names.find_symbols_named_exactly(query.name, _VALUES)
        for symbol in exact[:1]:
            yield self._show_symbol(symbol, f"{query.name} is declared {self._describe_visibility(symbol)}")
        in_libc = _declare_nearest_in_libc(query.name)
        yield from in_libc
        roles = draft.text.find_roles(query.name)
        if self.target.language == "c" and roles and roles[0].use == "value":
            kinds = kinds - _TYPE
        near = self.names.find_nearest(query.name, kinds, query.hint, _MOST_NEAR_NAMES, least=_CLEAR_SIMILARITY)
        surely = False
        shown = False
        for name in near:
            found = self.names.find_symbols_named_exactly(name, kinds)
            if not query.called:
                # A class says more than its constructor.
                constructor = f"{name}::{name}"
                found.sort(key=lambda s: s.kind not in _TYPE and s.qualified_name.endswith(constructor))
            alike = name_similarity(query.name, name) >= _SURE_SIMILARITY
            fits = not roles or draft.text.can_stand_in(found, roles)
            surely = surely or (alike and fits)
            for symbol in found[:1] if alike or fits else ():
                shown = True
                yield self._show_symbol(symbol, f"a name near {query.name}")
        usable = any(self.names.is_visible(symbol.path) or not _is_static_function(symbol) for symbol in exact)
        if not usable and not in_libc and not surely:
            yield from self._list_fitting_symbols(query, draft, roles, more=shown or bool(exact))

    def _list_fitting_symbols(
        self, query: Query, draft: _DraftBudget, found: Sequence[Role], *, more: bool
    ) -> Iterator[Declaration]:
        """What fits the place of a name that doesn't exist, a line each. `more`: something else was offered."""
        symbols = draft.text.rank_fitting_visible_symbols(query.name, found, _MOST_FITTING)
        each = (f"{_one_line_declaration(symbol)}  /* {symbol.path}:{symbol.span.first} */" for symbol in symbols)
        lines = _take_lines_that_fit(each, draft.chars)
        written = draft.text.list_system_constants(found)
        if written:
            lines.append(f"/* other code writes there: {', '.join(written)} */")
        first = self.target.span.first
        elsewhere = bool(self.names.find_symbols_named_exactly(query.name, _VALUES))
        missing = f"{'nothing usable here' if elsewhere else 'nothing in this repository'} is called {query.name}"
        if lines:
            reason = f"{missing}; {_describe_fit(found)}, the likeliest first"
            path, line = (symbols[0].path, symbols[0].span.first) if symbols else (self.target.path, first)
            yield Declaration(reason, "\n".join(lines), path, line)
        elif not more:
            yield Declaration(missing, f"/* {missing} */", self.target.path, first)

    def _explain_word_in_syntax_error(self, name: str) -> Iterator[Declaration]:
        if not self.names.find_symbols_named_exactly(name, frozenset(SymbolKind)):
            for other in self.names.find_nearest(name, _VALUES, "", 1, least=_SURE_SIMILARITY):
                for symbol in self.names.find_symbols_named_exactly(other, _VALUES)[:1]:
                    yield self._show_symbol(symbol, f"a name near {name}")

    def _describe_visibility(self, symbol: Symbol) -> str:
        if self.names.is_visible(symbol.path):
            return "here, but in another scope or further down"
        if _is_static_function(symbol):
            return "static in another file, so it can't be used here"
        return "in a file that isn't included here"

    def _show_callee(self, name: str) -> Iterator[Declaration]:
        found = self.names.find_symbols_named_exactly(name, _CALLABLE | {SymbolKind.FIELD})[:2]
        for symbol in found:
            yield self._show_symbol(symbol, f"what {name} takes")
        # `memccpy` exists, too, and takes one argument more.
        if not found:
            yield from _declare_nearest_in_libc(name)

    def _show_type(self, query: Query) -> Iterator[Declaration]:
        found = self.names.find_symbols_named_exactly(query.name, _TYPE)
        for symbol in sorted(found, key=self._type_rank)[:1]:
            yield self._show_symbol(symbol, f"the type {query.name}")
        if not found:
            for name in self.names.find_nearest(query.name, _TYPE, query.hint, _MOST_NEAR_NAMES):
                for symbol in self.names.find_symbols_named_exactly(name, _TYPE)[:1]:
                    yield self._show_symbol(symbol, f"a type with a name near {query.name}")

    def _explain_unknown_member(self, query: Query, draft: _DraftBudget) -> Iterator[Declaration]:
        owners = self.names.find_types(query.owner) if query.owner else []
        if not owners:
            holders = self.names.find_symbols_named_exactly(query.name, frozenset({SymbolKind.FIELD}))
            for symbol in holders[: 2 if query.owner == "" else 1]:
                yield self._show_symbol(symbol, f"a member of {self.names.owner_name(symbol)}")
            return
        for owner in owners[:1]:
            members = self.names.list_members(owner, _MOST_BASE_LEVELS)
            yield self._show_type_or_nearest_members(query, owner, members, draft)
        if query.hint:
            return
        near = self.names.find_only_member_elsewhere(query.name, owners[0].name)
        if near is not None:
            yield self._show_symbol(near, f"{query.name} is a member of {self.names.owner_name(near)}")

    def _type_rank(self, symbol: Symbol) -> tuple[bool, bool]:
        return (not self.names.is_visible(symbol.path), "{" not in self.view.text(symbol))

    def _show_type_or_nearest_members(
        self, query: Query, owner: Symbol, members: Sequence[Symbol], draft: _DraftBudget
    ) -> Declaration:
        """The whole type where it is small; else the members with nearly the same names, or those that fit."""
        text = self.view.text(owner)
        if not members or (
            len(text) <= _MOST_DECLARATION_CHARS
            and query.kind == "member"
            and all(_is_within(m, owner) for m in members)
        ):
            return self._show_symbol(owner, f"{owner.name} has no {query.name}; it is")
        ranked = self.names.rank_by_similarity(query.name, query.hint, [member.name for member in members])
        alike = max((name_similarity(query.name, name) for name in ranked), default=0.0)
        if alike >= _CLEAR_SIMILARITY:
            first = sorted(members, key=lambda member: ranked.index(member.name))[:_MOST_MEMBERS]
            lines, order = list(map(_member_line, first)), "nearest names first"
        else:
            fitting = draft.text.rank_members(query.name, members, draft.text.find_roles(query.name))
            lines, order = (
                _take_lines_that_fit(map(_member_line, fitting), draft.chars),
                "those that fit the place first",
            )
        more = [f"/* and {len(members) - len(lines)} more members */"] if len(members) > len(lines) else []
        reason = f"{owner.name} has no {query.name}; its members, {order}"
        written = "\n".join([*lines, *more])
        return Declaration(reason, written, owner.path, owner.span.first)

    def _show_symbol(self, symbol: Symbol, reason: str) -> Declaration:
        text = symbol.signature if symbol.kind in _FUNCTIONS else self.view.text(symbol)
        return Declaration(reason, _cut_text(text), symbol.path, symbol.span.first)


@dataclass(frozen=True, slots=True)
class _DraftBudget:
    """One draft, and the characters that each answer by its places may take."""

    text: DraftSymbols
    chars: int


def _declare_nearest_in_libc(name: str) -> list[Declaration]:
    known, header = find_nearest_in_libc(name)
    return [Declaration(f"a name near {name}, of the C library", known, header, 1)] if known else []


def _take_lines_that_fit(lines: Iterable[str], chars: int) -> list[str]:
    """The first of the lines, as many as `chars` characters hold."""
    kept: list[str] = []
    for line in lines:
        chars -= len(line) + 1
        if chars < 0:
            break
        kept.append(line)
    return kept


def _describe_fit(found: Sequence[Role]) -> str:
    role = found[0]
    if role.use == "called":
        return f"what can be called there with {len(role.takes)} argument{'s' * (len(role.takes) != 1)}"
    return "what has a fitting type there"


def _one_line_declaration(symbol: Symbol) -> str:
    """A symbol on one line, as it is declared; of a macro its name and parameters."""
    text = " ".join(symbol.signature.split()).rstrip("{; ")
    if symbol.kind is SymbolKind.ENUMERATOR:
        return symbol.qualified_name + ","
    return text if symbol.kind is SymbolKind.MACRO else text + ";"


def _find_notes(diagnostic: Diagnostic, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The notes that follow a message in the compiler's output."""
    at = next((n for n, other in enumerate(diagnostics) if other is diagnostic), len(diagnostics))
    return list(takewhile(lambda other: other.severity == "note", diagnostics[at + 1 :]))


def _is_within(member: Symbol, owner: Symbol) -> bool:
    return member.path == owner.path and owner.start_byte <= member.start_byte < owner.end_byte


def _is_static_function(symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.FUNCTION and bool(re.match(r"\s*(?:\w+\s+)*?static\b", symbol.signature))


def _member_line(symbol: Symbol) -> str:
    return " ".join(symbol.signature.split()).rstrip("{; ") + ";"


def _cut_text(text: str) -> str:
    text = text.strip("\n")
    if len(text) <= _MOST_DECLARATION_CHARS:
        return text
    kept = text[:_MOST_DECLARATION_CHARS].rsplit("\n", 1)[0]
    return f"{kept}\n/* {text.count(chr(10)) - kept.count(chr(10))} more lines */"
