"""Prevents: an exported column without a meaning, a value that other tools read as something else, and an export that
can't be opened by the tools that it is for."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from pyarrow import parquet

from agent.values import Usage
from executor.values import Outcome
from experiments.export.columns import COLUMNS
from experiments.export.write import Format, export_runs
from graft import load_run
from tests.support.runs import Graft, make_run, record, refuse, succeed


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


READERS: Mapping[Format, Callable[[Path], pd.DataFrame]] = {
    "csv": pd.read_csv,
    "jsonl": lambda path: pd.read_json(path, lines=True),
    "parquet": pd.read_parquet,
}


def test_every_format_gives_the_same_frame(run: Path, tmp_path: Path) -> None:
    frames = [load_run(run).to_pandas()]
    for kind, read in READERS.items():
        assert export_runs([run], kind, tmp_path / f"x.{kind}") == 3
        frames.append(read(tmp_path / f"x.{kind}"))
    for frame in frames:
        assert list(frame.columns) == list(COLUMNS)
        assert frame["passed"].tolist() == [True, False, False]
        assert frame["counts"].tolist() == [True, True, False]
        assert frame["cost"].fillna(-1).tolist() == [0.25, -1, 0.0]
        assert frame["tests"].tolist() == [0, 3, 0]
        assert frame["health"].fillna("").tolist() == ["valid", "weak", ""]
        assert frame["reason"][1].startswith('says "no", then\nbyte ')
    # Values are of the kind that is promised.
    for line in (tmp_path / "x.jsonl").read_text().splitlines():
        for name, value in json.loads(line).items():
            kind = COLUMNS[name].kind
            assert value is None or isinstance(value, kind) or (kind is float and isinstance(value, int)), name
            assert COLUMNS[name].meaning
    assert parquet.read_schema(tmp_path / "x.parquet").field("cost").metadata[b"meaning"]


def test_the_command_joins_runs_and_refuses_what_is_none(run: Path, tmp_path: Path, graft: Graft) -> None:
    other = make_run(tmp_path / "other", [record("a", arm="hybrid")])
    out = tmp_path / "all.csv"
    succeed(graft, "export", run, other, "--out", out)
    assert len(pd.read_csv(out)) == 4
    refuse(graft, "export", tmp_path / "nowhere")
