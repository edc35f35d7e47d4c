"""Rows in MERA's form, which MERA itself doesn't publish for YABLoCo."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from executor.tasks.yabloco import DATA


def write_mera_rows(path: Path, task_ids: Iterable[str]) -> None:
    """A row for each of YABLoCo's tasks, with the texts of MERA's published example."""
    example = json.loads((DATA / "mera_dataset_meta.json").read_bytes())["data_example"]
    metas = [{**example["meta"], "id": number, "original_id": task} for number, task in enumerate(task_ids, 1)]
    path.write_text("".join(json.dumps({**example, "meta": meta}) + "\n" for meta in metas))
