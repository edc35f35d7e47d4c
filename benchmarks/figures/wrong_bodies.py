"""The tables of wrong bodies, from the manifests: how many pass the suites, and how many the plus tests too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from benchmarks.figures.validity import list_ids_beside
from benchmarks.tables import REPOSITORIES, render_cells, write_repository
from executor.manifest.false_passes import (
    count_passing_bodies,
    judge_bodies_by_plus_tests,
    mean_false_pass_rate,
    sum_passing_counts,
)
from executor.manifest.health import HealthManifest, WrongFate
from executor.manifest.manifest import load_manifest
from executor.repository.recipe import BUILT_IN
from lab.wrong.body_file import KINDS
from lab.wrong.pass_rate_tables import format_rate_with_interval_or_dash

# LLVM's `SampleProfileReaderBinary::readString` and `OutputBuffer::grow`: the author of their plus tests saw all their
# wrong bodies, so none of these counts as held back.
SEEN_TASKS = ("C1BC3BEC28C03F06", "A7AB81C8E4DCDC67")

Bodies = Sequence[WrongFate]


def read_judged_manifests() -> Mapping[str, HealthManifest]:
    """The manifests of the repositories whose wrong bodies were judged, by name, without those of hard tasks."""
    found = {name: select_own_bodies(name) for name in REPOSITORIES}
    return {name: mark_seen_bodies(manifest) for name, manifest in found.items() if manifest and manifest.wrong}


def select_own_bodies(repository: str) -> HealthManifest | None:
    """Its manifest with the wrong bodies and plus tests of its own tasks alone."""
    manifest = load_manifest(BUILT_IN / repository / "manifest.json")
    if manifest is None:
        return None
    beside = list_ids_beside(repository)
    wrong = {key: found for key, found in manifest.wrong.items() if key not in beside}
    return replace(manifest, wrong=wrong, plus={k: found for k, found in manifest.plus.items() if k not in beside})


def mark_seen_bodies(manifest: HealthManifest) -> HealthManifest:
    """The manifest, where no body of SEEN_TASKS is held back."""
    judged = {
        key: replace(found, bodies=tuple(replace(body, held=False) for body in found.bodies))
        for key, found in manifest.wrong.items()
        if key in SEEN_TASKS
    }
    return replace(manifest, wrong={**manifest.wrong, **judged})


def build_wrong_table() -> str:
    """A row for each repository: of the wrong bodies of its judged tasks, how many pass."""
    manifests = read_judged_manifests()
    groups = [(write_repository(name), [manifest]) for name, manifest in manifests.items()]
    benchmark = [manifest for name, manifest in manifests.items() if name != "example"]
    rows = [(name, *count_wrong_bodies(group)) for name, group in [*groups, ("all but the example", benchmark)]]
    head = ("repository", "tasks", "plus tests", "held back: pass the suites", "rate (95 %)")
    return render_cells((*head, "and the plus tests", "rate (95 %)", "not held back: pass both"), rows)


def count_wrong_bodies(manifests: Sequence[HealthManifest]) -> list[object]:
    suites = [judged.bodies for manifest in manifests for judged in manifest.wrong.values()]
    both = [judge_bodies_by_plus_tests(judged, m.plus.get(key)) for m in manifests for key, judged in m.wrong.items()]
    tests = sum(plus.tests for manifest in manifests for plus in manifest.plus.values())
    held = [*write_pass_rate(suites, held=True), *write_pass_rate(both, held=True)]
    return [len(suites), tests, *held, write_pass_rate(both, held=False)[0]]


def write_pass_rate(tasks: Iterable[Bodies], *, held: bool | None) -> tuple[str, str]:
    """How many bodies pass, of all; and the mean rate over tasks with its interval."""
    found = [count_passing_bodies(bodies, held=held) for bodies in tasks]
    total = sum_passing_counts(found)
    return f"{total.passed} of {total.bodies}", format_rate_with_interval_or_dash(mean_false_pass_rate(found))


def build_wrong_kinds_table() -> str:
    """A row for each kind of fault, over all repositories but the example."""
    benchmark = [manifest for name, manifest in read_judged_manifests().items() if name != "example"]
    suites = [body for manifest in benchmark for judged in manifest.wrong.values() for body in judged.bodies]
    both = [
        body
        for m in benchmark
        for key, judged in m.wrong.items()
        for body in judge_bodies_by_plus_tests(judged, m.plus.get(key))
    ]
    rows = [(kind, *(write_kind_share(bodies, kind) for bodies in (suites, both))) for kind in KINDS]
    return render_cells(("kind", "pass the suites", "and the plus tests"), rows)


def write_kind_share(bodies: Bodies, kind: str) -> str:
    found = count_passing_bodies([body for body in bodies if body.kind == kind], held=None)
    return f"{found.passed} of {found.bodies}"
