"""What speaks for each function of a repository being called by the target, over all rows of the tables.

A property is computed when a signal or the pool first reads it. A new vote is one function of an `Evidence` and one
line in `VOTES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from retrieval.structure.evidence.analogy import Analogy, analogy
from retrieval.structure.evidence.similarity import Statistics, similarity_to
from retrieval.structure.evidence.votes import Ballot, Vote, heaviest
from retrieval.structure.tables.arrays import RankTables
from retrieval.structure.tables.lists import Floats, Mask, Places, Rows
from retrieval.structure.target_query import TargetQuery, mask_of

NEAR = 3.0
"""Functions between two functions of a file at which the nearer one's vote has lost two thirds of its weight."""
BY_NAME, ALIKE, MORE_ALIKE, BY_TYPES, BY_DOC = 30, 20, 100, 60, 30
"""Voters of each kind."""
COMMON_WORD, COMMON_CONTEXT = 2000, 400
"""Functions with a word of the name, or of the comment and parameters, above which the word doesn't vote."""
OUTSIDE = 1000
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
        self.visible: Mask = ~mask_of(self.gone, self.size)
        self.similarity = similarity_to(query, tables, stats)
        self.ballot = Ballot(tables, self.visible)
        self._votes: dict[str, Vote] = {}

    def vote(self, name: str) -> Vote:
        """The vote of that name in `VOTES`."""
        if name not in self._votes:
            self._votes[name] = VOTES[name](self)
        return self._votes[name]

    @cached_property
    def file_rows(self) -> Places:
        """The definitions in the target's file."""
        file = self.query.file
        return np.arange(int(self.tables.first_row[file]), int(self.tables.first_row[file + 1]))

    @cached_property
    def in_file(self) -> Mask:
        return mask_of(self.file_rows, self.size)

    @cached_property
    def folder_rows(self) -> Rows:
        return self.tables.in_folder.of(int(self.tables.folder[self.query.file]))

    @cached_property
    def in_folder(self) -> Mask:
        return mask_of(self.folder_rows, self.size)

    @cached_property
    def scope_rows(self) -> Rows:
        """The functions of the target's class or namespace."""
        scope = self.query.scope
        return self.tables.members.of(scope) if scope >= 0 else np.zeros(0, dtype=np.int32)

    @cached_property
    def own(self) -> Mask:
        """Of the target's class or namespace."""
        return mask_of(self.scope_rows, self.size)

    @cached_property
    def inherited(self) -> Mask:
        """Of a class that the target's inherits from."""
        scope = self.query.scope
        return self._others_of(self.tables.bases.of(scope) if scope >= 0 else np.zeros(0, dtype=np.int32))

    @cached_property
    def own_types(self) -> Places:
        """What the target takes and returns, and its class."""
        scope = self.query.scope
        own = self.tables.scope_type[scope : scope + 1] if scope >= 0 else self.tables.scope_type[:0]
        return np.unique(np.concatenate([self.query.takes, self.query.gives, own[own >= 0]])).astype(np.int64)

    @cached_property
    def field_types(self) -> Places:
        """The types of the fields of `own_types`."""
        return np.unique(self.tables.holds.gather(self.own_types)[0]).astype(np.int64)

    @cached_property
    def of_types(self) -> Mask:
        """A method of one of `own_types`."""
        return self._others_of(self.tables.type_scopes.gather(self.own_types)[0])

    @cached_property
    def of_fields(self) -> Mask:
        """A method of one of `field_types`."""
        return self._others_of(self.tables.type_scopes.gather(self.field_types)[0])

    @cached_property
    def candidate(self) -> Mask:
        """Visible, and can be called from the target's file."""
        return self.visible & (~self.tables.static | self.in_file)

    @cached_property
    def may_vote(self) -> Mask:
        """Visible, and calls something."""
        return self.visible & self.stats.calls

    @cached_property
    def callers(self) -> Rows:
        """The target's own callers."""
        callers = np.unique(self.tables.callers.gather(self.query.own)[0])
        return callers[self.visible[callers]]

    @cached_property
    def lost(self) -> Rows:
        """The callees of what isn't visible, one for each edge, ascending."""
        return np.sort(self.tables.calls.gather(self.gone)[0])

    @cached_property
    def not_implied(self) -> Rows:
        """The same for what their macros call."""
        return np.sort(self.tables.implied.gather(self.gone)[0])

    def called(self, rows: Rows) -> Floats:
        """The number of visible callers of each of `rows`."""
        return np.maximum(self.stats.called[rows] - _count(self.lost, rows), 0.0)

    def implied(self, rows: Rows) -> Floats:
        """The number of visible functions whose macros call each of `rows`."""
        return np.maximum(self.stats.implied[rows] - _count(self.not_implied, rows), 0.0)

    def distance(self, rows: Rows | Places) -> Places:
        """In rows of the file, from the target; `OUTSIDE` in other files."""
        away = rows.astype(np.int64) - self.query.at
        away[rows > self.query.at] -= 1 if len(self.query.own) else 0
        return np.where(self.in_file[rows], away, OUTSIDE)

    @cached_property
    def by_types(self) -> Floats:
        """The rarity of the types that both take or return."""
        return self.similarity.takes + self.similarity.gives

    @cached_property
    def sibling(self) -> Floats:
        """How much each function is the target's sibling."""
        # In place: what an array over all rows costs is mostly its memory.
        sibling = SiblingWeight.NAME * self.similarity.name_cosine
        spare = self.by_types / SiblingWeight.TYPES_FULL
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
        """The `MORE_ALIKE` greatest by `sibling`."""
        return self.best_voters(self.sibling, MORE_ALIKE)

    @cached_property
    def named_alike(self) -> Places:
        """The functions with the most similar names."""
        return self.best_voters(self.similarity.name_cosine, BY_NAME)

    @cached_property
    def first_word(self) -> Places:
        """The visible functions whose name begins with the same word."""
        return self._with_word(self.stats.first, self.query.name[:1])

    @cached_property
    def last_word(self) -> Places:
        """The visible functions whose name ends with the same word."""
        return self._with_word(self.stats.last, self.query.name[-1:])

    @cached_property
    def analogous(self) -> Analogy:
        """What the callees of functions with similar names, and of namesakes, would be called here."""
        same_name = self.query.same_name
        namesakes = same_name[self.visible[same_name]][:BY_NAME].astype(np.int64)
        voters = np.union1d(self.named_alike, namesakes)
        return analogy(self.tables, self.stats, self.query, voters, self.similarity.name_cosine, self.visible)

    def best_voters(self, weight: Floats, most: int) -> Places:
        """The functions that may vote, of the greatest weight."""
        return heaviest(np.flatnonzero((weight > 0) & self.may_vote), weight, most)

    def _others_of(self, scopes: Rows) -> Mask:
        """The functions of these classes, but for those of the target's own."""
        return mask_of(self.tables.members.gather(np.unique(scopes))[0], self.size) & ~self.own

    def _with_word(self, words: Rows, wanted: Places) -> Places:
        """The visible rows of which `words`, an array over all rows, has the word that is wanted."""
        if not len(wanted):
            return np.zeros(0, dtype=np.int64)
        rows = self.tables.by_name.of(int(wanted[0]))
        found: Places = rows[(words[rows] == wanted[0]) & self.visible[rows]].astype(np.int64)
        return found


def _count(ascending: Rows, wanted: Rows) -> Places:
    """How often each of `wanted` occurs."""
    found: Places = np.searchsorted(ascending, wanted, "right") - np.searchsorted(ascending, wanted, "left")
    return found


def _near(e: Evidence) -> Vote:
    return e.ballot.weighted(e.file_rows, np.exp(-np.abs(e.distance(e.file_rows)) / NEAR))


def _alike(e: Evidence) -> Vote:
    best = heaviest(e.siblings, e.sibling, ALIKE)
    return e.ballot.weighted(best, e.sibling[best])


def _types(e: Evidence) -> Vote:
    voters = e.best_voters(e.by_types, BY_TYPES)
    return e.ballot.weighted(voters, e.by_types[voters])


def _docs(e: Evidence) -> Vote:
    voters = e.best_voters(e.similarity.doc, BY_DOC)
    return e.ballot.weighted(voters, e.similarity.doc[voters])


def _file_words(e: Evidence) -> Vote:
    first, last = e.first_word, e.last_word
    return e.ballot.all(np.union1d(first[e.in_file[first]], last[e.in_file[last]]))


def _cousins(e: Evidence) -> Vote:
    called = e.vote("callers")
    counts = (called.votes > 0) & e.visible[called.rows]
    return e.ballot.weighted(called.rows[counts], called.votes[counts])


VOTES: Mapping[str, Callable[[Evidence], Vote]] = {
    # All functions of the same file, the nearest ones weighing most.
    "file": lambda e: e.ballot.all(e.file_rows),
    "near": _near,
    "scope": lambda e: e.ballot.all(e.scope_rows),
    "folder": lambda e: e.ballot.all(e.folder_rows),
    # Functions with a similar name; the closest siblings; more of them, the closest ones weighing far more.
    "names": lambda e: e.ballot.weighted(e.named_alike, e.similarity.name_cosine[e.named_alike]),
    "alike": _alike,
    "more_alike": lambda e: e.ballot.weighted(e.siblings, e.sibling[e.siblings] ** 2),
    # Functions with the same types, a similar docstring, the same name, the same first or last word.
    "types": _types,
    "docs": _docs,
    "namesakes": lambda e: e.ballot.all(e.query.same_name),
    "first_word": lambda e: e.ballot.all(e.first_word),
    "last_word": lambda e: e.ballot.all(e.last_word),
    "file_words": _file_words,
    # What the target's callers call; and what that calls in turn.
    "callers": lambda e: e.ballot.all(e.callers),
    "cousins": _cousins,
    # Functions with a word of the target's name, docstring or parameters, or a type that it takes.
    "name_words": lambda e: e.ballot.by_words(e.tables.by_name, e.query.name, e.stats.name, COMMON_WORD),
    "doc_words": lambda e: e.ballot.by_words(e.tables.by_doc, e.query.doc, e.stats.doc, COMMON_CONTEXT),
    "offered_words": lambda e: e.ballot.by_words(e.tables.by_offered, e.query.offered, e.stats.name, COMMON_CONTEXT),
    "types_taken": lambda e: e.ballot.by_words(e.tables.by_takes, e.query.takes, e.stats.takes, COMMON_CONTEXT),
}
