"""All names and all signatures of an index as two texts that are searched in milliseconds, whatever its size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agent.header import last_segment
from index.ctokens import split_identifier
from index.repo_index import RepoIndex
from index.values import Symbol, SymbolKind
from index.view import HiddenView

# Of a query that fits half the repository so many places are looked at; the best are among any of them.
_MOST_PLACES = 4_000
_LEAST_CHARS = 2
_NEAR_CUTOFF = 60.0


class Lines(NamedTuple):
    """`text` is UTF-8, a line per item; `starts` the lines' offsets, and the end; `ids` symbol ids, or empty."""

    text: npt.NDArray[np.uint8]
    starts: npt.NDArray[np.int64]
    ids: npt.NDArray[np.int64]


class NameTable:
    """Made once per build of the index and kept in its folder; opening it maps files. It knows every name, hidden
    ones too: what leaves it goes through a view. Safe to share between threads."""

    def __init__(self, index: RepoIndex) -> None:
        self._index = index
        self._names = index.derived("tool-names", self._make_names, _load)
        self._lowered = index.derived("tool-names-lowered", self._make_lowered, _load)
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
        names = {
            self._line(self._names, number)
            for number in self._places(self._lowered, longest.encode("utf-8", "replace"))
            if all(word in self._line(self._lowered, number) for word in words)
        }
        wanted = query.strip()

        def rank(name: str) -> tuple[bool, bool, bool, int, str]:
            last = last_segment(name)
            low = wanted.lower()
            return (
                wanted not in (name, last),
                last.lower() != low,
                not last.lower().startswith(low),
                len(name),
                name,
            )

        found: list[Symbol] = []
        for name in sorted(names, key=rank):
            found += [one for one in view.named(last_segment(name)) if one.qualified_name == name]
            if len(found) >= limit:
                break
        return found[:limit]

    def nearest(self, view: HiddenView, name: str, limit: int) -> list[str]:
        """Qualified names of the view that look like `name`: those that share a beginning, an end or a word with
        it, by likeness."""
        from rapidfuzz import fuzz, process

        last = last_segment(name)[:80]
        low = last.lower()
        parts = {part for part in split_identifier(last) if len(part) >= 4} | {low[:4], low[-5:]}
        candidates: dict[str, None] = {}
        for part in sorted(parts, key=len, reverse=True):
            if len(part) >= _LEAST_CHARS:
                for number in self._places(self._lowered, part.encode("utf-8", "replace")):
                    candidates[self._line(self._names, number)] = None
        lasts: dict[str, list[str]] = {}
        for one in candidates:
            lasts.setdefault(last_segment(one), []).append(one)
        scored = process.extract(last, list(lasts), scorer=fuzz.ratio, limit=4 * limit, score_cutoff=_NEAR_CUTOFF)
        found: list[str] = []
        for near, _, _ in scored:
            visible = {one.qualified_name for one in view.named(near)}
            found += [one for one in lasts[near] if one in visible]
            if len(found) >= limit:
                break
        return found[:limit]

    def with_type(self, view: HiddenView, name: str, limit: int) -> list[Symbol]:
        """Functions and prototypes whose signature names the type, as a whole word. At most `limit`."""
        word = name.encode("utf-8", "replace")
        if len(word) < _LEAST_CHARS:
            return []
        whole = re.compile(rb"(?<![\w])" + re.escape(word) + rb"(?!\w)")
        rows = [
            row for row in self._places(self._signatures, word) if whole.search(self._bytes(self._signatures, row))
        ]
        entries = self._index.entries_by_id([int(self._signatures.ids[row]) for row in rows])
        return [seen for entry in entries if (seen := view.seen(entry)) is not None][:limit]

    def _places(self, lines: Lines, word: bytes) -> Iterator[int]:
        """Numbers of the lines that hold `word`, in order, each once."""
        text: Any = lines.text.data  # the mapped file itself, not a copy
        last = -1
        for number, match in enumerate(re.finditer(re.escape(word), text)):
            if number >= _MOST_PLACES:
                return
            line = int(np.searchsorted(lines.starts, match.start(), side="right")) - 1
            if line != last:
                last = line
                yield line

    def _line(self, lines: Lines, number: int) -> str:
        return self._bytes(lines, number).decode("utf-8", "replace")

    def _bytes(self, lines: Lines, number: int) -> bytes:
        return bytes(lines.text[lines.starts[number] : lines.starts[number + 1] - 1])

    def _make_names(self, folder: Path) -> None:
        _save(folder, self._index.qualified_names(), ())

    def _make_lowered(self, folder: Path) -> None:
        _save(folder, [one.lower() for one in self._index.qualified_names()], ())

    def _make_signatures(self, folder: Path) -> None:
        rows = self._index.signatures((SymbolKind.FUNCTION, SymbolKind.PROTOTYPE))
        _save(folder, [" ".join(signature.split()) for _, signature in rows], [number for number, _ in rows])


def _save(folder: Path, items: Sequence[str], ids: Sequence[int]) -> None:
    encoded = [one.replace("\n", " ").encode("utf-8", "replace") + b"\n" for one in items]
    starts = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(one) for one in encoded], out=starts[1:])
    np.save(folder / "text.npy", np.frombuffer(b"".join(encoded), dtype=np.uint8))
    np.save(folder / "starts.npy", starts)
    np.save(folder / "ids.npy", np.array(ids, dtype=np.int64))


def _load(folder: Path) -> Lines:
    return Lines(*(np.load(folder / f"{field}.npy", mmap_mode="r") for field in Lines._fields))
