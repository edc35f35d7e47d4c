"""The matrix of arm, task and sample: what is left of it is done, several at once, and each result is journalled."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from agent.model.capabilities import find_missing_api_key_variable
from agent.model.litellm_model import LiteLLMModel, RetryPolicy
from agent.model.response_store import sum_stored_usage, wrap_in_store
from agent.model.spending_ceiling import SpendingLimitedModel
from agent.values import ModelRequest
from executor.candidate.compiler import precompile_includes_of_slow_units
from executor.candidate.precompiled import HeaderStore, open_header_store
from executor.grading.official import OFFICIAL_RULES
from executor.manifest.variant.record import record_path_in_run, write_variant_record
from executor.sandbox.contract import Backend
from executor.sandbox.scheduled import log_machine_use, make_low_priority_backend
from executor.threads import map_in_threads_as_completed
from executor.values import Outcome, Task, Verdict
from executor.workers.contract import GoldComparison, Workers
from executor.workers.local import LocalWorkers
from executor.workers.throughput import FILE as NODES
from experiments.arms.budget import compute_scaled_task_budget
from experiments.files import Journal, lock_folder
from experiments.run.batch import Offline, write_further_requests_and_advise
from experiments.run.config import RunConfig
from experiments.run.manifest import join_and_write_manifest, make_manifest, record_last_measurement_round_in_manifest
from experiments.run.records import (
    JOURNAL,
    UNFINISHED,
    SampleKey,
    SampleRecord,
    apply_rule_and_reviews,
    apply_rule_and_stored_reviews,
    encode_json_value,
    read_finished_samples_with_executions,
    read_journal,
)
from experiments.run.reference_models import GOLD, REFERENCES, STUB, ModelFor, make_gold_model, make_stub_model
from experiments.run.resolve import Job, resolve_config_parts
from experiments.run.sample_facts import Input
from experiments.run.sampling.conversation import make_asker
from experiments.run.sampling.early_verdicts import (
    note_unmeasured_suites_and_find_samples_to_judge_again,
    wait_and_confirm_early_verdicts,
)
from experiments.run.sampling.executions import Executions, find_incomplete_samples, save_expected_tests_in_run
from experiments.run.sampling.sample import Bench, ask_and_judge_sample
from experiments.run.workspace import Workspace, prepare_workspace
from index.errors import OUT_OF_STOCK, AnswerPending, CeilingReached, ConfigError, GraftError, InfraError
from index.progress import SILENT, Progress

log = logging.getLogger(__name__)

RESPONSES = "responses.sqlite"
# As many in a row mean that the engine, the disk, the provider or the key is gone, not that a task is unlucky.
LONGEST_STREAKS: Mapping[Outcome, tuple[int, str]] = {
    Outcome.INFRA_ERROR: (3, ""),
    Outcome.MODEL_ERROR: (8, " with --retry-errors"),
}


@dataclass(frozen=True, slots=True)
class GivenAnswers:
    """Answers that were made elsewhere. `model_for` gives them out as a model does. `jobs_of` replaces the full
    matrix. `inputs`: what the verdicts hang on beside the tasks, as a file of answers: it must not change."""

    model_for: ModelFor
    jobs_of: Callable[[Workspace], Sequence[Job]] | None = None
    inputs: Mapping[str, Input] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunEnd:
    """`stopped` is "" when every sample is finished, else why the run ended early."""

    run: Path
    records: tuple[SampleRecord, ...]
    stopped: str


def run_experiment(
    config: RunConfig,
    cache: Path,
    progress: Progress = SILENT,
    *,
    answers: GivenAnswers | None = None,
    trusted: bool = False,
    retry_errors: bool = False,
    offline: Offline | None = None,
    comparison: GoldComparison | None = None,
) -> RunEnd:
    """Do all samples that the journal lacks.

    answers       replaces the configured model
    trusted       the candidates are Graft's own and may run without isolation
    retry_errors  repeat the samples that ended in a model error
    offline       where the answers come from; no model is asked
    comparison    compares answers with the gold, where the configuration's `differential` asks for it

    Raises UserError for a mistake in the configuration, or a folder that holds another run; InfraError when the run's
    folder can't be written.
    """
    if config.out is None:
        raise ConfigError("out: name the run's folder")
    run = config.out
    parts = resolve_config_parts(config)
    if answers is None and offline is None:
        _require_api_key(config, run)
    _make_run_folder(run)
    if config.executor == "ray":
        from executor.workers.ray_workers import connect_ray

        # Before anything is built: a missing cluster shows at once.
        connect_ray(config.ray)
    space = prepare_workspace(parts, cache, progress, trusted=trusted)
    if config.differential != "none" and comparison is None:
        raise ConfigError("differential: this program can't compare with the gold; use graft run or graft.run")
    with lock_folder(run), closing(make_local_or_ray_workers(config, space, cache, run)) as workers:
        readings = {name: repo.reading for name, repo in space.repos.items()}
        asker = make_asker(parts, readings, answers.model_for if answers else _make_configured_model_for(config, run))
        executions = Executions(
            run,
            workers,
            config.audit,
            # A reference model checks the harness, the control run with it.
            golds=config.model in REFERENCES,
            compare=config.differential,
            comparison=comparison,
            plus=config.plus,
        )
        jobs = list(answers.jobs_of(space) if answers and answers.jobs_of else parts.list_jobs(space.tasks))
        inputs = {
            **(answers.inputs if answers else {}),
            **(offline.make_replay_input_or_empty() if offline is not None else {}),
        }
        sizes = sorted({1, *(len(task.target.holes) for task in space.tasks)})
        budgets = {holes: compute_scaled_task_budget(asker.settings, asker.contexts.packing, holes) for holes in sizes}
        kept = join_and_write_manifest(run, make_manifest(parts, space, jobs, inputs, budgets))
        rules = OFFICIAL_RULES[config.official]
        bench = Bench(run, space.repos, executions, asker, rules, kept.pass_rule, space.tasks)
        for name, repo in space.repos.items():
            if repo.variant is not None:
                write_variant_record(record_path_in_run(run, name), repo.variant)
        return _run_remaining_jobs(bench, config, space, jobs, progress, offline, cache, retry_errors=retry_errors)


def _make_run_folder(run: Path) -> None:
    """Before anything is built: a place that can't be written to shows at once. Raises ConfigError for it."""
    try:
        run.mkdir(parents=True, exist_ok=True)
        (run / ".lock").touch()
    except FileExistsError:
        raise ConfigError(f"out: {run} is a file; name a folder") from None
    except OSError as error:
        if error.errno in OUT_OF_STOCK:
            raise
        raise ConfigError(f"out: {run} can't be made or written ({error.strerror}); name another folder") from None


def make_local_or_ray_workers(config: RunConfig, space: Workspace, cache: Path, run: Path) -> Workers:
    """What the configuration's `executor` names. Raises ConfigError when it can't be had."""
    if config.executor == "ray":
        from executor.workers.ray_workers import RayWorkers

        return RayWorkers(config.ray, space.sandbox.backend.name, run / NODES)
    return LocalWorkers(space.sandbox.backend, cache)


def _precompile_slow_headers(bench: Bench, backend: Backend, headers: HeaderStore, todo: Sequence[Job]) -> None:
    """Precompile the headers of slow units before the first sample, so that no draft waits for a slow check."""
    targets = {task.id: task.target for task, arm, _ in todo if arm.compiles}.values()
    for name, repo in bench.repos.items():
        places = [(hole.path, hole.span) for target in targets if target.repo == name for hole in target.holes]
        precompile_includes_of_slow_units(repo.image, backend, places, headers)


def _start_learning_suite_rights(space: Workspace, tasks: Sequence[Task]) -> None:
    """Learn beside the first samples what the suites' programs may do: the samples of tasks with the same suite would
    wait for one that learns it."""
    pairs = [
        (task.target.repo, suite)
        for task in tasks
        for suite in space.repos[task.target.repo].list_judging_and_plus_confining_suites(task.id)
    ]
    backend, workers = make_low_priority_backend(space.sandbox.backend), space.sandbox.scheduler.most

    def learn_rights(pair: tuple[str, str]) -> None:
        # Who needs the suite meets the same problem, and tells of it.
        with suppress(GraftError, OSError):
            space.repos[pair[0]].learn_rights(pair[1], backend)

    if workers > 1:
        learning = map_in_threads_as_completed(learn_rights, list(dict.fromkeys(pairs)), workers)
        threading.Thread(target=list, args=(learning,), daemon=True).start()


def _run_remaining_jobs(
    bench: Bench,
    config: RunConfig,
    space: Workspace,
    jobs: Sequence[Job],
    progress: Progress,
    offline: Offline | None,
    cache: Path,
    *,
    retry_errors: bool,
) -> RunEnd:
    run = bench.run
    save_expected_tests_in_run(run, {name: repo.image for name, repo in space.repos.items()})
    for line in space.left_out:
        log.info(line)
    again = UNFINISHED | ({Outcome.MODEL_ERROR} if retry_errors else frozenset())
    passed: set[SampleKey] = set()
    done = read_finished_samples_with_executions(run / JOURNAL, again, bench.pass_rule, passed)
    for key in find_incomplete_samples(run, done):
        del done[key]
    for key in note_unmeasured_suites_and_find_samples_to_judge_again(run, space.repos, done):
        done.pop(key, None)
    todo = [job for job in jobs if (job[1].name, job[0].id, job[2]) not in done]
    passed &= done.keys()
    before = len(jobs) - len(todo), sum((arm.name, task.id, sample) in passed for task, arm, sample in jobs)
    del done, passed  # a million keys would stay for the whole run
    if config.executor == "local":
        _precompile_slow_headers(bench, space.sandbox.backend, open_header_store(cache), todo)
    if offline is not None:
        model_for = offline.make_stored_answer_model_for(bench.asker, jobs, todo, run / RESPONSES)
        bench = replace(bench, asker=replace(bench.asker, model_for=model_for))
    if len(todo) < len(jobs):
        log.info(f"resuming {run}: {len(jobs) - len(todo)} of {len(jobs)} samples are finished")
    pending: list[tuple[Job, ModelRequest]] = []
    concurrency = config.concurrency or space.sandbox.scheduler.most
    if config.executor == "local":
        _start_learning_suite_rights(space, [task for task, _, _ in todo])
    try:
        stopped = _run_jobs_and_explain_stop_or_empty(bench, todo, concurrency, progress, pending, before)
        taken_back: set[SampleKey] = set()
        for found in wait_and_confirm_early_verdicts(run, space.repos, bench.pass_rule):
            record_last_measurement_round_in_manifest(run, found)
            taken_back |= found.taken_back
        left = [job for job in jobs if (job[1].name, job[0].id, job[2]) in taken_back]
        stopped = _run_jobs_and_explain_stop_or_empty(bench, left, concurrency, progress, pending) or stopped
    finally:
        for repo in space.repos.values():
            repo.built.begin_no_further_suite()
        log_machine_use(space.sandbox.backend)
    if pending and not stopped:
        stopped = write_further_requests_and_advise(run, pending)
    records = apply_rule_and_stored_reviews(run, read_journal(run / JOURNAL).values(), bench.pass_rule)
    return RunEnd(run, records, stopped or _explain_unanswered_run_or_empty(records))


def _explain_unanswered_run_or_empty(records: Sequence[SampleRecord]) -> str:
    """Why a run in which every call failed is no result, or ""."""
    verdicts = [record.graft.verdict for record in records]
    if not verdicts or any(verdict.outcome is not Outcome.MODEL_ERROR for verdict in verdicts):
        return ""
    whom = "the sample" if len(verdicts) == 1 else f"any of {len(verdicts)} samples"
    return _format_stop_advice(f"no answer came to {whom}", verdicts[-1])


def _format_stop_advice(problem: str, last: Verdict) -> str:
    _, option = LONGEST_STREAKS[last.outcome]
    return f"{problem}, last: {last.reason.removesuffix('.')}; solve that, and continue with the same command{option}"


def _make_configured_model_for(config: RunConfig, run: Path) -> ModelFor:
    if config.model == GOLD:
        return make_gold_model
    if config.model == STUB:
        return make_stub_model
    store = run / RESPONSES
    real = LiteLLMModel(
        policy=RetryPolicy(attempts=config.max_attempts, timeout_s=config.timeout_s),
        api_key=_read_configured_api_key(config),
        on_retry=log.info,
    )
    # Outermost the store: what is in it costs nothing, so no ceiling holds it back.
    spent = sum_stored_usage(store, known_prices_alone=True)
    model = wrap_in_store(SpendingLimitedModel(real, config.max_cost, config.max_tokens, spent, log.info), store)
    return lambda task, sample: model


def _require_api_key(config: RunConfig, run: Path) -> None:
    """Raises ConfigError where the model surely needs a key and has none. A run that was begun may need no further
    answer."""
    has_own_server = config.api_base is not None
    if config.model in REFERENCES or (run / JOURNAL).exists() or _read_configured_api_key(config) or has_own_server:
        return
    missing = find_missing_api_key_variable(config.model)
    if missing is not None:
        raise ConfigError(
            f"model: {config.model} needs {missing}; set it, or name another variable with api_key_env=NAME"
        )


def _read_configured_api_key(config: RunConfig) -> str | None:
    """The key from the environment. It is never written into a configuration, which is shared and kept."""
    if config.api_key_env is None:
        return None
    key = os.environ.get(config.api_key_env)
    if not key:
        raise ConfigError(f"api_key_env: the environment variable {config.api_key_env} isn't set")
    return key


def _explain_stop_for_streak_or_empty(recent: Sequence[Outcome], last: Verdict) -> str:
    """Why the run should stop after these outcomes, of which `last` is the latest, or ""."""
    limit, _ = LONGEST_STREAKS.get(last.outcome, (0, ""))
    if not limit or len(recent) < limit or set(recent[-limit:]) != {last.outcome}:
        return ""
    return _format_stop_advice(f"{limit} samples in a row ended in {last.outcome.value}", last)


def _run_jobs_and_explain_stop_or_empty(
    bench: Bench,
    todo: Sequence[Job],
    concurrency: int,
    progress: Progress,
    pending: list[tuple[Job, ModelRequest]],
    done_and_passed_before: tuple[int, int] = (0, 0),
) -> str:
    """Do the samples `todo`, several at once. Returns why it stopped early, or "". Requests without an answer are
    added to `pending`; their samples stay undone. `done_and_passed_before`: how many were finished before,
    and passed."""
    stopped = ""
    outcomes: list[Outcome] = []
    done, passed = done_and_passed_before
    errors = 0
    lock = threading.Lock()

    def run_and_journal_sample(job: Job) -> None:
        nonlocal stopped, passed, errors
        if stopped:
            return
        try:
            made = ask_and_judge_sample(bench, *job)
        except AnswerPending as error:
            pending.append((job, error.request))
            return
        except CeilingReached as error:
            stopped = stopped or f"ceiling reached: {error}; raise it, and continue with the same command"
            return
        # Before this thread takes another job, so that a stop begins none.
        with lock:
            journal.append(encode_json_value(made))
            verdict = apply_rule_and_reviews(made, bench.pass_rule, {}).graft.verdict
            outcomes.append(verdict.outcome)
            passed += verdict.outcome is Outcome.PASSED
            errors += verdict.outcome is Outcome.INFRA_ERROR
            advance(note=f"{passed} passed" + (f", {errors} infrastructure errors" if errors else ""))
            stopped = stopped or _explain_stop_for_streak_or_empty(outcomes, verdict)

    count = progress.open_count("samples", len(todo) + done, done)
    with count as advance, closing(Journal(bench.run / JOURNAL)) as journal:
        try:
            for _ in map_in_threads_as_completed(run_and_journal_sample, todo, concurrency):
                pass
        except OSError as error:
            raise InfraError(f"{bench.run}: can't be written: {error}; finished samples are safe") from error
    return stopped
