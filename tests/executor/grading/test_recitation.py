"""Prevents: a recitation that counts the signature, which the prompt gives, or comments and layout; one whose cost
grows with the square of an answer."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from executor.grading.recitation import longest_recited_run, tokenize_function_body

GOLD = "int add(int a, int b)\n{\n    /* both */\n    return a + b;\n}"


def test_the_signature_and_comments_are_no_recitation() -> None:
    assert tokenize_function_body(GOLD) == ["{", "return", "a", "+", "b", ";", "}"]
    assert longest_recited_run("int add(int a, int b) { throw 1; }", GOLD) == 2  # `; }`
    assert longest_recited_run("int add(int a, int b) {\n  return a + /* x */ b; }", GOLD) == 7
    assert longest_recited_run("int add(int a, int b) { int c = 0; return a + b - c; }", GOLD) == 4
    assert longest_recited_run("", GOLD) == 0
    assert longest_recited_run("no code at all", "") == 0


def test_a_renamed_answer_breaks_the_run_at_each_name() -> None:
    gold = "int f(void) { x = dictFind(d); y = dictSize(d); return y; }"
    renamed = gold.replace("dictFind", "morfTul").replace("dictSize", "morfKel")
    assert longest_recited_run(gold, gold) == 19
    assert longest_recited_run(renamed, gold) == 8  # `(d); return y; }`


def naive(answer: list[str], gold: list[str]) -> int:
    rows = {tuple(gold[a:b]) for a in range(len(gold)) for b in range(a + 1, len(gold) + 1)}
    return max(
        (b - a for a in range(len(answer)) for b in range(a + 1, len(answer) + 1) if tuple(answer[a:b]) in rows),
        default=0,
    )


@given(*[st.lists(st.sampled_from("abc"), max_size=12)] * 2)
def test_it_is_the_longest_common_run(answer: list[str], gold: list[str]) -> None:
    assert longest_recited_run(" ".join(answer), " ".join(gold)) == naive(answer, gold)


def test_a_hostile_answer_costs_seconds_at_most() -> None:
    start = time.monotonic()
    longest_recited_run("f() {" + "a = a + 1; " * 100_000 + "}", "int f() {" + "a = a + 2; " * 60 + "}")
    assert time.monotonic() - start < 20
