"""Prevents: an answer that is cut in the wrong place, or read through a link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent.answer.fences import list_fenced_blocks
from executor.grading.official import OFFICIAL_RULES, parse_generation
from executor.values import Task
from experiments.harbor.verify import extract_change_and_detect_strays, read_answer_or_empty_and_notes
from tests.support.projects import write_files

BEFORE = "int a;\n\nint f(int x,\n      int y)\n{ /* body hidden */ }\n\nint g(void)\n{\n    return 1;\n}\n"
HEADER = "int f(int x,\n      int y)\n"
BODY = "{\n    return x + y;\n}"


@pytest.mark.parametrize(
    ("old", "new", "cut"),
    [
        ("{ /* body hidden */ }", BODY, f"{HEADER}{BODY}\n"),
        ("int f(int x,", "int h;\nint f(int x,", f"int h;\n{HEADER}{{ /* body hidden */ }}\n"),
        ("{ /* body hidden */ }\n\nint g", f"{BODY}\n\nint k;\n\nint g", f"{HEADER}{BODY}\n\nint k;\n"),
    ],
)
def test_the_functions_place_is_cut_with_its_header(old: str, new: str, cut: str) -> None:
    found, is_elsewhere = extract_change_and_detect_strays(BEFORE, BEFORE.replace(old, new), 2)
    assert (found.rstrip("\n") + "\n", is_elsewhere) == (cut, False)


def test_a_change_of_another_place_is_noted_unless_it_is_another_function() -> None:
    after = BEFORE.replace("{ /* body hidden */ }", BODY).replace("return 1", "return 2")
    found, is_elsewhere = extract_change_and_detect_strays(BEFORE, after, 2)
    assert is_elsewhere and f"{HEADER}{BODY}" in found
    before = BEFORE.replace("{\n    return 1;\n}", "{ /* body hidden */ }")
    after = before.replace("{ /* body hidden */ }", BODY)
    found, is_elsewhere = extract_change_and_detect_strays(before, after, 2, 2)
    assert (found.count(BODY), is_elsewhere) == (2, False)
    assert extract_change_and_detect_strays(before, f"int h;\n{after}", 2, 2)[1]


def test_what_is_no_file_and_what_is_unchanged_is_no_answer(task: Task, tmp_path: Path) -> None:
    shown, tree, answer = tmp_path / "shown", tmp_path / "tree", tmp_path / "answer.c"
    write_files(shown, {task.target.path: BEFORE})
    place = write_files(tree, {task.target.path: BEFORE}) / task.target.path

    def read() -> tuple[str, tuple[str, ...]]:
        return read_answer_or_empty_and_notes(task, shown, tree, answer)

    assert read() == ("", ())
    place.unlink()
    assert read() == ("", ())
    (tmp_path / "secret").write_text("int secret;\n")
    place.symlink_to(tmp_path / "secret")
    os.mkfifo(answer)
    assert read() == ("", ())
    answer.unlink()
    answer.mkdir()
    assert read() == ("", ())
    answer.rmdir()
    answer.write_text("int f(void) { return 1; }\n")
    assert read() == ("int f(void) { return 1; }\n", ())


@pytest.mark.parametrize("body", [BODY, "{\n    // ```\n    return x + y;\n}"])
def test_what_stands_in_the_tree_is_an_answer_for_both_readings(body: str, task: Task, tmp_path: Path) -> None:
    """The official one takes what stands between the first two marks of three backticks."""
    for folder, text in (("shown", BEFORE), ("tree", BEFORE.replace("{ /* body hidden */ }", body))):
        write_files(tmp_path / folder, {task.target.path: text})
    answer, _ = read_answer_or_empty_and_notes(task, tmp_path / "shown", tmp_path / "tree", tmp_path / "answer.c")
    (segment,) = list_fenced_blocks(answer)
    assert segment.text.strip().endswith(f"int y)\n{body}")
    official = parse_generation(answer, OFFICIAL_RULES["yabloco"])
    assert ("`" in body) or official.strip() == segment.text.strip()
