"""The example's warm image, built once for all processes that run tests side by side."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from executor.cache import hold_file_lock
from executor.repository.images import build_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_backend


def example_cache(factory: pytest.TempPathFactory) -> Path:
    """A folder of this process's own for GRAFT_CACHE, with the example built in the process sandbox: a copy of what
    the first process that asked for it has built."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    built = shared / "example-cache"
    with hold_file_lock(shared / "example-cache.lock", "the example"):
        if not built.is_dir():
            part = shared / "example-cache.part"
            shutil.rmtree(part, ignore_errors=True)
            recipe = find_recipe("example")
            build_image(recipe, checkout_source(recipe, None, part), open_backend("process", part), None, part)
            part.rename(built)
    folder = factory.mktemp("cache") / "graft"
    shutil.copytree(built, folder, symlinks=True)
    return folder
