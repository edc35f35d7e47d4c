"""Bug prevented: a stub or a damage report that takes an initialiser for the body, or an `#if` for code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor.function.definition import split_definition


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
