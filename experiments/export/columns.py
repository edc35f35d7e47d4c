"""What stands in a flat row, one row a sample. docs/reference/export.md is made from COLUMNS."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from experiments.export.answers import replace_surrogates
from experiments.run.manifest import RunManifest
from experiments.run.records import SampleRecord
from experiments.run.sampling.attribution import describe_cause, find_cause

Value = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class ExportedSample:
    """A sample with what its run says of it."""

    run: str
    manifest: RunManifest
    record: SampleRecord


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """`kind` is a value's type where there is one; None stands for what isn't known."""

    kind: type[str] | type[int] | type[float] | type[bool]
    value: Callable[[ExportedSample], Value]
    meaning: str


def _make_setting_reader(key: str) -> Callable[[ExportedSample], Value]:
    return lambda item: _to_plain_value(item.manifest.config.get(key))


def _to_plain_value(value: object) -> Value:
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _read_health(item: ExportedSample) -> str | None:
    repo = item.manifest.repos.get(item.record.repo)
    return None if repo is None or repo.health is None else repo.health.health.get(item.record.task_id)


def _count_functions_passed_alone(item: ExportedSample) -> int | None:
    return sum(map(bool, item.record.alone_results)) if item.record.holes else None


def _count_tests(item: ExportedSample) -> int:
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
    "arm": ExportColumn(str, lambda item: item.record.arm, "the arm"),
    "task": ExportColumn(str, lambda item: item.record.task_id, "the task's id"),
    "sample": ExportColumn(int, lambda item: item.record.sample, "the sample's number, from 0"),
    "repository": ExportColumn(str, lambda item: item.record.repo, "the repository"),
    "level": ExportColumn(str, lambda item: item.record.level, "how far away the callees lie: none to project"),
    "health": ExportColumn(
        str, _read_health, "what graft doctor says of the task: valid, weak, flaky or broken; empty: unknown"
    ),
    "outcome": ExportColumn(
        str,
        lambda item: item.record.graft.verdict.outcome.value,
        "passed, tests_failed, build_failed, timeout, to_review, no_answer, model_error or infra_error",
    ),
    "passed": ExportColumn(bool, lambda item: item.record.passed, "whether the outcome is passed"),
    "counts": ExportColumn(bool, lambda item: item.record.counts, "false for our own failures, which no score counts"),
    "built": ExportColumn(bool, lambda item: item.record.graft.verdict.built, "whether all was compiled and linked"),
    "stopped_at": ExportColumn(
        str, lambda item: item.record.graft.verdict.tier.value, "the last stage: answer, check, build or tests"
    ),
    "reason": ExportColumn(
        str, lambda item: item.record.graft.verdict.reason, "what the verdict rests on, in one line"
    ),
    "cause": ExportColumn(str, lambda item: find_cause(item.record), "why it failed, one of a few words"),
    "about": ExportColumn(str, lambda item: describe_cause(item.record), "what the cause is about"),
    "tests": ExportColumn(int, _count_tests, "tests that should have passed and ran or didn't; 0 where none ran"),
    "tests_passed": ExportColumn(int, lambda item: item.record.graft.verdict.passed, "how many of them passed"),
    "flags": ExportColumn(
        str, lambda item: "; ".join(item.record.graft.verdict.flags), "what a reviewer should look at"
    ),
    "differential": ExportColumn(
        str,
        lambda item: item.record.differential,
        "beside the gold, call by call: `same on 212 calls` or what differs",
    ),
    "plus": ExportColumn(
        str,
        lambda item: item.record.plus,
        "by the plus tests, of an answer that passes its suites: `passed` or `failed: ...`",
    ),
    "audit": ExportColumn(
        str, lambda item: item.record.audit.state, "the control run: honest, partly, unknown or forged"
    ),
    "functions": ExportColumn(int, lambda item: max(1, len(item.record.holes)), "functions that the task asks for"),
    "functions_alone": ExportColumn(
        int,
        _count_functions_passed_alone,
        "those that pass alone, with the others' golds; empty for a task of one function",
    ),
    "exact_match": ExportColumn(
        bool, lambda item: item.record.graft.exact_match, "equal to the repository's own text"
    ),
    "edit_similarity": ExportColumn(float, lambda item: item.record.edit_similarity, "1 - edits / longer length"),
    "official_outcome": ExportColumn(
        str,
        lambda item: "" if item.record.holes else item.record.official.verdict.outcome.value,
        "the outcome by the official rules; empty for a task of several functions",
    ),
    "official_exact_match": ExportColumn(
        bool, lambda item: item.record.official.exact_match, "the official exact match"
    ),
    "context_tokens": ExportColumn(
        int, lambda item: item.record.context_tokens, "tokens of the context that was shown"
    ),
    "context_dropped": ExportColumn(int, lambda item: item.record.dropped, "snippets that the budget left out"),
    "answers": ExportColumn(int, lambda item: len(item.record.rounds), "answers of the model in the conversation"),
    "tool_calls": ExportColumn(int, lambda item: sum(entry.tools for entry in item.record.rounds), "its tool calls"),
    "callees_needed": ExportColumn(
        int, lambda item: len(item.record.callees.needed), "callees of the gold in the repository"
    ),
    "callees_shown": ExportColumn(int, lambda item: len(item.record.callees.shown), "those that the model saw"),
    "callees_used": ExportColumn(int, lambda item: len(item.record.callees.used), "those that its answer uses"),
    "prompt_tokens": ExportColumn(int, lambda item: item.record.usage.prompt_tokens, "tokens in, all calls together"),
    "completion_tokens": ExportColumn(int, lambda item: item.record.usage.completion_tokens, "tokens out"),
    "cost": ExportColumn(float, lambda item: item.record.usage.cost, "USD, empty where a price isn't known"),
    "model_seconds": ExportColumn(
        float, lambda item: item.record.usage.model_seconds, "wall time of the model's calls"
    ),
    "compilations": ExportColumn(int, lambda item: item.record.usage.compiles, "drafts that were compiled"),
    "compile_seconds": ExportColumn(float, lambda item: item.record.usage.compile_seconds, "wall time of these"),
    "test_seconds": ExportColumn(float, lambda item: item.record.test_s, "wall time of check, build and tests"),
    "build_cpu_seconds": ExportColumn(
        float, lambda item: item.record.build_cpu_s, "CPU time from the text to the linked program"
    ),
}


def make_flat_rows(run: str, manifest: RunManifest, records: Sequence[SampleRecord]) -> list[dict[str, Value]]:
    """A row for each sample, by column. A byte that wasn't UTF-8 is written as `\\udc80`: Arrow and pandas hold no
    lone surrogate."""
    items = [ExportedSample(run, manifest, record) for record in records]
    values = [{name: column.value(item) for name, column in COLUMNS.items()} for item in items]
    return [{name: replace_surrogates(v) if isinstance(v, str) else v for name, v in row.items()} for row in values]
