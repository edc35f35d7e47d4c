"""graft variants: make, prove and look at repositories under other names."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from executor.manifest.variant.record import (
    OWN_DATA_SETS,
    RECORD,
    find_variant,
    format_variant_making_command,
    read_variant_record,
)
from executor.manifest.variant.values import VariantRecord, VariantSpec
from executor.repository.images import build_image
from executor.repository.recipe import Recipe, find_recipe
from executor.repository.source import SourceTree, checkout_source, choose_mirror_folder
from executor.sandbox.choose import choose_backend
from executor.sandbox.scheduled import log_machine_use
from executor.tasks.datasets import load_rows
from executor.tasks.made_datasets import find_differently_named_made_datasets, list_built_in_made_datasets
from executor.tasks.row_rebinding import add_copies_for_rebinding_recipes, fill_item_paths_and_relocate_rows
from executor.tasks.task_row import TaskRow
from index.errors import RecipeError
from index.progress import SILENT, Progress
from lab.variants.identifier_inventory import index_and_take_inventory
from lab.variants.name_map import VariantInputs, collect_gold_words, find_defined_names_golds_use
from lab.variants.proof.variant_proof import Demand, is_proof_sufficient, make_and_prove_variant_under_lock

log = logging.getLogger(__name__)


def make_variants(
    repos: Sequence[str],
    spec: VariantSpec,
    demand: Demand,
    cache: Path,
    progress: Progress = SILENT,
    *,
    dataset: str | None = None,
    sandbox: str = "auto",
    mirror: Path | None = None,
    workers: int | None = None,
    fresh: bool = False,
) -> Iterator[VariantRecord]:
    """Each repository's variant with its proof, as soon as that is there. `dataset` None: the one of Graft's that has
    tasks of the repository. `fresh`: forget an earlier map and its proof. Raises UserErrors, and what a sandbox
    raises; finished stages are kept."""
    for recipe, source, rows in [_open_recipe_source_and_rows(name, dataset, mirror, cache) for name in repos]:
        known = None if fresh else find_variant(cache, source, spec)
        if known is not None and is_proof_sufficient(known, demand, recipe, rows):
            log.info(f"{recipe.name} {spec}: is proved already; nothing is done")
            yield known
            continue
        if not rows:
            log.warning(f"{recipe.name}: the data set has no task of it, so no gold is tried (--dataset)")
        choice = choose_backend(sandbox, cache, workers)
        log.info(f"sandbox {choice.reason}")
        image = build_image(recipe, source, choice.backend, None, cache)
        making = VariantInputs(spec, source, image, choice.backend, rows, cache)
        yield make_and_prove_variant_under_lock(making, demand, progress, fresh=fresh)
        log_machine_use(choice.backend)


def summarize_renamed_kinds_and_kept_names(
    repo: str, spec: VariantSpec, dataset: str | None, mirror: Path | None, cache: Path
) -> tuple[VariantRecord, Counter[str], dict[str, str]]:
    """The record of a variant; what is renamed, how many of each kind; identifiers in golds that stay, with the
    reasons. Raises RecipeError when it wasn't made."""
    recipe, source, rows = _open_recipe_source_and_rows(repo, dataset, mirror, cache)
    record = find_variant(cache, source, spec)
    if record is None:
        raise RecipeError(
            f"{repo}: there is no variant {spec}; make it: {format_variant_making_command(repo, spec, dataset or '')}"
        )
    inventory = index_and_take_inventory(source.root, cache, recipe.variants.leave, spec.locals)
    kinds = Counter(kind for name in record.names for kind in inventory.defined.get(name, ()))
    used = find_defined_names_golds_use(inventory, record.kept, collect_gold_words(rows, source.root))
    return record, kinds, {name: record.kept[name] for name in sorted(used & record.kept.keys())}


def list_variants(cache: Path) -> list[VariantRecord]:
    """The records of all variants in the cache. Raises RecipeError for a damaged one."""
    found = [read_variant_record(path) for path in sorted((cache / "variants").glob(f"*/{RECORD}"))]
    return [record for record in found if record is not None]


def _open_recipe_source_and_rows(
    repo: str, dataset: str | None, mirror: Path | None, cache: Path
) -> tuple[Recipe, SourceTree, list[TaskRow]]:
    """The repository's recipe, its original source and its rows in the data sets that may hold tasks of it."""
    own = (repo,) if repo in list_built_in_made_datasets() else OWN_DATA_SETS
    names = (dataset,) if dataset is not None else (*own, *find_differently_named_made_datasets(repo))
    # They come before the recipe, which a data set may bring.
    every = [row for name in dict.fromkeys(names) for row in load_rows(name, mirror=mirror)]
    recipe = find_recipe(repo)
    source = checkout_source(recipe, choose_mirror_folder(mirror), cache)
    return (
        recipe,
        source,
        list(
            fill_item_paths_and_relocate_rows(
                add_copies_for_rebinding_recipes(every, [recipe.name]), recipe, source.root
            ).rows
        ),
    )
