"""What runs on a node: it compares itself with the head, gets the image ready from its own cache or the store, does
the work, and packs what the work wrote."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import zstandard

from executor.cache import cache_root, hold_file_lock
from executor.published.image_budget import mark_fetched_image_in_use
from executor.published.images import fetch_image, pull_source
from executor.published.store_place import StoreError, StorePlace, open_store
from executor.repository.images import Image, image_folder, is_image_whole
from executor.sandbox.capacity import count_usable_cores
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.store import Store
from executor.sandbox.tree_files import remove_tree
from executor.values import TestRun
from executor.workers.contract import RefusedError, Site
from executor.workers.identity import format_version_with_code_hash, hash_image_graph_or_empty
from executor.workers.speed import measure_suite_slowdown_against_baseline
from index.errors import ConfigError, GraftError, InfraError

# With more runnable processes than this for each core, a suite's time says more about the neighbours.
_OVERLOAD = 2.0


# How a node stands after a piece of work: it should get no work, or none on this image, for a while.
Standing = Literal["well", "failed", "refused"]


@dataclass(frozen=True, slots=True)
class Head:
    """What a node compares itself with: the head's sandbox, its Graft, its image (both "" for work without a sandbox);
    `store` is its store's URL, "" without one."""

    sandbox: str
    graft: str
    image: str
    store: str


@dataclass(frozen=True, slots=True)
class HeadTree:
    """A source tree as the head has it. `name`: that of a source in Graft's cache, "" for any other tree."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True)
class Done:
    """How a piece of work ended on `node`: its `value` or the `error` that it raised, and the `files` that it wrote,
    by their paths: packed, and their time. `seconds`: what it took there."""

    node: str
    value: Any = None
    error: GraftError | None = None
    files: Mapping[str, tuple[bytes, int]] = field(default_factory=dict)
    standing: Standing = "well"
    seconds: float = 0.0


def perform_in_sandbox(
    node: str, head: Head, image: Image, work: Callable[..., Any], arguments: tuple[Any, ...]
) -> Done:
    """Do the work in this machine's sandbox. Every failure of Graft's own surroundings is returned, so that the head
    can tell it from a node that is lost."""

    def work_with_own_image(folder: Path) -> Any:
        with _turn_user_errors_into_refusals():
            site = _open_site(head.sandbox, cache_root())
            local = _ensure_own_matching_image(site, head, image)
        scratch = folder / "calibration"
        slow = measure_suite_slowdown_against_baseline(site, local, scratch)
        remove_tree(scratch)
        # The limits that were measured on another machine bound nothing here.
        times = {name: slow * seconds for name, seconds in local.suite_seconds.items()}
        return work(site, replace(local, suite_seconds=times), folder, *arguments)

    return _perform_work(node, head, format_version_with_code_hash(), work_with_own_image)


def perform_on_source_tree(
    node: str, head: Head, tree: HeadTree, work: Callable[..., Any], arguments: tuple[Any, ...]
) -> Done:
    """The same for work that reads a source tree and needs no sandbox."""

    def work_on_own_tree(folder: Path) -> Any:
        with _turn_user_errors_into_refusals():
            own = _ensure_own_source_tree(head, tree)
        return work(cache_root(), own, folder, *arguments)

    return _perform_work(node, head, format_version_with_code_hash(everything=True), work_on_own_tree)


def _perform_work(node: str, head: Head, own_version: str, act: Callable[[Path], Any]) -> Done:
    started = time.monotonic()
    standing: Standing
    try:
        if own_version != head.graft:
            raise RefusedError(
                f"refused: it runs Graft {own_version}, the head {head.graft}; install the same on both"
            )
        with Store(cache_root(), "ray").open_scratch_folder() as folder:
            value = act(folder)
            standing = "failed" if isinstance(value, TestRun) and value.infra_error else "well"
            done = Done(node, value, files=_compress_files_with_mtimes(folder), standing=standing)
    except InfraError as error:
        standing = "refused" if isinstance(error, RefusedError) else "failed"
        done = Done(node, error=InfraError(f"node {node}: {error}"), standing=standing)
    except GraftError as error:
        done = Done(node, error=error)
    except OSError as error:
        done = Done(node, error=InfraError(f"node {node}: {type(error).__name__}: {error}"), standing="failed")
    return replace(done, seconds=time.monotonic() - started)


@contextmanager
def _turn_user_errors_into_refusals() -> Iterator[None]:
    """What a machine lacks to do any work of this kind is no mistake of the user's call."""
    try:
        yield
    except (ConfigError, StoreError) as error:
        raise RefusedError(f"refused: {error}") from error


def decompress_files_with_mtimes(done: Done, folder: Path) -> None:
    """Write what the work wrote into the head's `folder`, with its times. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (data, time_ns) in done.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(zstandard.decompress(data))
        os.utime(path, ns=(time_ns, time_ns))


def _compress_files_with_mtimes(folder: Path) -> dict[str, tuple[bytes, int]]:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    return {
        path.relative_to(folder).as_posix(): (zstandard.compress(path.read_bytes(), 1), path.stat().st_mtime_ns)
        for path in paths
    }


@lru_cache
def _open_site(sandbox: str, cache: Path) -> Site:
    # What killed workers left.
    Store(cache, "ray").remove_leftovers()
    return Site(open_unscheduled_backend(sandbox, cache), cache, overloaded=_describe_excessive_load_or_empty)


def _describe_excessive_load_or_empty() -> str:
    load, cores = os.getloadavg()[0], count_usable_cores()
    return f"the node has a load of {load:.1f} on {cores} cores" if load > _OVERLOAD * cores else ""


def _ensure_own_matching_image(site: Site, head: Head, image: Image) -> Image:
    """The image as this machine has it. Raises InfraError that names what is missing or differs."""
    folder = image_folder(site.cache, site.backend, image.key)
    folder.parent.mkdir(parents=True, exist_ok=True)
    root = site.cache / "sources" / image.source_root.name
    if not (is_image_whole(folder, site.backend, image.key) and root.is_dir()):
        _fetch_image(site, head, image, folder, root)
    mark_fetched_image_in_use(folder)
    local = replace(image, source_root=root, folder=folder)
    if (found := hash_image_graph_or_empty(local)) != head.image:
        raise RefusedError(
            f"refused: its image {image.key} is {found}, the head's is {head.image}; graft images prune {image.key} on"
            " the node, and it fetches the head's from the store"
        )
    return local


def _ensure_own_source_tree(head: Head, tree: HeadTree) -> Path:
    """The tree as this machine has it. Raises InfraError."""
    root = cache_root() / "sources" / tree.name if tree.name else tree.path
    if not root.is_dir():
        if not tree.name:
            raise RefusedError(
                f"refused: it has no folder {root}; put the tree where every node sees it, at that path"
            )
        _fetch_source(root, _require_store(head, f"source {tree.name}", "run the same command there"))
    return root


def _fetch_image(site: Site, head: Head, image: Image, folder: Path, root: Path) -> None:
    push = f"graft images push {image.recipe.name}"
    place = _require_store(head, f"image {image.key}", push)
    with hold_file_lock(folder.with_suffix(".lock"), image.key):
        whole = is_image_whole(folder, site.backend, image.key)
        if not whole and not fetch_image(site.backend, image.key, folder, site.cache, place):
            raise RefusedError(f"neither it nor the store {place.url} has image {image.key}; on the head: {push}")
    if not root.is_dir():
        _fetch_source(root, place)


def _fetch_source(root: Path, place: StorePlace) -> None:
    if not pull_source(root.name, root.parent, place):
        raise RefusedError(f"neither it nor the store {place.url} has the source {root.name}")


def _require_store(head: Head, what: str, how: str) -> StorePlace:
    url = os.environ.get("GRAFT_STORE") or head.store
    if not url:
        raise RefusedError(f"it has no {what}, and no store is named: set GRAFT_STORE on the head, and there: {how}")
    return open_store(url)
