"""What most readers of an index need first, made by the processes of its build: `build_index(afterwards=PARTS)`.

Each part is made once and kept in the index's folder. Otherwise the first reader would make them one by one.
"""

from __future__ import annotations

from pathlib import Path

from index.hiding.clone_tables import open_run_table, open_shape_table
from index.hiding.fingerprints import open_fingerprint_table
from index.repo_index import open_index

TreeAndIndex = tuple[Path, Path]
"""A tree, and the folder of its index."""


def derive_call_graph(place: TreeAndIndex) -> None:
    """The call graph."""
    root, folder = place
    index = open_index(folder, root)
    _ = index.graph
    index.close()


def derive_text_search(place: TreeAndIndex) -> None:
    """The text search's arrays."""
    from retrieval.text.lexical import LexicalRetriever

    root, folder = place
    index = open_index(folder, root)
    LexicalRetriever(index)
    index.close()


def derive_token_runs(place: TreeAndIndex) -> None:
    """The token runs, shapes and fingerprints by which strict hiding finds twins and copies."""
    root, folder = place
    index = open_index(folder, root)
    open_run_table(index)
    open_shape_table(index)
    open_fingerprint_table(index)
    index.close()


PARTS = (derive_text_search, derive_token_runs, derive_call_graph)
"""The call graph last, since it needs the most memory."""
