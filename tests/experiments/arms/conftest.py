from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from executor.values import Task
from experiments.arms.context import Reading
from experiments.arms.retrievers import RETRIEVERS, make_retriever
from index.build import build_index
from index.repo_index import open_index
from retrieval.protocol import RetrieverSettings
from retrieval.ranker.name_chances import make_name_finder


@pytest.fixture(scope="session")
def example(cache: Path, example_root: Path, example_tasks: dict[str, Task]) -> Iterator[Reading]:
    """The example's index, and every retriever over it, made once."""
    # The runs' own, so that what is trained for it is trained once.
    folder = cache / "indexes" / example_root.name
    build_index(example_root, folder, workers=1)
    settings = RetrieverSettings(tuple(task.target for task in example_tasks.values()))
    with closing(open_index(folder, example_root)) as index:
        find_names = make_name_finder(index, settings).find_names
        retrievers = {name: make_retriever(name, index, settings) for name in RETRIEVERS}
        yield Reading(index, retrievers, find_names=find_names)
