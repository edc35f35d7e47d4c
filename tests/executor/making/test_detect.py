"""Prevents: a wrong build system, a Bazel tree that ends in a traceback, Build-Depends read wrongly, and a parser that
reads nothing of a log."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.grading.results import read_results
from executor.making.debian import build_packages, configure_words
from executor.making.detect import detect
from executor.making.parsers import PARSERS, choose_parser
from index.errors import RecipeError


def _tree(root: Path, *names: str, **texts: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("int x;\n" if name.endswith(".c") else "")
    for name, text in texts.items():
        (root / name.replace("__", "/").replace("_txt", ".txt")).write_text(text)
    return root


def test_a_tree_of_bazel_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"WORKSPACE found and no other build system: Bazel isn't supported"):
        detect(_tree(tmp_path, "WORKSPACE", "a.c"))


def test_a_tree_without_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"no C or C\+\+ source file"):
        detect(_tree(tmp_path, "Makefile"))


def test_of_two_build_systems_the_one_with_tests_is_taken_and_said(tmp_path: Path) -> None:
    root = _tree(tmp_path, "a.c", CMakeLists_txt="project(a)\n", Makefile="all:\ncheck: all\n")
    found = detect(root)
    assert (found.build.system, found.target) == ("make", "check")
    assert "2 build systems: make was taken" in " ".join(found.reasons)


def test_a_missing_submodule_is_named(tmp_path: Path) -> None:
    root = _tree(tmp_path, "a.c", Makefile="check:\n")
    (root / ".gitmodules").write_text('[submodule "x"]\n\tpath = deps/x\n\turl = https://host/x\n')
    assert "the submodule deps/x is missing" in " ".join(detect(root).reasons)


def test_scripts_that_ask_for_python_get_a_package(tmp_path: Path) -> None:
    root = _tree(tmp_path, "a.c", Makefile="check:\n")
    (root / "run.py").write_text("#!/usr/bin/env python3\n")
    assert detect(root).build.packages == ()
    (root / "old").write_text("#!/usr/bin/env python\n")
    found = detect(root)
    assert found.build.packages == ("python-is-python3",)
    assert "python-is-python3: old asks for `python`" in " ".join(found.reasons)


def test_autotools_without_configure_makes_it(tmp_path: Path) -> None:
    root = _tree(tmp_path, "a.c", "configure.ac")
    (root / "Makefile.am").write_text("TESTS = one\n")
    build = detect(root, ["--with-x", "-Dy=1"], ["libfoo-dev"]).build
    assert build.commands[0] == "autoreconf -fi"
    assert build.commands[1].startswith("./configure --with-x --disable-shared")
    assert "-Dy" not in build.commands[1]
    assert build.commands[-1] == "make -j$JOBS check TESTS="
    assert build.packages[0] == "libfoo-dev"
    assert "automake" in build.packages


CONTROL = """\
Source: x
Build-Depends: debhelper-compat (= 13),
 cmake, libfoo-dev (>= 2) | libfoo2-dev, libssl-dev <!nocheck>, # a comment
 libcross-dev <cross>, libwin-dev [hurd-any], liblinux-dev [linux-any], doxygen, python3-gone
Build-Depends-Indep: texlive

Package: x
Depends: libbar-dev
"""


def test_build_depends_are_read_as_an_ordinary_build_needs_them(tmp_path: Path) -> None:
    (tmp_path / "control").write_text(CONTROL)
    known = {"libfoo2-dev", "libssl-dev", "libcross-dev", "libwin-dev", "liblinux-dev", "cmake", "doxygen", "texlive"}
    assert build_packages(tmp_path, known) == ["libfoo2-dev", "libssl-dev", "liblinux-dev"]


def test_the_rules_words_for_configure_without_variables(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text(
        "override_dh_auto_configure:\n\tdh_auto_configure -- --with-x \\\n\t\t-DA=ON --lib=$(LIBDIR)\n"
    )
    assert configure_words(tmp_path) == ["--with-x", "-DA=ON"]


LOGS = {
    "gtest": "[==========] Running 1 test from 1 test suite.\n[ RUN      ] A.b\n[       OK ] A.b (0 ms)\n"
    "[==========] 1 test from 1 test suite ran. (0 ms total)\n[  PASSED  ] 1 test.\n",
    "tap": "1..2\nok 1 - a\nok 2 - b\n",
    "unity": "t.c:12:adds:PASS\n\n-----------------------\n1 Tests 0 Failures 0 Ignored\nOK\n",
    "cmocka": "[==========] Running 1 test(s).\n[ RUN      ] a\n[       OK ] a\n[==========] 1 test(s) run.\n",
    "lines": "All tests passed (12 assertions in 3 test cases)\n",
}


@pytest.mark.parametrize("name", LOGS)
def test_the_parser_is_chosen_by_the_output(name: str) -> None:
    output = LOGS[name].encode()
    assert choose_parser(output) == name
    assert read_results(output, PARSERS[name])
