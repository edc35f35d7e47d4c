"""Prevents: sixty tests that enter nothing, taken because they are the quickest, and a line with a time or a count
of its own that decides on a body; also a test whose output makes each reading of it take seconds, and a slow test
program that judges every task as a whole, though its framework can select parts; tests of automake that are started
without their runner, or with a wrong variable, and so are left out; groups of Autotest that nobody sees."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from executor.grading.logs.results import read_results_and_problem
from executor.repository.recipe import RecipeSource
from executor.repository.suites import Suite
from executor.sandbox.contract import ExecResult
from lab.making.settings import BuildSettings, MakeSettings, TestSettings
from lab.making.suites.exit_library import wrap_command_with_exit_library, write_exit_library_build_command
from lab.making.suites.list_tests import FoundTest, list_tests_and_summarize
from lab.making.suites.output_parsers import PARSERS, find_unsteady_line_patterns, make_steady_parser
from lab.making.suites.try_tests import (
    SelectedCases,
    TriedTest,
    choose_quickest_suites_across_folders,
    split_program_into_cases,
    try_tests,
)
from tests.support.projects import write_files


def _tried(folder, number, seconds):
    name = f"{folder}-{number}"
    suite = Suite(name=name, argv=("./t",), parser="lines", cwd=folder)
    return TriedTest(FoundTest(name, ("./t",), folder), suite, seconds)


@pytest.mark.parametrize(
    ("groups", "cwd", "kept"),
    [
        (("headers", "tests"), None, ["headers-0", "headers-1", "tests-1", "tests-2"]),
        # srt's 60 quickest tests of 216, all of one program, were those of two small classes, and entered 11 of 72
        # functions.
        (("List.", "Socket."), ".", ["List.-0", "List.-1", "Socket.-1", "Socket.-2"]),
    ],
)
def test_of_too_many_tests_each_folder_or_fixture_gives_its_quickest(groups, cwd, kept):
    quick, slow = groups
    tried = [*(_tried(quick, n, 0.01) for n in range(9)), *(_tried(slow, n, 3.0 - n) for n in range(3))]
    if cwd:
        tried = [replace(test, test=replace(test.test, cwd=cwd)) for test in tried]
    assert [suite.name for suite in choose_quickest_suites_across_folders(tried, 4)] == kept
    assert len(choose_quickest_suites_across_folders(tried, 10)) == 10
    assert [suite.name for suite in choose_quickest_suites_across_folders(tried[9:], 2)] == kept[2:]


FIRST = """\
Built on: Nov 24 2026, 01:36:17
Freed 116 of 200 objects (58.0%)
Edges: 1314
  Partitioning: \t 0.013 sec (its own)
at 0x7f49eb00
graft: t returned 0
"""


def test_a_line_that_says_a_time_or_another_number_in_each_run_is_no_result():
    second = FIRST.replace("116", "99").replace("58.0", "49.5")
    assert _names(FIRST, FIRST) == ["Freed 116 of 200 objects (58.0%)", "Edges: 1314", "graft: t returned 0"]
    assert _names(FIRST, second) == ["Edges: 1314", "graft: t returned 0"]
    assert _names(FIRST, FIRST + "warning: late by 3\n", log=FIRST + "warning: late by 12\n") == _names(FIRST, FIRST)
    assert not find_unsteady_line_patterns([b""]) and not find_unsteady_line_patterns([FIRST.encode(), FIRST.encode()])
    assert make_steady_parser(()) == PARSERS["lines"]


def test_a_suite_whose_lines_are_mostly_chance_is_judged_by_its_end():
    few, many = (
        ["".join(f"{run}{chr(97 + n % 26) * (n + 1)} {line}\n" for n in range(lines)) for run in "abc"]
        for line, lines in (("few", 20), ("many", 400))
    )
    end = "steady\ngraft: t returned 0\n"
    assert _names(*(text + end for text in few), log=few[0] + end) == ["steady", "graft: t returned 0"]
    assert _names(*(text + end for text in many), log=many[0] + end) == ["graft: t returned 0"]
    assert len(make_steady_parser(find_unsteady_line_patterns([text.encode() for text in many])).passed) < 100


def _names(*runs, log=FIRST):
    parser = make_steady_parser(find_unsteady_line_patterns([run.encode() for run in runs]))
    return [result.name for result in read_results_and_problem(log.encode(), parser)[0]]


def test_a_line_that_changes_in_one_run_of_a_program_is_no_result_of_its_others(tiny):
    """Prevents: libevent's test-ratelim, which printed 1000 per second three times with one limit, other rates with
    another: 18 of 43 functions were called flaky for it."""
    program, rate = "../" * 20 + "bin/sh", 'echo "$(date +%N) per second"; echo done'
    words = {"limit": "echo 1000 per second; echo done", "free": rate}
    tests = [FoundTest(name, (program, "-c", text), ".") for name, text in words.items()]
    tried = try_tests(tests, tiny.image.graph, tiny.backend, tiny.image.key, TestSettings())
    for test in tried:
        assert test.parser is not None, test.test.name
        assert [result.name for result in read_results_and_problem(b"1000 per second\ndone\n", test.parser)[0]] == [
            "done"
        ]


def test_tests_that_are_tried_side_by_side_come_in_their_order(tiny, monkeypatch):
    """Prevents: minutes of waiting for one test after the other, and suites in the order in which they ended."""
    monkeypatch.setattr("lab.making.suites.try_tests.find_concurrent_command_limit", lambda backend: 2)
    words = {"slow": "sleep 0.5; echo slow is here", "quick": "echo quick is here", "bad": "exit 3"}
    tests = [FoundTest(name, ("sh", "-c", text), ".") for name, text in words.items()]
    tried = try_tests(tests, tiny.image.graph, tiny.backend, tiny.image.key, TestSettings())
    assert [(test.test.name, test.suite is not None) for test in tried] == [
        ("slow", True),
        ("quick", True),
        ("bad", False),
    ]
    assert tried[2].why.startswith("ended with status 3 on the unmodified tree")


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
        (GTEST, {}, {"Text": "--gtest_filter=Text.*", "Box/0": "--gtest_filter=Box/0.*"}),
        (DOCTEST, {"--list-test-cases": DOCTEST_LIST},
         {"adds, at once": "--test-case=adds\\, at once", "holds": "--test-case=holds"}),
        (CATCH, {"--list-test-names-only": "adds [fast], twice\nholds\n"},
         {"adds [fast], twice": "adds \\[fast\\]\\, twice", "holds": "holds"}),
        (BOOST, {"--list_content": "text*\n    counts*\nbox*\n    holds*\n"},
         {"text": "--run_test=text", "box": "--run_test=box"}),
        ("2 of 2 passed\n", {}, {}),
        (CATCH, {"--list-test-names-only": "one\n"}, {}),
        (CATCH, {"--list-test-names-only": "\n".join(map(str, range(99)))}, {}),
    ],
)  # fmt: skip
def test_the_parts_of_a_program(output, answers, expected):
    """By name, each with the word that selects it."""
    found = split_program_into_cases(output.encode(), lambda word: answers.get(word, ""))
    assert found == tuple(SelectedCases(name, (word,)) for name, word in expected.items())


def test_the_parts_of_a_program_of_check_are_selected_by_a_variable():
    found = split_program_into_cases(CHECK.encode(), lambda word: "")
    assert found == tuple(SelectedCases(name, env={"CK_RUN_CASE": name}) for name in ("text", "a box"))


@dataclass
class Tree:
    """Runs the lister's commands in a folder."""

    root: str

    def run(self, command):
        done = subprocess.run(command.argv, cwd=Path(self.root, command.cwd), capture_output=True)
        return ExecResult(done.returncode, done.stdout, False, False, 0.0)


SETTINGS = MakeSettings(
    name="x",
    languages=("c",),
    source=RecipeSource(directory="/x"),
    build=BuildSettings(system="autotools", commands=("make",)),
)
_RUN = '#!/bin/sh\ntest "$MODE" = fast || exit 77\necho "runs $1"\n'


@pytest.mark.parametrize(
    ("environment", "printed"),
    [
        ("MODE=fast $(srcdir)/run", "runs ./space"),
        ('MODE=fast "$(CURDIR)/run"', "runs ./space"),
        ("MODE=fast; export MODE;", ""),
    ],
)
def test_what_starts_automakes_tests_is_kept(tmp_path, environment, printed):
    (tmp_path / ".graft").mkdir()
    (tmp_path / "Makefile").write_text(
        f"srcdir = .\nTESTS = space{'' if printed else '.sh'}\nTESTS_ENVIRONMENT = {environment}\ncheck-TESTS:\n"
    )
    for name, text in {"run": _RUN, "space.sh": '#!/bin/sh\necho "mode $MODE"\n'}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (test,), _ = list_tests_and_summarize(SETTINGS, Tree(str(tmp_path)))
    assert test.name == "space"
    subprocess.run(["sh", "-c", write_exit_library_build_command()], cwd=tmp_path, check=True)
    done = subprocess.run(
        wrap_command_with_exit_library(test.cwd, test.argv, test.shell), cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.startswith(printed or "mode fast"), done


# As autom4te writes it: the head, and the two ways in which it is asked.
_TESTSUITE = """\
#! /bin/sh
# Generated from testsuite.at by GNU Autoconf 2.71.
case $1 in
--list) cat <<'END'
GNU toy 1.0 test suite test groups:

 NUM: FILE-NAME:LINE     TEST-GROUP-NAME
      KEYWORDS

   1: lex.at:32          quoted string
      lex
  12: legacy/env.at:5    env: unset
      legacy
END
;;
*) echo "$1: ok" ;;
esac
"""


def test_the_groups_of_autotest_are_tests(tmp_path):
    other = "#!/bin/sh\necho another program of this name\n"
    write_files(tmp_path, {"tests/testsuite": _TESTSUITE, "testsuite": other})
    found, _ = list_tests_and_summarize(SETTINGS, Tree(str(tmp_path)))
    assert [(test.name, test.cwd) for test in found] == [
        ("tests-1-quoted-string", "tests"),
        ("tests-12-env-unset", "tests"),
    ]
    done = subprocess.run(found[1].argv, cwd=tmp_path / "tests", capture_output=True, text=True)
    assert done.stdout == "12: ok\n"
