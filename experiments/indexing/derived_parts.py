"""What most readers of an index need first, made by the processes of its build, not one by one by the first reader:
`build_index(afterwards=PARTS)`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from index.hiding.fingerprints import open_or_make_fingerprint_table
from index.hiding.shape_clones import open_or_make_shape_table
from index.hiding.text_clones import open_or_make_run_table
from index.repo_index import open_index

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
