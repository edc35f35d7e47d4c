"""How much of a disk fetched images may take: the least recently used make room. What was built here stays."""

from __future__ import annotations

import json
import logging
import os
import shutil
from pathlib import Path

from executor.cache import replace_file
from executor.sandbox.contract import Backend
from executor.sandbox.store import has_named_process_ended, measure_free_mb, name_this_process
from index.errors import ConfigError, SandboxError

log = logging.getLogger(__name__)

VARIABLE = "GRAFT_STORE_MB"
DEFAULT_MB = 20 * 1024
FETCHED = "fetched.json"
_USERS = "users"


def read_budget_mb() -> int:
    """MiB that fetched images may take: GRAFT_STORE_MB, else 20 GiB. Raises ConfigError."""
    text = os.environ.get(VARIABLE)
    if text is None:
        return DEFAULT_MB
    if not text.isdigit() or not int(text):
        raise ConfigError(f"{VARIABLE}={text}: give the MiB that images from the store may take, as 20480")
    return int(text)


def record_image_fetched_from_store(folder: Path, archive: str, size_bytes: int) -> None:
    """Write beside the image that it came from a store and may be removed."""
    record = {"archive": archive, "size_mb": -(-size_bytes // 2**20)}
    replace_file(folder / FETCHED, json.dumps(record).encode())


def mark_fetched_image_in_use(folder: Path) -> None:
    """This process uses the image: it is kept while the process lives."""
    if not (folder / FETCHED).is_file():
        return
    users = folder / _USERS
    users.mkdir(exist_ok=True)
    (users / name_this_process()).touch()
    os.utime(users)


def remove_unused_fetched_images_for_room(meta: Path, backend: Backend, size_bytes: int, limit_mb: int) -> None:
    """Remove fetched images of the sandbox, whose folders lie in `meta`, until one of `size_bytes` fits into the
    budget and on the disk; none that a living process uses. Raises SandboxError when it can't be made to fit."""
    wanted = -(-size_bytes // 2**20)
    sizes_mb = {path.parent: int(json.loads(path.read_bytes())["size_mb"]) for path in meta.glob(f"*/{FETCHED}")}
    total = sum(sizes_mb.values())
    for folder in sorted(sizes_mb, key=_read_last_use_or_fetch_ns):
        if total + wanted <= limit_mb and measure_free_mb(meta) >= wanted:
            break
        if not _is_image_in_use(folder):
            log.info(f"image {folder.name}: removed to make room; the store has it")
            backend.remove(folder.name)
            shutil.rmtree(folder)
            total -= sizes_mb[folder]
    if total + wanted > limit_mb:
        raise SandboxError(
            f"an image of {wanted} MiB doesn't fit: images from the store may take {limit_mb} MiB, and {total} are in"
            f" use; raise {VARIABLE}"
        )
    if measure_free_mb(meta) < wanted:
        raise SandboxError(f"an image of {wanted} MiB doesn't fit: {meta} has {measure_free_mb(meta)} MiB free")


def _read_last_use_or_fetch_ns(folder: Path) -> int:
    users = folder / _USERS
    return (users if users.is_dir() else folder / FETCHED).stat().st_mtime_ns


def _is_image_in_use(folder: Path) -> bool:
    users = folder / _USERS
    return users.is_dir() and any(not has_named_process_ended(path.name) for path in users.iterdir())
