"""graft tasks check: compare each gold of a data set with the repository's own text, and name the damage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.tasks.datasets import load_rows, select_rows
from executor.tasks.row_check import check_row
from executor.tasks.row_rebinding import add_stand_in_rows, rebind_rows
from experiments.run.variant_source import open_original_or_variant
from index.errors import UserError


def check_tasks(
    dataset: str,
    oracle: Path | None,
    repos: Sequence[str],
    mirror: Path | None,
    cache: Path,
    variant: str | None = None,
) -> Iterator[str]:
    """One line for each finding, then a summary. With `variant` both sides are renamed. Raises UserErrors when a
    repository of `repos`, or its variant, can't be had."""
    rows = select_rows(add_stand_in_rows(load_rows(dataset, oracle, repos=repos or None, mirror=mirror), repos), repos)
    damage: Counter[str] = Counter()
    checked = damaged = 0
    for name in dict.fromkeys(row.repository for row in rows):
        mine = [row for row in rows if row.repository == name]
        try:
            recipe = find_recipe(name)
            original = checkout_source(recipe, choose_mirror_folder(mirror), cache)
            source = open_original_or_variant(recipe, original, variant, cache, dataset)
        except UserError as error:
            if repos:
                raise
            yield f"{name}: {len(mine)} tasks not checked: {error}"
            continue
        bound = rebind_rows(mine, recipe, source.original_root)
        yield from bound.notes
        for row in source.rename_rows(bound.rows):
            findings = check_row(row, source.tree.root)
            checked += 1
            damaged += bool(findings)
            for finding in findings:
                damage[finding.kind.value] += 1
                yield f"{row.id} {row.repository}/{row.path}:{row.span.first} {row.name}: {finding}"
    yield f"\n{checked} tasks checked, {damaged} with findings"
    for kind, count in damage.most_common():
        yield f"{count:4d}  {kind}"
