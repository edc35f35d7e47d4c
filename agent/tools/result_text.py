"""Results as a model reads them: bounded, paged, a symbol a line where its signature is on one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from agent.tools.scope import HiddenFunction, Item
from agent.tools.tool_answer import Mistake, ToolAnswer
from index.hiding.hidden_view import HiddenView
from index.source_text import split_lines_without_ends
from index.values import Symbol, SymbolKind
from retrieval.context.snippets import extract_summary

# About 2,000 tokens: a long function whole, and three results are still a small part of any window.
PAGE_CHARS = 8_000
# Items of a list: enough to choose from, and no more than a model reads.
PAGE_ITEMS = 20
_LINE_CHARS = 400
_SIGNATURE_CHARS = 240
_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.PROTOTYPE})
# The name of a macro or a variable doesn't say what it is, so its whole text is shown.
_SHOWN_WHOLE = frozenset({SymbolKind.MACRO, SymbolKind.GLOBAL})


def render_item_page(
    items: Sequence[Item], page: int, line: Callable[[Item], str], head: str = "", tail: str = ""
) -> ToolAnswer:
    """A page of items, each as `line` renders it, below `head`; `tail` comes below the last page. Raises Mistake
    for a page beyond the last."""
    count = max(1, -(-len(items) // PAGE_ITEMS))
    if page > count:
        raise Mistake(f"there is no page {page}: the result has {count}")
    chosen = items[(page - 1) * PAGE_ITEMS : page * PAGE_ITEMS]
    more = f"[page {page} of {count}, {len(items)} results; page={page + 1} shows more]"
    parts = (head, *map(line, chosen), more if page < count else tail)
    return ToolAnswer("\n".join(filter(None, parts)), list_names_with_paths(chosen))


def render_line_page(lines: Iterable[str], page: int) -> ToolAnswer:
    """One page of a long text. Raises Mistake for a page beyond the last."""
    pages: list[list[str]] = [[]]
    used = 0
    for line in map(cut_line, lines):
        if pages[-1] and used + len(line) + 1 > PAGE_CHARS:
            pages.append([])
            used = 0
        pages[-1].append(line)
        used += len(line) + 1
    if page > len(pages):
        raise Mistake(f"there is no page {page}: the result has {len(pages)}")
    text = "\n".join(pages[page - 1])
    if len(pages) > 1:
        more = f"; page={page + 1} shows more" if page < len(pages) else ""
        text += f"\n[page {page} of {len(pages)}{more}]"
    return ToolAnswer(text)


def cut_line(line: str) -> str:
    return line if len(line) <= _LINE_CHARS else line[:_LINE_CHARS] + " ...[line cut]"


def list_names_with_paths(items: Iterable[Item]) -> tuple[str, ...]:
    """The items as a ToolAnswer lists them, each once."""
    return tuple(dict.fromkeys(f"{item.qualified_name} ({item.path})" for item in items))


def line_in_view(view: HiddenView, item: Item) -> int:
    """The line at which an item begins in its file as the view shows it. In a file with a hole that isn't the line
    on disk, which would give away how long the hidden body is."""
    if isinstance(item, HiddenFunction):
        return item.line
    if not view.has_hole(item.path):
        return item.span.first
    return view.text(replace(item, start_byte=0, end_byte=item.start_byte)).count("\n") + 1


def place_in_view(view: HiddenView, item: Item) -> str:
    return f"{item.path}:{line_in_view(view, item)}"


def render_item_summary(view: HiddenView, item: Item) -> str:
    """Place, kind, signature with its line breaks, and the first sentence of the comment. A function whose body is
    hidden is marked as such."""
    if isinstance(item, HiddenFunction):
        text = item.text or item.qualified_name
        scope = _describe_scope_missing_in_signature(item, text)
        return f"{place_in_view(view, item)} function: {_cut_signature(text)}{scope}  {item.hidden_body_mark}"
    signature = _choose_signature_or_whole_text(view, item)
    if item.name not in signature:
        signature = f"{item.qualified_name}: {signature}"
    summary = extract_summary(item.docstring)
    comment = f"  // {summary}" if summary else ""
    head = f"{place_in_view(view, item)} {item.kind.value}: {_cut_signature(signature)}"
    return f"{head}{_describe_scope_missing_in_signature(item, signature)}{comment}"


def render_whole_item_lines(view: HiddenView, item: Item) -> list[str]:
    """The place, the comment and the text of a symbol, as lines."""
    if isinstance(item, HiddenFunction):
        head = f"{place_in_view(view, item)} function {item.qualified_name} {item.hidden_body_mark}"
        return [head, *split_lines_without_ends(item.text)]
    head = f"{place_in_view(view, item)} {item.kind.value} {item.qualified_name}"
    return [head, *split_lines_without_ends(item.docstring), *split_lines_without_ends(view.text(item))]


def _describe_scope_missing_in_signature(item: Item, signature: str) -> str:
    """The class or namespace of an item, where its signature doesn't name it."""
    scope = item.qualified_name.rpartition("::")[0]
    return f" [in {scope}]" if scope and f"{scope}::" not in signature else ""


def _choose_signature_or_whole_text(view: HiddenView, symbol: Symbol) -> str:
    if symbol.kind in _SHOWN_WHOLE:
        return (
            " ".join(view.text(symbol)[: 2 * _SIGNATURE_CHARS].replace("\\\n", " ").split()) or symbol.qualified_name
        )
    if symbol.kind in _FUNCTIONS:
        return _restore_line_breaks(symbol.signature, view.text(symbol))
    return " ".join(symbol.signature.split()) or symbol.qualified_name


def _restore_line_breaks(signature: str, text: str) -> str:
    """A signature with the line breaks that it has in `text`; as it is where the text doesn't begin with it."""
    wanted = "".join(signature.split())
    found = 0
    for at, char in enumerate(text):
        if found == len(wanted):
            return "\n".join(line.rstrip() for line in split_lines_without_ends(text[:at]))
        if not char.isspace():
            if char != wanted[found]:
                break
            found += 1
    return " ".join(signature.split())


def _cut_signature(signature: str) -> str:
    return signature if len(signature) <= _SIGNATURE_CHARS else signature[:_SIGNATURE_CHARS] + "..."
