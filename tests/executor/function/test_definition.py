"""Bug prevented: a stub or a damage report that takes an initialiser for the body, or an `#if` for code; leading
includes that are cut off inside a comment or a conditional, or behind a declaration, which changes what the unit
means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor.function.definition import split_definition
from executor.function.leading_includes import split_leading_includes
from index.values import Span


@pytest.mark.parametrize(
    ("text", "header", "initialisers"),
    [
        ("int f(void) { return 1; }", "int f(void) ", ""),
        ("A::A(int x) : a(x), b{x}, c<int>{1} { go(); }", "A::A(int x) ", ": a(x), b{x}, c<int>{1} "),
        ("A::A() noexcept(true) : a{} {}", "A::A() noexcept(true) ", ": a{} "),
        ("auto f(int x = {1}) -> decltype(x) {\n}", "auto f(int x = {1}) -> decltype(x) ", ""),
        ("template <class T> T A<T>::f() const & { return {}; }", "template <class T> T A<T>::f() const & ", ""),
        ("/* { */ int f() // {\n{ }", "/* { */ int f() // {\n", ""),
        ("#define X {\nint f() { }", "#define X {\nint f() ", ""),
        ('NO_SANITIZE("{")\nint f(int x) { }', 'NO_SANITIZE("{")\nint f(int x) ', ""),
        ("int f(a) int a; { return a; }", "int f(a) int a; ", ""),
    ],
)
def test_header(text: str, header: str, initialisers: str) -> None:
    definition = split_definition(text)
    assert definition is not None
    assert (definition.header, definition.initialisers) == (header, initialisers)


def test_branches_that_open_more_braces_than_they_close() -> None:
    text = "int f(void) {\n#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}  // f\n"
    definition = split_definition(text)
    assert definition is not None
    assert definition.body.startswith("{\n#ifdef A") and definition.body.endswith("  }\n}")
    assert definition.tail == "  // f\n"


@pytest.mark.parametrize("text", ["", "int f(void);", "return x;", "int x = 3", "}", "int f(void) {", "'{' }"])
def test_no_body(text: str) -> None:
    assert split_definition(text) is None


@given(st.text(alphabet=st.sampled_from("ab(){}[]<>:;,\"'/*#\\\n R"), max_size=60))
def test_any_text_comes_apart_without_loss(text: str) -> None:
    definition = split_definition(text)
    if definition is not None:
        assert definition.header + definition.initialisers + definition.body + definition.tail == text
        assert definition.body[0] == "{" and definition.body[-1] == "}"


HOLE = b"int hole()\n{\n}\n"


@pytest.mark.parametrize(
    ("before", "taken"),
    [
        (b"#include <a>\n#include <b>\nint x;\n#include <c>\n", 2),
        (b"// a licence\n\n/* with\n two lines */\n#define A 1\n  #  include <a>\n#define B 2\nint x;\n", 6),
        (b'#include "a" /* goes\n on */\nint x;\n', 2),
        (b"/* ends here */ int x;\n#include <a>\n", 0),
        (b"/* goes\n on */ int x;\n#include <a>\n", 0),
        (b"#ifdef A\n#include <a>\n#endif\nint x;\n", 3),
        (b"#include <a>\n#ifdef A\n#include <b>\nint x;\n#endif\n", 1),
        (b"#if A\n#if B\n#include <a>\n#endif\n#else\n#endif\nint x;\n", 6),
        (b"#define A \\\n  int y;\n#include <a>\n", 3),
        (b'#define URL "http://x" /* " */\n#include <a>\nint x;\n', 2),
        (b"#pragma pack(1)\n#include <a>\n", 0),
        (b"#include <a>\n#line 7\n#include <b>\n", 1),
        (b"int x;\n#include <a>\n", 0),
        (b"#include <a>\r\n#include <b>\r\nint x;\r\n", 2),
        (b"/* never closed\n#include <a>\n", 0),
        (b"", 0),
    ],
)
def test_only_whole_directives_before_the_first_declaration_are_taken(before: bytes, taken: int) -> None:
    file = before + HOLE
    found = split_leading_includes(file, Span(before.count(b"\n") + 1, before.count(b"\n") + 3))
    assert (0 if found is None else found.text.count(b"\n")) == taken
    if found is not None:
        assert file.startswith(found.text)
        assert found.rest == b"\n" * taken + file[len(found.text) :], "each line keeps its number"


def test_nothing_of_the_draft_is_taken() -> None:
    file = b"#include <a>\n#include <draft>\n#include <b>\nint x;\n"
    found = split_leading_includes(file, Span(2, 2))
    assert found is not None and found.text == b"#include <a>\n"
    assert split_leading_includes(file, Span(1, 2)) is None
