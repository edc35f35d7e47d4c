"""The text with both bodies. Prevents: a body that is compared with stale state."""

from __future__ import annotations

import pytest

from executor.grading.differential import NotApplicableError
from index.values import Span
from lab.differential.build_programs import is_header
from lab.differential.c_unit import (
    FunctionPlace,
    explain_unusable_body,
    find_branch_constants,
    insert_all_bodies,
    rename_definition,
)
from lab.differential.dwarf_shapes import Shape

INT_SHAPE = Shape((), (), 0, ())


def test_only_the_definition_gets_another_name() -> None:
    text = "static int g(int a) { return f(a); }\nint f(int a)\n{\n    return a ? f(0) : x.f;\n}"
    assert rename_definition(text, "f", "h") == text.replace("int f(int a)", "int h(int a)")


@pytest.mark.parametrize(
    ("definition", "why"),
    [
        ("int f(void) { static int n; return n++; }", "it keeps a static variable of its own"),
        ("int g(void) { return 0; }", "its definition can't be found in the text"),
        ("int f(void) { static const int n = 3; return n; }", ""),
    ],
)
def test_a_body_that_can_not_stand_beside_another_is_told(definition: str, why: str) -> None:
    assert explain_unusable_body(definition, "f") == why


def test_two_inline_bodies_are_not_applicable() -> None:
    gold = "inline int f(void) { return 0; }"
    with pytest.raises(NotApplicableError):
        insert_all_bodies(FunctionPlace(gold.encode(), Span(1, 1), "f"), [gold], "_t", INT_SHAPE)


def test_a_constant_table_is_no_state() -> None:
    gold = "int f(int a) { static const int n[] = {1, 2}; return n[a]; }"
    assert b"graft_gold_t(int a)" in insert_all_bodies(
        FunctionPlace(gold.encode(), Span(1, 1), "f"), [gold], "_t", INT_SHAPE
    )


def test_only_a_header_is_without_variables() -> None:
    """All of redis was compared without them when a source file was taken for a header."""
    assert [is_header(path) for path in ("src/a.c", "src/a.cpp", "src/a.h", "b/c.inl")] == [False, False, True, True]


def test_constants_are_what_the_body_names() -> None:
    gold = (
        "int f(int a) { char c = g(a); return a & KEEP || p->q == one || c == 'x' || LOG(\"7\", 0x1fL) || X (2.5); }"
    )
    assert find_branch_constants(gold, ("a",)) == ("'x'", "0x1fL", "KEEP", "one")
