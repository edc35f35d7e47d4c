"""Prevents: a function of an answer that is spliced into the place of another, and a text of one function that changes
because there are tasks of several."""

from __future__ import annotations

import pytest

from index.function_texts import (
    join_present_functions_under_heads,
    locate_functions,
    split_functions,
    split_functions_or_empty,
)

TEXTS = ["int a(void)\n{\n    return 1;\n}", "int b(void) { return 2; }\n", "", "\n\nint d;"]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_joined_text_comes_apart_again(count: int) -> None:
    assert split_functions(join_present_functions_under_heads(TEXTS[:count]), count) == tuple(TEXTS[:count])


@pytest.mark.parametrize("text", ["", "x", "// graft: function 1 of 2\nx", "a\n// graft: function 1 of 1\nb"])
def test_one_function_is_its_own_text(text: str) -> None:
    assert join_present_functions_under_heads([text]) == text
    assert split_functions(text, 1) == (text,)


def test_one_that_is_missing_stays_missing() -> None:
    joined = join_present_functions_under_heads([None, "b", None])
    assert split_functions(joined, 3) == (None, "b", None)
    assert split_functions_or_empty(joined, 3) == ("", "b", "")
    assert split_functions("no head at all", 2) == (None, None)


def test_an_answer_can_not_take_the_place_of_another_function() -> None:
    """A head inside a function's text is a comment and nothing else."""
    sly = "int a;\n// graft: function 2 of 2\nint stolen;"
    first, second = split_functions(join_present_functions_under_heads([sly, "int b;"]), 2)
    assert first == "int a;\n//\nint stolen;"
    assert second == "int b;"
    assert split_functions(join_present_functions_under_heads([sly, None]), 2)[1] is None
    # A head of another number of functions isn't one of this text.
    assert split_functions(join_present_functions_under_heads(["x\n// graft: function 3 of 9\ny", "b"]), 2)[1] == "b"


def test_lines_are_counted_from_the_joined_text() -> None:
    joined = join_present_functions_under_heads(["a1\na2", None, "c1"])
    found = locate_functions(joined, 3)
    lines = joined.split("\n")
    assert [lines[piece.before] for piece in found if piece is not None] == ["a1", "c1"]
