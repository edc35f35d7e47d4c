"""Prevents: an exported column without a meaning, a value that other tools read as something else, and an export that
can't be opened by the tools that it is for; a data set on a hub with a line of a body or a comment in it; a card that
the hub's own reader doesn't take; digests that aren't those of the places that ship."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import Mock

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml
from pyarrow import parquet

from agent.values import Usage
from executor.tasks import made_datasets
from executor.tasks.datasets import load_rows, make_task_from_row
from executor.values import Outcome
from experiments.export.columns import COLUMNS
from experiments.export.hub_data_set import COLUMNS as HUB_COLUMNS
from experiments.export.hub_data_set import make_dataset_readme
from experiments.export.write import Format, export_runs_and_count_samples
from graft import load_run
from index.errors import RecipeError
from tests.support.runs import Graft, make_run, record, refuse, succeed


@pytest.fixture
def run(tmp_path: Path) -> Path:
    odd = {"reason": 'says "no", then\nbyte \udc80', "failed": ("t1",), "passed": 2, "usage": Usage(1, 10, 20, None)}
    records = [
        record("a", usage=Usage(1, 900, 100, 0.25, 1.5)),
        record("b", Outcome.TESTS_FAILED, "oracle", **odd),
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
        assert export_runs_and_count_samples([run], kind, tmp_path / f"x.{kind}") == 3
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


# A data set for a hub

ROOT = Path(__file__).parents[3]
LOAD = """
import datasets, json, sys
found = datasets.load_dataset(sys.argv[1], cache_dir=sys.argv[2])
print(json.dumps({name: [data.num_rows, data.column_names, data[0]] for name, data in found.items()}))
"""


EXPORT = ("tasks", "export", "--dataset", "example-pairs", "--to", "hf")


@pytest.fixture
def written(graft: Graft, tmp_path: Path) -> Path:
    succeed(graft, *EXPORT, tmp_path / "out")
    return tmp_path / "out"


def test_it_holds_places_and_headers_and_no_body(graft: Graft, written: Path) -> None:
    rows = pq.read_table(written / "test.parquet").to_pylist()
    tasks = [make_task_from_row(row, ROOT / "examples" / "inventory") for row in load_rows("example-pairs")]
    assert [row["id"] for row in rows] == [task.id for task in tasks]
    text = json.dumps(rows) + (written / "README.md").read_text()
    for row, task in zip(rows, tasks, strict=True):
        assert row["k"] == len(task.target.holes) == 1 + len(row["further"]) > 1
        signatures = [row["signature"], *(hole["signature"] for hole in row["further"])]
        assert signatures == [hole.signature for hole in task.target.holes]
        assert (row["repository"], row["validity"]) == ("example", "valid")
        for hole, gold in zip(task.target.holes, task.golds, strict=True):
            inside = gold[gold.index("{") + 1 :]
            lines = [line.strip() for line in (*inside.splitlines(), *hole.docstring.splitlines())]
            assert [line for line in lines if len(line) > 12 and json.dumps(line)[1:-1] in text] == []
    refuse(graft, *EXPORT, written)


@pytest.mark.slow
def test_the_hubs_reader_takes_it_offline(written: Path, tmp_path: Path) -> None:
    if find_spec("datasets") is None:
        pytest.skip("datasets isn't installed")
    env = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    argv = [sys.executable, "-c", LOAD, str(written), str(tmp_path / "cache")]
    done = subprocess.run(argv, capture_output=True, text=True, env=env, check=True)
    ((name, (count, columns, first)),) = json.loads(done.stdout).items()
    assert (name, columns) == ("test", list(HUB_COLUMNS))
    assert count == len(load_rows("example-pairs"))
    assert first["further"][0]["sha256"] and first["kill_score"] is not None


def test_the_card_of_the_suite_names_its_splits_and_licences() -> None:
    row = {"repository": "metis", "source": "metis", "source_version": "5-1", "licence": "Apache-2.0"}
    card = make_dataset_readme("graft-suite", "1", {"dev": [row], "test": [row]})
    _, front, page = card.split("---\n", 2)
    found = yaml.safe_load(front)
    assert [part["split"] for part in found["configs"][0]["data_files"]] == ["dev", "test"]
    assert found["license"] == "other" and found["pretty_name"] == "graft-suite"
    assert "| metis | metis | 5-1 | Apache-2.0 |" in page and "Still to be made" in page


def test_golds_whose_source_cannot_be_had_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, graft: Graft
) -> None:
    """Prevents: a run that was copied to another machine and can't be exported there."""
    fetch = Mock(side_effect=RecipeError("redis: no network"))
    monkeypatch.setattr(made_datasets, "checkout_source", fetch)
    run = make_run(tmp_path / "run", [record("a")], dataset="redis-hard", mirror=tmp_path)
    code, _, err = graft("export", run, "--to", "inspect", "--out", tmp_path / "logs")
    assert (code, "the golds are left out: redis: no network" in err) == (0, True)
    assert fetch.call_args.args[1] == tmp_path, "looked for in the run's own mirror"
