"""Compares a data set's text of a function with the repository's text at its span, and names the damage.

A problem is one of the data set. The gold that Graft splices is the repository's text, so damage only affects the
official exact match, which compares with the data set's text.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import count
from pathlib import Path

from executor.function.definition import split_definition
from executor.grading.exact_match import trim_line_ends_and_outer_blank_lines
from executor.tasks.task_row import TaskRow, join_span_lines, read_file_lines, require_span_inside_file
from executor.values import Level, OracleItem
from index.cpp.declarators import unqualified_name
from index.cpp.tokens import tokenize
from index.errors import TaskError
from index.values import Span

# An oracle item with a run of this share of the gold's body holds the gold. On bench-v0.8 the two bad entries hold all
# of it, and the next entry 0.30. The floor is for short bodies: `{ return 0; }` is everywhere.
_GOLD_SHARE = 0.5
_GOLD_FLOOR = 12


class Damage(StrEnum):
    """Kinds of problems, worst first."""

    NO_FILE = "no file"
    SPAN_OUTSIDE = "span outside the file"
    SPAN_SHIFTED = "span shifted"
    NAME_ABSENT = "name not in the header"
    HEADER_LOST = "first lines lost"
    DIRECTIVES_LOST = "preprocessor lines lost"
    TEXT_DIFFERS = "text differs"
    WHITE_SPACE = "white space differs"
    SIGNATURE_DIFFERS = "signature differs"
    ORACLE_HOLDS_GOLD = "oracle holds the gold"
    ORACLE_EMPTY = "oracle empty"


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of one task's row."""

    task_id: str
    kind: Damage
    detail: str

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.detail}"


def check_row(row: TaskRow, source_root: Path) -> list[Problem]:
    """All problems of a row; empty when the data set agrees with the tree. Never raises for a bad row."""
    if len(row.target.holes) > 1:
        found = [problem for single in row.rows_of_functions for problem in check_row(single, source_root)]
        return list(dict.fromkeys(found))
    try:
        lines = read_file_lines(row, source_root)
    except TaskError as error:
        return [Problem(row.id, Damage.NO_FILE, str(error))]
    try:
        require_span_inside_file(row, lines)
    except TaskError as error:
        return [Problem(row.id, Damage.SPAN_OUTSIDE, str(error))]
    return find_row_problems(row, lines)


def find_row_problems(row: TaskRow, lines: Sequence[str]) -> list[Problem]:
    """The same for a file that was read already. The span must lie inside `lines`."""
    gold = join_span_lines(lines, row.span)
    found = [] if row.dataset_gold is None else _find_text_problems(row, row.dataset_gold, gold, lines)
    found += _find_signature_problems(row, gold)
    for number, item in enumerate(row.oracle, start=1):
        if has_long_gold_run(item, gold, row.dataset_gold):
            found.append(Problem(row.id, Damage.ORACLE_HOLDS_GOLD, f"item {number} of {len(row.oracle)}"))
    if not row.oracle and row.level not in {Level.NONE, Level.STDLIB}:
        found.append(Problem(row.id, Damage.ORACLE_EMPTY, f"the level is {row.level.value}, yet no callee is given"))
    return found


def has_long_gold_run(item: OracleItem, gold: str, dataset_gold: str | None) -> bool:
    """Whether the item's text contains a long run of the gold's body, by either text of the gold."""
    held, held_runs = _read_tokens_and_short_run_hashes(item.text)
    for text in {gold, dataset_gold or gold}:
        body, runs = _read_tokens_and_short_run_hashes(text, is_definition=True)
        length = max(_GOLD_FLOOR, math.ceil(_GOLD_SHARE * len(body)))
        if not runs.isdisjoint(held_runs) and _has_common_run(body, held, length):
            return True
    return False


# Each item of a task of many functions is compared with each of its golds.
@lru_cache(maxsize=128)
def _read_tokens_and_short_run_hashes(
    text: str, *, is_definition: bool = False
) -> tuple[tuple[str, ...], frozenset[int]]:
    """The tokens of a text, of a definition those of its body, and hashes of all runs of `_GOLD_FLOOR` of them."""
    definition = split_definition(text) if is_definition else None
    tokens = tuple(tokenize(text if definition is None else definition.body))
    runs = frozenset(hash(tokens[at : at + _GOLD_FLOOR]) for at in range(len(tokens) - _GOLD_FLOOR + 1))
    return tokens, runs


def _has_common_run(one: Sequence[str], other: Sequence[str], length: int) -> bool:
    """Whether both hold the same `length` tokens, at least `_GOLD_FLOOR`, behind each other. A longer run is named by
    the numbers of the two shorter ones that cover it, so that long bodies of many like tokens, as tables are, cost
    little. Most pairs share not even the shortest."""
    width = _GOLD_FLOOR
    runs: list[Sequence[object]] = [
        [tuple(tokens[at : at + width]) for at in range(len(tokens) - width + 1)] for tokens in (one, other)
    ]
    while not set(runs[0]).isdisjoint(runs[1]):
        if width == length:
            return True
        step = min(width, length - width)
        numbers: dict[tuple[object, object], int] = {}
        runs = [[numbers.setdefault(pair, len(numbers)) for pair in zip(r, r[step:], strict=False)] for r in runs]
        width += step
    return False


def _find_text_problems(row: TaskRow, dataset_text: str, gold: str, lines: Sequence[str]) -> list[Problem]:
    theirs, ours = (trim_line_ends_and_outer_blank_lines(text).split("\n") for text in (dataset_text, gold))
    if theirs == ours:
        return []
    if "".join(dataset_text.split()) == "".join(gold.split()):
        return [Problem(row.id, Damage.WHITE_SPACE, "equal but for white space")]
    if theirs == [""]:
        return [Problem(row.id, Damage.TEXT_DIFFERS, "the data set's text is empty")]
    if shift := _find_nearest_line_shift_or_zero(theirs, lines, row.span):
        return [Problem(row.id, Damage.SPAN_SHIFTED, f"the data set's text stands {shift:+d} lines away")]
    lost, added = _find_lost_lines_and_count_added(ours, theirs)
    found = []
    head = next(number for number in count() if number not in lost)
    if head:
        found.append(Problem(row.id, Damage.HEADER_LOST, f"the first {head} of {len(ours)} lines are missing"))
    rest = [ours[number] for number in sorted(lost) if number >= head]
    directives = sum(line.lstrip().startswith("#") for line in rest)
    if directives:
        detail = f"{directives} directives and {len(rest) - directives} other lines are missing"
        found.append(Problem(row.id, Damage.DIRECTIVES_LOST, detail))
    if added or (rest and not directives):
        detail = f"{len(rest)} lines of the repository's are missing, {added} others stand in the data set"
        found.append(Problem(row.id, Damage.TEXT_DIFFERS, detail))
    return found


def _find_lost_lines_and_count_added(
    repository_lines: Sequence[str], dataset_lines: Sequence[str]
) -> tuple[set[int], int]:
    """Indexes of the lines that only `repository_lines` has, and how many lines only `dataset_lines` has."""
    lost: set[int] = set()
    added = 0
    matcher = difflib.SequenceMatcher(None, repository_lines, dataset_lines, autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag != "equal":
            lost.update(range(first, last))
            added += end - start
    return lost, added


def _find_nearest_line_shift_or_zero(dataset_lines: Sequence[str], lines: Sequence[str], span: Span) -> int:
    """How many lines away from the span the file contains the data set's text, by the nearest place; 0 when nowhere.

    A text that lost its first or last lines is inside the span, which is no shift.
    """
    bare = [line.rstrip() for line in lines]
    size = len(dataset_lines)
    places = [
        start
        for start in range(len(bare) - size + 1)
        if bare[start] == dataset_lines[0] and bare[start : start + size] == list(dataset_lines)
    ]
    shifts = [at + 1 - span.first for at in places if at + 1 < span.first or at + size > span.last]
    return min(shifts, key=abs, default=0)


def _find_signature_problems(row: TaskRow, gold: str) -> list[Problem]:
    definition = split_definition(gold)
    if definition is None:
        return [Problem(row.id, Damage.NAME_ABSENT, "no function body at the span")]
    header = tokenize(definition.header)
    if find_name_index_in_header(header, row.name) is None:
        simple = unqualified_name(row.name)
        return [Problem(row.id, Damage.NAME_ABSENT, f"{simple} is not in the lines before the body")]
    if tokenize(row.target.signature) != header:
        return [Problem(row.id, Damage.SIGNATURE_DIFFERS, "its tokens are not those of the repository's header")]
    return []


def find_name_index_in_header(header: Sequence[str], name: str) -> int | None:
    """The place among a header's tokens at which the function's unqualified name begins, which may be several of them
    (`operator==`, `~T`). None where it isn't there."""
    wanted = tokenize(unqualified_name(name))
    return next((at for at in range(len(header)) if list(header[at : at + len(wanted)]) == wanted), None)
