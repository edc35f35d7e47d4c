"""Bug prevented: a MERA row whose prompt isn't MERA's any more, because its template or context was touched."""

from __future__ import annotations

import copy
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from agent.prompts import load_prompts
from executor.tasks.datasets import bind_row
from executor.tasks.mera import read_mera, split_context
from executor.tasks.yabloco import DATA
from executor.values import Level
from index.errors import TaskError
from index.values import Span
from retrieval.values import Context
from tests.support.projects import write_files

# MERA Code publishes one row in full as its example; the metadata file carries it.
EXAMPLE: dict[str, Any] = json.loads((DATA / "mera_dataset_meta.json").read_bytes())["data_example"]


def write(folder: Path, *rows: Any, name: str = "rows.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def changed(keys: str, value: Any) -> dict[str, Any]:
    """The example with one field replaced, or dropped for None; `keys` as `meta.pos`."""
    row = copy.deepcopy(EXAMPLE)
    *parents, last = keys.split(".")
    inner = row
    for key in parents:
        inner = inner[key]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return row


def test_the_published_example(tmp_path: Path) -> None:
    (row,) = read_mera(write(tmp_path, EXAMPLE))
    assert (row.id, row.meta["mera_id"]) == ("1AA5FDA0028F60DA", "230")
    assert (row.repository, row.path, row.name) == ("openssl", "crypto/ui/ui_lib.c", "UI_add_user_data")
    assert (row.span, row.level, row.target.language) == (Span(371, 382), Level.PACKAGE, "c")
    assert row.instruction == EXAMPLE["instruction"]
    assert row.oracle_text == EXAMPLE["inputs"]["context"]
    assert row.dataset_gold == EXAMPLE["outputs"]
    (item,) = row.oracle
    assert item.path == "crypto/ui/ui_lib.c"
    assert item.text.startswith("void *(*UI_method_get_data_duplicator") and item.text.endswith("}")
    counts = {"dep_num": "2", "same_file": "1", "same_package": "1", "project": "0", "stdlib": "0"}
    assert counts.items() <= row.meta.items()


def test_a_missing_pyarrow_is_one_line_that_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "rows.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TaskError, match=r"pip install 'graft\[mera\]'"):
        read_mera(tmp_path / "rows.parquet")


def test_parquet_and_json_lines_give_the_same_rows(tmp_path: Path) -> None:
    second = changed("meta.original_id", "2AA5FDA0028F60DA")
    lines = read_mera(write(tmp_path, EXAMPLE, second))
    table = pyarrow.Table.from_pylist([EXAMPLE, second])
    pyarrow.parquet.write_table(table, tmp_path / "rows.parquet")
    parquet = read_mera(tmp_path / "rows.parquet")
    assert len(parquet) == 2
    # The file stands for a version.
    assert [replace(row, dataset_version="", origin="") for row in parquet] == [
        replace(row, dataset_version="", origin="") for row in lines
    ]


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        ("meta.pos", None, r"rows\.jsonl row 1 \(id 230\): meta: field pos is missing"),
        ("meta.id", None, r"rows\.jsonl row 1: meta: field id is missing"),
        ("meta.code_length", "many", r"meta: field code_length must be a whole number, not 'many'"),
        ("meta.file", 3, r"meta: field file must be text, not int"),
        ("inputs", None, r"row 1: field inputs is missing or not an object"),
        ("inputs.context", None, r"inputs: field context is missing"),
        ("inputs.language", "Rust", r"inputs: field language: 'Rust' is neither C nor C\+\+"),
        ("outputs", None, r"\(id 230\): field outputs is missing"),
        ("instruction", None, r"\(id 230\): field instruction is missing"),
    ],
)
def test_a_bad_field_is_named_with_its_row(keys: str, value: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=message):
        read_mera(write(tmp_path, changed(keys, value)))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("broken.jsonl", json.dumps(EXAMPLE) + '\n{"instruction": \n', r"broken\.jsonl line 2: not JSON"),
        ("cut.parquet", "PAR1 and no more", "not a whole parquet file"),
        ("empty.jsonl", "\n", "no rows"),
        ("absent.jsonl", None, r"absent\.jsonl: can't be read"),
    ],
)
def test_files_that_are_none(tmp_path: Path, name: str, data: str | None, message: str) -> None:
    if data is not None:
        (tmp_path / name).write_text(data)
    with pytest.raises(TaskError, match=message):
        read_mera(tmp_path / name)


CONTEXT = (
    "// File name: redis/src/a.c\n// Comment: \nint a(void) { return 1; }\n\n"
    "// File name: redis/src/b.h\n// Comment: Adds.\nint b(int x)\n{\n"
    "    // File name: not a head\n    return x;\n}\n"
)


def test_a_joined_context_comes_apart() -> None:
    first, second = split_context(CONTEXT, "redis")
    assert (first.path, first.text) == ("src/a.c", "int a(void) { return 1; }")
    assert second.path == "src/b.h"
    assert second.text.startswith("// Adds.\nint b(int x)") and "not a head" in second.text
    assert split_context("", "redis") == () == split_context("\n \n", "redis")
    assert [item.text for item in split_context("int c;", "redis")] == ["int c;"]


def test_a_context_that_holds_the_gold_stays_verbatim_and_loses_that_item_elsewhere(tmp_path: Path) -> None:
    gold = EXAMPLE["outputs"]
    harmless = EXAMPLE["inputs"]["context"]
    leaking = f"{harmless}\n\n// File name: openssl/crypto/ui/ui_lib.c\n// Comment: \n{gold}\n"
    row = changed("inputs.context", leaking)
    row["inputs"]["signature"] = "void *UI_add_user_data(UI *ui, void *user_data)\n "
    row["meta"] |= {"pos": 1, "code_length": gold.count("\n")}
    source = write_files(tmp_path / "openssl", {"crypto/ui/ui_lib.c": gold + "\n"})
    (read,) = read_mera(write(tmp_path, row))
    task = bind_row(read, source)
    assert len(read.oracle) == 2 and len(task.oracle) == 1
    # MERA's prompt is MERA's: the context and the signature stay as the row spells them.
    assert task.oracle_text == leaking
    assert task.target.signature == row["inputs"]["signature"]
    assert any("dropped; the row's own context" in note for note in task.notes)
    inputs = {**row["inputs"], "docstring": EXAMPLE["inputs"]["docstring"]}
    (message,) = load_prompts("mera").render_opening(
        task.target,
        Context((), 0, 0, ()),
        task_id=task.id,
        instruction=task.instruction,
        context_text=task.oracle_text,
    )
    assert message.content == row["instruction"].format(**inputs).strip()


def test_the_official_gold_is_that_of_the_harness(tmp_path: Path) -> None:
    """MERA calls YABLoCo's harness, which finds the text by the id in its own JSON and never sees `outputs`."""
    texts = json.loads((DATA / "bench-v0.8.json").read_bytes())
    known = changed("meta.original_id", "88C2FB6CC13F3260")
    rows = read_mera(write(tmp_path, EXAMPLE, known))
    assert [row.official_gold for row in rows] == [None, texts["88C2FB6CC13F3260"]["code"]]
    assert [row.dataset_gold for row in rows] == [EXAMPLE["outputs"]] * 2
