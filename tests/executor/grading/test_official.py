"""Bug prevented: an official figure that isn't the benchmark's, since a quirk of its parser was "corrected"."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor.grading.official import (
    OFFICIAL_RULES,
    OfficialRules,
    can_be_spliced_officially,
    is_officially_exact,
    needs_official_rerun,
    splice_officially,
)
from executor.grading.official import parse_generation as parse_by

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
            "spliced": can_be_spliced_officially(code),
        }
        assert found == vector[rules.name], vector["answer"]


def parse_generation(text: str) -> str:
    """By YABLoCo's harness, without the line end that it adds."""
    return parse_by(text, YABLOCO).removesuffix("\n")


def test_each_prefix_is_removed_once_in_this_order() -> None:
    # cpp, then c++, then c, then ++, then C, then C++.
    assert parse_generation("```cppc++c++CC++;```") == ";"
    assert parse_generation("```c++cpp;```") == "pp;"


def test_a_blank_text_is_never_spliced_but_an_open_fence_is() -> None:
    texts = ("", " \n\t", "```c\n```", "#include <a.h>", "int main(void) { }")
    assert [
        can_be_spliced_officially(parse_by(text, rules)) for text in texts for rules in OFFICIAL_RULES.values()
    ] == [False] * 15
    assert all(can_be_spliced_officially(parse_by("```c\nint f;", rules)) for rules in OFFICIAL_RULES.values())


def test_splice_surrounds_the_code_with_line_ends() -> None:
    lines = ["a\n", "b\n", "c\n", "d\n"]
    assert splice_officially(lines, 2, 1, "X\n") == "a\n\nX\n\nd\n"
    assert splice_officially(lines, 1, 3, "X") == "\nX\n"


def test_exact_match_looks_at_word_characters_or_drops_white_space() -> None:
    assert is_officially_exact("a-b;", "a + b", YABLOCO)
    assert is_officially_exact("return x;\n}", "return(x)", MERA)
    assert not is_officially_exact("a-b", "a-c", YABLOCO)
    assert is_officially_exact("a - b\n", "a-b", PAPER)
    assert not is_officially_exact("a+b", "a-b", PAPER)


def test_a_task_is_run_again_only_when_no_sample_passed() -> None:
    assert [needs_official_rerun(passed, YABLOCO) for passed in ((False,), (False, False), (True, False))] == [
        True,
        True,
        False,
    ]
    assert not needs_official_rerun((False,), PAPER)
    assert needs_official_rerun((False,), MERA)


@given(st.text(alphabet=st.sampled_from("`c+pC\n#include <>inmatvod(;- \ufffd\udcff"), max_size=200))
def test_no_response_breaks_the_parser(response: str) -> None:
    code = parse_generation(response)
    assert "```" not in code
    assert not any(line.startswith("#include") for line in code.split("\n")[1:])


@given(st.text(max_size=200))
def test_a_closed_c_fence_hands_the_code_through(code: str) -> None:
    """What a submission relies on: plain code in a closed ```c fence survives, but for the known cuts."""
    assert (
        parse_generation(f"```c\n{code}\n```") == f"\n{code}\n"
        or any(mark in code for mark in ("```", "#include", "int main(", "void main("))
        or code.startswith("`")
        or code.endswith("`")
    )
