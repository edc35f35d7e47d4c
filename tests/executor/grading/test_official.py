"""Prevents: an official figure that isn't the benchmark's, since a quirk of its parser was "corrected"; a gold that
isn't its own exact match, over line ends or a missing last newline; a recitation that counts the signature, which the
prompt gives, or comments and layout, or whose cost grows with the square of an answer."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor.grading.exact_match import compare_text_tokens_and_edit_similarity, trim_line_ends_and_outer_blank_lines
from executor.grading.official import (
    OFFICIAL_RULES,
    OfficialRules,
    has_text_for_official_splice,
    is_officially_exact,
    is_retried_since_none_passed,
    splice_officially,
)
from executor.grading.official import parse_generation as parse_by
from executor.grading.recitation import longest_recited_run, tokenize_body_or_whole_text

YABLOCO, PAPER, MERA = (OFFICIAL_RULES[name] for name in ("yabloco", "yabloco-paper", "mera"))

# Written by `python -m benchmarks.executor.official.peer_agreement --vectors`: answers of ours, and what the peers'
# code made of them.
VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "official_vectors.json").read_bytes())


@pytest.mark.parametrize("rules", OFFICIAL_RULES.values(), ids=OFFICIAL_RULES)
def test_answers_are_read_as_the_peers_read_them(rules: OfficialRules) -> None:
    for vector in VECTORS:
        code = parse_by(vector["answer"], rules)
        found = {
            "code": code,
            "exact": is_officially_exact(code, vector["gold"], rules),
            "spliced": has_text_for_official_splice(code),
        }
        assert found == vector[rules.name], vector["answer"]


def parse_generation(text: str) -> str:
    """By YABLoCo's harness, without the line end that it adds."""
    return parse_by(text, YABLOCO).removesuffix("\n")


def test_splice_surrounds_the_code_with_line_ends() -> None:
    lines = ["a\n", "b\n", "c\n", "d\n"]
    assert splice_officially(lines, 2, 1, "X\n") == "a\n\nX\n\nd\n"
    assert splice_officially(lines, 1, 3, "X") == "\nX\n"


def test_a_task_is_run_again_only_when_no_sample_passed() -> None:
    first_runs = ((False,), (False, False), (True, False))
    assert [is_retried_since_none_passed(passed, YABLOCO) for passed in first_runs] == [True, True, False]
    assert [is_retried_since_none_passed((False,), rules) for rules in (PAPER, MERA)] == [False, True]


@given(st.text(alphabet="`c+pC\n#include <>inmatvod(;- \ufffd\udcff", max_size=200))
def test_a_closed_c_fence_hands_the_code_through(code: str) -> None:
    """What a submission relies on: plain code in a closed ```c fence survives, but for the known cuts."""
    assert (
        parse_generation(f"```c\n{code}\n```") == f"\n{code}\n"
        or any(mark in code for mark in ("```", "#include", "int main(", "void main("))
        or code.startswith("`")
        or code.endswith("`")
    )


GOLD = "int f(int a)\n{\n    return a; /* as is */\n}"


@pytest.mark.parametrize(
    ("code", "strict", "tokens", "least"),
    [
        (GOLD + "\n", True, True, 1.0),
        (GOLD.replace("\n", "\r\n"), True, True, 1.0),
        ("\n\n" + GOLD + "  \n\n", True, True, 1.0),
        (GOLD.replace("{\n", "{   \n"), True, True, 1.0),
        ("int f(int a) {\n  return a;\n}", False, True, 0.5),
        (GOLD.replace("a;", "b;"), False, False, 0.0),
        (GOLD.replace("return a", "return -a"), False, False, 0.0),
        ("", False, False, 0.0),
    ],
)
def test_outer_white_space_never_counts_and_style_in_strict_alone(
    code: str, strict: bool, tokens: bool, least: float
) -> None:
    match = compare_text_tokens_and_edit_similarity(code, GOLD)
    assert (match.strict, match.tokens, match.edit_similarity == 1.0) == (strict, tokens, strict)
    assert match.edit_similarity >= least


@given(st.text(max_size=80), st.text(max_size=80))
def test_similarity_is_symmetric_within_bounds_and_whole_with_itself(left: str, right: str) -> None:
    there, back = (
        compare_text_tokens_and_edit_similarity(left, right),
        compare_text_tokens_and_edit_similarity(right, left),
    )
    assert 0.0 <= there.edit_similarity <= 1.0
    assert there == back
    same = compare_text_tokens_and_edit_similarity(left, left)
    assert same.strict and same.tokens and same.edit_similarity == 1.0
    assert there.strict == (trim_line_ends_and_outer_blank_lines(left) == trim_line_ends_and_outer_blank_lines(right))


def test_a_huge_candidate_is_compared_in_bounded_time() -> None:
    match = compare_text_tokens_and_edit_similarity("x = y + 1;\n" * 100_000, GOLD)
    assert match.edit_similarity < 0.01


ADD = "int add(int a, int b)\n{\n    /* both */\n    return a + b;\n}"


def test_the_signature_and_comments_are_no_recitation() -> None:
    assert tokenize_body_or_whole_text(ADD) == ["{", "return", "a", "+", "b", ";", "}"]
    assert longest_recited_run("int add(int a, int b) { throw 1; }", ADD) == 2  # `; }`
    assert longest_recited_run("int add(int a, int b) {\n  return a + /* x */ b; }", ADD) == 7
    assert longest_recited_run("int add(int a, int b) { int c = 0; return a + b - c; }", ADD) == 4
    assert longest_recited_run("", ADD) == 0
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
    start = time.process_time()
    longest_recited_run("f() {" + "a = a + 1; " * 25_000 + "}", "int f() {" + "a = a + 2; " * 60 + "}")
    assert time.process_time() - start < 5
