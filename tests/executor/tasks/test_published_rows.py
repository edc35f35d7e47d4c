"""Prevents: a row of YABLoCo's that is read wrong (place, level, text) or swallowed without a word; a MERA row whose
prompt isn't MERA's any more, because its template or context was touched."""

from __future__ import annotations

import copy
import csv
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from agent.prompts import load_prompts
from executor.tasks.datasets import make_task_from_row
from executor.tasks.mera import read_mera, split_context_into_oracle_items
from executor.tasks.yabloco import DATA, ORACLE_NAME, read_yabloco
from executor.values import Level
from index.errors import TaskError
from index.values import Span
from retrieval.values import Context
from tests.support.projects import write_files

# MERA Code publishes one row in full as its example; the metadata file carries it.
EXAMPLE: dict[str, Any] = json.loads((DATA / "mera_dataset_meta.json").read_bytes())["data_example"]


def write_rows(folder: Path, *rows: Any, name: str = "rows.jsonl") -> Path:
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
    (row,) = read_mera(write_rows(tmp_path, EXAMPLE))
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


def test_parquet_and_json_lines_give_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing pyarrow is one line that names the extra."""
    second = changed("meta.original_id", "2AA5FDA0028F60DA")
    lines = read_mera(write_rows(tmp_path, EXAMPLE, second))
    table = pyarrow.Table.from_pylist([EXAMPLE, second])
    pyarrow.parquet.write_table(table, tmp_path / "rows.parquet")
    parquet = read_mera(tmp_path / "rows.parquet")
    assert len(parquet) == 2
    # The file stands for a version.
    plain = [[replace(row, dataset_version="", origin="") for row in rows] for rows in (parquet, lines)]
    assert plain[0] == plain[1]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TaskError, match=r"pip install 'graft\[mera\]'"):
        read_mera(tmp_path / "rows.parquet")


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
def test_a_bad_field_of_mera_is_named(keys: str, value: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=message):
        read_mera(write_rows(tmp_path, changed(keys, value)))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("broken.jsonl", json.dumps(EXAMPLE) + '\n{"instruction": \n', r"broken\.jsonl line 2: not JSON"),
        ("twice.jsonl", 2 * f"{json.dumps(EXAMPLE)}\n", r"row 2 \(id 230\): id .* already given in twice"),
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
    first, second = split_context_into_oracle_items(CONTEXT, "redis")
    assert (first.path, first.text) == ("src/a.c", "int a(void) { return 1; }")
    assert second.path == "src/b.h"
    assert second.text.startswith("// Adds.\nint b(int x)") and "not a head" in second.text
    assert split_context_into_oracle_items("", "redis") == () == split_context_into_oracle_items("\n \n", "redis")
    assert [item.text for item in split_context_into_oracle_items("int c;", "redis")] == ["int c;"]


def test_a_context_that_holds_the_gold_stays_verbatim_and_loses_that_item_elsewhere(tmp_path: Path) -> None:
    gold = EXAMPLE["outputs"]
    harmless = EXAMPLE["inputs"]["context"]
    leaking = f"{harmless}\n\n// File name: openssl/crypto/ui/ui_lib.c\n// Comment: \n{gold}\n"
    row = changed("inputs.context", leaking)
    row["inputs"]["signature"] = "void *UI_add_user_data(UI *ui, void *user_data)\n "
    row["meta"] |= {"pos": 1, "code_length": gold.count("\n")}
    source = write_files(tmp_path / "openssl", {"crypto/ui/ui_lib.c": gold + "\n"})
    (read,) = read_mera(write_rows(tmp_path, row))
    task = make_task_from_row(read, source)
    assert len(read.oracle) == 2 and len(task.oracle) == 1
    # MERA's prompt is MERA's: the context and the signature stay as the row spells them.
    assert task.oracle_text == leaking
    assert task.target.signature == row["inputs"]["signature"]
    assert any("dropped; the row's own context" in note for note in task.notes)
    inputs = {**row["inputs"], "docstring": EXAMPLE["inputs"]["docstring"]}
    more = {"task_id": task.id, "instruction": task.instruction, "context_text": task.oracle_text}
    (message,) = load_prompts("mera").render_opening(task.target, Context((), 0, 0, ()), **more)
    assert message.content == row["instruction"].format(**inputs).strip()


def test_the_official_gold_is_that_of_the_harness(tmp_path: Path) -> None:
    """MERA calls YABLoCo's harness, which finds the text by the id in its own JSON and never sees `outputs`."""
    texts = json.loads((DATA / "bench-v0.8.json").read_bytes())
    known = changed("meta.original_id", "88C2FB6CC13F3260")
    rows = read_mera(write_rows(tmp_path, EXAMPLE, known))
    assert [row.official_gold for row in rows] == [None, texts["88C2FB6CC13F3260"]["code"]]
    assert [row.dataset_gold for row in rows] == [EXAMPLE["outputs"]] * 2


CSV, JSON, ORACLE = DATA / "bench-v0.8.csv", DATA / "bench-v0.8.json", DATA / ORACLE_NAME


def test_the_shipped_benchmark() -> None:
    rows = read_yabloco(CSV, ORACLE)
    levels = {"none": 44, "stdlib": 35, "file": 46, "package": 55, "project": 38}
    assert Counter(row.level.value for row in rows) == levels
    assert Counter(row.repository for row in rows) == {"llvm": 68, "redis": 67, "openssl": 60, "bullet3": 23}
    assert {(row.dataset, row.dataset_version) for row in rows} == {("yabloco", "bench-v0.8")}
    assert len({row.id for row in rows}) == 218
    assert sum(not row.oracle for row in rows) == 85
    # The prefix is llvm-project/, the repository llvm.
    assert not [row.path for row in rows if row.path.startswith(("llvm-project/", "redis/", "bullet3/", "openssl/"))]
    assert {row.target.language for row in rows if row.path.endswith(".h") and row.repository == "bullet3"} == {"cpp"}
    assert {row.target.language for row in rows if row.repository in {"redis", "openssl"}} == {"c"}
    # One in full.
    (row,) = [row for row in rows if row.id == "719446CC9497E0DF"]
    assert (row.name, row.path) == ("ossl_quic_lcidm_generate_initial", "ssl/quic/quic_lcidm.c")
    assert row.span == Span(388, 394)
    assert row.target.docstring.startswith("\n Create the first LCID")
    assert row.target.signature.startswith("int ossl_quic_lcidm_generate_initial(")
    assert row.dataset_gold is not None and row.dataset_gold.endswith("initial_lcid, NULL);\n}\n")
    assert row.meta["last_commit"] == "06.12.2023" and row.meta["test_cov_hits"] == "5.0"
    assert row.origin == "bench-v0.8.csv row 71 (id 719446CC9497E0DF)"


def test_the_json_differs_in_8_texts_alone_which_are_the_official_golds(tmp_path: Path) -> None:
    """The peers compare with the JSON. The CSV lost a line of one of these texts."""
    rows, by_json = read_yabloco(CSV, ORACLE), read_yabloco(JSON, ORACLE)
    assert [replace(row, dataset_gold=row.official_gold) for row in rows] == list(by_json)
    assert sum(row.dataset_gold != row.official_gold for row in rows) == 8
    (row,) = [row for row in rows if row.id == "F586455FB012D15B"]
    assert row.official_gold is not None and row.dataset_gold is not None
    assert row.official_gold.startswith("monotonic_clock_type monotonicGetType(")
    assert not row.dataset_gold.startswith("monotonic_clock_type")
    alone = tmp_path / "alone.csv"
    alone.write_bytes(CSV.read_bytes())
    assert {row.official_gold for row in read_yabloco(alone, ORACLE)} == {None}


def copy_csv(folder: Path, **changes: str | None) -> Path:
    """A CSV of one row with fields changed, or dropped where None."""
    with CSV.open(encoding="utf-8", newline="") as file:
        row = {name: text for name, text in (next(csv.DictReader(file)) | changes).items() if text is not None}
    path = folder / "bench-v0.8.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow(row)
    return path


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pos": None}, r"bench-v0\.8\.csv row 1 \(id 79D9B4DB619F85EB\): field pos is missing"),
        ({"pos": ""}, "field pos is missing"),
        ({"pos": "12.5"}, "field pos must be a whole number, not '12.5'"),
        ({"code_length": "nan"}, "field code_length must be a whole number"),
        ({"code_length": "inf"}, "field code_length must be a whole number"),
        ({"file": None}, "field file is missing"),
        ({"file": "bullet3/../../etc/passwd"}, "path '../../etc/passwd' must be relative"),
        ({"file": "/etc/passwd"}, "path '/etc/passwd' must be relative"),
        ({"id": "a/b"}, r"row 1: id 'a/b' must be made of letters"),
        ({"id": "0000"}, "the oracle file has no such id"),
        ({"code": None}, "field code is missing"),
    ],
)
def test_a_bad_field_of_yabloco_is_named(changes: dict[str, str | None], message: str, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=message):
        read_yabloco(copy_csv(tmp_path, **changes), ORACLE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "not JSON"),
        ("{}", "expected a list"),
        ("[3]", "entry 1: expected an object"),
        ('[{"id": "a", "context": []}]', "entry 1: field signature is missing"),
        ('[{"id": "a", "signature": "s", "context": "x"}]', "entry 1: field context must be a list of texts"),
        ('[{"id": 3, "signature": "s", "context": []}]', "entry 1: field id must be text, not int"),
    ],
)
def test_a_bad_oracle_file_is_named(text: str, message: str, tmp_path: Path) -> None:
    oracle = tmp_path / "oracle.json"
    oracle.write_text(text)
    with pytest.raises(TaskError, match=message):
        read_yabloco(CSV, oracle)


def test_a_json_without_its_csv_an_empty_csv_and_an_id_given_twice_are_errors(tmp_path: Path) -> None:
    bench = tmp_path / "bench-v0.8.json"
    bench.write_text(json.dumps({"79D9B4DB619F85EB": {"calls": [], "code": "x"}}))
    with pytest.raises(TaskError, match=r"put bench-v0\.8\.csv beside it"):
        read_yabloco(bench, ORACLE)
    bench.with_suffix(".csv").write_text("id,pos\n")
    with pytest.raises(TaskError, match="no rows"):
        read_yabloco(bench.with_suffix(".csv"), ORACLE)
    path = copy_csv(tmp_path)
    path.write_text(path.read_text() + path.read_text().partition("\n")[2])
    with pytest.raises(TaskError, match=r"row 2 \(id 79D9.*: id '79D9.*' was already given in bench-v0\.8\.csv row 1"):
        read_yabloco(path, ORACLE)
    # The floats of pandas are whole numbers.
    (row,) = read_yabloco(copy_csv(tmp_path, pos="12.0", code_length="3.0"), ORACLE)
    assert row.span == Span(12, 15)
