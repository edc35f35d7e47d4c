"""Indexes that the nodes of a cluster build."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from executor.workers.contract import Needs, Workers
from experiments.indexing.index_place import Place
from index.build import DerivingStep, build_index
from index.store.manifest import MANIFEST

log = logging.getLogger(__name__)


def build_missing_indexes_at_workers(
    workers: Workers, places: Sequence[Place], processes: int, parts: Sequence[DerivingStep]
) -> None:
    """Have the workers build those of the indexes that aren't there yet, all at once. What they send is whole before
    it takes its place; files that differ here are read again by the next build. Raises InfraError, and what
    `build_index` raises."""
    missing = [place for place in places if not (place.folder / MANIFEST).is_file()]

    def build_index_by_node(place: Place) -> None:
        place.folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.folder.parent, prefix=f".{place.folder.name}.") as beside:
            made = Path(beside) / "index"
            workers.run_work_on_tree(
                _index_tree, place.root, made, processes, tuple(parts), needs=Needs(processes, 4096)
            )
            if not place.folder.exists():
                made.rename(place.folder)
        log.info(f"index of {place.root}: built by a node")

    with ThreadPoolExecutor(max(1, len(missing))) as pool:
        for future in [pool.submit(build_index_by_node, place) for place in missing]:
            future.result()


def _index_tree(cache: Path, tree: Path, folder: Path, processes: int, parts: Sequence[DerivingStep]) -> None:
    """Build the index of the tree in `folder`."""
    del cache
    build_index(tree, folder, workers=processes, afterwards=parts)
