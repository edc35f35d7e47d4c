"""Graft's own task format: a folder for each task, which a person can read and write. docs/reference/tasks.md shows
one.

<folder>/<task id>/task.yaml     the keys of TaskFile
<folder>/<task id>/oracle/*      one callee of the true body per file, in the order of the names
<folder>/<task id>/gold.txt      optional: the data set's own text, for the official exact match
<folder>/<task id>/official.txt  optional: what the official exact match compares with, where that is another text
<folder>/<task id>/context.txt   optional: the oracle as one text, verbatim, for prompts that take it so
"""

from __future__ import annotations

import hashlib
import re
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from pydantic import ConfigDict, Field, ValidationError

from executor.tasks.task_row import (
    LEVELS,
    TaskRow,
    detect_file_language,
    require_path_inside_repository,
    require_valid_task_id,
)
from executor.values import Level, OracleItem, Task
from index.errors import TaskError
from index.source_text import decode_source, encode_source
from index.user_files import StrictModel, make_spelling_hint, read_yaml
from index.values import Language, Span, Target, join_targets

_WHOLE_TEXTS = ("gold.txt", "official.txt", "context.txt")
_ORACLE_SUFFIXES = frozenset({".c", ".cpp", ".h", ".txt"})
_FILES = frozenset({"task.yaml", "gold.txt", "official.txt", "context.txt", "oracle"})
# The optional first line of an oracle file; `-` stands for what isn't known.
_ORACLE_HEAD = re.compile(r"// (?P<path>-|[^\s:]+\.[\w+]+): (?P<name>\S.*)")


class HoleEntry(StrictModel):
    """A function to write. `first` and `last` are lines of `path`, 1-based, both included."""

    model_config = ConfigDict(strict=True)

    path: str
    first: int = Field(ge=1)
    last: int = Field(ge=1)
    name: str = Field(min_length=1)
    signature: str = Field(min_length=1)
    docstring: str
    language: Language | None = None

    def make_target(self, repository: str) -> Target:
        language = self.language or detect_file_language(self.path, repository)
        span = Span(self.first, self.last)
        return Target(repository, self.path, span, self.name, self.signature, self.docstring, language)


class TaskFile(HoleEntry):
    """task.yaml. `holes` are the further functions of a task that asks for several at once."""

    id: str
    repository: str = Field(min_length=1)
    level: str
    instruction: str | None = None
    meta: dict[str, str] = Field(default_factory=dict)
    holes: list[HoleEntry] = Field(default_factory=list)


def read_task_folders(folder: Path) -> tuple[TaskRow, ...]:
    """The folder's tasks in the order of their names. Raises TaskError for the first problem;
    `list_problems_of_task_folders` lists all."""
    rows: list[TaskRow] = []
    name, folder = folder.resolve().name, choose_tasks_subfolder_or_folder(folder)
    folders = _list_visible_subfolders(folder)
    if not any((task_folder / "task.yaml").exists() for task_folder in folders):
        raise TaskError(f"{folder}: no task folders (a task is a folder with a task.yaml)")
    version = _hash_folder_content(folder)
    for task_folder in folders:
        row, problems = _read_task(task_folder, name, version)
        if row is None or problems:
            raise TaskError(problems[0])
        rows.append(row)
    return tuple(rows)


def choose_tasks_subfolder_or_folder(folder: Path) -> Path:
    """Where the tasks' folders lie: in `tasks` where `recipes` lies beside it, as `graft make` writes a data set."""
    inner = folder / "tasks"
    return inner if (folder / "recipes").is_dir() and inner.is_dir() else folder


def list_problems_of_task_folders(folder: Path) -> list[str]:
    """Every problem as one line that names the file and the key. Empty when there is none."""
    if not folder.is_dir():
        return [f"{folder}: no such folder"]
    folder = choose_tasks_subfolder_or_folder(folder)
    problems = [f"{file}: a task is a folder; move it or delete it" for file in _find_stray_files(folder)]
    folders = _list_visible_subfolders(folder)
    if not folders:
        problems.append(f"{folder}: no task folders (a task is a folder with a task.yaml)")
    for task_folder in folders:
        row, found = _read_task(task_folder, folder.name, "")
        problems += found
        for entry in sorted(task_folder.iterdir()):
            if entry.name not in _FILES:
                problems.append(f"{entry}: not a file of a task{make_spelling_hint(entry.name, _FILES)}")
        apart = () if row is None else row.target.holes
        for single in apart:
            if not single.docstring.strip():
                of = f" of {single.name}" if len(apart) > 1 else ""
                problems.append(f"{task_folder / 'task.yaml'}: docstring{of}: empty; say what the function does")
    return problems


def write_task_folder(task: Task, folder: Path) -> Path:
    """Write the task as the new folder `<folder>/<task id>/` and return it. Raises TaskError when that exists.

    `read_task_folders` reads the same task again. The gold stays in the repository.
    """
    target = task.target
    require_valid_task_id(task.id, str(folder))
    place = folder / task.id
    if place.exists():
        raise TaskError(f"{place}: exists already; delete it to write the task again")
    (place / "oracle").mkdir(parents=True)
    fields: dict[str, Any] = {"id": task.id, "repository": target.repo, **_collect_hole_fields(target)}
    fields |= {"level": task.level.value, "language": target.language}
    if len(target.holes) > 1:
        fields["holes"] = [{**_collect_hole_fields(hole), "language": hole.language} for hole in target.holes[1:]]
    if task.instruction is not None:
        fields["instruction"] = task.instruction
    if task.meta:
        fields["meta"] = dict(task.meta)
    (place / "task.yaml").write_text(
        yaml.dump(fields, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110), encoding="utf-8"
    )
    if task.dataset_gold != task.gold:
        (place / "gold.txt").write_bytes(encode_source(task.dataset_gold))
    if task.official_gold is not None and task.official_gold != task.dataset_gold:
        (place / "official.txt").write_bytes(encode_source(task.official_gold))
    if task.oracle_text is not None:
        (place / "context.txt").write_bytes(encode_source(task.oracle_text))
    suffix = ".c" if target.language == "c" else ".cpp"
    for number, item in enumerate(task.oracle, start=1):
        head = f"// {item.path or '-'}: {item.name or '-'}\n"
        stem = re.sub(r"[^A-Za-z0-9_]+", "_", item.name).strip("_") or "callee"
        (place / "oracle" / f"{number:03}_{stem[:60]}{suffix}").write_bytes(encode_source(head + item.text))
    return place


def _collect_hole_fields(hole: Target) -> dict[str, Any]:
    """The keys of a function in task.yaml, but for its language."""
    return {
        "path": hole.path,
        "first": hole.span.first,
        "last": hole.span.last,
        "name": hole.name,
        "signature": hole.signature,
        "docstring": hole.docstring,
    }


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as YAML blocks, which are easy to read."""

    def represent_text(self, text: str) -> yaml.ScalarNode:
        # YAML counts these as line ends; only a quoted text escapes them.
        odd = any(mark in text for mark in "\r\x85\u2028\u2029")
        style = '"' if odd else "|" if "\n" in text else None
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _Dumper.represent_text)


def _list_visible_subfolders(folder: Path) -> list[Path]:
    return sorted(entry for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith("."))


def _find_stray_files(folder: Path) -> list[Path]:
    known = {"README.md", "LICENSE"}
    return sorted(
        entry
        for entry in folder.iterdir()
        if not entry.is_dir() and entry.name not in known and not entry.name.startswith(".")
    )


def _hash_folder_content(folder: Path) -> str:
    """The version of the data set: a folder has no other."""
    digest = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = file.read_bytes()
        digest.update(f"{file.relative_to(folder).as_posix()}\0{len(data)}\0".encode())
        digest.update(data)
    return f"sha256:{digest.hexdigest()[:12]}"


def _read_task(place: Path, dataset: str, version: str) -> tuple[TaskRow | None, list[str]]:
    file = place / "task.yaml"
    parsed, problems = _read_yaml(file)
    oracle, oracle_problems = _read_oracle(place / "oracle")
    problems += oracle_problems
    if parsed is None:
        return None, problems
    problems += [f"{file}: {problem}" for problem in _find_value_problems_of_task_file(parsed, place.name)]
    if parsed.holes:
        problems += [
            f"{place / name}: a task of several functions has no such text; the repository holds their golds"
            for name in _WHOLE_TEXTS
            if (place / name).exists()
        ]
    if problems:
        return None, problems
    files = [place / name for name in _WHOLE_TEXTS]
    gold, official, context = (decode_source(file.read_bytes()) if file.is_file() else None for file in files)
    row = TaskRow(
        id=parsed.id,
        target=join_targets([hole.make_target(parsed.repository) for hole in (parsed, *parsed.holes)]),
        oracle=oracle,
        dataset_gold=gold,
        level=Level(parsed.level),
        dataset=dataset,
        dataset_version=version,
        origin=str(file),
        instruction=parsed.instruction,
        oracle_text=context,
        meta=parsed.meta,
        official_gold=official,
    )
    return row, []


def _read_yaml(file: Path) -> tuple[TaskFile | None, list[str]]:
    if not file.is_file():
        return None, [f"{file}: no such file; every task folder needs one"]
    try:
        return TaskFile.model_validate(read_yaml(file, TaskError)), []
    except TaskError as error:
        return None, [str(error)]
    except ValidationError as error:
        return None, [
            f"{file}: {_explain_validation_problem(item['type'], item['loc'], item['msg'])}" for item in error.errors()
        ]


def _explain_validation_problem(kind: str, place: tuple[int | str, ...], message: str) -> str:
    key = ".".join(map(str, place))
    if kind == "extra_forbidden":
        return f"{key}: unknown key{make_spelling_hint(key, TaskFile.model_fields)}"
    if kind == "missing":
        return f"{key}: missing"
    return f"{key}: {message[0].lower()}{message[1:]}"


def _find_value_problems_of_task_file(parsed: TaskFile, folder_name: str) -> list[str]:
    problems = []
    holes: list[tuple[str, HoleEntry]] = [("", parsed)]
    holes += [(f"holes.{number}.", hole) for number, hole in enumerate(parsed.holes)]
    checks = [partial(require_path_inside_repository, hole.path, f"{key}path") for key, hole in holes]
    for check in (partial(require_valid_task_id, parsed.id, "id"), *checks):
        try:
            check()
        except TaskError as error:
            problems.append(str(error))
    if parsed.id != folder_name:
        problems.append(f"id: {parsed.id!r} is not the folder's name {folder_name!r}")
    for number, (key, hole) in enumerate(holes):
        if hole.last < hole.first:
            problems.append(f"{key}last: {hole.last} is before first, {hole.first}")
        if any(o.path == hole.path and o.first <= hole.last and hole.first <= o.last for _, o in holes[:number]):
            problems.append(f"{key.removesuffix('.')}: its lines overlap another function's of the task")
    if parsed.holes and parsed.instruction is not None:
        problems.append("instruction: MERA's templates hold one function; leave it out of a task of several")
    if parsed.level not in LEVELS:
        problems.append(f"level: unknown level {parsed.level!r}{make_spelling_hint(parsed.level, LEVELS)}")
    return problems


def _read_oracle(folder: Path) -> tuple[tuple[OracleItem, ...], list[str]]:
    if not folder.exists():
        return (), []
    if not folder.is_dir():
        return (), [f"{folder}: must be a folder with one callee per file"]
    items, problems = [], []
    for file in sorted(folder.iterdir()):
        if file.suffix not in _ORACLE_SUFFIXES or not file.is_file():
            problems.append(f"{file}: an oracle file ends in {', '.join(sorted(_ORACLE_SUFFIXES))}")
            continue
        item = _read_oracle_item(decode_source(file.read_bytes()))
        if not item.text.strip():
            problems.append(f"{file}: empty; an oracle file holds one callee's text")
        items.append(item)
    return tuple(items), problems


def _read_oracle_item(text: str) -> OracleItem:
    first, _, rest = text.partition("\n")
    head = _ORACLE_HEAD.fullmatch(first.rstrip())
    if head is None:
        return OracleItem(text)
    path, name = head["path"], head["name"]
    return OracleItem(rest, path="" if path == "-" else path, name="" if name == "-" else name)
