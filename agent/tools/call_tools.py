"""callers, callees: how functions are used, and what they use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from agent.tools.arguments import Arguments
from agent.tools.name_lookup import find_items_by_written_name, strip_name_decorations
from agent.tools.result_text import cut_line, line_in_view, place_in_view, render_item_page, render_item_summary
from agent.tools.scope import HiddenFunction, Item, Scope
from agent.tools.tool_answer import Mistake, ToolAnswer
from index.cpp.declarators import unqualified_name
from index.cpp.tokens import tokenize_with_offsets
from index.hiding.hidden_view import HiddenView
from index.source_text import split_lines_without_ends
from index.values import Symbol, SymbolKind

_CALLABLE = (SymbolKind.FUNCTION, SymbolKind.PROTOTYPE, SymbolKind.MACRO)
# Symbols of the name that are asked for their callers: a definition and its prototypes, or some overloads.
_MOST_ASKED = 10
_MOST_CALLERS = 200
# Calls shown of each caller.
_MOST_CALLS = 3
_MOST_REFERENCES = 20
# Files that are searched for references, the nearest first.
_MOST_FILES = 60
_TAIL_CHARS = 1_000
# What comes before a name that means something else: a member, a tag, a macro, a label.
_NOT_A_REFERENCE = frozenset({".", "->", "struct", "union", "enum", "class", "define", "undef", "goto"})


def list_callers(scope: Scope, arguments: Arguments) -> ToolAnswer:
    """The callers of a function, of a hidden one too: how it is used says what it must do. Below them, places that
    name it without a call."""
    view, name = scope.view, arguments.text("name")
    last = unqualified_name(strip_name_decorations(name))
    items = find_items_by_written_name(scope, name, arguments.text("path"), _CALLABLE)
    # Of functions in several files the nearest is meant; its prototypes and overloads are asked too.
    asked = [item for item in items if item.path == items[0].path or item.kind is SymbolKind.PROTOTYPE]
    elsewhere = sorted({item.path for item in items} - {item.path for item in asked})
    found = list(dict.fromkeys(caller for item in asked[:_MOST_ASKED] for caller in _callers_of_item(view, item)))
    shown = sorted(found, key=scope.nearness_key)[:_MOST_CALLERS]
    references = _render_mentions_without_call(scope, last)
    if not shown and not references:
        raise Mistake(f"no call of {name} is seen; it may be called through a pointer, a table or a macro")
    notes = [
        f"{place_in_view(view, item)} {item.qualified_name} {item.hidden_body_mark}"
        for item in asked
        if isinstance(item, HiddenFunction)
    ]
    if elsewhere:
        notes.append(
            f"[of {asked[0].path}; also defined in {', '.join(elsewhere[:5])}: name the path for its callers]"
        )
    if len(asked) > _MOST_ASKED:
        notes.append(f"[{len(asked)} functions have this name; the callers of the first {_MOST_ASKED} are shown]")
    if len(found) > len(shown):
        notes.append(f"[{len(found)} functions call it; the nearest {_MOST_CALLERS} are shown]")
    if not shown:
        notes.append(f"no call of {name} is seen")
    line = partial(_describe_caller_with_its_call_lines, view, last)
    return render_item_page(shown, arguments.number("page"), line, "\n".join(notes), "\n".join(references))


def list_callees(scope: Scope, arguments: Arguments) -> ToolAnswer:
    view = scope.view
    function = find_items_by_written_name(scope, arguments.text("name"), arguments.text("path"), _CALLABLE)[0]
    if isinstance(function, HiddenFunction):
        raise Mistake(
            f"what {function.qualified_name} calls isn't shown:"
            f" {place_in_view(view, function)} {function.hidden_body_mark}"
        )
    if function.kind is SymbolKind.PROTOTYPE:
        raise Mistake(f"the body of {function.qualified_name} isn't in the tree ({place_in_view(view, function)})")
    known = view.callees(function)
    resolved = {symbol.name for symbol in known}
    others = [name for name in view.called_names(function) if unqualified_name(name) not in resolved]
    if not known and not others:
        raise Mistake(f"{function.qualified_name} calls nothing")
    tail = f"not in the tree, or ambiguous: {', '.join(others)}" if others else ""
    head = f"{place_in_view(view, function)} {function.qualified_name} calls"
    return render_item_page(
        known, arguments.number("page"), partial(render_item_summary, view), head, tail[:_TAIL_CHARS]
    )


def _callers_of_item(view: HiddenView, item: Item) -> Sequence[Symbol]:
    if not isinstance(item, HiddenFunction):
        return view.callers(item)
    if item.is_target:
        return view.callers_of_target()
    clones = [clone for clone in view.clones if (clone.qualified_name, clone.path) == (item.qualified_name, item.path)]
    return [caller for clone in clones for caller in view.callers(clone)]


def _describe_caller_with_its_call_lines(view: HiddenView, name: str, caller: Item) -> str:
    assert isinstance(caller, Symbol)
    text = split_lines_without_ends(view.text(caller))
    # A hole above makes the view's lines fewer than the disk's: count from where the caller begins.
    first = line_in_view(view, caller)
    rows = [
        view.text(replace(caller, end_byte=site.at)).count("\n")
        for site in view.call_sites(caller)
        if unqualified_name(site.name) == name and caller.start_byte < site.at
    ]
    rows = list(dict.fromkeys(row for row in rows if row < len(text)))
    calls = [f"    {first + row}: {cut_line(text[row].strip())}" for row in rows[:_MOST_CALLS]]
    if len(rows) > _MOST_CALLS:
        calls.append(f"    [{len(rows) - _MOST_CALLS} more lines with calls]")
    if not rows:
        calls.append("    [through a function pointer, a macro or an operator]")
    return "\n".join((render_item_summary(view, caller), *calls))


def _render_mentions_without_call(scope: Scope, name: str) -> list[str]:
    """Lines that name a function without calling it: its address is taken, or it stands in a table. [] for none."""
    paths = sorted(
        scope.table.list_files_mentioning(name),
        key=lambda path: (path not in scope.include_levels, path.count("/"), path),
    )
    found: list[str] = []
    for path in paths[:_MOST_FILES]:
        lines = scope.view.file_text(path).split("\n")
        found += (
            f"{path}:{row + 1}: {cut_line(lines[row].strip())}" for row in _find_mention_rows_without_call(lines, name)
        )
    if not found:
        return []
    more = [f"[{len(found) - _MOST_REFERENCES} more]"] if len(found) > _MOST_REFERENCES else []
    if len(paths) > _MOST_FILES:
        more.append(f"[{len(paths)} files name it; {_MOST_FILES} were searched]")
    return ["", f"{name} is also named without a call:", *found[:_MOST_REFERENCES], *more]


def _find_mention_rows_without_call(lines: Sequence[str], name: str) -> Iterator[int]:
    """Numbers of the lines, from 0, in which the name is no call, declaration or member of something else."""
    word = re.compile(rf"\b{re.escape(name)}\b(?!\s*\()")
    if not any(word.search(line) for line in lines):
        return
    rows: dict[int, None] = {}
    row = at = 0
    before, pending = "", -1
    text = "\n".join(lines)
    for offset, token in tokenize_with_offsets(text):
        row += text.count("\n", at, offset)
        at = offset
        if pending >= 0 and token != "(":
            rows[pending] = None
        pending = row if token == name and before not in _NOT_A_REFERENCE else -1
        before = token
    yield from rows
