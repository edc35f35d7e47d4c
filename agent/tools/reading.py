"""read_symbol, read_lines, definition: texts of the repository."""

from __future__ import annotations

import re

from agent.tools.arguments import Arguments
from agent.tools.names import NameTable
from agent.tools.render import PAGE_CHARS, brief, names, paged, whole
from agent.tools.resolve import distance, find_path, find_symbols
from agent.tools.results import Mistake, ToolAnswer
from index.hiding.view import HiddenView
from index.values import Symbol, SymbolKind

_DEFINABLE = (SymbolKind.TYPE, SymbolKind.MACRO, SymbolKind.GLOBAL, SymbolKind.ENUMERATOR, SymbolKind.FIELD)
_TYPEDEF = re.compile(r"typedef\s+(?:const\s+)?(?:struct|union|enum|class)\s+(\w+)\b[^{]*$", re.DOTALL)
_USUAL_LINES = 100
# Others of the name, in a line each.
_MOST_OTHERS = 12


def read_symbol(view: HiddenView, table: NameTable, arguments: Arguments) -> ToolAnswer:
    found = find_symbols(view, table, arguments.text("name"), arguments.text("path"))
    return _first_whole(view, found, arguments)


def definition(view: HiddenView, table: NameTable, arguments: Arguments) -> ToolAnswer:
    """A typedef that only names a struct is followed by the struct's own text."""
    found = find_symbols(view, table, arguments.text("name"), arguments.text("path"), _DEFINABLE)
    named = _TYPEDEF.search(view.text(found[0])) if found[0].kind is SymbolKind.TYPE else None
    if named is not None:
        bodies = [
            one
            for one in view.named(named[1])
            if one.kind is SymbolKind.TYPE and one != found[0] and "{" in view.text(one)
        ]
        bodies.sort(key=lambda one: (one.path != found[0].path, distance(view, one), one.path))
        found = [found[0], *bodies, *(one for one in found[1:] if one not in bodies)]
        return _first_whole(view, found, arguments, 1 + bool(bodies))
    # A declaration ahead (`struct dict;`) tells nothing where the tree has the body too.
    found.sort(key=lambda one: one.kind is SymbolKind.TYPE and "{" not in view.text(one))
    return _first_whole(view, found, arguments)


def read_lines(view: HiddenView, table: NameTable, arguments: Arguments) -> ToolAnswer:
    """Numbered lines, counted in the file as the view shows it: a hidden body is one line's part, however long."""
    path = find_path(view, table, arguments.text("path"))
    lines = view.file_text(path).split("\n")
    first = arguments.number("first", 1)
    last = min(arguments.number("last", first + _USUAL_LINES - 1), len(lines))
    if first > len(lines):
        raise Mistake(f"{path} has {len(lines)} lines")
    if last < first:
        raise Mistake(f"the last line, {last}, stands before the first, {first}")
    told: list[str] = []
    used = 0
    for number, line in enumerate(lines[first - 1 : last], first):
        used += len(line) + 8
        if told and used > PAGE_CHARS:
            told.append(f"[{path} goes on: first={number}]")
            break
        told.append(f"{number:6} {line}")
    else:
        if last < len(lines):
            told.append(f"[{path} has {len(lines)} lines]")
    # Long lines are cut like any other.
    return ToolAnswer(paged(told, 1, head=path).text)


def _first_whole(view: HiddenView, found: list[Symbol], arguments: Arguments, count: int = 1) -> ToolAnswer:
    lines = [line for one in found[:count] for line in (*whole(view, one), "")][:-1]
    others = found[count : count + _MOST_OTHERS]
    if others:
        lines += ["", f"Also {found[0].name} (name the path to read one):", *(brief(view, one) for one in others)]
        if len(found) > count + _MOST_OTHERS:
            lines.append(f"and {len(found) - count - _MOST_OTHERS} more")
    answer = paged(lines, arguments.number("page"))
    return ToolAnswer(answer.text, names(found[:count]))
