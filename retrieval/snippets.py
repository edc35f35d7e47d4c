"""Hits and oracle items -> snippets: the texts that may reach a prompt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from index.view import HiddenView
from retrieval.values import Hit, Snippet


def from_hits(view: HiddenView, hits: Iterable[Hit], source: str) -> list[Snippet]:
    """One snippet per hit, in order: the docstring, then the symbol's text as the view shows it."""
    out = []
    for hit in hits:
        symbol = hit.symbol
        text = view.text(symbol)
        if symbol.docstring:
            text = f"{symbol.docstring}\n{text}"
        out.append(Snippet(symbol.qualified_name, symbol.path, symbol.span, text, source))
    return out


def from_oracle(items: Sequence[tuple[str, str, str]]) -> list[Snippet]:
    """Snippets of a data set's own context, in its order, from (text, path, name); "" where it doesn't say. Empty
    texts and texts that repeat an earlier one, white space aside, are left out."""
    out = []
    seen = set()
    for text, path, name in items:
        key = " ".join(text.split())
        if key and key not in seen:
            seen.add(key)
            out.append(Snippet(name, path, None, text, "oracle"))
    return out
