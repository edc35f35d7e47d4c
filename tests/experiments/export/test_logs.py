"""Prevents: logs that the tools they are for don't open, or in which another figure stands than in Graft's report; a
submission to MERA with a second sample, another order of settings, or a task left out, or one that MERA's own packer
wouldn't make of the same answers."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import sem

from agent.values import Message, ToolCall, Trajectory
from benchmarks.experiments.big_run import make_big_run
from executor.tasks.datasets import load_rows
from executor.tasks.predictions import read_predictions
from executor.tasks.yabloco import DATA
from experiments.export.answers import read_answers
from experiments.export.columns import COLUMNS
from experiments.export.harness import make_mera_submission
from experiments.export.write import DEFAULT_OUT, Format, export_runs_and_count_samples
from experiments.run.manifest import RunManifest, read_manifest, write_manifest
from experiments.run.records import (
    JOURNAL,
    SampleRecord,
    Story,
    decode_json_value,
    encode_json_value,
    locate_story,
    read_finished_records,
)
from index.errors import ConfigError
from tests.support.runs import Graft, refuse, report_of

# Slow: the readers of other tools take seconds to import.
pytestmark = pytest.mark.slow

TASKS, SAMPLES = 6, 2


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which one model called tools, and wrote a byte that is no UTF-8."""
    folder = tmp_path_factory.mktemp("logs") / "run"
    make_big_run(folder, tasks=TASKS, samples=SAMPLES, seed=4)
    record = next(r for r in read_finished_records(folder) if r.arm == "agentic")
    path = locate_story(folder, *record.key)
    story = decode_json_value(Story, path.read_bytes(), path)
    calls = (ToolCall("c1", "search", '{"query": "x"}'), ToolCall("c2", "read", "no object"))
    more = (Message("assistant", "I look.", calls), Message("tool", "byte \udc80", call_id="c1"))
    trail: Trajectory = replace(story.trajectory, messages=(*story.trajectory.messages, *more))
    path.write_bytes(encode_json_value(replace(story, trajectory=trail)))
    return folder


@pytest.fixture(scope="module")
def read(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """What the tools themselves read."""
    missing = [name for name in ("datasets", "inspect_ai", "lm_eval") if find_spec(name) is None]
    if missing:
        reason = f"not installed: {', '.join(missing)} (pip install --no-deps -r .ci/readers.txt)"
        (pytest.fail if os.environ.get("GRAFT_CI") == "1" else pytest.skip)(reason)
    folder = tmp_path_factory.mktemp("exports")
    kinds: tuple[Format, ...] = ("csv", "jsonl", "parquet", "inspect", "lm-eval")
    for kind in kinds:
        assert export_runs_and_count_samples([run], kind, folder / DEFAULT_OUT[kind]) == 5 * TASKS * SAMPLES
    ended = subprocess.run(
        (sys.executable, "-m", "tests.support.reading_exports", str(folder)),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hub")},
    )
    assert ended.returncode == 0, ended.stderr
    found: Mapping[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return found


def rates(run: Path) -> dict[str, float]:
    return {row.arm: row.get_estimate("pass_at_1").value for row in report_of(run).rows}


def test_datasets_loads_the_flat_rows(run: Path, read: Mapping[str, Any]) -> None:
    passed = sum(record.passed for record in read_finished_records(run))
    for kind, (columns, rows, count) in read["datasets"].items():
        assert (columns, rows, count) == (list(COLUMNS), 5 * TASKS * SAMPLES, passed), kind


def test_inspect_reads_every_sample_and_the_same_scores(run: Path, read: Mapping[str, Any]) -> None:
    logs = read["inspect"]
    assert {task: log["accuracy"]["pass@1"] for task, log in logs.items()} == pytest.approx(
        {f"yabloco/{arm}": rate for arm, rate in rates(run).items()}
    )
    by_key = {record.key: record for record in read_finished_records(run)}
    for task, log in logs.items():
        assert (log["status"], log["model"]) == ("success", "openai/made-up")
        for sample in log["samples"]:
            record = by_key[task.partition("/")[2], sample["id"], sample["epoch"] - 1]
            assert sample["level"] == record.level
            assert sample["target"]
            if record.is_scored:
                assert sample["scores"]["pass@1"] == ("C" if record.passed else "I")
                assert sample["completion"] in sample["texts"]
            else:
                assert (sample["scores"], sample["error"]) == ({}, record.graft.verdict.reason)
    # Tool calls and odd bytes.
    (sample,) = (s for s in logs["yabloco/agentic"]["samples"] if s["calls"])
    assert sample["calls"] == [["search", {"query": "x"}, None], ["read", {}, "no object"]]
    assert (sample["roles"][-1], sample["texts"][-1]) == ("tool", "byte \\udc80")


def test_lm_eval_finds_the_files_and_prints_the_scores(run: Path, read: Mapping[str, Any]) -> None:
    found = read["lm-eval"]
    assert found["model"] == "openai__made-up"
    assert found["loaded"] == 5 * TASKS
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in found["table"].splitlines()[2:]]
    printed, name = {}, ""
    for task, _, _, _, metric, _, value, _, error in rows:
        name = task or name
        if metric == "pass@1":
            printed[name] = (float(value), float(error))
    for arm, rate in rates(run).items():
        each = [line["pass@1"] for line in found["samples"][f"yabloco_{arm}"]]
        assert printed[f"yabloco_{arm}"] == pytest.approx((rate, sem(each)), abs=5.1e-5)


def test_answers_come_back_from_lm_evals_file(run: Path, tmp_path: Path) -> None:
    """`graft grade FILE` scores the same answers."""
    export_runs_and_count_samples([run], "lm-eval", tmp_path, arm="oracle")
    (path,) = tmp_path.glob("*/samples_yabloco_oracle_*.jsonl")
    answers = {(p.task_id, p.sample): p.completion for p in read_predictions(path)}
    run_answers = read_answers(run, read_manifest(run), read_finished_records(run)).arms["oracle"]
    assert answers == {(a.record.task_id, a.record.sample): a.text or "" for a in run_answers}


def test_a_story_that_is_gone_and_golds_that_are_not_there(run: Path, caplog: pytest.LogCaptureFixture) -> None:
    manifest = replace(read_manifest(run), dataset="gone.csv")
    record = replace(read_finished_records(run)[0], sample=7)
    (answer,) = read_answers(run, manifest, [record]).arms[record.arm]
    assert (answer.text, answer.gold_or_empty, answer.prompt) == (None, "", ())
    assert "golds are left out" in caplog.text
    assert "7.json" in caplog.text
    renamed = replace(manifest, config={**manifest.config, "variant": "renamed:style=nonsense,seed=1"})
    assert read_answers(run, renamed, [record]).arms[record.arm][0].row is None


# MERA


def as_mera(run: Path, rows: Path, **config: Any) -> tuple[RunManifest, list[SampleRecord]]:
    """The oracle arm as if it had been asked for MERA's rows, which are written to `rows` with the texts of MERA's
    published example: MERA publishes none for YABLoCo's tasks."""
    records = [record for record in read_finished_records(run) if record.arm == "oracle" and record.is_scored]
    example = json.loads((DATA / "mera_dataset_meta.json").read_bytes())["data_example"]
    ids = sorted({record.task_id for record in records})
    metas = [{**example["meta"], "id": number, "original_id": task} for number, task in enumerate(ids, 1)]
    rows.write_text("".join(json.dumps({**example, "meta": meta}) + "\n" for meta in metas))
    manifest = read_manifest(run)
    keys = {"generation": "mera", "prompts": "mera", "dataset": str(rows), **config}
    return replace(manifest, dataset=str(rows), config={**manifest.config, **keys}), records


def write_run(folder: Path, manifest: RunManifest, records: Sequence[SampleRecord]) -> None:
    write_manifest(folder, manifest)
    (folder / JOURNAL).write_bytes(b"".join(encode_json_value(record) + b"\n" for record in records))


def unzip(data: bytes) -> dict[str, bytes]:
    """Name -> content of the files in an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        return {name: held.read(name) for name in held.namelist() if not name.endswith("/")}


def test_a_submission_holds_the_first_answer_to_each_task(run: Path, tmp_path: Path) -> None:
    answered = read_answers(run, *as_mera(run, tmp_path / "mera.jsonl"))
    made = make_mera_submission(answered)
    assert make_mera_submission(answered) == made
    held = unzip(made)
    assert list(held) == ["YABLoCo.json", "logs_public.zip"]
    outputs = json.loads(held["YABLoCo.json"])["data"]["test"]
    firsts = [a.text or "" for a in answered.arms["oracle"] if a.record.sample == 0]
    assert sorted(entry["outputs"] for entry in outputs) == sorted(firsts)
    assert all(isinstance(entry["meta"]["id"], int) for entry in outputs)
    names = [name.partition("_2026")[0] for name in unzip(held["logs_public.zip"])]
    assert names == ["results", "samples_yabloco_oracle"]


def test_what_is_no_submission_is_one_line(run: Path, tmp_path: Path) -> None:
    rows = tmp_path / "mera.jsonl"
    manifest, records = as_mera(run, rows)
    generated = as_mera(run, rows, generation="graft")[0]
    first = records[0]
    for changed, samples, says in (
        (generated, records, "generation is 'graft'; MERA takes answers made with generation=mera"),
        (as_mera(run, rows, prompts="graft")[0], records, "prompts is 'graft'"),
        (as_mera(run, rows, variant="renamed:seed=1")[0], records, "variant=null"),
        (manifest, records[1:], rf"1 of {TASKS} tasks have no first sample .{first.task_id}"),
        (manifest, [replace(first, arm="none"), *records], "one arm; name it with --arm: none, oracle"),
        (replace(manifest, dataset="yabloco"), records, "yabloco isn't MERA's"),
    ):
        with pytest.raises(ConfigError, match=says):
            make_mera_submission(read_answers(run, changed, samples))


def test_the_command_writes_a_submission_and_refuses_a_misspelt_arm(run: Path, tmp_path: Path, graft: Graft) -> None:
    manifest, records = as_mera(run, tmp_path / "mera.jsonl")
    copy, file = tmp_path / "copy", tmp_path / "m.zip"
    copy.mkdir()
    write_run(copy, manifest, records)
    (copy / "samples").symlink_to(run / "samples")
    code, _, err = graft("export", copy, "--to", "mera", "--arm", "oracle", "--out", file)
    assert (code, err.strip()) == (0, f"{file}: {len(records)} samples")
    assert "did you mean 'oracle'?" in refuse(graft, "export", copy, "--to", "mera", "--arm", "oracel", "--out", file)


# Its packer. GRAFT_PEERS names a folder with clones of MERA_CODE and of the lm-evaluation-harness that it uses (a
# fork); without them the packer isn't run.

# MERA's 208 of YABLoCo's 218.
MERA_TASKS = 208
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
        argv = ("git", "-C", str(Path(named or "") / name), "archive", "HEAD", *paths)
        held = subprocess.run(argv, capture_output=True, check=True)
        subprocess.run(("tar", "-x", "-C", str(folder)), input=held.stdout, check=True)
    return folder


def test_its_packer_makes_the_same_submission(clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.experiments.big_run.ARMS", {"oracle": (0.4, 1, False)})
    # Drawn without one of our own failures, which a submission can't have.
    make_big_run(tmp_path / "run", tasks=MERA_TASKS, samples=2, seed=3)
    # Where its script looks for the rows, relative to where it runs.
    rows = clone / "MERA-evaluation" / "YABLoCo" / "test.jsonl"
    rows.parent.mkdir(parents=True)
    write_run(tmp_path / "run", *as_mera(tmp_path / "run", rows))
    export_runs_and_count_samples([tmp_path / "run"], "mera", tmp_path / "ours.zip")
    ours = unzip((tmp_path / "ours.zip").read_bytes())
    outputs = tmp_path / "outputs"
    zipfile.ZipFile(io.BytesIO(ours["logs_public.zip"])).extractall(outputs)
    ended = subprocess.run(
        (sys.executable, "-c", PACK, str(outputs), str(tmp_path / "submission")),
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hub")},
    )
    assert ended.returncode == 0, ended.stderr
    theirs = unzip((tmp_path / "submission.zip").read_bytes())
    assert theirs.keys() == ours.keys()
    packed = json.loads(theirs["YABLoCo.json"])["data"]["test"]
    assert len(packed) == MERA_TASKS
    assert by_id(packed) == by_id(json.loads(ours["YABLoCo.json"])["data"]["test"])
    assert unzip(theirs["logs_public.zip"]) == unzip(ours["logs_public.zip"])
    assert len(load_rows("yabloco")) == 218


def by_id(entries: list[dict[str, object]]) -> list[tuple[str, object]]:
    return sorted((json.dumps(entry["meta"]), entry["outputs"] or "") for entry in entries)
