"""Prevents: an exported column without a meaning, a value that other tools read as something else, and an export that
can't be opened by the tools that it is for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyarrow import parquet

from agent.values import Usage
from executor.values import Outcome
from experiments.export.columns import COLUMNS
from experiments.export.write import Format, export_runs
from graft import load_run
from tests.support.runs import Graft, make_run, record


@pytest.fixture
def run(tmp_path: Path) -> Path:
    odd = record("b", Outcome.TESTS_FAILED, "oracle")
    verdict = replace(odd.graft.verdict, reason='says "no", then\nbyte \udc80', failed=("t1",), passed=2)
    records = [
        replace(record("a"), usage=Usage(1, 900, 100, 0.25, 1.5)),
        replace(odd, graft=replace(odd.graft, verdict=verdict), usage=Usage(1, 10, 20, None)),
        record("c", Outcome.INFRA_ERROR),
    ]
    return make_run(tmp_path / "run", records)


def frames(run: Path, folder: Path) -> Mapping[str, pd.DataFrame]:
    readers: dict[Format, Any] = {
        "csv": pd.read_csv,
        "jsonl": lambda path: pd.read_json(path, lines=True),
        "parquet": pd.read_parquet,
    }
    found = {}
    for kind, read in readers.items():
        assert export_runs([run], kind, folder / f"x.{kind}") == 3
        found[kind] = read(folder / f"x.{kind}")
    return found


def test_every_format_gives_the_same_frame(run: Path, tmp_path: Path) -> None:
    for frame in (*frames(run, tmp_path).values(), load_run(run).to_pandas()):
        assert list(frame.columns) == list(COLUMNS)
        assert frame["passed"].tolist() == [True, False, False]
        assert frame["counts"].tolist() == [True, True, False]
        assert frame["cost"].fillna(-1).tolist() == [0.25, -1, 0.0]
        assert frame["tests"].tolist() == [0, 3, 0]
        assert frame["health"].fillna("").tolist() == ["valid", "weak", ""]
        assert frame["reason"][1].startswith('says "no", then\nbyte ')
        means = frame[frame["counts"]].groupby("arm")["passed"].mean()
        assert means.to_dict() == {"none": 1.0, "oracle": 0.0}


def test_values_are_of_the_kind_that_is_promised(run: Path, tmp_path: Path) -> None:
    export_runs([run], "jsonl", tmp_path / "x.jsonl")
    for line in (tmp_path / "x.jsonl").read_text().splitlines():
        for name, value in json.loads(line).items():
            kind = COLUMNS[name].kind
            assert value is None or isinstance(value, kind) or (kind is float and isinstance(value, int)), name
            assert COLUMNS[name].meaning
    export_runs([run], "parquet", tmp_path / "x.parquet")
    assert parquet.read_schema(tmp_path / "x.parquet").field("cost").metadata[b"meaning"]


def test_the_command_joins_runs_and_refuses_what_is_none(run: Path, tmp_path: Path, graft: Graft) -> None:
    other = make_run(tmp_path / "other", [record("a", arm="hybrid")])
    out = tmp_path / "all.csv"
    assert graft("export", run, other, "--out", out)[0] == 0
    assert len(pd.read_csv(out)) == 4
    assert graft("export", tmp_path / "nowhere")[0] == 2
