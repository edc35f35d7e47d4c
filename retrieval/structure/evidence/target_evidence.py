"""What speaks for each function of a repository being called by the target, over all rows of the tables.

A property is computed when a signal or the pool first reads it. A new vote is one function of an `Evidence` and one
line in `VOTES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from retrieval.structure.evidence.callee_votes import Ballot, Vote, choose_heaviest
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
        self.tables = tables
        self.stats = stats
        self.query = query
        self.size = len(tables.ids)
        self.gone = np.union1d(query.hidden, held_out)
        self.visible: Mask = ~make_mask(self.gone, self.size)
        self.similarity = measure_similarity(query, tables, stats)
        self.ballot = Ballot(tables, self.visible)
        self._votes: dict[str, Vote] = {}

    def find_vote(self, name: str) -> Vote:
        """The vote of that name in `VOTES`."""
        if name not in self._votes:
            self._votes[name] = VOTE_MAKERS[name](self)
        return self._votes[name]

    @cached_property
    def file_rows(self) -> Places:
        """The definitions in the target's file."""
        file = self.query.file
        return np.arange(int(self.tables.first_row[file]), int(self.tables.first_row[file + 1]))

    @cached_property
    def is_in_file(self) -> Mask:
        return make_mask(self.file_rows, self.size)

    @cached_property
    def folder_rows(self) -> Rows:
        return self.tables.in_folder.get_list(int(self.tables.folder[self.query.file]))

    @cached_property
    def is_in_folder(self) -> Mask:
        return make_mask(self.folder_rows, self.size)

    @cached_property
    def scope_rows(self) -> Rows:
        """The functions of the target's class or namespace."""
        scope = self.query.scope
        return self.tables.members.get_list(scope) if scope >= 0 else np.zeros(0, dtype=np.int32)

    @cached_property
    def is_in_own_scope(self) -> Mask:
        """Of the target's class or namespace."""
        return make_mask(self.scope_rows, self.size)

    @cached_property
    def is_inherited(self) -> Mask:
        """Of a class that the target's inherits from."""
        scope = self.query.scope
        return self._mask_other_members(
            self.tables.bases.get_list(scope) if scope >= 0 else np.zeros(0, dtype=np.int32)
        )

    @cached_property
    def own_types(self) -> Places:
        """What the target takes and returns, and its class."""
        scope = self.query.scope
        own = self.tables.scope_type[scope : scope + 1] if scope >= 0 else self.tables.scope_type[:0]
        return np.unique(np.concatenate([self.query.takes, self.query.gives, own[own >= 0]])).astype(np.int64)

    @cached_property
    def field_types(self) -> Places:
        """The types of the fields of `own_types`."""
        return np.unique(self.tables.holds.gather_lists(self.own_types)[0]).astype(np.int64)

    @cached_property
    def is_method_of_own_type(self) -> Mask:
        """A method of one of `own_types`."""
        return self._mask_other_members(self.tables.type_scopes.gather_lists(self.own_types)[0])

    @cached_property
    def is_method_of_field_type(self) -> Mask:
        """A method of one of `field_types`."""
        return self._mask_other_members(self.tables.type_scopes.gather_lists(self.field_types)[0])

    @cached_property
    def can_be_called(self) -> Mask:
        """Visible, and can be called from the target's file."""
        return self.visible & (~self.tables.static | self.is_in_file)

    @cached_property
    def may_vote(self) -> Mask:
        """Visible, and calls something."""
        return self.visible & self.stats.calls

    @cached_property
    def callers(self) -> Rows:
        """The target's own callers."""
        callers = np.unique(self.tables.callers.gather_lists(self.query.own)[0])
        return callers[self.visible[callers]]

    @cached_property
    def hidden_callees(self) -> Rows:
        """The callees of what isn't visible, one for each edge, ascending."""
        return np.sort(self.tables.calls.gather_lists(self.gone)[0])

    @cached_property
    def hidden_macro_callees(self) -> Rows:
        """The same for what their macros call."""
        return np.sort(self.tables.implied.gather_lists(self.gone)[0])

    def count_visible_callers(self, rows: Rows) -> Floats:
        """The number of visible callers of each of `rows`."""
        return np.maximum(self.stats.called[rows] - _count_occurrences(self.hidden_callees, rows), 0.0)

    def count_visible_macro_callers(self, rows: Rows) -> Floats:
        """The number of visible functions whose macros call each of `rows`."""
        return np.maximum(self.stats.implied[rows] - _count_occurrences(self.hidden_macro_callees, rows), 0.0)

    def measure_distance(self, rows: Rows | Places) -> Places:
        """In rows of the file, from the target; `DISTANCE_IN_OTHER_FILES` in other files."""
        away = rows.astype(np.int64) - self.query.at
        away[rows > self.query.at] -= 1 if len(self.query.own) else 0
        return np.where(self.is_in_file[rows], away, DISTANCE_IN_OTHER_FILES)

    @cached_property
    def shared_type_rarity(self) -> Floats:
        """The rarity of the types that both take or return."""
        return self.similarity.takes + self.similarity.gives

    @cached_property
    def sibling_weight(self) -> Floats:
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

    @cached_property
    def siblings(self) -> Places:
        """The `SIBLING_VOTERS` greatest by `sibling_weight`."""
        return self.choose_best_voters(self.sibling_weight, SIBLING_VOTERS)

    @cached_property
    def best_by_name(self) -> Places:
        """The functions with the most similar names."""
        return self.choose_best_voters(self.similarity.name_cosine, VOTERS_BY_NAME)

    @cached_property
    def rows_with_first_word(self) -> Places:
        """The visible functions whose name begins with the same word."""
        return self._find_rows_with_word(self.stats.first, self.query.name[:1])

    @cached_property
    def rows_with_last_word(self) -> Places:
        """The visible functions whose name ends with the same word."""
        return self._find_rows_with_word(self.stats.last, self.query.name[-1:])

    @cached_property
    def renamed_callees(self) -> RenamedCallees:
        """What the callees of functions with similar names, and of namesakes, would be called here."""
        same_name = self.query.same_name
        namesakes = same_name[self.visible[same_name]][:VOTERS_BY_NAME].astype(np.int64)
        voters = np.union1d(self.best_by_name, namesakes)
        return find_renamed_callees(
            self.tables, self.stats, self.query, voters, self.similarity.name_cosine, self.visible
        )

    def choose_best_voters(self, weight: Floats, most: int) -> Places:
        """The functions that may vote, of the greatest weight."""
        return choose_heaviest(np.flatnonzero((weight > 0) & self.may_vote), weight, most)

    def _mask_other_members(self, scopes: Rows) -> Mask:
        """The functions of these classes, but for those of the target's own."""
        return make_mask(self.tables.members.gather_lists(np.unique(scopes))[0], self.size) & ~self.is_in_own_scope

    def _find_rows_with_word(self, words: Rows, wanted: Places) -> Places:
        """The visible rows of which `words`, an array over all rows, has the word that is wanted."""
        if not len(wanted):
            return np.zeros(0, dtype=np.int64)
        rows = self.tables.by_name.get_list(int(wanted[0]))
        found: Places = rows[(words[rows] == wanted[0]) & self.visible[rows]].astype(np.int64)
        return found


def _count_occurrences(ascending: Rows, wanted: Rows) -> Places:
    """How often each of `wanted` occurs."""
    found: Places = np.searchsorted(ascending, wanted, "right") - np.searchsorted(ascending, wanted, "left")
    return found


def _vote_of_nearest(e: Evidence) -> Vote:
    return e.ballot.count_weighted_votes(
        e.file_rows, np.exp(-np.abs(e.measure_distance(e.file_rows)) / FUNCTIONS_OF_NEAR_DECAY)
    )


def _vote_of_closest_siblings(e: Evidence) -> Vote:
    best = choose_heaviest(e.siblings, e.sibling_weight, CLOSEST_SIBLING_VOTERS)
    return e.ballot.count_weighted_votes(best, e.sibling_weight[best])


def _vote_of_same_types(e: Evidence) -> Vote:
    voters = e.choose_best_voters(e.shared_type_rarity, VOTERS_BY_TYPES)
    return e.ballot.count_weighted_votes(voters, e.shared_type_rarity[voters])


def _vote_of_similar_docstrings(e: Evidence) -> Vote:
    voters = e.choose_best_voters(e.similarity.doc, VOTERS_BY_DOCSTRING)
    return e.ballot.count_weighted_votes(voters, e.similarity.doc[voters])


def _vote_of_file_with_same_words(e: Evidence) -> Vote:
    first, last = e.rows_with_first_word, e.rows_with_last_word
    return e.ballot.count_equal_votes(np.union1d(first[e.is_in_file[first]], last[e.is_in_file[last]]))


def _vote_of_callers_callees(e: Evidence) -> Vote:
    called = e.find_vote("callers")
    counts = (called.votes > 0) & e.visible[called.rows]
    return e.ballot.count_weighted_votes(called.rows[counts], called.votes[counts])


VOTE_MAKERS: Mapping[str, Callable[[Evidence], Vote]] = {
    # All functions of the same file, the nearest ones weighing most.
    "file": lambda e: e.ballot.count_equal_votes(e.file_rows),
    "near": _vote_of_nearest,
    "scope": lambda e: e.ballot.count_equal_votes(e.scope_rows),
    "folder": lambda e: e.ballot.count_equal_votes(e.folder_rows),
    # Functions with a similar name; the closest siblings; more of them, the closest ones weighing far more.
    "names": lambda e: e.ballot.count_weighted_votes(e.best_by_name, e.similarity.name_cosine[e.best_by_name]),
    "alike": _vote_of_closest_siblings,
    "more_alike": lambda e: e.ballot.count_weighted_votes(e.siblings, e.sibling_weight[e.siblings] ** 2),
    # Functions with the same types, a similar docstring, the same name, the same first or last word.
    "types": _vote_of_same_types,
    "docs": _vote_of_similar_docstrings,
    "namesakes": lambda e: e.ballot.count_equal_votes(e.query.same_name),
    "first_word": lambda e: e.ballot.count_equal_votes(e.rows_with_first_word),
    "last_word": lambda e: e.ballot.count_equal_votes(e.rows_with_last_word),
    "file_words": _vote_of_file_with_same_words,
    # What the target's callers call; and what that calls in turn.
    "callers": lambda e: e.ballot.count_equal_votes(e.callers),
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
