"""Prevents: lines that are compiled taken for a dead branch, so that no prompt shows what a body needs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from executor.repository.build.branches import (
    find_preprocessor_branch_groups,
    insert_branch_marker_macros,
    list_unused_lines,
    read_taken_branch_lines,
)

SOURCE = """\
#ifndef GUARD
#define GUARD
#ifdef _WIN32 /* a comment
 of two lines */
int windows;
#elif defined(__unix__) && \\
    !defined(NEVER)
int unix_like;
#else
int other;
#endif
/*
#ifdef IN_A_COMMENT
*/
const char *text = "\\
#ifdef IN_A_STRING";
#if 0
# if 1
int inner;
# endif
#endif
#define TWICE(x) ((x) + (x))
int twice = TWICE(
#ifdef _WIN32
    1
#else
    2
#endif
);
#endif
"""


def find_unused(text: str, folder: Path, *flags: str) -> list[tuple[int, int]]:
    groups = find_preprocessor_branch_groups(text)
    path = folder / "unit.c"
    path.write_text(insert_branch_marker_macros(text, groups, 7))
    done = subprocess.run(["cc", "-E", "-dM", *flags, str(path)], capture_output=True, text=True, check=True)
    taken = read_taken_branch_lines(done.stdout)
    assert taken.keys() <= {7}
    return [(span.first, span.last) for span in list_unused_lines(groups, taken.get(7, set()))]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_that_a_compiler_leaves_out(tmp_path: Path, end: str) -> None:
    unused = find_unused(SOURCE.replace("\n", end), tmp_path)
    # The guard stays, and so does what a macro's argument takes.
    assert unused == [(3, 7), (9, 11), (17, 21), (24, 26), (28, 28)]


def test_another_configuration_compiles_other_lines(tmp_path: Path) -> None:
    assert find_unused(SOURCE, tmp_path, "-D_WIN32")[0] == (3, 4)
    assert find_unused(SOURCE, tmp_path, "-DNEVER")[0] == (3, 9)


def test_a_group_without_an_end_is_left_alone() -> None:
    assert find_preprocessor_branch_groups("#if A\nint a;\n") == []
    assert find_preprocessor_branch_groups("int a;\n#endif\n#else\n") == []
