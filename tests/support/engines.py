"""What a test needs that not every machine has: a skip elsewhere, a failure in CI, which must start all of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest

from executor.cache import cache_root
from executor.repository.source import choose_mirror_folder
from executor.sandbox.base import DEFAULT_SUITE, base_rootfs_path


def unavailable(reason: str) -> NoReturn:
    if os.environ.get("GRAFT_CI") == "1":
        pytest.fail(f"GRAFT_CI=1 and {reason}")
    pytest.skip(reason)


def require_mirror(repo: str) -> Path:
    """The folder of mirrors that holds this repository. A skip also in CI: the benchmark's commits can't be had where
    upstream can't be reached."""
    mirror = choose_mirror_folder()
    if mirror is None or not (mirror / repo).exists():
        pytest.skip(f"no mirror of {repo}: GRAFT_MIRROR names a folder that holds one")
    return mirror


def machine_base() -> Path:
    """The base root file system in this machine's cache."""
    base = base_rootfs_path(cache_root(), DEFAULT_SUITE)
    if not base.is_dir():
        unavailable(f"no base root file system at {base}: run `graft images base`")
    return base


def cache_with_base(folder: Path) -> Path:
    """`folder` as a cache of its own that has this machine's base."""
    place = base_rootfs_path(folder, DEFAULT_SUITE)
    place.parent.mkdir(parents=True)
    place.symlink_to(machine_base())
    return folder
