"""The baseline of the suites that only `suite=official` runs."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

from executor.repository.baseline import Baseline, baseline_path, join_baselines, read_baseline_filling_ignored_tests
from executor.repository.baseline_measurement import BaselineMeasurement, MeasuredTree
from executor.repository.images import Image, image_folder
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree
from executor.sandbox.contract import Backend

log = logging.getLogger(__name__)


def add_official_expectations_measuring_if_needed(
    image: Image, source: SourceTree, backend: Backend, cache: Path
) -> Image:
    """The image with the expectations of its recipe's official suites as well. They are measured unless that was done
    before, which takes as long as these suites, once for each round. Raises as `build_image` does."""
    if not image.recipe.official:
        return image
    recipe = _keep_only_official_suites(image.recipe)
    folder = image_folder(cache, backend, image.key)
    path = baseline_path(folder, recipe)
    if not path.is_file():
        names = " and ".join(suite.name for suite in recipe.suites)
        log.info(f"{recipe.name}: running {names} on the unmodified tree, {recipe.baseline_runs} times")
        BaselineMeasurement(MeasuredTree(recipe, source, backend, image.key, image.graph, folder)).run()
    own = Baseline(image.expected, image.suite_seconds, (), image.suite_cpu_s, image.suites_alone)
    both = join_baselines(own, read_baseline_filling_ignored_tests(path, recipe))
    return replace(
        image,
        expected=both.expected,
        suite_seconds=both.suite_seconds,
        suite_cpu_s=both.suite_cpu_s,
        suites_alone=both.alone,
    )


def _keep_only_official_suites(recipe: Recipe) -> Recipe:
    """The recipe with only these suites, so that their baseline has a key of its own."""
    known = {suite.name: suite.known_failures for suite in recipe.official if suite.known_failures}
    shaky = (*recipe.quarantine, *(pattern for suite in recipe.official for pattern in suite.quarantine))
    update = {"suites": recipe.official, "official": (), "known_failures": known, "quarantine": shaky}
    return recipe.model_copy(update=update)
