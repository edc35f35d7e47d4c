"""Prevents: a template or a local function taken for one that the linker shares, so that old copies stay in the
tested program."""

from __future__ import annotations

import time

import pytest

from executor.function.header_function import classify_header_function
from index.values import Span

CASES = {
    "struct Box {\n  int size() const { return 1; }\n};": ("inline", ("Box", "size")),
    "inline int free_one(int a)\n{ return a; }": ("inline", ("free_one",)),
    "namespace n {\nclass Box : public Base<int> {\n Box & operator*=(int a) { return *this; }\n};\n}": (
        "inline",
        ("Box", "operator"),
    ),
    "struct S { static int f() { return 1; } };": ("inline", ("S", "f")),
    "struct S {\n template <class T>\n T get() { return T(); }\n};": ("copied", ("S", "get")),
    "template <typename T>\nclass Box final {\n  void clear() { }\n};": ("copied", ("Box", "clear")),
    "template <typename T>\nvoid Box<T>::clear()\n{ }": ("copied", ("Box", "clear")),
    "static inline int local(void)\n{ return 1; }": ("copied", ("local",)),
    "namespace {\nint local() { return 1; }\n}": ("copied", ("local",)),
    "constexpr int square(int a) { return a * a; }": ("folded", ("square",)),
    "inline __attribute__((always_inline)) int hot(int a) { return a; }": ("folded", ("hot",)),
    'const char *note = "template <class T> {";\n// template <x> {\ninline int f() { return 1; }': (
        "inline",
        ("f",),
    ),
    "template <class T> struct Before {};\ninline int f() { return 1; }": ("inline", ("f",)),
    "struct API Odd {\n  int f() { return 1; }\n};": ("inline", ("f",)),
    "struct S {\n  ~S() { }\n};": ("inline", ("S",)),
    "inline bool operator==(const A& a, const A& b)\n{ return true; }": ("inline", ("operator",)),
    "class Box {\n  struct Bits { int a; };\n  END_PACK()\n\n  Bits bits() const { return b; }\n};": (
        "inline",
        ("Box", "bits"),
    ),
    "inline S::S(int a) : x(a)\n{ }": ("inline", ("S",)),
}


def _first_line(source: str) -> int:
    """The line of the last function head: the last one with a parameter list."""
    lines = source.split("\n")
    return max(number for number, line in enumerate(lines, 1) if "(" in line and "//" not in line)


@pytest.mark.parametrize("source", CASES, ids=lambda text: text.split("{")[0].replace("\n", " ").strip())
def test_kind_and_names(source: str) -> None:
    line = _first_line(source)
    found = classify_header_function(source, Span(line, line))
    assert (found.kind, found.names) == CASES[source]


SOURCE = "struct Box {\n  int grow(int by, int most = 3) const {\n    return by;\n  }\n};\n"
HOLE = Span(2, 4)


@pytest.mark.parametrize(
    "code",
    [
        "  int grow(int by, int most = 3) const {\n    return by;\n  }\n",
        "int grow( int by , int most=3 ) const // why\n{ if (by) { return most; } return 0; }",
        "int grow(int by, int most = 3) const {\n#ifdef X\n  return 1;\n#else\n  return 2;\n#endif\n}",
    ],
)
def test_another_body_keeps_the_kind(code: str) -> None:
    assert classify_header_function(SOURCE, HOLE, code).kind == "inline"


@pytest.mark.parametrize(
    "code",
    [
        "int grow(long by, int most = 3) const { return by; }",
        "int grow(int by, int most = 4) const { return by; }",
        "int grow(int by, int most = 3) { return by; }",
        "static int grow(int by, int most = 3) const { return by; }",
        "long grow(int by, int most = 3) const { return by; }",
        "int helper() { return 1; }\nint grow(int by, int most = 3) const { return helper(); }",
        "int grow(int by, int most = 3) const { return by; }\nint helper() { return 1; }",
        "int grow(int by, int most = 3) const { return by; }\nint extra;",
        "int grow(int by, int most = 3) const {\n#define Box Crate\n  return by; }",
        "int grow(int by, int most = 3) const { return by; } } ; struct Other {",
        "no function at all",
    ],
)
def test_more_than_another_body_is_never_overridden(code: str) -> None:
    """The old callers would go on to call the original, and a wrong answer would pass."""
    assert classify_header_function(SOURCE, HOLE, code).kind == "folded"


def test_openings_of_comments_are_read_in_linear_time() -> None:
    """A candidate's text of 256 KiB of `/* ` held the host for minutes: each opening looked for its own end."""
    text = "/* " * (256 * 1024 // 3)
    began = time.process_time()
    classify_header_function("int f() { return 1; }\n", Span(1, 1), text)
    classify_header_function(text, Span(1, 1))
    assert time.process_time() - began < 5
