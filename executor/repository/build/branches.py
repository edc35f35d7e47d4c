"""The branches of a file's `#if` groups, and a text of the file that says which of them a compiler takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from typing import NamedTuple

from index.cpp.tokens import replace_source_pieces
from index.values import Span

MARK = "GRAFT_BRANCH_"
_DIRECTIVE = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b")


class Branch(NamedTuple):
    """`directive`: the lines of its `#if`, `#elif` or `#else`, or of the group's `#endif`; `last`: the last line
    before the next directive of its group."""

    directive: Span
    last: int


Group = tuple[Branch, ...]
"""The branches of one `#if` in order, and its `#endif` as the last of them."""


def find_preprocessor_branch_groups(text: str) -> list[Group]:
    """All groups of a file. One without an end, and an end without a beginning, are left out."""
    groups: list[Group] = []
    opened: list[list[tuple[Span, str]]] = []
    lines = _replace_comments_with_space(text).split("\n")
    number = 1
    while number <= len(lines):
        first = number
        while lines[number - 1].rstrip("\r").endswith("\\") and number < len(lines):
            number += 1
        found = _DIRECTIVE.match(lines[first - 1])
        number += 1
        if found is None:
            continue
        here = (Span(first, number - 1), found[1])
        if found[1].startswith("if"):
            opened.append([here])
        elif opened:
            opened[-1].append(here)
            if found[1] == "endif":
                spans = [span for span, _ in opened.pop()]
                ends = [*(span.first - 1 for span in spans[1:]), spans[-1].last]
                groups.append(tuple(map(Branch, spans, ends)))
    return groups


def insert_branch_marker_macros(text: str, groups: Iterable[Group], file_number: int) -> str:
    """The text without comments, in which each branch defines a macro of its own: MARK, the file's number and the
    line of its directive. Preprocessed with -dM it says which branches were taken, those in a macro's arguments
    too."""
    lines = _replace_comments_with_space(text).split("\n")
    for group in groups:
        for branch in group[:-1]:
            # A text of several lines behind one number: the other numbers stay.
            lines[branch.directive.last - 1] += f"\n#define {MARK}{file_number}_{branch.directive.first} 1"
    return "\n".join(lines)


def list_untaken_branch_and_directive_spans(groups: Iterable[Group], taken_directive_lines: Set[int]) -> list[Span]:
    """The lines of branches whose directive's line isn't among `taken_directive_lines`, and the directives around
    them, in order and joined. A group of which all branches are taken stays whole."""
    found: list[Span] = []
    for group in groups:
        branches = group[:-1]
        if all(branch.directive.first in taken_directive_lines for branch in branches):
            continue
        for branch in branches:
            is_taken = branch.directive.first in taken_directive_lines
            found.append(branch.directive if is_taken else Span(branch.directive.first, branch.last))
        found.append(group[-1].directive)
    return join_spans(found)


def join_spans(spans: Iterable[Span]) -> list[Span]:
    """The same lines in order, each once."""
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: span.first):
        if joined and span.first <= joined[-1].last + 1:
            joined[-1] = Span(joined[-1].first, max(joined[-1].last, span.last))
        else:
            joined.append(span)
    return joined


def read_taken_directive_lines_by_file_number(preprocessor_output: str) -> dict[int, set[int]]:
    """What a preprocessor's -dM says of marked files: the lines of the branches that were taken, by file number."""
    taken: dict[int, set[int]] = {}
    for file, line in re.findall(rf"{MARK}(\d+)_(\d+)", preprocessor_output):
        taken.setdefault(int(file), set()).add(int(line))
    return taken


def _replace_comments_with_space(text: str) -> str:
    """The text with a space for each comment, as a compiler reads it; the line ends in it are continued."""
    return replace_source_pieces(
        text, lambda piece: " " + "\\\n" * piece[0].count("\n") if piece.lastgroup == "comment" else piece[0]
    )
