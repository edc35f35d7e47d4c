"""Prevents: a stub or a damage report that takes an initialiser for the body, or an `#if` for code; leading includes
that are cut off inside a comment or a conditional, or behind a declaration, which changes what the unit means; a
changed line ending or byte outside a spliced span; a template or a local function taken for one that the linker
shares, so that old copies stay in the tested program."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor.function.definition import split_definition
from executor.function.header_function import classify_function_by_compiled_copies
from executor.function.leading_includes import split_leading_includes
from executor.function.splice import splice_function
from index.errors import TaskError
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
    file = before + b"int hole()\n{\n}\n"
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


@pytest.mark.parametrize(
    ("data", "code", "expected"),
    [
        (b"a\nb\nc\n", "X", b"a\nX\nc\n"),
        (b"a\nb\nc\n", "X\n", b"a\nX\nc\n"),
        (b"a\nb\nc\n", "X\nY", b"a\nX\nY\nc\n"),
        (b"a\r\nb\r\nc\r\n", "X\n", b"a\r\nX\r\nc\r\n"),
        (b"a\r\nb\nc\r\n", "X\r\n", b"a\r\nX\nc\r\n"),
        (b"a\nb", "X\n", b"a\nX"),
        (b"a\rx\nb\nc", "X", b"a\rx\nX\nc"),
        (b"a\nb\xff\nc", "\udcff\ud800", b"a\n??\nc"),
        (b"a\nb\nc", "\udcff", b"a\n\xff\nc"),
    ],
)
def test_line_endings(data: bytes, code: str, expected: bytes) -> None:
    assert splice_function(data, Span(2, 2), code) == expected


@pytest.mark.parametrize("span", [Span(0, 1), Span(2, 1), Span(2, 4)])
def test_a_span_outside_the_file_is_named(span: Span) -> None:
    with pytest.raises(TaskError, match=r"span \d+..\d+ lies outside the file, which has 3 lines"):
        splice_function(b"a\nb\nc\n", span, "x")


@pytest.mark.parametrize(
    ("source", "kind", "names"),
    [
        ("struct Box {\n  int size() const { return 1; }\n};", "inline", "Box size"),
        ("inline int free_one(int a)\n{ return a; }", "inline", "free_one"),
        (
            "namespace n {\nclass Box : B<int> {\n Box & operator*=(int a) { return a; }\n};\n}",
            "inline",
            "Box operator",
        ),
        ("struct S { static int f() { return 1; } };", "inline", "S f"),
        ("struct S {\n template <class T>\n T get() { return T(); }\n};", "copied", "S get"),
        ("template <typename T>\nclass Box final {\n  void clear() { }\n};", "copied", "Box clear"),
        ("template <typename T>\nvoid Box<T>::clear()\n{ }", "copied", "Box clear"),
        ("static inline int local(void)\n{ return 1; }", "copied", "local"),
        ("namespace {\nint local() { return 1; }\n}", "copied", "local"),
        ("constexpr int square(int a) { return a * a; }", "folded", "square"),
        ("inline __attribute__((always_inline)) int hot(int a) { return a; }", "folded", "hot"),
        ('const char *s = "template <class T> {";\n// template <x> {\ninline int f() { return 1; }', "inline", "f"),
        ("template <class T> struct Before {};\ninline int f() { return 1; }", "inline", "f"),
        ("struct API Odd {\n  int f() { return 1; }\n};", "inline", "f"),
        ("struct S {\n  ~S() { }\n};", "inline", "S"),
        ("inline bool operator==(const A& a, const A& b)\n{ return true; }", "inline", "operator"),
        (
            "class Box {\n  struct Bits { int a; };\n  END()\n\n  Bits bits() const { return b; }\n};",
            "inline",
            "Box bits",
        ),
        ("inline S::S(int a) : x(a)\n{ }", "inline", "S"),
        ("struct S {\n\tS(int a) : x(a) { }\n};", "inline", "S"),
        ("inline int\nf(int a)\n{ return a; }", "inline", "f"),
    ],
)
def test_what_a_headers_function_is_to_the_linker(source: str, kind: str, names: str) -> None:
    # The line of the last function head: the last one with a parameter list.
    lines = enumerate(source.split("\n"), 1)
    line = max(number for number, text in lines if "(" in text and "//" not in text)
    found = classify_function_by_compiled_copies(source, Span(line, line))
    assert (found.kind, found.names) == (kind, tuple(names.split()))


SOURCE = "struct Box {\n  int grow(int by, int most = 3) const {\n    return by;\n  }\n};\n"


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("inline", "  int grow(int by, int most = 3) const {\n    return by;\n  }\n"),
        ("inline", "int grow( int by , int most=3 ) const // why\n{ if (by) { return most; } return 0; }"),
        ("inline", "int grow(int by, int most = 3) const {\n#ifdef X\n  return 1;\n#else\n  return 2;\n#endif\n}"),
        ("folded", "int grow(long by, int most = 3) const { return by; }"),
        ("folded", "int grow(int by, int most = 4) const { return by; }"),
        ("folded", "int grow(int by, int most = 3) { return by; }"),
        ("folded", "static int grow(int by, int most = 3) const { return by; }"),
        ("folded", "long grow(int by, int most = 3) const { return by; }"),
        ("folded", "int helper() { return 1; }\nint grow(int by, int most = 3) const { return helper(); }"),
        ("folded", "int grow(int by, int most = 3) const { return by; }\nint helper() { return 1; }"),
        ("folded", "int grow(int by, int most = 3) const { return by; }\nint extra;"),
        ("folded", "int grow(int by, int most = 3) const {\n#define Box Crate\n  return by; }"),
        ("folded", "int grow(int by, int most = 3) const { return by; } } ; struct Other {"),
        ("folded", "no function at all"),
    ],
)
def test_more_than_another_body_is_never_overridden(kind: str, code: str) -> None:
    """The old callers would go on to call the original, and a wrong answer would pass."""
    assert classify_function_by_compiled_copies(SOURCE, Span(2, 4), code).kind == kind


def test_openings_of_comments_are_read_in_linear_time() -> None:
    """A candidate's text of 256 KiB of `/* ` held the host for minutes: each opening looked for its own end."""
    text = "/* " * (256 * 1024 // 3)
    began = time.process_time()
    classify_function_by_compiled_copies("int f() { return 1; }\n", Span(1, 1), text)
    classify_function_by_compiled_copies(text, Span(1, 1))
    assert time.process_time() - began < 5
