"""Lists plus tests: where each says that its behaviour is stated, and which ask for what no answer can know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from executor.function.definition import split_definition
from executor.repository.recipe import find_recipe, recipe_names
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.repository.suites import PlusSuite
from executor.tasks.datasets import load_rows, make_task_from_row, select_rows
from executor.tasks.row_rebinding import add_copies_for_rebinding_recipes, fill_item_paths_and_relocate_rows
from executor.values import Task
from index.source_text import decode_source

_QUOTE = re.compile(r'"([^"]+)"')
_SPACE_AND_STARS = re.compile(r"[\s*]+")
TaskTestAndDocReference = tuple[str, str, str]
SuiteAndTest = tuple[str, str]


def list_plus_tests_with_doc_references(
    dataset: str, repos: tuple[str, ...], tasks: tuple[str, ...], mirror: Path | None = None
) -> Iterator[TaskTestAndDocReference]:
    """Each plus test of the chosen tasks: the task's id, the test's name, where what it pins down is stated. Raises
    TaskError and RecipeError as loading does."""
    rows = select_rows(add_copies_for_rebinding_recipes(load_rows(dataset, mirror=mirror), repos), repos, tasks)
    known = {name: find_recipe(name) for name in {row.repository for row in rows} & set(recipe_names())}
    for row in rows:
        for suite in known[row.repository].list_plus_tests_of_task(row.id) if row.repository in known else ():
            yield from ((row.id, test, stated) for test, stated in suite.tests.items())


def find_plus_tests_quoting_hidden_text_and_count_all(
    dataset: str, repos: tuple[str, ...], tasks: tuple[str, ...], mirror: Path | None, cache: Path
) -> tuple[list[SuiteAndTest], int]:
    """The plus tests that quote hidden text alone in one of the chosen tasks, (suite, test) each; and how many tests
    these tasks have. Raises as loading and checking out a source do."""
    rows = select_rows(add_copies_for_rebinding_recipes(load_rows(dataset, mirror=mirror), repos), repos, tasks)
    found: dict[SuiteAndTest, bool] = {}
    for name in dict.fromkeys(row.repository for row in rows if row.repository in recipe_names()):
        recipe = find_recipe(name)
        mine = [row for row in rows if row.repository == name and recipe.list_plus_tests_of_task(row.id)]
        root = checkout_source(recipe, choose_mirror_folder(mirror), cache).root if mine else cache
        for row in fill_item_paths_and_relocate_rows(mine, recipe, root).rows if mine else ():
            suites = recipe.list_plus_tests_of_task(row.id)
            alone = set(list_tests_quoting_hidden_text_alone(make_task_from_row(row, root), suites, root))
            for key in ((suite.name, test) for suite in suites for test in suite.tests):
                found[key] = found.get(key, False) or key in alone
    return [key for key, alone in found.items() if alone], len(found)


def list_tests_quoting_hidden_text_alone(task: Task, suites: Sequence[PlusSuite], root: Path) -> list[SuiteAndTest]:
    """The tests, (suite, test) each, for which each statement of the head quotes a hidden body, and none of it stands
    elsewhere in the files of the task's functions, under `root`. Statements end with `;`. Raises OSError."""
    parts = [(gold, split_definition(gold)) for gold in task.golds]
    hidden = _join_lines_without_comment_stars(
        "\n".join(gold if found is None else found.body for gold, found in parts)
    )
    files = {hole.path for hole in task.target.holes}
    shown = _join_lines_without_comment_stars("\n".join(decode_source((root / path).read_bytes()) for path in files))
    for gold in task.golds:
        shown = shown.replace(_join_lines_without_comment_stars(gold), " ")

    def is_hidden(statement: str) -> bool:
        quotes = list(map(_join_lines_without_comment_stars, _QUOTE.findall(statement)))
        return bool(quotes) and all(quote in hidden and quote not in shown for quote in quotes)

    return [
        (suite.name, test)
        for suite in suites
        for test, stated in suite.tests.items()
        if all(map(is_hidden, _split_statements(stated)))
    ]


def _split_statements(stated: str) -> list[str]:
    """The statements of a test's head, split at each `;` outside quotes."""
    masked = _QUOTE.sub(lambda match: match.group().replace(";", ","), stated)
    ends = [match.start() for match in re.finditer(";", masked)]
    pieces = [stated[a:b] for a, b in zip([0, *(end + 1 for end in ends)], [*ends, len(stated)], strict=True)]
    return [piece for piece in pieces if piece.strip(" .")]


def _join_lines_without_comment_stars(text: str) -> str:
    """Without line breaks, and the stars of a comment's lines."""
    return _SPACE_AND_STARS.sub(" ", text).strip().lower()
