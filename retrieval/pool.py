"""Which functions are ranked at all: the best of a repository by a sum of cheap signals.

One pool serves every ranker, in training and in use: a pool that differs between the two halved recall.
"""

from __future__ import annotations

import numpy as np

from retrieval.evidence import Evidence
from retrieval.lists import Floats, Rows
from retrieval.question import FAR, Question
from retrieval.rank_tables import RankTables

POOL = 1000
"""Candidates. Of the callees of the development split's functions 0.98 are among them, 0.95 at 250."""


class PoolWeight:
    """Chosen by eye on the development split; the rankers behind refine them. Shares of votes lie in 0..1."""

    NEAR = 3.0
    """What the functions right above and below call: the strongest single signal."""
    FILE = 2.0
    SCOPE = 2.0
    ALIKE = 1.5
    TYPES = 1.0
    NAMES = 1.0
    NAME_WORDS = 1.0
    FOLDER = 0.8
    DOCS = 0.7
    NAMESAKES = 0.5
    CALLERS = 0.5
    COUSINS = 0.3
    MENTIONED = 0.3
    IN_FILE = 0.3
    OWN = 0.25
    SEEN_WORDS = 0.25
    """The share of its name that the target's texts hold, where an include leads to it."""
    OF_TYPES = 0.15
    WORDS = 0.1
    """The same, wherever it stands."""
    RIGHT_BESIDE = 0.1
    POPULAR = 0.02
    """For each e-fold of callers: what everybody calls, this one may."""
    SHARED_TYPES = 0.02
    REACH = 0.02
    """For each include nearer than FAR."""


def pool_score(
    tables: RankTables, q: Question, e: Evidence, reach: Rows, name_weight: Floats, own: float
) -> Floats:
    """Over rows. `reach`: includes between the target's file and each row's; `own`: the weight of the target's
    name."""
    w = PoolWeight
    coverage = e.like.in_all / name_weight
    mentioned = np.zeros(len(tables.ids))
    mentioned[q.mentioned] = w.MENTIONED
    total: Floats = (
        w.NEAR * e.near.share(1.0)
        + w.FILE * e.file.share(3.0)
        + w.SCOPE * e.scope.share(3.0)
        + w.ALIKE * e.alike.share(1.0)
        + w.TYPES * e.types.share(5.0)
        + w.NAMES * e.names.share(1.0)
        + w.NAME_WORDS * e.by_name_words / (own + 3.0)
        + w.FOLDER * e.folder.share(10.0)
        + w.DOCS * e.docs.share(1.0)
        + w.NAMESAKES * e.namesakes.share(1.0)
        + w.CALLERS * e.callers_votes.share(1.0)
        + w.COUSINS * e.cousins.share(1.0)
        + mentioned
        + w.IN_FILE * e.in_file
        + w.OWN * (e.own | e.inherited)
        + w.SEEN_WORDS * coverage * (reach < FAR)
        + w.OF_TYPES * (e.of_types | e.of_fields)
        + w.WORDS * coverage
        + w.RIGHT_BESIDE * np.exp(-np.abs(e.distance) / 5.0)
        + w.POPULAR * np.log1p(np.maximum(e.called, 0.0))
        + w.SHARED_TYPES * np.minimum(e.like.takes + e.like.gives, 8.0)
        + w.REACH * (FAR - reach)
    )
    return total


def pool_of(score: Floats, e: Evidence, most: int = POOL) -> Rows:
    """The best candidates, in order of row. Of equal ones the first rows."""
    rows = np.flatnonzero(e.candidate)
    if len(rows) > most:
        values = score[rows]
        rows = np.sort(rows[np.lexsort((rows, -values))[:most]])
    return rows.astype(np.int32)
