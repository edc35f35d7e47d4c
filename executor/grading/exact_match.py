"""Graft's own comparison of a candidate's text with the gold."""

from __future__ import annotations

from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from index.cpp.tokens import tokenize


@dataclass(frozen=True, slots=True)
class TextMatch:
    """`strict`: the same text, line ends and trailing white space aside. `tokens`: the same tokens, comments and white
    space aside. `edit_similarity`: 1 - edits / longer length, over the strict form, 0..1."""

    strict: bool
    tokens: bool
    edit_similarity: float


def compare_text_tokens_and_edit_similarity(candidate: str, gold: str) -> TextMatch:
    """How much the two texts agree."""
    left, right = trim_line_ends_and_outer_blank_lines(candidate), trim_line_ends_and_outer_blank_lines(gold)
    strict = left == right
    return TextMatch(
        strict=strict,
        tokens=strict or tokenize(candidate) == tokenize(gold),
        edit_similarity=Levenshtein.normalized_similarity(left, right),
    )


def trim_line_ends_and_outer_blank_lines(text: str) -> str:
    """The text with `\\n` line ends and without trailing white space and outer blank lines. Indentation stays."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return "\n".join(lines).strip("\n")
