"""Graft's own further tests in a variant's names: the same behaviours, asked of the renamed functions."""

from __future__ import annotations

from executor.manifest.variant.renamed_files import rename_files_in_prose
from executor.manifest.variant.renamed_tasks import rename_code_and_files
from executor.manifest.variant.values import VariantRecord
from executor.repository.recipe import Recipe
from executor.repository.suites import PlusSuite
from index.cpp.language import is_source


def rename_plus_tests(recipe: Recipe, record: VariantRecord) -> Recipe:
    """The recipe with all plus tests in the variant's names. Names of tests stay, as literals do; so does what is
    written in another language than C and C++."""
    return recipe.model_copy(
        update={"plus_suites": tuple(_rename_plus_test(suite, record) for suite in recipe.plus_suites)}
    )


def _rename_plus_test(suite: PlusSuite, record: VariantRecord) -> PlusSuite:
    files = {
        path: rename_code_and_files(text, record) if is_source(path) else text for path, text in suite.files.items()
    }
    lines = tuple(rename_files_in_prose(line, record.paths) for line in suite.build)
    return suite.model_copy(update={"files": files, "build": lines})


def keep_proved_plus_tests(recipe: Recipe, record: VariantRecord) -> Recipe:
    """The recipe with the renamed plus tests of the tasks for which the variant's proof saw them hold; without others,
    which grade nothing there."""
    proved = set(record.proof.plus_tasks if record.proof else ())
    kept = [
        suite.model_copy(update={"tasks": tasks})
        for suite in rename_plus_tests(recipe, record).plus_suites
        if (tasks := tuple(task for task in suite.tasks if task in proved))
    ]
    return recipe.model_copy(update={"plus_suites": tuple(kept)})
