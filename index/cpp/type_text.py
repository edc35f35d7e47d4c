"""The type that the text of a declaration spells. This is no type checker: what stands before a name is its type."""

from __future__ import annotations

import re
from typing import NamedTuple

from index.cpp.keywords import word_set
from index.cpp.tokens import OPENING_BRACKETS

_WORD = re.compile(r"\w+")


class Type(NamedTuple):
    """A type without its namespaces: `base` is its name's last component, `args` its template arguments as written,
    `pointers` the levels of pointer and array."""

    base: str
    args: tuple[str, ...] = ()
    pointers: int = 0
    const: bool = False


NOT_TYPE_WORDS = word_set(
    "return else new delete throw case goto typename do in sizeof operator using namespace template "
    "public private protected if while for switch and or not co_return co_yield co_await struct class "
    "enum union static extern inline constexpr virtual volatile mutable register unsigned signed "
    "explicit friend typedef define ifdef"
)
_QUALIFIERS = re.compile(
    r"\b(?:const|volatile|struct|class|enum|union|typename|static|inline|virtual|mutable|extern|"
    r"constexpr|register|explicit|friend|restrict|__restrict|unsigned|signed|final)\b"
)
_BASE = re.compile(r"[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
_WORDS_BACKWARDS = re.compile(r"\w*[A-Za-z_](?:\s*::\s*\w*[A-Za-z_])*(?!\w)")
# Backwards: spaces and pointers, the type's name, and what stands before that.
_BACKWARDS = re.compile(r"([ \t\r\n*&]+)(\w*[A-Za-z_](?:\s*::\s*\w*[A-Za-z_])*(?!\w))(.{0,8})", re.DOTALL)
_LONGEST_TYPE = 300
_LONGEST_NAME = 120
_NO_DECLARATION = (".", "->", "=", "+", "-", "/", "%", "|", "^", "!", "?", "return", '"', "'")


def parse_type(text: str) -> Type | None:
    """The type that a declaration's text spells, the name left out: `const std::vector<Foo *> &`."""
    const = "const" in text
    text = _QUALIFIERS.sub(" ", text).strip()
    args: tuple[str, ...] = ()
    if "<" in text:
        start = text.index("<")
        end = _find_closing_angle(text, start)
        if end is None:
            return None
        rest = text[end + 1 :]
        if "::" in rest:
            return None  # a type inside a template's instance
        args = tuple(a.strip() for a in split_at_outer_commas(text[start + 1 : end]))
        pointers = rest.count("*")
        text = text[:start]
    else:
        pointers = text.count("*")
    words = _BASE.findall(text)
    if not words:
        return None
    return Type(words[-1].rsplit("::", 1)[-1].strip(), args, pointers, const)


def _find_closing_angle(text: str, start: int) -> int | None:
    depth = 0
    for i in range(start, len(text)):
        if text[i] == "<":
            depth += 1
        elif text[i] == ">" and text[i - 1] != "-":
            depth -= 1
            if depth == 0:
                return i
        elif text[i] in ";{}":
            return None
    return None


_PUNCTUATION = re.compile(r"[<>(){}\[\],]")
_BRACKET = re.compile(r"[(){}\[\]]")


def split_at_outer_commas(text: str) -> list[str]:
    """The parts of a list, at the commas outside its brackets."""
    if "," not in text:
        return [text]
    parts, depth, start = [], 0, 0
    for match in _PUNCTUATION.finditer(text):
        c = match[0]
        if c == ",":
            if depth == 0:
                parts.append(text[start : match.start()])
                start = match.end()
        elif c in "<([{":
            depth += 1
        else:
            depth -= 1
    parts.append(text[start:])
    return parts


def extract_text_in_brackets_or_empty(text: str, opening: int, longest: int) -> str:
    """The text inside the bracket that opens at `opening`, or "" when it doesn't close within `longest` characters."""
    if opening < 0 or text[opening : opening + 1] not in OPENING_BRACKETS:
        return ""
    depth = 0
    for match in _BRACKET.finditer(text, opening, opening + longest):
        depth += 1 if match[0] in OPENING_BRACKETS else -1
        if depth == 0:
            return text[opening + 1 : match.start()]
    return ""


def find_type_before_or_empty(text: str, end: int) -> str:
    """The text of the type that stands right before `end`, or "" when an expression stands there."""
    match = _BACKWARDS.match(text[max(0, end - _LONGEST_NAME) : end][::-1])
    if match is not None and match.end(2) < _LONGEST_NAME - 8:
        backwards = match[2]
        if backwards != "tsnoc":
            word = backwards[::-1]
            if word in NOT_TYPE_WORDS and word not in ("unsigned", "signed"):
                return ""
            start = end - match.end(2)
            before = match[3][::-1].rstrip()
            if _is_type_ruled_out_before(text, start, before) or ("\n" in match[1] and is_in_comment(text, start)):
                return ""
            const = "const " if before.endswith("const") else ""
            return f"{const}{word} {match[1][::-1]}"
    elif match is None and end > 0 and text[end - 1] not in " \t\r\n*&>":
        return ""
    return _find_long_type_before_or_empty(text, end)


def _find_long_type_before_or_empty(text: str, end: int) -> str:
    """As `find_type_before_or_empty`, also with template arguments and with a `const` behind the type."""
    i = end
    low = max(0, end - _LONGEST_TYPE)
    const = ""
    while True:
        while i > low and text[i - 1] in " \t\r\n*&":
            i -= 1
        if i - 5 >= low and text[i - 5 : i] == "const" and not (i - 6 >= low and is_name_character(text[i - 6])):
            const = "const "
            i -= 5
            continue
        break
    if i in (low, end):
        return ""
    marks = text[i:end]
    close = i
    if text[i - 1] == ">":
        opened = _find_opening_angle_or_minus_one(text, i, low)
        if opened < 0:
            return ""
        i = opened
    match = _WORDS_BACKWARDS.match(text[max(low, i - _LONGEST_NAME) : i][::-1])
    word = match[0][::-1] if match is not None else ""
    if not word or (word in NOT_TYPE_WORDS and word not in ("unsigned", "signed")):
        return ""
    start = i - len(word)
    before = text[max(low, start - 8) : start].rstrip()
    if _is_type_ruled_out_before(text, start, before):
        return ""
    if before.endswith("const"):
        const = "const "
    return f"{const}{text[start:close]} {marks.replace('const', '')}"


def _is_type_ruled_out_before(text: str, start: int, before: str) -> bool:
    """Whether the text before a word shows that the word is no type. Text in a comment shows nothing."""
    if not before.endswith(_NO_DECLARATION):
        return False
    last = start - 1
    while text[last].isspace():
        last -= 1
    return not is_in_comment(text, last)


def _find_opening_angle_or_minus_one(text: str, end: int, low: int) -> int:
    """Where the template arguments begin that end at `end`, -1 when they don't."""
    depth = 0
    i = end
    while i > low:
        i -= 1
        c = text[i]
        if c == ">" and text[i - 1] != "-":
            depth += 1
        elif c == "<":
            depth -= 1
            if depth == 0:
                return i
        elif c in ";{}":
            return -1
    return -1


def is_name_character(c: str) -> bool:
    return c.isalnum() or c == "_"


def find_word_or_minus_one(text: str, word: str, start: int) -> int:
    """The first place from `start` on where the text has the whole word, or -1. An empty word, which is the name of
    what a macro declares in a class, stands nowhere."""
    size = len(word)
    if not size:
        return -1
    while True:
        at = text.find(word, start)
        if at < 0:
            return -1
        end = at + size
        before, after = text[at - 1 : at], text[end : end + 1]
        if not (before == "_" or before.isalnum() or after == "_" or after.isalnum()):
            return at
        start = end


# So many lines of `//***` are looked at before a place.
_MOST_RULES = 500


def is_in_comment(text: str, at: int) -> bool:
    """Whether a place of a function's text lies in a comment. Comment signs in strings are taken for comments."""
    line = text.rfind("\n", 0, at) + 1
    if text.find("//", line, at) >= 0:
        return True
    opened = text.rfind("/*", 0, at)
    # A line of `//*****` opens no comment.
    for _ in range(_MOST_RULES):
        if opened < 0 or text.find("//", text.rfind("\n", 0, opened) + 1, opened + 1) < 0:
            break
        opened = text.rfind("/*", 0, opened)
    return opened >= 0 and text.find("*/", opened, at) < 0


def add_pointer_level_if_array(kind: Type, text: str, end: int) -> Type:
    """The type of a name that ends at `end`: an array has one level of pointers more."""
    rest = text[end : end + 60].lstrip()
    return kind._replace(pointers=kind.pointers + 1) if rest.startswith("[") else kind


_LIST = re.compile(r"\s*(?:const\s+|static\s+)*([A-Za-z_][\w:]*(?:<[^;{}()]*>)?)[\s*&]+[A-Za-z_]\w*[^;{}]*,[\s*&]*$")
_LONGEST_LIST = 200
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def find_type_of_later_declarator_or_empty(text: str, at: int) -> str:
    """The type of a later name of a declaration (`b` in `T a, *b;`), or ""."""
    low = max(0, at - _LONGEST_LIST)
    before = text[low:at].rstrip(" *&\t\r\n")
    if not before.endswith(","):
        return ""
    start = max(text.rfind(c, low, at) for c in ";{}") + 1
    if start == 0 or "," not in text[start:at]:
        return ""
    match = _LIST.match(_COMMENT.sub(" ", text[start:at]))
    if match is None or match[1] in NOT_TYPE_WORDS:
        return ""
    return f"{match[1]} {text[low + len(before) : at]}"


def cut_at_outer_character_or_unopened_bracket(text: str, character: str) -> str:
    """The text up to the character `character` outside brackets, or up to a bracket that isn't opened in the text."""
    depth = 0
    for i, c in enumerate(text):
        if c == character and depth == 0:
            return text[:i].strip()
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth < 0:
                return text[:i].strip()
    return text.strip()
