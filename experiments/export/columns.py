"""What stands in a flat row, one row a sample. docs/reference/export.md is made from COLUMNS."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from experiments.export.answers import escape_lone_surrogates
from experiments.run.manifest import RunManifest
from experiments.run.records import SampleRecord
from experiments.run.sampling.attribution import find_cause_of_outcome, name_callees_or_test_behind_cause

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class ExportedSample:
    """A sample with what its run says of it."""

    run: str
    manifest: RunManifest
    record: SampleRecord


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """`kind` is a value's type where there is one; None stands for what isn't known. `value`: where it stands in the
    sample's record, or how it is found."""

    kind: type[str] | type[int] | type[float] | type[bool]
    value: str | Callable[[ExportedSample], Value]
    meaning: str

    def read_value(self, item: ExportedSample) -> Value:
        found: Value = self.value(item) if callable(self.value) else attrgetter(self.value)(item.record)
        return found


def _make_setting_reader(key: str) -> Callable[[ExportedSample], Value]:
    def read_setting(item: ExportedSample) -> Value:
        value = item.manifest.config.get(key)
        return value if value is None or isinstance(value, str | int | float) else str(value)

    return read_setting


def _read_task_health(item: ExportedSample) -> str | None:
    repo = item.manifest.repos.get(item.record.repo)
    return None if repo is None or repo.health is None else repo.health.health.get(item.record.task_id)


def _count_expected_tests_in_verdict(item: ExportedSample) -> int:
    verdict = item.record.graft.verdict
    return verdict.passed + len(verdict.failed) + len(verdict.missing)


COLUMNS: Mapping[str, ExportColumn] = {
    "run": ExportColumn(str, lambda item: item.run, "the run's folder"),
    "model": ExportColumn(str, _make_setting_reader("model"), "the model's name, as in the configuration"),
    "dataset": ExportColumn(str, lambda item: item.manifest.dataset, "the data set"),
    "dataset_version": ExportColumn(str, lambda item: item.manifest.dataset_version, "its version"),
    "variant": ExportColumn(
        str, _make_setting_reader("variant"), "the renaming of the repositories, empty for the originals"
    ),
    "arm": ExportColumn(str, "arm", "the arm"),
    "task": ExportColumn(str, "task_id", "the task's id"),
    "sample": ExportColumn(int, "sample", "the sample's number, from 0"),
    "repository": ExportColumn(str, "repo", "the repository"),
    "level": ExportColumn(str, "level", "how far away the callees lie: none to project"),
    "health": ExportColumn(
        str, _read_task_health, "what graft doctor says of the task: valid, weak, flaky or broken; empty: unknown"
    ),
    "outcome": ExportColumn(
        str,
        "graft.verdict.outcome.value",
        "passed, tests_failed, build_failed, timeout, to_review, no_answer, model_error or infra_error",
    ),
    "passed": ExportColumn(bool, "passed", "whether the outcome is passed"),
    "counts": ExportColumn(bool, "is_scored", "false for our own failures, which no score counts"),
    "built": ExportColumn(bool, "graft.verdict.built", "whether all was compiled and linked"),
    "stopped_at": ExportColumn(str, "graft.verdict.tier.value", "the last stage: answer, check, build or tests"),
    "reason": ExportColumn(str, "graft.verdict.reason", "what the verdict rests on, in one line"),
    "cause": ExportColumn(str, lambda item: find_cause_of_outcome(item.record), "why it failed, one of a few words"),
    "about": ExportColumn(str, lambda item: name_callees_or_test_behind_cause(item.record), "what the cause is about"),
    "tests": ExportColumn(
        int, _count_expected_tests_in_verdict, "tests that should have passed and ran or didn't; 0 where none ran"
    ),
    "tests_passed": ExportColumn(int, "graft.verdict.passed", "how many of them passed"),
    "flags": ExportColumn(
        str, lambda item: "; ".join(item.record.graft.verdict.flags), "what a reviewer should look at"
    ),
    "differential": ExportColumn(
        str, "differential", "beside the gold, call by call: `same on 212 calls` or what differs"
    ),
    "plus": ExportColumn(
        str, "plus", "by the plus tests, of an answer that passes its suites: `passed` or `failed: ...`"
    ),
    "audit": ExportColumn(str, "audit.state", "the control run: honest, partly, unknown or forged"),
    "functions": ExportColumn(int, lambda item: max(1, len(item.record.holes)), "functions that the task asks for"),
    "functions_alone": ExportColumn(
        int,
        lambda item: sum(map(bool, item.record.alone_results)) if item.record.holes else None,
        "those that pass alone, with the others' golds; empty for a task of one function",
    ),
    "exact_match": ExportColumn(bool, "graft.exact_match", "equal to the repository's own text"),
    "edit_similarity": ExportColumn(float, "edit_similarity", "1 - edits / longer length"),
    "official_outcome": ExportColumn(
        str,
        lambda item: "" if item.record.holes else item.record.official.verdict.outcome.value,
        "the outcome by the official rules; empty for a task of several functions",
    ),
    "official_exact_match": ExportColumn(bool, "official.exact_match", "the official exact match"),
    "context_tokens": ExportColumn(int, "context_tokens", "tokens of the context that was shown"),
    "context_dropped": ExportColumn(int, "dropped", "snippets that the budget left out"),
    "answers": ExportColumn(int, lambda item: len(item.record.rounds), "answers of the model in the conversation"),
    "tool_calls": ExportColumn(int, lambda item: sum(entry.tools for entry in item.record.rounds), "its tool calls"),
    "callees_needed": ExportColumn(
        int, lambda item: len(item.record.callees.needed), "callees of the gold in the repository"
    ),
    "callees_shown": ExportColumn(int, lambda item: len(item.record.callees.shown), "those that the model saw"),
    "callees_used": ExportColumn(int, lambda item: len(item.record.callees.used), "those that its answer uses"),
    "prompt_tokens": ExportColumn(int, "usage.prompt_tokens", "tokens in, all calls together"),
    "completion_tokens": ExportColumn(int, "usage.completion_tokens", "tokens out"),
    "cost": ExportColumn(float, "usage.cost", "USD, empty where a price isn't known"),
    "model_seconds": ExportColumn(float, "usage.model_seconds", "wall time of the model's calls"),
    "compilations": ExportColumn(int, "usage.compiles", "drafts that were compiled"),
    "compile_seconds": ExportColumn(float, "usage.compile_seconds", "wall time of these"),
    "test_seconds": ExportColumn(float, "test_s", "wall time of check, build and tests"),
    "build_cpu_seconds": ExportColumn(float, "build_cpu_s", "CPU time from the text to the linked program"),
}


def make_flat_rows(run: str, manifest: RunManifest, records: Sequence[SampleRecord]) -> list[dict[str, Value]]:
    """A row for each sample, by column. A byte that wasn't UTF-8 is written as `\\udc80`: Arrow and pandas hold no
    lone surrogate."""
    items = [ExportedSample(run, manifest, record) for record in records]
    values = [{name: column.read_value(item) for name, column in COLUMNS.items()} for item in items]
    return [
        {name: escape_lone_surrogates(v) if isinstance(v, str) else v for name, v in row.items()} for row in values
    ]
