"""Prevents: mixed answers counted as none because nothing was compared, and readers that never met an update."""

from __future__ import annotations

from pathlib import Path

from benchmarks.index.readers import Answer, Question, answer, digest_of, judged, trial
from index.build import build_index
from index.repo_index import open_index


def test_an_answer_of_another_state_and_an_error_of_another_kind_are_counted() -> None:
    states = {"one": ["a", "b"], "two": ["c", "d"]}
    got = [
        Answer("one", 0, "a", "", 5.0),
        Answer("two", 1, "d", "", 15.0),
        Answer("two", 0, "a", "", 5.0),  # the first state's
        Answer("three", 0, "a", "", 5.0),  # a state that there never was
        Answer("one", 1, "", "a.c: changed since it was indexed; rebuild the index", 5.0),
        Answer("one", 1, "", "KeyError: 7", 5.0),
    ]
    row = judged(got, states, [(10.0, 20.0)], True)
    assert (row.answers, row.during, row.stale, row.wrong, row.failed) == (4, 1, 1, 2, 1)


def test_a_chain_of_two_states_is_no_states_answer(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    for i in range(12):
        (root / f"f{i}.c").write_text(f"int graft_state_{1 + (i > 5)}_{i:02}(int a) {{ return a; }}\n")
    build_index(root, tmp_path / "index", workers=1)
    index = open_index(tmp_path / "index", root)
    assert digest_of(answer(index, Question("chain", ""))).startswith("MIXED")
    index.close()


def test_readers_of_a_small_tree_meet_updates_and_get_each_states_own_answers(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    for i in range(30):
        body = f"int twice_{i}(int a) {{ return 2 * a; }}\nint four_{i}(int a) {{ return twice_{i}(twice_{i}(a)); }}\n"
        (root / f"f{i}.c").write_text(body)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    row = trial(str(root), 2, 4, scratch)
    assert row.same
    assert row.answers >= 16
    assert row.states >= 2
    assert (row.wrong, row.failed) == (0, 0)
