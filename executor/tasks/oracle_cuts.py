"""The target's own text in an oracle item: YABLoCo joins pieces of files there, and some begin with the target."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from executor.function.definition import split_definition
from executor.tasks.row_check import has_long_gold_run
from executor.tasks.task_row import TaskRow
from executor.values import OracleItem
from index.cpp.tokens import tokenize, tokenize_with_offsets
from index.values import Target

_BETWEEN_PIECES = "\n\n\n"
_COUNT = re.compile(r"(\d+) oracle items (began|that hold)")


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
                text = cut_target_text(text, definition, hole.name)
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


def describe_cuts(notes: Iterable[Sequence[str]]) -> tuple[str, ...]:
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


def cut_target_text(text: str, definition: str, name: str) -> str:
    """An item's text without each run of tokens that is the header of the target `name` and goes on into its body, or
    that breaks off in the header with a piece of the item. A prototype stays: it says no more than the signature."""
    parts = split_definition(definition)
    header = [] if parts is None else tokenize(parts.header)
    called = name.rpartition("::")[2]
    if parts is None or called not in header:
        return text
    wanted = [*header, *tokenize(parts.body)]
    own = header.index(called)
    placed = list(tokenize_with_offsets(text))
    words = [word for _, word in placed]
    for place in range(len(words) - 2, -1, -1):
        if words[place : place + 2] != [called, "("]:
            continue
        # With another return type it is another class's function.
        if place < own or words[place - own : place] != header[:own]:
            continue
        size = _count_common_prefix_tokens(wanted[own:], words[place:])
        start, last = placed[place - own][0], placed[place + size - 1]
        end = last[0] + len(last[1])
        following = placed[place + size][0] if place + size < len(placed) else len(text)
        breaks_off = size > len([called, "(", ")"]) and _BETWEEN_PIECES in text[end:following]
        if own + size > len(header) or breaks_off:
            text = text[:start] + text[end:]
    return text


def _count_common_prefix_tokens(left: Sequence[str], right: Sequence[str]) -> int:
    """How many tokens two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))
