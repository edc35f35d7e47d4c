"""Bug prevented: a gold that isn't its own exact match, over line ends or a missing last newline."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor.grading.exact_match import compare_code, trim_line_ends_and_outer_blank_lines

GOLD = "int f(int a)\n{\n    return a; /* as is */\n}"


@given(st.text(max_size=300))
def test_gold_against_itself_is_one(text: str) -> None:
    match = compare_code(text, text)
    assert match.strict and match.tokens and match.edit_similarity == 1.0


@pytest.mark.parametrize(
    "same", [GOLD + "\n", GOLD.replace("\n", "\r\n"), "\n\n" + GOLD + "  \n\n", GOLD.replace("{\n", "{   \n")]
)
def test_line_ends_and_trailing_white_space_dont_count(same: str) -> None:
    match = compare_code(same, GOLD)
    assert match.strict and match.edit_similarity == 1.0


def test_style_counts_in_strict_and_not_in_tokens() -> None:
    match = compare_code("int f(int a) {\n  return a;\n}", GOLD)
    assert not match.strict
    assert match.tokens
    assert 0.5 < match.edit_similarity < 1.0


@pytest.mark.parametrize("other", [GOLD.replace("a;", "b;"), GOLD.replace("return a", "return -a"), ""])
def test_another_program_is_no_match(other: str) -> None:
    match = compare_code(other, GOLD)
    assert not match.strict and not match.tokens and match.edit_similarity < 1.0


@given(st.text(max_size=80), st.text(max_size=80))
def test_similarity_is_symmetric_and_within_bounds(left: str, right: str) -> None:
    there, back = compare_code(left, right), compare_code(right, left)
    assert 0.0 <= there.edit_similarity <= 1.0
    assert there == back
    assert there.strict == (trim_line_ends_and_outer_blank_lines(left) == trim_line_ends_and_outer_blank_lines(right))


def test_a_huge_candidate_is_compared_in_bounded_time() -> None:
    match = compare_code("x = y + 1;\n" * 100_000, GOLD)
    assert match.edit_similarity < 0.01
