"""How indexes are built: with what most readers need first, made by the processes of the build and not one by one by
the first reader (`build_index(afterwards=PARTS)`), and by the nodes of a cluster."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from executor.threads import map_in_threads
from experiments.indexing.index_place import Place
from index.build import DerivingStep, build_index
from index.hiding.fingerprints import open_or_make_fingerprint_table
from index.hiding.shape_clones import open_or_make_shape_table
from index.hiding.text_clones import open_or_make_run_table
from index.repo_index import open_index
from index.store.manifest import MANIFEST

if TYPE_CHECKING:
    from executor.workers.contract import Workers

log = logging.getLogger(__name__)

TreeAndIndex = tuple[Path, Path]
"""A tree, and the folder of its index."""


def derive_call_graph(place: TreeAndIndex) -> None:
    """The call graph."""
    with closing(open_index(place[1], place[0])) as index:
        _ = index.graph


def derive_text_search(place: TreeAndIndex) -> None:
    """The text search's arrays."""
    from retrieval.text.lexical import LexicalRetriever

    with closing(open_index(place[1], place[0])) as index:
        LexicalRetriever(index)


def derive_runs_shapes_and_fingerprints(place: TreeAndIndex) -> None:
    """The token runs, shapes and fingerprints by which strict hiding finds twins and copies."""
    with closing(open_index(place[1], place[0])) as index:
        open_or_make_run_table(index)
        open_or_make_shape_table(index)
        open_or_make_fingerprint_table(index)


PARTS = (derive_text_search, derive_runs_shapes_and_fingerprints, derive_call_graph)
"""The call graph last, since it needs the most memory."""


def build_missing_indexes_at_workers(
    workers: Workers, places: Sequence[Place], processes: int, parts: Sequence[DerivingStep]
) -> None:
    """Have the workers build those of the indexes that aren't there yet, all at once. What they send is whole before
    it takes its place; files that differ here are read again by the next build. Raises InfraError, and what
    `build_index` raises."""
    from executor.workers.contract import Needs

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

    map_in_threads(build_index_by_node, missing, len(missing))


def _index_tree(cache: Path, tree: Path, folder: Path, processes: int, parts: Sequence[DerivingStep]) -> None:
    """Build the index of the tree in `folder`."""
    del cache
    build_index(tree, folder, workers=processes, afterwards=parts)
