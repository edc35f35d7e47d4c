"""A run as logs of inspect_ai, one for each arm: `inspect view --log-dir FOLDER` and `read_eval_log` open them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.model.usage import sum_usage
from agent.values import Message, Usage
from experiments.export.answers import Answer, AnsweredRun, encode_json_without_surrogates
from experiments.export.columns import Value, make_flat_rows
from experiments.report.metrics import COMPARED, estimate_over_tasks

# Score -> the column that says in words what it rests on.
_SCORES: Mapping[str, str] = {"pass@1": "reason", "built": "stopped_at", "exact": ""}
_STOPS: Mapping[str, str] = {"stop": "stop", "length": "max_tokens", "tool_calls": "tool_calls"}


def make_inspect_files(run: AnsweredRun) -> dict[str, bytes]:
    """File's name -> content. The names are inspect's own: time, task and id."""
    return {
        _make_file_name(run, arm): encode_json_without_surrogates(_make_log(run, arm, answers))
        for arm, answers in run.arms.items()
    }


def _make_file_name(run: AnsweredRun, arm: str) -> str:
    time = run.manifest.created.replace(":", "-")
    return f"{time}_{re.sub(r'[^A-Za-z0-9]+', '-', _name_task(run, arm))}_{_make_reproducible_log_id(run, arm)}.json"


def _name_task(run: AnsweredRun, arm: str) -> str:
    return f"{Path(run.manifest.dataset).stem}/{arm}"


def _make_reproducible_log_id(run: AnsweredRun, arm: str) -> str:
    """The same for the same run, so that a second export replaces the first."""
    seed = json.dumps([run.manifest.created, str(run.path), run.manifest.identity, arm], sort_keys=True)
    return hashlib.sha256(seed.encode()).hexdigest()[:22]


def _make_log(run: AnsweredRun, arm: str, answers: Sequence[Answer]) -> dict[str, Any]:
    manifest, config = run.manifest, run.manifest.config
    rows = make_flat_rows(str(run.path), manifest, [answer.record for answer in answers])
    counted = [answer.record for answer in answers if answer.record.is_scored]
    tasks = list(dict.fromkeys(answer.record.task_id for answer in answers))
    usage = sum_usage(record.usage for record in counted)
    return {
        "version": 2,
        "status": "success" if run.has_all_planned_samples(arm) else "cancelled",
        "eval": {
            "eval_id": _make_reproducible_log_id(run, arm),
            "run_id": hashlib.sha256(str(run.path).encode()).hexdigest()[:22],
            "task_id": _make_reproducible_log_id(run, arm),
            "created": manifest.created,
            "task": _name_task(run, arm),
            "task_args": {"arm": arm},
            "dataset": {
                "name": f"{manifest.dataset} {manifest.dataset_version}",
                "samples": len(tasks),
                "sample_ids": tasks,
                "shuffled": False,
            },
            "model": manifest.model,
            "model_generate_config": {
                name: config[key]
                for name, key in (("temperature", "temperature"), ("max_tokens", "answer_tokens"), ("seed", "seed"))
                if config.get(key) is not None
            },
            "config": {"epochs": config.get("samples", 1), "epochs_reducer": ["mean"]},
            "packages": manifest.versions,
            "metadata": {"run": str(run.path), "sandbox": manifest.sandbox, "graft_commit": manifest.graft_commit},
        },
        "results": {
            "total_samples": len(answers),
            "completed_samples": len(counted),
            "scores": [_make_overall_score_with_interval(name, counted) for name in _SCORES] if counted else [],
        },
        "stats": {"started_at": manifest.created, "model_usage": {manifest.model: _make_usage(usage)}},
        "samples": [_make_sample(manifest.model, answer, row) for answer, row in zip(answers, rows, strict=True)],
    }


def _make_overall_score_with_interval(name: str, counted: Sequence[Any]) -> dict[str, Any]:
    found = estimate_over_tasks(counted, COMPARED[name])
    figures = {"accuracy": found.value, "low_95": found.low, "high_95": found.high}
    return {
        "name": name,
        "scorer": "graft",
        "reducer": "mean",
        "scored_samples": found.tasks,
        "metrics": {key: {"name": key, "value": value} for key, value in figures.items()},
    }


def _make_sample(model: str, answer: Answer, row: Mapping[str, Value]) -> dict[str, Any]:
    """One sample. One of our own failures has an error in place of scores."""
    record, trail = answer.record, answer.trail
    code = "" if trail is None else trail.candidate.code or ""
    sample = {
        "id": record.task_id,
        "epoch": record.sample + 1,
        "input": [_make_message(message) for message in answer.prompt],
        "target": answer.gold_or_empty,
        "messages": [] if trail is None else [_make_message(message) for message in trail.messages],
        "output": _make_output(model, answer),
        "metadata": dict(row),
        "model_usage": {model: _make_usage(record.usage)},
        "total_time": record.seconds,
    }
    if not record.is_scored:
        reason = record.graft.verdict.reason
        return {**sample, "error": {"message": reason, "traceback": "", "traceback_ansi": ""}}
    scores = {
        name: {
            "value": "C" if COMPARED[name](record) else "I",
            "answer": code,
            "explanation": str(row[column]) if column else None,
        }
        for name, column in _SCORES.items()
    }
    return {**sample, "scores": scores}


def _make_message(message: Message) -> dict[str, Any]:
    found: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "tool":
        found["tool_call_id"] = message.call_id
    if message.calls:
        found["tool_calls"] = [
            {"id": call.id, "function": call.name, **_parse_call_arguments_or_keep_text(call.arguments)}
            for call in message.calls
        ]
    return found


def _parse_call_arguments_or_keep_text(text: str) -> dict[str, Any]:
    """inspect takes an object alone; other text is kept as what couldn't be read."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    return {"arguments": value} if isinstance(value, dict) else {"arguments": {}, "parse_error": text}


def _make_output(model: str, answer: Answer) -> dict[str, Any]:
    trail = answer.trail
    if trail is None or not trail.rounds:
        return {"model": model, "error": None if trail is None else trail.error or None}
    last = trail.rounds[-1].response
    choice = {
        "message": {"role": "assistant", "content": answer.text or "", "source": "generate", "model": model},
        "stop_reason": _STOPS.get(last.finish_reason, "unknown"),
    }
    return {
        "model": model,
        "choices": [choice],
        "completion": answer.text or "",
        "usage": _make_usage(answer.record.usage),
        "time": answer.record.usage.model_seconds,
    }


def _make_usage(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.prompt_tokens,
        "output_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
        "total_cost": usage.cost,
    }
