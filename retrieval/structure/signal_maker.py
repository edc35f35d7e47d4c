"""The signals of an index's targets, as one matrix per target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.values import Target
from retrieval.structure.candidate_pool import choose_pool, score_rows_for_pool
from retrieval.structure.candidate_set import CandidateSet
from retrieval.structure.evidence.similarity import compute_rarities_and_call_counts
from retrieval.structure.evidence.target_evidence import Evidence
from retrieval.structure.evidence.word_meanings import KnownMeanings, Meanings
from retrieval.structure.signals import SIGNAL_NAMES, compute_signal_columns
from retrieval.structure.tables.compressed_lists import Rows
from retrieval.structure.tables.rank_tables import RankTables
from retrieval.structure.tables.table_building import open_or_make_rank_tables
from retrieval.structure.target_query import QueryMaker

SignalTable = npt.NDArray[np.float32]
NO_ROWS = np.zeros(0, dtype=np.int32)


class Signals(NamedTuple):
    """`rows` of the candidates, ascending; `table`: (candidates, signals), the columns named by `names`."""

    rows: Rows
    table: SignalTable
    names: tuple[str, ...]

    def find_column(self, name: str) -> SignalTable:
        return self.table[:, self.names.index(name)]

    def select_columns(self, names: Sequence[str]) -> SignalTable:
        """The columns of these names, in their order. Raises ValueError when one is missing."""
        return self.table if names == self.names else self.table[:, [self.names.index(name) for name in names]]


class Signaller:
    """Makes the signals of one index's targets. Safe to share between threads."""

    def __init__(self, index: RepoIndex, meanings: Meanings | None = None) -> None:
        """`meanings`: other than those that ship with Graft."""
        self.index = index
        self.tables: RankTables = open_or_make_rank_tables(index)
        self._meanings = KnownMeanings(meanings, self.tables.words)
        self._queries = QueryMaker(index, self.tables)
        self._stats = compute_rarities_and_call_counts(self.tables)

    def find_hidden_rows(self, view: HiddenView, target: Target) -> Rows:
        """The rows that can't be hits for `target`: its own, its clones', and what lies in them."""
        return self._queries.make_query(view, target).hidden

    def make_evidence(self, view: HiddenView, target: Target, held_out: Rows = NO_ROWS) -> Evidence:
        """What speaks for each function being called by the target."""
        return Evidence(self.tables, self._stats, self._queries.make_query(view, target), held_out)

    def compute_signals(
        self, view: HiddenView, target: Target, held_out: Rows = NO_ROWS, names: Sequence[str] = SIGNAL_NAMES
    ) -> Signals:
        """The signals of the target's candidates, those of these names in their order. `held_out`: rows that a ranker
        in training mustn't know of."""
        evidence = self.make_evidence(view, target, held_out)
        score = score_rows_for_pool(evidence)
        rows = choose_pool(score, evidence)
        candidates = CandidateSet(evidence, rows, score[rows], self._meanings)
        columns = compute_signal_columns(candidates, names)
        table = np.empty((len(rows), len(columns)), dtype=np.float32)
        for number, column in enumerate(columns.values()):
            table[:, number] = column
        return Signals(rows, table, tuple(columns))
