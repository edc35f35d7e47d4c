"""Renames identifiers in C and C++ text: a substitution of tokens, line for line, that needs no understanding of the
program. Text is as `index.source_text.decode_source` gives it, so that every byte can be written back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from index.cpp.language import TEMPLATE_SUFFIX
from index.cpp.tokens import find_comments_literals_and_words, replace_source_pieces

IDENTIFIER = re.compile(r"[^\W\d]\w*+")
OPERAND_IN_ASSEMBLER = re.compile(r"%[a-zA-Z]?\[\w+\]")
"""An operand of inline assembler in its text, by the label that the operand has: `%[label]`."""
SHAPED = re.compile(r"\w*[^\W_]_\w+|\w*[a-z0-9][A-Z]\w*|_+\w+|[A-Z][A-Z0-9]{2,}")
"""A word that is a name rather than one of prose."""
# Code that makes a part of a template when the tree is configured (openssl).
_PERL = re.compile(r"(\{-[\s\S]*?-\})")
# A value of JSON that is a name by its shape; behind it there is no colon, as behind a key. Of words of prose, as in
# `"group": "string"`, a generator makes other things than identifiers.
_JSON_VALUE = re.compile(r'"((?=\w*(?:[a-z0-9][A-Z]|[a-z0-9]_[a-z]))[A-Za-z_]\w*)"(?!\s*:)')
# An underscore or digit inside the word, or a capital behind its first letter.
_NAME_SHAPE = re.compile(r"(?=\w*[^\W_](?:_|\d|(?<=[^\W\d_])[A-Z]))\w+|_\w+")
_AHEAD = re.compile(
    r"(?:['`\"]|->|::|##|(?<!\*)[*&]|[\\@](?:[pc]|t?param(?:\[[a-z, ]*\])?|ref|see|sa|link)\s+"
    r"|\b(?:struct|union|enum|class|typename|typedef|#define)\s+)$"
)
_BEHIND = re.compile(r"\(|['`\"]|(?:->|::)\w|\[\w*\]|##")
# What stands behind the label of an operand of inline assembler: `[label] "=r"(value)`.
_BEHIND_LABEL = re.compile(r'\s*\]\s*"')
# So far back the longest of what may stand ahead of a name begins.
_LOOK_BACK = 24
_FILE_SUFFIX = re.compile(r"\.(?:c|cc|cpp|cxx|h|hh|hpp|inl|inc|def|in|o|a|so|py|pl|tcl|sh|rb|conf|json|md|txt|html)\b")


def rename_code(text: str, names: Mapping[str, str]) -> str:
    """C or C++ text with each identifier that `names` holds replaced, macros and directives included; in comments as
    `rename_comment`. Literals, the names of included files and the text of `#error`, `#warning` and `#pragma` stay; so
    do the labels of an assembler's operands, which a literal names."""
    return join_renamed_parts(_split_text_at_starts_and_ends(text, _find_name_starts_and_ends_in_code(text)), names)


def rename_comment(text: str, names: Mapping[str, str]) -> str:
    """A comment or docstring with its names replaced. A word that `names` holds is replaced where it reads as a name:
    by its shape (`a_b`, `aB`, `a1`), before `(`, behind `\\p` or `@param`, in quotes, beside `->` or `::`. A word of
    prose stays, and so does the name of a file."""
    return join_renamed_parts(_split_text_at_starts_and_ends(text, _find_name_starts_and_ends_in_prose(text)), names)


def rename_source(path: str, text: str, names: Mapping[str, str]) -> str:
    """The text of a C or C++ file of the variant."""
    return join_renamed_parts(split_source_at_identifiers(path, text), names)


def split_source_at_identifiers(path: str, text: str) -> list[str]:
    """The text of a C or C++ file in parts, of which every second, beginning with the second, is an identifier that
    a map may rename. To split a text takes much longer than `join_renamed_parts`."""
    places: list[tuple[int, int]] = []
    start = 0
    for number, part in enumerate(split_template_at_perl_pieces(path, text)):
        if number % 2 == 0:
            places += [(start + first, start + end) for first, end in _find_name_starts_and_ends_in_code(part)]
        start += len(part)
    return _split_text_at_starts_and_ends(text, places)


def join_renamed_parts(parts: Sequence[str], names: Mapping[str, str]) -> str:
    """The parts of a text, as `split_source_at_identifiers` gives them, put together under these names."""
    renamed = list(parts)
    renamed[1::2] = [names.get(word, word) for word in parts[1::2]]
    return "".join(renamed)


def _split_text_at_starts_and_ends(text: str, starts_and_ends: Iterable[tuple[int, int]]) -> list[str]:
    parts: list[str] = []
    before = 0
    for start, end in starts_and_ends:
        parts += (text[before:start], text[start:end])
        before = end
    return [*parts, text[before:]]


def _find_name_starts_and_ends_in_code(text: str) -> Iterator[tuple[int, int]]:
    """Where the identifiers begin and end that `rename_code` may replace."""
    for kind, piece, start in find_comments_literals_and_words(text):
        if kind == "word":
            end = start + len(piece)
            # The label of an assembler's operand has the shape of `[label] "`.
            if not (
                _BEHIND_LABEL.match(text, end) and text[max(0, start - _LOOK_BACK) : start].rstrip().endswith("[")
            ):
                yield start, end
        elif kind == "comment":
            for first, end in _find_name_starts_and_ends_in_prose(piece):
                yield start + first, start + end


def _find_name_starts_and_ends_in_prose(text: str) -> Iterator[tuple[int, int]]:
    """Where the words begin and end that `rename_comment` may replace."""
    for match in IDENTIFIER.finditer(text):
        start, end = match.span()
        if not _FILE_SUFFIX.match(text, end) and (
            _NAME_SHAPE.fullmatch(text, start, end)
            or _BEHIND.match(text, end)
            or _AHEAD.search(text, max(0, start - _LOOK_BACK), start)
        ):
            yield start, end


def rename_words_of_non_c_file(path: str, text: str, names: Mapping[str, str]) -> str:
    """The text of a file of another language that follows the C code: of JSON whole values, else every word."""
    if path.endswith(".json"):
        return _JSON_VALUE.sub(lambda match: f'"{names.get(match[1], match[1])}"', text)
    return IDENTIFIER.sub(lambda match: names.get(match.group(), match.group()), text)


def find_renamable_words_of_non_c_file(path: str, text: str) -> set[str]:
    """The words that `rename_words_of_non_c_file` may replace."""
    return set((_JSON_VALUE if path.endswith(".json") else IDENTIFIER).findall(text))


def split_template_at_perl_pieces(path: str, text: str) -> list[str]:
    """The text in parts, of which every second, beginning with the second, isn't C."""
    if not path.endswith(TEMPLATE_SUFFIX) or "{-" not in text:
        return [text]
    return _PERL.split(text)


def restore_original_names(text: str, new_names: Mapping[str, str]) -> str:
    """The text, code or prose, with each new name that `new_names` gives an identifier replaced by that identifier.
    A word without the shape of a name stays in literals and where it reads as prose in a comment."""
    back = {new: old for old, new in new_names.items()}
    shaped = {new: old for new, old in back.items() if _NAME_SHAPE.fullmatch(new)}

    def restore_names_in_piece(match: re.Match[str]) -> str:
        kind, piece = match.lastgroup, match.group()
        if kind == "word":
            return back.get(piece, piece)
        if kind == "comment":
            return rename_comment(piece, back)
        return IDENTIFIER.sub(lambda word: shaped.get(word.group(), word.group()), piece)

    return replace_source_pieces(text, restore_names_in_piece)
