"""Where a candidate's brackets go wrong: the compiler tells of a missing brace at the file's end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from index.cpp.tokens import tokens_at

_OPENS = {")": "(", "]": "[", "}": "{"}
_CLOSES = {opener: closer for closer, opener in _OPENS.items()}
_LOGICAL_LINE = re.compile(r"(?:\\\r?\n|[^\n])*")
# Columns by which a line may stand askew and still belong to its block.
_SLIP = 1
_CONDITION = re.compile(r"#\s*(if|ifdef|ifndef|elif|else|endif)\b")


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A bracket without its partner, at `line` and `column` (1-based) of the candidate. `message` tells it."""

    line: int
    column: int
    message: str


class _Branches(NamedTuple):
    """What is open before an `#if`, and at the end of each of its branches so far."""

    before: list[_Bracket]
    ends: list[list[_Bracket]]


@dataclass(frozen=True, slots=True)
class _Bracket:
    sign: str
    line: int
    column: int
    indent: int
    leads: bool
    """Only white space stands before it on its line."""


def misplaced(code: str) -> Misplaced | None:
    """The first bracket of `code` without a partner, or None when all have theirs.

    Which of several braces lacks its partner, the layout tells: a closing brace that stands further left than the
    line which opens its block belongs to another block. Of `#if` branches each is read as if it were the only one.
    """
    open_: list[_Bracket] = []
    branches: list[_Branches] = []
    suspects: list[tuple[_Bracket, _Bracket]] = []
    for one in _brackets(code):
        if isinstance(one, str):
            uneven = _branch(one, open_, branches)
            if uneven is not None:
                askew = _askew(suspects)
                # A branch that closes a block from before the `#if` may lack the brace that opens its own.
                return (None if askew else _never_opened(suspects, code)) or _never_closed(askew or uneven)
            continue
        if one.sign in _CLOSES:
            open_.append(one)
            continue
        if not open_ or (open_[-1].sign != _OPENS[one.sign] and _OPENS[one.sign] not in {o.sign for o in open_}):
            closes_nothing = f"a '{_OPENS[one.sign]}' is missing: this '{one.sign}' closes nothing"
            return _never_opened(suspects, code) or Misplaced(one.line, one.column, closes_nothing)
        if open_[-1].sign != _OPENS[one.sign]:
            return _never_closed(open_[-1])
        opener = open_.pop()
        if one.sign == "}" and one.leads and one.line != opener.line and one.indent != opener.indent:
            suspects.append((opener, one))
    if not open_:
        return None
    return _never_closed(_askew(suspects) or open_[-1])


def _askew(suspects: Sequence[tuple[_Bracket, _Bracket]]) -> _Bracket | None:
    """The first brace whose partner stands further left than the line that it opens its block in."""
    return next((opener for opener, closer in suspects if closer.indent < opener.indent - _SLIP), None)


def _branch(word: str, open_: list[_Bracket], branches: list[_Branches]) -> _Bracket | None:
    """Go on in the next branch; a brace that one branch leaves open and another doesn't."""
    if word.startswith("if"):
        branches.append(_Branches(list(open_), []))
        return None
    if not branches:
        return None
    before, ends = branches[-1]
    ends.append(list(open_))
    if word == "endif":
        branches.pop()
        longest = max(ends, key=len)
        # A lone `#if` may open what another one closes.
        return longest[-1] if len(ends) > 1 and len(longest) > min(map(len, ends)) else None
    open_[:] = before
    return None


def _never_closed(one: _Bracket) -> Misplaced:
    closer = _CLOSES[one.sign]
    return Misplaced(one.line, one.column, f"a '{closer}' is missing: this '{one.sign}' is never closed")


def _never_opened(suspects: Sequence[tuple[_Bracket, _Bracket]], code: str) -> Misplaced | None:
    """A closing brace further right than the line which opened its block closes a block that nothing opened."""
    for opener, closer in suspects:
        if closer.indent <= opener.indent + _SLIP:
            continue
        lines = code.splitlines()
        for number in range(closer.line - 1, opener.line, -1):
            text = lines[number - 1].expandtabs()
            if text.strip() and len(text) - len(text.lstrip()) <= closer.indent and not text.lstrip().startswith("#"):
                message = f"a '{{' is missing here: the '}}' in line {closer.line} closes a block that nothing opens"
                last = _statement_end(lines, number, closer.line - 1)
                return Misplaced(last, len(lines[last - 1].rstrip()) + 1, message)
    return None


def _statement_end(lines: Sequence[str], first: int, most: int) -> int:
    """A condition that begins in line `first` may go on for lines: the brace belongs behind its last."""
    depth = 0
    for number in range(first, most + 1):
        depth += lines[number - 1].count("(") - lines[number - 1].count(")")
        if depth <= 0:
            return number
    return first


def _brackets(code: str) -> Iterator[_Bracket | str]:
    """Brackets outside comments, literals and directives; a conditional directive's word as a text."""
    skip_to, line, start = 0, 1, 0
    for at, token in tokens_at(code):
        line += code.count("\n", start, at)
        start = at
        if at < skip_to:
            continue
        begin = code.rfind("\n", 0, at) + 1
        if token == "#" and not code[begin:at].strip():
            logical = _LOGICAL_LINE.match(code, at)
            skip_to = logical.end() if logical else at
            condition = _CONDITION.match(code, at)
            if condition is not None:
                yield condition[1]
        elif token in _OPENS or token in _CLOSES:
            before = code[begin:at].expandtabs()
            text = code[begin:].split("\n", 1)[0].expandtabs()
            indent = len(text) - len(text.lstrip())
            yield _Bracket(token, line, at - begin + 1, indent, not before.strip())
