"""The declarations of a text outside function bodies, by tokens alone: what the grammar will misread shows in them.

A declaration's `shape` has a character for each of its tokens, so that a regular expression tells how it is built:

    k specifier   t built-in type   c struct, class, union, enum   n namespace   u using, requires   a attribute
    q behind a parameter list: override, final   x statement   w word   U word of capitals, as macros have
    o operator with its name   s string   d directive   b [...]   * & , = : ~ - . themselves
    brackets: g any   e empty   i names alone   f (*name)   p ((...))   l begins with a number or string
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from index.cpp.keywords import FUNDAMENTAL_TYPES, word_set
from index.cpp.tokens import BRACES


class WrittenDeclaration(NamedTuple):
    """A declaration outside function bodies. `spans` has [start, end) of each token. `ended` is ";", "{", "}", ":" (an
    access specifier), or "" at the end of the text; `end` is where that stands. `scopes` are the namespaces and
    classes around it, `owner` is the class that it is a member of."""

    shape: str
    spans: list[tuple[int, int]]
    ended: str
    end: int
    scopes: tuple[bytes, ...]
    owner: bytes


_SPECIFIERS = word_set(
    "static extern inline const volatile register virtual explicit constexpr consteval constinit friend mutable "
    "typedef restrict thread_local typename template __inline __inline__ __extension__ __const __restrict "
    "__restrict__ __volatile__ __forceinline _Noreturn _Thread_local __thread __signed__"
)
_STATEMENTS = word_set("if else for while do switch case default return goto break continue delete new sizeof")
_ATTRIBUTES = word_set("__attribute__ __attribute __declspec alignas _Alignas noexcept throw asm __asm__ __asm")
_KINDS = {
    "t": FUNDAMENTAL_TYPES | word_set("auto decltype typeof __typeof__ __typeof __int64 __int128"),
    "c": word_set("struct class union enum"),
    "n": word_set("namespace"),
    "u": word_set("using static_assert _Static_assert requires concept"),
    "a": _ATTRIBUTES,
    "q": word_set("override final try"),
    "x": _STATEMENTS,
    "k": _SPECIFIERS,
}
_WORD_KINDS = {word.encode(): kind for kind, words in _KINDS.items() for word in words}
_ACCESS = frozenset(b"public private protected signals slots Q_SIGNALS Q_SLOTS".split())
_SPACE = r"(?:\s|\\\r?\n|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z))*+"
_WORD = r"[A-Za-z_\x80-\xff][\w\x80-\xff]*"
_TOKEN = re.compile(
    rf"{_SPACE}(?:(?P<w>(?:::\s*)?{_WORD}(?:\s*::\s*~?\s*{_WORD})*)|(?P<p>[^\s\"'\w#])"
    r"|(?P<d>\#(?:[^\\\n]|\\\r?\n|\\.)*+)|(?P<s>(?:\"(?:[^\"\\\n]|\\[\s\S])*+\"?|'(?:[^'\\\n]|\\[\s\S])*+'?))|(?P<o>\w+|.))".encode()
)
_TYPES = r"(?!(?:void|int|char|short|long|float|double|unsigned|signed|const|struct|union|enum)\b)"
_NAMES = re.compile(rf"{_SPACE}(?:{_TYPES}[A-Za-z_]\w*+{_SPACE},?{_SPACE}|\#[^\n]*{_SPACE})+".encode())
_LITERAL = re.compile(rf"{_SPACE}[-+]?[\"'\d]".encode())
_POINTED = re.compile(rf"{_SPACE}(?:[*^&]|[A-Za-z_][\w:]*::\s*\*|(?:__\w+|[A-Z]+)\s*\*)".encode())
_MEMBER = re.compile(rf"\s*::\s*~?\s*{_WORD}".encode())
_ANGLE = re.compile(rb"[<>;{}()]")
_LONGEST_ANGLES = 2000
_DEEPEST_ANGLES = 40  # no template nests so; without a bound "a<a<a<…" is read anew from each of its names
_OPERATOR_NAME = re.compile(rb"\s*(?:\(\s*\)|\[\s*\]|[^\s\w(]+|(?:[A-Za-z_][\w:]*[\s*&]*)+)")

_SPECIFIER = rf"(?:static|extern|inline|const|volatile|unsigned|signed|long|short|struct|union|enum){_SPACE}\b"
_NO_TYPE = r"(?:namespace|class|using|typedef|template|else|return|case|goto|new|delete|operator|struct|union|enum)\b"
_PLAIN_NAME = (
    rf"(?:{_SPECIFIER})*+(?!{_NO_TYPE})[A-Za-z_]\w*+(?:{_SPACE}\*|{_SPACE}const\b)*+{_SPACE}(?<!\w)"
    rf"[A-Za-z_]\w*+{_SPACE}"
)
_PLAIN_BRACKETS = r"\([^()\"'#;]*+\)"
_PLAIN = rf"{_PLAIN_NAME}(?:{_PLAIN_BRACKETS}|(?:\[[^\[\];]*+\])++)?+{_SPACE}"
_DIRECTIVES = rf"(?:{_SPACE}\#(?:[^\\\n]|\\\r?\n|\\.)*+)*+{_SPACE}"
_PLAIN_GROUP = re.compile(
    rf"{_DIRECTIVES}(?:{_PLAIN};{_DIRECTIVES})*+(?:{_PLAIN_NAME}{_PLAIN_BRACKETS}{_SPACE})?+".encode()
)
"""Declarations that every grammar reads; most are. `struct API Box {` it takes for a function."""


class _Scope(NamedTuple):
    name: bytes
    is_class: bool


def group_declarations_with_end_of_braces(
    text: bytes, *, with_plain: bool = False
) -> Iterator[tuple[list[WrittenDeclaration], int]]:
    """The declarations of a text in groups, those between two braces that follow each other, and where the braces
    close that open behind a group: behind it at once for a class or namespace. Groups of plain declarations are left
    out, but `with_plain`."""
    scopes: list[_Scope] = []
    start = at = 0
    while (match := BRACES.search(text, at)) is not None:
        at = match.end()
        brace = text[match.start()]
        if brace not in b"{}":
            continue
        scope = None
        group: list[WrittenDeclaration] = []
        if with_plain or not _PLAIN_GROUP.fullmatch(text, start, match.start()):
            group = _read_declarations(text, start, match.start(), chr(brace), scopes)
            scope = _read_class_or_namespace_scope(text, group[-1]) if brace == 123 else None
        if scope is not None:
            scopes.append(scope)
        elif brace == 123:
            at = _find_block_end(text, match.start())
        elif scopes:
            scopes.pop()
        if group:
            yield group, at
        start = at
    yield _read_declarations(text, start, len(text), "", scopes), len(text)


_INDENTATION = re.compile(rb"[ \t]*")
_MOST_TRIES = 8


def _find_block_end(text: bytes, opening: int) -> int:
    """Behind the brace that closes what the one at `opening` opens; the text's end where nothing does."""
    # Most blocks end with a brace below their first line's begin, which is found without reading what is in them.
    line = text.rfind(b"\n", 0, opening) + 1
    indentation = _INDENTATION.match(text, line)
    below = b"\n" + (indentation.group() if indentation is not None else b"") + b"}"
    at = opening
    one_line = text.find(b"}", opening, text.find(b"\n", opening)) >= 0
    for _ in range(0 if one_line else _MOST_TRIES):
        at = text.find(below, at + 1)
        if at < 0:
            break
        end = at + len(below)
        if text.count(b"{", opening, end) == text.count(b"}", opening, end):
            return end
    depth = 0
    for match in BRACES.finditer(text, opening):
        byte = text[match.start()]
        depth += (byte == 123) - (byte == 125)
        if depth == 0 and byte == 125:
            return match.end()
    return len(text)


CLASS_HEAD = re.compile(r"k*c((?:b|a[gilpe]?|[wU][il]|U[gpe]?|[wU](?=[wU]))*?)([wU]?)q*(?::.*)?$")
"""The shape of what stands before a class's braces: macros and attributes, the name."""


def _read_class_or_namespace_scope(text: bytes, head: WrittenDeclaration) -> _Scope | None:
    """What the braces behind `head` are the members of; None where code stands in them."""
    shape, spans = head.shape, head.spans
    namespace = shape.find("n")
    if namespace >= 0:
        words = [text[slice(*spans[at])] for at in range(namespace + 1, len(shape)) if shape[at] in "wU"]
        return _Scope(words[-1] if words else b"", False)
    if shape in ("ks", "s"):
        return _Scope(b"", False)
    match = CLASS_HEAD.match(shape)
    if match is None or b"enum" in text[spans[0][0] : spans[-1][1]].split():
        return None
    return _Scope(text[slice(*spans[match.start(2)])] if match[2] else b"?", True)


def _read_declarations(
    text: bytes, start: int, stop: int, ended: str, around: list[_Scope]
) -> list[WrittenDeclaration]:
    """The declarations in [start, stop), the last of which is ended by `ended`."""
    scopes = tuple(scope.name for scope in around if scope.name not in (b"", b"?"))
    owner = around[-1].name.rpartition(b"::")[2] if around and around[-1].is_class else b""
    found: list[WrittenDeclaration] = []
    shape: list[str] = []
    spans: list[tuple[int, int]] = []
    at = start
    match_token, kinds = _TOKEN.match, _WORD_KINDS
    while at < stop and (match := match_token(text, at, stop)) is not None:
        kind = match.lastgroup
        begin, at = match.span(kind or 0)
        if kind == "w":
            word = text[begin:at]
            char = kinds.get(word) or _classify_word_as_macro_like(word)
            if text[at : at + 1] == b"<" or word == b"template":
                at = _skip_template_arguments_if_any(text, at, stop)
                while (more := _MEMBER.match(text, at, stop)) is not None:
                    at = _skip_template_arguments_if_any(text, more.end(), stop)
            if text.endswith(b"operator", begin, at):
                char = "o"
                name = _OPERATOR_NAME.match(text, at, stop)
                at = name.end() if name is not None else at
        elif kind == "p":
            char = chr(text[begin])
            if char == "(":
                at = _find_end_of_brackets_or_stop(text, begin, stop)
                char = _classify_bracket_content_by_letter(text, begin, at)
            elif char == "[":
                at = _find_end_of_brackets_or_stop(text, begin, stop)
                char = "b"
            elif char == ";":
                found.append(WrittenDeclaration("".join(shape), spans, ";", begin, scopes, owner))
                shape, spans = [], []
                continue
            elif char == ":" and shape and text[spans[-1][0] : spans[-1][1]] in _ACCESS:
                while spans and text[spans[-1][0] : spans[-1][1]] in _ACCESS:
                    spans.pop()
                    shape.pop()
                found.append(WrittenDeclaration("".join(shape), spans, ":", begin, scopes, owner))
                shape, spans = [], []
                continue
        elif kind == "d":
            if not shape:
                continue
            char = "d"
        else:
            char = "s" if kind == "s" else "."
        shape.append(char)
        spans.append((begin, at))
    found.append(WrittenDeclaration("".join(shape), spans, ended, stop, scopes, owner))
    return found


def _classify_word_as_macro_like(word: bytes) -> str:
    if b":" in word or len(word) < 2:
        return "w"
    is_reserved = word.startswith(b"__") and not word.endswith(b"_t")
    return "U" if word.isupper() or is_reserved else "w"


def _classify_bracket_content_by_letter(text: bytes, start: int, end: int) -> str:
    inside = text[start + 1 : end - 1]
    if not inside.strip():
        return "e"
    if _LITERAL.match(inside):
        return "l"
    if _POINTED.match(inside):
        return "f"
    if _NAMES.fullmatch(inside):
        return "i"
    stripped = inside.strip()
    return (
        "p"
        if stripped[:1] == b"(" and _find_end_of_brackets_or_stop(stripped, 0, len(stripped)) == len(stripped)
        else "g"
    )


_BRACKETS = re.compile(
    rb"\"(?:[^\"\\\n]|\\[\s\S])*+\"|'(?:[^'\\\n]|\\[\s\S])*+'|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|[()\[\]]"
)


def _find_end_of_brackets_or_stop(text: bytes, opening: int, stop: int) -> int:
    """The end of the brackets that open at `opening`, `stop` where they don't close before it."""
    depth = 0
    for match in _BRACKETS.finditer(text, opening, stop):
        byte = text[match.start()]
        if byte in b"([":
            depth += 1
        elif byte in b")]":
            depth -= 1
            if depth <= 0:
                return match.end()
    return stop


def _skip_template_arguments_if_any(text: bytes, at: int, stop: int) -> int:
    """Where the template arguments end that open at `at` or behind white space, `at` where none do."""
    opening = text.find(b"<", at, stop)
    if opening < 0 or text[at:opening].strip():
        return at
    depth = nested = 0
    for match in _ANGLE.finditer(text, opening, min(stop, opening + _LONGEST_ANGLES)):
        byte = text[match.start()]
        if byte in b"()":
            nested += 1 if byte == 40 else -1
        elif byte in b";{}" or nested < 0:
            return at
        elif not nested:
            depth += 1 if byte == 60 else -1
            if depth == 0:
                return match.end()
            if depth > _DEEPEST_ANGLES:
                return at
    return at
