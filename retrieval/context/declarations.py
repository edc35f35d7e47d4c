"""Names that a body needs -> a declaration of each, as short as its name allows: for contexts that know the gold's
names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from index.cpp.tokens import remove_comments
from index.hiding.hidden_view import HiddenView
from index.values import Span, Symbol, SymbolKind
from retrieval.context.snippets import (
    find_snippet_group,
    format_brief_function,
    shorten_to_one_line,
    strip_method_bodies,
)
from retrieval.context.token_budget import estimate_tokens
from retrieval.names.needed_names import NeededName, find_file_and_transitive_includes
from retrieval.text.nearness import FUNCTIONS, Nearness
from retrieval.values import Snippet

SHORT_TOKENS = 60
"""A macro or type of at most this size is shown whole."""
MOST_OWNERS = 2
"""Of a field that several types have, so many of the nearest types are shown."""
_MANY = 99

_MEMBERS = frozenset({SymbolKind.FIELD, SymbolKind.ENUMERATOR})


def make_declarations(needed_by_view: Iterable[tuple[HiddenView, Iterable[NeededName]]]) -> list[Snippet]:
    """A declaration of each name, as the view beside it resolves it; by path and place, so that their order tells
    nothing of the body's. Of a type only the needed members' lines stand between its head and its end, unless it is
    short. What a view doesn't show has none. The views hide the same."""
    members: dict[Symbol, list[Symbol]] = {}
    texts: dict[Symbol, HiddenView] = {}
    for view, needed in needed_by_view:
        nearness = Nearness(view)
        reached = find_file_and_transitive_includes(view.target.path, view)
        for symbol in (symbol for name in needed for symbol in _resolve_name_to_symbols(nearness, name, reached)):
            owner = _find_enclosing_type(view, symbol)
            texts[owner or symbol] = view
            members.setdefault(owner or symbol, []).extend([symbol] if owner else [])
    found = sorted(members.items(), key=lambda item: (item[0].path, item[0].start_byte, item[0].kind))
    return [
        Snippet(
            symbol.qualified_name,
            symbol.path,
            symbol.span,
            _declare_symbol(texts[symbol], symbol, inner),
            "needed",
            find_snippet_group(symbol.kind),
            is_brief=True,
        )
        for symbol, inner in found
    ]


def _resolve_name_to_symbols(nearness: Nearness, needed: NeededName, reached: frozenset[str]) -> Sequence[Symbol]:
    """What the name means at the hole: the nearest of its kind, if possible of what the file includes."""
    kinds = FUNCTIONS if needed.kind is SymbolKind.FUNCTION else frozenset({needed.kind})
    found = nearness.find_equally_nearest_symbols(needed.name, kinds, _MANY)
    found.sort(key=lambda symbol: symbol.path not in reached)
    return found[: MOST_OWNERS if needed.kind is SymbolKind.FIELD else 1]


def _find_enclosing_type(view: HiddenView, member: Symbol) -> Symbol | None:
    """The innermost type around a field or enumerator, with the typedef of the same name where it has one; None for
    what is no member, and where the type has no name."""
    if member.kind not in _MEMBERS:
        return None
    around = [
        symbol
        for symbol in view.symbols_in_file(member.path, SymbolKind.TYPE)
        if symbol.start_byte <= member.start_byte and member.end_byte <= symbol.end_byte
    ]
    around.sort(key=lambda symbol: symbol.end_byte - symbol.start_byte)
    return next((symbol for symbol in reversed(around) if symbol.name == around[0].name), None)


def _declare_symbol(view: HiddenView, symbol: Symbol, members: Sequence[Symbol]) -> str:
    if symbol.kind in FUNCTIONS:
        return format_brief_function(symbol)
    if symbol.kind in _MEMBERS:
        return _read_lines_without_cut_comments(view, symbol.path, symbol.span)
    text = view.text(symbol)
    if symbol.kind is SymbolKind.TYPE:
        whole = strip_method_bodies(text) if symbol.language == "cpp" else text
        return whole if estimate_tokens(whole) <= SHORT_TOKENS else _cut_type_to_members(view, symbol, members)
    if symbol.kind is SymbolKind.MACRO and estimate_tokens(text) <= SHORT_TOKENS:
        return text
    return shorten_to_one_line(symbol, text)


def _cut_type_to_members(view: HiddenView, symbol: Symbol, members: Sequence[Symbol]) -> str:
    """Whole lines: the type's head, those of the members, its end."""
    span = symbol.span
    head = view.text(symbol).partition("{")[0].count("\n")
    kept = {*range(span.first, span.first + head + 1), span.last}
    for member in members:
        inner = "{" in view.text(member)  # a struct without a name inside: its own members are named apart
        kept.update({member.span.first, member.span.last} if inner else range(member.span.first, member.span.last + 1))
    out = []
    first = before = span.first
    for number in [*sorted(kept)[1:], span.last + 2]:
        if number > before + 1:
            out += [_read_lines_without_cut_comments(view, symbol.path, Span(first, before)), "    ..."]
            first = number
        before = number
    return "\n".join(out[:-1])


def _read_lines_without_cut_comments(view: HiddenView, path: str, span: Span) -> str:
    """Lines of a file without the comments that begin or end elsewhere."""
    text = view.lines(path, span)
    if "*/" in remove_comments(text):
        text = text.partition("*/")[2]
    before, mark, behind = text.rpartition("/*")
    return before.rstrip() if mark and "*/" not in behind else text
