"""Splits a function definition into header, initialisers and body by its brackets. Macros stay unresolved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from index.cpp.tokens import tokenize_with_offsets
from index.errors import RecipeError

_LOGICAL_LINE = re.compile(r"(?:\\\r?\n|[^\n])*")
_CONDITION = re.compile(r"#\s*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b")
_CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a single character outside comments, literals and preprocessor lines, and its offset. `#if`, `#else`
    and the like too where they are asked for (see `read_tokens_without_literals_and_directives`)."""

    text: str
    at: int

    @property
    def end(self) -> int:
        return self.at + len(self.text)


@dataclass(frozen=True, slots=True)
class DefinitionParts:
    """`header` ends before a constructor's `: initialisers` or the body's opening brace; `initialisers` is "" for
    all else; `body` is brace to brace; `tail` is what follows. The four joined are the text."""

    header: str
    initialisers: str
    body: str
    tail: str


def read_tokens_without_literals_and_directives(
    text: str, *, with_continuations: bool = False, with_condition_directives: bool = False
) -> list[Token]:
    """The tokens of `text` that decide its structure, in order; with `with_continuations` the `\\` of continued lines
    too, with `with_condition_directives` each directive of a condition as one token, of which `#if` stands for
    `#ifdef` as well."""
    found: list[Token] = []
    directive_end = 0
    for at, token in tokenize_with_offsets(text, continuations=with_continuations):
        if at < directive_end:
            continue
        if token == "#" and not text[text.rfind("\n", 0, at) + 1 : at].strip():
            line = _LOGICAL_LINE.match(text, at)
            directive_end = line.end() if line else at
            if with_condition_directives and (found_word := _CONDITION.match(text, at)):
                found.append(Token("#if" if found_word[1].startswith("if") else f"#{found_word[1]}", at))
        elif '"' in token or token.endswith("'"):
            continue
        elif token == "::" or re.match(r"[\w.]", token):
            found.append(Token(token, at))
        else:
            # Character by character: `>>` closes two template lists.
            found.extend(Token(char, at + offset) for offset, char in enumerate(token))
    return found


def split_definition(text: str) -> DefinitionParts | None:
    """The parts of `text`, None when it has no body in braces. A body with `#if` branches that open more braces than
    they close ends at the last closing brace of the text."""
    pieces = read_tokens_without_literals_and_directives(text)
    colon, start = find_initialiser_and_body_start(pieces, 0)
    if start is None:
        return None
    end = max((piece.end for piece in pieces if piece.text == "}"), default=0)
    if end <= pieces[start].at:
        return None
    at = pieces[start].at
    cut = at if colon is None else pieces[colon].at
    return DefinitionParts(text[:cut], text[cut:at], text[at:end], text[end:])


def insert_statement_at_body_start(definition: str, statement: str) -> str:
    """The definition with the statement before its own. Raises RecipeError when no body is found."""
    parts = split_definition(definition)
    if parts is None:
        raise RecipeError("no body")
    return f"{parts.header}{parts.initialisers}{{ {statement} {parts.body[1:]}{parts.tail}"


def find_initialiser_and_body_start(pieces: Sequence[Token], first: int) -> tuple[int | None, int | None]:
    """Indexes of the colon that opens the initialisers and of the brace that opens the body, from `first` on.

    After `) :` come a constructor's initialisers, whose own braces (`a{1}`) follow a name or `>`; the body's
    brace follows `)` or `}`.
    """
    parameters = False
    colon: int | None = None
    number = first
    while number < len(pieces):
        text = pieces[number].text
        before = pieces[number - 1].text if number else ""
        if text in "([":
            number = find_closing_bracket_or_last_index(pieces, number)
            parameters = parameters or text == "("
        elif text == ":" and parameters and colon is None:
            colon = number
        elif text == "{":
            if colon is None or not (before == ">" or before.isidentifier()):
                return colon, number
            number = find_closing_bracket_or_last_index(pieces, number)
        number += 1
    return None, None


def find_closing_bracket_or_last_index(pieces: Sequence[Token], opening: int) -> int:
    """Index of the token that closes the bracket at `opening`; the last index when none does."""
    depth = 0
    opener = pieces[opening].text
    closer = _CLOSES[opener]
    for number in range(opening, len(pieces)):
        if pieces[number].text == opener:
            depth += 1
        elif pieces[number].text == closer:
            depth -= 1
            if depth == 0:
                return number
    return len(pieces) - 1


def split_at_commas(pieces: Sequence[Token]) -> list[list[Token]]:
    """The pieces cut at commas outside any bracket, `<...>` included."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for piece in pieces:
        if piece.text in "([{<":
            depth += 1
        elif piece.text in ")]}>":
            depth -= 1
        if piece.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(piece)
    return [part for part in parts if part]
