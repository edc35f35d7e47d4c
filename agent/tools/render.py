"""Results as a model reads them: bounded, paged, one symbol a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from agent.tools.results import Mistake, ToolAnswer
from index.hiding.view import HiddenView
from index.values import Symbol, SymbolKind
from retrieval.context.snippets import summary_of

# About 2,000 tokens: a long function whole, and three results still a small part of any window.
PAGE_CHARS = 8_000
# Of a list: enough to choose from, and no more than a model reads.
PAGE_SYMBOLS = 20
_LINE_CHARS = 400
_SIGNATURE_CHARS = 240
_TOLD_WHOLE = frozenset({SymbolKind.MACRO, SymbolKind.GLOBAL})


def listed(
    symbols: Sequence[Symbol], page: int, line: Callable[[Symbol], str], head: str = "", tail: str = ""
) -> ToolAnswer:
    """A page of symbols, each as `line` gives it, below `head`; `tail` stands below the last page. Raises Mistake
    for a page that isn't there."""
    count = max(1, -(-len(symbols) // PAGE_SYMBOLS))
    if page > count:
        raise Mistake(f"there is no page {page}: the result has {count}")
    chosen = symbols[(page - 1) * PAGE_SYMBOLS : page * PAGE_SYMBOLS]
    parts = [head, *map(line, chosen)]
    if page < count:
        parts.append(f"[{len(symbols)} in all, page {page} of {count}; page={page + 1} shows more]")
    else:
        parts.append(tail)
    return ToolAnswer("\n".join(filter(None, parts)), names(chosen))


def paged(lines: Iterable[str], page: int, head: str = "") -> ToolAnswer:
    """The page of `lines` that was asked for, below `head`. Raises Mistake for a page that isn't there."""
    pages: list[list[str]] = [[]]
    used = 0
    for line in lines:
        line = line if len(line) <= _LINE_CHARS else line[:_LINE_CHARS] + " ...[line cut]"
        if pages[-1] and used + len(line) + 1 > PAGE_CHARS:
            pages.append([])
            used = 0
        pages[-1].append(line)
        used += len(line) + 1
    if page > len(pages):
        raise Mistake(f"there is no page {page}: the result has {len(pages)}")
    parts = [head, "\n".join(pages[page - 1])]
    if len(pages) > 1:
        more = f"; page={page + 1} shows more" if page < len(pages) else ""
        parts.append(f"[page {page} of {len(pages)}{more}]")
    return ToolAnswer("\n".join(filter(None, parts)))


def names(symbols: Iterable[Symbol]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{one.qualified_name} ({one.path})" for one in symbols))


def line_of(view: HiddenView, symbol: Symbol) -> int:
    """Where a symbol begins in its file as the view shows it. In a file with a hole that isn't the line on disk,
    which would tell how long the hidden body is."""
    if not has_hole(view, symbol.path):
        return symbol.span.first
    above = view.text(replace(symbol, start_byte=0, end_byte=symbol.start_byte))
    return above.count("\n") + 1


def has_hole(view: HiddenView, path: str) -> bool:
    hidden = view.masking == "strict" and any(clone.path == path for clone in view.clones)
    return hidden or path == view.target.path


def place(view: HiddenView, symbol: Symbol) -> str:
    return f"{symbol.path}:{line_of(view, symbol)}"


def brief(view: HiddenView, symbol: Symbol) -> str:
    """One line: place, kind, signature, the first words of the comment."""
    # What a macro or a variable is can't be told from its name.
    told = view.text(symbol) if symbol.kind in _TOLD_WHOLE else symbol.signature
    signature = " ".join(told[: 2 * _SIGNATURE_CHARS].split()) or symbol.qualified_name
    if symbol.name not in signature:
        signature = f"{symbol.qualified_name}: {signature}"
    signature = signature if len(signature) <= _SIGNATURE_CHARS else signature[:_SIGNATURE_CHARS] + "..."
    scope = symbol.qualified_name.rpartition("::")[0]
    inside = f" [in {scope}]" if scope and f"{scope}::" not in signature else ""
    said = summary_of(symbol.docstring)
    return f"{place(view, symbol)} {symbol.kind.value}: {signature}{inside}{'  // ' + said if said else ''}"


def whole(view: HiddenView, symbol: Symbol) -> list[str]:
    """A symbol's place, comment and text, as lines."""
    head = f"{place(view, symbol)} {symbol.kind.value} {symbol.qualified_name}"
    doc = symbol.docstring.splitlines()
    return [head, *doc, *view.text(symbol).splitlines()]
