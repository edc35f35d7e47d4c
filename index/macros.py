"""Macros that stand where the grammar has no place for them, learnt from the repository's own `#define`s.

`SIMD_FORCE_INLINE btVector3 f()`, `class LLVM_ABI Foo`, `ATTRIBUTE_ALIGNED16(class) btVector3`: tree-sitter sees
no preprocessor and loses the definition. A macro whose every definition in the tree is made of specifiers and
attributes is replaced by blanks before parsing; lengths are kept, so every offset and line survives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple


class MacroForm(StrEnum):
    """What a definition expands to, as far as blanking cares."""

    EMPTY = "empty"
    """Nothing, or its only parameter as it is: agrees with anything, and is no evidence by itself."""
    ATTRIBUTE = "attribute"
    """Specifiers, attributes, calling conventions."""
    ATTRIBUTE_CALL = "attribute_call"
    """Function-like, and no parameter survives outside an attribute: blanked whole."""
    WRAPPER = "wrapper"
    """Function-like: its parameter beside attributes, `(a) a __attribute__((aligned(16)))`: the argument stays."""
    OPENING = "opening"
    """`extern "C" {`."""
    CLOSING = "closing"
    """`}`: the end of such a macro."""
    OTHER = "other"


class Definition(NamedTuple):
    """One `#define` and its form."""

    name: str
    form: MacroForm
    words: tuple[str, ...] = ()
    """Names in the replacement that may be attribute macros themselves; then the form holds only if they are."""


_DEFINE = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(\([^()\n]*\))?((?:[^\\\n]|\\\r?\n|\\.)*)", re.MULTILINE
)
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMENT = re.compile(r"/\*.*?\*/|//.*", re.DOTALL)
# `JEMALLOC_ATTR(x)` is defined in a file that configure makes: such a name tells enough.
_ATTRIBUTE_HEAD = re.compile(
    r"__attribute__|__attribute|__declspec|alignas|_Alignas|_Pragma|__pragma|\[\[|\b[A-Z_]*ATTR[A-Z_]*(?=\()"
)
_SPECIFIERS = frozenset(
    _WORD.findall(
        "inline __inline __inline__ __forceinline _inline static extern const constexpr consteval "
        "constinit volatile register restrict __restrict __restrict__ noexcept explicit virtual override "
        "final _Noreturn _Thread_local thread_local __thread __cdecl __stdcall __fastcall __vectorcall "
        "__thiscall _cdecl _stdcall __extension__ WINAPI APIENTRY CALLBACK"
    )
)
# A macro may redefine a keyword (`#define inline __inline`); the keyword means what it says either way.
_KEYWORDS = _SPECIFIERS | frozenset(
    _WORD.findall(
        "if else for while do switch case default break continue return goto sizeof typedef struct union "
        "enum class void char short int long float double signed unsigned bool auto namespace template "
        "typename using public private protected operator new delete this throw try catch friend mutable "
        "nullptr true false"
    )
)
_WORD_BYTES = re.compile(rb"[A-Za-z_]\w*")
_NAMES_ONLY = re.compile(r"(?:\s|[A-Za-z_]\w*+)*+")
_LONGEST_REPLACEMENT = 300


def definitions(data: bytes) -> list[Definition]:
    """The `#define`s of one file that could be attribute-like, and those names' other definitions."""
    found = []
    for match in _DEFINE.finditer(data):
        name = match.group(1).decode("ascii", "replace")
        if name in _KEYWORDS:
            continue
        replacement = match.group(3).decode("latin-1")
        found.append(_classify(name, match.group(2) or b"", replacement))
    return found


def _classify(name: str, parameters: bytes, replacement: str) -> Definition:
    if len(replacement) > _LONGEST_REPLACEMENT:
        return Definition(name, MacroForm.OTHER)
    text = " ".join(_COMMENT.sub(" ", replacement.replace("\\\r\n", " ").replace("\\\n", " ")).split())
    if not text or text == parameters.decode("ascii", "replace").strip("()").strip():
        return Definition(name, MacroForm.EMPTY)
    if text == 'extern "C" {':
        return Definition(name, MacroForm.OTHER if parameters else MacroForm.OPENING)
    if text == "}":
        return Definition(name, MacroForm.OTHER if parameters else MacroForm.CLOSING)
    rest = _without_attributes(text.replace('extern "C"', " extern "))
    if rest is None or not _NAMES_ONLY.fullmatch(rest):
        return Definition(name, MacroForm.OTHER)
    words = _WORD.findall(rest)
    names = {p.strip() for p in parameters.decode("ascii", "replace").strip("()").split(",")} - {""}
    own = [w for w in words if w in names]
    unknown = tuple(w for w in words if w not in names and w not in _SPECIFIERS)
    if not parameters:
        return Definition(name, MacroForm.ATTRIBUTE, unknown)
    if len(own) > 1 or rest == text:
        return Definition(name, MacroForm.OTHER)
    return Definition(name, MacroForm.WRAPPER if own else MacroForm.ATTRIBUTE_CALL, unknown)


def _without_attributes(text: str) -> str | None:
    """`text` without its `__attribute__((...))`, `[[...]]` and the like; None where their brackets don't close."""
    out = []
    position = 0
    while match := _ATTRIBUTE_HEAD.search(text, position):
        out.append(text[position : match.start()])
        start = match.start() if match.group() == "[[" else match.end()
        end = _closing(text, start)
        if end is None:
            return None
        position = end
    return " ".join((*out, text[position:]))


def _closing(text: str, start: int) -> int | None:
    depth = 0
    for i in range(start, len(text)):
        if text[i] in "([":
            depth += 1
        elif text[i] in ")]":
            depth -= 1
            if depth == 0:
                return i + 1
        elif depth == 0 and not text[i].isspace():
            return None
    return None


def learn(found: Iterable[Definition]) -> dict[str, MacroForm]:
    """Name -> form of the macros to blank: every definition in the tree agrees, and one of them isn't empty
    (include guards, feature switches and log calls that are compiled out are empty too)."""
    forms: dict[str, set[MacroForm]] = {}
    needs: dict[str, set[str]] = {}
    for definition in found:
        forms.setdefault(definition.name, set()).add(definition.form)
        needs.setdefault(definition.name, set()).update(definition.words)
    learnt = {name: form for name, seen in forms.items() if (form := _agreed(seen)) is not None}
    empty = {name for name, seen in forms.items() if seen == {MacroForm.EMPTY}}
    # A macro made of other macros holds only while all of them do.
    while bad := [n for n in learnt if any(w not in learnt and w not in empty for w in needs[n] - {n})]:
        for name in bad:
            del learnt[name]
    return dict(sorted(learnt.items()))


def _agreed(seen: set[MacroForm]) -> MacroForm | None:
    solid = seen - {MacroForm.EMPTY}
    if solid == {MacroForm.CLOSING}:
        return MacroForm.CLOSING if MacroForm.EMPTY in seen else None
    if solid == {MacroForm.ATTRIBUTE_CALL, MacroForm.WRAPPER}:
        return MacroForm.WRAPPER
    return next(iter(solid)) if len(solid) == 1 and MacroForm.OTHER not in solid else None


def blank(data: bytes, learnt: dict[str, MacroForm]) -> bytes:
    """`data` as the parser should see it, byte for byte as long: the learnt macros' uses outside preprocessor lines
    are spaces, and so are the comments that the grammar can't read, those before a `\\` in a `#define`."""
    data = _COMMENT_IN_DEFINE.sub(_spaces, data) if b"*/" in data else data
    if not learnt:
        return data
    present = {w for word in set(_WORD_BYTES.findall(data)) if (w := word.decode("ascii")) in learnt}
    if not present:
        return data
    pattern = re.compile(b"|".join(_use(w) for w in sorted(present)), re.MULTILINE)
    out = bytearray(data)
    directives = _directive_ends(data)
    end_of_directive = next(directives, None)
    for match in pattern.finditer(data):
        while end_of_directive is not None and end_of_directive[1] <= match.start():
            end_of_directive = next(directives, None)
        if end_of_directive is not None and end_of_directive[0] <= match.start():
            continue
        _blank_use(out, data, match.start(), match.end(), learnt[match.group().strip().decode("ascii")])
    return bytes(out)


_COMMENT_IN_DEFINE = re.compile(rb"/\*(?:[^*\n]|\*(?!/)){0,500}+\*/(?=[ \t]*\\\r?\n)")
_KEPT = frozenset(b"\\\r\n")


def _spaces(match: re.Match[bytes]) -> bytes:
    return bytes(c if c in _KEPT else 32 for c in match.group())


def _use(name: str) -> bytes:
    # zlib's `#define local static`: elsewhere such a word is a variable, so it counts only at a line's start.
    ordinary = name.islower() and "_" not in name
    return (rb"^[ \t]*%s(?=[ \t]+[A-Za-z_])" if ordinary else rb"\b%s\b") % name.encode()


_DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\\\n]|\\\r?\n|\\.)*+", re.MULTILINE)
_LONGEST_ARGUMENTS = 2000


def _directive_ends(data: bytes) -> Iterator[tuple[int, int]]:
    return iter([(m.start(), m.end()) for m in _DIRECTIVE.finditer(data)])


def _blank_use(out: bytearray, data: bytes, start: int, end: int, form: MacroForm) -> None:
    if form in (MacroForm.ATTRIBUTE, MacroForm.OPENING, MacroForm.CLOSING):
        # An attribute becomes part of what follows it; a form feed says that a bracket doesn't.
        out[start:end] = (b" " if form is MacroForm.ATTRIBUTE else b"\f") * (end - start)
        return
    opening = end
    while data[opening : opening + 1].isspace():
        opening += 1
    if data[opening : opening + 1] != b"(":
        return
    close = _closing_bytes(data, opening)
    if close is None:
        return
    arguments = data[opening + 1 : close - 1]
    # An argument that is text (a message) isn't part of a declaration: then all of it goes.
    if form is MacroForm.WRAPPER and b'"' not in arguments:
        out[start : opening + 1] = b" " * (opening + 1 - start)
        out[close - 1 : close] = b" "
        return
    out[start:close] = bytes(c if c in b"\r\n" else 32 for c in data[start:close])


def _closing_bytes(data: bytes, opening: int) -> int | None:
    depth = 0
    for i in range(opening, min(len(data), opening + _LONGEST_ARGUMENTS)):
        if data[i] == 40:
            depth += 1
        elif data[i] == 41:
            depth -= 1
            if depth == 0:
                return i + 1
    return None
