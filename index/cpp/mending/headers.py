"""Declarations that the grammar misreads become ones that it reads: annotations blanked, K&R headers made modern. What
a macro means isn't asked: `static ALIGN(16) int t[4];` and `int f(void) EXCLUDES(mu) {` show by how they are built
which of their words declare something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from index.cpp.mending.declarations import CLASS_HEAD, WrittenDeclaration, group_declarations_with_end_of_braces
from index.cpp.tokens import blank_bytes_except_line_ends

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
_RETURNS_POINTED = re.compile(r"[twU][*&k]*f[gieb]")
_BEGINNINGS = frozenset("kctwUoas~d[b")
_INITIALIZER = re.compile("[=:]")

# `LIB_BEGIN_NAMESPACE`, or a word with an empty line below it, is no part of the declaration that follows.
_SCOPE_WORD = re.compile(rb"NAMESPACE|(?<![A-Z])(?:BEGIN|END)(?![A-Z])")
_EMPTY_LINE = re.compile(rb"\n[ \t\r]*\n")

_WORDS = re.compile(rb"\b[A-Za-z_]\w*")
_POINTED_FUNCTION = re.compile(rb"\(\s*[*&]+\s*(?:const\s+)?([A-Za-z_][\w:<>,~ ]*)\(")
_LIKE_PARAMETERS = re.compile(rb"\(\s*(?:void)?\s*\)|[\w>]\s+[*&]*\w|[*&]|\.\.\.")


class FoundFunction(NamedTuple):
    """A function with a body that the tokens alone show: [start, end) of its text, and where its body begins and its
    braces open. `name` is qualified."""

    start: int
    body: int
    brace: int
    end: int
    name: str


def find_functions_by_tokens(text: bytes) -> Iterator[FoundFunction]:
    """The functions of a text in which `blank_macros_in_declarations` has blanked what it does."""
    for group, end in group_declarations_with_end_of_braces(text, with_plain=True):
        head = group[-1]
        if head.ended != "{" or re.search("[xu]", head.shape) or CLASS_HEAD.match(head.shape):
            continue
        pointed = _find_function_that_returns_pointed(head, text)
        name = _find_function_name_token_or_minus_one(head, 0, text) if pointed is None else pointed[0]
        if name < 0:
            continue
        behind = head.shape[name + 2 :]
        initializers = behind.find(":")
        is_typed = pointed is not None or re.search("[tcwU]", head.shape[:name]) is not None
        last = behind.rstrip(".")[-1:]  # `B(b)...` of a pack
        if "=" in behind or (initializers >= 0 and last not in _BRACKETS) or head.shape[0] not in _BEGINNINGS:
            continue  # `b{1}` in an initializer list
        if (
            not is_typed
            and head.shape[name] != "o"
            and not _is_whole_declaration_from(head, name, text)
            and head.scopes
        ):
            continue
        written = text[slice(*head.spans[name])] if pointed is None else pointed[1]
        is_destructor = name > 0 and head.shape[name - 1] == "~"
        own = ("~" if is_destructor else "") + _TEMPLATE_ARGUMENTS.sub("", written.decode("utf-8", "replace"))
        body = head.end if initializers < 0 else head.spans[name + 2 + initializers][0]
        scopes = [scope.decode("utf-8", "replace") for scope in head.scopes]
        yield FoundFunction(head.spans[0][0], body, head.end, end, "::".join((*scopes, _strip_spaces_in_name(own))))


def _find_function_that_returns_pointed(found: WrittenDeclaration, text: bytes) -> tuple[int, bytes] | None:
    """For `int (&f(int a))[3]` or `void (*f(int a))(int)` the token before the brackets that the name `f` stands in,
    and the name."""
    match = _RETURNS_POINTED.search(found.shape)
    name = _POINTED_FUNCTION.match(text, found.spans[match.end() - 2][0]) if match is not None else None
    return None if match is None or name is None else (match.end() - 3, name[1])


_TEMPLATE_ARGUMENTS = re.compile(r"(?<!operator)<.*?>(?=\s*(?:::|$))")


def _strip_spaces_in_name(name: str) -> str:
    """A qualified name without white space but that of `operator bool`."""
    before, operator, sign = name.partition("operator")
    if not operator:
        return "".join(name.split())
    sign = " ".join(sign.split())
    return f"{''.join(before.split())}operator{' ' if sign[:1].isalpha() else ''}{sign}"


def blank_macros_in_declarations(out: bytearray, *, is_c: bool) -> None:
    text = bytes(out)
    for group, _ in group_declarations_with_end_of_braces(text):
        old = _find_old_style_function_or_length(group, text) if is_c and group[-1].ended == "{" else len(group)
        for place, declaration in enumerate(group[: old + 1]):
            _blank_macros_in_declaration(declaration, group[-1].end if place == old else -1, text, out)


def _find_old_style_function_or_length(group: Sequence[WrittenDeclaration], text: bytes) -> int:
    """The position of the declaration that begins a K&R function, `f(a, b) int a;`, whose body opens behind the
    group; the group's length where there is none."""
    declared: set[bytes] = set()
    for place in range(len(group) - 2, -1, -1) if not group[-1].shape.strip("U") else ():
        declaration = group[place]
        match = _OLD_STYLE.match(declaration.shape)
        at = match.end() if match is not None else 0
        if not _PARAMETER.fullmatch(declaration.shape, at):
            break
        declared.update(_WORDS.findall(text, declaration.spans[at][0], declaration.end))
        if match is not None:
            return len(group) if declared.isdisjoint(_WORDS.findall(text, *declaration.spans[at - 1])) else place
    return len(group)


def _blank_macros_in_declaration(found: WrittenDeclaration, old_style_body: int, text: bytes, out: bytearray) -> None:
    """Mend one declaration. `old_style_body` is where the body of the K&R function opens that it begins, or -1."""
    shape, spans = found.shape, found.spans
    if not shape or "x" in shape or "u" in shape:
        return
    if _is_made_of_macros_alone(found, text):
        blank_bytes_except_line_ends(out, spans[0][0], found.end + (found.ended == ";"), b"\f")
        return
    first = 0
    while old_style_body < 0 and (leading := _LEADING.match(shape, first)) is not None:
        if not _is_whole_declaration_from(found, leading.end(), text):
            break
        filler = _choose_space_or_form_feed(found, first, leading.end(), text) if leading.group() == "U" else b"\f"
        blank_bytes_except_line_ends(out, spans[first][0], spans[leading.end() - 1][1], filler)
        first = leading.end()
    for begin, end in _find_and_unwrap_annotations(found, first, old_style_body, text, out):
        filler = _choose_space_or_form_feed(found, begin, end, text)
        blank_bytes_except_line_ends(out, spans[begin][0], spans[end - 1][1], filler)


def _choose_space_or_form_feed(found: WrittenDeclaration, begin: int, end: int, text: bytes) -> bytes:
    """What macros, the tokens [begin, end), are blanked with: form feeds where they are no part of the declaration."""
    start, stop = found.spans[begin][0], found.spans[end - 1][1]
    behind = found.spans[end][0] if end < len(found.spans) else stop
    is_apart = _SCOPE_WORD.search(text, start, stop) or _EMPTY_LINE.search(text, stop, behind)
    return b"\f" if is_apart else b" "


def _is_made_of_macros_alone(found: WrittenDeclaration, text: bytes) -> bool:
    """Whether a declaration consists of macros alone: `NAME(...);`, or words that no `;` ends."""
    if found.ended != ";":
        return found.ended != "{" and _CALLS.fullmatch(found.shape) is not None
    if _STATEMENT.fullmatch(found.shape) is None:
        return False
    # In a class it may declare a constructor.
    start, end = found.spans[0]
    return not found.owner or (found.shape[0] == "U" and text[start:end] != found.owner)


def _is_whole_declaration_from(found: WrittenDeclaration, at: int, text: bytes) -> bool:
    """Whether the tokens from `at` on are a declaration without those before them."""
    if _WHOLE.match(found.shape, at) is not None:
        return True
    if _CONSTRUCTOR.match(found.shape, at) is None:
        return False
    start, end = found.spans[at]
    scopes = text[start:end].split(b"::")
    return text[start:end] == found.owner or (len(scopes) > 1 and scopes[-1].strip(b"~ ") == scopes[-2].strip())


_TokenRanges = Iterator[tuple[int, int]]
"""[first, last) of tokens."""


def _find_and_unwrap_annotations(
    found: WrittenDeclaration, first: int, old_style_body: int, text: bytes, out: bytearray
) -> _TokenRanges:
    """The tokens from `first` on that annotate a declaration. Blanks in `out` the brackets that a macro puts around a
    name or parameters, and a K&R function's parameters."""
    shape, spans = found.shape, found.spans
    if found.ended == "{" and (head := CLASS_HEAD.match(shape, first)) is not None:
        if re.search("[wU]", head[1]):
            yield head.span(1)
        return
    if _PLAIN.fullmatch(shape, first) and old_style_body < 0:
        return
    old = _OLD_STYLE.match(shape) if old_style_body >= 0 else None
    name = old.start(1) - 1 if old is not None else _find_function_name_token_or_minus_one(found, first, text)
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
        comma = text.find(b",", start, end) if wraps_name else -1
        if comma >= 0:
            blank_bytes_except_line_ends(out, comma, end, b" ")  # `FC_FUNC(dgemm, DGEMM)`
        behind += wraps_name
        name -= wraps_parameters
    yield from _find_annotations_before(shape, first, name)
    if old_style_body >= 0:
        blank_bytes_except_line_ends(out, spans[behind - 1][1], old_style_body, b" ")
    else:
        yield from _find_annotations_behind(shape, behind)


def _find_function_name_token_or_minus_one(found: WrittenDeclaration, first: int, text: bytes) -> int:
    """The token that is the declared function's name, the one before the brackets that most look like a parameter
    list; -1 for none."""
    shape = found.shape
    best, best_score = -1, -9
    for at in _iterate_tokens_before_brackets(shape, first):
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


def _iterate_tokens_before_brackets(shape: str, first: int) -> Iterator[int]:
    """The tokens that brackets follow, an initializer's left out."""
    initializer = _INITIALIZER.search(shape, first)
    for match in _NAME_AND_BRACKETS.finditer(shape, first, initializer.start() if initializer else len(shape)):
        yield match.start()


def _find_annotations_before(shape: str, first: int, name: int) -> _TokenRanges:
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


def _find_annotations_behind(shape: str, at: int) -> _TokenRanges:
    while at < len(shape) and shape[at] in "wUakq*&sb":
        end = at + 1
        if shape[at] in "wUa":
            end += end < len(shape) and shape[end] in _BRACKETS
        if shape[at] in "wU":
            yield at, end
        at = end


def _find_variable_annotations(shape: str, first: int) -> _TokenRanges:
    """Annotations of a variable or of a pointer to a function."""
    for at in _iterate_tokens_before_brackets(shape, first):
        if re.search("[twUc]", shape[at + 2 :]) and re.search("[tcwU]", shape[first:at] + shape[at + 2 : -1]):
            yield at, at + 2
    if (pointer := _POINTER.search(shape, first)) is not None:
        yield from _find_annotations_behind(shape, pointer.end())
