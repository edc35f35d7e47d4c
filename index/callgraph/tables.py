"""An index's rows as resolution asks for them: a whole tree's at once, or those of a name when it comes up."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from index.callgraph.resolution.names import Raw
from index.symbols.includes import by_base_name, resolve

if TYPE_CHECKING:
    from index.repo_index import RepoIndex

_COLUMNS = 'id, kind, file_id, name, qualified_name, start, "end", body, signature'
_ALL = f"SELECT {_COLUMNS} FROM symbols WHERE kind <> 'enumerator' ORDER BY id"
_NAMED = f"SELECT {_COLUMNS} FROM symbols WHERE name=? AND kind <> 'enumerator' ORDER BY id"
_OF_FILE = f"SELECT {_COLUMNS} FROM symbols WHERE file_id=? AND kind <> 'enumerator' ORDER BY id"
_CONVERSIONS = "SELECT DISTINCT name FROM symbols WHERE name >= 'operator ' AND name < 'operator!' AND name LIKE '%*'"


class Included:
    """Which file of the tree includes which. An include's lines are read when a file comes up."""

    def __init__(self, index: RepoIndex) -> None:
        self._index = index
        self.paths = {f.id: f.path for f in index.files.values() if not f.reason}
        self._numbers = {path: number for number, path in self.paths.items()}
        self._known = by_base_name(self.paths.values())
        self._meant: dict[tuple[str, str], int] = {}
        self._direct: dict[int, Sequence[int]] = {}
        self._size = max(self.paths, default=0) + 1

    def read_all(self) -> None:
        """Read the lines of all files at once."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for file, text in self._index.rows("SELECT file_id, text FROM includes ORDER BY file_id, at"):
            # A file that the parser gave up on has its includes stored, and no symbols that could see anything.
            if file in self.paths and (number := self._number(file, text)) >= 0:
                found[file].append(number)
        self._direct = {file: found.get(file, ()) for file in self.paths}

    def direct(self, file: int) -> Sequence[int]:
        """The files that a file includes itself."""
        found = self._direct.get(file)
        if found is None:
            rows = self._index.rows("SELECT text FROM includes WHERE file_id=? ORDER BY at", (file,))
            found = self._direct[file] = [n for (text,) in rows if (n := self._number(file, text)) >= 0]
        return found

    def _number(self, file: int, text: str) -> int:
        path = self.paths[file]
        key = (posixpath.dirname(path), text)
        number = self._meant.get(key)
        if number is None:
            meant = resolve(path, text, self._known)
            number = self._meant[key] = -1 if meant is None else self._numbers[meant]
        return number

    def visible(self, file: int) -> bytes:
        """See `Symbols`."""
        seen = bytearray(self._size)
        seen[file] = 1
        pending = [file]
        while pending:
            for other in self.direct(pending.pop()):
                if not seen[other]:
                    seen[other] = 1
                    pending.append(other)
        return bytes(seen)


class WholeTree:
    """All symbols of an index, read at once: half a million rows in a second or two."""

    def __init__(self, index: RepoIndex) -> None:
        self._included = Included(index)
        self._included.read_all()
        self.paths = self._included.paths
        self._named: defaultdict[str, list[Raw]] = defaultdict(list)
        self._in_file: defaultdict[int, list[Raw]] = defaultdict(list)
        named, in_file = self._named, self._in_file
        for row in index.rows(_ALL):
            named[row[3]].append(row)
            in_file[row[2]].append(row)
        self._masks = _closures({file: self._included.direct(file) for file in self.paths})
        self._size = (max(self.paths, default=0) >> 3) + 1

    def named(self, name: str) -> Sequence[Raw]:
        return self._named.get(name, ())

    def in_file(self, file: int) -> Sequence[Raw]:
        return self._in_file.get(file, ())

    def conversions(self) -> Iterable[str]:
        return [n for n in self._named if n.startswith("operator ") and n.endswith("*")]

    def visible(self, file: int) -> bytes:
        bits = np.frombuffer(self._masks[file].to_bytes(self._size, "little"), dtype=np.uint8)
        return np.unpackbits(bits, bitorder="little").tobytes()


class AskedFor:
    """The symbols of an index, each name's read when it is asked for."""

    def __init__(self, index: RepoIndex) -> None:
        self._index = index
        self._included = Included(index)
        self.paths = self._included.paths
        self._named: dict[str, list[Raw]] = {}
        self._in_file: dict[int, list[Raw]] = {}

    def named(self, name: str) -> Sequence[Raw]:
        found = self._named.get(name)
        if found is None:
            found = self._named[name] = self._index.rows(_NAMED, (name,))
        return found

    def in_file(self, file: int) -> Sequence[Raw]:
        found = self._in_file.get(file)
        if found is None:
            found = self._in_file[file] = self._index.rows(_OF_FILE, (file,))
        return found

    def conversions(self) -> Iterable[str]:
        return [name for (name,) in self._index.rows(_CONVERSIONS)]

    def visible(self, file: int) -> bytes:
        return self._included.visible(file)


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
