"""Finds many byte runs in many files at once: one pass over a file, however many runs are sought."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

_WORD = 8
# A place is looked at closely when the first and the last of its first words are those of a run, by a hash of so many
# bits: a larger table leaves the processor's cache.
_WORDS, _BITS = 4, 20
_FACTORS = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
# So many bytes at once stay in the processor's cache.
_STEP = 1 << 16
# Padding and zeros give nothing away, and stand everywhere.
_LEAST_VALUES = 5


class RunSearch:
    """Counts where runs stand. Those of fewer than five different bytes are left out."""

    def __init__(self, runs: Iterable[bytes]) -> None:
        self._long: dict[int, set[bytes]] = defaultdict(set)
        self._short: list[bytes] = []
        for run in {run for run in runs if len(set(run)) >= _LEAST_VALUES}:
            if len(run) < _WORD * _WORDS:
                self._short.append(run)
            else:
                self._long[len(run)].add(run)
        self._table = np.zeros(1 << _BITS, dtype=bool)
        for run in (run for found in self._long.values() for run in found):
            self._table[_hash_places(run, 0)[0]] = True

    def seeks(self, run: bytes) -> bool:
        """Whether the run is one of those that are counted."""
        return run in self._short or run in self._long[len(run)]

    def count_runs(self, data: bytes) -> Counter[bytes]:
        """At how many places of the data each run begins; runs that stand nowhere are missing."""
        found: Counter[bytes] = Counter({run: n for run in self._short if (n := data.count(run))})
        if not self._long:
            return found
        for start in range(0, len(data), _STEP):
            piece = data[start : start + _STEP + _WORD * _WORDS - 1]
            for shift in range(min(_WORD, len(piece))):
                for at in np.flatnonzero(self._table[_hash_places(piece, shift)]).tolist():
                    place = start + shift + _WORD * at
                    for length, runs in self._long.items():
                        if (run := data[place : place + length]) in runs:
                            found[run] += 1
        return found


def _hash_places(data: bytes, shift: int) -> NDArray[np.uint64]:
    """Of each eighth place, from `shift` on, a number that the bytes from there give."""
    words = np.frombuffer(data, dtype="<u8", offset=shift, count=(len(data) - shift) // _WORD)
    if len(words) < _WORDS:
        return np.zeros(0, dtype=np.uint64)
    mixed = words[: 1 - _WORDS] * _FACTORS[0]
    mixed ^= words[_WORDS - 1 :]
    mixed *= _FACTORS[1]
    mixed >>= np.uint64(64 - _BITS)
    return mixed
