"""What two names share letter by letter: `dictAddRaw` begins with `dictAdd`; `RM_Alloc` and `zalloc` share nothing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retrieval.structure.tables.compressed_lists import Rows
from retrieval.structure.tables.rank_tables import RankTables


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


def compare_spelling(tables: RankTables, rows: Rows, spelled: bytes) -> Spelling:
    """Of the names of `rows` and the target's, `spelled` in lower case."""
    flat, owner = tables.spelled.gather_lists(rows)
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
