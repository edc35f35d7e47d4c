"""Opens exported files by the tools that they are for, in a process of its own: their imports are large.

    python -m tests.support.reading_exports FOLDER

FOLDER holds samples.csv, samples.jsonl, samples.parquet, inspect/ and lm-eval/MODEL/. Prints what was read, as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import datasets
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from lm_eval.utils import (
    get_file_task_name,
    get_latest_filename,
    get_results_filenames,
    get_sample_results_filenames,
    make_table,
)


def main() -> None:
    folder = Path(sys.argv[1])
    print(json.dumps({"datasets": _datasets(folder), "inspect": _inspect(folder), "lm-eval": _lm_eval(folder)}))


def _datasets(folder: Path) -> Any:
    """Format -> column names, rows, and how many passed."""
    found = {}
    for kind, name in (("csv", "csv"), ("json", "jsonl"), ("parquet", "parquet")):
        data = datasets.load_dataset(
            kind, data_files=str(folder / f"samples.{name}"), split="train", cache_dir=str(folder / "cache")
        )
        found[name] = [data.column_names, data.num_rows, sum(data["passed"])]
    return found


def _inspect(folder: Path) -> Any:
    """Task -> what stands in its log. The list is the one that `inspect view` shows."""
    logs = [read_eval_log(info) for info in list_eval_logs(str(folder / "inspect"))]
    return {log.eval.task: _log(log) for log in logs}


def _log(log: EvalLog) -> Any:
    assert log.results is not None and log.samples is not None
    return {
        "status": log.status,
        "model": log.eval.model,
        "accuracy": {score.name: score.metrics["accuracy"].value for score in log.results.scores},
        "samples": [
            {
                "id": sample.id,
                "epoch": sample.epoch,
                "roles": [message.role for message in sample.messages],
                "texts": [message.text for message in sample.messages],
                "calls": [
                    [call.function, call.arguments, call.parse_error]
                    for message in sample.messages
                    for call in getattr(message, "tool_calls", None) or ()
                ],
                "completion": sample.output.completion,
                "scores": {name: score.value for name, score in (sample.scores or {}).items()},
                "error": sample.error and sample.error.message,
                "target": sample.target,
                "level": sample.metadata["level"],
            }
            for sample in log.samples
        ],
    }


def _lm_eval(folder: Path) -> Any:
    """The table that lm-eval prints, and its tasks with their samples."""
    (model,) = (folder / "lm-eval").iterdir()
    files = [path.as_posix() for path in model.iterdir()]
    results = json.loads(Path(get_latest_filename(get_results_filenames(files))).read_text())
    samples = {
        get_file_task_name(Path(path).name): [json.loads(line) for line in Path(path).read_text().splitlines()]
        for path in get_sample_results_filenames(files)
    }
    loaded = datasets.load_dataset(
        "json", data_files=get_sample_results_filenames(files), split="train", cache_dir=str(folder / "cache")
    )
    return {"model": model.name, "table": make_table(results), "samples": samples, "loaded": loaded.num_rows}


if __name__ == "__main__":
    main()
