"""Prevents: a task of several functions in which the body of one of them is shown while another is asked for."""

from __future__ import annotations

import pytest

from index.errors import TaskError
from index.repo_index import RepoIndex
from index.values import HoleSet, Span, SymbolKind, Target, join_targets
from tests.support.indexes import Files, Indexed, TargetAt

FILES: Files = {
    "code.c": """#include "code.h"
/* Turn a number into a letter. */
int encode(int n)
{
    int secret_encoded = n * 31 + 7;
    return helper(secret_encoded) % 26 + 'a';
}
/* The way back. */
int decode(int c)
{
    int secret_decoded = c - 'a';
    return helper(secret_decoded) * 17;
}
""",
    "code.h": "int encode(int n);\nint decode(int c);\nint helper(int n);\n",
    "help.c": """#include "code.h"
int helper(int n)
{
    int secret_helped = n < 0 ? -n : n;
    return secret_helped + 1;
}
int twin(int c)
{
    int secret_decoded = c - 'a';
    return helper(secret_decoded) * 17;
}
int user(void)
{
    return encode(3) + decode('x') + helper(2);
}
""",
}


@pytest.fixture
def asked(indexed: Indexed, target_at: TargetAt) -> tuple[RepoIndex, Target]:
    index = indexed(FILES)
    names = [("code.c", "encode"), ("code.c", "decode"), ("help.c", "helper")]
    return index, join_targets([target_at(index, path, name) for path, name in names])


def test_no_body_is_left_and_every_signature_is(asked: tuple[RepoIndex, Target]) -> None:
    index, target = asked
    view = index.hide(target, "strict")
    text = "".join(view.file_text(path) for path in view.files())
    assert "secret" not in text
    assert text.count("/* body hidden */") == 4  # the twin's too
    for name in ("int encode(int n)", "int decode(int c)", "int helper(int n)"):
        assert name in text
    assert [symbol.name for symbol in view.symbols(SymbolKind.FUNCTION)] == ["user"]
    assert [symbol.name for symbol in view.callers_of_target()] == ["user"]
    assert [clone.name for clone in view.clones] == ["twin"]
    for hole in target.holes:
        assert "secret" not in "".join(view.retarget_to_hole(hole).file_text(path) for path in view.files())


def test_a_function_of_the_task_is_never_a_kept_twin(indexed: Indexed, target_at: TargetAt) -> None:
    """encode and decode may be alike: in realistic masking a twin is shown, but not one that is to be written."""
    index = indexed(FILES)
    target = join_targets([target_at(index, "code.c", "decode"), target_at(index, "help.c", "twin")])
    view = index.hide(target, "realistic")
    assert view.clones == ()
    assert "secret_decoded" not in "".join(view.file_text(path) for path in view.files())


def test_one_function_is_a_plain_target(asked: tuple[RepoIndex, Target]) -> None:
    _, target = asked
    first, *others = target.holes
    assert type(join_targets([first])) is Target
    assert isinstance(target, HoleSet)
    assert first.holes == (first,)
    assert [hole.name for hole in others] == ["decode", "helper"]


def test_a_span_outside_any_of_the_files_is_an_error(asked: tuple[RepoIndex, Target]) -> None:
    index, target = asked
    first = target.holes[0]
    lost = Target("tiny", "help.c", Span(90, 91), "helper", "", "", "c")
    with pytest.raises(TaskError, match=r"help\.c has"):
        index.hide(join_targets([first, lost]), "strict")
