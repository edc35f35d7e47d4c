"""Prevents: a submission to MERA that its own packer wouldn't make of the same answers.

GRAFT_PEERS names a folder with clones of MERA_CODE and of the lm-evaluation-harness that it uses (a fork); without
them the packer isn't run, and test_logs.py holds the submission to what it once made."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.experiments.big_run import make_big_run
from executor.tasks.datasets import load_rows
from experiments.export.write import export_runs
from experiments.run.manifest import MANIFEST, read_manifest
from experiments.run.records import JOURNAL, read_finished_records, write_json
from tests.support.mera import write_mera_rows

# MERA's 208 of YABLoCo's 218.
TASKS = 208

# Its script as it is, for its one task of ours: the others' rows would have to be fetched.
PACK = """
import sys
sys.path[:0] = ["scripts", "."]
import log_to_submission as packer
packer._TASKS = {"YABLoCo": packer.YABLoCo}
packer.create_submission(sys.argv[1], sys.argv[2])
"""


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packer's files, and its harness's package beside them."""
    named = os.environ.get("GRAFT_PEERS")
    wanted = {"MERA_CODE": ("scripts", "code_tasks/config.yaml"), "lm-evaluation-harness": ("lm_eval",)}
    for name in wanted:
        if not named or not (Path(named) / name).is_dir():
            pytest.skip(f"GRAFT_PEERS names no folder with a clone of {name}")
    if missing := [name for name in ("datasets", "pytablewriter") if find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(missing)} (pip install --no-deps -r .ci/readers.txt)")
    folder = tmp_path_factory.mktemp("mera")
    for name, paths in wanted.items():
        held = subprocess.run(
            ("git", "-C", str(Path(named or "") / name), "archive", "HEAD", *paths), capture_output=True, check=True
        )
        subprocess.run(("tar", "-x", "-C", str(folder)), input=held.stdout, check=True)
    return folder


def as_mera(run: Path, rows: Path) -> None:
    """The oracle arm of a made-up run, as if it had been asked for MERA's rows."""
    manifest, records = read_manifest(run), [r for r in read_finished_records(run) if r.arm == "oracle"]
    rows.parent.mkdir(parents=True)
    write_mera_rows(rows, dict.fromkeys(record.task_id for record in records))
    config = {**manifest.config, "generation": "mera", "prompts": "mera", "dataset": str(rows)}
    (run / MANIFEST).write_bytes(write_json(replace(manifest, config=config, dataset=str(rows))))
    (run / JOURNAL).write_bytes(b"".join(write_json(record) + b"\n" for record in records))


def test_its_packer_makes_the_same_submission(clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.experiments.big_run.ARMS", {"oracle": (0.4, 1, False)})
    # Drawn without one of our own failures, which a submission can't have.
    make_big_run(tmp_path / "run", tasks=TASKS, samples=2, seed=3)
    # Where its script looks for the rows, relative to where it runs.
    as_mera(tmp_path / "run", clone / "MERA-evaluation" / "YABLoCo" / "test.jsonl")
    export_runs([tmp_path / "run"], "mera", tmp_path / "ours.zip")
    ours = zipfile.ZipFile(tmp_path / "ours.zip")
    outputs = tmp_path / "outputs"
    zipfile.ZipFile(io.BytesIO(ours.read("logs_public.zip"))).extractall(outputs)
    ended = subprocess.run(
        (sys.executable, "-c", PACK, str(outputs), str(tmp_path / "submission")),
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hub")},
    )
    assert ended.returncode == 0, ended.stderr
    theirs = zipfile.ZipFile(tmp_path / "submission.zip")
    assert sorted(name for name in theirs.namelist() if not name.endswith("/")) == sorted(ours.namelist())
    packed = json.loads(theirs.read("YABLoCo.json"))["data"]["test"]
    assert len(packed) == TASKS
    assert by_id(packed) == by_id(json.loads(ours.read("YABLoCo.json"))["data"]["test"])
    logs = [zipfile.ZipFile(io.BytesIO(each.read("logs_public.zip"))) for each in (ours, theirs)]
    ours_logs, their_logs = ({name: each.read(name) for name in each.namelist() if name[-1] != "/"} for each in logs)
    assert ours_logs == their_logs
    assert len(load_rows("yabloco")) == 218


def by_id(entries: list[dict[str, object]]) -> list[tuple[str, object]]:
    return sorted((json.dumps(entry["meta"]), entry["outputs"] or "") for entry in entries)
