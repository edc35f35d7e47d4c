"""All names and all signatures of an index as two texts that are searched in milliseconds, whatever its size."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.cpp.declarators import last_name
from index.cpp.tokens import split_identifier
from index.hiding.view import HiddenView
from index.repo_index import RepoIndex
from index.values import Symbol, SymbolKind

# Of a query that fits half the repository so many lines are looked at; the best are among any of them.
_MOST_LINES = 4_000
# Symbols that are read for one answer: some 40 us each.
_MOST_ENTRIES = 500
_LEAST_CHARS = 2
_NEAR_CUTOFF = 60.0


class Lines(NamedTuple):
    """`text` is UTF-8, a line per item, held in memory (15 MB at LLVM's size): bytes are searched faster than a
    mapped file. `starts` are the lines' offsets, and the end; `ids` symbol ids, or empty."""

    text: bytes
    starts: npt.NDArray[np.int64]
    ids: npt.NDArray[np.int64]


class NameTable:
    """Made once per build of the index and kept in its folder; opening it maps files. It knows every name, hidden
    ones too: what leaves it goes through a view. Safe to share between threads."""

    def __init__(self, index: RepoIndex) -> None:
        self._index = index
        self._names = index.derived("tool-names", self._make_names, _load)
        self._lowered = index.derived("tool-names-lowered", self._make_lowered, _load)
        self._lasts = index.derived("tool-last-names", self._make_lasts, _load)
        self._lowered_lasts = index.derived("tool-last-names-lowered", self._make_lowered_lasts, _load)
        self._signatures = index.derived("tool-signatures", self._make_signatures, _load)
        _ = index.graph  # made here where it isn't yet, not in the middle of a conversation

    @cached_property
    def files(self) -> frozenset[str]:
        """The paths that a view can read."""
        return frozenset(one.path for one in self._index.files.values() if not one.reason)

    @cached_property
    def files_by_base(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for path in sorted(self.files):
            found.setdefault(PurePosixPath(path).name, []).append(path)
        return found

    def matching(self, view: HiddenView, query: str, limit: int) -> list[Symbol]:
        """Symbols whose qualified name holds the query, or all of its words; whole names first, then beginnings,
        then short ones. At most `limit`."""
        words = query.lower().split()
        if not words or max(map(len, words)) < _LEAST_CHARS:
            return []
        longest = max(words, key=len)
        numbers = _holding(self._lowered, longest)
        lowered = zip(numbers, _texts(self._lowered, numbers), strict=True)
        fitting = [number for number, text in lowered if all(word in text for word in words)]
        wanted = query.strip()
        low = wanted.lower()
        # Thousands may share an unqualified name (operator(), a constructor): each is read once.
        read: dict[str, dict[str, list[Symbol]]] = {}

        def named(last: str) -> dict[str, list[Symbol]]:
            if last not in read:
                read[last] = {}
                for one in view.named(last):
                    read[last].setdefault(one.qualified_name, []).append(one)
            return read[last]

        # A whole name counts even where half the repository's names hold it.
        names = {*named(last_name(wanted)), *_texts(self._names, fitting)}

        def rank(name: str) -> tuple[bool, bool, bool, int, str]:
            last = last_name(name)
            lowered = last.lower()
            return (wanted not in (name, last), lowered != low, not lowered.startswith(low), len(name), name)

        found: list[Symbol] = []
        for name in sorted(names, key=rank):
            found += named(last_name(name)).get(name, [])
            if len(found) >= limit:
                break
        return found[:limit]

    def nearest(self, view: HiddenView, name: str, limit: int) -> list[str]:
        """Qualified names of the view whose last part looks like that of `name`: those that share a beginning, an
        end or a word with it, by likeness."""
        from rapidfuzz import fuzz, process

        last = last_name(name)[:80]
        low = last.lower()
        parts = {part for part in split_identifier(last) if len(part) >= 4} | {low[:4], low[-5:]}
        numbers: set[int] = set()
        for part in parts:
            if len(part) >= _LEAST_CHARS:
                numbers.update(_holding(self._lowered_lasts, part))
        known = _texts(self._lasts, sorted(numbers))
        scored = process.extract(last, known, scorer=fuzz.ratio, limit=4 * limit, score_cutoff=_NEAR_CUTOFF)
        found: list[str] = []
        for near, _, _ in scored:
            found += sorted({one.qualified_name for one in view.named(near)})
            if len(found) >= limit:
                break
        return found[:limit]

    def with_type(self, view: HiddenView, name: str, limit: int) -> list[Symbol]:
        """Functions and prototypes whose signature names the type, as a whole word. At most `limit`."""
        if len(name) < _LEAST_CHARS:
            return []
        whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        numbers = _holding(self._signatures, name)
        texts = zip(numbers, _texts(self._signatures, numbers), strict=True)
        rows = [row for row, text in texts if whole.search(text)][:_MOST_ENTRIES]
        entries = self._index.entries_by_id([int(self._signatures.ids[row]) for row in rows])
        return [seen for entry in entries if (seen := view.seen(entry)) is not None][:limit]

    def _make_names(self, folder: Path) -> None:
        _save(folder, self._index.qualified_names(), ())

    def _make_lowered(self, folder: Path) -> None:
        _save(folder, [one.lower() for one in self._index.qualified_names()], ())

    def _make_lasts(self, folder: Path) -> None:
        _save(folder, _last_names(self._index), ())

    def _make_lowered_lasts(self, folder: Path) -> None:
        _save(folder, [one.lower() for one in _last_names(self._index)], ())

    def _make_signatures(self, folder: Path) -> None:
        rows = self._index.signatures((SymbolKind.FUNCTION, SymbolKind.PROTOTYPE))
        _save(folder, [" ".join(signature.split()) for _, signature in rows], [number for number, _ in rows])


def _last_names(index: RepoIndex) -> list[str]:
    return sorted(set(map(last_name, index.qualified_names())))


def _holding(lines: Lines, word: str) -> list[int]:
    """Numbers of the lines that hold `word`, in order; of very many the first."""
    text, sought = lines.text, word.encode("utf-8", "replace")
    found: list[int] = []
    at = text.find(sought)
    while at >= 0 and len(found) < _MOST_LINES:
        found.append(at)
        at = text.find(sought, text.find(b"\n", at))
    return (np.searchsorted(lines.starts, found, side="right") - 1).tolist()  # type: ignore[no-any-return]


def _texts(lines: Lines, numbers: Iterable[int]) -> list[str]:
    """The lines with these numbers, without their ends."""
    rows = np.fromiter(numbers, dtype=np.int64)
    places = zip(lines.starts[rows].tolist(), lines.starts[rows + 1].tolist(), strict=True)
    return [str(lines.text[start : end - 1], "utf-8", "replace") for start, end in places]


def _save(folder: Path, items: Sequence[str], ids: Sequence[int]) -> None:
    encoded = [one.replace("\n", " ").encode("utf-8", "replace") + b"\n" for one in items]
    starts = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(one) for one in encoded], out=starts[1:])
    np.save(folder / "text.npy", np.frombuffer(b"".join(encoded), dtype=np.uint8))
    np.save(folder / "starts.npy", starts)
    np.save(folder / "ids.npy", np.array(ids, dtype=np.int64))


def _load(folder: Path) -> Lines:
    starts, ids = (np.load(folder / f"{field}.npy", mmap_mode="r") for field in ("starts", "ids"))
    return Lines(np.load(folder / "text.npy").tobytes(), starts, ids)
