"""Which functions are ranked at all: the best of a repository by a sum of cheap signals.

One pool serves every ranker, in training and in use: a pool that differs between the two halved recall.
"""

from __future__ import annotations

import numpy as np

from retrieval.structure.evidence import Evidence
from retrieval.structure.kernels import Rarity
from retrieval.structure.question import FAR, Question
from retrieval.structure.tables.lists import Floats, Rows
from retrieval.structure.tables.tables import RankTables
from retrieval.structure.votes import top_of

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


def pool_score(tables: RankTables, rare: Rarity, q: Question, e: Evidence, reach: Rows) -> Floats:
    """Over rows. `reach`: over files, includes between the target's and it."""
    w = PoolWeight
    own = float(rare.name[q.name].sum())
    # What touches every row comes first, in as few passes as it takes: a pass costs more than all votes together.
    total: Floats = w.POPULAR * rare.popular
    total[e.lost] = w.POPULAR * np.log1p(e.called(rare, e.lost))
    coverage = e.like.in_all / rare.name_weight
    coverage *= np.where(reach < FAR, w.WORDS + w.SEEN_WORDS, w.WORDS)[tables.file]
    total += coverage
    total += np.take(w.REACH * (FAR - reach), tables.file, out=coverage)
    np.minimum(e.by_types, 8.0, out=coverage)
    coverage *= w.SHARED_TYPES
    total += coverage
    for vote, weight, least in (
        (e.near, w.NEAR, 1.0),
        (e.file, w.FILE, 3.0),
        (e.scope, w.SCOPE, 3.0),
        (e.alike, w.ALIKE, 1.0),
        (e.types, w.TYPES, 5.0),
        (e.names, w.NAMES, 1.0),
        (e.by_name_words, w.NAME_WORDS, own + 3.0),
        (e.folder, w.FOLDER, 10.0),
        (e.docs, w.DOCS, 1.0),
        (e.namesakes, w.NAMESAKES, 1.0),
        (e.callers_votes, w.CALLERS, 1.0),
        (e.cousins, w.COUSINS, 1.0),
    ):
        vote.add_to(total, weight, least)
    total[q.mentioned] += w.MENTIONED
    total[e.file_rows] += w.IN_FILE + w.RIGHT_BESIDE * np.exp(-np.abs(e.distance(e.file_rows)) / 5.0)
    total[np.flatnonzero(e.own | e.inherited)] += w.OWN
    total[np.flatnonzero(e.of_types | e.of_fields)] += w.OF_TYPES
    return total


def pool_of(score: Floats, e: Evidence, most: int = POOL) -> Rows:
    """The best candidates, in order of row. Of equal ones the first rows."""
    return top_of(e.candidate, score, most).astype(np.int32)
