"""The index as the agent may see it for one target, with the bodies to write hidden (DESIGN.md, rule 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from index.callgraph.graph import drop_edges_with_hidden_witness
from index.callgraph.tree_resolution import open_or_make_call_graph
from index.hiding.copies import Copy
from index.hiding.holes import (
    NO_LINES,
    Hole,
    Lines,
    has_overlapping_hole,
    is_in_spans,
    locate_span_without_last_line_end,
    locate_spans_with_line_ends,
    replace_holes_by_placeholder,
)
from index.hiding.twins import Twin
from index.store.reader import IndexReader
from index.symbols.call_sites import CallSite
from index.symbols.includes import Include
from index.values import Entry, Masking, Span, Symbol, SymbolKind, Target

_INDIVISIBLE = frozenset({SymbolKind.GLOBAL, SymbolKind.FIELD, SymbolKind.ENUMERATOR, SymbolKind.PROTOTYPE})

_DOCUMENTED_BEHIND = frozenset({SymbolKind.GLOBAL, SymbolKind.FIELD, SymbolKind.ENUMERATOR})
_BEHIND = 120
"""Bytes behind a variable, in which the comment that documents it begins."""


class HiddenView:
    """The repository without the target's body, or the bodies of all of its functions.

    A hidden body reads `{ /* body hidden */ }` in every text; signatures stay. A symbol whose definition is hidden
    (the target, in "strict" masking its twins, and whatever lies in their bodies) is in no list. A symbol that only
    holds a hole, as the class around a hidden method, is listed, with the hole in its text. Nothing is copied from the
    index: a view costs milliseconds, and many can be used at once.

    `twins` are the functions elsewhere whose body gives the target's away: hidden in "strict" masking, kept and
    listed in "realistic". So are `copies`: places that are no function and hold its text. Texts are UTF-8; bytes that
    aren't are replaced.
    """

    def __init__(
        self,
        index: IndexReader,
        target: Target,
        masking: Masking,
        twins: tuple[Twin, ...],
        holes: Mapping[str, tuple[Hole, ...]],
        copies: tuple[Copy, ...] = (),
        left_out: Lines = NO_LINES,
    ) -> None:
        self.target = target
        self.masking = masking
        self.twins = twins
        self.copies = copies
        self._index = index
        self._holes = holes
        self._left_out = left_out
        self._left_out_bytes: dict[str, list[Hole]] = {}

    def retarget_to_hole(self, hole: Target) -> HiddenView:
        """The same view for one of the target's functions: all of their bodies stay hidden."""
        if hole == self.target:
            return self
        return HiddenView(self._index, hole, self.masking, self.twins, self._holes, self.copies, self._left_out)

    def leave_out_lines(self, lines: Lines) -> HiddenView:
        """The same view without these lines: they are in no text, and what begins in them is in no list. Numbers of
        lines stay those of the file."""
        return HiddenView(self._index, self.target, self.masking, self.twins, self._holes, self.copies, lines)

    @property
    def clones(self) -> tuple[Symbol, ...]:
        return tuple(twin.symbol for twin in self.twins)

    def symbols(self, kind: SymbolKind) -> Sequence[Symbol]:
        """All visible symbols of a kind, by path and place."""
        return self._list_visible_symbols(self._index.entries_of_kind(kind))

    def _list_visible_symbols(self, entries: Iterable[Entry]) -> list[Symbol]:
        return [seen for entry in entries if (seen := self.visible_symbol(entry)) is not None]

    def visible_symbol(self, entry: Entry) -> Symbol | None:
        """The entry's symbol as this view shows it, or None when it is hidden."""
        symbol = entry.symbol
        if self._left_out and self.is_left_out(symbol):
            return None
        holes = self._holes.get(symbol.path)
        return symbol if holes is None else _make_symbol_without_hidden_parts(entry, holes)

    def is_left_out(self, symbol: Symbol) -> bool:
        """Whether a symbol begins in lines that this view leaves out."""
        return is_in_spans(symbol.span.first, self._left_out.get(symbol.path, ()))

    @cached_property
    def ids_overlapping_holes(self) -> frozenset[int]:
        """Row ids of the symbols that a hole overlaps: the hidden ones, and those whose text is cut. Rankers leave out
        what they learned from them."""
        return frozenset(
            number
            for path, holes in self._holes.items()
            for number in find_ids_overlapping_holes(self._index, path, holes)
        )

    def has_hole(self, path: str) -> bool:
        return path in self._holes

    def text(self, symbol: Symbol) -> str:
        """The symbol's text, docstring excluded, holes cut."""
        return self._read_text_with_holes_replaced(symbol.path, symbol.start_byte, symbol.end_byte)

    def file_text(self, path: str) -> str:
        """A whole file, holes cut. Raises TaskError for a path that isn't in `files()`."""
        return self._read_text_with_holes_replaced(path, 0, len(self._index.read_file(path)))

    def cut_files_that_have_holes(self) -> dict[str, bytes]:
        """Each file in which something is hidden, by path: its bytes with the holes cut, and no other byte changed."""
        files = {path: self._index.read_file(path) for path in self._holes}
        return {
            path: replace_holes_by_placeholder(data, 0, len(data), self._holes[path]) for path, data in files.items()
        }

    def lines(self, path: str, span: Span) -> str:
        """Whole lines of a file, holes cut; the last line's end isn't there. Raises TaskError as `file_text`."""
        place = locate_span_without_last_line_end(self._index.read_file(path), span)
        return self._read_text_with_holes_replaced(path, place.start, place.end)

    def is_hidden_line(self, path: str, line: int) -> bool:
        """Whether a line of a file lies in a hole, in part at least; False for a path that isn't in `files()`."""
        holes = self._holes.get(path)
        if not holes:
            return False
        place = locate_span_without_last_line_end(self._index.read_file(path), Span(line, line))
        return has_overlapping_hole(place.start, max(place.end, place.start + 1), holes)

    def renumber_line_as_shown(self, path: str, line: int) -> int:
        """The number that a line on disk has in `file_text`. The line on disk would tell how long a body above it is
        that is hidden."""
        if path not in self._holes:
            return line
        data = self._index.read_file(path)
        start = locate_span_without_last_line_end(data, Span(line, line)).start
        return line + self._read_text_with_holes_replaced(path, 0, start).count("\n") - data.count(b"\n", 0, start)

    def symbols_in_file(self, path: str, kind: SymbolKind | None = None) -> Sequence[Symbol]:
        """The visible symbols of a file, all or of one kind, in order; none for a path that isn't in `files()`."""
        return self._list_visible_symbols(self._index.entries_in_file(path, kind))

    def files(self) -> Sequence[str]:
        """The paths that can be read, sorted: those that were indexed."""
        return [file.path for file in self._index.source_files]

    def symbols_named(self, name: str) -> list[Symbol]:
        """The visible symbols of every kind with this unqualified name, by path and place."""
        return self._list_visible_symbols(self._index.entries_named(name))

    def called_names(self, symbol: Symbol) -> tuple[str, ...]:
        """Names called in a function, as written, in order, each once; calls in a hole are left out."""
        sites = (s for s in self.call_sites(symbol) if s.form not in ("construct", "operator"))
        return tuple(dict.fromkeys(s.name for s in sites))

    def call_sites(self, caller: Symbol) -> list[CallSite]:
        """The calls in a function, in order, without those whose name or receiver overlaps a hole."""
        holes = self._holes.get(caller.path, ())
        sites = self._index.call_sites_with_ends(caller)
        return [site for site, end in sites if not has_overlapping_hole(site.at, max(end, site.at + 1), holes)]

    def callees(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """What a function calls by the call graph, in the order of its calls. Nothing for a function with a hole in
        it, and no edge that rests on an assignment in a hole."""
        number = self._find_id_or_minus_one(symbol)
        if number in self.ids_overlapping_holes:
            return ()
        edges = open_or_make_call_graph(self._index).edges_from(number)
        edges = drop_edges_with_hidden_witness(edges, self.ids_overlapping_holes)
        return tuple(self.read_visible_symbols(edges.ids.tolist()).values())

    def callers(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """The functions that call a symbol, by path and place, without those that have a hole in them."""
        return self._find_callers([self._find_id_or_minus_one(symbol)])

    def callers_of_target(self) -> tuple[Symbol, ...]:
        """The callers of the function to write, which is in no list itself: they aren't in its body."""
        asked = {(hole.name.rpartition("::")[2], hole.path) for hole in self.target.holes}
        hidden = [
            entry.id
            for entry in self._index.read_entries_sorted_by_place(sorted(self.ids_overlapping_holes))
            if (entry.symbol.name, entry.symbol.path) in asked
            and entry.body >= 0
            and has_overlapping_hole(entry.body, entry.body + 1, self._holes.get(entry.symbol.path, ()))
        ]
        return self._find_callers(hidden)

    def _find_callers(self, ids: Iterable[int]) -> tuple[Symbol, ...]:
        found: list[int] = []
        for number in ids:
            edges = open_or_make_call_graph(self._index).edges_to(number)
            edges = drop_edges_with_hidden_witness(edges, self.ids_overlapping_holes)
            found += (caller for caller in edges.ids.tolist() if caller not in self.ids_overlapping_holes)
        return tuple(sorted(self.read_visible_symbols(found).values(), key=lambda s: (s.path, s.start_byte)))

    def _find_id_or_minus_one(self, symbol: Symbol) -> int:
        return next(iter(self._index.find_symbol_ids(symbol)), -1)

    def read_visible_symbols(self, ids: Sequence[int]) -> dict[int, Symbol]:
        """The symbols with these row ids, in the order of the ids, each once; hidden ones are left out."""
        found = {e.id: self.visible_symbol(e) for e in self._index.read_entries_sorted_by_place(ids)}
        return {number: seen for number in ids if (seen := found.get(number)) is not None}

    def includes(self, path: str) -> tuple[str, ...]:
        """The files that a file includes itself, without includes in a hole."""
        return self._index.resolve_includes(path, self._visible_includes(path))

    def include_texts(self, path: str) -> tuple[str, ...]:
        """What a file includes, as written, in order, without includes in a hole."""
        return tuple(include.text for include in self._visible_includes(path))

    def _visible_includes(self, path: str) -> list[Include]:
        holes = self._holes.get(path, ())
        return [i for i in self._index.includes_with_places(path) if not has_overlapping_hole(i.at, i.at + 1, holes)]

    def _read_text_with_holes_replaced(self, path: str, start: int, end: int) -> str:
        data, holes = self._index.read_file(path), self._holes.get(path, ())
        pieces = []
        # A context reads many texts of one header: its lines are counted once.
        if path in self._left_out and path not in self._left_out_bytes:
            self._left_out_bytes[path] = locate_spans_with_line_ends(data, self._left_out[path])
        for gone in self._left_out_bytes.get(path, ()):
            if gone.end > start:
                pieces.append(replace_holes_by_placeholder(data, start, min(gone.start, end), holes))
                start = gone.end
        return b"".join((*pieces, replace_holes_by_placeholder(data, start, end, holes))).decode("utf-8", "replace")


def find_ids_overlapping_holes(index: IndexReader, path: str, holes: Sequence[Hole]) -> list[int]:
    """Row ids of a file's symbols, docstrings included, that a hole overlaps."""
    if not holes:
        return []
    # A file has a handful of holes and thousands of symbols: first those between the first hole and the last.
    start, end = min(hole.start for hole in holes), max(hole.end for hole in holes)
    return [
        number
        for number, doc, stop in index.list_extents_with_docstrings_overlapping(path, start, end)
        if has_overlapping_hole(doc, stop, holes)
    ]


def _make_symbol_without_hidden_parts(entry: Entry, holes: Sequence[Hole]) -> Symbol | None:
    symbol = entry.symbol
    start, end = symbol.start_byte, symbol.end_byte
    if symbol.kind in _DOCUMENTED_BEHIND and has_overlapping_hole(end, end + _BEHIND, holes):
        symbol = replace(symbol, docstring="")
    if not has_overlapping_hole(entry.doc, end, holes):
        return symbol
    for hole in holes:
        if hole.start <= start < hole.end:
            return None  # it begins in the hole
        if entry.body >= 0 and hole.start <= entry.body and end <= hole.end:
            return None  # its own body is the hole
        signature_end = entry.body if entry.body >= 0 else min(end, start + len(symbol.signature.encode()))
        if hole.start < signature_end and start < hole.end:
            return None  # the parser took the body for a signature
        if symbol.kind in _INDIVISIBLE and hole.start < end and start < hole.end:
            return None  # nothing tells the rest of it from what is hidden
    if symbol.docstring and has_overlapping_hole(entry.doc, start, holes):
        return replace(symbol, docstring="")
    return symbol
