"""The index as one target may see it: DESIGN.md's rule 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from index.holes import Hole, cut, line_bytes, touches
from index.values import Masking, Span, Symbol, SymbolKind, Target

if TYPE_CHECKING:
    from index.repo_index import Entry, RepoIndex


class HiddenView:
    """The repository without the target's body.

    A hidden body reads `{ /* body hidden */ }` in every text; signatures stay. A symbol whose definition is hidden
    (the target, in "strict" its clones, whatever lies in their bodies) is in no list; one that holds a hole (the
    class around a method) is, with the hole in its text. Nothing is copied from the index: a view costs
    milliseconds, and many live side by side.

    `clones` are the functions elsewhere whose body tells the target's: hidden in "strict", in "realistic" kept, to
    be counted. Texts are UTF-8; bytes that aren't are replaced.
    """

    def __init__(
        self,
        index: RepoIndex,
        target: Target,
        masking: Masking,
        clones: tuple[Symbol, ...],
        holes: Mapping[str, tuple[Hole, ...]],
    ) -> None:
        self.target = target
        self.masking = masking
        self.clones = clones
        self._index = index
        self._holes = holes

    def symbols(self, kind: SymbolKind) -> Sequence[Symbol]:
        """All symbols of a kind that can be seen, by path and place."""
        return [seen for e in self._index.entries(kind) if (seen := self.seen(e)) is not None]

    def seen(self, entry: Entry) -> Symbol | None:
        """The entry's symbol as this view shows it, or None when it is hidden."""
        holes = self._holes.get(entry.symbol.path)
        return entry.symbol if holes is None else _seen(entry, holes)

    @cached_property
    def touched(self) -> frozenset[int]:
        """Row ids of the symbols that a hole takes something of: those that are hidden, and those with a cut text.
        A ranker takes their statistics back."""
        return frozenset(
            e.id
            for path, holes in self._holes.items()
            for e in self._index.entries_of(path)
            if touches(e.doc, e.symbol.end_byte, holes)
        )

    def text(self, symbol: Symbol) -> str:
        """The symbol's text, docstring excluded, holes cut."""
        return self._cut(symbol.path, symbol.start_byte, symbol.end_byte)

    def file_text(self, path: str) -> str:
        """A whole file, holes cut. Raises TaskError for a path that isn't in `files()`."""
        return self._cut(path, 0, len(self._index.read(path)))

    def lines(self, path: str, span: Span) -> str:
        """Whole lines of a file, holes cut; the last line's end isn't there. Raises TaskError as `file_text`."""
        place = line_bytes(self._index.read(path), span)
        return self._cut(path, place.start, place.end)

    def symbols_of(self, path: str) -> Sequence[Symbol]:
        """All symbols of a file that can be seen, in order; none for a path that isn't in `files()`."""
        return [seen for e in self._index.entries_of(path) if (seen := self.seen(e)) is not None]

    def files(self) -> Sequence[str]:
        """The paths that can be read, sorted: those that were indexed."""
        return [f.path for f in self._index.files.values() if not f.reason]

    def calls(self, symbol: Symbol) -> tuple[str, ...]:
        """Names called in a function, as written, in order, each once; calls in a hole are not told."""
        holes = self._holes.get(symbol.path, ())
        seen = (name for at, name in self._index.calls_of(symbol) if not touches(at, at + 1, holes))
        return tuple(dict.fromkeys(seen))

    def _cut(self, path: str, start: int, end: int) -> str:
        data = self._index.read(path)
        return cut(data, start, end, self._holes.get(path, ())).decode("utf-8", "replace")


def _seen(entry: Entry, holes: Sequence[Hole]) -> Symbol | None:
    symbol = entry.symbol
    if not touches(entry.doc, symbol.end_byte, holes):
        return symbol
    start, end = symbol.start_byte, symbol.end_byte
    for hole in holes:
        if hole.start <= start < hole.end:
            return None  # it begins in the body
        if entry.body >= 0 and hole.start <= entry.body and end <= hole.end:
            return None  # its own body is the hole
        signature_end = entry.body if entry.body >= 0 else min(end, start + len(symbol.signature.encode()))
        if hole.start < signature_end and start < hole.end:
            return None  # the parser took the body for a signature
    if symbol.docstring and touches(entry.doc, start, holes):
        return replace(symbol, docstring="")
    return symbol
