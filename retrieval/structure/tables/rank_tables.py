"""What the ranking retrievers know of a repository: arrays over its functions and files, mapped from disk.

A *row* is a function that can be called: every definition, by path and place, then every declared function that the
tree doesn't define. Only the edges (`calls` with what stands beside it, `callers`, `implied`) and `lines` depend on
what a body holds. Both are taken back for whatever a target hides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from retrieval.structure.tables.compressed_lists import Lists, Mask, Rows
from retrieval.structure.tables.vocabulary import Hashes

TABLES_FOLDER = "rank-tables-5"
"""Name of the arrays in the index's folder. It changes with what is in them."""

Shares = npt.NDArray[np.float32]


class RankTables(NamedTuple):
    """Arrays and lists over rows, unless a field says otherwise; `table_building.make_rank_tables` makes them."""

    ids: Rows
    """Symbol ids."""
    row_of: Rows
    """Over symbol ids: the row, or -1."""
    file: Rows
    """Number of the file, in order of path."""
    line: Rows
    """First line of the definition, from 1."""
    lines: Rows
    """Number of lines of the definition, 0 for a declaration. Depends on the body."""
    static: Mask
    """Whether other files can't call it."""
    defined: Mask
    """Whether the tree defines it."""
    parameters: Rows
    """Number of parameters."""
    result: Rows
    """Number in `kinds` of the type that it returns."""
    scope: Rows
    """Number of the class or namespace, -1 for none."""

    calls: Lists
    """Rows that its body calls; not what a macro in it calls, nor calls through pointers."""
    weights: Shares
    """Confidence of each edge in `calls`."""
    turns: Rows
    """Which of its caller's callees each edge in `calls` leads to, in the order in which they are first called."""
    callers: Lists
    """The inverse of `calls`."""
    implied: Lists
    """Rows that the macros in its body call."""
    outside: Rows
    """How often its name stands outside all bodies (tables of functions, macros), declarations not counted."""

    words: Hashes
    """The vocabulary of names, comments and parameters."""
    name: Lists
    """Words of the name, in order."""
    by_name: Lists
    doc: Lists
    """Words of the documentation comment."""
    by_doc: Lists
    by_offered: Lists
    """Over words: the rows whose parameters, by name or type, have it."""
    spelled: Lists
    """Bytes of the name in lower case."""
    name_hash: Hashes
    """Hashes of the names as written, sorted."""
    name_row: Rows
    """The row of each of `name_hash`."""
    words_key: Hashes
    """Sums of the hashes of each name's words (`vocabulary.sum_hashes_of_lists`), sorted."""
    words_row: Rows
    """The row of each of `words_key`."""

    types: Hashes
    """The vocabulary of the repository's types."""
    takes: Lists
    """Types of the parameters."""
    by_takes: Lists
    gives: Lists
    """Types in the result."""
    by_gives: Lists
    holds: Lists
    """Over types: the types of its fields."""
    kinds: Hashes
    """The vocabulary of types as parameters and results spell them, pointers told from values."""
    kind: Lists
    """The kind of each parameter."""
    argument: Lists
    """The parameters' names, numbered in `words`."""

    scopes: Hashes
    """Hashes of the classes and namespaces, sorted."""
    members: Lists
    """Over scopes: its rows."""
    bases: Lists
    """Over scopes: itself and the classes that it inherits from."""
    scope_type: Rows
    """Over scopes: the type of that name, or -1."""
    type_scopes: Lists
    """Over types: the scopes of that name."""

    first_row: Rows
    """Over files: `first_row[f]` to `first_row[f + 1]` are the definitions in file f."""
    folder: Rows
    """Over files: number of its folder."""
    in_folder: Lists
    """Over folders: its definitions."""
    area: Rows
    """Over files: number of the first two folders of its path."""
    test: Mask
    """Over files: whether it is test code."""
    header: Mask
    """Over files: whether it is a header."""
    includes: Lists
    """Over files: the files that it includes."""
    declared: Lists
    """The files that declare it, beside the one that defines it."""
