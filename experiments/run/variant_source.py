"""A repository's variant as runs, the doctor and the commands about tasks use it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.function.sabotage import read_definition_at
from executor.grading.grade import shorten_name_list
from executor.manifest.health import HealthManifest, drop_findings_of_other_golds
from executor.manifest.manifest import load_manifest, manifest_path
from executor.manifest.variant.record import (
    describe_variant_tree_in_cache,
    find_variant,
    format_variant_making_command,
    require_proof,
)
from executor.manifest.variant.renamed_tasks import (
    rename_manifest_keeping_ids_and_digests,
    rename_proved_plus_tests,
    rename_row_keeping_id_and_span,
)
from executor.manifest.variant.spec import parse_renamed_variant_setting
from executor.manifest.variant.values import Proof, VariantRecord
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree
from executor.repository.uncompiled import load_uncompiled_lines
from executor.tasks.task_row import TaskRow
from executor.values import Task
from index.errors import ConfigError
from index.function_texts import join_present_functions_under_heads
from index.hiding.holes import Lines

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RepoSource:
    """The tree that is worked on. `original` and `variant` are None unless `tree` is a variant's."""

    tree: SourceTree
    original: SourceTree | None = None
    variant: VariantRecord | None = None

    @property
    def original_root(self) -> Path:
        """The root of the tree that the data set's lines and names are about."""
        return (self.original or self.tree).root

    def rename_rows_for_tree(self, rows: Sequence[TaskRow]) -> tuple[TaskRow, ...]:
        """The rows, bound to the original tree, as they hold for this one."""
        record = self.variant
        if record is None:
            return tuple(rows)
        return tuple(rename_row_keeping_id_and_span(row, record, self.original_root, self.tree.root) for row in rows)

    def keep_plus_tests_proved_for_tree(self, recipe: Recipe) -> Recipe:
        """The recipe with the plus tests that hold for this tree, in its names."""
        return recipe if self.variant is None else rename_proved_plus_tests(recipe, self.variant)

    def load_health_renamed_for_tree(self, recipe: Recipe, tasks: Sequence[Task]) -> HealthManifest | None:
        """The doctor's manifest, where there is one, as it holds for this tree. Those of `tasks`, which are the
        tree's own, that have another text than the doctor examined count as unexamined."""
        known = load_manifest(manifest_path(recipe))
        if known is None:
            return None
        found = drop_findings_of_other_golds(known, {task.id: self._read_original_gold(task) for task in tasks})
        if changed := sorted(known.tasks.keys() - found.tasks.keys()):
            names = shorten_name_list(changed)
            log.info(f"{recipe.name}: count as unexamined, since the doctor examined another text: {names}")
        if self.variant is None:
            return found
        return rename_manifest_keeping_ids_and_digests(found, self.variant, self.original_root, self.tree.root)

    def _read_original_gold(self, task: Task) -> str:
        if self.variant is None:
            return task.gold
        original = {new: path for path, new in self.variant.paths.items()}
        return join_present_functions_under_heads(
            [
                read_definition_at((self.original_root / original.get(hole.path, hole.path)).read_bytes(), hole.span)
                for hole in task.target.holes
            ]
        )

    def load_uncompiled_lines(self, recipe: Recipe) -> Lines:
        """The lines that the repository's build doesn't compile, where they are known, as they hold for this tree: a
        variant has the original's lines."""
        found = load_uncompiled_lines(recipe, self.original_root)
        return found if self.variant is None else {self.variant.new_path_of(p): spans for p, spans in found.items()}


@dataclass(frozen=True, slots=True)
class VariantFacts:
    """What a run keeps of a variant beside its record. `proof` says in one line what was shown of it."""

    spec: str
    digest: str
    strength: float | None
    renamed: int
    kept: int
    proof: str


def open_original_or_proved_variant(
    recipe: Recipe, original: SourceTree, variant: str | None, cache: Path, dataset: str = ""
) -> RepoSource:
    """The tree itself, or its `variant` (as RunConfig.variant). Raises ConfigError when there is no such variant, when
    it was made of another tree, and when it isn't proved; the line names the command that makes it, with the data set
    that it needs."""
    if variant is None:
        return RepoSource(original)
    spec = parse_renamed_variant_setting(variant)
    record = find_variant(cache, original, spec)
    if record is None:
        command = format_variant_making_command(original.repo, spec, dataset)
        raise ConfigError(f"{original.repo}: there is no {spec} of {original.root.name}; make it: {command}")
    require_proof(record, dataset)
    tree = describe_variant_tree_in_cache(cache, original, record)
    if not tree.root.is_dir():
        from executor.manifest.variant.renamed_files import write_variant_tree

        tree = write_variant_tree(recipe, original, record, cache)
    return RepoSource(tree, original, record)


def collect_variant_facts(record: VariantRecord) -> VariantFacts:
    return VariantFacts(
        str(record.spec),
        record.digest,
        record.renamed_share_of_gold_identifiers,
        len(record.names),
        len(record.kept),
        _describe_proof(record.proof),
    )


def describe_variant(facts: VariantFacts) -> str:
    """`renamed:style=nonsense,seed=1, map 0123456789abcdef: 4441 identifiers renamed, ...; proved 2026-11-22 ...`"""
    strength = "" if facts.strength is None else f" ({100 * facts.strength:.1f} % of those that golds use)"
    return (
        f"{facts.spec}, map {facts.digest}: {facts.renamed} identifiers renamed{strength}, {facts.kept} kept;"
        f" {facts.proof}"
    )


def _describe_proof(proof: Proof | None) -> str:
    if proof is None:
        return "not proved"
    return (
        f"proved {proof.date} in {proof.sandbox}: {proof.suites} of {proof.suites_tried} suites as the original's,"
        f" {proof.passed_golds_of_tried} golds pass, {proof.stubs} of {proof.stubs_tried} stubs fail"
        + f", plus tests of {len(proof.plus_tasks)} of {proof.plus_tried} tasks hold"
        * (proof.plus_tried > 0)
    )
