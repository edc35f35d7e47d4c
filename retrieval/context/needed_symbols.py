"""Texts that a context will show -> the types, macros and variables that a reader of them needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from index.cpp.tokens import remove_comments
from index.hiding.hidden_view import HiddenView
from index.values import Symbol, SymbolKind, Target
from retrieval.text.draft_lookup import find_identifiers, find_mentions
from retrieval.text.nearness import TYPES, Nearness
from retrieval.values import Hit, drop_repeated_hits

_REST = frozenset({SymbolKind.TYPE, SymbolKind.MACRO, SymbolKind.ENUMERATOR, SymbolKind.GLOBAL})

SIGNATURE_TYPE_SCORE, OWN_CLASS_SCORE, TYPE_BEHIND_TYPEDEF_SCORE, NAMED_IN_SHOWN_TEXT_SCORE = 1.0, 0.9, 0.8, 0.5
"""Scores. A body first touches the fields of a parameter's type; what a shown callee mentions only explains it."""


def find_needed_symbols(view: HiddenView, target: Target, shown: Iterable[str] = ()) -> list[Hit]:
    """The types of the target's signature, its class, and the types, macros, constants and variables that the texts
    `shown` name; each once, most needed first."""
    found = drop_repeated_hits(_iterate_needed(view, target, shown))
    return sorted(found, key=lambda hit: -hit.score)


def _iterate_needed(view: HiddenView, target: Target, shown: Iterable[str]) -> Iterator[Hit]:
    nearness = Nearness(view)
    for word in dict.fromkeys(find_identifiers(remove_comments(target.signature))):
        for symbol in nearness.find_nearest_symbols(word, TYPES, 1):
            yield Hit(symbol, SIGNATURE_TYPE_SCORE, "a type of the signature")
            for behind in _find_types_behind_typedef(view, nearness, symbol):
                yield Hit(behind, TYPE_BEHIND_TYPEDEF_SCORE, f"what {symbol.name} is")
    owner = target.name.rpartition("::")[0]
    for symbol in nearness.find_nearest_symbols(owner, TYPES, 1) if owner else ():
        yield Hit(symbol, OWN_CLASS_SCORE, "the class of the function")
    for mention in (mention for text in shown for mention in find_mentions(text, target)):
        if mention.form in ("plain", "call"):
            for symbol in nearness.find_nearest_symbols(mention.name, _REST, 1):
                yield Hit(symbol, NAMED_IN_SHOWN_TEXT_SCORE, "what is shown names it")


def _find_types_behind_typedef(view: HiddenView, nearness: Nearness, symbol: Symbol) -> list[Symbol]:
    """The types that a typedef without a body names: `typedef struct client client;`."""
    text = view.text(symbol)
    if "{" in text:
        return []
    words = dict.fromkeys(word for word in find_identifiers(remove_comments(text)) if word != symbol.name)
    named = [s for word in words for s in nearness.find_nearest_symbols(word, TYPES, 1)]
    same = nearness.find_nearest_symbols(symbol.name, TYPES)
    return [s for s in (*named, *same) if s != symbol and "{" in view.text(s)]
