"""All that speaks for a function being called by the target, over all rows of a repository."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retrieval.structure.analogy import Analogy, analogy
from retrieval.structure.kernels import Likeness, Rarity, likeness
from retrieval.structure.question import Question, mask_of
from retrieval.structure.tables.lists import Floats, Mask, Places, Rows
from retrieval.structure.tables.tables import RankTables
from retrieval.structure.votes import Ballot, Vote, top

NEAR = 3.0
"""Functions between two functions of a file at which the nearer one's vote has lost two thirds of its weight."""
BY_NAME, ALIKE, MORE_ALIKE, BY_TYPES, BY_DOC = 30, 20, 100, 60, 30
"""Voters of each kind."""
COMMON_WORD, COMMON_CONTEXT = 2000, 400
"""Functions with a word of the name, or of the comment and parameters, above which the word says nothing."""


class AlikeBy:
    """What makes one function alike another as a whole. Only the order counts."""

    NAME = 1.0
    TYPES = 0.35
    TYPES_FULL = 8.0
    """Rarity of shared types that counts as full: one rare type, or two usual ones."""
    FILE = 0.3
    FOLDER = 0.1
    SCOPE = 0.2
    DOC = 0.03


class Evidence(NamedTuple):
    """Over rows. The votes are named for who votes; masks say what a row is to the target."""

    like: Likeness
    in_file: Mask
    in_folder: Mask
    own: Mask
    """Of the target's class or namespace."""
    inherited: Mask
    """Of a class that the target's inherits from."""
    fields: Places
    """The types of the fields of what the target takes and returns and of its class, without these types."""
    of_types: Mask
    """A method of a type that the target takes or returns."""
    of_fields: Mask
    """A method of the type of one of their fields."""
    candidate: Mask
    """Visible and callable from here."""
    counted: Mask
    """Its edges count."""
    callers: Rows
    """The target's own callers."""
    lost: Rows
    """The callees of what doesn't count, one for each edge, ascending."""
    not_implied: Rows
    """The same for what their macros call."""
    file_rows: Places
    """The definitions in the target's file."""
    at: int
    """Where the target stands among them, and whether it is one of them."""
    indexed: bool
    by_types: Floats
    """The rarity of the types that both take or return."""
    file: Vote
    near: Vote
    scope: Vote
    folder: Vote
    names: Vote
    alike: Vote
    more_alike: Vote
    types: Vote
    docs: Vote
    namesakes: Vote
    first_word: Vote
    last_word: Vote
    file_words: Vote
    callers_votes: Vote
    cousins: Vote
    """The callees of what the target's callers call."""
    by_name_words: Vote
    by_doc_words: Vote
    by_offered_words: Vote
    by_types_taken: Vote
    analogous: Analogy

    def called(self, rare: Rarity, rows: Rows) -> Floats:
        """The callers of `rows`, without what doesn't count."""
        return np.maximum(rare.called[rows] - _count(self.lost, rows), 0.0)

    def implied(self, rare: Rarity, rows: Rows) -> Floats:
        """The functions whose macros call `rows`, without what doesn't count."""
        return np.maximum(rare.implied[rows] - _count(self.not_implied, rows), 0.0)

    def distance(self, rows: Rows | Places) -> Places:
        """In rows of the file, from the target; `OUTSIDE` outside the file."""
        away = rows.astype(np.int64) - self.at
        away[rows > self.at] -= 1 if self.indexed else 0
        return np.where(self.in_file[rows], away, OUTSIDE)


OUTSIDE = 1000


def gather(tables: RankTables, rare: Rarity, q: Question, held_out: Rows) -> Evidence:
    """`held_out`: rows that neither vote nor stand for election; the rows that the target hides come on top."""
    size = len(tables.ids)
    gone = np.union1d(q.hidden, held_out)
    visible = ~mask_of(gone, size)
    begin, end = int(tables.first_row[q.file]), int(tables.first_row[q.file + 1])
    file_rows = np.arange(begin, end)
    in_file = np.zeros(size, dtype=bool)
    in_file[begin:end] = True
    folder_rows = tables.in_folder.of(int(tables.folder[q.file]))
    in_folder = mask_of(folder_rows, size)
    scope_rows = tables.members.of(q.scope) if q.scope >= 0 else np.zeros(0, dtype=np.int32)
    own = mask_of(scope_rows, size)
    own_types = _own_types(tables, q)
    fields = np.unique(tables.holds.gather(own_types)[0]).astype(np.int64)
    inherited = _members(tables, tables.bases.of(q.scope) if q.scope >= 0 else scope_rows, size) & ~own
    like = likeness(tables, rare, q)
    distance = file_rows - q.at
    distance[file_rows > q.at] -= 1 if len(q.own) else 0
    ballot = Ballot(tables, visible)
    calling = visible & rare.calls
    by_types = like.takes + like.gives
    # In place: what an array over all rows costs is mostly its memory.
    alike = AlikeBy.NAME * like.name_cosine
    spare = by_types / AlikeBy.TYPES_FULL
    np.minimum(spare, 1.0, out=spare)
    spare *= AlikeBy.TYPES
    alike += spare
    alike[begin:end] += AlikeBy.FILE
    alike[folder_rows] += AlikeBy.FOLDER
    alike[scope_rows] += AlikeBy.SCOPE
    alike += np.multiply(like.doc, AlikeBy.DOC, out=spare)
    near = np.exp(-np.abs(distance) / NEAR)
    first = _word(tables, rare.first, q.name[:1], visible)
    last = _word(tables, rare.last, q.name[-1:], visible)
    both = np.union1d(first[in_file[first]], last[in_file[last]])
    callers = np.unique(tables.callers.gather(q.own)[0])
    callers = callers[visible[callers]]
    callers_votes = ballot.all(callers)
    named = (callers_votes.votes > 0) & visible[callers_votes.rows]
    cousins = callers_votes.rows[named]
    lost, _ = tables.calls.gather(gone)
    not_implied, _ = tables.implied.gather(gone)

    def likest(weight: Floats, most: int) -> Places:
        return top(np.flatnonzero((weight > 0) & calling), weight, most)

    siblings = likest(like.name_cosine, BY_NAME)
    more = likest(alike, MORE_ALIKE)
    most = top(more, alike, ALIKE)
    namesakes = q.same_name[visible[q.same_name]][:BY_NAME].astype(np.int64)

    def voters(rows: Places, weight: Floats) -> Vote:
        return ballot.weighted(rows, weight[rows])

    return Evidence(
        like=like,
        in_file=in_file,
        in_folder=in_folder,
        own=own,
        inherited=inherited,
        fields=np.setdiff1d(fields, own_types),
        of_types=_members(tables, tables.type_scopes.gather(own_types)[0], size) & ~own,
        of_fields=_members(tables, tables.type_scopes.gather(fields)[0], size) & ~own,
        candidate=visible & (~tables.static | in_file),
        counted=visible,
        callers=callers,
        lost=np.sort(lost),
        not_implied=np.sort(not_implied),
        file_rows=file_rows,
        at=q.at,
        indexed=len(q.own) > 0,
        by_types=by_types,
        file=ballot.all(file_rows),
        near=ballot.weighted(file_rows, near),
        scope=ballot.all(scope_rows),
        folder=ballot.all(folder_rows),
        names=voters(siblings, like.name_cosine),
        alike=voters(most, alike),
        more_alike=ballot.weighted(more, alike[more] ** 2),
        types=voters(likest(by_types, BY_TYPES), by_types),
        docs=voters(likest(like.doc, BY_DOC), like.doc),
        namesakes=ballot.all(q.same_name),
        first_word=ballot.all(first),
        last_word=ballot.all(last),
        file_words=ballot.all(both),
        callers_votes=callers_votes,
        cousins=ballot.weighted(cousins, callers_votes.votes[named]),
        by_name_words=ballot.by_words(tables.by_name, q.name, rare.name, COMMON_WORD),
        by_doc_words=ballot.by_words(tables.by_doc, q.doc, rare.doc, COMMON_CONTEXT),
        by_offered_words=ballot.by_words(tables.by_offered, q.offered, rare.name, COMMON_CONTEXT),
        by_types_taken=ballot.by_words(tables.by_takes, q.takes, rare.takes, COMMON_CONTEXT),
        analogous=analogy(tables, rare, q, np.union1d(siblings, namesakes), like.name_cosine, visible),
    )


def _count(ascending: Rows, wanted: Rows) -> Places:
    """How often each of `wanted` is there."""
    found: Places = np.searchsorted(ascending, wanted, "right") - np.searchsorted(ascending, wanted, "left")
    return found


def _own_types(tables: RankTables, q: Question) -> Places:
    own = tables.scope_type[q.scope : q.scope + 1] if q.scope >= 0 else tables.scope_type[:0]
    return np.unique(np.concatenate([q.takes, q.gives, own[own >= 0]])).astype(np.int64)


def _members(tables: RankTables, scopes: Rows, size: int) -> Mask:
    return mask_of(tables.members.gather(np.unique(scopes))[0], size)


def _word(tables: RankTables, words: Rows, wanted: Places, visible: Mask) -> Places:
    """The visible rows whose first or last word, by `words`, is the one wanted."""
    if not len(wanted):
        return np.zeros(0, dtype=np.int64)
    rows = tables.by_name.of(int(wanted[0]))
    found: Places = rows[(words[rows] == wanted[0]) & visible[rows]].astype(np.int64)
    return found
