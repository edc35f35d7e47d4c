"""What most readers of an index need first, made by the processes of its build: `build_index(afterwards=PARTS)`.

Each part is made once and kept in the index's folder. Otherwise the first reader would make them one by one.
"""

from __future__ import annotations

from pathlib import Path

from index.repo_index import open_index

TreeAndIndex = tuple[Path, Path]
"""A tree, and the folder of its index."""


def make_graph(place: TreeAndIndex) -> None:
    """The call graph."""
    root, folder = place
    index = open_index(folder, root)
    _ = index.graph
    index.close()


def make_text(place: TreeAndIndex) -> None:
    """The text search's arrays."""
    from retrieval.text.lexical import LexicalRetriever

    root, folder = place
    index = open_index(folder, root)
    LexicalRetriever(index)
    index.close()


def make_runs(place: TreeAndIndex) -> None:
    """The token runs and the shapes by which strict hiding finds twins."""
    root, folder = place
    index = open_index(folder, root)
    _ = index.run_table, index.shape_table
    index.close()


PARTS = (make_text, make_runs, make_graph)
"""The call graph last, since it needs the most memory."""
