"""What the commands of cli.py do; imported when one is called."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.table import Table

from agent.prompts import load_prompts
from executor.cache import cache_root
from executor.tasks.load import load_rows
from executor.tasks.predictions import read_predictions, resolve
from executor.values import Task
from experiments.arms.arm import parse_arm
from experiments.consoles import stderr, stdout
from experiments.files import write_atomically
from experiments.progress import ConsoleProgress
from experiments.report.model import Report, keep_report, make_report
from experiments.report.regrade import regrade
from experiments.report.story import print_story
from experiments.report.terminal import print_report, print_samples
from experiments.run.batch import Offline, batch_lines, first_requests
from experiments.run.config import RunConfig, default_out, load_config, override_config
from experiments.run.experiment import JOURNAL, Job, RunEnd, make_asker, matrix, run_experiment
from experiments.run.manifest import Manifest, read_manifest
from experiments.run.records import Execution, SampleRecord, Scored, Story, loads, read_journal, story_path
from experiments.run.reference_models import predictions_for, stub_model_for
from experiments.run.validity import chosen_ids
from experiments.run.workspace import Workspace, prepare_reading
from index.errors import ConfigError, GraftError, TaskError
from index.strict import did_you_mean

log = logging.getLogger(__name__)

# Exit code of a run that stopped before its end (ceiling, engine or provider gone); the same command goes on.
STOPPED = 3


def run_command(
    path: Path,
    overrides: Sequence[str],
    mirror: Path | None,
    *,
    retry_errors: bool,
    responses: Path | None = None,
    replay: Path | None = None,
) -> int:
    if responses is not None and replay is not None:
        raise ConfigError("--responses and --replay: say one of them")
    config = _with_mirror(load_config(path, overrides), mirror)
    offline = Offline(responses, replay) if responses is not None or replay is not None else None
    end = run_experiment(config, cache_root(), ConsoleProgress(stderr()), retry_errors=retry_errors, offline=offline)
    return finish(end)


def prompts_command(path: Path, overrides: Sequence[str], mirror: Path | None, out: Path) -> None:
    """Every first prompt as a batch request. No model is asked, nothing is built, and no sandbox is needed."""
    config = _with_mirror(load_config(path, overrides), mirror)
    tasks, readings, left_out = prepare_reading(config, cache_root())
    for line in left_out:
        log.info(line)
    asker = make_asker(config, readings, load_prompts(config.prompts), stub_model_for)
    jobs = matrix(config, tasks)
    requests = first_requests(asker, jobs)
    write_atomically(out, batch_lines(requests))
    shared = f" for {len(jobs)} samples, equal ones asked once" if len(requests) < len(jobs) else ""
    log.info(f"{out}: {len(requests)} requests{shared}; answers: graft run {path} ... --responses FILE")


def finish(end: RunEnd) -> int:
    """Report and exit code: 0 finished, 3 stopped early."""
    if end.records:
        report = report_of(end.run, end.records)
        keep_report(end.run, report)
        print_report(stdout(), report)
    if end.stopped:
        stderr().print(f"graft: stopped: {end.stopped}", markup=False, soft_wrap=True)
        return STOPPED
    return 0


def report_of(run: Path, records: Sequence[SampleRecord]) -> Report:
    return make_report(run, read_manifest(run), records)


def keys_command() -> None:
    table = Table(box=None, pad_edge=False)
    for column in ("key", "default", "meaning"):
        table.add_column(column, overflow="fold")
    for name, field in RunConfig.model_fields.items():
        default = "(needed)" if field.is_required() else _shown(field.get_default(call_default_factory=True))
        table.add_row(name, default, field.description or "", style=None)
    stdout().print(table)


def show_command(run: Path, task_id: str | None, arm: str | None, sample: int | None, *, full: bool) -> None:
    manifest = read_manifest(run)
    records = _records(run)
    console = stdout()
    if task_id is None:
        print_report(console, make_report(run, manifest, records), levels=True)
        print_samples(console, [r for r in records if arm in (None, r.arm) and sample in (None, r.sample)])
        return
    chosen = [r for r in records if r.task_id == task_id and arm in (None, r.arm) and sample in (None, r.sample)]
    if not chosen:
        known = {record.task_id for record in records}
        if task_id in known:
            raise TaskError(f"{run}: task {task_id} has no sample of that arm and number")
        raise TaskError(f"{run}: no finished sample of task {task_id!r}{did_you_mean(task_id, known)}")
    task = _task(manifest, task_id)
    for record in chosen:
        path = story_path(run, record.arm, record.task_id, record.sample)
        story = loads(Story, path.read_bytes(), path) if path.is_file() else None
        readings = [("graft", record.graft)]
        if record.official.execution != record.graft.execution:
            readings.append(("official", record.official))
        print_story(console, run, task, record, story, [_reading(run, *one) for one in readings], full=full)


def grade_run_command(run: Path, mirror: Path | None, *, official: bool) -> None:
    if official:
        _grade_officially(run, mirror)
        return
    manifest = read_manifest(run)
    fresh, changes = regrade(run, manifest, _records(run))
    report = make_report(run, manifest, fresh)
    keep_report(run, report)
    console = stdout()
    print_report(console, report)
    console.print(f"graded {len(fresh)} samples from their logs; {len(changes)} verdicts changed")
    for change in changes:
        where = f"{change.task_id} ({change.arm}, sample {change.sample}, {change.reading})"
        console.print(f"  {where}: {change.before} -> {change.after}", markup=False)


def _grade_officially(run: Path, mirror: Path | None) -> None:
    from experiments.report.official_grade import print_official, score_officially

    manifest = read_manifest(run)
    if mirror is not None:
        manifest = replace(manifest, config={**manifest.config, "mirror": str(mirror)})
    records = _records(run)
    scores = score_officially(run, manifest, records, cache_root())
    print_official(stdout(), run, scores)


def grade_predictions_command(
    path: Path, overrides: Sequence[str], mirror: Path | None, *, official: bool = False
) -> int:
    """Score answers made elsewhere by the way that every answer takes. Tasks without an answer aren't scored."""
    if not path.is_file():
        raise ConfigError(f"{path}: neither a run's folder nor a file of predictions")
    given = {"model": f"predictions:{path.name}", "arms": ["none"]}
    config = _with_mirror(override_config(RunConfig.model_validate(given), overrides), mirror)
    if config.out is None:
        config = config.model_copy(update={"out": default_out("grade", path.stem)})
    rows = load_rows(config.dataset, config.oracle_file)
    found = resolve(read_predictions(path), rows)
    answers = {(one.task_id, one.sample): one.completion for one in found}
    ids = chosen_ids(config.tasks, config.repos, rows)
    wanted = [one.task_id for one in found if not ids or one.task_id in ids]
    chosen = tuple(dict.fromkeys(wanted))
    if not chosen:
        raise TaskError(f"{path}: no prediction for the chosen tasks")
    config = config.model_copy(update={"tasks": chosen})

    def jobs_of(space: Workspace) -> list[Job]:
        arm = parse_arm("none")
        ids = {task.id: task for task in space.tasks}
        return [(ids[task_id], arm, sample) for task_id, sample in sorted(answers) if task_id in ids]

    progress = ConsoleProgress(stderr())
    log.info(f"{path}: {len(answers)} answers to {len(chosen)} of the data set's {len(rows)} tasks")
    end = run_experiment(config, cache_root(), progress, model_for=predictions_for(answers), jobs_of=jobs_of)
    code = finish(end)
    if official and not code:
        _grade_officially(end.run, mirror)
    return code


def _reading(run: Path, name: str, scored: Scored) -> tuple[str, Scored, Execution | None]:
    path = run / scored.execution / "execution.json"
    known = bool(scored.execution) and path.is_file()
    return name, scored, loads(Execution, path.read_bytes(), path) if known else None


def _task(manifest: Manifest, task_id: str) -> Task | None:
    """The task with its gold, when its source is still at hand; a story is worth reading without it."""
    from experiments.run.workspace import bound_tasks

    config = RunConfig.model_validate(
        {**manifest.config, "tasks": [task_id], "repos": [], "levels": [], "limit": None}
    )
    try:
        tasks, _, _ = bound_tasks(config, cache_root())
    except GraftError:
        return None
    return tasks[0]


def _records(run: Path) -> tuple[SampleRecord, ...]:
    records = tuple(read_journal(run / JOURNAL).values())
    if not records:
        raise ConfigError(f"{run}: no sample is finished yet")
    return records


def _with_mirror(config: RunConfig, mirror: Path | None) -> RunConfig:
    return config if mirror is None else config.model_copy(update={"mirror": mirror})


def _shown(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, tuple):
        return "[" + ", ".join(str(one) for one in value) + "]"
    return str(value)
