"""The text of a unit that holds both bodies, and the function between them that its callers reach."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from executor.function.definition import (
    Token,
    find_closing_bracket,
    read_code_tokens,
    split_at_commas,
    split_definition,
)
from executor.function.splice import splice_function
from executor.grading.differential import NotApplicableError
from index.source_text import BOM, decode_source, encode_source, split_byte_lines_keeping_ends
from index.values import Span
from lab.differential.dwarf_shapes import Shape
from lab.differential.noted_calls import make_call_stubs, redirect_calls_to_stubs

_OWN_NAMES = ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__")
UNDEFINE_OWN_NAME = "\n".join(f"#undef {word}" for word in _OWN_NAMES)
_LITERAL = re.compile(r"(?<![\w.\"'])(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*(?![\w.\"'])|(?<!\w)'(?:[^'\\\n]|\\.)'")
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9_]{2,}\b(?!\s*[(\"])")
_COMPARED_NAME = re.compile(r"[!=]=\s*([a-z_]\w*)\b(?!\s*[(\[.-])|\b(?<![.>])([a-z_]\w*)\s*[!=]=")
_DECLARED_NAME = re.compile(r"[\w*]\s+\**([a-z_]\w*)\s*(?=[=;,\[])")
_POINTER_TO_FUNCTION = re.compile(r"\( (?:\*|const|volatile|restrict| )*\* (?:(?:const|volatile|restrict) )*(\w+)")


def find_parameter_names(definition: str, name: str) -> tuple[str, ...]:
    """The names of the function's parameters, in order. Raises NotApplicableError where they can't be told."""
    parts = split_definition(definition)
    pieces = read_code_tokens(parts.header) if parts else []
    places = _locate_name_declarations(pieces, name)
    if not places:
        raise NotApplicableError("its header can't be read")
    opening = places[-1][1] + 1
    found: list[str] = []
    for part in split_at_commas(pieces[opening + 1 : find_closing_bracket(pieces, opening)]):
        words = [piece.text for piece in part]
        if words == ["void"]:
            continue
        if "..." in words or words[-1] == ".":
            raise NotApplicableError("it takes any number of arguments")
        found.append(_read_parameter_name(words))
    return tuple(found)


def _read_parameter_name(words: Sequence[str]) -> str:
    pointer = _POINTER_TO_FUNCTION.search(" ".join(words))
    if pointer:
        return pointer[1]
    plain = [word for word in (words[: words.index("[")] if "[" in words else words) if word.isidentifier()]
    if len(plain) < 2:
        raise NotApplicableError("a parameter has no name")
    return plain[-1]


def has_static_variable(definition: str) -> bool:
    """Whether a body has a `static` variable, of which each body here would have its own."""
    parts = split_definition(definition)
    pieces = read_code_tokens(parts.body) if parts else []
    pairs = zip(pieces, [*pieces[1:], None], strict=True)
    return any(piece.text == "static" and (after is None or after.text != "const") for piece, after in pairs)


def explain_unusable_body(definition: str, name: str) -> str:
    """Why a body can't stand beside another, or ""."""
    if has_static_variable(definition):
        return "it keeps a static variable of its own"
    try:
        rename_definition(definition, name, "graft")
    except NotApplicableError as error:
        return str(error)
    return ""


def has_static_constant(definition: str) -> bool:
    """Whether a body has a static constant of its own."""
    parts = split_definition(definition)
    return parts is not None and any(piece.text == "static" for piece in read_code_tokens(parts.body))


def _locate_name_declarations(pieces: Sequence[Token], name: str) -> list[tuple[int, int]]:
    """Where the name is declared, by its first and its last token: outside any bracket, with parameters behind it. An
    operator's name is several tokens."""
    words = [piece.text for piece in read_code_tokens(name)]
    texts = [piece.text for piece in pieces]
    depth = 0
    found: list[tuple[int, int]] = []
    for number, text in enumerate(texts):
        end = number + len(words)
        if depth == 0 and texts[number:end] == words and texts[end : end + 1] == ["("]:
            found.append((number, end - 1))
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(text, 0)
    return found


def find_defined_name(pieces: Sequence[Token], name: str) -> tuple[int, int]:
    """The first and the last token of the defined name. Raises NotApplicableError."""
    places = _locate_name_declarations(pieces, name)
    if not places:
        raise NotApplicableError("its definition can't be found in the text")
    return places[-1]


def rename_definition(text: str, name: str, new: str) -> str:
    """The text with its definition of the function `name` under another name; what its body calls keeps its name.
    Raises NotApplicableError when no definition is found."""
    pieces = read_code_tokens(text)
    find_defined_name(pieces, name)
    for first, last in reversed(_locate_name_declarations(pieces, name)):
        text = text[: pieces[first].at] + new + text[pieces[last].end :]
    return text


def read_gold_text(source: bytes, span: Span) -> str:
    lines = split_byte_lines_keeping_ends(source.removeprefix(BOM))
    return decode_source(b"".join(lines[span.first - 1 : span.last]).removesuffix(b"\n"))


def make_gold_name(tag: str) -> str:
    return f"graft_gold{tag}"


def make_candidate_names(tag: str, count: int) -> list[str]:
    return [f"graft_candidate{number}{tag}" for number in range(count)]


def write_own_name_macros(name: str) -> str:
    """All bodies call themselves by the function's name."""
    return "\n".join(f'#define {word} "{name}"' for word in _OWN_NAMES)


def find_branch_constants(definition: str, parameters: Sequence[str]) -> tuple[str, ...]:
    """The numbers, the macros' constants and the functions that the body compares with or branches on, as far as its
    words tell: what a state may be changed to."""
    parts = split_definition(definition)
    body = parts.body if parts else ""
    declared = set(_DECLARED_NAME.findall(body))
    words = (*_LITERAL.findall(body), *_CAPITALS.findall(body), *(a or b for a, b in _COMPARED_NAME.findall(body)))
    return tuple(dict.fromkeys(word for word in words if word not in declared and word not in parameters))


def write_address_lookup_function(shape: Shape, numbers: Sequence[str], tag: str) -> str:
    """The function that gives the address of a variable by its number, and behind these the `numbers`."""
    values = [f"&{word}" for word, _ in shape.variables] + [f"(long)({word})" for word in numbers]
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


def insert_all_bodies(
    place: FunctionPlace, candidates: Sequence[str], tag: str, shape: Shape, numbers: Sequence[str] = ()
) -> bytes:
    """The file with the gold's body and the candidates' in the function's place; `tag` keeps our names apart from all
    others. The address of the shape's variables and the `numbers` can be asked for, in a header none. Calls of its
    callees are noted. The candidates' texts come last: what they define for the preprocessor doesn't reach the gold.
    Raises NotApplicableError."""
    source, span, name, is_header = place.source, place.span, place.name, place.is_header
    callees, is_void = shape.callees, shape.result is None
    gold = read_gold_text(source, span)
    parts = split_definition(gold)
    if parts is None:
        raise NotApplicableError("its body can't be found")
    header = parts.header
    arguments = find_parameter_names(gold, name)
    first = make_gold_name(tag)
    others = make_candidate_names(tag, len(candidates))
    given = ", ".join(arguments)
    storage = "static" if any(piece.text == "static" for piece in read_code_tokens(header)) else "extern"
    if storage == "extern" and any(piece.text in ("inline", "__inline") for piece in read_code_tokens(header)):
        raise NotApplicableError("it is inline and not static")
    values = [f"(void *)&{argument}" for argument in arguments]
    values += [] if is_void else [f"(void *)&graft_result{tag}"]
    made = "" if is_void else f"__typeof__({first}({given})) graft_result{tag};"
    kept = "" if is_void else f"graft_result{tag} = "
    back = "" if is_void else f"return graft_result{tag};"
    body = f"graft_body{tag}"
    cases = "\n".join(f"    case {n}: {body} = {other}; break;" for n, other in enumerate(others, start=2))
    global_ = "0" if is_header else f"graft_global{tag}"
    declared = "\n".join(f"{storage} __typeof__({first}) {other};" for other in others)
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
    gold_text = redirect_calls_to_stubs(rename_definition(gold, name, first), callees, tag)
    texts = (
        redirect_calls_to_stubs(rename_definition(text, name, other), callees, tag)
        for text, other in zip(candidates, others, strict=True)
    )
    candidate_text = "\n".join(f"#line {span.first}\n{text}" for text in texts)
    text = f"""{make_call_stubs(callees, tag)}
{write_own_name_macros(name)}
#line {span.first}
{gold_text}
extern int graft_enter{tag}(void **, void *(*)(int));
extern void graft_leave{tag}(void), graft_ready{tag}(void);
{"" if is_header else f"static void *graft_global{tag}(int);"}
{declared}
{dispatcher}
{candidate_text}
{UNDEFINE_OWN_NAME}
#line {span.last + 1}"""
    after = "" if is_header else f"\nstatic {write_address_lookup_function(shape, numbers, tag)}"
    return splice_function(source, span, text) + encode_source(after)
