"""Which Graft a machine runs and which image it holds: what two machines compare before one works for the other."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from executor.repository.images import Image
from index.errors import InfraError

_JUDGING = ("executor", "index")
_EVERYTHING = (*_JUDGING, "agent", "experiments", "lab", "retrieval")


@lru_cache
def format_version_with_code_hash(*, everything: bool = False) -> str:
    """Graft's version, and a hash of the code that judges, or of `everything`: `0.9.0 (3f2a...)`. Two checkouts of one
    version differ."""
    digest = hashlib.sha256()
    packages = Path(__file__).parents[2]
    names = _EVERYTHING if everything else _JUDGING
    for path in sorted(path for name in names for path in (packages / name).rglob("*.py")):
        digest.update(path.relative_to(packages).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{version('graft')} ({digest.hexdigest()[:12]})"


def hash_image_graph_or_empty(image: Image) -> str:
    """A hash of the image's build graph, which names each of its files, commands and flags."""
    return "" if image.folder is None else hash_graph_in_folder(image.folder)


def hash_graph_in_folder(folder: Path) -> str:
    """The same of the image of which the host's knowledge lies in `folder`. Raises InfraError."""
    try:
        return hashlib.sha256((folder / "graph.json").read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise InfraError(f"image {folder.name}: {error}") from error
