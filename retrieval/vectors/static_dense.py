"""The `dense` and `meaning` retrievers with the static encoder, which is fitted on the repository at first use. The
calls that start in the targets of an experiment, or in their clones, are left out of the fit, so that it learns
nothing from a hidden body. It is kept under a digest of what was left out."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from index.arrays import find_positions_or_minus_one
from index.errors import TaskError
from index.hiding.hidden_view import HiddenView
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.protocol import Retriever, RetrieverSettings
from retrieval.values import Hit
from retrieval.vectors.dense import DenseRetriever
from retrieval.vectors.encoders import Encoder, Vectors, load_encoder
from retrieval.vectors.static_encoder import (
    StaticEncoder,
    StaticModel,
    choose_dimensions,
    fit_static_model,
    load_static_model,
    save_static_model,
)

log = logging.getLogger(__name__)

LEAST_CALL_CONFIDENCE = 0.5
"""Edges of less confidence add as much noise as words."""
Rows = npt.NDArray[np.int64]

MODEL_FORMAT = 1
"""Changes with what is fitted, so that an older model isn't taken for a new one."""


class StaticDenseRetriever:
    """DenseRetriever over the static encoder. `targets`: all that will ever be queried.

    Ranks what a function like the target would call; with `described` the functions that are like what the query
    describes, which is what a person who searches wants."""

    def __init__(
        self, index: RepoIndex, targets: Iterable[Target], progress: Progress = SILENT, *, described: bool = False
    ) -> None:
        self.name = "meaning" if described else "dense"
        self._excluded = find_excluded_functions(index, targets)
        digest = hashlib.sha256(repr((MODEL_FORMAT, sorted(self._excluded))).encode()).hexdigest()[:12]

        def fit_and_save(folder: Path) -> None:
            log.info(f"{self.name}: fitting the encoder on {len(index.functions)} functions, once for this build")
            save_static_model(fit_static_model_of_index(index, self._excluded), folder)

        model = index.load_or_make_arrays(f"static-{digest}", fit_and_save, load_static_model)
        encoder = StaticEncoder(model)
        used: Encoder
        kind, used = ("alike", CallerAndCalleeEncoder(encoder)) if described else ("static", encoder)
        self._dense = DenseRetriever(index, used, f"{kind}-{digest}", progress, reads="heads")

    def retrieve(self, view: HiddenView, target: Target, limit: int) -> list[Hit]:
        """See `DenseRetriever.retrieve`. Raises TaskError for a target that wasn't left out of the fit."""
        if not view.ids_overlapping_holes <= self._excluded:
            raise TaskError(
                f"{target.repo}: {target.path}: the static encoder has learnt from {target.name}; name every target"
                " when the retriever is made"
            )
        return self._dense.retrieve(view, target, limit)


def make_dense(index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    """The `dense` retriever: by `settings.encoder`, else by the static encoder."""
    if settings.encoder is None:
        return StaticDenseRetriever(index, settings.held_out, settings.progress)
    return DenseRetriever(index, load_encoder(settings.encoder), settings.encoder, settings.progress)


def make_meaning(index: RepoIndex, settings: RetrieverSettings) -> StaticDenseRetriever:
    """The `meaning` retriever: search by description."""
    return StaticDenseRetriever(index, settings.held_out, settings.progress, described=True)


class CallerAndCalleeEncoder:
    """A text as caller beside the same text as callee: functions are similar when they call, and are called by,
    similar functions. A query is encoded like any other text."""

    def __init__(self, encoder: StaticEncoder) -> None:
        self._encoder = encoder

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """(n, 2d); see `Encoder`."""
        return np.concatenate((self._encoder.encode_query(texts), self._encoder.encode(texts)), axis=1)


def find_excluded_functions(index: RepoIndex, targets: Iterable[Target]) -> frozenset[int]:
    """Ids of the symbols whose text an experiment on `targets` hides: the targets, their clones, what lies in them.
    Always strict: a clone that `realistic` masking keeps isn't learnt from either. A target that the index lacks hides
    nothing, and can't be queried."""
    found: set[int] = set()
    for target in targets:
        with suppress(TaskError):
            found |= index.hide(target, "strict").ids_overlapping_holes
    return frozenset(found)


def fit_static_model_of_index(index: RepoIndex, excluded: frozenset[int]) -> StaticModel:
    """The model, fitted without the calls that start in an excluded function or rest on it."""
    functions = index.functions
    texts = (f"{e.symbol.path} {e.symbol.qualified_name} {e.symbol.signature} {e.symbol.docstring}" for e in functions)
    callers, callees = _list_usable_calls(index, np.array([e.id for e in functions], dtype=np.int64), excluded)
    return fit_static_model(texts, callers, callees, choose_dimensions(len(functions)))


def _list_usable_calls(index: RepoIndex, ids: Rows, excluded: frozenset[int]) -> tuple[Rows, Rows]:
    """The calls between functions, as rows of `ids`, that no excluded body contains or is the evidence for."""
    graph = index.graph
    hidden = np.array(sorted(excluded), dtype=np.int64)
    keep = graph.confidence >= LEAST_CALL_CONFIDENCE
    keep &= ~np.isin(graph.caller, hidden) & ~np.isin(graph.witness, hidden)
    order = np.argsort(ids)
    # Behind the rows stands -1, which is found for what is no function.
    rows = np.append(order, -1)
    callers, callees = (
        rows[find_positions_or_minus_one(ids[order], column)] for column in (graph.caller, graph.callee)
    )
    keep &= (callers >= 0) & (callees >= 0) & (callers != callees)
    return callers[keep], callees[keep]
