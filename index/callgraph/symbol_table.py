"""The symbols of a whole index as resolution reads them: by name, by file, and which file sees which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from index.callgraph.include_closure import IncludeClosure, resolve_direct_includes
from index.store.reader import IndexReader, SymbolColumns
from index.values import FileId, SymbolKind

_Row = TypeVar("_Row")
_BLOCK_SYMBOLS = 1 << 15
"""Symbols whose texts are kept as one."""
_KINDS = tuple(kind.value for kind in SymbolKind)
_KIND_CODES = {kind: code for code, kind in enumerate(_KINDS)}
_ID, _FILE, _KIND = range(3)
_SYMBOL_COLUMNS = 10
"""Id, file, kind, start, end, body, and in the block's text where name, qualified name and signature begin and the
last ends."""
_MACRO_COLUMNS = 4
"""Id, file, start, end."""


class SymbolTable:
    """All symbols of an index but enumerators. They are kept as columns, and their texts joined; a symbol's row is
    made when it is asked for. As rows the kernel's five million would fill two gigabytes, and once more in a second
    process: whoever looks at a Python object writes to its page.

    `paths` are the files with symbols, by file id. `classes` are the names of types, `conversions` those of
    conversions to pointers: `operator T *`.
    """

    def __init__(self, reader: IndexReader) -> None:
        self.paths: Mapping[int, str] = {file.id: file.path for file in reader.source_files}
        self.classes: set[str] = set()
        self.conversions: set[str] = set()
        self._texts: list[str] = []
        columns = [np.zeros((0, _SYMBOL_COLUMNS), dtype=np.int32)]
        hashes = [np.zeros(0, dtype=np.int64)]
        for rows in _split_into_blocks(reader.iterate_symbols_for_call_graph()):
            ids, kinds, files, names, qualified, starts, ends, bodies, signatures = zip(*rows, strict=True)
            self.classes.update(n for n, kind in zip(names, kinds, strict=True) if kind == SymbolKind.TYPE.value)
            self.conversions.update(n for n in names if n.startswith("operator ") and n.endswith("*"))
            other = ("" if q == n else q for q, n in zip(qualified, names, strict=True))
            texts = list(chain.from_iterable(zip(names, other, signatures, strict=True)))
            self._texts.append("".join(texts))
            cuts = list(accumulate(map(len, texts), initial=0))
            codes = tuple(map(_KIND_CODES.__getitem__, kinds))
            found = (ids, files, codes, starts, ends, bodies, cuts[0:-1:3], cuts[1::3], cuts[2::3], cuts[3::3])
            columns.append(np.array(found, dtype=np.int32).T)
            hashes.append(np.fromiter(map(hash, names), np.int64, len(names)))
        macros = [np.zeros((0, _MACRO_COLUMNS), dtype=np.int32)]
        for plain in _split_into_blocks(reader.iterate_macros_without_parameters()):
            ids, files, names, starts, ends = zip(*plain, strict=True)
            macros.append(np.array((ids, files, starts, ends), dtype=np.int32).T)
            hashes.append(np.fromiter(map(hash, names), np.int64, len(names)))
        self._columns = np.concatenate(columns)
        self._macros = np.concatenate(macros)
        joined = np.concatenate(hashes)
        # Stable: those of one name in order of their ids, macros without parameters last.
        self._by_name = np.argsort(joined, kind="stable").astype(np.int32)
        self._hashes = joined[self._by_name]
        self._extents = _find_symbol_extents_by_file(self._columns[:, _FILE])
        self.mark_visible_files = IncludeClosure(resolve_direct_includes(reader, self.paths)).mark_visible_files

    def find_by_name(self, name: str) -> Sequence[SymbolColumns]:
        wanted = hash(name)
        first = int(self._hashes.searchsorted(wanted))
        if first == len(self._hashes) or self._hashes[first] != wanted:
            return ()
        positions = self._by_name[first : self._hashes.searchsorted(wanted, "right")]
        symbols = len(self._columns)
        split = int(positions.searchsorted(symbols))
        found = self._make_rows(positions[:split], name)
        for number, file, start, end in self._macros[positions[split:] - symbols].tolist():
            found.append((number, SymbolKind.MACRO.value, file, name, name, start, end, -1, f"#define {name}"))
        return found

    def find_in_file(self, file: int, kind: SymbolKind) -> Sequence[SymbolColumns]:
        """The symbols of a file and of one kind in order of place, macros without parameters left out."""
        first, last = self._extents.get(file, (0, 0))
        return self._make_rows(first + np.flatnonzero(self._columns[first:last, _KIND] == _KIND_CODES[kind.value]))

    def _make_rows(self, positions: npt.NDArray[np.integer], name: str = "") -> list[SymbolColumns]:
        """The rows at these positions, which have this name where one is given: one object then, not thousands."""
        found: list[SymbolColumns] = []
        rows = self._columns[positions].tolist()
        for position, (number, file, kind, start, end, body, a, b, c, d) in zip(positions.tolist(), rows, strict=True):
            text = self._texts[position // _BLOCK_SYMBOLS]
            own = name or text[a:b]
            found.append((number, _KINDS[kind], file, own, text[b:c] or own, start, end, body, text[c:d]))
        return found


def _split_into_blocks(rows: Iterator[_Row]) -> Iterator[list[_Row]]:
    while block := list(islice(rows, _BLOCK_SYMBOLS)):
        yield block


_RowRange = tuple[int, int]


def _find_symbol_extents_by_file(files: npt.NDArray[np.int32]) -> dict[FileId, _RowRange]:
    """Where each file's symbols are: they follow each other."""
    starts = np.flatnonzero(np.diff(files, prepend=-1))
    ends = [*starts[1:].tolist(), len(files)] if len(files) else []
    return dict(zip(files[starts].tolist(), zip(starts.tolist(), ends, strict=True), strict=True))
