"""The plus tests of a variant's tasks, renamed: whether they say there what they say on the original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from executor.candidate.execute import ExecutionOptions, execute_edits
from executor.function.splice import make_edits
from executor.grading.grade import grade, limit_expected_to_suites
from executor.manifest.health import Fate, HealthManifest, PlusHealth
from executor.manifest.variant.renamed_plus import rename_plus_tests
from executor.manifest.variant.renamed_text import rename_code
from executor.manifest.variant.values import VariantRecord
from executor.repository.recipe import Recipe
from executor.repository.suites import digest_plus_tests
from executor.values import Outcome, Verdict
from index.errors import InfraError
from index.progress import SILENT, Progress
from lab.doctor.stubs_and_mutants import make_stub_variants
from lab.variants.proof.task_trials import Tally, TaskPair, TrialSetup, tally_trials
from lab.wrong.body_file import find_body_file, read_body_entries
from lab.wrong.body_rules import make_usable_bodies


def try_plus_tests(
    setup: TrialSetup, record: VariantRecord, pairs: Sequence[TaskPair], runs: int, progress: Progress = SILENT
) -> Tally:
    """Whether a task's renamed plus tests let its gold pass in all `runs`, fail as many of its stubs as on the
    original, and give each of its wrong bodies the fate that it met there. Tasks whose plus tests were never seen to
    hold on the original aren't tried. Raises InfraError."""
    recipe, manifest = setup.image.recipe, setup.manifest
    known = find_sound_plus_tests(recipe, manifest)
    tried = [pair for pair in pairs if pair.id in known]
    # Bodies may stand elsewhere, as graft-suite's do: the proof is then by golds and stubs alone.
    path = find_body_file(recipe)
    entries = read_body_entries(path) if tried and path.is_file() else {}
    ours = replace(setup, image=replace(setup.image, recipe=rename_plus_tests(recipe, record)))

    def find_difference(pair: TaskPair) -> str:
        found = known[pair.id]
        for number in range(runs):
            verdict = _grade_by_plus_tests(ours, pair, found, f"gold-{number + 1}", pair.renamed.gold)
            if verdict.outcome is not Outcome.PASSED:
                return f"the gold fails: {verdict.reason}"
        stubs = [variant.text for variant in make_stub_variants(pair.renamed)]
        killed = sum(_is_killed(ours, pair, found, f"stub-{number}", text) for number, text in enumerate(stubs))
        if (killed, len(stubs)) != (found.stubs_killed, found.stubs):
            return f"{killed} of {len(stubs)} stubs fail, on the original {found.stubs_killed} of {found.stubs}"
        texts = {body.digest: body.text for body in make_usable_bodies(pair.original, entries)}
        for body in found.bodies:
            if (text := texts.get(body.digest)) is None or body.fate not in (Fate.KILLED, Fate.SURVIVED):
                continue
            text = rename_code(text, setup.names)
            if _is_killed(ours, pair, found, f"wrong-{body.digest}", text) != (body.fate is Fate.KILLED):
                return f"the wrong body {body.kind} {body.digest} is {body.fate.value} on the original alone"
        return ""

    digest = digest_plus_tests(recipe.plus_suites)
    return tally_trials(setup, "plus test", tried, find_difference, progress, f"{runs} runs, {digest}")


def find_sound_plus_tests(recipe: Recipe, manifest: HealthManifest | None) -> dict[str, PlusHealth]:
    """Task id -> what is known of its plus tests on the original: of those alone that hold there, and that are still
    the tests which were judged."""
    return {
        task: found
        for task, found in (manifest.plus.items() if manifest else ())
        if found.sound and found.digest == digest_plus_tests(recipe.plus_for(task))
    }


def _is_killed(setup: TrialSetup, pair: TaskPair, found: PlusHealth, name: str, code: str) -> bool:
    return _grade_by_plus_tests(setup, pair, found, name, code).outcome is not Outcome.PASSED


def _grade_by_plus_tests(setup: TrialSetup, pair: TaskPair, found: PlusHealth, name: str, code: str) -> Verdict:
    """What the task's plus tests say of the text, in a fresh session. Raises InfraError."""
    logs = setup.folder / "plus" / pair.id / name.replace("/", "-")
    options = ExecutionOptions(stop_at_first=False, checked=True)
    edits = make_edits(pair.renamed.target, code)
    run = execute_edits(setup.image, edits, setup.backend, found.suites, logs, options)
    verdict = grade(run, limit_expected_to_suites(setup.image.expected, found.suites), code)
    if verdict.outcome is Outcome.INFRA_ERROR:
        raise InfraError(f"{pair.id} {name}: {verdict.reason}; the same command continues")
    return verdict
