"""What whoever reads an index asks for first, derived while its build's processes still run.

Each part is made once and kept in the index's folder; without this the first reader would make them, one after the
other. For `build_index(afterwards=PARTS)`.
"""

from __future__ import annotations

from pathlib import Path

from index.repo_index import open_index

TreeAndIndex = tuple[Path, Path]
"""A tree, and the folder of its index."""


def make_graph(of: TreeAndIndex) -> None:
    """The call graph."""
    root, folder = of
    index = open_index(folder, root)
    _ = index.graph
    index.close()


def make_text(of: TreeAndIndex) -> None:
    """The text search's arrays."""
    from retrieval.text.lexical import LexicalRetriever

    root, folder = of
    index = open_index(folder, root)
    LexicalRetriever(index)
    index.close()


def make_runs(of: TreeAndIndex) -> None:
    """The token runs that strict hiding finds clones by."""
    root, folder = of
    index = open_index(folder, root)
    _ = index.runs
    index.close()


PARTS = (make_graph, make_text, make_runs)
