"""The sides of a comparison: an arm of a run each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from experiments.report.stored_run import (
    StoredRun,
    describe_arms_with_gaps_or_errors,
    group_by_arm_in_configured_order,
    read_run,
    require_arm,
)
from experiments.run.manifest import RunManifest, read_manifest
from experiments.run.pass_rule import SUITES_ALONE, WITH_PLUS
from experiments.run.records import SampleRecord
from index.errors import ConfigError
from index.user_files import make_spelling_hint


@dataclass(frozen=True, slots=True)
class Side:
    """The counted samples of one arm of a run: infrastructure errors are in no score. `name` is unique among the sides
    of a comparison; `partial` says what of the arm isn't finished, or is "". `by_suites` says why the sides are scored
    by their suites alone, or is ""."""

    name: str
    run: StoredRun
    arm: str
    records: tuple[SampleRecord, ...]
    partial: str = ""
    by_suites: str = ""

    @property
    def model(self) -> str:
        return self.run.manifest.model

    @property
    def variant_names_or_original(self) -> str:
        return self.run.variant_names_or_original


def read_sides(
    runs_or_arms: Sequence[str], arms: Sequence[str] = (), *, valid: bool = False, fewest: int = 2
) -> tuple[Side, ...]:
    """Each word is a run's folder, which stands for all its arms (or those in `arms`), or RUN:ARM. `valid`: only the
    tasks that the doctor's manifests called valid when the run was made.

    Raises ConfigError for a folder without a run, an arm that no run has, runs of different data sets, and fewer
    than `fewest` sides."""
    places = [_split_run_and_arm_or_empty(run_or_arm) for run_or_arm in runs_or_arms]
    by_suites = explain_ignoring_plus_tests_or_empty({path: read_manifest(path) for path, _ in places})
    rule = SUITES_ALONE if by_suites else WITH_PLUS
    runs = {path: read_run(path, rule) for path, _ in places}
    # As the configuration orders them: which arm's sample is finished first is chance, and sides have numbers.
    arms_of = {
        path: [arm for arm, records in group_by_arm_in_configured_order(run.manifest, run.records).items() if records]
        for path, run in runs.items()
    }
    # A side may be named twice.
    chosen: dict[tuple[Path, str], StoredRun] = {}
    for path, arm in places:
        known = arms_of[path]
        if arm:
            require_arm(path, arm, known)
        wanted = [arm] if arm else [name for name in known if not arms or name in arms]
        chosen |= {(path, name): runs[path] for name in wanted}
    everywhere = set().union(*arms_of.values())
    for arm in arms:
        if arm not in everywhere:
            raise ConfigError(f"--arms: no run has arm {arm!r}{make_spelling_hint(arm, everywhere)}")
    _require_one_data_set(list(runs.values()))
    sides = tuple(
        Side(
            name,
            run,
            arm,
            tuple(record for record in run.select_counted_records(valid=valid) if record.arm == arm),
            describe_arms_with_gaps_or_errors(run.manifest, run.records).get(arm, ""),
            by_suites,
        )
        for ((_, arm), run), name in zip(chosen.items(), _choose_shortest_distinct_side_names(chosen), strict=True)
    )
    if len(sides) < fewest:
        raise ConfigError("name at least two sides: two runs, or one run with several arms, or RUN:ARM RUN:ARM")
    return sides


def explain_ignoring_plus_tests_or_empty(manifests: Mapping[Path, RunManifest]) -> str:
    """Why runs must be scored by their suites alone to be compared, or "": plus tests don't decide in all of them."""
    without = [
        str(path)
        for path, manifest in manifests.items()
        if manifest.pass_rule == SUITES_ALONE or not any(facts.plus_tasks for facts in manifest.repos.values())
    ]
    older = any(manifest.pass_rule == SUITES_ALONE for manifest in manifests.values())
    if not older and len(without) in (0, len(manifests)):
        return ""
    return f"pass@1 is by the suites alone: plus tests decide nothing in {', '.join(without)}"


def _split_run_and_arm_or_empty(run_or_arm: str) -> tuple[Path, str]:
    """A folder may have a colon in its name, so what exists is a folder."""
    if Path(run_or_arm).is_dir() or ":" not in run_or_arm:
        return Path(run_or_arm), ""
    path, _, arm = run_or_arm.rpartition(":")
    return Path(path), arm


def _choose_shortest_distinct_side_names(chosen: Mapping[tuple[Path, str], StoredRun]) -> list[str]:
    """The shortest names that tell the sides apart: the arm, the model and the arm, the folder and the arm."""
    sides = [(run, run.manifest.model.rpartition("/")[2], arm) for (_, arm), run in chosen.items()]
    forms = (
        [arm for _, _, arm in sides],
        [f"{model} {arm}" for _, model, arm in sides],
        [f"{model} {arm} ({run.variant_names_or_original})" for run, model, arm in sides],
        [f"{run.path.name} {arm}" for run, _, arm in sides],
    )
    return next((form for form in forms if len(set(form)) == len(form)), [f"{path} {arm}" for path, arm in chosen])


def _require_one_data_set(runs: Sequence[StoredRun]) -> None:
    first = runs[0].manifest
    for run in runs[1:]:
        other = run.manifest
        if (first.dataset, first.dataset_version) != (other.dataset, other.dataset_version):
            raise ConfigError(
                f"{run.path}: its data set is {other.dataset} {other.dataset_version}, that of {runs[0].path} is"
                f" {first.dataset} {first.dataset_version}: their tasks can't be paired"
            )
