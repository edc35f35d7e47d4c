"""Prevents: a documented function that counts as one without a comment, a comment that documents another function, and
an overload that is taken for a second definition."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from executor.repository.build.graph import BuildGraph, BuildStep
from index.build import build_index
from index.repo_index import open_index
from lab.making.functions.choose_functions import NO_COMMENT, Choice, choose_functions
from lab.making.settings import ChooseSettings

HEADER = """\
#pragma once
/* Each of them adds. */
int near_add(int a, int b);
int behind(int a); /* Twice the number that comes in. */
int last(int a);
"""
SOURCE = """\
// What the file as a whole is about.
#if 1
int first(int a) {
    return a + 7;
}
#endif

/* The number plus one, where
   numbers are small. */
#ifdef LONG
EXPORTED
#endif
int crossed(int a)
{
    return a + 1;
}

int older(a)
    int a;
    /* One less than the number. */
{
    return a - 1;
}

// Three times the number,
// and nothing else at all.

int apart(int a)
{
    return 3 * a;
}

int behind(int a)
{
    return a * 2;
}

int last(int a)
{
    return -a;
}
"""
OVERLOADS = """\
/// Adds one to the number that is given.
int more(int a)
{
    return a + 1;
}

/// Adds a half to the number that is given.
double more(double a)
{
    return a + 0.5;
}
#ifdef FAST
/// Takes one from the number that is given.
int less(int a)
{
    return a - 1;
}
#else
/// Takes one from the number that is given.
int less(int a)
{
    return a + (-1);
}
#endif
"""


def _chosen(root: Path, name: str, text: str, **settings: bool) -> Choice:
    (root / "tree").mkdir()
    (root / "tree" / name).write_text(text)
    (root / "tree" / "a.h").write_text(HEADER)
    build_index(root / "tree", root / "index", workers=1)
    graph = BuildGraph((BuildStep("compile", (), ".", ("a.o",), (name,)),))
    with closing(open_index(root / "index", root / "tree")) as index:
        return choose_functions(index, graph, ChooseSettings(lines=(3, 20), **settings), "a", None)


def test_where_a_comment_may_stand(tmp_path: Path) -> None:
    chosen = _chosen(tmp_path, "a.c", SOURCE, documented=False)
    assert {c.row.name: c.row.docstring for c in chosen.candidates} == {
        "first": NO_COMMENT,
        "crossed": "The number plus one, where\n   numbers are small.",
        "older": "One less than the number.",
        "apart": "Three times the number,\nand nothing else at all.",
        "behind": "Twice the number that comes in.",
        "last": NO_COMMENT,
    }


def test_overloads_are_functions_of_their_own(tmp_path: Path) -> None:
    chosen = _chosen(tmp_path, "a.cpp", OVERLOADS)
    assert sorted(c.row.signature for c in chosen.candidates) == ["double more(double a)", "int more(int a)"]
    assert len({c.row.id for c in chosen.candidates}) == 2
    assert dict(chosen.left_out) == {"defined twice in its file": 2}
