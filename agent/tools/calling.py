"""callers, callees: how functions are used, and what they use."""

from __future__ import annotations

from functools import partial

from agent.tools.arguments import Arguments
from agent.tools.names import NameTable
from agent.tools.render import brief, line_of, listed, place
from agent.tools.resolve import bare, distance, find_symbols
from agent.tools.results import Mistake, ToolAnswer
from index.cpp.declarators import last_name
from index.hiding.view import HiddenView
from index.values import Symbol, SymbolKind

_CALLABLE = (SymbolKind.FUNCTION, SymbolKind.PROTOTYPE, SymbolKind.MACRO)
_MOST_CALLERS = 200
# Lines of a caller that are shown, each a call.
_MOST_CALLS = 3
_CALL_CHARS = 160
_TAIL_CHARS = 1_000


def callers(view: HiddenView, table: NameTable, arguments: Arguments) -> ToolAnswer:
    """Of the target too: how a function is used says what it must do."""
    name = arguments.text("name")
    own = last_name(bare(name)) == last_name(view.target.name)
    try:
        asked = find_symbols(view, table, name, arguments.text("path"), _CALLABLE)
    except Mistake:
        if not own:
            raise
        asked = []
    found = dict.fromkeys(one for symbol in asked[:_MOST_CALLS] for one in view.callers(symbol))
    if own:
        found |= dict.fromkeys(view.callers_of_target())
    shown = sorted(found, key=lambda one: (distance(view, one), one.path, one.start_byte))[:_MOST_CALLERS]
    if not shown:
        raise Mistake(f"no call of {name} is seen; it may be called through a pointer, a table or a macro")
    called = last_name(bare(name))
    return listed(shown, arguments.number("page"), lambda one: _with_calls(view, one, called))


def callees(view: HiddenView, table: NameTable, arguments: Arguments) -> ToolAnswer:
    found = find_symbols(view, table, arguments.text("name"), arguments.text("path"), _CALLABLE)
    asked = found[0]
    if asked.kind is SymbolKind.PROTOTYPE:
        raise Mistake(f"the body of {asked.qualified_name} isn't in the tree, or it is hidden ({place(view, asked)})")
    known = view.callees(asked)
    resolved = {one.name for one in known}
    others = [name for name in view.calls(asked) if last_name(name) not in resolved]
    if not known and not others:
        raise Mistake(f"{asked.qualified_name} calls nothing")
    tail = f"not in the tree, or not to be told apart: {', '.join(others)}" if others else ""
    head = f"{place(view, asked)} {asked.qualified_name} calls"
    return listed(known, arguments.number("page"), partial(brief, view), head, tail[:_TAIL_CHARS])


def _with_calls(view: HiddenView, caller: Symbol, name: str) -> str:
    text = view.text(caller).splitlines()
    # A hole above makes the view's lines fewer than the disk's: count from where the caller begins.
    first = line_of(view, caller)
    at = [(number, line) for number, line in enumerate(text, first) if f"{name}" in line and number > first]
    calls = (f"    {number}: {line.strip()[:_CALL_CHARS]}" for number, line in at[:_MOST_CALLS])
    return "\n".join((brief(view, caller), *calls))
