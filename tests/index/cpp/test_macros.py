"""Prevents: a definition lost because a macro stands where the grammar has no place for one, and code lost because
a macro that does something was taken for an attribute."""

from __future__ import annotations

import pytest

from index.cpp.macros import MacroForm, learn_macros, prepare_parser_text, read_and_classify_macro_definitions


def blank_macros(source: bytes) -> bytes:
    """A text as the parser sees it, by the macros that it defines."""
    return prepare_parser_text(source, learn_macros(read_and_classify_macro_definitions(source))).source


def learnt(source: str) -> dict[str, MacroForm]:
    return learn_macros(read_and_classify_macro_definitions(source.encode()))


@pytest.mark.parametrize(
    ("source", "form"),
    [
        ("#define M static inline", MacroForm.ATTRIBUTE),
        ("#define M __attribute__((noinline))\n#define M", MacroForm.ATTRIBUTE),
        ("#  define M static \\\n  __forceinline /* why */", MacroForm.ATTRIBUTE),
        ("#define M(a) a __attribute__((aligned(16)))\n#define M(a) a", MacroForm.WRAPPER),
        ("#define M(a) __declspec(align(16)) a", MacroForm.WRAPPER),
        ("#define M(text) __attribute__((deprecated(text)))\n#define M(text)", MacroForm.ATTRIBUTE_CALL),
        ("#define M [[nodiscard]]", MacroForm.ATTRIBUTE),
        ("#define N inline\n#define M static N", MacroForm.ATTRIBUTE),
        ('#define M extern "C" {\n#define M', MacroForm.OPENING),
        ("#define M }\n#define M", MacroForm.CLOSING),
    ],
)
def test_attribute_like_macros_are_learnt(source: str, form: MacroForm) -> None:
    assert learnt(source)["M"] is form


@pytest.mark.parametrize(
    "source",
    [
        "#define M",
        "#define M(x)",
        "#define M 1",
        "#define M unknown_word",
        "#define M static\n#define M 7",
        "#define M(x) x",
        "#define M do { } while (0)",
        "#define M __attribute__((broken",
        "#define M }",
        "#define static inline",
    ],
)
def test_other_macros_are_not(source: str) -> None:
    assert learnt(source) == {}


def test_blanking_keeps_every_offset_and_spares_directives() -> None:
    source = b'#define A static\n#define D(m) __attribute__((deprecated(m)))\nD("x\ny") A int f();\n'
    out = blank_macros(source)
    assert len(out) == len(source)
    assert out.count(b"\n") == source.count(b"\n")
    assert out.endswith(b"     int f();\n")
    assert out.startswith(b"#define A static\n#define D(m)")


def test_a_comment_inside_a_define_is_blanked_and_one_behind_it_is_not() -> None:
    source = b"#define A(x) do { \\\n  f(x); /* why */ \\\n} while (0) /* end */\n/* doc */ int g();\n"
    assert blank_macros(source) == source.replace(b"/* why */", b" " * 9)


def test_an_attribute_macro_of_a_generated_header_counts_by_its_name() -> None:
    assert learnt("#define M JEMALLOC_ATTR(always_inline) static inline")["M"] is MacroForm.ATTRIBUTE


def test_an_argument_that_is_code_stays() -> None:
    source = b"#define ALIGNED(a) a __attribute__((aligned(16)))\nALIGNED(class) Vector {};\n"
    assert b"        class  Vector {};" in blank_macros(source)


def test_an_ordinary_word_counts_only_where_a_specifier_stands() -> None:
    source = b"#define local static\nlocal int f();\nint g() { int local = 3; return local; }\n"
    out = blank_macros(source)
    assert b"\n      int f();" in out
    assert b"int local = 3; return local;" in out
