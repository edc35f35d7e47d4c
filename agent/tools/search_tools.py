"""search, functions_with_type, outline: what there is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from agent.tools.arguments import Arguments
from agent.tools.name_lookup import hint_nearest_names, resolve_written_path, strip_name_decorations
from agent.tools.result_text import line_in_view, render_item_page, render_item_summary
from agent.tools.scope import Item, Scope
from agent.tools.tool_answer import Mistake, ToolAnswer
from index.cpp.declarators import unqualified_name
from index.values import SymbolKind
from retrieval.protocol import Retriever

# Names that one search by symbol can bring up, over all its pages.
_MOST_NAMES = 100
# A search by words or meaning shows the ten best, and up to two pages of what scores at least half as much as the
# best: scores of one query can be compared, those of two can't.
_ALWAYS_SHOWN_HITS = 10
_LEAST_RELEVANT_SHARE = 0.5
_MOST_HITS = 40
# In place of an identifier that doesn't exist only what scores nearly as much as the best hit can be meant.
_NEARLY_BEST_SHARE = 0.75
_MOST_INSTEAD = 10
_MOST_WITH_TYPE = 200
_LEFT_OUT_OF_OUTLINES = frozenset({SymbolKind.FIELD, SymbolKind.ENUMERATOR})
_IDENTIFIER = re.compile(r"(?:\w+::)*~?[A-Za-z_]\w*")
# A single word in lower case may be meant as a word.
_COMPOUND = re.compile(r"[a-z0-9][A-Z]|_|::")


def answer_search(scope: Scope, searchers: Mapping[str, Retriever], arguments: Arguments) -> ToolAnswer:
    query, by = arguments.text("query"), arguments.text("by", "symbol")
    if by == "symbol":
        return _search_names(scope, query, arguments.number("page"), suggests_words="words" in searchers)
    question = replace(scope.view.target, name="", signature="", docstring=query)
    hits = searchers[by].retrieve(scope.view, question, _MOST_HITS)
    head = _note_missing_or_hidden_identifier(scope, query)
    if not hits:
        raise Mistake(head or f"no function holds one of the words of {query!r}")
    if head.startswith("no symbol"):
        kept = [hit for hit in hits if hit.score >= _NEARLY_BEST_SHARE * hits[0].score][:_MOST_INSTEAD]
    else:
        kept = [
            hit
            for rank, hit in enumerate(hits)
            if rank < _ALWAYS_SHOWN_HITS or hit.score >= _LEAST_RELEVANT_SHARE * hits[0].score
        ]
    tail = "[less relevant functions are left out]" if len(kept) < len(hits) or len(hits) == _MOST_HITS else ""
    return render_item_page(
        [hit.symbol for hit in kept], arguments.number("page"), partial(render_item_summary, scope.view), head, tail
    )


def list_functions_with_type(scope: Scope, arguments: Arguments) -> ToolAnswer:
    name = strip_name_decorations(arguments.text("type")).rpartition("::")[2]
    role = arguments.text("role", "both")
    found = scope.table.find_functions_with_type(scope.view, name, _MOST_WITH_TYPE * 2)
    fitting = [symbol for symbol in found if _has_type_in_role(symbol.signature, symbol.name, name, role)]
    hidden = [function for function in scope.hidden_functions if _has_word(function.text, name)]
    hidden = [function for function in hidden if _has_type_in_role(function.text, function.name, name, role)]
    if not fitting and not hidden:
        where = "" if role == "both" else f" where it {role} it"
        raise Mistake(f"no function's signature names {name!r}{where}{hint_nearest_names(scope, name)}")
    # A prototype says nothing that its definition doesn't.
    defined = {symbol.qualified_name for symbol in fitting if symbol.kind is SymbolKind.FUNCTION}
    shown: list[Item] = [
        symbol for symbol in fitting if symbol.kind is SymbolKind.FUNCTION or symbol.qualified_name not in defined
    ]
    shown = sorted((*shown, *hidden), key=scope.nearness_key)
    tail = f"[only the nearest {_MOST_WITH_TYPE} are shown]" if len(shown) > _MOST_WITH_TYPE else ""
    return render_item_page(
        shown[:_MOST_WITH_TYPE], arguments.number("page"), partial(render_item_summary, scope.view), tail=tail
    )


def outline_file(scope: Scope, arguments: Arguments) -> ToolAnswer:
    view = scope.view
    path = resolve_written_path(scope, arguments.text("path"))
    symbols = [symbol for symbol in view.symbols_in_file(path) if symbol.kind not in _LEFT_OUT_OF_OUTLINES]
    # A typedef that holds its struct is two symbols of one place.
    symbols = list({(symbol.name, symbol.span.first): symbol for symbol in reversed(symbols)}.values())[::-1]
    hidden = [function for function in scope.hidden_functions if function.path == path]
    items: Sequence[Item] = symbols
    if hidden:
        items = sorted((*symbols, *hidden), key=partial(line_in_view, view))
    includes = ", ".join(view.include_texts(path))
    head = f"{path} includes {includes[:2000]}" if includes else f"{path} includes nothing"
    return render_item_page(
        items, arguments.number("page"), lambda item: render_item_summary(view, item).removeprefix(f"{path}:"), head
    )


def _search_names(scope: Scope, query: str, page: int, *, suggests_words: bool) -> ToolAnswer:
    words = query.lower().split()
    hidden = [f for f in scope.hidden_functions if words and all(word in f.qualified_name.lower() for word in words)]
    symbols = scope.table.search_symbols(scope.view, query, _MOST_NAMES)
    if not symbols and not hidden:
        other = "; try by=words" if suggests_words else ""
        raise Mistake(f"no name holds {query!r}{hint_nearest_names(scope, query)}{other}")
    tail = f"[more than {_MOST_NAMES} names match: ask for more of the name]" if len(symbols) == _MOST_NAMES else ""
    exact = [function for function in hidden if query.strip() in (function.name, function.qualified_name)]
    others = [function for function in hidden if function not in exact]
    return render_item_page([*exact, *symbols, *others], page, partial(render_item_summary, scope.view), tail=tail)


def _note_missing_or_hidden_identifier(scope: Scope, query: str) -> str:
    """What to say first where the query is one identifier that the repository lacks, or a function whose body is
    hidden and so can't be found by its words; else ""."""
    name = query.strip()
    if _IDENTIFIER.fullmatch(name) is None:
        return ""
    hidden = scope.find_hidden_functions_named(name)
    if hidden:
        return render_item_summary(scope.view, hidden[0])
    if _COMPOUND.search(name) is None or scope.view.symbols_named(unqualified_name(name)):
        return ""
    return f"no symbol is called {name!r}{hint_nearest_names(scope, name)}\nfunctions that hold words of it:"


def _has_type_in_role(signature: str, function_name: str, type_name: str, role: str) -> bool:
    """Whether a signature that names a type takes it, or returns it, as `role` ("takes", "returns", "both") asks."""
    if role == "both":
        return True
    text = " ".join(signature.split())
    at = text.find(f"{function_name}(")
    at = at if at >= 0 else text.find("(")
    before, after = (text[:at], text[at + len(function_name) :]) if at >= 0 else (text, "")
    if role == "takes":
        return _has_word(after, type_name)
    return _has_word(before, type_name) or (") ->" in after and _has_word(after.rpartition("->")[2], type_name))


def _has_word(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
