"""Bug prevented: a task folder that loses what was written, or swallows a misspelt key."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from executor.tasks.datasets import make_task_from_row
from executor.tasks.task_folders import list_problems_of_task_folders, read_task_folders, write_task_folder
from executor.tasks.task_row import detect_file_language
from executor.values import Level, OracleItem, Task
from index.errors import TaskError
from index.values import Span, Target
from tests.support.projects import write_files

GOLD = "int add(int a, int b) {\n    return a + b;\n}"
YAML = """\
id: add
repository: demo
path: src/add.c
first: 2
last: 4
name: add
signature: int add(int a, int b)
docstring: |
  Add two numbers.

  No overflow is handled.
level: none
"""


def task(**changes: object) -> Task:
    values: dict[str, object] = {
        "id": "add",
        "target": Target("demo", "src/add.c", Span(2, 4), "add", "int add(int a, int b)", "Add.\n\n  Well.\n", "c"),
        "gold": GOLD,
        "dataset_gold": GOLD,
        "oracle": (),
        "level": Level.NONE,
        "dataset": "tasks",
        "dataset_version": "x",
    }
    return Task(**(values | changes))  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tasks/add/oracle").mkdir(parents=True)
    return write_files(tmp_path / "tasks", {"add/task.yaml": YAML})


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_files(tmp_path / "source", {"src/add.c": f"\n{GOLD}\n"})


@pytest.mark.parametrize(
    ("path", "repository", "language"),
    [("a.c", "demo", "c"), ("a.h", "demo", "c"), ("a.h", "llvm", "cpp"), ("a.C", "demo", "cpp")]
    + [(f"a.{suffix}", "demo", "cpp") for suffix in ("cc", "CPP", "h++", "tpp", "tcc", "cu", "ixx")],
)
def test_a_files_suffix_says_its_language_as_to_the_index(path: str, repository: str, language: str) -> None:
    assert detect_file_language(path, repository) == language


def test_a_folder_that_a_person_wrote(folder: Path, source: Path) -> None:
    items = {"b.txt": "// not a head, a remark\nint b;\n", "a.h": "// src/a.h: a\nint a(void);\n"}
    write_files(folder / "add/oracle", items)
    assert list_problems_of_task_folders(folder) == []
    (row,) = read_task_folders(folder)
    assert row.oracle == (
        OracleItem("int a(void);\n", path="src/a.h", name="a"),
        OracleItem("// not a head, a remark\nint b;\n"),
    )
    assert row.target.docstring == "Add two numbers.\n\nNo overflow is handled.\n"
    assert (row.dataset, row.dataset_gold) == ("tasks", None)
    assert row.dataset_version.startswith("sha256:")
    bound = make_task_from_row(row, source)
    assert bound.gold == bound.dataset_gold == GOLD
    assert bound.notes == ()

    # The version changes with any byte.
    assert read_task_folders(folder)[0].dataset_version == row.dataset_version
    (folder / "add/oracle/a.c").write_text("int a;")
    assert read_task_folders(folder)[0].dataset_version != row.dataset_version


texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=80)


items = st.builds(
    OracleItem, texts.filter(str.strip), st.sampled_from(["", "src/a.h", "a.c++"]), st.sampled_from(["", "A::b"])
)
tasks = st.builds(
    task,
    target=st.builds(
        lambda signature, docstring: Target("demo", "src/add.c", Span(2, 4), "add", signature, docstring, "c"),
        texts.filter(bool),
        texts,
    ),
    dataset_gold=st.just("int add;\n"),
    oracle=st.lists(items).map(tuple),
    official_gold=st.none() | texts,
    instruction=st.none() | texts,
    oracle_text=st.none() | texts,
    meta=st.dictionaries(st.sampled_from(["mera_id", "last_commit"]), texts),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tasks)
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, written: Task) -> None:
    folder = tmp_path_factory.mktemp("tasks")
    write_task_folder(written, folder)
    (row,) = read_task_folders(folder)
    for field in ("target", "dataset_gold", "oracle", "official_gold", "instruction", "oracle_text", "meta", "level"):
        assert getattr(row, field) == getattr(written, field), field


def test_bytes_that_are_no_utf_8_survive_and_a_docstring_is_a_block(tmp_path: Path) -> None:
    item = OracleItem(b"// \xe9t\xe9\nint a;".decode("utf-8", "surrogateescape"))
    place = write_task_folder(task(oracle=(item,), official_gold=GOLD), tmp_path)
    (row,) = read_task_folders(tmp_path)
    assert (row.oracle, row.official_gold) == ((item,), None), "the gold itself isn't written twice"
    assert list_problems_of_task_folders(tmp_path) == []
    assert "docstring: |\n  Add.\n\n    Well.\n" in (place / "task.yaml").read_text()


def test_writing_never_overwrites(tmp_path: Path) -> None:
    write_task_folder(task(), tmp_path)
    with pytest.raises(TaskError, match="exists already"):
        write_task_folder(task(), tmp_path)
    with pytest.raises(TaskError, match=r"id '\.\./x' must be made of"):
        write_task_folder(task(id="../x"), tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("signature:", "signatur:"), "signatur: unknown key; did you mean 'signature'?"),
        (("level: none", "level: same_file"), "level: unknown level 'same_file'"),
        (("level: none", "level: pakage"), "level: unknown level 'pakage'; did you mean 'package'?"),
        (("level: none\n", ""), "level: missing"),
        (("first: 2", "first: two"), "first: input should be a valid integer"),
        (("first: 2", "first: 0"), "first: input should be greater than or equal to 1"),
        (("last: 4", "last: 1"), "last: 1 is before first, 2"),
        (("id: add", "id: sub"), "id: 'sub' is not the folder's name 'add'"),
        (("path: src/add.c", "path: ../add.c"), "path: path '../add.c' must be relative"),
        (("docstring: |", "docstring: |\n  \n x: |"), "not YAML"),
        (("name: add", "name: [add]"), "name: input should be a valid string"),
    ],
)
def test_each_problem_is_one_line_with_file_and_key(change: tuple[str, str], message: str, folder: Path) -> None:
    file = folder / "add/task.yaml"
    file.write_text(YAML.replace(*change))
    problems = list_problems_of_task_folders(folder)
    assert any(problem.startswith(f"{file}: {message}") for problem in problems), problems
    assert all("\n" not in problem for problem in problems)
    with pytest.raises(TaskError):
        read_task_folders(folder)


def test_lint_lists_every_problem(folder: Path) -> None:
    file = folder / "add/task.yaml"
    file.write_text(YAML[: YAML.index("docstring")] + 'docstring: ""\nlevel: none\n')
    assert list_problems_of_task_folders(folder) == [f"{file}: docstring: empty; say what the function does"]
    text = YAML.replace("signature:", "signatur:").replace("name: add\n", "")
    files = {"add/notes.md": "x", "add/oracle/a.py": "x", "add/oracle/b.c": "// src/b.c: b\n", "stray.yaml": ""}
    write_files(folder, {"add/task.yaml": text, **files})
    (folder / "empty").mkdir()
    problems = "\n".join(list_problems_of_task_folders(folder))
    for part in (
        "signatur: unknown key",
        "name: missing",
        "signature: missing",
        "notes.md: not a file of a task",
        "a.py: an oracle file ends in .c, .cpp, .h, .txt",
        "b.c: empty; an oracle file holds one callee's text",
        "empty/task.yaml: no such file",
        "stray.yaml: a task is a folder",
    ):
        assert part in problems
    assert list_problems_of_task_folders(folder / "absent") == [f"{folder / 'absent'}: no such folder"]
    with pytest.raises(TaskError, match="no task folders"):
        read_task_folders(folder / "empty")
