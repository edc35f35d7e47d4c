"""A store that has the tiny image, and a second machine that fetches it from there."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from executor.published.machine import detect_cpu_and_kernel_type
from executor.published.store_place import StorePlace, open_store
from executor.repository.images import pull_image_and_get_key, push_image_and_get_digest
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from tests.fixtures.executor_fixtures import Tiny


@pytest.fixture
def machine(tiny: Tiny, tmp_path: Path) -> SimpleNamespace:
    """Another machine: its own cache, the same recipe."""
    cache, recipe = tmp_path / "other", tiny.image.recipe
    backend, source = open_unscheduled_backend("process", cache), checkout_source(recipe, None, cache)
    pull = partial(pull_image_and_get_key, recipe, source, backend, None, cache)
    return SimpleNamespace(cache=cache, backend=backend, source=source, pull=pull)


@pytest.fixture
def stored(tiny: Tiny, tmp_path: Path) -> StorePlace:
    found = open_store(str(tmp_path / "store"))
    push_image_and_get_digest(tiny.image, tiny.backend, tiny.cache, found)
    return found


@pytest.fixture
def record(tiny: Tiny, stored: StorePlace) -> Path:
    """The record of the tiny image in the store."""
    return Path(stored.root, "images", "process", tiny.image.key, f"{detect_cpu_and_kernel_type()}.json")
