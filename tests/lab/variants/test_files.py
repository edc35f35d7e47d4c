"""Prevents: a variant with renamed files that can't be built, because something still names a file by its old name."""

from __future__ import annotations

import os
import subprocess

import pytest

from executor.manifest.variant.renamed_files import rename_files_and_references
from executor.repository.recipe import find_recipe
from lab.variants.movable_files import find_renamable_file_stems, list_all_file_stems, make_new_paths
from tests.support.projects import write_files

MAKEFILE = """\
OBJ = main.o dict.o stream.o
app: $(OBJ) lib/pool.o
\tcc -o app $(OBJ) lib/pool.o
%.o: %.c
\tcc -Isrc -I. -c $< -o $@
dict.o: dict.c dict.h lib/pool.h
tool: tool.o
"""
TREE = {
    "Makefile": MAKEFILE,
    "main.c": '/* main.c reads dict.h. */\n#include <stdio.h>\n#include "dict.h"\n#include "lib/pool.h"\n'
    '#include "gen.h"\nint main(void) { puts("stream"); return find() + pool(); }\n',
    "dict.c": '#include "./dict.h"\n#  include <lib/pool.h>\nint find(void) { return pool(); }\n',
    "dict.h": "int find(void);\n",
    "stream.c": "/* Nothing. */\nint stream;\n",
    "lib/pool.c": '#include "../lib/pool.h"\nint pool(void) { return 0; }\n',
    "lib/pool.h": "int pool(void);\n",
    "gen.h": "",
    "gen.h.in": "",
    "tool.c": "",
    "shown.c": "",
    "held.c": 'const char *held = "quoted.c";\n#include <queue.h>\n#include <sys/wait.h>\n',
    "quoted.c": "",
    "queue.h": "",
    "wait.h": "",
    "twin.h": "",
    "other/twin.h": '#include "../shy.h"\n',
    "shy.h": "",
    "value.h": "",
    "asked.h": "",
    "sys/macro.c": "#define VALUE_H <lib/value.h>\n#include VALUE_H\n#if __has_include(<lib/asked.h>)\n#endif\n",
    "run.py": "open('shown.c')\n",
    "README.md": "See stream.c.\n",
}


@pytest.fixture
def tree(tmp_path):
    write_files(tmp_path, TREE)
    (tmp_path / "link.c").symlink_to("dict.c")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "pool.h").symlink_to("../lib/pool.h")
    return tmp_path


@pytest.fixture
def recipe():
    known = find_recipe("example")
    return known.model_copy(update={"variants": known.variants.model_copy(update={"leave": ("other/*",)})})


def test_a_file_that_something_else_names_stays(tree, recipe):
    # Stay: gen is made of a template, tool is a program too, shown stands in a script, quoted in a literal, queue may
    # be the system's, twin is another project's as well, which includes shy, and macro.c names value in a macro and
    # asked in a condition.
    assert find_renamable_file_stems(tree, recipe) == {"main", "dict", "stream", "pool", "held", "macro"}
    assert {"main", "README", "gen.h", "queue"} <= list_all_file_stems(tree)


def test_a_system_header_of_the_same_name_keeps_a_file(tree, recipe):
    (tree / "held.c").write_text("")
    assert "wait" in find_renamable_file_stems(tree, recipe) and "queue" in find_renamable_file_stems(tree, recipe)


def test_a_tree_with_new_file_names_builds_and_keeps_lines_modes_and_times(tree, recipe):
    stems = {stem: stem[::-1] + "x" for stem in find_renamable_file_stems(tree, recipe)}
    paths = make_new_paths(tree, recipe, stems)
    assert paths["lib/pool.h"] == "lib/loopx.h" and paths["dict.c"] == "tcidx.c" and "gen.h" not in paths
    (tree / "main.c").chmod(0o444)
    os.utime(tree / "main.c", ns=(5, 7))
    before = {path: text.count("\n") for path, text in TREE.items()}
    rename_files_and_references(tree, paths)
    for path, lines in before.items():
        assert (tree / paths.get(path, path)).read_text().count("\n") == lines
    moved = (tree / "niamx.c").stat()
    assert (moved.st_mode & 0o777, moved.st_mtime_ns) == (0o444, 7)
    text = (tree / "niamx.c").read_text()
    assert "niamx.c reads tcidx.h" in text and '#include "lib/loopx.h"' in text and '"stream"' in text
    assert "<stdio.h>" in text and (tree / "README.md").read_text() == TREE["README.md"]
    assert not [path for path in paths if (tree / path).exists()]
    assert (tree / "link.c").resolve() == tree / "tcidx.c"
    assert (tree / "src" / "loopx.h").resolve() == tree / "lib" / "loopx.h"
    subprocess.run(["make", "-C", str(tree), "app"], check=True, capture_output=True, timeout=60)
    assert subprocess.run([str(tree / "app")], check=True, capture_output=True, timeout=60).stdout == b"stream\n"
