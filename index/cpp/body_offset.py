"""Where a function's body begins, by tokens alone: for text that the parser doesn't understand."""

from __future__ import annotations

import re

from index.cpp.tokens import remove_comments, tokenize_with_offsets

# Blanked, so that the brackets and colons of an `#if (X)` between a signature's lines don't count.
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\[\s\S])*", re.MULTILINE)
_NOT_NEWLINE = re.compile(r"[^\n]")


def find_body_or_initializer_list_offset(text: str) -> int | None:
    """Offset of the body of the function definition that `text` begins with, or None when it has none.

    The body is what has to be written: a constructor's initializer list (from its `:`) and a function's `try`
    belong to it. A `{` counts only after a parameter list, outside all brackets.
    """
    text = _DIRECTIVE.sub(lambda m: _NOT_NEWLINE.sub(" ", m.group()), text)
    depth = 0
    seen_parameters = False
    for offset, token in tokenize_with_offsets(text):
        if token in "([":
            depth += 1
        elif token in ")]":
            depth -= 1
            seen_parameters = seen_parameters or token == ")"
        elif depth <= 0 and seen_parameters and token in ("{", ":", "try"):
            return offset
    return None


def extract_signature(text: str) -> str | None:
    """The signature of the function definition `text`, without comments, white space collapsed; None when it is
    no definition."""
    offset = find_body_or_initializer_list_offset(text)
    return None if offset is None else " ".join(remove_comments(text[:offset]).split())
