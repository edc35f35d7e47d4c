"""Reader of MERA Code's `yabloco` rows, as parquet or JSON lines, in exactly their fields."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from executor.tasks.task_row import (
    TaskRow,
    read_file_bytes,
    read_json_lines_with_origins,
    require_distinct_task_ids,
    require_valid_task_id,
    strip_repository_prefix,
)
from executor.tasks.yabloco import (
    DATA,
    RINGS,
    TEXTS_NAME,
    read_function_texts_by_id,
    read_int_field,
    read_level_from_callee_counts,
    read_repository_path_span_and_name,
    read_text_field,
)
from executor.values import OracleItem
from index.errors import TaskError, describe_install_commands
from index.values import Language, Target

DATASET = "mera"

_LANGUAGES: Mapping[str, Language] = {"c": "c", "c++": "cpp", "cpp": "cpp"}
_META = ("calls_num", "dep_num", *RINGS, "external_binaries", "last_commit", "test_cov_hits")
# MERA joins the callees into one text; each begins with these two comment lines.
_ITEM_HEAD = re.compile(r"^// File name: (?P<path>.*)\n// Comment:(?P<comment>[^\n]*)\n", re.MULTILINE)


def read_mera(path: Path) -> tuple[TaskRow, ...]:
    """The rows of the file. Each keeps its instruction template and its context verbatim (`instruction`,
    `oracle_text`).

    The task's id is `meta.original_id`, which is YABLoCo's; MERA's number becomes meta["mera_id"]. The harness that
    MERA calls finds the text to compare with by that id in YABLoCo's JSON, so that is the official gold. The data have
    no version, so the file's hash stands for it. Raises TaskError, which names the file, row and field.
    """
    data = read_file_bytes(path)
    version = f"sha256:{hashlib.sha256(data).hexdigest()[:12]}"
    raws = (
        _read_parquet_rows(path) if data[:4] == b"PAR1" else (value for _, value in read_json_lines_with_origins(path))
    )
    texts = read_function_texts_by_id(DATA / TEXTS_NAME)
    rows = tuple(_make_row(raw, f"{path.name} row {n}", version, texts) for n, raw in enumerate(raws, start=1))
    if not rows:
        raise TaskError(f"{path}: no rows")
    require_distinct_task_ids(rows)
    return rows


def _make_row(raw: Mapping[str, Any], where: str, version: str, texts: Mapping[str, str]) -> TaskRow:
    if raw.get("holes"):
        raise TaskError(
            f"{where}: it asks for several functions, which this form doesn't hold; load the tasks' folder"
        )
    inputs, meta = _read_object_field(raw, "inputs", where), _read_object_field(raw, "meta", where)
    in_meta = f"{where}: meta"
    mera_id = read_int_field(meta, "id", in_meta)
    where = f"{where} (id {mera_id})"
    in_inputs, in_meta = f"{where}: inputs", f"{where}: meta"
    language = read_text_field(inputs, "language", in_inputs)
    if language.lower() not in _LANGUAGES:
        raise TaskError(f"{in_inputs}: field language: {language!r} is neither C nor C++")
    repository, path, span, name = read_repository_path_span_and_name(meta, in_meta)
    context = read_text_field(inputs, "context", in_inputs)
    task_id = require_valid_task_id(read_text_field(meta, "original_id", in_meta), in_meta)
    signature, docstring = (read_text_field(inputs, key, in_inputs) for key in ("signature", "docstring"))
    return TaskRow(
        id=task_id,
        target=Target(repository, path, span, name, signature, docstring, _LANGUAGES[language.lower()]),
        oracle=split_context_into_oracle_items(context, repository),
        dataset_gold=read_text_field(raw, "outputs", where),
        level=read_level_from_callee_counts(meta, in_meta),
        dataset=DATASET,
        dataset_version=version,
        origin=where,
        instruction=read_text_field(raw, "instruction", where),
        oracle_text=context,
        meta={"mera_id": str(mera_id)} | {name: str(meta[name]) for name in _META if meta.get(name) is not None},
        official_gold=texts.get(task_id),
    )


def split_context_into_oracle_items(context: str, repository: str) -> tuple[OracleItem, ...]:
    """MERA's joined context as single callees. A text without their head lines is one item, a blank text none."""
    starts = [head.start() for head in _ITEM_HEAD.finditer(context)]
    segments = (context[first:last] for first, last in pairwise([0, *starts, len(context)]))
    return tuple(_make_oracle_item(segment, repository) for segment in segments if segment.strip())


def _make_oracle_item(segment: str, repository: str) -> OracleItem:
    head = _ITEM_HEAD.match(segment)
    if head is None:
        return OracleItem(segment)
    comment, text = head["comment"].strip(), segment[head.end() :].strip("\n")
    path = strip_repository_prefix(head["path"].strip(), repository)
    return OracleItem(f"// {comment}\n{text}" if comment else text, path=path)


def _read_object_field(raw: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    value = raw.get(name)
    if not isinstance(value, dict):
        raise TaskError(f"{where}: field {name} is missing or not an object")
    return value


def _read_parquet_rows(path: Path) -> Iterable[Mapping[str, Any]]:
    # pyarrow weighs 176 MB and reads this one format, so it is an extra.
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise TaskError(f"{path}: reading parquet needs pyarrow: {describe_install_commands('mera')}") from None
    try:
        rows: list[Mapping[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise TaskError(f"{path}: not a whole parquet file ({str(error).splitlines()[0]})") from None
    return rows
