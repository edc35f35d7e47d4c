"""A row's oracle items: the file that each stands in, which YABLoCo doesn't name, and the target's own text in some of
them, since YABLoCo joins pieces of files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from executor.function.definition import split_definition
from executor.tasks.row_check import find_name_index_in_header, has_long_gold_run
from executor.tasks.task_row import TaskRow
from executor.values import OracleItem
from index.cpp.declarators import unqualified_name
from index.cpp.tokens import tokenize, tokenize_with_offsets
from index.source_text import decode_source
from index.symbols.source_files import find_source_paths, read_source_or_skip_reason
from index.values import Target

_BETWEEN_PIECES = "\n\n\n"
_COUNT = re.compile(r"(\d+) oracle items (began|that hold)")


def fill_in_item_paths_by_text(rows: Sequence[TaskRow], root: Path) -> tuple[TaskRow, ...]:
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
                data = _replace_crlf_by_lf(read_source_or_skip_reason(str(root), path)[0])
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
        before = _replace_crlf_by_lf((original_root / item.path).read_bytes())
        now = _replace_crlf_by_lf((root / path).read_bytes()).split(b"\n")
    except OSError:
        return None
    wanted = item.text.strip("\n").encode("utf-8", "surrogateescape")
    at = (b"\n" + before + b"\n").find(b"\n" + wanted + b"\n")
    if at < 0:
        return None
    first = before.count(b"\n", 0, at)
    return decode_source(b"\n".join(now[first : first + wanted.count(b"\n") + 1]))


def _replace_crlf_by_lf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def cut_targets_from_oracle(
    row: TaskRow, golds: Sequence[str], holes: Sequence[Target]
) -> tuple[tuple[OracleItem, ...], list[str]]:
    """The row's oracle without the text of its targets, given with their golds, and notes that count what was cut.
    Items that hold a gold all the same are left out."""
    kept: list[OracleItem] = []
    cut = dropped = 0
    for item in row.oracle:
        text = item.text
        for gold, hole in zip(golds, holes, strict=True):
            for definition in {gold, row.dataset_gold or gold}:
                text = cut_target_definition(text, definition, hole.name)
        rest = item if text == item.text else replace(item, text=text.strip("\n"))
        if not text.strip() or any(has_long_gold_run(rest, gold, row.dataset_gold) for gold in golds):
            dropped += 1
        else:
            cut += rest != item
            kept.append(rest)
    shown = "" if row.oracle_text is None else "; the row's own context, which prompts in MERA's form show, keeps them"
    notes = []
    if cut:
        notes.append(f"{cut} oracle items began with the target's own text, which was cut{shown}")
    if dropped:
        notes.append(f"{dropped} oracle items that hold the gold were dropped{shown}")
    return tuple(kept), notes


def summarise_oracle_cuts(notes: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """A line that counts what `cut_targets_from_oracle` noted of these tasks' oracles; none where it noted nothing."""
    counts = {"began": 0, "that hold": 0}
    having = 0
    for lines in notes:
        found = [match for line in lines if (match := _COUNT.match(line))]
        having += bool(found)
        for match in found:
            counts[match[2]] += int(match[1])
    if not having:
        return ()
    return (
        f"the oracle of {having} tasks held the target's own text: {counts['began']} items were cut,"
        f" {counts['that hold']} dropped",
    )


def cut_target_definition(text: str, definition: str, name: str) -> str:
    """An item's text without each run of tokens that is the header of the target `name` and goes on into its body, or
    that breaks off in the header with a piece of the item. A prototype stays: it says no more than the signature."""
    called = tokenize(unqualified_name(name))
    parts = split_definition(definition) if all(word in text for word in called) else None
    header = [] if parts is None else tokenize(parts.header)
    own = find_name_index_in_header(header, name)
    if parts is None or own is None:
        return text
    wanted = [*header, *tokenize(parts.body)]
    placed = list(tokenize_with_offsets(text))
    words = [word for _, word in placed]
    for place in range(len(words) - len(called) - 1, -1, -1):
        if words[place : place + len(called) + 1] != [*called, "("]:
            continue
        # With another return type it is another class's function.
        if place < own or words[place - own : place] != header[:own]:
            continue
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(wanted[own:], words[place:], strict=False))
        size = sum(1 for _ in alike)
        start, last = placed[place - own][0], placed[place + size - 1]
        end = last[0] + len(last[1])
        following = placed[place + size][0] if place + size < len(placed) else len(text)
        breaks_off = size > len([*called, "(", ")"]) and _BETWEEN_PIECES in text[end:following]
        if own + size > len(header) or breaks_off:
            text = text[:start] + text[end:]
    return text
