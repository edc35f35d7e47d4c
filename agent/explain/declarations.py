"""Compiler messages -> the declarations of the repository that they are about, through the hidden view alone.

A name that isn't declared is answered by what is spelled nearly so; else by what fits its place in the draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, takewhile, zip_longest

from agent.explain.feedback import select_first_errors_and_bug_warnings
from agent.explain.name_similarity import name_similarity_percent
from agent.explain.queries import Query, make_lookup_queries
from agent.explain.roles.name_roles import Role
from agent.explain.roles.sibling_usage import SiblingUsage
from agent.explain.roles.symbol_ranking import DraftSymbols
from agent.explain.roles.type_resolver import TypeResolver
from agent.explain.view_names import ViewNames
from agent.values import Declaration, Explainer
from index.cpp.c_library import NAMES_BY_HEADER
from index.function_texts import locate_functions
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
# Declarations for several functions.
_MOST_OF_SEVERAL = 8
_MOST_NEAR_NAMES = 3
_MOST_MEMBERS = 14
# The likeness that a misspelt name must have before a syntax error is put down to it, and before nothing else is
# offered in its place.
_SURE_SIMILARITY = 88.0
# The likeness that a misspelt name of C's library must have.
_NEARLY_THE_SAME = 85.0
# Below this likeness two names only look alike: that alone says nothing.
_CLEAR_SIMILARITY = 80.0
# Symbols that fit a place, and the characters that their lines may take: for one message, and at least.
_MOST_FITTING = 30
_FITTING_CHARS = 2600
_LEAST_CHARS = 700


def make_explainer(view: HiddenView, target: Target) -> Explainer:
    lookups = tuple(DeclarationLookup(view.retarget_to_hole(hole), hole) for hole in target.holes)
    return lookups[0] if len(lookups) == 1 else _MultiFunctionLookup(lookups)


@dataclass(frozen=True, slots=True)
class _MultiFunctionLookup:
    """`lookups` are those of the target's functions, in their order: each message is looked up from its own place.
    Satisfies Explainer for a joined text."""

    lookups: tuple[DeclarationLookup, ...]

    def explain(self, code: str, diagnostics: Sequence[Diagnostic]) -> Sequence[Declaration]:
        found = []
        for lookup, piece in zip(self.lookups, locate_functions(code, len(self.lookups)), strict=True):
            if piece is None:
                continue
            lines = range(piece.before + 1, piece.before + piece.text.count("\n") + 2)
            own = [replace(d, line=d.line - piece.before) for d in diagnostics if d.in_candidate and d.line in lines]
            found.append(lookup.explain(piece.text, own) if own else ())
        turns = chain.from_iterable(zip_longest(*found))
        return tuple(dict.fromkeys(relevant for relevant in turns if relevant is not None))[:_MOST_OF_SEVERAL]


class DeclarationLookup:
    """The Explainer of one target. It shows only what `view` shows."""

    def __init__(self, view: HiddenView, target: Target) -> None:
        self.view = view
        self.target = target
        self.names = ViewNames(view, target.path)
        self.resolver = TypeResolver(self.names)
        self.siblings = SiblingUsage(self.names)

    def explain(self, code: str, diagnostics: Sequence[Diagnostic]) -> tuple[Declaration, ...]:
        """Declarations relevant to the diagnostics, round-robin, so that each contributes its best first; at most 10,
        and 7,000 characters."""
        asked = [
            make_lookup_queries(diagnostic, _list_notes_following_diagnostic(diagnostic, diagnostics), code)
            for diagnostic in select_first_errors_and_bug_warnings(diagnostics)
        ]
        unknown = sum(any(query.kind in ("name", "member") for query in each) for each in asked)
        chars = max(min(_FITTING_CHARS, _MOST_ALL_CHARS // max(unknown, 1)), _LEAST_CHARS)
        draft = DraftSymbols(code, self.target, self.resolver, self.siblings)
        by_message = [
            islice(chain.from_iterable(self._answer_query(query, draft, chars) for query in each), _MOST_PER_MESSAGE)
            for each in asked
        ]
        found: list[Declaration] = []
        seen: set[tuple[str, int, str]] = set()
        used = 0
        for declaration in filter(None, chain.from_iterable(zip_longest(*by_message))):
            key = (declaration.path, declaration.line, declaration.text)
            if key in seen or len(found) == _MOST_DECLARATIONS or used + len(declaration.text) > _MOST_ALL_CHARS:
                continue
            seen.add(key)
            used += len(declaration.text)
            shown = self.view.renumber_line_as_shown(declaration.path, declaration.line)
            found.append(replace(declaration, line=shown))
        return tuple(found)

    def _answer_query(self, query: Query, draft: DraftSymbols, chars: int) -> Iterator[Declaration]:
        if query.kind == "name":
            yield from self._explain_unknown_name(query, draft, chars)
        elif query.kind == "member":
            yield from self._explain_unknown_member(query, draft, chars)
        elif query.kind == "word":
            yield from self._declare_nearest_to_unknown_word(query.name)
        elif query.kind == "call":
            yield from self._show_callee_or_nearest_libc(query.name)
        elif query.kind == "type":
            yield from self._show_type_or_nearest_types(query)
        else:
            yield Declaration("your function", self.target.signature.strip(), self.target.path, self.target.span.first)

    def _explain_unknown_name(self, query: Query, draft: DraftSymbols, chars: int) -> Iterator[Declaration]:
        """The name itself where it is declared out of sight, names in sight that are spelled nearly so, and what fits
        the place."""
        # In a method members are named without `this->`.
        method = self.target.language == "cpp" and "::" in self.target.name
        kinds = _CALLABLE if query.called else frozenset(SymbolKind) if method else _VALUES
        exact = self.names.find_symbols_named_exactly(query.name, _VALUES)
        for symbol in exact[:1]:
            yield self._make_declaration_of_symbol(
                symbol, f"{query.name} is declared {self._describe_why_symbol_is_unreachable(symbol)}"
            )
        in_libc = _declare_nearest_libc_name(query.name)
        yield from in_libc
        roles = draft.find_roles(query.name)
        if self.target.language == "c" and (query.called or (roles and roles[0].use == "value")):
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
            alike = name_similarity_percent(query.name, name) >= _SURE_SIMILARITY
            fits = not roles or draft.can_symbols_fill_all_roles(found, roles)
            surely = surely or (alike and fits)
            for symbol in found[:1] if alike or fits else ():
                shown = True
                yield self._make_declaration_of_symbol(symbol, f"a name near {query.name}")
        usable = any(self.names.is_visible(symbol.path) or not _is_static_function(symbol) for symbol in exact)
        if not usable and not in_libc and not surely:
            yield from self._declare_fitting_symbols_together(query, draft, chars, roles, more=shown or bool(exact))

    def _declare_fitting_symbols_together(
        self, query: Query, draft: DraftSymbols, chars: int, found: Sequence[Role], *, more: bool
    ) -> Iterator[Declaration]:
        """What fits the place of a name that doesn't exist, a line each. `more`: something else was offered."""
        symbols = draft.rank_fitting_visible_symbols(query.name, found, _MOST_FITTING)
        shown = ((symbol, self.view.renumber_line_as_shown(symbol.path, symbol.span.first)) for symbol in symbols)
        each = (f"{_one_line_declaration(symbol)}  /* {symbol.path}:{line} */" for symbol, line in shown)
        lines = _take_lines_that_fit(each, chars)
        written = draft.list_system_constants_siblings_use(found)
        if written:
            lines.append(f"/* other code writes there: {', '.join(written)} */")
        first = self.target.span.first
        elsewhere = bool(self.names.find_symbols_named_exactly(query.name, _VALUES))
        missing = f"{'nothing usable here' if elsewhere else 'nothing in this repository'} is called {query.name}"
        if lines:
            reason = f"{missing}; {_describe_symbols_fitting_role(found)}, the likeliest first"
            path, line = (symbols[0].path, symbols[0].span.first) if symbols else (self.target.path, first)
            yield Declaration(reason, "\n".join(lines), path, line)
        elif not more:
            yield Declaration(missing, f"/* {missing} */", self.target.path, first)

    def _declare_nearest_to_unknown_word(self, name: str) -> Iterator[Declaration]:
        if not self.names.find_symbols_named_exactly(name, frozenset(SymbolKind)):
            for other in self.names.find_nearest(name, _VALUES, "", 1, least=_SURE_SIMILARITY):
                for symbol in self.names.find_symbols_named_exactly(other, _VALUES)[:1]:
                    yield self._make_declaration_of_symbol(symbol, f"a name near {name}")

    def _describe_why_symbol_is_unreachable(self, symbol: Symbol) -> str:
        if self.names.is_visible(symbol.path):
            return "here, but in another scope or further down"
        if _is_static_function(symbol):
            return "static in another file, so it can't be used here"
        return "in a file that isn't included here"

    def _show_callee_or_nearest_libc(self, name: str) -> Iterator[Declaration]:
        found = self.names.find_symbols_named_exactly(name, _CALLABLE | {SymbolKind.FIELD})[:2]
        for symbol in found:
            yield self._make_declaration_of_symbol(symbol, f"what {name} takes")
        # `memccpy` exists, too, and takes one argument more.
        if not found:
            yield from _declare_nearest_libc_name(name)

    def _show_type_or_nearest_types(self, query: Query) -> Iterator[Declaration]:
        found = self.names.find_types(query.name)
        for symbol in found[:1]:
            yield self._make_declaration_of_symbol(symbol, f"the type {query.name}")
        if not found:
            for name in self.names.find_nearest(query.name, _TYPE, query.hint, _MOST_NEAR_NAMES):
                for symbol in self.names.find_symbols_named_exactly(name, _TYPE)[:1]:
                    yield self._make_declaration_of_symbol(symbol, f"a type with a name near {query.name}")

    def _explain_unknown_member(self, query: Query, draft: DraftSymbols, chars: int) -> Iterator[Declaration]:
        owners = self.names.find_types(query.owner) if query.owner else []
        if not owners:
            holders = self.names.find_symbols_named_exactly(query.name, frozenset({SymbolKind.FIELD}))
            for symbol in holders[: 2 if query.owner == "" else 1]:
                yield self._make_declaration_of_symbol(symbol, f"a member of {self.names.describe_owner(symbol)}")
            return
        yield self._show_type_or_nearest_members(query, owners[0], draft, chars)
        near = None if query.hint else self.names.find_only_member_elsewhere(query.name, owners[0].name)
        if near is not None:
            yield self._make_declaration_of_symbol(
                near, f"{query.name} is a member of {self.names.describe_owner(near)}"
            )

    def _show_type_or_nearest_members(
        self, query: Query, owner: Symbol, draft: DraftSymbols, chars: int
    ) -> Declaration:
        """The whole type where it is small; else the members with nearly the same names, or those that fit."""
        members = self.names.list_members(owner)
        inside = range(owner.start_byte, owner.end_byte)
        inherits = any(each.path != owner.path or each.start_byte not in inside for each in members)
        if not members or (len(self.view.text(owner)) <= _MOST_DECLARATION_CHARS and not inherits):
            return self._make_declaration_of_symbol(owner, f"{owner.name} has no {query.name}; it is")
        ranked = self.names.rank_by_similarity(query.name, query.hint, [member.name for member in members])
        alike = max((name_similarity_percent(query.name, name) for name in ranked), default=0.0)
        if alike >= _CLEAR_SIMILARITY:
            first = sorted(members, key=lambda member: ranked.index(member.name))[:_MOST_MEMBERS]
            lines, order = list(map(_one_line_declaration, first)), "nearest names first"
        else:
            fitting = draft.rank_members(query.name, members, draft.find_roles(query.name))
            lines = _take_lines_that_fit(map(_one_line_declaration, fitting), chars)
            order = "those that fit the place first"
        if len(members) > len(lines):
            lines.append(f"/* and {len(members) - len(lines)} more members */")
        reason = f"{owner.name} has no {query.name}; its members, {order}"
        return Declaration(reason, "\n".join(lines), owner.path, owner.span.first)

    def _make_declaration_of_symbol(self, symbol: Symbol, reason: str) -> Declaration:
        text = symbol.signature if symbol.kind in _FUNCTIONS else self.view.text(symbol)
        return Declaration(reason, _cut_text_after_whole_lines(text), symbol.path, symbol.span.first)


def _declare_nearest_libc_name(name: str) -> list[Declaration]:
    """The name of C's library that a draft misspelt, in its header."""
    similarity, known, header = max(
        (name_similarity_percent(name, known), known, header)
        for header, names in NAMES_BY_HEADER.items()
        for known in names.split()
    )
    near = similarity >= _NEARLY_THE_SAME and known != name
    return [Declaration(f"a name near {name}, of the C library", known, header, 1)] if near else []


def _take_lines_that_fit(lines: Iterable[str], chars: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        chars -= len(line) + 1
        if chars < 0:
            break
        kept.append(line)
    return kept


def _describe_symbols_fitting_role(roles: Sequence[Role]) -> str:
    role = roles[0]
    if role.use == "called":
        return f"what can be called there with {len(role.takes)} argument{'s' * (len(role.takes) != 1)}"
    return "what has a fitting type there"


def _one_line_declaration(symbol: Symbol) -> str:
    """A symbol on one line, as it is declared; of a macro its name and parameters."""
    text = " ".join(symbol.signature.split()).rstrip("{; ")
    if symbol.kind is SymbolKind.ENUMERATOR:
        return symbol.qualified_name + ","
    return text if symbol.kind is SymbolKind.MACRO else text + ";"


def _list_notes_following_diagnostic(diagnostic: Diagnostic, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The notes that follow a message in the compiler's output."""
    at = next((n for n, other in enumerate(diagnostics) if other is diagnostic), len(diagnostics))
    return list(takewhile(lambda other: other.severity == "note", diagnostics[at + 1 :]))


def _is_static_function(symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.FUNCTION and bool(re.match(r"\s*(?:\w+\s+)*?static\b", symbol.signature))


def _cut_text_after_whole_lines(text: str) -> str:
    text = text.strip("\n")
    if len(text) <= _MOST_DECLARATION_CHARS:
        return text
    kept = text[:_MOST_DECLARATION_CHARS].rsplit("\n", 1)[0]
    return f"{kept}\n/* {text.count(chr(10)) - kept.count(chr(10))} more lines */"
