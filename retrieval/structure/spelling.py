"""How two names are spelled alike: `dictAddRaw` is made of `dictAdd`, `RM_Alloc` of `zalloc` isn't."""

from __future__ import annotations

import numpy as np

from retrieval.structure.tables.lists import Rows
from retrieval.structure.tables.tables import RankTables


def spellings(tables: RankTables, rows: Rows, spelled: bytes) -> dict[str, Rows]:
    """`prefix`: letters that the names begin with alike; `inside`: letters of the row's name when the target's
    holds it; `around`: letters of the target's name when the row's holds it; `same_spelling`."""
    flat, owner = tables.spelled.gather(rows)
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
    return {
        "prefix": prefix,
        "inside": np.array([len(n) if n in spelled else 0 for n in names], dtype=np.int32),
        "around": np.array([size if size and spelled in n else 0 for n in names], dtype=np.int32),
        "same_spelling": np.array([n == spelled for n in names], dtype=np.int32),
    }
