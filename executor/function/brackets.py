"""Finds the bracket that a candidate left open. A compiler reports a missing brace only at the end of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from executor.function.definition import read_tokens_without_literals_and_directives
from index.source_text import split_lines_without_ends

_OPENS = {")": "(", "]": "[", "}": "{"}
_CLOSES = {opener: closer for closer, opener in _OPENS.items()}
# A line may be indented by this many columns too few or too many and still belong to its block.
_SLIP = 1


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A bracket without its partner, at `line` and `column` (1-based) of the candidate. `message` is for the model."""

    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class _Bracket:
    """`indent` is its line's indentation. `leads`: nothing but white space stands before it on the line."""

    char: str
    line: int
    column: int
    indent: int
    leads: bool


def find_misplaced_bracket(code: str) -> Misplaced | None:
    """The first bracket of `code` without a partner, or None when the brackets are balanced.

    The indentation decides which of several braces lacks its partner: a closing brace that stands further left than
    the line that opens its block belongs to another block. Each branch of an `#if` is read as if it were the only one.
    """
    open_: list[_Bracket] = []
    # What is open before each `#if`, and at the end of each of its branches so far.
    branches: list[tuple[list[_Bracket], list[list[_Bracket]]]] = []
    suspects: list[tuple[_Bracket, _Bracket]] = []
    for item in _find_brackets_and_directives(code):
        if isinstance(item, str):
            uneven = _enter_branch_and_find_unevenly_opened(item, open_, branches)
            if uneven is not None:
                outdented = _find_first_opener_with_outdented_closer(suspects)
                # A branch that closes a block from before the `#if` may lack the brace that opens its own.
                return (
                    None if outdented else _locate_missing_opening_brace(suspects, code)
                ) or _describe_unclosed_bracket(outdented or uneven)
            continue
        if item.char in _CLOSES:
            open_.append(item)
            continue
        opens = _OPENS[item.char]
        if not any(bracket.char == opens for bracket in open_):
            closes_nothing = f"a '{opens}' is missing: this '{item.char}' closes nothing"
            return _locate_missing_opening_brace(suspects, code) or Misplaced(item.line, item.column, closes_nothing)
        if open_[-1].char != opens:
            return _describe_unclosed_bracket(open_[-1])
        opener = open_.pop()
        if item.char == "}" and item.leads and item.line != opener.line and item.indent != opener.indent:
            suspects.append((opener, item))
    if not open_:
        return None
    return _describe_unclosed_bracket(_find_first_opener_with_outdented_closer(suspects) or open_[-1])


def _find_first_opener_with_outdented_closer(suspects: Sequence[tuple[_Bracket, _Bracket]]) -> _Bracket | None:
    """The first opening brace whose closing brace stands further left than the line that opens the block."""
    return next((opener for opener, closer in suspects if closer.indent < opener.indent - _SLIP), None)


def _enter_branch_and_find_unevenly_opened(
    directive: str, open_: list[_Bracket], branches: list[tuple[list[_Bracket], list[list[_Bracket]]]]
) -> _Bracket | None:
    """Continue in the branch that the directive `directive` begins. Returns a brace that one branch leaves open and
    another doesn't, None when there is none."""
    if directive == "#if":
        branches.append((list(open_), []))
        return None
    if not branches:
        return None
    before, ends = branches[-1]
    ends.append(list(open_))
    if directive == "#endif":
        branches.pop()
        longest = max(ends, key=len)
        # A lone `#if` may open what another `#if` closes.
        return longest[-1] if len(ends) > 1 and len(longest) > min(map(len, ends)) else None
    open_[:] = before
    return None


def _describe_unclosed_bracket(opener: _Bracket) -> Misplaced:
    message = f"a '{_CLOSES[opener.char]}' is missing: this '{opener.char}' is never closed"
    return Misplaced(opener.line, opener.column, message)


def _locate_missing_opening_brace(suspects: Sequence[tuple[_Bracket, _Bracket]], code: str) -> Misplaced | None:
    """A closing brace further right than the line that opened its block closes a block that nothing opened."""
    for opener, closer in suspects:
        if closer.indent <= opener.indent + _SLIP:
            continue
        lines = split_lines_without_ends(code)
        for number in range(closer.line - 1, opener.line, -1):
            text = lines[number - 1].expandtabs()
            if text.strip() and len(text) - len(text.lstrip()) <= closer.indent and not text.lstrip().startswith("#"):
                message = f"a '{{' is missing here: the '}}' in line {closer.line} closes a block that nothing opens"
                last = _find_last_line_of_condition(lines, number, closer.line - 1)
                return Misplaced(last, len(lines[last - 1].rstrip()) + 1, message)
    return None


def _find_last_line_of_condition(lines: Sequence[str], first: int, last: int) -> int:
    """The last line of the condition that begins in line `first`: the missing brace belongs behind it."""
    depth = 0
    for number in range(first, last + 1):
        depth += lines[number - 1].count("(") - lines[number - 1].count(")")
        if depth <= 0:
            return number
    return first


def _find_brackets_and_directives(code: str) -> Iterator[_Bracket | str]:
    """The brackets outside comments, literals and directives, and each directive of a condition as a str."""
    line, start = 1, 0
    for token in read_tokens_without_literals_and_directives(code, with_condition_directives=True):
        line += code.count("\n", start, token.at)
        start = token.at
        if token.text.startswith("#") and token.text != "#":
            yield token.text
        elif token.text in _OPENS or token.text in _CLOSES:
            begin = code.rfind("\n", 0, token.at) + 1
            before = code[begin : token.at].expandtabs()
            text = code[begin:].split("\n", 1)[0].expandtabs()
            indent = len(text) - len(text.lstrip())
            yield _Bracket(token.text, line, token.at - begin + 1, indent, not before.strip())
