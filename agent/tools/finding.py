"""search, functions_with_type, outline: what is there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from agent.tools.arguments import Arguments
from agent.tools.names import NameTable
from agent.tools.render import brief, listed
from agent.tools.resolve import bare, distance, find_path
from agent.tools.results import Mistake, ToolAnswer
from index.hiding.view import HiddenView
from index.values import SymbolKind
from retrieval.protocol import Retriever

# What one search can bring up, over all its pages.
_MOST_FOUND = 100
_MOST_WITH_TYPE = 200
_LEFT_OUT_OF_OUTLINES = frozenset({SymbolKind.FIELD, SymbolKind.ENUMERATOR})


def search(view: HiddenView, table: NameTable, searchers: Mapping[str, Retriever], arguments: Arguments) -> ToolAnswer:
    query, by = arguments.text("query"), arguments.text("by", "symbol")
    if by == "symbol":
        symbols = table.matching(view, query, _MOST_FOUND)
        if not symbols:
            near = table.nearest(view, query, 5)
            hint = f"; nearest: {', '.join(near)}" if near else ""
            other = "; try by=words" if "words" in searchers else ""
            raise Mistake(f"no name holds {query!r}{hint}{other}")
    else:
        asked = replace(view.target, name="", signature="", docstring=query)
        hits = searchers[by].retrieve(view, asked, _MOST_FOUND)
        symbols = [hit.symbol for hit in hits]
        if not symbols:
            raise Mistake(f"no function holds one of the words of {query!r}")
    return listed(symbols, arguments.number("page"), partial(brief, view))


def functions_with_type(view: HiddenView, table: NameTable, arguments: Arguments) -> ToolAnswer:
    name = bare(arguments.text("type")).rpartition("::")[2]
    role = arguments.text("role", "both")
    found = table.with_type(view, name, _MOST_WITH_TYPE * 2)
    fitting = [one for one in found if role == "both" or _role(one.signature, one.name, name) in (role, "both")]
    if not fitting:
        near = table.nearest(view, name, 5)
        hint = f"; nearest names: {', '.join(near)}" if near and name not in near else ""
        raise Mistake(
            f"no function's signature names {name!r}{'' if role == 'both' else f' where it {role} it'}{hint}"
        )
    # A prototype says nothing that its definition doesn't.
    defined = {one.qualified_name for one in fitting if one.kind is SymbolKind.FUNCTION}
    shown = [one for one in fitting if one.kind is SymbolKind.FUNCTION or one.qualified_name not in defined]
    shown.sort(key=lambda one: (distance(view, one), one.path, one.start_byte))
    return listed(shown[:_MOST_WITH_TYPE], arguments.number("page"), partial(brief, view))


def outline(view: HiddenView, table: NameTable, arguments: Arguments) -> ToolAnswer:
    path = find_path(view, table, arguments.text("path"))
    told = [one for one in view.symbols_of(path) if one.kind not in _LEFT_OUT_OF_OUTLINES]
    # A typedef that holds its struct is two symbols of one place.
    symbols = list({(one.name, one.span.first): one for one in reversed(told)}.values())[::-1]
    includes = ", ".join(view.include_lines(path))
    head = f"{path} includes {includes[:2000]}" if includes else f"{path} includes nothing"
    return listed(symbols, arguments.number("page"), lambda one: brief(view, one).removeprefix(f"{path}:"), head)


def _role(signature: str, function: str, name: str) -> str:
    """Whether a signature takes the type, returns it, or both."""
    text = " ".join(signature.split())
    at = text.find(f"{function}(")
    at = at if at >= 0 else text.find("(")
    before, after = (text[:at], text[at + len(function) :]) if at >= 0 else (text, "")
    returns = _has(before, name) or _has(after.rpartition("->")[2] if ") ->" in after else "", name)
    takes = _has(after, name)
    return "both" if returns and takes else "returns" if returns else "takes"


def _has(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
