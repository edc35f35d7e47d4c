"""The candidates of one target, and what several of their signals are computed from."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from retrieval.structure.evidence.neighbour_votes import SpreadVotes, collect_keys_shared_with_neighbours, spread_vote
from retrieval.structure.evidence.target_evidence import Evidence
from retrieval.structure.evidence.word_meanings import KnownMeanings
from retrieval.structure.tables.compressed_lists import Floats, Lists, Mask, Places, Rows, sum_by_row
from retrieval.structure.tables.rank_tables import RankTables

Column = npt.NDArray[Any]
Made = TypeVar("Made")

SPREAD_VOTES = {
    "near": "near",
    "alike": "more_alike",
    "file": "file",
    "types": "types",
    "name_words": "name_words",
    "doc_words": "doc_words",
}


class Overlap(NamedTuple):
    """For each candidate the rarity of what its list shares with the target's, and the share of its list, -1 for an
    empty list."""

    common: Floats
    share: Floats


class Spelling(NamedTuple):
    """Beside each candidate."""

    prefix: Rows
    """Letters with which both names begin."""
    inside: Rows
    """Letters of the row's name where the target's contains it, else 0."""
    around: Rows
    """Letters of the target's name where the row's contains it, else 0."""
    same: Rows
    """1 where both are the same but for case, else 0."""


class CandidateSet:
    """The candidates `rows` of one target, and what several of their signals are computed from. `pool`: each
    candidate's pool score."""

    def __init__(self, evidence: Evidence, rows: Rows, pool: Floats, meanings: KnownMeanings) -> None:
        self.meanings = meanings
        self.evidence = evidence
        self.tables = evidence.tables
        self.stats = evidence.stats
        self.query = evidence.query
        self.similarity = evidence.similarity
        self.rows = rows
        self.pool = pool
        self.files = self.tables.file[rows]
        self.is_in_target_file = evidence.is_in_file[rows]
        self.distance_from_target = evidence.measure_signed_row_distances_in_file(rows)
        """Negative above it."""
        self.caller_counts = evidence.count_visible_callers(rows)
        self.macro_caller_counts = evidence.count_visible_callers_through_macros(rows)
        self.calls_target: Mask = np.isin(rows, evidence.callers)
        uncalled = (self.caller_counts <= 0) & (self.macro_caller_counts <= 0)
        self.is_orphan: Mask = self.tables.static[rows] & self.is_in_target_file & uncalled
        """Static functions of the target's file that nothing visible calls: something hidden calls them."""
        self.includes_away: Floats = self.query.reach[self.files] + 0.5 * self.tables.test[self.files]
        """Includes between the target's file and the candidate's; half an include more for test code."""
        self._made: dict[Callable[[CandidateSet], Any], Any] = {}

    def count_votes(self, vote_name: str) -> Floats:
        return self.evidence.get_or_make_vote(vote_name).get_votes_of_rows(self.rows)

    @cached_property
    def parameter_type_overlap(self) -> Overlap:
        return self._measure_overlap(self.tables.kind, self.query.kind, self.stats.kind)

    @cached_property
    def parameter_name_overlap(self) -> Overlap:
        return self._measure_overlap(self.tables.argument, self.query.argument, self.stats.argument)

    @cached_property
    def name_overlap_with_docstring(self) -> Floats:
        """Words of the docstring, without the name's, that the candidate's name has."""
        return self.sum_shared_rarity(self.tables.name, np.setdiff1d(self.query.doc, self.query.name), self.stats.name)

    @cached_property
    def spelling_overlap(self) -> Spelling:
        return _measure_prefix_and_containment(self.tables, self.rows, self.query.spelled)

    @cached_property
    def spread_votes(self) -> dict[str, SpreadVotes]:
        """The votes of SPREAD_VOTES, passed on to the neighbours of each function voted for."""
        around = collect_keys_shared_with_neighbours(self.tables, self.stats, self.rows)
        votes = {name: self.evidence.get_or_make_vote(vote) for name, vote in SPREAD_VOTES.items()}
        return {name: spread_vote(self.tables, self.stats, vote, around) for name, vote in votes.items()}

    def get_or_make_value(self, make: Callable[[CandidateSet], Made]) -> Made:
        """What `make` makes of these candidates, made when it is first asked for."""
        if make not in self._made:
            self._made[make] = make(self)
        made: Made = self._made[make]
        return made

    @cached_property
    def _place_of_row(self) -> Rows:
        """Over all rows: the place among the candidates, -1 for what is none."""
        found = np.full(len(self.tables.ids), -1, dtype=np.int32)
        found[self.rows] = np.arange(len(self.rows), dtype=np.int32)
        return found

    def sum_weights_by_candidate(self, rows: Rows | Places, weight: Floats) -> Floats:
        """For each candidate the sum of the weights that stand beside it in `rows`."""
        at = self._place_of_row[rows]
        there = at >= 0
        return sum_by_row(at[there], weight[there], len(self.rows))

    def sum_shared_rarity(self, lists: Lists, wanted: Places, weight: Floats) -> Floats:
        """The rarity of what each candidate's list has in common with `wanted`."""
        flat, owner = lists.gather_lists_with_owners(self.rows)
        there = np.isin(flat, wanted)
        return sum_by_row(owner[there], weight[flat[there]], len(self.rows))

    def measure_candidate_list_lengths(self, lists: Lists) -> Places:
        return lists.starts[self.rows + 1] - lists.starts[self.rows]

    def _measure_overlap(self, lists: Lists, wanted: Places, weight: Floats) -> Overlap:
        flat, owner = lists.gather_lists_with_owners(self.rows)
        found = np.isin(flat, wanted)
        total = self.measure_candidate_list_lengths(lists)
        common = sum_by_row(owner, found * weight[flat], len(self.rows))
        share = sum_by_row(owner, found.astype(np.float64), len(self.rows)) / np.maximum(total, 1)
        return Overlap(common, np.where(total > 0, share, -1.0))


Signal = Callable[[CandidateSet], Column]


def divide_by_greatest(values: Column) -> Column:
    share: Column = values / (values.max(initial=0.0) + 1e-9)
    return share


def _measure_prefix_and_containment(tables: RankTables, rows: Rows, spelled: bytes) -> Spelling:
    """What the names of `rows` and the target's, `spelled` in lower case, share letter by letter: `dictAddRaw` begins
    with `dictAdd`; `RM_Alloc` and `zalloc` share nothing."""
    flat, owner = tables.spelled.gather_lists_with_owners(rows)
    starts = np.searchsorted(owner, np.arange(len(rows) + 1))
    text = flat.astype(np.uint8).tobytes()
    size = len(spelled)
    names = [text[a:b] for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]
    place = np.arange(len(flat)) - starts[owner]
    own = np.frombuffer(spelled + b"\0", dtype=np.uint8)
    equal = flat == own[np.minimum(place, size)]
    # The prefix ends at the first letter that differs.
    differs = np.where(equal, len(flat), place)
    prefix = np.minimum(np.diff(starts), size).astype(np.int32)
    np.minimum.at(prefix, owner, np.minimum(differs, size).astype(np.int32))
    return Spelling(
        prefix=prefix,
        inside=np.array([len(n) if n in spelled else 0 for n in names], dtype=np.int32),
        around=np.array([size if size and spelled in n else 0 for n in names], dtype=np.int32),
        same=np.array([n == spelled for n in names], dtype=np.int32),
    )
