"""The file that each oracle item stands in: YABLoCo's items name none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from executor.tasks.task_row import TaskRow
from executor.values import OracleItem
from index.source_text import decode_source
from index.symbols.source_files import find_source_paths, read_source


def fill_in_item_paths(rows: Sequence[TaskRow], root: Path) -> tuple[TaskRow, ...]:
    """The rows, with the file of each item that names none and whose whole text stands in one file of the tree; of
    several files it is the target's own, else none."""
    wanted = {item.text.strip("\n") for row in rows for item in row.oracle if not item.path and item.text.strip()}
    found = _find_files_by_text(wanted, root)

    def fill_in_one_item_path(row: TaskRow, item: OracleItem) -> OracleItem:
        paths = [] if item.path else found.get(item.text.strip("\n"), [])
        if row.path in paths:
            return replace(item, path=row.path)
        return replace(item, path=paths[0]) if len(paths) == 1 else item

    return tuple(replace(row, oracle=tuple(fill_in_one_item_path(row, item) for item in row.oracle)) for row in rows)


def _find_files_by_text(texts: Iterable[str], root: Path) -> dict[str, list[str]]:
    """The files of the tree that hold each of these texts on lines of its own."""
    by_line: dict[bytes, list[tuple[str, bytes]]] = {}
    for text in texts:
        data = text.encode("utf-8", "surrogateescape")
        by_line.setdefault(data.partition(b"\n")[0], []).append((text, data))
    found: dict[str, list[str]] = {}
    if by_line:
        for path in find_source_paths(root):
            try:
                data = _normalise_line_ends(read_source(str(root), path)[0])
            except OSError:
                continue
            for line in by_line.keys() & set(data.split(b"\n")):
                for text, wanted in by_line[line]:
                    if b"\n" + wanted + b"\n" in b"\n" + data + b"\n":
                        found.setdefault(text, []).append(path)
    return found


def read_text_on_same_lines(item: OracleItem, path: str, original_root: Path, root: Path) -> str | None:
    """The text that the tree `root` has on the lines of `path` where the original tree has the item's; None where
    that isn't one place. Lines of a variant keep their numbers."""
    try:
        before = _normalise_line_ends((original_root / item.path).read_bytes())
        now = _normalise_line_ends((root / path).read_bytes()).split(b"\n")
    except OSError:
        return None
    wanted = item.text.strip("\n").encode("utf-8", "surrogateescape")
    at = (b"\n" + before + b"\n").find(b"\n" + wanted + b"\n")
    if at < 0:
        return None
    first = before.count(b"\n", 0, at)
    return decode_source(b"\n".join(now[first : first + wanted.count(b"\n") + 1]))


def _normalise_line_ends(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")
