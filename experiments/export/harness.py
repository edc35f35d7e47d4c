"""A run in the files of lm-eval (EleutherAI's lm-evaluation-harness): results_DATE.json, and samples_TASK_DATE.jsonl
for each arm, in a folder named after the model. A line is a task with the answers of all its samples.

MERA Code takes them as part of a submission: a zip with the first answer to each of its tasks, and these logs of
them."""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import statistics
import zipfile
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from executor.tasks.datasets import load_rows
from experiments.export.answers import Answer, AnsweredRun, encode_json_without_surrogates
from experiments.report.metrics import COMPARED, OFFICIAL
from index.errors import ConfigError

_METRICS = {
    "pass@1": COMPARED["pass@1"],
    "exact_match": COMPARED["exact"],
    "built": COMPARED["built"],
    "official_pass@1": OFFICIAL["pass@1"],
    "official_exact_match": OFFICIAL["exact"],
}
# The name that lm-eval gives to answers as they came.
_FILTER = "none"
# What MERA's packer calls the task, its file in a submission, and the archive of logs there.
_TASK, _FILE, _LOGS = "yabloco_oracle", "YABLoCo.json", "logs_public.zip"
_MOST_NAMED = 3


def make_lm_eval_files(run: AnsweredRun, task_names_by_arm: Mapping[str, str] | None = None) -> dict[str, bytes]:
    """File's name -> content. `task_names_by_arm`: what arms are called as lm-eval's tasks, by default
    DATASET_ARM."""
    # As lm-eval writes it: 2026-11-22T20-15-01.000000
    date = datetime.fromisoformat(run.manifest.created).strftime("%Y-%m-%dT%H-%M-%S.%f")
    dataset = Path(run.manifest.dataset).stem
    named = {
        arm: (task_names_by_arm or {}).get(arm)
        or "_".join(re.sub(r"[^A-Za-z0-9.+]+", "-", part) for part in (dataset, arm))
        for arm in run.arms
    }
    lines = {named[arm]: _make_lines_of_counted_tasks(answers) for arm, answers in run.arms.items()}
    files = {
        f"samples_{task}_{date}.jsonl": b"".join(encode_json_without_surrogates(line) + b"\n" for line in each)
        for task, each in lines.items()
    }
    return {
        f"results_{date}.json": encode_json_without_surrogates(_make_lm_eval_results(run, lines), indent=2),
        **files,
    }


def name_model_folder(model: str) -> str:
    """The folder in which lm-eval keeps a model's results."""
    return re.sub(r"[\"<>:/|\\?*\[\]]+", "__", model) or "model"


def _make_lines_of_counted_tasks(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """A line for each task with a counted sample. A sample without an answer is null, as where a call failed."""
    tasks = [list(each) for _, each in groupby(answers, lambda answer: answer.record.task_id)]
    return [
        _make_task_line(number, each)
        for number, each in enumerate(tasks)
        if any(answer.record.is_scored for answer in each)
    ]


def _make_task_line(number: int, answers: Sequence[Answer]) -> dict[str, Any]:
    samples = {answer.record.sample: answer.text for answer in answers}
    texts = [samples.get(sample) for sample in range(max(samples) + 1)]
    first, counted = answers[0], [answer.record for answer in answers if answer.record.is_scored]
    # As lm-eval writes the messages of a chat.
    prompt = json.dumps([{"role": message.role, "content": message.content} for message in first.prompt])
    doc = _make_doc_in_mera_form(first)
    return {
        "doc_id": number,
        "doc": doc,
        "target": first.gold_or_empty,
        "arguments": {"gen_args_0": {"arg_0": prompt, "arg_1": {}}},
        "resps": [texts],
        "filtered_resps": [texts[0]],
        "filter": _FILTER,
        "metrics": list(_METRICS),
        "doc_hash": _hash_text(json.dumps(doc, sort_keys=True)),
        "prompt_hash": _hash_text(prompt),
        "target_hash": _hash_text(first.gold_or_empty),
        **{name: statistics.fmean(map(value, counted)) for name, value in _METRICS.items()},
    }


def _make_doc_in_mera_form(answer: Answer) -> dict[str, Any]:
    """The task in MERA's form, which `graft grade FILE` reads too."""
    record, row = answer.record, answer.row
    if row is None:
        return {"meta": {"id": record.task_id, "repository": record.repo}}
    mera_id = row.meta.get("mera_id")
    return {
        "instruction": row.instruction or "",
        "inputs": {
            "language": row.target.language,
            "signature": row.target.signature,
            "docstring": row.target.docstring,
            "context": row.oracle_text or "",
        },
        "outputs": row.dataset_gold or "",
        "meta": {
            "id": record.task_id if mera_id is None else int(mera_id),
            "original_id": record.task_id,
            "repository": row.repository,
            "file": row.path,
            "fname": row.name,
            "pos": row.span.first,
            "code_length": row.span.last - row.span.first,
        },
    }


def _make_lm_eval_results(run: AnsweredRun, lines: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    config = run.manifest.config
    metrics = [{"metric": name, "aggregation": "mean", "higher_is_better": True} for name in _METRICS]
    generation = {key: config.get(key) for key in ("temperature", "answer_tokens", "seed", "model_args")}
    return {
        "results": {task: {"alias": task, **_compute_means_and_standard_errors(each)} for task, each in lines.items()},
        "group_subtasks": {task: [] for task in lines},
        "configs": {
            task: {
                "task": task,
                "dataset_path": run.manifest.dataset,
                "output_type": "generate_until",
                "repeats": config.get("samples", 1),
                "num_fewshot": 0,
                "generation_kwargs": generation,
                "metric_list": metrics,
                "metadata": {"version": run.manifest.dataset_version, "variant": config.get("variant")},
            }
            for task in lines
        },
        "versions": dict.fromkeys(lines, run.manifest.dataset_version),
        "n-shot": dict.fromkeys(lines, 0),
        "higher_is_better": {task: dict.fromkeys(_METRICS, True) for task in lines},
        "n-samples": {task: {"original": len(each), "effective": len(each)} for task, each in lines.items()},
        "config": {
            "model": run.manifest.model,
            "model_args": f"model={run.manifest.model}",
            "gen_kwargs": generation,
            "limit": config.get("limit"),
            "bootstrap_iters": 0,
        },
        "git_hash": run.manifest.graft_commit,
        "date": datetime.fromisoformat(run.manifest.created).timestamp(),
        "model_source": "graft",
        "model_name": run.manifest.model,
        "model_name_sanitized": name_model_folder(run.manifest.model),
        "task_hashes": {
            task: _hash_text("".join(line["doc_hash"] + line["prompt_hash"] + line["target_hash"] for line in each))
            for task, each in lines.items()
        },
    }


def _compute_means_and_standard_errors(lines: Sequence[Mapping[str, Any]]) -> dict[str, float | str]:
    """Means over tasks with their standard errors, as lm-eval computes both."""
    found: dict[str, float | str] = {}
    for name in _METRICS if lines else ():
        values = [line[name] for line in lines]
        error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else "N/A"
        found |= {f"{name},{_FILTER}": statistics.fmean(values), f"{name}_stderr,{_FILTER}": error}
    return found


def _hash_text(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def make_mera_submission(run: AnsweredRun) -> bytes:
    """The submission. Raises ConfigError for a run of more than one arm, on other rows than MERA's, generated in
    another way, or without an answer to one of the tasks."""
    if len(run.arms) != 1:
        raise ConfigError(f"{run.path}: a submission holds one arm; name it with --arm: {', '.join(run.arms)}")
    (arm,) = run.arms
    ids = _check_mera_settings_and_map_task_numbers(run)
    first = {answer.record.task_id: answer for answer in run.arms[arm] if answer.record.sample == 0}
    missing = [task for task in ids if task not in first or not first[task].record.is_scored]
    if missing:
        named = ", ".join(missing[:_MOST_NAMED]) + (", ..." if len(missing) > _MOST_NAMED else "")
        raise ConfigError(
            f"{run.path}: {len(missing)} of {len(ids)} tasks have no first sample ({named});"
            " MERA takes all of its tasks: finish the run"
        )
    submission = [{"outputs": first[task].text or "", "meta": {"id": ids[task]}} for task in ids]
    alone = AnsweredRun(run.path, run.manifest, {arm: [first[task] for task in sorted(ids)]})
    logs = make_lm_eval_files(alone, {arm: _TASK})
    return _zip_files_reproducibly(
        {
            _FILE: encode_json_without_surrogates({"data": {"test": submission}}, indent=4),
            _LOGS: _zip_files_reproducibly(logs),
        }
    )


def _check_mera_settings_and_map_task_numbers(run: AnsweredRun) -> dict[str, int]:
    """Task -> MERA's number, for all of its rows."""
    config = run.manifest.config
    for key, wanted in (("generation", "mera"), ("prompts", "mera"), ("variant", None)):
        if config.get(key) != wanted:
            raise ConfigError(
                f"{run.path}: {key} is {config.get(key)!r}; MERA takes answers made with {key}={wanted or 'null'}"
            )
    ids = {row.id: row.meta["mera_id"] for row in load_rows(run.manifest.dataset) if "mera_id" in row.meta}
    if not ids:
        raise ConfigError(
            f"{run.path}: its data set {run.manifest.dataset} isn't MERA's, whose numbers a submission needs;"
            " run with dataset=FILE, MERA's rows as parquet or JSON lines"
        )
    return {task: int(number) for task, number in ids.items()}


def _zip_files_reproducibly(files: Mapping[str, bytes]) -> bytes:
    """Always the same bytes for the same files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return held.getvalue()
