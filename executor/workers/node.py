"""What runs on a node: it compares itself with the head, gets the image ready from its own cache or the store, does
the work, and packs what the work wrote."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import zstandard

from executor.cache import cache_root, locked
from executor.published.budget import note_use
from executor.published.images import fetch_image, fetch_source
from executor.published.place import open_place
from executor.repository.images import Image, image_folder, is_whole
from executor.sandbox.capacity import usable_cores
from executor.sandbox.choose import open_backend
from executor.sandbox.store import Store
from executor.sandbox.treefs import remove_tree
from executor.workers.contract import Site
from executor.workers.identity import graft_identity, image_identity
from index.errors import GraftError, InfraError

# With more runnable processes than this for each core, a suite's time says more about the neighbours.
_OVERLOAD = 2.0


@dataclass(frozen=True, slots=True)
class Head:
    """What a node compares itself with: the head's sandbox, its Graft, its image; `store` is its store's URL, ""
    without one."""

    sandbox: str
    graft: str
    image: str
    store: str


@dataclass(frozen=True, slots=True)
class Done:
    """How a piece of work ended on `node`: its `value` or the `error` that it raised, and the `files` that it wrote,
    by their paths, packed."""

    node: str
    value: Any = None
    error: GraftError | None = None
    files: Mapping[str, bytes] | None = None


def perform(node: str, head: Head, image: Image, work: Callable[..., Any], arguments: tuple[Any, ...]) -> Done:
    """Do the work on this machine. Every failure of Graft's own surroundings is returned, so that the head can tell
    it from a node that is lost."""
    try:
        site = _site(head.sandbox, cache_root())
        local = _own_image(site, head, image)
        folder = Store(site.cache, "ray").new_scratch()
        try:
            value = work(site, local, folder, *arguments)
            return Done(node, value, files=_packed(folder))
        finally:
            remove_tree(folder)
    except InfraError as error:
        return Done(node, error=InfraError(f"node {node}: {error}"))
    except GraftError as error:
        return Done(node, error=error)
    except OSError as error:
        return Done(node, error=InfraError(f"node {node}: {type(error).__name__}: {error}"))


def unpack_files(done: Done, folder: Path) -> None:
    """Write what the work wrote into the head's `folder`. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in (done.files or {}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(zstandard.decompress(data))


def _packed(folder: Path) -> dict[str, bytes]:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    return {path.relative_to(folder).as_posix(): zstandard.compress(path.read_bytes(), 1) for path in paths}


@lru_cache
def _site(sandbox: str, cache: Path) -> Site:
    # What killed workers left.
    Store(cache, "ray").sweep()
    return Site(open_backend(sandbox, cache), cache, overloaded=_overloaded)


def _overloaded() -> str:
    load, cores = os.getloadavg()[0], usable_cores()
    return f"the node has a load of {load:.1f} on {cores} cores" if load > _OVERLOAD * cores else ""


def _own_image(site: Site, head: Head, image: Image) -> Image:
    """The image as this machine has it. Raises InfraError that names what is missing or differs."""
    if graft_identity() != head.graft:
        raise InfraError(f"refused: it runs Graft {graft_identity()}, the head {head.graft}; install the same on both")
    folder = image_folder(site.cache, site.backend, image.key)
    folder.parent.mkdir(parents=True, exist_ok=True)
    root = site.cache / "sources" / image.source_root.name
    if not (is_whole(folder, site.backend, image.key) and root.is_dir()):
        _fetch(site, head, image, folder, root)
    note_use(folder)
    local = replace(image, source_root=root, folder=folder)
    if (found := image_identity(local)) != head.image:
        raise InfraError(
            f"refused: its image {image.key} is {found}, the head's is {head.image}; graft images prune {image.key} on"
            " the node, and it fetches the head's from the store"
        )
    return local


def _fetch(site: Site, head: Head, image: Image, folder: Path, root: Path) -> None:
    url = os.environ.get("GRAFT_STORE") or head.store
    if not url:
        raise InfraError(
            f"it has no image {image.key}, and no store is named: set GRAFT_STORE on the head, and there: graft images"
            f" push {image.recipe.name}"
        )
    place = open_place(url)
    with locked(folder.with_suffix(".lock"), image.key):
        whole = is_whole(folder, site.backend, image.key)
        if not whole and not fetch_image(site.backend, image.key, folder, site.cache, place):
            raise InfraError(
                f"neither it nor the store {url} has image {image.key}; on the head: graft images push"
                f" {image.recipe.name}"
            )
    if not root.is_dir() and not fetch_source(root.name, root.parent, place):
        raise InfraError(f"neither it nor the store {url} has the source {root.name}")
