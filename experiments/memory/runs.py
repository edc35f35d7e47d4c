"""Reads the runs of a comparison, and refuses what can't be compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.manifest.variant.record import read_variant_record, record_path_in_run
from executor.manifest.variant.values import VariantRecord
from experiments.report.model import partial_lines
from experiments.run.manifest import RunManifest, read_manifest
from experiments.run.pass_rule import SUITES_ALONE, PassRule
from experiments.run.records import SampleRecord, read_finished_records
from experiments.run.validity import VALID
from index.errors import ConfigError

ORIGINAL = "original"

# Keys that may differ: where the model is served and candidates run says nothing about what the model knows.
_MAY_DIFFER = frozenset({"variant", "api_base", "api_key_env", "sandbox", "base"})
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class TreeRun:
    """A run with its finished samples. `variants` holds the record of each repository's variant, and is empty in a run
    on the original tree; `tree` names the tree in tables. `partial`: a line for each arm that isn't whole."""

    path: Path
    tree: str
    manifest: RunManifest
    records: tuple[SampleRecord, ...]
    variants: Mapping[str, VariantRecord]
    partial: tuple[str, ...]

    def valid_tasks(self) -> frozenset[str]:
        """The tasks that the doctor's manifests called valid when the run was made."""
        known = [repo.health.health for repo in self.manifest.repos.values() if repo.health is not None]
        return frozenset(task for health in known for task, found in health.items() if found == VALID)

    def counted(self, tasks: Collection[str] | None) -> list[SampleRecord]:
        """The samples that are in a score; of `tasks` alone where they are given."""
        return [record for record in self.records if record.counts and (tasks is None or record.task_id in tasks)]


def read_runs(original: Path, renamed: Sequence[Path]) -> tuple[TreeRun, tuple[TreeRun, ...]]:
    """The run on the original tree, and those under other names, all by their suites alone: plus tests don't know a
    renamed tree. Raises ConfigError that names what doesn't fit."""
    first = read_run(original, SUITES_ALONE)
    if first.variants:
        raise ConfigError(f"{original}: a run of a renamed tree ({first.tree}); the run on the original comes first")
    others: list[TreeRun] = []
    for path in renamed:
        run = read_run(path, SUITES_ALONE)
        if not run.variants:
            raise ConfigError(
                f"{path}: no run of a renamed tree (it has no variant-REPO.json); graft run ... variant=renamed makes"
                " one"
            )
        twin = next((other for other in others if _digests(other) == _digests(run)), None)
        if twin is not None:
            raise ConfigError(f"{path}: a run of the same renaming as {twin.path} ({run.tree}); leave one of them out")
        _require_comparable(first, run)
        others.append(run)
    return first, tuple(others)


def read_run(path: Path, rule: PassRule) -> TreeRun:
    """The run in a folder, scored by the rule. Raises ConfigError for a folder without one, or whose record of a
    variant is missing."""
    manifest = read_manifest(path)
    records = read_finished_records(path, rule)
    variants = {
        name: found
        for name in manifest.repos
        if (found := read_variant_record(record_path_in_run(path, name))) is not None
    }
    missing = sorted(manifest.repos.keys() - variants.keys())
    if variants and missing:
        raise ConfigError(f"{record_path_in_run(path, missing[0])}: missing; the run's own command writes it again")
    trees = dict.fromkeys(record.spec.slug for record in variants.values())
    partial = partial_lines(manifest, records)
    return TreeRun(path, ", ".join(trees) or ORIGINAL, manifest, records, variants, partial)


def _digests(run: TreeRun) -> set[tuple[str, str]]:
    return {(repo, record.digest) for repo, record in run.variants.items()}


def _require_comparable(original: TreeRun, renamed: TreeRun) -> None:
    one, two = original.manifest, renamed.manifest
    differing = [
        f"{key} is {two.identity.get(key)!r}, there {one.identity.get(key)!r}"
        for key in sorted((one.identity.keys() | two.identity.keys()) - _MAY_DIFFER, key=_by_weight)
        if one.identity.get(key) != two.identity.get(key)
    ]
    if (one.dataset, one.dataset_version) != (two.dataset, two.dataset_version) and one.dataset == two.dataset:
        differing.append(f"the data set's version is {two.dataset_version}, there {one.dataset_version}")
    if one.prompts != two.prompts:
        differing.append("the prompts' texts differ")
    differing += [
        f"the commit of {name} is {two.repos[name].commit[:12]}, there {one.repos[name].commit[:12]}"
        for name in sorted(one.repos.keys() & two.repos.keys())
        if one.repos[name].commit != two.repos[name].commit
    ]
    if differing:
        more = f" (and {len(differing) - _MOST_NAMED} more)" if len(differing) > _MOST_NAMED else ""
        raise ConfigError(
            f"{renamed.path}: can't be compared with {original.path}: {'; '.join(differing[:_MOST_NAMED])}{more}"
        )


def _by_weight(key: str) -> tuple[bool, str]:
    return key not in ("dataset", "model"), key
