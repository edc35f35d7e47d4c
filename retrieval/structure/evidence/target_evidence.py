"""What speaks for each function of a repository being called by the target, over all rows of the tables. A new vote is
one line in `VOTE_MAKERS`; it is counted when a signal or the pool first reads it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from index.arrays import keep_heaviest_rows_in_order, sort_distinct
from retrieval.structure.evidence.callee_votes import Ballot, Vote
from retrieval.structure.evidence.renamed_callees import RenamedCallees, find_renamed_callees
from retrieval.structure.evidence.similarity import Statistics, measure_similarity
from retrieval.structure.tables.compressed_lists import Floats, Mask, Places, Rows
from retrieval.structure.tables.rank_tables import RankTables
from retrieval.structure.target_query import TargetQuery, make_mask

FUNCTIONS_OF_NEAR_DECAY = 3.0
"""Functions between two functions of a file at which the nearer one's vote has lost two thirds of its weight."""
VOTERS_BY_NAME, CLOSEST_SIBLING_VOTERS, SIBLING_VOTERS, VOTERS_BY_TYPES, VOTERS_BY_DOCSTRING = 30, 20, 100, 60, 30
"""Voters of each kind."""
MOST_FUNCTIONS_WITH_NAME_WORD, MOST_FUNCTIONS_WITH_CONTEXT_WORD = 2000, 400
"""Functions with a word of the name, or of the comment and parameters, above which the word doesn't vote."""
DISTANCE_IN_OTHER_FILES = 1000
"""The distance of a function in another file."""


class SiblingWeight:
    """What makes a function a sibling of another. Only the order of the sums counts."""

    NAME = 1.0
    TYPES = 0.35
    TYPES_FULL = 8.0
    """Rarity of shared types that counts as full: one rare type, or two usual ones."""
    FILE = 0.3
    FOLDER = 0.1
    SCOPE = 0.2
    DOC = 0.03


class Evidence:
    """The evidence for one target. `held_out`: rows that neither vote nor are candidates, beside what it hides."""

    def __init__(self, tables: RankTables, stats: Statistics, query: TargetQuery, held_out: Rows) -> None:
        self.tables, self.stats, self.query = tables, stats, query
        size, file, scope = len(tables.ids), query.file, query.scope
        none = np.zeros(0, dtype=np.int32)
        gone = np.union1d(query.hidden, held_out)
        self.visible: Mask = ~make_mask(gone, size)
        self.may_vote = self.visible & stats.calls
        self.ballot = Ballot(tables, self.visible)
        self._votes: dict[str, Vote] = {}

        self.file_rows: Places = np.arange(int(tables.first_row[file]), int(tables.first_row[file + 1]))
        """The definitions in the target's file."""
        self.folder_rows = tables.in_folder.get_list(int(tables.folder[file]))
        self.scope_rows = tables.members.get_list(scope) if scope >= 0 else none
        """The functions of the target's class or namespace."""
        self.is_in_file = make_mask(self.file_rows, size)
        self.is_in_folder = make_mask(self.folder_rows, size)
        self.is_in_own_scope = make_mask(self.scope_rows, size)
        self.can_be_called = self.visible & (~tables.static | self.is_in_file)

        own_class = tables.scope_type[scope : scope + 1] if scope >= 0 else none
        taken_and_given = np.concatenate([query.takes, query.gives, own_class[own_class >= 0]])
        self.own_types: Places = sort_distinct(taken_and_given).astype(np.int64)
        """What the target takes and returns, and its class."""
        self.field_types: Places = tables.holds.gather_distinct(self.own_types).astype(np.int64)
        """The types of the fields of `own_types`."""
        self.is_inherited = self._mask_members_of_scopes_except_own(
            tables.bases.get_list(scope) if scope >= 0 else none
        )
        """Of a class that the target's inherits from."""
        self.is_method_of_own_type = self._mask_members_of_scopes_except_own(
            tables.type_scopes.gather_lists(self.own_types)
        )
        self.is_method_of_field_type = self._mask_members_of_scopes_except_own(
            tables.type_scopes.gather_lists(self.field_types)
        )

        callers = tables.callers.gather_distinct(query.own)
        self.callers: Rows = callers[self.visible[callers]]
        """The target's own callers."""
        self.hidden_callees: Rows = np.sort(tables.calls.gather_lists(gone))
        """The callees of what isn't visible, one for each edge, ascending."""
        self._hidden_macro_callees: Rows = np.sort(tables.implied.gather_lists(gone))

        self.similarity = measure_similarity(query, tables, stats)
        self.shared_type_rarity: Floats = self.similarity.takes + self.similarity.gives
        """The rarity of the types that both take or return."""
        self.sibling_weight = self._weigh_siblings()
        self.siblings = self.choose_best_voters(self.sibling_weight, SIBLING_VOTERS)
        self.best_by_name = self.choose_best_voters(self.similarity.name_cosine, VOTERS_BY_NAME)

    def get_or_make_vote(self, name: str) -> Vote:
        if name not in self._votes:
            self._votes[name] = VOTE_MAKERS[name](self)
        return self._votes[name]

    def count_visible_callers(self, rows: Rows) -> Floats:
        return np.maximum(self.stats.called[rows] - _count_occurrences_in_sorted(self.hidden_callees, rows), 0.0)

    def count_visible_callers_through_macros(self, rows: Rows) -> Floats:
        """The number of visible functions whose macros call each of `rows`."""
        hidden = _count_occurrences_in_sorted(self._hidden_macro_callees, rows)
        return np.maximum(self.stats.implied[rows] - hidden, 0.0)

    def measure_signed_row_distances_in_file(self, rows: Rows | Places) -> Places:
        """In rows of the file, from the target; `DISTANCE_IN_OTHER_FILES` in other files."""
        away = rows.astype(np.int64) - self.query.at
        away[rows > self.query.at] -= 1 if len(self.query.own) else 0
        return np.where(self.is_in_file[rows], away, DISTANCE_IN_OTHER_FILES)

    @cached_property
    def renamed_callees(self) -> RenamedCallees:
        """What the callees of functions with similar names, and of namesakes, would be called here."""
        same_name = self.query.same_name
        namesakes = same_name[self.visible[same_name]][:VOTERS_BY_NAME].astype(np.int64)
        voters = np.union1d(self.best_by_name, namesakes)
        return find_renamed_callees(
            self.tables, self.stats, self.query, voters, self.similarity.name_cosine, self.visible
        )

    def find_visible_rows_with_word(self, word_by_row: Rows, at_most_one_word: Places) -> Places:
        """The visible rows of which `word_by_row`, an array over all rows, has the word; none without one."""
        if not len(at_most_one_word):
            return np.zeros(0, dtype=np.int64)
        rows = self.tables.by_name.get_list(int(at_most_one_word[0]))
        found: Places = rows[(word_by_row[rows] == at_most_one_word[0]) & self.visible[rows]].astype(np.int64)
        return found

    def choose_best_voters(self, weight: Floats, most: int) -> Places:
        """The functions that may vote, of the greatest weight."""
        return keep_heaviest_rows_in_order(np.flatnonzero((weight > 0) & self.may_vote), weight, most)

    def count_votes_of_best_voters(self, weight: Floats, most: int) -> Vote:
        """The votes of the functions of the greatest weight."""
        voters = self.choose_best_voters(weight, most)
        return self.ballot.count_weighted_votes_of_callers(voters, weight[voters])

    def _weigh_siblings(self) -> Floats:
        """How much each function is the target's sibling."""
        # In place: what an array over all rows costs is mostly its memory.
        sibling = SiblingWeight.NAME * self.similarity.name_cosine
        spare = self.shared_type_rarity / SiblingWeight.TYPES_FULL
        np.minimum(spare, 1.0, out=spare)
        spare *= SiblingWeight.TYPES
        sibling += spare
        sibling[self.file_rows] += SiblingWeight.FILE
        sibling[self.folder_rows] += SiblingWeight.FOLDER
        sibling[self.scope_rows] += SiblingWeight.SCOPE
        sibling += np.multiply(self.similarity.doc, SiblingWeight.DOC, out=spare)
        return sibling

    def _mask_members_of_scopes_except_own(self, scopes: Rows) -> Mask:
        """The functions of these classes, but for those of the target's own."""
        rows = self.tables.members.gather_lists(sort_distinct(scopes))
        return make_mask(rows, len(self.visible)) & ~self.is_in_own_scope


def _count_occurrences_in_sorted(ascending: Rows, wanted: Rows) -> Places:
    found: Places = np.searchsorted(ascending, wanted, "right") - np.searchsorted(ascending, wanted, "left")
    return found


def _vote_in_file_by_nearness(e: Evidence) -> Vote:
    distance = np.abs(e.measure_signed_row_distances_in_file(e.file_rows))
    return e.ballot.count_weighted_votes_of_callers(e.file_rows, np.exp(-distance / FUNCTIONS_OF_NEAR_DECAY))


def _vote_of_closest_siblings(e: Evidence) -> Vote:
    best = keep_heaviest_rows_in_order(e.siblings, e.sibling_weight, CLOSEST_SIBLING_VOTERS)
    return e.ballot.count_weighted_votes_of_callers(best, e.sibling_weight[best])


def _find_rows_sharing_first_word(e: Evidence) -> Places:
    return e.find_visible_rows_with_word(e.stats.first, e.query.name[:1])


def _find_rows_sharing_last_word(e: Evidence) -> Places:
    return e.find_visible_rows_with_word(e.stats.last, e.query.name[-1:])


def _vote_of_file_functions_sharing_affix(e: Evidence) -> Vote:
    first, last = _find_rows_sharing_first_word(e), _find_rows_sharing_last_word(e)
    return e.ballot.count_equal_votes_of_callers(np.union1d(first[e.is_in_file[first]], last[e.is_in_file[last]]))


def _vote_of_callers_callees(e: Evidence) -> Vote:
    called = e.get_or_make_vote("callers")
    counts = (called.votes > 0) & e.visible[called.rows]
    return e.ballot.count_weighted_votes_of_callers(called.rows[counts], called.votes[counts])


VOTE_MAKERS: Mapping[str, Callable[[Evidence], Vote]] = {
    # All functions of the same file, the nearest ones weighing most.
    "file": lambda e: e.ballot.count_equal_votes_of_callers(e.file_rows),
    "near": _vote_in_file_by_nearness,
    "scope": lambda e: e.ballot.count_equal_votes_of_callers(e.scope_rows),
    "folder": lambda e: e.ballot.count_equal_votes_of_callers(e.folder_rows),
    # Functions with a similar name; the closest siblings; more of them, the closest ones weighing far more.
    "names": lambda e: e.ballot.count_weighted_votes_of_callers(
        e.best_by_name, e.similarity.name_cosine[e.best_by_name]
    ),
    "alike": _vote_of_closest_siblings,
    "more_alike": lambda e: e.ballot.count_weighted_votes_of_callers(e.siblings, e.sibling_weight[e.siblings] ** 2),
    # Functions with the same types, a similar docstring, the same name, the same first or last word.
    "types": lambda e: e.count_votes_of_best_voters(e.shared_type_rarity, VOTERS_BY_TYPES),
    "docs": lambda e: e.count_votes_of_best_voters(e.similarity.doc, VOTERS_BY_DOCSTRING),
    "namesakes": lambda e: e.ballot.count_equal_votes_of_callers(e.query.same_name),
    "first_word": lambda e: e.ballot.count_equal_votes_of_callers(_find_rows_sharing_first_word(e)),
    "last_word": lambda e: e.ballot.count_equal_votes_of_callers(_find_rows_sharing_last_word(e)),
    "file_words": _vote_of_file_functions_sharing_affix,
    # What the target's callers call; and what that calls in turn.
    "callers": lambda e: e.ballot.count_equal_votes_of_callers(e.callers),
    "cousins": _vote_of_callers_callees,
    # Functions with a word of the target's name, docstring or parameters, or a type that it takes.
    "name_words": lambda e: e.ballot.count_votes_of_words(
        e.tables.by_name, e.query.name, e.stats.name, MOST_FUNCTIONS_WITH_NAME_WORD
    ),
    "doc_words": lambda e: e.ballot.count_votes_of_words(
        e.tables.by_doc, e.query.doc, e.stats.doc, MOST_FUNCTIONS_WITH_CONTEXT_WORD
    ),
    "offered_words": lambda e: e.ballot.count_votes_of_words(
        e.tables.by_offered, e.query.offered, e.stats.name, MOST_FUNCTIONS_WITH_CONTEXT_WORD
    ),
    "types_taken": lambda e: e.ballot.count_votes_of_words(
        e.tables.by_takes, e.query.takes, e.stats.takes, MOST_FUNCTIONS_WITH_CONTEXT_WORD
    ),
}
