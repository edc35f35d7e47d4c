"""A whole run on a Ray cluster of two nodes. Prevents: a journal that hangs on where the candidates ran."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.executor.cluster.ray_nodes import Nodes, read_timeless_journal
from executor.published.store_place import open_store
from executor.repository.images import push_image_and_get_digest, require_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from experiments.run.config import RunConfig
from experiments.run.experiment import run_experiment
from experiments.run.records import JOURNAL


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    found = Nodes(tmp_path)
    found.add_node("node1")
    found.add_node("node2")
    yield found.cluster.address
    found.close()


# A second cluster, beside that of the workers' conformance suite, is too much for CI.
@pytest.mark.long
def test_the_journal_equals_the_local_one_but_for_times(
    cluster: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe, backend = find_recipe("example"), open_unscheduled_backend("process", cache)
    image = require_image(recipe, checkout_source(recipe, None, cache), backend, None, cache)
    monkeypatch.setenv("GRAFT_STORE", str(tmp_path / "store"))
    push_image_and_get_digest(image, backend, cache, open_store(str(tmp_path / "store")))
    tasks = ("text-trim", "check-digit")
    for model in ("gold", "stub"):
        journals = []
        for executor in ("local", "ray"):
            words = {"dataset": "example", "tasks": tasks, "model": model, "arms": ("none",), "sandbox": "process"}
            out = tmp_path / f"{executor}-{model}"
            config = RunConfig.model_validate({**words, "out": out, "executor": executor, "ray": cluster})
            end = run_experiment(config, cache)
            assert not end.stopped
            journals.append(read_timeless_journal(out / JOURNAL))
        assert journals[0] == journals[1]
        assert len(journals[0]) == len(tasks)
