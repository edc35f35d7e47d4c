"""Clones by shape: functions elsewhere that give the target's body away but for names and literals.

Two bodies are laid beside each other as sequences of tokens in which every name is the same token, and so is every
literal. The similarity is the share of tokens that stand in the same order in both, and to a lesser part the share of
the target's names and literals that occur there, in whatever order. Shape alone says nothing in short bodies: every
constructor has the shape of every other. The figures behind the constants: docs/measured/twins.md.

An exact bound from counts of tokens leaves a few of 100,000 functions to be laid beside the target.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Indel

from index.hiding.body_tokens import KINDS, LITERAL, BodyTokens
from index.store.reader import IndexReader
from index.values import SymbolId

Integers = npt.NDArray[np.integer]

LEAST_SIMILARITY = 0.75
"""The least similarity of a clone."""
NAMES_WEIGHT = 0.4
"""What equal names and literals count beside the shape, which counts 1."""
LEAST_TARGET_TOKENS = 16
"""A shorter target has no clones by shape: below, half of all functions are alike (getters, wrappers, setters)."""

# A function that is so much shorter or longer can't reach SIMILAR, even if all names are equal.
_LEAST_SHAPE = LEAST_SIMILARITY * (1 + NAMES_WEIGHT) - NAMES_WEIGHT
_LEAST_LENGTH_RATIO = _LEAST_SHAPE / (2 - _LEAST_SHAPE)
_LEAST_STORED_TOKENS = int(LEAST_TARGET_TOKENS * _LEAST_LENGTH_RATIO)
_KINDS_BYTES = 2 * KINDS
_PAIR_BYTES = 4 + 2
_MOST_COUNT = 65_535


def encode_kind_and_name_counts_or_empty(tokens: BodyTokens) -> list[bytes]:
    """What an index stores of each body's shape: how many tokens of each kind, and its distinct names and literals
    with how often they stand there. b"" for a body that no target can be like."""
    spans = tokens.token_range_of_each_body
    sizes = np.array([end - start for start, end in spans], dtype=np.int64)
    owners = np.repeat(np.arange(len(spans)), sizes)
    counts = np.bincount(owners * KINDS + tokens.kinds, minlength=len(spans) * KINDS).reshape(-1, KINDS)
    kinds = counts.clip(max=_MOST_COUNT).astype(np.uint16)
    atoms = tokens.kinds <= LITERAL
    keys, times = np.unique(owners[atoms].astype(np.uint64) << np.uint64(32) | tokens.texts[atoms], return_counts=True)
    texts = (keys & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    often = times.clip(max=_MOST_COUNT).astype(np.uint16)
    ends = np.searchsorted(keys >> np.uint64(32), np.arange(len(spans) + 1))
    return [
        kinds[i].tobytes() + texts[a:b].tobytes() + often[a:b].tobytes() if sizes[i] >= _LEAST_STORED_TOKENS else b""
        for i, (a, b) in enumerate(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))
    ]


class ShapeTable(NamedTuple):
    """The shapes of all functions. A row is a function: `ids`, `sizes` (tokens, ascending), `kinds` (tokens of each
    kind). A name or literal of a row is an entry of `texts` (sorted), `rows` and `times` (how often it stands there).
    """

    ids: Integers
    sizes: Integers
    kinds: Integers
    texts: Integers
    rows: Integers
    times: Integers


def open_or_make_shape_table(reader: IndexReader) -> ShapeTable:
    """The table of an index, made at its first use for each state of it, then mapped into memory."""
    return reader.load_or_make_columns(
        "shapes", ShapeTable, lambda _: build_table_from_stored_shapes(reader.body_blobs("shape"))
    )


def build_table_from_stored_shapes(functions: Iterable[tuple[SymbolId, bytes]]) -> ShapeTable:
    """The table of functions, given as (id, stored shape)."""
    ids, pairs = array("i"), array("q")
    heads, all_texts, all_times = bytearray(), bytearray(), bytearray()
    for number, blob in functions:
        if blob:
            count = (len(blob) - _KINDS_BYTES) // _PAIR_BYTES
            cut = _KINDS_BYTES + 4 * count
            ids.append(number)
            pairs.append(count)
            heads += blob[:_KINDS_BYTES]
            all_texts += blob[_KINDS_BYTES:cut]
            all_times += blob[cut:]
    kinds = np.frombuffer(heads, dtype=np.uint16).reshape(-1, KINDS)
    sizes = kinds.sum(axis=1, dtype=np.int32)
    order = np.argsort(sizes, kind="stable")
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    texts = np.frombuffer(all_texts, dtype=np.uint32)
    times = np.frombuffer(all_times, dtype=np.uint16)
    rows = np.repeat(place, np.frombuffer(pairs, dtype=np.int64))
    by_text = np.argsort(texts, kind="stable")
    numbers = np.frombuffer(ids, dtype=np.int32)
    return ShapeTable(numbers[order], sizes[order], kinds[order], texts[by_text], rows[by_text], times[by_text])


def find_possible_clones(table: ShapeTable, body: BodyTokens) -> list[SymbolId]:
    """Ids of all functions whose similarity to the one body `body` may reach `LEAST_SIMILARITY`; none for a short
    body."""
    size = len(body.kinds)
    if size < LEAST_TARGET_TOKENS:
        return []
    sizes = [int(size * _LEAST_LENGTH_RATIO), int(size / _LEAST_LENGTH_RATIO) + 1]
    low, high = np.searchsorted(table.sizes, sizes).tolist()
    own = np.bincount(body.kinds, minlength=KINDS).clip(max=_MOST_COUNT).astype(np.uint16)
    # No order of the tokens can have more in common than their counts have.
    common = np.minimum(table.kinds[low:high], own).sum(axis=1, dtype=np.int32)
    shape = 2.0 * common / (size + table.sizes[low:high])
    names = _compute_name_share_upper_bounds(table, body, low, high)
    reach = (shape + NAMES_WEIGHT * names) / (1 + NAMES_WEIGHT)
    similar: list[int] = table.ids[low:high][reach >= LEAST_SIMILARITY - 1e-9].tolist()
    return similar


def _compute_name_share_upper_bounds(
    table: ShapeTable, body: BodyTokens, first_row: int, end_row: int
) -> npt.NDArray[np.float64]:
    """For the rows [low, high) the largest share of the body's names and literals that may be the same there."""
    atoms = body.texts[body.kinds <= LITERAL].astype(np.uint32)
    texts, often = np.unique(atoms, return_counts=True)
    left = np.searchsorted(table.texts, texts, "left").tolist()
    right = np.searchsorted(table.texts, texts, "right").tolist()
    rows = [table.rows[a:b] for a, b in zip(left, right, strict=True)]
    weights = [np.minimum(table.times[a:b], n) for a, b, n in zip(left, right, often.tolist(), strict=True)]
    if not rows:
        return np.zeros(end_row - first_row)
    joined, counted = np.concatenate(rows), np.concatenate(weights)
    inside = (joined >= first_row) & (joined < end_row)
    found = np.bincount(joined[inside] - first_row, counted[inside], minlength=end_row - first_row)
    return found / max(1, len(atoms))


def measure_shape_and_name_similarity(target: BodyTokens, other: BodyTokens) -> float:
    """How far the body `other` gives the body `target` away, from 0 to 1."""
    shape = Indel.normalized_similarity(abstract_names_and_literals(target), abstract_names_and_literals(other))
    ours, theirs = (Counter(body.texts[body.kinds <= LITERAL].tolist()) for body in (target, other))
    names = (ours & theirs).total() / max(1, ours.total())
    return (shape + NAMES_WEIGHT * names) / (1 + NAMES_WEIGHT)


def abstract_names_and_literals(body: BodyTokens) -> list[int]:
    """The tokens with all names made one token, and all literals another."""
    tokens: list[int] = np.where(body.kinds <= LITERAL, body.kinds, body.texts.astype(np.int64) + KINDS).tolist()
    return tokens
