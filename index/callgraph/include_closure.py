"""Which file of a tree sees which: itself, and each file that it includes, directly or not."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from index.store.reader import IndexReader
from index.symbols.includes import find_nearest_included_path, group_paths_by_base_name


class IncludeClosure:
    """What each file sees. `direct` are the files that each file includes itself."""

    def __init__(self, direct: Mapping[int, Sequence[int]]) -> None:
        self._direct = direct
        self._masks = _compute_masks_of_included_files(direct)
        self._size = (max(direct, default=0) >> 3) + 1

    def mark_visible_files(self, file: int) -> bytes:
        """By file id, 1 for `file` and for each file that it sees."""
        mask = 1 << file | self._masks[file]
        for other in self._direct[file]:
            mask |= 1 << other | self._masks[other]
        bits = np.frombuffer(mask.to_bytes(self._size, "little"), dtype=np.uint8)
        return np.unpackbits(bits, bitorder="little").tobytes()


def resolve_direct_includes(reader: IndexReader, paths: Mapping[int, str]) -> dict[int, Sequence[int]]:
    """The files that each of the files `paths` includes itself, by file id."""
    numbers = {path: number for number, path in paths.items()}
    known = group_paths_by_base_name(paths.values())
    resolved: dict[tuple[str, str], int] = {}
    found: defaultdict[int, list[int]] = defaultdict(list)
    for file, text in reader.all_includes():
        # A file that the parser gave up on has its includes stored, and no symbols that could see anything.
        if (path := paths.get(file)) is None:
            continue
        key = (posixpath.dirname(path), text)
        number = resolved.get(key)
        if number is None:
            included = find_nearest_included_path(path, text, known)
            number = resolved[key] = -1 if included is None else numbers[included]
        if number >= 0:
            found[file].append(number)
    return {file: found.get(file, ()) for file in paths}


def _compute_masks_of_included_files(direct: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """By file, a bit for each file that it includes, however far. 0 for a file that no other includes, since that one
    is put together when it is asked for, and without its own bit: the kernel has 55,000 files, and a mask of theirs
    takes 7 KB.

    By Tarjan's algorithm (1972), without recursion: files that include each other in a circle are one component,
    and a component is complete before any file outside that includes it. Each include is looked at once, so a
    tree with many circles (Boost's preprocessor headers) takes no longer than one with none.
    """
    included = {other for others in direct.values() for other in others}
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
                    for member in circle if file in included else ():
                        for other in direct[member]:
                            mask |= 1 << other | masks.get(other, 0)
                    masks.update(dict.fromkeys(circle, mask))
    return masks
