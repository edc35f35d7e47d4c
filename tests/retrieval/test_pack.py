"""Prevents: a prompt over its budget, a useful snippet lost without a word, and texts that come twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.pack import estimate_tokens, pack
from retrieval.snippets import from_oracle
from retrieval.values import Dropped, Snippet


def snippet(text: str, title: str = "f") -> Snippet:
    return Snippet(title, "a.c", None, text, "test")


def words(text: str) -> int:
    return len(text.split())


def test_what_fits_is_kept_in_order_and_what_does_not_is_told() -> None:
    big = snippet("one two three four", "big")
    context = pack([snippet("a b", "x"), big, snippet("c d", "y")], 5, words)
    assert [s.title for s in context.snippets] == ["x", "y"]
    assert (context.tokens, context.budget) == (4, 5)
    assert context.dropped == (Dropped("big", 4, "4 tokens, 3 left"),)


def test_a_function_that_does_not_fit_leaves_its_signature() -> None:
    text = "// doc { not code\nint\nf(int a) /* why */ { return a + b + c + d; }"
    context = pack([snippet(text, "ns::f")], 8, words)
    (kept,) = context.snippets
    assert (kept.title, kept.text) == ("ns::f (signature only)", "int f(int a);")
    assert context.tokens == 3
    assert context.dropped == (Dropped("ns::f", words(text) - 3, "body doesn't fit, signature kept"),)
    assert pack([snippet(text)], 2, words).snippets == ()


def test_a_type_has_no_signature_to_fall_back_on() -> None:
    context = pack([snippet("struct node { int a; int b; };", "node")], 4, words)
    assert context.snippets == ()
    assert [d.title for d in context.dropped] == ["node"]


def test_repeated_and_empty_texts_are_dropped() -> None:
    context = pack([snippet("int  f;"), snippet("int f;\n", "again"), snippet(" \n", "blank")], 100)
    assert len(context.snippets) == 1
    assert [(d.title, d.reason) for d in context.dropped] == [("again", "duplicate"), ("blank", "empty")]


def test_an_oracle_keeps_its_order_and_drops_what_repeats() -> None:
    got = from_oracle([("int f();", "a.c", "f"), ("", "b.c", "g"), ("int  f();", "c.c", "f"), ("int h();", "", "")])
    assert [(s.title, s.path, s.text, s.source) for s in got] == [
        ("f", "a.c", "int f();", "oracle"),
        ("", "", "int h();", "oracle"),
    ]


@given(st.lists(st.text(alphabet="ab {}()\n", max_size=30)), st.integers(0, 40))
def test_no_budget_is_ever_exceeded_and_nothing_vanishes(texts: list[str], budget: int) -> None:
    context = pack([snippet(t, str(i)) for i, t in enumerate(texts)], budget)
    assert context.tokens == sum(estimate_tokens(s.text) for s in context.snippets) <= budget
    named = {s.title.split(" ")[0] for s in context.snippets} | {d.title for d in context.dropped}
    assert named == {str(i) for i in range(len(texts))}


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("x + 1;\n", 5), ("serverAssert", 3), ("123456", 2), ("    ", 0)]
)
def test_the_estimate_follows_its_rule(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens
