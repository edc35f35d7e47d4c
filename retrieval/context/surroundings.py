"""What surrounds the hole: the lines above and below it, the file's includes, its most similar other functions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from index.cpp.tokens import remove_comments, split_identifier
from index.hiding.hidden_view import HiddenView
from index.values import Span, SymbolKind, Target
from retrieval.context.token_budget import estimate_tokens
from retrieval.values import DroppedSnippet, Hit, Snippet, SnippetGroup

BUDGET_SHARE_ABOVE = 2 / 3
"""Share of the budget for the lines above. In C a name is declared before its use: what stands above can be called,
and what stands below mostly calls."""

MOST_EXAMPLES = 3
"""Functions offered as examples; the packer's room for them holds one or two."""
EXAMPLE_LINES = range(4, 61)
"""Lines of a function that is a good example of the file's style: a getter shows none, and a hundred lines crowd out
the rest. YABLoCo's own functions have 2 to 15 lines of body."""
SAME_CLASS_BONUS = 0.5
"""A method of the same class is worth as much as sharing half of the name's words: it uses the same members."""

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*(?:include|import)\b[^\n]*", re.MULTILINE)
_AFTER_LAST_LINE = 1_000_000_000

Surroundings = tuple[list[Snippet], list[DroppedSnippet]]
"""The lines that fit, and what didn't."""


def cut_surroundings_of_hole(view: HiddenView, target: Target, budget: int) -> Surroundings:
    """The nearest whole lines of the target's file above and below it that fit into `budget` tokens. One side gets
    what the other doesn't use."""
    above = _read_lines(view, target.path, Span(1, target.span.first - 1))
    below = _read_lines(view, target.path, Span(target.span.last + 1, _AFTER_LAST_LINE))
    over = [estimate_tokens(f"{line}\n") for line in reversed(above)]
    under = [estimate_tokens(f"{line}\n") for line in below]
    kept_over = _count_fitting_lines(over, max(int(budget * BUDGET_SHARE_ABOVE), budget - sum(under)))
    kept_under = _count_fitting_lines(under, budget - sum(over[:kept_over]))
    snippets, dropped = [], []
    sides = (
        ("above the function", above[len(above) - kept_over :], over[kept_over:]),
        ("below the function", below[:kept_under], under[kept_under:]),
    )
    for title, lines, cut in sides:
        if lines:
            snippets.append(Snippet(title, target.path, None, "\n".join(lines), "file", SnippetGroup.FILE))
        if cut:
            reason = f"{len(cut)} lines further away don't fit"
            dropped.append(DroppedSnippet(title, sum(cut), reason, SnippetGroup.FILE))
    return snippets, dropped


def cut_surroundings_of_holes_in_file(view: HiddenView, holes: Sequence[Target], budget: int) -> Surroundings:
    """The same for several functions of one file: what lies between them, and the lines above the first and below the
    last. Where they stand too far apart, the lines around each, with equal shares of the budget."""
    if len(holes) == 1:
        return cut_surroundings_of_hole(view, holes[0], budget)
    path, span = holes[0].path, Span(min(h.span.first for h in holes), max(h.span.last for h in holes))
    between = view.lines(path, span)
    size = estimate_tokens(between)
    if size > budget // 2:
        each = [(hole, *cut_surroundings_of_hole(view, hole, budget // len(holes))) for hole in holes]
        titled = [replace(s, title=f"{s.title} {hole.name}") for hole, found, _ in each for s in found]
        return titled, [item for _, _, dropped in each for item in dropped]
    outer, dropped = cut_surroundings_of_hole(view, replace(holes[0], span=span), budget - size)
    above = [snippet for snippet in outer if snippet.title.startswith("above")]
    below = [snippet for snippet in outer if snippet not in above]
    middle = Snippet("the functions and what stands between them", path, None, between, "file", SnippetGroup.FILE)
    return [*above, middle, *below], dropped


def _read_lines(view: HiddenView, path: str, span: Span) -> list[str]:
    text = view.lines(path, span) if span.first <= span.last else ""
    return text.strip("\n").split("\n") if text.strip() else []


def _count_fitting_lines(sizes: Sequence[int], budget: int) -> int:
    return bisect_right(list(accumulate(sizes)), budget)


def make_includes_snippet(view: HiddenView, target: Target) -> list[Snippet]:
    """The include lines of the target's file, each once, as one snippet; empty where there are none."""
    lines = (remove_comments(m.group()) for m in _INCLUDE.finditer(view.file_text(target.path)))
    found = [" ".join(line.split()) for line in lines]
    text = "\n".join(dict.fromkeys(found))
    return [Snippet("", target.path, None, text, "file", SnippetGroup.INCLUDES)] if text else []


def find_most_similar_functions_in_file(view: HiddenView, target: Target) -> list[Hit]:
    """The functions of the target's file that are most similar to it by name, class and place, best first."""
    name = target.name.rpartition("::")
    wanted = set(split_identifier(name[2]))
    ranked = []
    for symbol in view.symbols_in_file(target.path, SymbolKind.FUNCTION):
        if symbol.span.last - symbol.span.first + 1 in EXAMPLE_LINES:
            words = set(split_identifier(symbol.name))
            similarity = len(words & wanted) / max(1, len(words | wanted))
            if name[0] and symbol.qualified_name.rpartition("::")[0] == name[0]:
                similarity += SAME_CLASS_BONUS
            lines_between = max(symbol.span.first - target.span.last, target.span.first - symbol.span.last, 0)
            ranked.append((-similarity, lines_between, symbol.start_byte, symbol))
    ranked.sort(key=lambda row: row[:3])
    return [Hit(symbol, -order, "stands in the same file") for order, _, _, symbol in ranked[:MOST_EXAMPLES]]
