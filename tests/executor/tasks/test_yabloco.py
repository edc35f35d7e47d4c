"""Bug prevented: a row of the benchmark that is read wrong (place, level, text) or swallowed without a word."""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from executor.tasks.yabloco import DATA, ORACLE_NAME, read_yabloco
from index.errors import TaskError
from index.values import Span

CSV, JSON, ORACLE = DATA / "bench-v0.8.csv", DATA / "bench-v0.8.json", DATA / ORACLE_NAME


def test_the_shipped_benchmark() -> None:
    rows = read_yabloco(CSV, ORACLE)
    assert Counter(row.level.value for row in rows) == {
        "none": 44,
        "stdlib": 35,
        "file": 46,
        "package": 55,
        "project": 38,
    }
    assert Counter(row.repository for row in rows) == {"llvm": 68, "redis": 67, "openssl": 60, "bullet3": 23}
    assert {(row.dataset, row.dataset_version) for row in rows} == {("yabloco", "bench-v0.8")}
    assert len({row.id for row in rows}) == 218
    assert sum(not row.oracle for row in rows) == 85
    # The prefix is llvm-project/, the repository llvm.
    assert not [row.path for row in rows if row.path.startswith(("llvm-project/", "redis/", "bullet3/", "openssl/"))]
    assert {row.target.language for row in rows if row.path.endswith(".h") and row.repository == "bullet3"} == {"cpp"}
    assert {row.target.language for row in rows if row.repository in {"redis", "openssl"}} == {"c"}


def test_one_row_in_full() -> None:
    (row,) = [row for row in read_yabloco(CSV, ORACLE) if row.id == "719446CC9497E0DF"]
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
        row = {
            name: text for name, text in next(iter(csv.DictReader(file))).items() if changes.get(name, "") is not None
        }
    row |= {name: text for name, text in changes.items() if text is not None}
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
def test_a_bad_field_is_named_with_its_row(changes: dict[str, str | None], message: str, tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=message):
        read_yabloco(copy_csv(tmp_path, **changes), ORACLE)


def test_pandas_floats_are_whole_numbers(tmp_path: Path) -> None:
    (row,) = read_yabloco(copy_csv(tmp_path, pos="12.0", code_length="3.0"), ORACLE)
    assert row.span == Span(12, 15)


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


def test_a_json_without_its_csv_says_what_is_missing(tmp_path: Path) -> None:
    bench = tmp_path / "bench-v0.8.json"
    bench.write_text(json.dumps({"79D9B4DB619F85EB": {"calls": [], "code": "x"}}))
    with pytest.raises(TaskError, match=r"put bench-v0\.8\.csv beside it"):
        read_yabloco(bench, ORACLE)


def test_an_empty_csv_is_an_error(tmp_path: Path) -> None:
    empty = tmp_path / "bench.csv"
    empty.write_text("id,pos\n")
    with pytest.raises(TaskError, match="no rows"):
        read_yabloco(empty, ORACLE)
