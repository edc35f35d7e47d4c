"""read_symbol, read_lines, definition: texts of the repository."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.tools.arguments import Arguments
from agent.tools.name_lookup import find_items_by_written_name, resolve_written_path
from agent.tools.result_text import (
    cut_line,
    line_in_view,
    list_names_with_paths,
    render_item_summary,
    render_line_page,
    render_whole_item_lines,
)
from agent.tools.scope import HiddenFunction, Item, Scope
from agent.tools.tool_answer import Mistake, ToolAnswer
from index.hiding.hidden_view import HiddenView
from index.source_text import split_lines_without_ends
from index.values import Span, Symbol, SymbolKind
from retrieval.context.snippets import strip_method_bodies

_DEFINABLE = (SymbolKind.TYPE, SymbolKind.MACRO, SymbolKind.GLOBAL, SymbolKind.ENUMERATOR, SymbolKind.FIELD)
_TYPEDEF = re.compile(r"typedef\s+(?:const\s+)?(?:struct|union|enum|class)\s+(\w+)\b[^{]*$", re.DOTALL)
_USUAL_LINES = 100
# About 4,000 tokens: a range of some 300 lines is shown whole.
_RANGE_CHARS = 15_000
# Other definitions of the name, a line each.
_MOST_OTHERS = 12
_BODIES_LEFT_OUT = "[the bodies of member functions are left out: read_symbol shows them]"


def read_symbol(scope: Scope, arguments: Arguments) -> ToolAnswer:
    found = find_items_by_written_name(scope, arguments.text("name"), arguments.text("path"))
    return _render_lines_above_alternatives(
        scope, found[:1], render_whole_item_lines(scope.view, found[0]), found[1:], arguments
    )


def show_type_macro_or_variable(scope: Scope, arguments: Arguments) -> ToolAnswer:
    """The text of a type, macro or variable. A typedef that only names a struct is followed to the struct; of a
    class the bodies of its member functions are left out."""
    view = scope.view
    items = find_items_by_written_name(scope, arguments.text("name"), arguments.text("path"), _DEFINABLE)
    found = [item for item in items if isinstance(item, Symbol)]
    # A declaration ahead (`struct dict;`) says nothing where the tree has the body too.
    found.sort(key=lambda symbol: _is_forward_declaration(view, symbol))
    chosen = found[:1]
    named = _TYPEDEF.search(view.text(chosen[0])) if chosen[0].kind is SymbolKind.TYPE else None
    if named is not None:
        structs = [
            symbol for symbol in view.symbols_named(named[1]) if symbol.kind is SymbolKind.TYPE and symbol != chosen[0]
        ]
        structs = [symbol for symbol in structs if "{" in view.text(symbol)]
        chosen += sorted(structs, key=lambda symbol: (symbol.path != chosen[0].path, scope.nearness_key(symbol)))[:1]
    lines = [line for symbol in chosen for line in (*_render_item_without_method_bodies(view, symbol), "")][:-1]
    others = [symbol for symbol in found if symbol not in chosen and not _is_forward_declaration(view, symbol)]
    return _render_lines_above_alternatives(scope, chosen, lines, others, arguments)


def read_lines(scope: Scope, arguments: Arguments) -> ToolAnswer:
    """Numbered lines, counted in the file as the view shows it: a hidden body is part of one line, however long."""
    view = scope.view
    path = resolve_written_path(scope, arguments.text("path"))
    text, shown = select_and_number_lines(path, view.file_text(path), arguments, _USUAL_LINES)
    read = [
        symbol
        for symbol in view.symbols_in_file(path)
        if symbol.kind is SymbolKind.FUNCTION and _has_line_between(view, symbol, shown.first, shown.last)
    ]
    return ToolAnswer(text, bodies=list_names_with_paths(read))


def select_and_number_lines(path: str, text: str, arguments: Arguments, usual: int) -> tuple[str, Span]:
    """The lines of a file from `first` to `last` of the arguments, numbered, and which lines are shown: not all where
    they are too long for one answer. `usual`: how many where no last one is given. Raises Mistake."""
    lines = text.split("\n")
    first = arguments.number("first", 1)
    last = min(arguments.number("last", first + usual - 1), len(lines))
    if first > len(lines):
        raise Mistake(f"{path} has {len(lines)} lines")
    if last < first:
        raise Mistake(f"the last line, {last}, stands before the first, {first}")
    numbered: list[str] = []
    room = _RANGE_CHARS
    for number in range(first, last + 1):
        line = f"{number:6} {cut_line(lines[number - 1])}"
        room -= len(line) + 1
        if numbered and room < 0:
            break
        numbered.append(line)
    end = first + len(numbered) - 1
    note = ""
    if end < last:
        note = f"[too long for one answer: lines {end + 1} to {last} are missing; go on with first={end + 1}]"
    elif end < len(lines):
        note = f"[the next line is {end + 1}; the file has {len(lines)}]"
    return "\n".join(filter(None, (path, *numbered, note))), Span(first, end)


def _render_lines_above_alternatives(
    scope: Scope, chosen: Sequence[Item], lines: list[str], others: Sequence[Item], arguments: Arguments
) -> ToolAnswer:
    """The page of `lines`, which show the chosen items, above a list of other definitions of that name."""
    view = scope.view
    others = [item for item in others if item.kind is not SymbolKind.PROTOTYPE]
    if others:
        lines += ["", f"Other definitions of {others[0].name} (name the path to read one):"]
        lines += (render_item_summary(view, item) for item in others[:_MOST_OTHERS])
        if len(others) > _MOST_OTHERS:
            lines.append(f"[and {len(others) - _MOST_OTHERS} more]")
    answer = render_line_page([part for line in lines for part in line.split("\n")], arguments.number("page"))
    read = [item for item in chosen if not isinstance(item, HiddenFunction) and item.kind is SymbolKind.FUNCTION]
    return replace(answer, shown=list_names_with_paths(chosen), bodies=list_names_with_paths(read))


def _render_item_without_method_bodies(view: HiddenView, symbol: Symbol) -> list[str]:
    lines = render_whole_item_lines(view, symbol)
    if symbol.kind is not SymbolKind.TYPE or symbol.language != "cpp":
        return lines
    text = view.text(symbol)
    declarations = strip_method_bodies(text)
    if declarations == text:
        return lines
    head = lines[: len(lines) - len(split_lines_without_ends(text))]
    return [*head, *split_lines_without_ends(declarations), _BODIES_LEFT_OUT]


def _is_forward_declaration(view: HiddenView, symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.TYPE and "{" not in view.text(symbol)


def _has_line_between(view: HiddenView, symbol: Symbol, first: int, last: int) -> bool:
    """Whether a function has one of the lines, as the view counts them: never more than on disk."""
    if symbol.span.last < first or (symbol.span.first > last and not view.has_hole(symbol.path)):
        return False
    begins = line_in_view(view, symbol)
    return begins <= last and begins + symbol.span.last - symbol.span.first >= first
