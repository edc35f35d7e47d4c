"""Prevents: two texts that a compiler takes for one counting as different, a comment counting as code, and a
hostile file that takes minutes to split into tokens."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.cpp.tokens import (
    remove_comments,
    split_identifier,
    tokenize,
    tokenize_bytes_with_comments,
    tokenize_code_among_prose,
    tokenize_with_offsets,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a+++b", ["a", "++", "+", "b"]),
        ("x->y /* no */ // nor this\n<<= 1", ["x", "->", "y", "<<=", "1"]),
        ("// joined \\\n still a comment\nint", ["int"]),
        ("// joined \\\r\n still a comment\r\nint", ["int"]),
        ('"a // b" \'"\' L"w" u8"/*"', ['"a // b"', "'\"'", 'L"w"', 'u8"/*"']),
        ("1'000 1e-5f 0x1p+3 .5 1..2", ["1'000", "1e-5f", "0x1p+3", ".5", "1..2"]),
        ("#define A \\\n  B", ["#", "define", "A", "B"]),
        ('R"x(a "quoted" )" /* kept */ )x" + 1', ['R"x(a "quoted" )" /* kept */ )x"', "+", "1"]),
        ("a<=>b ... ::c ->* .*", ["a", "<=>", "b", "...", "::", "c", "->*", ".*"]),
        ('"never closed\nint', ['"never closed', "int"]),
        ("/* never closed", []),
    ],
)
def test_tokens_are_the_compilers(text: str, expected: list[str]) -> None:
    assert tokenize(text) == expected


@given(st.text(alphabet="ab1'\"/*\\\n #R()u8.+-<>", max_size=60))
def test_no_text_fails_and_offsets_point_at_the_tokens(text: str) -> None:
    placed = list(tokenize_with_offsets(text))
    assert [token for _, token in placed] == tokenize(text)
    assert all(text.startswith(token, at) for at, token in placed)


@pytest.mark.parametrize("unit", ["/*", "//", '"', "'", 'R"(', "1'a'", "\\", "/*/", 'R"abcdefghijklmnop'])
def test_time_grows_with_length_alone(unit: str) -> None:
    began = time.process_time()
    tokenize(unit * 200_000)
    remove_comments(unit * 200_000)
    assert time.process_time() - began < 5


@pytest.mark.parametrize("text", ["f(a, 'x', \"(\") // )", 'L"w" + u8"x" R"(a)" 1.5e+3 .5', "a->b::c[i] /* ] */"])
def test_every_form_of_the_lexer_reads_the_same_tokens(text: str) -> None:
    expected = tokenize(text)
    assert [t.text for t in tokenize_code_among_prose(text, 0, len(text))] == expected
    assert [
        t.decode() for t in tokenize_bytes_with_comments(text.encode()) if not t.startswith((b"//", b"/*"))
    ] == expected


def test_in_prose_an_apostrophe_opens_no_literal_unless_it_closes() -> None:
    text = "It doesn't:\nint f(char c) { return c == '}'; }"
    kinds = {token.text: token.kind for token in tokenize_code_among_prose(text, 0, len(text))}
    assert kinds["'"] == "punctuation"
    assert kinds["'}'"] == "literal"


def test_comments_go_and_strings_that_look_like_them_stay() -> None:
    assert remove_comments('a/*x*/b "/*s*/" // t') == 'a b "/*s*/"  '


def test_identifiers_split_at_case_digits_and_underscores() -> None:
    assert split_identifier("b3GetHTTPServer_v2") == ["b", "3", "get", "http", "server", "v", "2"]
    assert split_identifier("SIMD_FORCE_INLINE") == ["simd", "force", "inline"]
    assert split_identifier("__") == []
