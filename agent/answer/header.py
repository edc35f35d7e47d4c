"""A function's header: its name, its parameters, and how an answer's spelling compares with the repository's."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import takewhile

from agent.answer.brackets import find_end_past_closing_bracket, remove_all_white_space
from index.cpp.keywords import FUNDAMENTAL_TYPES, TYPE_TAGS
from index.cpp.tokens import remove_comments, tokenize_code_among_prose
from index.cpp.type_text import is_name_character
from index.values import Target

_BUILT_IN = FUNDAMENTAL_TYPES | {"auto"}
_QUALIFIERS = frozenset(("const", "volatile", "restrict", "__restrict", "__restrict__", "register"))
_NOT_A_NAME = TYPE_TAGS | _BUILT_IN | _QUALIFIERS
# `(a, b) int a; char *b` - names alone, then declarations.
_OLD_STYLE = re.compile(r"\(\s*[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*\s*\)\s*[A-Za-z_]\w*[\s*]+[A-Za-z_(]")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_LONGEST_HEADER = 8_000
KindTextPlace = tuple[str, str, int]
"""A token of `tokenize_code_among_prose`."""
_SCOPE = re.compile(r"(?:[A-Za-z_]\w*(?:<[^;{}()]{0,120}?>)?\s*::\s*)+$")


@dataclass(frozen=True, slots=True)
class Parameter:
    """`name` is "" when unnamed; `start` and `end` are its place in the text that was read, or where it could
    stand, -1 where none is known. `type` compares two spellings: its words in alphabetical order, without scopes of
    `std` and `struct` and the like."""

    name: str
    start: int
    end: int
    type: str = ""


def last_segment(name: str) -> str:
    """`btVector3::operator*=` -> `operator*=`; `ns::X<T>::~X` -> `~X`."""
    match = re.search(r"(?:^|::)\s*(operator\b.*|~?\s*[A-Za-z_]\w*)\s*(?:<[^()]*>)?$", name)
    return match[1].strip() if match else name.strip()


def scope_prefix(name: str) -> str:
    """`ns::X::f` -> `ns::X::`; `f` -> ""."""
    return remove_all_white_space(name)[: -len(remove_all_white_space(last_segment(name)))] if "::" in name else ""


def make_name_and_paren_pattern(name: str) -> re.Pattern[str]:
    """Finds the last segment of `name` where an opening parenthesis follows it; the match ends after that."""
    last = last_segment(name)
    if last.startswith("operator"):
        symbol = last.removeprefix("operator").strip()
        if re.match(r"\w", symbol):
            inner = r"\s+" + r"\s*".join(re.escape(part) for part in re.findall(r"\w+|\S", symbol))
        else:
            inner = r"\s*" + r"\s*".join(re.escape(part) for part in remove_all_white_space(symbol))
        return re.compile(rf"operator{inner}\s*\(")
    if last.startswith("~"):
        return re.compile(rf"~\s*{re.escape(last[1:].strip())}\s*\(")
    # `int (f)(int a)` keeps a macro of that name away.
    return re.compile(rf"(?<![\w~]){re.escape(last)}\s*(?:<[^<>;{{}}()]{{0,100}}>\s*)?(?:\)\s*)?\(")


def find_scope_start(text: str, name_start: int) -> int:
    """Where the qualifiers before a name begin (`X::` of `X::f`), or `name_start` itself."""
    near = max(0, name_start - 300)
    match = _SCOPE.search(text[near:name_start])
    return near + match.start() if match else name_start


def read_parameters(text: str, opening: int, end: int) -> tuple[Parameter, ...]:
    """The parameters in text[opening:end], both parentheses included."""
    pieces: list[list[KindTextPlace]] = [[]]
    depth = 0
    for token in tokenize_code_among_prose(text, opening + 1, end - 1):
        _, what, _ = token
        if what in ("(", "[", "{", "<"):
            depth += 1
        elif what in (")", "]", "}", ">"):
            depth -= 1
        if what == "," and depth <= 0:
            pieces.append([])
        else:
            pieces[-1].append(token)
    if len(pieces) == 1 and [what for _, what, _ in pieces[0]] in ([], ["void"]):
        return ()
    read = [(_read_parameter_name_and_place(piece), piece) for piece in pieces]
    return tuple(replace(parameter, type=_make_type_key(piece, parameter.start)) for parameter, piece in read)


def read_old_style_parameter_names(text: str, opening: int, end: int) -> tuple[Parameter, ...]:
    """The parameters of a K&R list, `f(a, b) int a; char *b;`: names alone stand between its parentheses."""
    names = re.compile(r"[A-Za-z_]\w*").finditer(text, opening, end)
    return tuple(Parameter(name[0], name.start(), name.end()) for name in names)


def _make_type_key(tokens: list[KindTextPlace], name_position: int) -> str:
    kept: list[str] = []
    for _, what, position in tokens:
        if what == "=":
            break
        if position != name_position and what not in TYPE_TAGS and what not in ("std", "::"):
            kept.append(what)
    return " ".join(sorted(kept))


def _read_parameter_name_and_place(tokens: list[KindTextPlace]) -> Parameter:
    pointer = _read_parenthesized_declarator(tokens)
    if pointer is not None:
        return pointer
    depth = 0
    words: list[tuple[str, int]] = []
    built_in = elaborated = False
    previous = ""
    for kind, what, position in tokens:
        if depth == 0 and what in ("=", "[", ":"):
            break
        if what in ("<", "("):
            depth += 1
        elif what in (">", ")"):
            depth -= 1
        elif depth == 0 and kind == "word":
            built_in = built_in or what in _BUILT_IN
            elaborated = elaborated or what in TYPE_TAGS
            if what not in _NOT_A_NAME:
                if previous == "::" and words:
                    words.pop()
                words.append((what, position))
        previous = what
    # A type's own name comes first, unless it is built in: `int n`, `Foo n`, `struct foo *n`; alone it is a type.
    if len(words) >= 2 or (words and built_in and not elaborated):
        name, position = words[-1]
        return Parameter(name, position, position + len(name))
    *_, (_, last, position) = [("", "", -1), *takewhile(lambda token: token[1] != "=", tokens)]
    # In `void (*)(int)` and `int[3]` it would stand further inside.
    place = position + len(last) if last and (is_name_character(last[-1]) or last[-1] in "*&>") else -1
    return Parameter("", place, place)


def _read_parenthesized_declarator(tokens: list[KindTextPlace]) -> Parameter | None:
    """`void (*call)(int)`, `int (&row)[3]`."""
    for first, second, third in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if first[1] == "(" and second[1] in ("*", "&") and third[0] == "word":
            return Parameter(third[1], third[2], third[2] + len(third[1]))
    return None


def find_start_of_preceding_text(text: str, end: int, wanted: str) -> int | None:
    """Where `wanted` (without white space) begins when it stands, spaced in whatever way, right before `end`."""
    position = end
    for sign in reversed(wanted):
        while position > 0 and text[position - 1].isspace():
            position -= 1
        if position == 0 or text[position - 1] != sign:
            return None
        position -= 1
    if position > 0 and wanted and is_name_character(text[position - 1]) and is_name_character(wanted[0]):
        return None
    return position


@dataclass(frozen=True, slots=True)
class Header:
    """The repository's own header, mended: `text`, and where in it the name's scope, the name, and the parameters
    stand. `initialised`: it holds a constructor's initialiser list; `declared`: it is a K&R header, whose parameters
    are declared behind them; `shape` tells overloads apart (see `read_shape`)."""

    text: str
    scope: str
    parameters: tuple[Parameter, ...]
    initialised: bool
    declared: bool
    shape: tuple[str, ...]

    def rename_parameters(self, names: tuple[str, ...]) -> str:
        """The header with the parameters called as the body calls them ("" leaves one as it is); one that the
        repository leaves unnamed gets its name."""
        text = self.text
        if self.declared:
            pairs = zip(self.parameters, names, strict=True)
            new = {parameter.name: name for parameter, name in pairs if name}
            start = self.parameters[0].start
            return text[:start] + re.sub(r"[A-Za-z_]\w*", lambda word: new.get(word[0], word[0]), text[start:])
        for parameter, name in reversed(list(zip(self.parameters, names, strict=True))):
            if name and parameter.start >= 0:
                space = "" if parameter.name else " "
                text = text[: parameter.start] + space + name + text[parameter.end :]
        return text


def parse_signature_as_header(target: Target) -> Header | None:
    """`target.signature` as a header that can be put above a body; None when it is damaged beyond mending.

    YABLoCo's signatures lost their line breaks, which glues a return type to the name after it
    (`btMatrix3x3btMatrix3x3::inverse() const`): the target's name tells where to part them.
    """
    text = target.signature.strip().rstrip("{; \t\r\n")
    if "//" in text:
        return None  # a lost line break makes the rest of the header a comment
    loose = re.compile(make_name_and_paren_pattern(target.name).pattern.removeprefix(r"(?<![\w~])"))
    place = make_name_and_paren_pattern(target.name).search(text) or loose.search(text)
    if place is None:
        return None
    start = place.start()
    begin = find_scope_start(text, start)
    scope = remove_all_white_space(text[begin:start])
    full = scope_prefix(target.name)
    if scope and full and not f"::{full}".endswith(f"::{scope}"):
        suffix = _find_longest_common_scope_suffix(scope, full)
        if suffix is None:
            return None
        begin, scope = start - len(text[begin:start]) + len(scope) - len(suffix), suffix
    if begin > 0 and is_name_character(text[begin - 1]):
        text = f"{text[:begin]}\n{text[begin:]}"
        begin += 1
        place = make_name_and_paren_pattern(target.name).search(text, begin)
        if place is None:
            return None
    opening = place.end() - 1
    end = find_end_past_closing_bracket(text, opening, len(text))
    if end is None:
        return None
    initialised = bool(re.match(r"(?:\s|\w|\([^()]*\))*:(?!:)", text[end:]))
    if target.language == "c" and _OLD_STYLE.match(text, opening):
        return Header(f"{text};", scope, read_old_style_parameter_names(text, opening, end), False, True, ())
    parameters = read_parameters(text, opening, end)
    return Header(text, scope, parameters, initialised, False, make_overload_key(parameters, text[end:]))


def make_overload_key(parameters: tuple[Parameter, ...], text_behind: str) -> tuple[str, ...]:
    """What tells a function from its overloads: the types of its parameters, and whether `const` stands behind
    them."""
    return (*(parameter.type for parameter in parameters), "const" if re.match(r"\s*const\b", text_behind) else "")


def find_repository_header_start(text: str, brace: int, header_end: int, target: Target) -> int | None:
    """Where the repository's own header begins when it stands before `header_end` or `brace`, white space and comments
    behind its last bracket apart; else None."""
    signature = target.signature.strip().rstrip("{; \t\r\n")
    near = max(0, brace - _LONGEST_HEADER)
    bare = _COMMENT.sub(lambda comment: " " * len(comment[0]), text[near:brace])
    bracket = bare.rfind(")") + 1
    bare = text[near : near + bracket] + bare[bracket:]
    for written, wanted in ((text[near:brace], signature), (bare, remove_comments(signature))):
        declared = len(written.rstrip().removesuffix(";"))  # behind K&R's declarations stands a semicolon
        for end in (brace - near, header_end - near, declared):
            start = find_start_of_preceding_text(written, end, remove_all_white_space(wanted))
            if start is not None:
                return near + start
    return None


def _find_longest_common_scope_suffix(glued_scope: str, full_scope: str) -> str | None:
    """The longest run of whole scopes at the end of `full_scope` that `glued_scope` ends in."""
    parts = full_scope.removesuffix("::").split("::")
    for first in range(len(parts)):
        suffix = "::".join(parts[first:]) + "::"
        if glued_scope.endswith(suffix):
            return suffix
    return None
