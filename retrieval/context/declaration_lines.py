"""A symbol -> its cheapest declaration: one line, or a line in the skeleton of its struct, class or enum."""

from __future__ import annotations

from typing import NamedTuple

from index.hiding.hidden_view import HiddenView
from index.values import Span, Symbol, SymbolKind
from retrieval.context.snippets import extract_summary, find_snippet_group, shorten_to_one_line, strip_method_bodies
from retrieval.context.token_budget import estimate_tokens
from retrieval.values import SnippetGroup

SHORT_TYPE_TOKENS = 60
"""A type of at most so many tokens is shown whole."""
LONGEST_COMMENT = 100
"""Characters of a field's comment that stands on its line: a longer one, or one of several lines, is left out."""
MORE = "    ..."
_INSIDE = (SymbolKind.FIELD, SymbolKind.FUNCTION, SymbolKind.PROTOTYPE)


class Skeleton(NamedTuple):
    """A type of which some lines are shown."""

    path: str
    title: str
    head: str
    foot: str
    span: Span | None
    group: SnippetGroup


class NameDeclaration(NamedTuple):
    """`text` shows the symbol. With a `skeleton` it is a line of it, or empty where the skeleton's head is all.
    `comment` may be added: above a function's head, behind a field."""

    symbol: Symbol
    text: str
    group: SnippetGroup
    skeleton: Skeleton | None = None
    comment: str = ""


class DeclarationReader:
    """Reads the cheapest declarations that a view shows. The types of a file are looked up once."""

    def __init__(self, view: HiddenView) -> None:
        self._view = view
        self._types: dict[str, dict[str, list[Symbol]]] = {}

    def read_cheapest_declaration(self, symbol: Symbol) -> NameDeclaration:
        if symbol.kind is SymbolKind.ENUMERATOR:
            skeleton = Skeleton(symbol.path, "enum", "enum {", "};", None, SnippetGroup.MACROS)
            return NameDeclaration(symbol, f"    {symbol.signature},", SnippetGroup.MACROS, skeleton)
        if symbol.kind is SymbolKind.TYPE:
            return _declare_type_whole_or_as_skeleton(symbol, self._view.text(symbol))
        group = find_snippet_group(symbol.kind)
        if symbol.kind not in _INSIDE:
            return NameDeclaration(symbol, shorten_to_one_line(symbol, self._view.text(symbol)), group)
        owner = self._find_enclosing_type(symbol)
        text = f"{symbol.signature.rstrip('; ') or symbol.qualified_name};"
        if owner is not None:
            comment = _read_short_field_comment(symbol)
            return NameDeclaration(symbol, f"    {text}", SnippetGroup.TYPES, make_type_skeleton(owner), comment)
        if symbol.qualified_name not in text:
            text += f"  // {symbol.qualified_name}"
        summary = extract_summary(symbol.docstring)
        return NameDeclaration(symbol, text, group, comment=f"// {summary}" if summary else "")

    def _find_enclosing_type(self, symbol: Symbol) -> Symbol | None:
        """The type that a field or method stands in, by its place."""
        name = symbol.qualified_name.rpartition("::")[0].rpartition("::")[2]
        if not name:
            return None
        if symbol.path not in self._types:
            types: dict[str, list[Symbol]] = {}
            for found in self._view.symbols_in_file(symbol.path, SymbolKind.TYPE):
                types.setdefault(found.name, []).append(found)
            self._types[symbol.path] = types
        around = [
            owner
            for owner in self._types[symbol.path].get(name, ())
            if owner.start_byte <= symbol.start_byte and symbol.end_byte <= owner.end_byte
        ]
        return min(around, key=lambda owner: owner.end_byte - owner.start_byte, default=None)


def make_type_skeleton(owner: Symbol) -> Skeleton:
    head = f"{owner.signature or owner.name} {{"
    foot = f"}} {owner.name};" if owner.signature.startswith("typedef") else "};"
    return Skeleton(owner.path, owner.qualified_name, head, foot, owner.span, SnippetGroup.TYPES)


def _declare_type_whole_or_as_skeleton(symbol: Symbol, text: str) -> NameDeclaration:
    if symbol.language == "cpp":
        text = strip_method_bodies(text)
    if "{" in text and estimate_tokens(text) > SHORT_TYPE_TOKENS:
        return NameDeclaration(symbol, "", SnippetGroup.TYPES, make_type_skeleton(symbol))
    # A definition's node ends before the semicolon.
    return NameDeclaration(symbol, text if text.rstrip().endswith(";") else f"{text};", SnippetGroup.TYPES)


def _read_short_field_comment(symbol: Symbol) -> str:
    comment = symbol.docstring.strip()
    return comment if "\n" not in comment and len(comment) <= LONGEST_COMMENT else ""
