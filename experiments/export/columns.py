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
class Column:
    """`kind` is a value's type where there is one; None stands for what isn't known."""

    kind: type[str] | type[int] | type[float] | type[bool]
    value: Callable[[ExportedSample], Value]
    meaning: str


def _read_setting(key: str) -> Callable[[ExportedSample], Value]:
    return lambda item: _to_plain_value(item.manifest.config.get(key))


def _to_plain_value(value: object) -> Value:
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _read_health(item: ExportedSample) -> str | None:
    repo = item.manifest.repos.get(item.record.repo)
    return None if repo is None or repo.health is None else repo.health.health.get(item.record.task_id)


def _count_functions_passed_alone(item: ExportedSample) -> int | None:
    return sum(bool(hole.alone) for hole in item.record.holes) if item.record.holes else None


def _count_tests(item: ExportedSample) -> int:
    verdict = item.record.graft.verdict
    return verdict.passed + len(verdict.failed) + len(verdict.missing)


COLUMNS: Mapping[str, Column] = {
    "run": Column(str, lambda item: item.run, "the run's folder"),
    "model": Column(str, _read_setting("model"), "the model's name, as in the configuration"),
    "dataset": Column(str, lambda item: item.manifest.dataset, "the data set"),
    "dataset_version": Column(str, lambda item: item.manifest.dataset_version, "its version"),
    "variant": Column(str, _read_setting("variant"), "the renaming of the repositories, empty for the originals"),
    "arm": Column(str, lambda item: item.record.arm, "the arm"),
    "task": Column(str, lambda item: item.record.task_id, "the task's id"),
    "sample": Column(int, lambda item: item.record.sample, "the sample's number, from 0"),
    "repository": Column(str, lambda item: item.record.repo, "the repository"),
    "level": Column(str, lambda item: item.record.level, "how far away the callees lie: none to project"),
    "health": Column(
        str, _read_health, "what graft doctor says of the task: valid, weak, flaky or broken; empty: unknown"
    ),
    "outcome": Column(
        str,
        lambda item: item.record.graft.verdict.outcome.value,
        "passed, tests_failed, build_failed, timeout, to_review, no_answer, model_error or infra_error",
    ),
    "passed": Column(bool, lambda item: item.record.passed, "whether the outcome is passed"),
    "counts": Column(bool, lambda item: item.record.counts, "false for our own failures, which no score counts"),
    "built": Column(bool, lambda item: item.record.graft.verdict.built, "whether all was compiled and linked"),
    "stopped_at": Column(
        str, lambda item: item.record.graft.verdict.tier.value, "the last stage: answer, check, build or tests"
    ),
    "reason": Column(str, lambda item: item.record.graft.verdict.reason, "what the verdict rests on, in one line"),
    "cause": Column(str, lambda item: find_cause(item.record), "why it failed, one of a few words"),
    "about": Column(str, lambda item: describe_cause(item.record), "what the cause is about"),
    "tests": Column(int, _count_tests, "tests that should have passed and ran or didn't; 0 where none ran"),
    "tests_passed": Column(int, lambda item: item.record.graft.verdict.passed, "how many of them passed"),
    "flags": Column(str, lambda item: "; ".join(item.record.graft.verdict.flags), "what a reviewer should look at"),
    "differential": Column(
        str,
        lambda item: item.record.differential,
        "beside the gold, call by call: `same on 212 calls` or what differs",
    ),
    "plus": Column(
        str,
        lambda item: item.record.plus,
        "by the plus tests, of an answer that passes its suites: `passed` or `failed: ...`",
    ),
    "audit": Column(str, lambda item: item.record.audit.state, "the control run: honest, partly, unknown or forged"),
    "functions": Column(int, lambda item: max(1, len(item.record.holes)), "functions that the task asks for"),
    "functions_alone": Column(
        int,
        _count_functions_passed_alone,
        "those that pass alone, with the others' golds; empty for a task of one function",
    ),
    "exact_match": Column(bool, lambda item: item.record.graft.exact_match, "equal to the repository's own text"),
    "edit_similarity": Column(float, lambda item: item.record.edit_similarity, "1 - edits / longer length"),
    "official_outcome": Column(
        str,
        lambda item: "" if item.record.holes else item.record.official.verdict.outcome.value,
        "the outcome by the official rules; empty for a task of several functions",
    ),
    "official_exact_match": Column(bool, lambda item: item.record.official.exact_match, "the official exact match"),
    "context_tokens": Column(int, lambda item: item.record.context_tokens, "tokens of the context that was shown"),
    "context_dropped": Column(int, lambda item: item.record.dropped, "snippets that the budget left out"),
    "answers": Column(int, lambda item: len(item.record.rounds), "answers of the model in the conversation"),
    "tool_calls": Column(int, lambda item: sum(entry.tools for entry in item.record.rounds), "its tool calls"),
    "callees_needed": Column(
        int, lambda item: len(item.record.callees.needed), "callees of the gold in the repository"
    ),
    "callees_shown": Column(int, lambda item: len(item.record.callees.shown), "those that the model saw"),
    "callees_used": Column(int, lambda item: len(item.record.callees.used), "those that its answer uses"),
    "prompt_tokens": Column(int, lambda item: item.record.usage.prompt_tokens, "tokens in, all calls together"),
    "completion_tokens": Column(int, lambda item: item.record.usage.completion_tokens, "tokens out"),
    "cost": Column(float, lambda item: item.record.usage.cost, "USD, empty where a price isn't known"),
    "model_seconds": Column(float, lambda item: item.record.usage.model_seconds, "wall time of the model's calls"),
    "compilations": Column(int, lambda item: item.record.usage.compiles, "drafts that were compiled"),
    "compile_seconds": Column(float, lambda item: item.record.usage.compile_seconds, "wall time of these"),
    "test_seconds": Column(float, lambda item: item.record.test_s, "wall time of check, build and tests"),
    "build_cpu_seconds": Column(
        float, lambda item: item.record.build_cpu_s, "CPU time from the text to the linked program"
    ),
}


def make_flat_rows(run: str, manifest: RunManifest, records: Sequence[SampleRecord]) -> list[dict[str, Value]]:
    """A row for each sample, by column. A byte that wasn't UTF-8 is written as `\\udc80`: Arrow and pandas hold no
    lone surrogate."""
    items = [ExportedSample(run, manifest, record) for record in records]
    values = [{name: column.value(item) for name, column in COLUMNS.items()} for item in items]
    return [{name: replace_surrogates(v) if isinstance(v, str) else v for name, v in row.items()} for row in values]
