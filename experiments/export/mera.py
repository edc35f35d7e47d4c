"""A run as a submission to MERA Code: a zip with the first answer to each of its tasks, and lm-eval's logs of them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from executor.tasks.datasets import load_rows
from experiments.export.answers import AnsweredRun, encode_json_without_surrogates
from experiments.export.harness import make_lm_eval_files
from index.errors import ConfigError

# What MERA's packer calls the task, its file in a submission, and the archive of logs there.
_TASK, _FILE, _LOGS = "yabloco_oracle", "YABLoCo.json", "logs_public.zip"
_MOST_NAMED = 3


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
