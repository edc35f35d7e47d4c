"""Prevents: answers made elsewhere that aren't found by a number which every other command takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from executor.tasks.yabloco import DATA
from experiments.report import predictions
from experiments.run.config import RunConfig
from index.errors import TaskError


@pytest.mark.parametrize("task", ["230", "1AA5FDA0028F60DA"])
def test_a_task_is_chosen_by_its_own_id_and_by_meras_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str
) -> None:
    rows, answers, chosen = tmp_path / "rows.jsonl", tmp_path / "answers.jsonl", list[tuple[str, ...]]()
    rows.write_text(json.dumps(json.loads((DATA / "mera_dataset_meta.json").read_bytes())["data_example"]))
    answers.write_text('{"task_id": 230, "completion": "x"}')

    def note_tasks(config: RunConfig, *_: object, **__: object) -> None:
        chosen.append(config.tasks)

    monkeypatch.setattr(predictions, "run_experiment", note_tasks)
    predictions.judge_given_answers(answers, [f"dataset={rows}", f"tasks={task}"])
    assert chosen == [("1AA5FDA0028F60DA",)]
    with pytest.raises(TaskError, match="unknown task id '231'; did you mean '230'"):
        predictions.judge_given_answers(answers, [f"dataset={rows}", "tasks=231"])
