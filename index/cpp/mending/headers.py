"""Declarations that the grammar misreads become ones that it reads: annotations blanked, K&R headers made modern.

What a macro means isn't asked: `static ALIGN(16) int t[4];` and `int f(void) EXCLUDES(mu) {` show by how they are
built which of their words declare something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from index.cpp.declaring_macros import MacroSymbol
from index.cpp.mending.declarations import CLASS_HEAD, WrittenDeclaration, split_declarations
from index.cpp.tokens import blank_bytes, remove_comments

# Shapes, as `declarations` spells them.
_BRACKETS = "gilpe"
_CALLS = re.compile(rf"(?:U|[wU][{_BRACKETS}])+")
_STATEMENT = re.compile(rf"[wU][{_BRACKETS}]+")
_LEADING = re.compile(rf"U(?![{_BRACKETS}f]|$)|[wU][{_BRACKETS}]")
_WHOLE = re.compile(r"k*(?:[cnt~d]|[wU][*&k]*[wU])")
_CONSTRUCTOR = re.compile(r"[wU][gief]")
_PLAIN = re.compile(r"k*(?:c?[wU]|t+)?[*&k]*[wU]?(?:[gilef]|b*)k*(?:[=,:].*)?")
_OLD_STYLE = re.compile(r".*[wU]([ie])(?=[ktcwU])")
_PARAMETER = re.compile(r"[ktcwU]+[ktcwU*,bgfie]*")
_NAME_AND_BRACKETS = re.compile(rf"[wUo][{_BRACKETS}f]")
_POINTER = re.compile(r"[twU*&]f[gie]")
_INITIALIZER = re.compile("[=:]")

_WORDS = re.compile(rb"\b[A-Za-z_]\w*")
_LIKE_PARAMETERS = re.compile(rb"\(\s*(?:void)?\s*\)|[\w>]\s+[*&]*\w|[*&]|\.\.\.")


def mend_declarations(out: bytearray, *, is_c: bool) -> dict[int, MacroSymbol]:
    """Blank in `out` what keeps the grammar from reading declarations. Returns the functions whose headers no grammar
    reads (K&R ones without a type), by where they begin; a plain header stands there now."""
    text = bytes(out)
    headers: dict[int, MacroSymbol] = {}
    for group in split_declarations(text):
        old = _find_old_style(group, text) if is_c and group[-1].ended == "{" else len(group)
        for place, declaration in enumerate(group[: old + 1]):
            body = group[-1].end if place == old else -1
            header = _mend_declaration(declaration, body, text, out, is_c=is_c)
            if header is not None:
                headers[header.start] = header
    return headers


def _find_old_style(group: Sequence[WrittenDeclaration], text: bytes) -> int:
    """The position of the declaration that begins a K&R function, `f(a, b) int a;`, whose body opens behind the
    group; the group's length where there is none."""
    declared: set[bytes] = set()
    for place in range(len(group) - 2, -1, -1) if not group[-1].shape else ():
        declaration = group[place]
        match = _OLD_STYLE.match(declaration.shape)
        at = match.end() if match is not None else 0
        if not _PARAMETER.fullmatch(declaration.shape, at):
            break
        declared.update(_WORDS.findall(text, declaration.spans[at][0], declaration.end))
        if match is not None:
            return len(group) if declared.isdisjoint(_WORDS.findall(text, *declaration.spans[at - 1])) else place
    return len(group)


def _mend_declaration(
    found: WrittenDeclaration, old_body: int, text: bytes, out: bytearray, *, is_c: bool
) -> MacroSymbol | None:
    """Mend one declaration. `old_body` is where the body of the K&R function opens that it begins, or -1."""
    shape, spans = found.shape, found.spans
    if not shape or "x" in shape or "u" in shape:
        return None
    if _is_macro_use(found, text):
        blank_bytes(out, spans[0][0], found.end + (found.ended == ";"), b"\f")
        return None
    first = 0
    while old_body < 0 and (leading := _LEADING.match(shape, first)) is not None:
        if not _is_whole(found, leading.end(), text):
            break
        blank_bytes(out, spans[first][0], spans[leading.end() - 1][1], b" " if leading.group() == "U" else b"\f")
        first = leading.end()
    for begin, end in _find_annotations(found, first, old_body, text, out, is_c=is_c):
        blank_bytes(out, spans[begin][0], spans[end - 1][1], b" ")
    name = _find_name(found, first, text) if is_c and not found.owner else -1
    if name < 0 or set(shape[first:name]) - {"k"} or shape[name] != "w" or shape[name + 1] not in "ie":
        return None
    body = old_body if old_body >= 0 else found.end
    return _make_header(spans[first][0], spans[name], body, text, out) if text[body : body + 1] == b"{" else None


def _is_macro_use(found: WrittenDeclaration, text: bytes) -> bool:
    """Whether a declaration consists of macros alone: `NAME(...);`, or words that no `;` ends."""
    if found.ended != ";":
        return found.ended != "{" and _CALLS.fullmatch(found.shape) is not None
    if _STATEMENT.fullmatch(found.shape) is None:
        return False
    # In a class it may declare a constructor.
    start, end = found.spans[0]
    return not found.owner or (found.shape[0] == "U" and text[start:end] != found.owner)


def _is_whole(found: WrittenDeclaration, at: int, text: bytes) -> bool:
    """Whether the tokens from `at` on are a declaration without those before them."""
    if _WHOLE.match(found.shape, at) is not None:
        return True
    if _CONSTRUCTOR.match(found.shape, at) is None:
        return False
    start, end = found.spans[at]
    scopes = text[start:end].split(b"::")
    return text[start:end] == found.owner or (len(scopes) > 1 and scopes[-1].strip(b"~ ") == scopes[-2].strip())


_Tokens = Iterator[tuple[int, int]]
"""[first, last) of tokens."""


def _find_annotations(
    found: WrittenDeclaration, first: int, old_body: int, text: bytes, out: bytearray, *, is_c: bool
) -> _Tokens:
    """The tokens from `first` on that annotate a declaration. Blanks in `out` the brackets that a macro puts around a
    name or parameters, and a K&R function's parameters."""
    shape, spans = found.shape, found.spans
    if found.ended == "{" and (head := CLASS_HEAD.match(shape, first)) is not None:
        if re.search("[wU]", head[1]):
            yield head.span(1)
        return
    if _PLAIN.fullmatch(shape, first) and old_body < 0:
        return
    name = _find_name(found, first, text)
    if name < 0:
        yield from _find_variable_annotations(shape, first)
        return
    behind = name + 2
    wraps_parameters = shape[name : name + 2] == "Up" and name > first and shape[name - 1] in "wU"
    wraps_name = shape[name + 1] in "gil" and shape[name + 2 : name + 3] in tuple("gile")
    if wraps_parameters or (wraps_name and (shape[name] == "U" or name > first)):
        start, end = spans[name + 1]
        yield name, name + 1
        out[start : start + 1] = out[end - 1 : end] = b" "
        behind += wraps_name
        name -= wraps_parameters
    yield from _find_annotations_before(shape, first, name)
    if old_body >= 0:
        blank_bytes(out, spans[behind - 1][1], old_body, b" ")
    else:
        yield from _find_annotations_behind(shape, behind)


def _find_name(found: WrittenDeclaration, first: int, text: bytes) -> int:
    """The token that is the declared function's name, the one before the brackets that most look like a parameter
    list; -1 for none."""
    shape = found.shape
    best, best_score = -1, -9
    for at in _iterate_calls(shape, first):
        score = (shape[at] == "w") - (shape[at] == "U")
        if shape[at + 1] == "p" or _LIKE_PARAMETERS.search(text, *found.spans[at + 1]):
            score += 2
        if shape[at + 1] == "l":
            score -= 4
        if score > best_score:
            best, best_score = at, score
    if best_score < 0 and found.ended != "{" and re.search("[twUc]", shape[best + 2 :]):
        return -1
    return best


def _iterate_calls(shape: str, first: int) -> Iterator[int]:
    """The tokens that brackets follow, an initializer's left out."""
    initializer = _INITIALIZER.search(shape, first)
    for match in _NAME_AND_BRACKETS.finditer(shape, first, initializer.start() if initializer else len(shape)):
        yield match.start()


def _find_annotations_before(shape: str, first: int, name: int) -> _Tokens:
    """What stands before a function's name and is neither its type nor a specifier."""
    loose = []
    at = first
    while at < name:
        end = at + 1
        if shape[at] in "wU":
            end += end < name and shape[end] in _BRACKETS
            if end - at == 2 or at == first or shape[at - 1] != "c":
                loose.append((at, end))
        at = end
    if loose and "t" not in shape[first:name] and "c" not in shape[first:name]:
        # One of them is the type: a word before a macro, a macro without arguments before one with them.
        words = [span for span in loose if span[1] - span[0] == 1]
        kept = next((span for span in words if shape[span[0]] == "w"), words[0] if words else loose[-1])
        loose.remove(kept)
        loose += [(kept[0] + 1, kept[1])] if kept[1] - kept[0] == 2 else []
    yield from loose


def _find_annotations_behind(shape: str, at: int) -> _Tokens:
    """Annotations behind a parameter list."""
    while at < len(shape) and shape[at] in "wUakq*&sb":
        end = at + 1
        if shape[at] in "wUa":
            end += end < len(shape) and shape[end] in _BRACKETS
        if shape[at] in "wU":
            yield at, end
        at = end


def _find_variable_annotations(shape: str, first: int) -> _Tokens:
    """Annotations of a variable or of a pointer to a function."""
    for at in _iterate_calls(shape, first):
        if re.search("[twUc]", shape[at + 2 :]) and re.search("[tcwU]", shape[first:at] + shape[at + 2 : -1]):
            yield at, at + 2
    if (pointer := _POINTER.search(shape, first)) is not None:
        yield from _find_annotations_behind(shape, pointer.end())


def _make_header(start: int, name: tuple[int, int], body: int, text: bytes, out: bytearray) -> MacroSymbol | None:
    """Put `int fff()` in the line at `start` where a header without a type stands. None where it doesn't fit."""
    line = text.find(b"\n", start, body)
    length = (line if line >= 0 else body) - start
    plain = b"int ()" if length > len(b"int ()") else b"T ()"
    if length <= len(plain):
        return None
    signature = " ".join(remove_comments(text[start:body].decode("utf-8", "replace")).split())
    blank_bytes(out, start, body, b" ")
    out[start : start + length] = plain[:-2] + b"f" * (length - len(plain)) + b"()"
    return MacroSymbol(start, body, True, text[slice(*name)].decode("utf-8", "replace"), signature)
