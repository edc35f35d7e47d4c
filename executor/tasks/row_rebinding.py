"""Binds a repository's tasks to another version of it, by the function's text, because its lines have moved.

The rule: the tokens of the data set's text (without comments and layout) occur exactly once in the file of the same
path, and their lines hold nothing else. A text that lost its first lines gets as many back as the data set counts.
All other tasks are left out, each with the reason.
"""

from __future__ import annotations

import bisect
import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from executor.function.definition import split_definition
from executor.repository.recipe import Recipe, find_recipe, recipe_names
from executor.tasks.oracle_items import fill_in_item_paths_by_text
from executor.tasks.row_check import find_name_index_in_header
from executor.tasks.task_row import TaskRow, join_span_lines, read_file_lines
from index.cpp.tokens import tokenize, tokenize_with_offsets
from index.errors import TaskError
from index.values import Span


@dataclass(frozen=True, slots=True)
class Rebound:
    """The bound rows. `excluded` pairs each row that can't be bound with the reason."""

    rows: tuple[TaskRow, ...]
    excluded: tuple[tuple[TaskRow, str], ...] = ()

    @property
    def exclusion_notes(self) -> tuple[str, ...]:
        """One line for each row that was left out."""
        return tuple(f"{row.repository}: {row.id} {row.name} left out: {why}" for row, why in self.excluded)


def add_copies_for_rebinding_recipes(rows: Sequence[TaskRow], names: Iterable[str]) -> tuple[TaskRow, ...]:
    """The rows and, for each of `names` whose recipe `rebinds` another repository, that repository's rows again under
    the recipe's name. They aren't bound yet: see `fill_item_paths_and_relocate_rows`."""
    known = {row.repository for row in rows}
    added: list[TaskRow] = []
    for name in dict.fromkeys(names):
        if name in known or name not in recipe_names():
            continue
        original = find_recipe(name).rebinds
        added += [replace(row, target=replace(row.target, repo=name)) for row in rows if row.repository == original]
    return (*rows, *added)


def fill_item_paths_and_relocate_rows(rows: Sequence[TaskRow], recipe: Recipe, source_root: Path) -> Rebound:
    """The recipe's rows with the files of their oracle items, and with their lines in this tree where the recipe
    rebinds another's."""
    mine = fill_in_item_paths_by_text([row for row in rows if row.repository == recipe.name], source_root)
    if recipe.rebinds is None:
        return Rebound(tuple(mine))
    found: list[TaskRow] = []
    excluded: list[tuple[TaskRow, str]] = []
    for row in mine:
        if recipe.covers and not any(fnmatch.fnmatchcase(row.path, pattern) for pattern in recipe.covers):
            excluded.append((row, f"recipe {recipe.name} builds no program from {row.path}"))
            continue
        try:
            span = find_span_of_dataset_gold(row, read_file_lines(row, source_root))
        except TaskError as error:
            excluded.append((row, str(error)))
            continue
        found.append(replace(row, target=replace(row.target, span=span)))
    return Rebound(tuple(found), tuple(excluded))


def find_span_of_dataset_gold(row: TaskRow, lines: Sequence[str]) -> Span:
    """The lines that hold the row's function. Raises TaskError with the reason when the rule finds none."""
    text = "".join(lines)
    placed = list(tokenize_with_offsets(text))
    words = [word for _, word in placed]
    wanted = tokenize(row.dataset_gold or "")
    places = _find_token_run_starts(words, wanted) if wanted else []
    if len(places) != 1:
        raise TaskError(
            f"its text stands {len(places)} times in {row.path}" if places else f"its text isn't in {row.path}"
        )
    first, last = places[0], places[0] + len(wanted) - 1
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    span = Span(bisect.bisect(starts, placed[first][0]), bisect.bisect(starts, placed[last][0]))
    if tokenize(join_span_lines(lines, span)) != wanted:
        raise TaskError(f"its lines {span.first}..{span.last} of {row.path} hold something else as well")
    # The data set lost the first lines of some texts, and its own count says how many.
    lost = row.span.last - row.span.first + 1 - len((row.dataset_gold or "").strip("\n").split("\n"))
    if lost > 0 and not _has_name_in_header(join_span_lines(lines, span), row.name):
        span = Span(span.first - lost, span.last)
    if not _has_name_in_header(join_span_lines(lines, span), row.name):
        raise TaskError(f"its lines {span.first}..{span.last} of {row.path} have no {row.name} before a body")
    return span


def _has_name_in_header(text: str, name: str) -> bool:
    parts = split_definition(text)
    return parts is not None and find_name_index_in_header(tokenize(parts.header), name) is not None


def _find_token_run_starts(words: Sequence[str], wanted: Sequence[str]) -> list[int]:
    size = len(wanted)
    starts = [at for at in range(len(words) - size + 1) if words[at] == wanted[0]]
    return [at for at in starts if words[at : at + size] == list(wanted)]
