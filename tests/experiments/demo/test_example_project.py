"""Prevents: an edited source file of the example that moves a task's lines, so that the demo cuts a hole into the
wrong function; an oracle text that goes stale; a scripted model that no longer finds in a prompt what its rules look
for, so that all arms of the demo end alike."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from agent.answer.extraction import extract_function
from agent.prompts import load_prompts
from executor.tasks.row_check import check_row
from executor.tasks.task_folders import list_problems_of_task_folders, read_task_folders
from executor.tasks.task_row import TaskRow, join_span_lines, read_file_lines, split_lines_keeping_ends
from executor.values import Level
from experiments.demo.scripted_server import Script, ScriptRule, load_script
from retrieval.context.snippets import make_snippets_from_oracle
from retrieval.values import Context

EXAMPLES = Path(__file__).parents[3] / "examples"
PROJECT = EXAMPLES / "inventory"
ROWS = read_task_folders(PROJECT / "tasks")

each_task = pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])


def gold(row: TaskRow) -> str:
    return join_span_lines(read_file_lines(row, PROJECT), row.span)


def failed_tests(folder: Path, program: str) -> list[str]:
    done = subprocess.run([program], cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    lines = done.stdout.splitlines()
    failed = [line.split(":")[0].removeprefix("FAIL ") for line in lines if line.startswith("FAIL ")]
    passed = [line for line in lines if line.startswith("PASS ")]
    assert lines[-1] == f"{len(passed) + len(failed)} tests, {len(failed)} failed"
    assert len(passed) + len(failed) >= 40
    assert done.returncode == (1 if failed else 0)
    return failed


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inventory") / "tree"
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("build"))
    done = subprocess.run(["make", "-j2"], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and "warning:" not in done.stdout + done.stderr, done.stdout + done.stderr
    return folder


def test_the_project_passes_its_own_tests(built: Path) -> None:
    assert failed_tests(built, "build/test_c") == []
    assert failed_tests(built, "build/test_cpp") == []


def test_a_test_that_leaves_early_has_failed(tmp_path: Path) -> None:
    for name in ("harness.c", "harness.h"):
        shutil.copy(PROJECT / "tests" / name, tmp_path)
    (tmp_path / "early.c").write_text(
        '#include "harness.h"\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n'
        "TEST(leaves) { _exit(0); }\nTEST(aborts) { abort(); }\nTEST(hangs) { for (volatile int i = 0;; i++) ; }\n"
        "TEST(fails) { INT_EQ(1 + 1, 3); }\nTEST(passes) { CHECK(1); }\n"
    )
    subprocess.run(["cc", "-o", "early", "early.c", "harness.c"], cwd=tmp_path, check=True)
    done = subprocess.run(["./early"], cwd=tmp_path, capture_output=True, text=True, timeout=20, check=False)
    assert done.stdout.splitlines() == [
        "FAIL leaves: left before its end",
        "FAIL aborts: killed by signal 6",
        "FAIL hangs: killed by signal 24",
        "FAIL fails: early.c:8: INT_EQ(1 + 1, 3): 2 is not 3",
        "PASS passes",
        "5 tests, 4 failed",
    ]
    assert done.returncode == 1
    assert subprocess.run(["./early", "no_such_test"], cwd=tmp_path, check=False).returncode == 2


def test_the_tasks_cover_every_level() -> None:
    assert list_problems_of_task_folders(PROJECT / "tasks") == []
    levels = [row.level for row in ROWS]
    assert all(levels.count(level) >= 2 for level in Level), levels
    assert {row.target.language for row in ROWS} == {"c", "cpp"}
    assert all(row.repository == "example" for row in ROWS)


@each_task
def test_a_row_agrees_with_the_tree(row: TaskRow) -> None:
    assert check_row(row, PROJECT) == []
    assert gold(row).endswith("}")
    # The docstring is the comment above.
    above = split_lines_keeping_ends("".join(read_file_lines(row, PROJECT)[: row.span.first - 1]))
    comment: list[str] = []
    while above and re.match(r"\s*(/\*|\*|///)", above[-1]):
        comment.insert(0, re.sub(r"^\s*(?:/\*|\*(?!/)|///) ?|\s*\*/\s*$", "", above.pop().rstrip()))
    assert "\n".join(comment).strip() == row.target.docstring.strip()
    assert len(row.target.docstring.split()) >= 10
    # The oracle stands in the tree.
    assert row.oracle or row.level in (Level.NONE, Level.STDLIB)
    called = gold(row).partition("{")[2] if "::" not in row.target.signature else gold(row)
    for item in row.oracle:
        assert item.text in (PROJECT / item.path).read_text(encoding="utf-8")
        assert re.search(rf"\b{re.escape(item.name.rpartition('::')[2])}\b", called), item.name


SCRIPT = load_script(EXAMPLES / "demo" / "script.yaml")
# The tasks whose callees a model can't guess: the script answers them otherwise once the prompt shows them.
NEED_CALLEES = {row.id for row in ROWS if row.oracle} - {"lot-label"}


def serving(script: Script, row: TaskRow, *, oracle: bool) -> ScriptRule:
    """The rule that answers the task's first prompt."""
    items = [(item.text, item.path, item.name) for item in row.oracle if oracle]
    context = Context(tuple(make_snippets_from_oracle(items)), 0, 0, ())
    messages = load_prompts("graft").render_opening(row.target, context, task_id=row.id)
    texts = [message.content for message in messages]
    return next(rule for rule in script.rules if rule.status == 200 and rule.fits_conversation(texts))


@each_task
def test_the_scripted_model_answers_by_what_it_is_shown(row: TaskRow) -> None:
    without, shown = serving(SCRIPT, row, oracle=False), serving(SCRIPT, row, oracle=True)
    assert without.name.startswith(f"{row.id}/")
    assert shown.name.startswith(f"{row.id}/")
    assert (without.name != shown.name) == (row.id in NEED_CALLEES)


def test_every_scripted_answer_but_the_prose_holds_a_function() -> None:
    by_id = {row.id: row for row in ROWS}
    answers = [rule for rule in SCRIPT.rules if rule.status == 200 and not rule.calls]
    found = {r.name: extract_function(r.answer, by_id[r.name.partition("/")[0]].target).code for r in answers}
    assert [name for name, code in found.items() if code is None] == ["text-trim/prose"]
