"""The nearest of many vectors, by FAISS: exact up to `FLAT`, by an HNSW graph above (Malkov and Yashunin 2016)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.vectors.encoder import Vectors

FLAT = 200_000
"""Vectors up to which every one is compared: 200,000 of 384 dimensions take some 12 ms."""
LINKS = 32
BUILD_WIDTH = 200
SEARCH_WIDTH = 256
"""At least; HNSW finds 0.98 of the exact neighbours from about 128 on. Measured by benchmarks/retrieval/dense.py."""
GRAPH = "hnsw.faiss"


class Vectorfile(NamedTuple):
    """`vectors`: (n, d) of length 1, mapped; `graph`: FAISS's HNSW index, or None where the search is exact."""

    vectors: Vectors
    graph: Any


def save(vectors: Vectors, folder: Path, *, flat: int = FLAT) -> None:
    """Write what `load` reads: the vectors, and above `flat` of them the graph."""
    np.save(folder / "vectors.npy", vectors)
    if len(vectors) > flat:
        import faiss

        graph = faiss.IndexHNSWFlat(vectors.shape[1], LINKS, faiss.METRIC_INNER_PRODUCT)
        graph.hnsw.efConstruction = BUILD_WIDTH
        graph.add(vectors)
        faiss.write_index(graph, str(folder / GRAPH))


def load(folder: Path) -> Vectorfile:
    """What `save` wrote. Raises OSError or ValueError when it is damaged."""
    vectors = np.load(folder / "vectors.npy", mmap_mode="r")
    path = folder / GRAPH
    if not path.is_file():
        return Vectorfile(vectors, None)
    import faiss

    try:
        graph = faiss.read_index(str(path), faiss.IO_FLAG_MMAP)
    except RuntimeError as error:
        raise ValueError(f"{path}: damaged") from error
    if graph.ntotal != len(vectors):
        raise ValueError(f"{path}: of other vectors")
    return Vectorfile(vectors, graph)


def nearest(file: Vectorfile, query: Vectors, count: int) -> tuple[Vectors, npt.NDArray[np.int64]]:
    """Scores and rows of the `count` (at most as many as there are) with the largest inner product, best first."""
    import faiss

    count = min(count, len(file.vectors))
    if file.graph is None:
        scores, rows = faiss.knn(query, file.vectors, count, metric=faiss.METRIC_INNER_PRODUCT)
    else:
        width = faiss.SearchParametersHNSW(efSearch=max(SEARCH_WIDTH, 2 * count))  # type: ignore[attr-defined]
        scores, rows = file.graph.search(query, count, params=width)
    found = rows[0] >= 0
    return scores[0][found], rows[0][found]
