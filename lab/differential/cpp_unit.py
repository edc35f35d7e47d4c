"""The text of a C++ unit that holds both bodies: as c_unit.py does for C, with methods, references and exceptions."""

from __future__ import annotations

from collections.abc import Sequence

from executor.function.definition import (
    find_closing_bracket_or_last_index,
    read_tokens_without_literals_and_directives,
    split_definition,
)
from executor.grading.differential import NotApplicableError
from index.cpp.tokens import remove_comments
from index.source_text import decode_source, encode_source
from lab.differential.c_unit import (
    FunctionPlace,
    find_declared_name_token_ranges,
    make_gold_and_candidate_names,
    rename_definition,
    write_address_lookup_function,
)
from lab.differential.dwarf_shapes import Shape

# Of a method that overrides another: its copies under other names override none.
_OVERRIDING = ("virtual", "override", "final")


def insert_cpp_bodies_behind_dispatcher(
    place: FunctionPlace, candidates: Sequence[str], tag: str, shape: Shape, constants: Sequence[str] = ()
) -> bytes:
    """As insert_bodies_behind_dispatcher does. A header's variables can't be asked for. A function that is defined
    outside its class needs `declare_bodies_in_class`. Raises NotApplicableError."""
    gold, name = place.read_gold(), place.name
    names = make_gold_and_candidate_names(tag, len(candidates))
    header = _read_function_header(gold)
    declared: list[str] = []
    if shape.member is None and not any(
        piece.text == "friend" for piece in read_tokens_without_literals_and_directives(header)
    ):
        declared = [
            f"{_strip_comments_and_join_lines(rename_definition(header, name, other))};" for other in names[1:]
        ]
    dispatcher = _write_dispatcher(header, names, tag, shape, "0" if place.is_header else f"graft_global{tag}")
    texts = [
        _rename_and_strip_override_words(text, name, new) for text, new in zip((gold, *candidates), names, strict=True)
    ]
    after = ""
    if not place.is_header:
        after = f'void *graft_global{tag}(int) __asm__("graft_global{tag}");\n'
        after += write_address_lookup_function(shape, constants, tag)
    return place.replace_function_with_texts(texts, [*declared, dispatcher], "", after)


def _write_dispatcher(header: str, bodies: Sequence[str], tag: str, shape: Shape, variable_lookup: str) -> str:
    names = shape.names
    refers = [shape.is_reference(kind) for kind in shape.arguments]
    is_method = names[:1] == ("this",)
    # Pointers in the place of references and of `this`, so that a fork can be given another object.
    kept = [f"void *graft_at{n}{tag} = (void *){_write_address(name)};" for n, name in enumerate(names) if refers[n]]
    values = [
        f"(void *)&graft_at{n}{tag}" if refers[n] else f"(void *){_write_address(name)}"
        for n, name in enumerate(names)
    ]
    given = [
        f"static_cast<__decltype({name})>(*(__decltype({_write_address(name)}))graft_at{n}{tag})"
        if refers[n]
        else name
        for n, name in enumerate(names)
    ]
    call = f"((__decltype(this))graft_at0{tag})->{{}}" if is_method else "{}"
    call += f"({', '.join(given[is_method:])})"
    labels = ["default", *(f"case {n}" for n in range(2, len(bodies) + 1))]
    cases = "\n".join(
        f"    {label}: {_write_call_storing_and_returning_result(call.format(body), tag, shape)}"
        for label, body in zip(labels, bodies, strict=True)
    )
    declared = "\n".join(
        f'    extern {result} {word}{tag}({taken}) __asm__("{word}{tag}");'
        for result, word, taken in (
            ("int", "graft_enter", "void **, void *(*)(int)"),
            ("void", "graft_ready", "void"),
            ("void", "graft_leave", "void"),
            ("void", "graft_threw", "void"),
            *((("void *", "graft_global", "int"),) if variable_lookup != "0" else ()),
        )
    )
    return f"""{header}{{
{declared}
    {" ".join(kept)}
    void *graft_values{tag}[] = {{{", ".join((*values, "0", "0"))}}};
#ifdef __EXCEPTIONS
    try {{
#endif
    int graft_side{tag} = graft_enter{tag}(graft_values{tag}, {variable_lookup});
    graft_ready{tag}();
    switch (graft_side{tag}) {{
{cases}
    }}
#ifdef __EXCEPTIONS
    }} catch (...) {{
        graft_threw{tag}();
        throw;
    }}
#endif
}}"""


def _write_call_storing_and_returning_result(call: str, tag: str, shape: Shape) -> str:
    if shape.result is None:
        return f"{call}; graft_leave{tag}(); return;"
    result = f"graft_result{tag}"
    made, place = f"__decltype({call}) {result} = {call};", f"graft_values{tag}[{len(shape.names)}]"
    stored, back = f"{place} = (void *){_write_address(result)};", result
    if shape.is_reference(shape.result):
        stored = f"void *graft_pointer{tag} = (void *){_write_address(result)}; {place} = (void *)&graft_pointer{tag};"
        back = f"static_cast<__decltype({call})>({result})"
    return f"{{ {made} {stored} graft_leave{tag}(); return {back}; }}"


def _write_address(name: str) -> str:
    return "this" if name == "this" else f"__builtin_addressof({name})"


def _read_function_header(text: str) -> str:
    parts = split_definition(text)
    if parts is None:
        raise NotApplicableError("its body can't be found")
    if parts.initialisers:
        raise NotApplicableError("it is a constructor or a destructor")
    return parts.header


def _rename_and_strip_override_words(text: str, name: str, new: str) -> str:
    """The definition under another name, as a method that overrides none."""
    text = rename_definition(text, name, new)
    header = _read_function_header(text)
    return _remove_words(header, _OVERRIDING) + text[len(header) :]


def _remove_words(header: str, words: Sequence[str]) -> str:
    for piece in reversed(read_tokens_without_literals_and_directives(header)):
        if piece.text in words:
            header = header[: piece.at] + header[piece.end :]
    return header


def is_defined_outside_class(definition: str, name: str) -> bool:
    """Whether a qualifier names the class: the definition stands outside it."""
    pieces = read_tokens_without_literals_and_directives(_read_function_header(definition))
    first = find_declared_name_token_ranges(pieces, name)[-1][0]
    return first > 0 and pieces[first - 1].text == "::"


def declare_bodies_in_class(
    source: bytes, class_line: int, gold: str, name: str, candidate_count: int, tag: str, *, is_static: bool
) -> bytes:
    """The file with the gold's and `candidate_count` candidates' new names declared in the class whose name stands on
    `class_line`; no line moves. Raises NotApplicableError."""
    header = _remove_words(_read_function_header(gold), _OVERRIDING)
    pieces = read_tokens_without_literals_and_directives(header)
    number, last = find_declared_name_token_ranges(pieces, name)[-1]
    begin = number
    while begin >= 2 and pieces[begin - 1].text == "::" and pieces[begin - 2].text.isidentifier():
        begin -= 2
    if "<" in (piece.text for piece in pieces[:begin]) and pieces[0].text == "template":
        raise NotApplicableError("it is a template")
    before, after = header[: pieces[begin].at], header[pieces[last].end :]
    storage = "static " if is_static else ""
    declared = " ".join(
        _strip_comments_and_join_lines(f"{storage}{before}{new}{after};")
        for new in make_gold_and_candidate_names(tag, candidate_count)
    )
    text = decode_source(source)
    start = sum(len(found) + 1 for found in text.split("\n")[: class_line - 1])
    tokens = read_tokens_without_literals_and_directives(text[start:])
    opening = next((n for n, piece in enumerate(tokens) if piece.text in "{;"), None)
    if opening is None or tokens[opening].text == ";":
        raise NotApplicableError("its class can't be found")
    at = start + tokens[find_closing_bracket_or_last_index(tokens, opening)].at
    return encode_source(f"{text[:at]} public: {declared} {text[at:]}")


def _strip_comments_and_join_lines(text: str) -> str:
    return " ".join(remove_comments(text).split())
