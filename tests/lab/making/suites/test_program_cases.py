"""Prevents: a slow test program that judges every task as a whole, though its framework can select parts."""

from __future__ import annotations

import pytest

from lab.making.suites.program_cases import SelectedCases, select_cases

GTEST = """\
[==========] Running 3 tests from 2 test suites.
[ RUN      ] Text.counts
[       OK ] Text.counts (0 ms)
[ RUN      ] Text.finds
[       OK ] Text.finds (0 ms)
[ RUN      ] Box/0.holds
[       OK ] Box/0.holds (0 ms)
[==========] 3 tests from 2 test suites ran. (0 ms total)
"""
DOCTEST = "[doctest] doctest version is 2.4.9\n[doctest] test cases: 2 | 2 passed | 0 failed | 0 skipped\n"
DOCTEST_LIST = "[doctest] listing all test case names\n=====\nadds, at once\nholds\n=====\n[doctest] unskipped: 2\n"
CATCH = "=====\nAll tests passed (9 assertions in 2 test cases)\n"
BOOST = "Running 4 test cases...\n\n*** No errors detected\n"

CHECK = """\
Running suite(s): All
100%: Checks: 3, Failures: 0, Errors: 0
text.c:12:P:text:counts:0: Passed
text.c:15:P:text:finds:0: Passed
box.c:3:P:a box:holds:0: Passed
"""


@pytest.mark.parametrize(
    ("output", "answers", "expected"),
    [
        (
            GTEST,
            {},
            (SelectedCases("Text", ("--gtest_filter=Text.*",)), SelectedCases("Box/0", ("--gtest_filter=Box/0.*",))),
        ),
        (
            DOCTEST,
            {"--list-test-cases": DOCTEST_LIST},
            (
                SelectedCases("adds, at once", ("--test-case=adds\\, at once",)),
                SelectedCases("holds", ("--test-case=holds",)),
            ),
        ),
        (
            CATCH,
            {"--list-test-names-only": "adds [fast], twice\nholds\n"},
            (SelectedCases("adds [fast], twice", ("adds \\[fast\\]\\, twice",)), SelectedCases("holds", ("holds",))),
        ),
        (
            BOOST,
            {"--list_content": "text*\n    counts*\nbox*\n    holds*\n"},
            (SelectedCases("text", ("--run_test=text",)), SelectedCases("box", ("--run_test=box",))),
        ),
        (
            CHECK,
            {},
            (SelectedCases("text", env={"CK_RUN_CASE": "text"}), SelectedCases("a box", env={"CK_RUN_CASE": "a box"})),
        ),
        ("2 of 2 passed\n", {}, ()),
        (CATCH, {"--list-test-names-only": "one\n"}, ()),
        (CATCH, {"--list-test-names-only": "\n".join(map(str, range(99)))}, ()),
    ],
)
def test_the_parts_of_a_program(output: str, answers: dict[str, str], expected: tuple[SelectedCases, ...]) -> None:
    assert select_cases(output.encode(), lambda word: answers.get(word, "")) == expected
