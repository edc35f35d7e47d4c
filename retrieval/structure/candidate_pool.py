"""Which functions are ranked at all: the best of a repository by a sum of cheap signals. One pool serves every ranker,
in training and in use: when the two had different pools, recall was half."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from index.arrays import keep_heaviest_rows_in_order
from retrieval.structure.evidence.target_evidence import Evidence
from retrieval.structure.tables.compressed_lists import Floats, Rows
from retrieval.structure.target_query import FAR_INCLUDES

POOL_SIZE = 1000
"""Candidates. Of the callees of the development split's functions 0.98 are among them, 0.95 at 250."""


class PoolVote(NamedTuple):
    """`weight` times the vote's share, which lies in 0..1; `least` is added to its total, so that a single voter
    doesn't decide."""

    vote: str
    weight: float
    least: float


# All weights were chosen by eye on the development split; the rankers behind refine them.
POOL_VOTES = (
    # What the functions right above and below call is the strongest single signal.
    PoolVote("near", 3.0, 1.0),
    PoolVote("file", 2.0, 3.0),
    PoolVote("scope", 2.0, 3.0),
    PoolVote("alike", 1.5, 1.0),
    PoolVote("types", 1.0, 5.0),
    PoolVote("names", 1.0, 1.0),
    PoolVote("name_words", 1.0, 3.0),
    PoolVote("folder", 0.8, 10.0),
    PoolVote("docs", 0.7, 1.0),
    PoolVote("namesakes", 0.5, 1.0),
    PoolVote("callers", 0.5, 1.0),
    PoolVote("cousins", 0.3, 1.0),
)


class PoolWeight:
    """Weights of what isn't a vote."""

    MENTIONED = 0.3
    IN_FILE = 0.3
    OWN = 0.25
    SEEN_WORDS = 0.25
    """The share of its name's words that the target's texts have, where includes lead to it."""
    OF_TYPES = 0.15
    WORDS = 0.1
    """The same share, wherever it stands."""
    RIGHT_BESIDE = 0.1
    POPULAR = 0.02
    """For each e-fold of callers: what everybody calls, this function may call too."""
    SHARED_TYPES = 0.02
    REACH = 0.02
    """For each include nearer than FAR."""


def score_rows_for_pool(e: Evidence) -> Floats:
    """Over rows."""
    w = PoolWeight
    tables, stats, q = e.tables, e.stats, e.query
    # What touches every row comes first, in as few passes as possible: a pass costs more than all votes together.
    total: Floats = w.POPULAR * stats.popular
    total[e.hidden_callees] = w.POPULAR * np.log1p(e.count_visible_callers(e.hidden_callees))
    spare = e.similarity.in_all / stats.name_weight
    spare *= np.where(q.reach < FAR_INCLUDES, w.WORDS + w.SEEN_WORDS, w.WORDS)[tables.file]
    total += spare
    total += np.take(w.REACH * (FAR_INCLUDES - q.reach), tables.file, out=spare)
    np.minimum(e.shared_type_rarity, 8.0, out=spare)
    spare *= w.SHARED_TYPES
    total += spare
    for name, weight, least in POOL_VOTES:
        vote = e.get_or_make_vote(name)
        total[vote.rows] += weight * (vote.votes / (vote.total + least))
    total[q.mentioned] += w.MENTIONED
    distance = np.abs(e.measure_signed_row_distances_in_file(e.file_rows))
    total[e.file_rows] += w.IN_FILE + w.RIGHT_BESIDE * np.exp(-distance / 5.0)
    total[np.flatnonzero(e.is_in_own_scope | e.is_inherited)] += w.OWN
    total[np.flatnonzero(e.is_method_of_own_type | e.is_method_of_field_type)] += w.OF_TYPES
    return total


def choose_pool(score: Floats, e: Evidence) -> Rows:
    """The best candidates, in order of row; of equal ones the first rows."""
    return keep_heaviest_rows_in_order(np.flatnonzero(e.can_be_called), score, POOL_SIZE).astype(np.int32)
