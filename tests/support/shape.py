"""A measure of likeness for the tests: whether a text holds a function of a body's shape. Apart from the code under
test it has the lexer alone; it counts names without their order, so it is never the milder of the two."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Indel

from index.cpp.keywords import word_set
from index.cpp.tokens import tokenize

LEAST = 24
"""Tokens of a body. Shorter ones are idiom."""
ALIKE = 1.10
_KEYWORDS = word_set(
    "auto break case char class const continue default do double else enum extern float for goto if inline int long "
    "return short signed sizeof static struct switch template this typedef typename union unsigned using void while "
    "bool true false new delete operator"
)
_CONTROL = {"if", "for", "while", "switch", "catch"}
_LITERAL = re.compile(r"""(?:u8|[uUL])?["']|\.?[0-9]""")


def _code(token: str) -> str:
    if _LITERAL.match(token):
        return "1"
    if re.match(r"[^\W\d]", token) and token not in _KEYWORDS:
        return "a"
    return chr(0x4000 + hash(token) % 0x4000)


def functions(text: str) -> Iterator[list[str]]:
    """The tokens of each block of a text that stands where a function's body does."""
    found = tokenize(text)
    opened: list[tuple[int, bool]] = []
    parentheses: list[int] = []
    head = -1
    for number, token in enumerate(found):
        if token == "(":
            parentheses.append(number)
        elif token == ")" and parentheses:
            head = parentheses.pop()
        elif token == "{":
            # Between the parameters and the body stand a few words at most: const, noexcept, an initializer list.
            is_body = head > 0 and found[head - 1] not in _CONTROL and ";" not in found[head:number]
            opened.append((number, is_body))
        elif token == "}" and opened:
            start, is_body = opened.pop()
            if is_body:
                yield found[start : number + 1]


def is_alike(gold: Sequence[str], other: Sequence[str]) -> bool:
    """Whether `other` has the shape of `gold` and, the less it has, the more of its names."""
    shape = Indel.normalized_similarity("".join(map(_code, gold)), "".join(map(_code, other)), score_cutoff=0.7)
    names = Counter(token.lower() for token in gold if _code(token) in "a1")
    common = names & Counter(token.lower() for token in other if _code(token) in "a1")
    return shape + 0.4 * common.total() / max(1, names.total()) >= ALIKE


def alike(gold: str, text: str) -> list[str]:
    """The functions in `text` that are like the body `gold`; none for a short body."""
    wanted = tokenize(gold)
    if len(wanted) < LEAST:
        return []
    sized = (body for body in functions(text) if 0.5 * len(wanted) <= len(body) <= 2 * len(wanted))
    return [" ".join(body) for body in sized if is_alike(wanted, body)]
