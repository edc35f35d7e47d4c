"""A run's folder, read once: what every table, page and comparison is made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from executor.manifest.variant.record import read_variant_record, record_path_in_run
from executor.manifest.variant.values import VariantRecord
from executor.values import Outcome
from experiments.run.manifest import RunManifest, read_manifest
from experiments.run.pass_rule import SUITES_ALONE, PassRule
from experiments.run.records import SampleRecord, read_finished_records
from experiments.run.validity import VALID
from index.errors import ConfigError
from index.user_files import make_spelling_hint

ORIGINAL = "original"

# The figures that count samples without a verdict on an answer, their outcome, and what is said of them.
ERRORS: Mapping[str, tuple[Outcome, str]] = {
    "model_errors": (Outcome.MODEL_ERROR, "ended in a model error, counted as failed"),
    "infra_errors": (Outcome.INFRA_ERROR, "ended in an infrastructure error, scored nowhere"),
}


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run with its finished samples, which are scored by `rule`. `variants` holds the record of each repository's
    variant, and is empty in a run on the original tree; `tree` names the tree in tables."""

    path: Path
    manifest: RunManifest
    records: tuple[SampleRecord, ...]
    variants: Mapping[str, VariantRecord]
    rule: PassRule

    @property
    def variant_names_or_original(self) -> str:
        return ", ".join(dict.fromkeys(record.spec.slug for record in self.variants.values())) or ORIGINAL

    def select_counted_records(self, *, valid: bool = False) -> list[SampleRecord]:
        """The samples that are in a score; `valid`: of the tasks alone that the doctor's manifests called valid when
        the run was made, by what `rule` lets judge."""
        known = [repo.health for repo in self.manifest.repos.values() if repo.health is not None]
        tasks = {task for health in known for task, found in health.health.items() if found == VALID}
        if self.rule == SUITES_ALONE:
            tasks.difference_update(*(health.by_plus for health in known))
        return [record for record in self.records if record.is_scored and (not valid or record.task_id in tasks)]


def read_run(path: Path, rule: PassRule | None = None) -> StoredRun:
    """The run in a folder, scored by the rule, or by its own. Raises ConfigError for a folder without a run or without
    a finished sample, or where the record of a variant is missing."""
    manifest = read_manifest(path)
    variants = {
        name: found
        for name in manifest.repos
        if (found := read_variant_record(record_path_in_run(path, name))) is not None
    }
    missing = sorted(manifest.repos.keys() - variants.keys())
    if variants and missing:
        raise ConfigError(f"{record_path_in_run(path, missing[0])}: missing; the run's own command writes it again")
    rule = rule or manifest.pass_rule
    return StoredRun(path, manifest, read_finished_records(path, rule), variants, rule)


def require_arm(place: Path | str, arm: str, known: Sequence[str]) -> None:
    """Raises ConfigError, which names the nearest arm or all of them, unless the arm is one of `known`."""
    if arm not in known:
        hint = make_spelling_hint(arm, known) or f"; arms: {', '.join(known)}"
        raise ConfigError(f"{place}: no finished sample of arm {arm!r}{hint}")


def group_by_arm_in_configured_order(
    manifest: RunManifest, records: Sequence[SampleRecord]
) -> dict[str, list[SampleRecord]]:
    """The samples of each arm, those first that the configuration names."""
    found: dict[str, list[SampleRecord]] = {arm: [] for arm in manifest.config.get("arms", [])}
    for record in records:
        found.setdefault(record.arm, []).append(record)
    return found


def count_missing_by_arm_and_task(
    manifest: RunManifest, records: Sequence[SampleRecord]
) -> dict[tuple[str, str], int]:
    """(arm, task) -> samples that the run's manifest plans and the records lack; {} in a run of an older version,
    which kept no plan."""
    done = Counter((record.arm, record.task_id) for record in records)
    return {
        (arm, task): planned - done[arm, task]
        for arm, tasks in manifest.planned.items()
        for task, planned in tasks.items()
        if planned > done[arm, task]
    }


def describe_arms_with_gaps_or_errors(manifest: RunManifest, records: Sequence[SampleRecord]) -> dict[str, str]:
    """Each arm that isn't whole, and a line on it."""
    missing: Counter[str] = Counter()
    for (arm, _), count in count_missing_by_arm_and_task(manifest, records).items():
        missing[arm] += count
    lines = {}
    arms = group_by_arm_in_configured_order(manifest, records)
    for arm, samples in {**arms, **{arm: [] for arm in missing if arm not in arms}}.items():
        done = Counter(record.graft.verdict.outcome for record in samples)
        parts = [f"{len(samples)} of {len(samples) + missing[arm]} samples are finished"] if missing[arm] else []
        parts += [f"{done[outcome]} {what}" for outcome, what in ERRORS.values() if done[outcome]]
        if parts:
            lines[arm] = f"{arm}: {'; '.join(parts)}"
    return lines
