"""The symbols of a whole index as resolution reads them: by name, by file, and which file sees which."""

from __future__ import annotations

import posixpath
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from index.store.reader import IndexReader, SymbolColumns
from index.symbols.includes import by_base_name, resolve
from index.values import SymbolKind


class _PlainMacros:
    """The macros without parameters, as sorted columns: as rows the kernel's 2.6 million would fill a gigabyte."""

    def __init__(self, reader: IndexReader) -> None:
        columns = array("q")
        for number, file, name, start, end in reader.plain_macros():
            columns.extend((hash(name), number, file, start, end))
        unsorted = np.frombuffer(columns, dtype=np.int64).reshape(-1, 5)
        self._rows = unsorted[np.argsort(unsorted[:, 0], kind="stable")]
        self._hashes = np.ascontiguousarray(self._rows[:, 0])

    def named(self, name: str) -> list[SymbolColumns]:
        """Those of this name, by id."""
        wanted = hash(name)
        first, last = np.searchsorted(self._hashes, [wanted, wanted + 1])
        return [
            (number, SymbolKind.MACRO.value, file, name, name, start, end, -1, f"#define {name}")
            for _, number, file, start, end in self._rows[first:last].tolist()
        ]


class WholeTree:
    """All symbols of an index but enumerators, read at once: half a million rows in a second or two.

    `paths` are the files with symbols, by file id.
    """

    def __init__(self, reader: IndexReader) -> None:
        self.paths: Mapping[int, str] = {file.id: file.path for file in reader.source_files}
        self._named: defaultdict[str, list[SymbolColumns]] = defaultdict(list)
        self._in_file: defaultdict[int, list[SymbolColumns]] = defaultdict(list)
        named, in_file = self._named, self._in_file
        kinds: dict[str, str] = {}
        for number, kind, file, name, qualified, start, end, body, signature in reader.symbol_columns():
            same = named[name]
            # Equal texts are one object: the kernel has two million rows.
            name = same[0][3] if same else name
            qualified = name if qualified == name else qualified
            kind = kinds.setdefault(kind, kind)
            row = (number, kind, file, name, qualified, start, end, body, signature)
            same.append(row)
            in_file[file].append(row)
        self._plain_macros = _PlainMacros(reader)
        self._masks = _closures(_direct_includes(reader, self.paths))
        self._size = (max(self.paths, default=0) >> 3) + 1

    def named(self, name: str) -> Sequence[SymbolColumns]:
        """The symbols with this unqualified name."""
        found = self._named.get(name, ())
        macros = self._plain_macros.named(name)
        return [*found, *macros] if macros else found

    def in_file(self, file: int) -> Sequence[SymbolColumns]:
        """The symbols of a file in order of place, macros without parameters left out."""
        return self._in_file.get(file, ())

    def conversions(self) -> Iterable[str]:
        """The names of conversions to pointers: `operator T *`."""
        return [name for name in self._named if name.startswith("operator ") and name.endswith("*")]

    def visible(self, file: int) -> bytes:
        """By file id, 1 for `file` itself and for each file that it includes, directly or not."""
        bits = np.frombuffer(self._masks[file].to_bytes(self._size, "little"), dtype=np.uint8)
        return np.unpackbits(bits, bitorder="little").tobytes()


def _direct_includes(reader: IndexReader, paths: Mapping[int, str]) -> dict[int, Sequence[int]]:
    """The files that each file includes itself, by file id."""
    numbers = {path: number for number, path in paths.items()}
    known = by_base_name(paths.values())
    resolved: dict[tuple[str, str], int] = {}
    found: defaultdict[int, list[int]] = defaultdict(list)
    for file, text in reader.all_includes():
        # A file that the parser gave up on has its includes stored, and no symbols that could see anything.
        if (path := paths.get(file)) is None:
            continue
        key = (posixpath.dirname(path), text)
        number = resolved.get(key)
        if number is None:
            included = resolve(path, text, known)
            number = resolved[key] = -1 if included is None else numbers[included]
        if number >= 0:
            found[file].append(number)
    return {file: found.get(file, ()) for file in paths}


def _closures(direct: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """By file, a bit for itself and for each file that it includes, however far.

    By Tarjan's algorithm (1972), without recursion: files that include each other in a circle are one component,
    and a component is complete before any file outside that includes it. Each include is looked at once, so a
    tree with many circles (Boost's preprocessor headers) takes no longer than one with none.
    """
    masks: dict[int, int] = {}
    order: dict[int, int] = {}
    lowest: dict[int, int] = {}
    path: list[int] = []
    for first in direct:
        if first in order:
            continue
        order[first] = lowest[first] = len(order)
        path.append(first)
        pending = [(first, iter(direct[first]))]
        while pending:
            file, others = pending[-1]
            for other in others:
                if other not in order:
                    order[other] = lowest[other] = len(order)
                    path.append(other)
                    pending.append((other, iter(direct[other])))
                    break
                if other not in masks:
                    lowest[file] = min(lowest[file], order[other])
            else:
                pending.pop()
                if pending:
                    parent = pending[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[file])
                if lowest[file] == order[file]:
                    circle = [path.pop()]
                    while circle[-1] != file:
                        circle.append(path.pop())
                    mask = 0
                    for member in circle:
                        mask |= 1 << member
                        for other in direct[member]:
                            mask |= masks.get(other, 0)
                    masks.update(dict.fromkeys(circle, mask))
    return masks
