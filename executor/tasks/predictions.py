"""Reader of answers made elsewhere: Graft's JSON lines and lm-eval's samples files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from executor.tasks.task_row import TaskRow, read_json_lines_with_origins
from index.errors import TaskError
from index.user_files import make_spelling_hint

# A sample's number is a file's name.
_MOST_SAMPLES = 1_000_000
_OURS = frozenset({"task_id", "completion", "sample"})


@dataclass(frozen=True, slots=True)
class Prediction:
    """One raw answer to one task; `sample` counts from 0. `origin` is file and line. `filtered`: the name of the
    filter under which lm-eval lists it, "" for ours."""

    task_id: str
    completion: str
    sample: int
    origin: str = ""
    filtered: str = ""


def read_predictions(path: Path) -> list[Prediction]:
    """The answers of a file in its order. The keys of each line show which of the two formats it has.

    Graft's: {"task_id", "completion", "sample"}; sample is 0 when left out. lm-eval's (`--log_samples`): the answers
    are `resps[0]`, which holds all samples (`filtered_resps` keeps only the first), null for a call that failed; the
    task is `doc.meta`'s original_id, else its id. A task with several filters has a line for each, with the same
    answers: the first one counts. Raises TaskError, which names the file and the line.
    """
    seen: dict[tuple[str, int], Prediction] = {}
    for where, value in read_json_lines_with_origins(path):
        is_lm_eval = "doc" in value and "resps" in value
        for prediction in (_read_lm_eval_line if is_lm_eval else _parse_single_graft_prediction)(value, where):
            key = (prediction.task_id, prediction.sample)
            known = seen.setdefault(key, prediction)
            if known is prediction:
                continue
            if prediction.filtered == known.filtered or prediction.completion != known.completion:
                raise TaskError(
                    f"{prediction.origin}: task {key[0]} sample {key[1]} was already given at {known.origin}"
                )
    if not seen:
        raise TaskError(f"{path}: no predictions")
    return list(seen.values())


def resolve_prediction_task_ids(predictions: Iterable[Prediction], rows: Iterable[TaskRow]) -> list[Prediction]:
    """The predictions with the rows' own ids. A row is found by MERA's number or YABLoCo's id.

    Raises TaskError for an id that no row has, with its line and the nearest id, and for two answers to one sample.
    """
    ids: dict[str, str] = {}
    for row in rows:
        ids[row.id] = row.id
        if "mera_id" in row.meta:
            ids.setdefault(row.meta["mera_id"], row.id)
    resolved: dict[tuple[str, int], Prediction] = {}
    for prediction in predictions:
        if prediction.task_id not in ids:
            near = make_spelling_hint(prediction.task_id, ids)
            raise TaskError(f"{prediction.origin}: unknown task id {prediction.task_id!r}{near}")
        key = (ids[prediction.task_id], prediction.sample)
        if key in resolved:
            first = resolved[key].origin
            raise TaskError(f"{prediction.origin}: task {key[0]} sample {key[1]} was already given at {first}")
        resolved[key] = replace(prediction, task_id=key[0])
    return list(resolved.values())


def _parse_single_graft_prediction(value: Mapping[str, Any], where: str) -> Sequence[Prediction]:
    for key in value:
        if key not in _OURS:
            raise TaskError(f"{where}: unknown key {key!r}{make_spelling_hint(key, _OURS)}")
    for key in ("task_id", "completion"):
        if key not in value:
            raise TaskError(f"{where}: key {key} is missing")
    task_id, completion, sample = value["task_id"], value["completion"], value.get("sample", 0)
    if not isinstance(completion, str):
        raise TaskError(f"{where}: completion must be text")
    if isinstance(sample, bool) or not isinstance(sample, int) or not 0 <= sample <= _MOST_SAMPLES:
        limits = f"from 0 to {_MOST_SAMPLES}"
        raise TaskError(f"{where}: sample must be a whole number {limits}, not {str(sample)[:80]}")
    return [Prediction(_read_task_id_as_text(task_id, f"{where}: task_id"), completion, sample, where)]


def _read_lm_eval_line(value: Mapping[str, Any], where: str) -> Sequence[Prediction]:
    doc, responses = value["doc"], value["resps"]
    meta = doc.get("meta") if isinstance(doc, dict) else None
    if not isinstance(meta, dict):
        raise TaskError(f"{where}: doc.meta is missing, so the task is unknown")
    key = "original_id" if meta.get("original_id") else "id"
    task_id = _read_task_id_as_text(meta.get(key), f"{where}: doc.meta.{key}")
    samples = responses[0] if isinstance(responses, list) and responses else None
    if not isinstance(samples, list) or not samples or not all(isinstance(text, str | None) for text in samples):
        raise TaskError(f"{where}: resps[0] must be a list of texts, one per sample")
    filtered = str(value.get("filter", ""))
    return [Prediction(task_id, text or "", number, where, filtered) for number, text in enumerate(samples)]


def _read_task_id_as_text(value: object, where: str) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise TaskError(f"{where} must be a text or a whole number, not {value!r}")
    return str(value)
