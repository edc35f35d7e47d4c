"""Prevents: lines that are compiled taken for a dead branch, or left out since one unit of many leaves them out, so
that no prompt shows what a body needs; and lines of one version of a file cut out of another."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from executor.repository.build.branches import (
    find_preprocessor_branch_groups,
    insert_branch_marker_macros,
    list_untaken_branch_and_directive_spans,
    read_taken_directive_lines_by_file_number,
)
from executor.repository.recipe import load_recipe
from executor.repository.uncompiled import (
    FILE,
    Uncompiled,
    find_uncompiled_lines,
    load_uncompiled_lines,
    save_uncompiled_lines,
)
from index.errors import RecipeError
from index.values import Span
from tests.fixtures.executor_fixtures import build_recipe
from tests.fixtures.rows import write_toy_recipe
from tests.support.projects import write_files

HEADER = """\
#ifdef FIRST
int first;
#endif
#ifdef SECOND
int second;
#endif
#ifdef NEITHER
int neither;
#endif
"""
FILES = {
    "Makefile": "all: toy\ntoy: a.o b.o\n\tcc -o $@ a.o b.o\n%.o: %.c\n\tcc -DFLAG -c $< -o $@\n",
    "shared.h": HEADER,
    "unread.h": "int unread;\n",
    "unbuilt.c": "#if 0\nint unbuilt;\n#endif\n",
    "a.c": '#include <stdio.h>\n#define FIRST\n#include "shared.h"\n#ifndef FLAG\nint a;\n#endif\n'
    'int main(void) { return puts("ok it runs") < 0; }\n',
    "b.c": '#define SECOND\n#include "shared.h"\nint b;\n',
}


def test_what_some_unit_compiles_stays_and_lines_of_another_version_of_a_file_are_not_used(tmp_path: Path) -> None:
    tree = write_files(tmp_path / "tree", FILES)
    toy = build_recipe(load_recipe(write_toy_recipe(tmp_path, "{directory: ../tree}")), tmp_path / "cache")
    recipe, root, steps = toy.image.recipe, toy.image.source_root, toy.image.graph.steps
    assert load_uncompiled_lines(recipe, root) == {}
    found = find_uncompiled_lines(toy.image, toy.backend)
    lines = {path: file.lines for path, file in found.files.items()}
    assert lines == {"a.c": ((4, 6),), "shared.h": ((7, 9),), "unread.h": ((1, 2),)}
    save_uncompiled_lines(found, recipe)
    assert load_uncompiled_lines(recipe, root)["shared.h"] == [Span(7, 9)]
    (tree / "shared.h").write_text(f"\n{HEADER}")
    (tree / "unread.h").unlink()
    assert load_uncompiled_lines(recipe, tree) == {"a.c": [Span(4, 6)]}
    # Files of a unit that fails stay whole: a header that the build made and removed.
    broken = [replace(step, argv=(*step.argv, "-include", "gone.h")) for step in steps]
    one = tuple(lacking if "a.c" in step.sources else step for step, lacking in zip(steps, broken, strict=True))
    image = replace(toy.image, graph=replace(toy.image.graph, steps=one))
    assert find_uncompiled_lines(image, toy.backend).files.keys() == {"unread.h"}
    image = replace(toy.image, graph=replace(toy.image.graph, steps=tuple(broken)))
    with pytest.raises(RecipeError, match="none of 2 units"):
        find_uncompiled_lines(image, toy.backend)
    # A damaged file is named.
    for text, message in (
        ("{", "graft images branches toy"),
        (Uncompiled(format=9, files={}).model_dump_json(), "format 9"),
    ):
        (recipe.folder / FILE).write_text(text)
        with pytest.raises(RecipeError, match=message):
            load_uncompiled_lines(recipe, root)


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
    taken = read_taken_directive_lines_by_file_number(done.stdout)
    assert taken.keys() <= {7}
    return [(span.first, span.last) for span in list_untaken_branch_and_directive_spans(groups, taken.get(7, set()))]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_that_a_compiler_leaves_out(tmp_path: Path, end: str) -> None:
    unused = find_unused(SOURCE.replace("\n", end), tmp_path)
    # The guard stays, and so does what a macro's argument takes.
    assert unused == [(3, 7), (9, 11), (17, 21), (24, 26), (28, 28)]

    # Another configuration compiles other lines.
    assert find_unused(SOURCE, tmp_path, "-D_WIN32")[0] == (3, 4)
    assert find_unused(SOURCE, tmp_path, "-DNEVER")[0] == (3, 9)


def test_a_group_without_an_end_is_left_alone() -> None:
    assert find_preprocessor_branch_groups("#if A\nint a;\n") == []
    assert find_preprocessor_branch_groups("int a;\n#endif\n#else\n") == []
