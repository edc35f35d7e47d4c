"""Reader of YABLoCo's own files: `bench-*.csv` or `bench-*.json`, and the oracle file."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from executor.tasks.task_row import (
    TaskRow,
    choose_level_of_farthest_callee,
    detect_file_language,
    parse_json,
    read_file_bytes,
    require_distinct_task_ids,
    require_path_inside_repository,
    require_valid_task_id,
    strip_repository_prefix,
)
from executor.values import Level, OracleItem
from index.errors import TaskError
from index.values import Span, Target

DATASET = "yabloco"
DATA = Path(__file__).parents[1] / "data" / "yabloco"
ORACLE_NAME = "yabloco_oracle_v1.json"
TEXTS_NAME = "bench-v0.8.json"

# No file has as many lines.
_LARGEST = 1e9
# The columns with a row's counts of callees, by where these lie.
RINGS = ("same_file", "same_package", "project", "stdlib")
_META = ("dep_num", "calls_num", "external_binaries", "last_commit", "test_cov_hits")


def read_yabloco(bench: Path, oracle: Path) -> tuple[TaskRow, ...]:
    """The rows of a bench file joined with the oracle file by id, in the bench file's order.

    The JSON holds texts and call lists by id, but no places. So its rows are read from the CSV of the same name beside
    it, and only the text comes from the JSON. A CSV's JSON may lie beside it: the official exact match compares with
    its texts. Raises TaskError, which names the file, row and field.
    """
    oracles = _read_oracle(oracle)
    table = bench
    if bench.suffix == ".json":
        table = bench.with_suffix(".csv")
        if not table.is_file():
            raise TaskError(f"{bench}: the JSON has no places; put {table.name} beside it, or give the CSV")
    beside = bench.with_suffix(".json")
    texts = read_function_texts_by_id(beside) if beside.is_file() or bench == beside else {}
    rows = []
    try:
        with table.open(encoding="utf-8", newline="") as file:
            for number, raw in enumerate(csv.DictReader(file), start=1):
                rows.append(_make_row(raw, number, table, oracles, texts, by_json=bench == beside))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TaskError(f"{table}: can't be read after row {len(rows)} ({error})") from None
    if not rows:
        raise TaskError(f"{table}: no rows")
    require_distinct_task_ids(rows)
    return tuple(rows)


def _make_row(
    raw: Mapping[str, str | None],
    number: int,
    table: Path,
    oracles: Mapping[str, Mapping[str, Any]],
    texts: Mapping[str, str],
    *,
    by_json: bool,
) -> TaskRow:
    where = f"{table.name} row {number}"
    task_id = require_valid_task_id(read_text_field(raw, "id", where), where)
    where = f"{table.name} row {number} (id {task_id})"
    if task_id not in oracles:
        raise TaskError(f"{where}: field id: the oracle file has no such id")
    if by_json and task_id not in texts:
        raise TaskError(f"{where}: field id: {table.with_suffix('.json').name} has no such id")
    entry = oracles[task_id]
    repository, path, span, name = read_repository_path_span_and_name(raw, where)
    docstring, language = read_text_field(raw, "doc", where), detect_file_language(path, repository)
    return TaskRow(
        id=task_id,
        target=Target(repository, path, span, name, entry["signature"], docstring, language),
        oracle=tuple(OracleItem(text) for text in entry["context"]),
        dataset_gold=texts[task_id] if by_json else read_text_field(raw, "code", where),
        level=read_level_from_callee_counts(raw, where),
        dataset=DATASET,
        dataset_version=table.stem,
        origin=where,
        meta={name: value for name in _META if (value := raw.get(name))},
        official_gold=texts.get(task_id),
    )


def read_text_field(raw: Mapping[str, Any], name: str, where: str) -> str:
    """The field as text. Raises TaskError, which names the row and the field, when it is missing or no text."""
    value = raw.get(name)
    if value is None:
        raise TaskError(f"{where}: field {name} is missing")
    if not isinstance(value, str):
        raise TaskError(f"{where}: field {name} must be text, not {type(value).__name__}")
    return value


def read_int_field(raw: Mapping[str, Any], name: str, where: str) -> int:
    """The field as a whole number. `5.0` counts as 5, because pandas wrote some columns as floats. Raises
    TaskError."""
    value = raw.get(name)
    if value is None or value == "":
        raise TaskError(f"{where}: field {name} is missing")
    try:
        number = float(value)
        if number != int(number):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise TaskError(f"{where}: field {name} must be a whole number, not {str(value)[:80]!r}") from None
    if abs(number) > _LARGEST:
        raise TaskError(f"{where}: field {name} must be at most {_LARGEST:.0f}, not {str(value)[:80]!r}")
    return int(number)


def read_repository_path_span_and_name(raw: Mapping[str, Any], where: str) -> tuple[str, str, Span, str]:
    """The repository, the path in it, the lines and the name of the row's function. Raises TaskError."""
    repository = read_text_field(raw, "repository", where)
    path = require_path_inside_repository(
        strip_repository_prefix(read_text_field(raw, "file", where), repository), where
    )
    first, length = read_int_field(raw, "pos", where), read_int_field(raw, "code_length", where)
    return repository, path, Span(first, first + length), read_text_field(raw, "fname", where)


def read_level_from_callee_counts(raw: Mapping[str, Any], where: str) -> Level:
    """The level by the row's counts of callees. Raises TaskError."""
    file, package, project, stdlib = (read_int_field(raw, name, where) for name in RINGS)
    return choose_level_of_farthest_callee(project=project, package=package, file=file, stdlib=stdlib)


def _read_oracle(path: Path) -> Mapping[str, Mapping[str, Any]]:
    entries = parse_json(read_file_bytes(path), str(path))
    if not isinstance(entries, list):
        raise TaskError(f"{path}: expected a list of entries with id, context, signature")
    found: dict[str, Mapping[str, Any]] = {}
    for number, entry in enumerate(entries, start=1):
        where = f"{path.name} entry {number}"
        if not isinstance(entry, dict):
            raise TaskError(f"{where}: expected an object")
        read_text_field(entry, "signature", where)
        context = entry.get("context")
        if not isinstance(context, list) or not all(isinstance(item, str) for item in context):
            raise TaskError(f"{where}: field context must be a list of texts")
        found[read_text_field(entry, "id", where)] = entry
    return found


def read_function_texts_by_id(path: Path) -> Mapping[str, str]:
    """The functions' texts by id, of YABLoCo's JSON. Raises TaskError."""
    entries = parse_json(read_file_bytes(path), str(path))
    if not isinstance(entries, dict):
        raise TaskError(f"{path}: expected an object from id to calls and code")
    found = {}
    for task_id, entry in entries.items():
        if not isinstance(entry, dict):
            raise TaskError(f"{path.name} id {task_id}: expected an object")
        found[task_id] = read_text_field(entry, "code", f"{path.name} id {task_id}")
    return found
