"""Proves a variant: it builds, its suites give the original's results, its golds pass, its stubs fail, and what the
doctor found on the original holds. Each stage that ended is kept, so that a killed call continues."""

from __future__ import annotations

import json
import logging
import random
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from executor.cache import hold_file_lock, replace_file
from executor.manifest.manifest import load_manifest, manifest_path
from executor.manifest.variant.record import (
    collect_names_learnt_from_proved_variants,
    digest_renaming_maps,
    find_variant,
    write_variant_record,
)
from executor.manifest.variant.renamed_files import write_variant_tree
from executor.manifest.variant.renamed_tasks import rename_row_keeping_id_and_span
from executor.manifest.variant.values import Proof, VariantRecord
from executor.repository.images import Image
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree
from executor.tasks.datasets import make_task_from_row
from executor.tasks.task_row import TaskRow
from index.errors import RecipeError
from index.progress import SILENT, Progress
from lab.variants.external_names import require_image_folder
from lab.variants.name_map import VariantInputs, collect_gold_words, make_name_map
from lab.variants.proof.build_repair import VariantBuild, build_variant_mending_names
from lab.variants.proof.task_trials import (
    Tally,
    TaskPair,
    TrialSetup,
    find_sound_plus_tests,
    prove_renamed_plus_tests,
    repeat_findings,
    try_golds,
    try_stubs,
)

log = logging.getLogger(__name__)

_STATE = "state.json"


@dataclass(frozen=True, slots=True)
class Demand:
    """How much is to be shown. `golds`: how many tasks, drawn by the variant's seed, None for all."""

    golds: int | None = None
    gold_runs: int = 3
    reruns: int = 20


def is_proof_sufficient(record: VariantRecord, demand: Demand, recipe: Recipe, rows: Sequence[TaskRow]) -> bool:
    """Whether the record's proof holds and shows as much as is demanded, as far as there are tasks to show it on."""
    proof = record.proof
    if proof is None or not proof.has_tried_suites_without_problems or proof.gold_runs < demand.gold_runs:
        return False
    manifest = load_manifest(manifest_path(recipe))
    sound = find_sound_plus_tests(recipe, manifest)
    # A proof of before 2026-11-28 tried no plus tests.
    if demand.golds is None and proof.plus_tried < sum(row.id in sound for row in rows):
        return False
    golds = len(rows) if demand.golds is None else min(len(rows), demand.golds)
    # A task that is drawn may be one that the doctor didn't examine.
    all_examined = manifest is not None and all(row.id in manifest.tasks for row in rows)
    reruns = min(len(rows), demand.reruns) if all_examined else 0
    return proof.golds_tried >= golds and proof.reruns_tried >= reruns


def make_and_prove_variant_under_lock(
    making: VariantInputs, demand: Demand, progress: Progress = SILENT, *, fresh: bool = False
) -> VariantRecord:
    """Make the variant, build it, and prove it as far as `demand` asks; the record is written with its proof, whose
    `problems` say what doesn't hold. `fresh`: forget an earlier map and its proof. Raises RecipeError when it can't be
    built, and what a sandbox raises; finished stages are kept."""
    making.folder.parent.mkdir(parents=True, exist_ok=True)
    with hold_file_lock(making.folder.with_name(f"{making.folder.name}.lock"), f"{making.source.repo} {making.spec}"):
        if fresh:
            shutil.rmtree(making.folder, ignore_errors=True)
        making.folder.mkdir(exist_ok=True)
        return _make_and_prove_variant(making, demand, progress)


def _make_and_prove_variant(making: VariantInputs, demand: Demand, progress: Progress) -> VariantRecord:
    known = find_variant(making.cache, making.source, making.spec)
    state = _ProofState.read_state(making.folder / _STATE)
    gold_words = collect_gold_words(making.rows, making.source.root)
    learnt = collect_names_learnt_from_proved_variants(making.cache, making.source, making.spec)
    if known is None and learnt.stay:
        log.info(f"{making.source.repo}: {len(learnt.stay)} names stay at once, as variants that are proved showed")

    def remake_map(keep: Mapping[str, str]) -> tuple[VariantRecord, SourceTree]:
        nonlocal known
        if known is None:
            with state.time_stage("map"):
                before = replace(learnt, stay={**learnt.stay, **keep})
                known = make_name_map(making, gold_words, before, progress)
        else:
            known = move_names_to_kept(known, keep, gold_words)
        write_variant_record(making.record_path, known)
        with state.time_stage("tree"):
            return known, write_variant_tree(making.image.recipe, making.source, known, making.cache)

    with state.time_stage("build and suites"):
        built = build_variant_mending_names(making, remake_map, state.mended, state.save_mended_names_counting_round)
        state.rounds = max(state.rounds, built.rounds)
    proved = replace(built.record, proof=_prove_variant(making, demand, built, state, progress))
    write_variant_record(making.record_path, proved)
    return proved


def move_names_to_kept(record: VariantRecord, keep: Mapping[str, str], gold_words: AbstractSet[str]) -> VariantRecord:
    """The record with the names `keep` kept, and no proof. The other names don't change, and nothing is asked of the
    preprocessor again: the build that follows shows what else must stay."""
    gone = {name: reason for name, reason in keep.items() if name in record.names}
    if not gone:
        return record
    names = {name: new for name, new in record.names.items() if name not in gone}
    return replace(
        record,
        names=names,
        kept=dict(sorted({**record.kept, **gone}.items())),
        digest=digest_renaming_maps(names, record.paths),
        used_renamed=record.used_renamed - len(gold_words & gone.keys()),
        proof=None,
        learnt=tuple(sorted({*record.learnt, *gone})),
        free=tuple(name for name in record.free if name not in gone),
    )


def _prove_variant(
    making: VariantInputs, demand: Demand, built: VariantBuild, state: _ProofState, progress: Progress
) -> Proof:
    record, image, found = built.record, built.image, built.comparison
    manifest = load_manifest(manifest_path(image.recipe))
    setup = TrialSetup(image, making.image, making.backend, record.names, manifest, making.folder, record.paths)
    pairs = [
        TaskPair(
            make_task_from_row(row, making.source.root),
            make_task_from_row(
                rename_row_keeping_id_and_span(row, record, making.source.root, image.source_root), image.source_root
            ),
        )
        for row in making.rows
    ]
    drawn = pairs if demand.golds is None else _draw_pairs(pairs, demand.golds, making.spec.seed)
    problems = [f"suite {suite}: {how}" for suite, how in found.problems.items()]
    golds = stubs = reruns = plus = Tally()
    for line in found.unsteady:
        log.info(line)
    if not problems:
        with state.time_stage("golds"):
            golds = try_golds(setup, drawn, demand.gold_runs, progress)
        with state.time_stage("plus tests"):
            plus = prove_renamed_plus_tests(setup, record, drawn, demand.gold_runs, progress)
        with state.time_stage("stubs"):
            stubs = try_stubs(setup, record, drawn, plus.passed, progress)
        with state.time_stage("reruns"):
            reruns = repeat_findings(setup, _draw_pairs(pairs, demand.reruns, making.spec.seed), progress)
        for line in plus.problems:
            log.warning(f"{line}; this task's plus tests grade nothing on the variant")
        problems += [*golds.problems, *stubs.problems, *reruns.problems]
    return Proof(
        sandbox=making.backend.name,
        image=image.key,
        date=datetime.now(UTC).date().isoformat(),
        rounds=state.rounds,
        suites=found.equal,
        suites_tried=found.tried,
        tests=found.tests,
        golds=len(golds.passed),
        golds_tried=golds.tried,
        gold_runs=demand.gold_runs,
        tasks=len(making.rows),
        stubs=len(stubs.passed),
        stubs_tried=stubs.tried,
        reruns=len(reruns.passed),
        reruns_tried=reruns.tried,
        plus_tasks=plus.passed,
        plus_tried=plus.tried,
        datasets=tuple(sorted({row.dataset for row in making.rows})),
        seconds={
            **state.seconds,
            # Of the final image alone: its build from nothing, and one round of all suites.
            "build": _read_build_seconds(image),
            "suites": round(sum(image.suite_seconds.values()), 1),
            "original's build": _read_build_seconds(making.image),
        },
        problems=tuple(problems),
    )


def _draw_pairs(pairs: Sequence[TaskPair], count: int, seed: int) -> list[TaskPair]:
    ordered = sorted(pairs, key=lambda pair: pair.id)
    return random.Random(seed).sample(ordered, min(count, len(ordered)))


def _read_build_seconds(image: Image) -> float:
    return float(json.loads((require_image_folder(image) / "image.json").read_bytes())["build_seconds"])


@dataclass(slots=True)
class _ProofState:
    """What an unfinished proof keeps besides the record: names that had to stay, and the seconds of its stages, of
    repeated ones together."""

    path: Path
    mended: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    rounds: int = 0

    @staticmethod
    def read_state(path: Path) -> _ProofState:
        """Raises RecipeError when the file is damaged."""
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            return _ProofState(path, dict(known["mended"]), dict(known["seconds"]), int(known["rounds"]))
        except FileNotFoundError:
            return _ProofState(path)
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise RecipeError(f"{path}: damaged; run graft variants make with --fresh") from error

    def save_mended_names_counting_round(self, mended: Mapping[str, str]) -> None:
        self.mended = dict(mended)
        self.rounds += 1
        self._write_state()

    @contextmanager
    def time_stage(self, stage: str) -> Iterator[None]:
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds[stage] = round(self.seconds.get(stage, 0.0) + time.monotonic() - began, 1)
            self._write_state()

    def _write_state(self) -> None:
        known = {"mended": self.mended, "seconds": self.seconds, "rounds": self.rounds}
        replace_file(self.path, json.dumps(known, indent=1).encode())
