"""The text of a unit that holds both bodies, and the function between them that its callers reach."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from agent.answer.definitions import list_functions_constants_and_enums
from executor.function.definition import (
    Token,
    find_closing_bracket_or_last_index,
    read_tokens_without_literals_and_directives,
    split_definition,
)
from executor.function.sabotage import read_definition_at
from executor.function.splice import splice_function
from executor.grading.differential import NotApplicableError
from index.source_text import encode_source
from index.values import Span
from lab.differential.dwarf_shapes import Shape
from lab.differential.noted_calls import make_call_stubs, redirect_calls_to_stubs

_OWN_NAMES = ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__")
_STATIC_WORDS = ("static", "thread_local", "_Thread_local", "__thread")
# In the words of a body, with a space between any two.
_STATIC_POINTER = re.compile(r"\bstatic const [^;=,(]*\* (\w+)")
_CHANGE = r"(?:\+ \+|- -|&) {name}\b|\b{name}(?: \[[^\]]*\])? (?:= (?!=)|[-+] =|\+ \+|- -)"
_LITERAL = re.compile(r"(?<![\w.\"'])(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*(?![\w.\"'])|(?<!\w)'(?:[^'\\\n]|\\.)'")
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9_]{2,}\b(?!\s*[(\"])")
_COMPARED_NAME = re.compile(r"[!=]=\s*([a-z_]\w*)\b(?!\s*[(\[.-])|\b(?<![.>])([a-z_]\w*)\s*[!=]=")
_DECLARED_NAME = re.compile(r"[\w*]\s+\**([a-z_]\w*)\s*(?=[=;,\[])")


def list_words_after_static_keywords(definition: str) -> list[str]:
    """The word behind each `static` or `thread_local` of a variable: `const` for a constant, another for one that may
    change. Helpers stand in the definition's text too."""
    pieces = read_tokens_without_literals_and_directives(definition)
    found: list[str] = []
    depth = 0
    for number, piece in enumerate(pieces):
        depth += {"{": 1, "}": -1}.get(piece.text, 0)
        if piece.text in _STATIC_WORDS and not _is_static_function(pieces, number, is_outside=depth == 0):
            found.append(pieces[number + 1].text if number + 1 < len(pieces) else "")
    return found


def _is_static_function(pieces: Sequence[Token], static: int, *, is_outside: bool) -> bool:
    """Whether the `static` at a place is a function's. In a body brackets may hold what makes a variable."""
    sign = next((n for n in range(static, len(pieces)) if pieces[n].text in "({[;="), len(pieces) - 1)
    if pieces[sign].text != "(":
        return False
    behind = find_closing_bracket_or_last_index(pieces, sign) + 1
    return is_outside or (behind < len(pieces) and pieces[behind].text == "{")


def _changes_static_pointer(definition: str) -> bool:
    """Whether a body changes a static pointer to constants, which is no constant itself."""
    body = " ".join(_read_body_words(definition))
    for pointer in _STATIC_POINTER.finditer(body):
        behind = body[pointer.end() :].partition(" ; ")[2]
        if re.search(_CHANGE.format(name=pointer[1]), behind):
            return True
    return False


def _read_body_words(definition: str) -> list[str]:
    parts = split_definition(definition)
    return [piece.text for piece in read_tokens_without_literals_and_directives(parts.body)] if parts else []


def explain_body_unusable_beside_others(definition: str, name: str) -> str:
    """Why a body can't stand beside another, or "". Of a static variable each body would have its own."""
    static = list_words_after_static_keywords(definition)
    if any(word != "const" for word in static) or _changes_static_pointer(definition):
        return "it keeps a static variable of its own"
    try:
        rename_definition(definition, name, "graft")
    except NotApplicableError as error:
        return str(error)
    return ""


class FirstAndLastToken(NamedTuple):
    first: int
    last: int


def find_declared_name_token_ranges(pieces: Sequence[Token], name: str) -> list[FirstAndLastToken]:
    """Where the name is declared, by its first and its last token: outside any bracket, with parameters behind it. An
    operator's name is several tokens. The last place is the definition's. Raises NotApplicableError where there is
    none."""
    words = [piece.text for piece in read_tokens_without_literals_and_directives(name)]
    texts = [piece.text for piece in pieces]
    depth = 0
    found: list[FirstAndLastToken] = []
    for number, text in enumerate(texts):
        end = number + len(words)
        if depth == 0 and texts[number:end] == words and texts[end : end + 1] == ["("]:
            found.append(FirstAndLastToken(number, end - 1))
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(text, 0)
    if not found:
        raise NotApplicableError("its definition can't be found in the text")
    return found


def rename_definition(text: str, name: str, new: str) -> str:
    """The text with its definition of the function `name` under another name; what its body calls keeps its name.
    Raises NotApplicableError when no definition is found."""
    pieces = read_tokens_without_literals_and_directives(text)
    for first, last in reversed(find_declared_name_token_ranges(pieces, name)):
        text = text[: pieces[first].at] + new + text[pieces[last].end :]
    return text


def make_gold_and_candidate_names(tag: str, count: int) -> list[str]:
    """What the gold's function is called, and those of `count` candidates."""
    return [f"graft_gold{tag}", *(f"graft_candidate{number}{tag}" for number in range(count))]


def find_constants_and_compared_names(definition: str, excluded_names: Sequence[str]) -> tuple[str, ...]:
    """The numbers, the macros' constants and the functions that the body compares with or branches on, as far as its
    words tell: what a state may be changed to."""
    parts = split_definition(definition)
    body = parts.body if parts else ""
    declared = set(_DECLARED_NAME.findall(body))
    words = (*_LITERAL.findall(body), *_CAPITALS.findall(body), *(a or b for a, b in _COMPARED_NAME.findall(body)))
    return tuple(dict.fromkeys(word for word in words if word not in declared and word not in excluded_names))


def write_address_lookup_function(shape: Shape, constants: Sequence[str], tag: str) -> str:
    """The function that gives the address of a variable by its number, and behind these the `constants`."""
    values = [f"&{word}" for word, _ in shape.variables] + [f"(long)({word})" for word in constants]
    cases = "\n".join(f"    case {number}: return (void *){value};" for number, value in enumerate(values))
    return f"void *graft_global{tag}(int number) {{\n    switch (number) {{\n{cases}\n    }}\n    return 0;\n}}\n"


@dataclass(frozen=True, slots=True)
class FunctionPlace:
    """Where the bodies go: the file's text, the function's lines and its name in it, without qualifiers. The end of a
    header isn't the unit's."""

    source: bytes
    span: Span
    name: str
    is_header: bool = False

    def read_gold(self) -> str:
        """The function's own text."""
        return read_definition_at(self.source, self.span)

    def replace_function_with_texts(
        self, texts: Sequence[str], lines_after_gold: Sequence[str], before_gold: str, file_end: str
    ) -> bytes:
        """The file with these definitions in the function's place, of the gold first, and between it and the others
        `lines_after_gold`, which call them; `file_end` ends the file. All bodies call themselves by the function's
        name."""
        own_names = [f'#define {word} "{self.name}"' for word in _OWN_NAMES]
        gold, *others = _give_shared_helpers_names_of_their_own([f"#line {self.span.first}\n{text}" for text in texts])
        undone = [f"#undef {word}" for word in _OWN_NAMES]
        lines = [before_gold, *own_names, gold, *lines_after_gold, *others, *undone, f"#line {self.span.last + 1}"]
        text = splice_function(self.source, self.span, "\n".join(lines))
        return text + encode_source(f"\n{file_end}") if file_end else text


def _give_shared_helpers_names_of_their_own(texts: Sequence[str]) -> list[str]:
    """The texts, in which a helper's name that several define is another in each, by the preprocessor: the compiler
    would refuse the second of them, or take one for the other."""
    defined = [
        {
            name
            for item in list_functions_constants_and_enums(text, "cpp")
            for name in item.names
            if name.isidentifier() and not item.in_class
        }
        for text in texts
    ]
    count = Counter(chain.from_iterable(defined))
    renamed = []
    for number, (text, names) in enumerate(zip(texts, defined, strict=True)):
        shared = sorted(name for name in names if count[name] > 1)
        made = [f"#define {name} {name}_graft{number}" for name in shared]
        renamed.append("\n".join((*made, text, *(f"#undef {name}" for name in shared))))
    return renamed


def insert_bodies_behind_dispatcher(
    place: FunctionPlace, candidates: Sequence[str], tag: str, shape: Shape, constants: Sequence[str] = ()
) -> bytes:
    """The file with the gold's body and the candidates' in the function's place; `tag` keeps our names apart from all
    others. The address of the shape's variables and the `constants` can be asked for, in a header none. Calls of its
    callees are noted. The candidates' texts come last: what they define for the preprocessor doesn't reach the gold.
    Raises NotApplicableError."""
    name, callees, is_void = place.name, shape.callees, shape.result is None
    gold = place.read_gold()
    parts = split_definition(gold)
    if parts is None:
        raise NotApplicableError("its body can't be found")
    header = parts.header
    arguments = shape.names
    first, *others = names = make_gold_and_candidate_names(tag, len(candidates))
    given = ", ".join(arguments)
    storage = (
        "static"
        if any(piece.text == "static" for piece in read_tokens_without_literals_and_directives(header))
        else "extern"
    )
    if storage == "extern" and any(
        piece.text in ("inline", "__inline") for piece in read_tokens_without_literals_and_directives(header)
    ):
        raise NotApplicableError("it is inline and not static")
    values = [f"(void *)&{argument}" for argument in arguments]
    values += [] if is_void else [f"(void *)&graft_result{tag}"]
    made = "" if is_void else f"__typeof__({first}({given})) graft_result{tag};"
    kept = "" if is_void else f"graft_result{tag} = "
    back = "" if is_void else f"return graft_result{tag};"
    body = f"graft_body{tag}"
    cases = "\n".join(f"    case {n}: {body} = {other}; break;" for n, other in enumerate(others, start=2))
    global_ = "0" if place.is_header else f"graft_global{tag}"
    declared = [
        f"extern int graft_enter{tag}(void **, void *(*)(int));",
        f"extern void graft_leave{tag}(void), graft_ready{tag}(void);",
        "" if place.is_header else f"static void *graft_global{tag}(int);",
        *(f"{storage} __typeof__({first}) {other};" for other in others),
    ]
    dispatcher = f"""{header}{{
    {made}
    void *graft_values{tag}[] = {{{", ".join((*values, "0"))}}};
    int graft_side{tag} = graft_enter{tag}(graft_values{tag}, {global_});
    /* No body may be compiled into this frame: what lies in its own is told by the address. */
    __typeof__({first}) *volatile {body} = {first};
    switch (graft_side{tag}) {{
{cases}
    }}
    graft_ready{tag}();
    {kept}{body}({given});
    graft_leave{tag}();
    {back}
}}"""
    texts = [
        redirect_calls_to_stubs(rename_definition(text, name, new), callees, tag)
        for text, new in zip((gold, *candidates), names, strict=True)
    ]
    after = "" if place.is_header else f"static {write_address_lookup_function(shape, constants, tag)}"
    return place.replace_function_with_texts(texts, [*declared, dispatcher], make_call_stubs(callees, tag), after)
