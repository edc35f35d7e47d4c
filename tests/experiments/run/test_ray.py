"""A whole run on a Ray cluster of two nodes. Prevents: a journal that hangs on where the candidates ran."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from executor.published.place import open_place
from executor.repository.images import push_image, require_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout
from executor.sandbox.choose import open_backend
from experiments.run.config import RunConfig
from experiments.run.experiment import run_experiment
from experiments.run.records import JOURNAL
from tests.support.cluster import Nodes

# Times, and what follows from them.
_TIMES = frozenset({"test_s", "build_cpu_s", "model_seconds", "compile_seconds", "cpu_s", "tests_cpu_s", "check_s"})


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    found = Nodes(tmp_path)
    found.add("node1")
    found.add("node2")
    yield found.cluster.address
    found.close()


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(inner) for key, inner in value.items() if key not in _TIMES}
    return [_timeless(inner) for inner in value] if isinstance(value, list) else value


def _journal(run: Path) -> list[Any]:
    lines = (run / JOURNAL).read_text().splitlines()
    return sorted((_timeless(json.loads(line)) for line in lines), key=lambda record: str(record["task_id"]))


# A second cluster, beside that of the workers' conformance suite, is too much for CI.
@pytest.mark.long
def test_the_journal_equals_the_local_one_but_for_times(
    cluster: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe, backend = find_recipe("example"), open_backend("process", cache)
    image = require_image(recipe, checkout(recipe, None, cache), backend, None, cache)
    monkeypatch.setenv("GRAFT_STORE", str(tmp_path / "store"))
    push_image(image, backend, cache, open_place(str(tmp_path / "store")))
    tasks = ("text-trim", "check-digit")
    for model in ("gold", "stub"):
        journals = []
        for executor in ("local", "ray"):
            words = {"dataset": "example", "tasks": tasks, "model": model, "arms": ("none",), "sandbox": "process"}
            out = tmp_path / f"{executor}-{model}"
            config = RunConfig.model_validate({**words, "out": out, "executor": executor, "ray": cluster})
            end = run_experiment(config, cache)
            assert not end.stopped
            journals.append(_journal(out))
        assert journals[0] == journals[1]
        assert len(journals[0]) == len(tasks)
