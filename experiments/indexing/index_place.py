"""Where a tree's index is, and which tree an index belongs to."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from executor.cache import cache_root
from experiments.files import write_atomically
from index.errors import ConfigError, StaleIndexError
from index.values import Span, Target

if TYPE_CHECKING:
    from index.hiding.hidden_view import HiddenView
    from index.repo_index import RepoIndex

TREE_FILE = "tree.json"


@dataclass(frozen=True, slots=True)
class Place:
    """An index's folder and the root of its source tree, both absolute."""

    folder: Path
    root: Path


def choose_index_place(tree: Path, folder: Path | None) -> Place:
    """The place for the index of `tree`: `folder`, else a folder in Graft's cache, by the tree's name and path.

    Raises ConfigError when the tree is no folder, or `folder` holds another tree's index.
    """
    root = tree.expanduser().resolve()
    if not root.is_dir():
        raise ConfigError(f"{tree}: no such folder; name the root of a source tree")
    if folder is None:
        digest = hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:10]
        return Place(cache_root() / "indexes" / f"{root.name or 'root'}-{digest}", root)
    known = folder / TREE_FILE
    if known.is_file() and _read_indexed_root(known) != root:
        raise ConfigError(
            f"--index {folder}: it is the index of {_read_indexed_root(known)}, not of {root}; name another"
        )
    return Place(folder.expanduser().resolve(), root)


def find_index_place(tree: Path | None, folder: Path | None) -> Place:
    """The place of an existing index, by its folder or by its tree (default: the working directory, or the nearest
    folder above it that has an index). Raises ConfigError that names the command to make one."""
    if folder is not None:
        known = folder / TREE_FILE
        if not known.is_file():
            raise ConfigError(f"--index {folder}: no index there; make one: graft index build TREE --index {folder}")
        return Place(folder.expanduser().resolve(), _read_indexed_root(known))
    start = (tree or Path()).expanduser().resolve()
    for root in (start, *start.parents) if tree is None else (start,):
        if root.is_dir():
            place = choose_index_place(root, None)
            if (place.folder / TREE_FILE).is_file():
                return place
    raise ConfigError(f"{start}: no index of it; make one: graft index build {tree or '.'}")


def record_indexed_tree(place: Place) -> None:
    """Note beside the index which tree it belongs to."""
    place.folder.mkdir(parents=True, exist_ok=True)
    write_atomically(place.folder / TREE_FILE, (json.dumps({"root": str(place.root)}, indent=1) + "\n").encode())


def find_and_open_index(tree: Path | None, folder: Path | None) -> RepoIndex:
    """The index, opened. Raises ConfigError and StaleIndexError."""
    from index.repo_index import open_index

    place = find_index_place(tree, folder)
    return open_index(place.folder, place.root)


def _read_indexed_root(tree_file: Path) -> Path:
    try:
        root = Path(json.loads(tree_file.read_text(encoding="utf-8"))["root"])
        root.is_dir()  # raises ValueError for a text that is no path
        return root
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise StaleIndexError(f"{tree_file}: damaged; rebuild the index") from error


def make_view_hiding_nothing(index: RepoIndex) -> HiddenView:
    """A view in which nothing is hidden, for people and their tools; no experiment uses it."""
    from index.hiding.hidden_view import HiddenView

    nowhere = Target(repo="", path="", span=Span(1, 1), name="", signature="", docstring="", language="c")
    return HiddenView(index, nowhere, "realistic", (), {})
