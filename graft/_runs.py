"""Runs: start one, grade one again, load one. Heavy imports wait inside the functions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import DataFrame

    from experiments.run.manifest import RunManifest
    from experiments.run.records import SampleRecord


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer and what became of it.

    outcome  passed, tests_failed, build_failed, timeout, to_review, no_answer, model_error or infra_error
    reason   what the verdict rests on, in one line
    tokens   in and out, all calls together
    seconds  wall time of the model, the compiler and the tests
    """

    task: str
    arm: str
    number: int
    outcome: str
    reason: str
    exact_match: bool
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ArmScore:
    """An arm's figures over all its tasks, as shares of 1; `low` and `high` bound pass@1 by a 95 % interval.

    Samples that ended in an infrastructure error count nowhere; where no other is left, a figure is NaN."""

    arm: str
    tasks: int
    pass_at_1: float
    low: float
    high: float
    built: float
    exact_match: float


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run's folder, its scores by arm and its samples, in the order in which they were finished.

    stopped  why the run ended before its last sample, or ""; the same call takes it up again
    """

    folder: Path
    model: str
    dataset: str
    arms: tuple[ArmScore, ...]
    samples: tuple[Sample, ...]
    stopped: str = ""

    def to_pandas(self) -> DataFrame:
        """The samples as a data frame: a row each, with the columns of docs/reference/export.md. It reads the run's
        folder. Raises UserError where pandas isn't installed, or the folder holds no finished sample."""
        from experiments.export.columns import make_flat_rows
        from experiments.run.manifest import read_manifest
        from experiments.run.records import read_finished_records
        from index.errors import UserError, describe_install_commands

        try:
            from pandas import DataFrame
        except ImportError:
            raise UserError(f"to_pandas needs pandas: {describe_install_commands('data')}") from None
        return DataFrame(
            make_flat_rows(str(self.folder), read_manifest(self.folder), read_finished_records(self.folder))
        )


def run(
    config: str | Path,
    *,
    mirror: str | Path | None = None,
    retry_errors: bool = False,
    **keys: str | int | float | bool | Path | Iterable[str] | Mapping[str, object] | None,
) -> RunReport:
    """Run an experiment, or go on with one: finished samples are neither done nor paid for again.

    config        a configuration file, or the name of one that comes with Graft: oracle, retrieval, feedback, agentic,
                  hard
    mirror        a folder with the repositories' sources; None: what GRAFT_MIRROR names
    retry_errors  do samples again that ended in a model error
    keys          keys of the configuration, laid over the file: model="gold", limit=5, arms=["oracle", "learned"]

    Raises UserError for a mistake in the configuration, or when `out` holds another run.
    """
    from executor.cache import cache_root
    from experiments.run.config import load_config
    from experiments.run.experiment import run_experiment
    from experiments.run.manifest import read_manifest
    from lab.differential.compare_with_gold import compare_with_gold

    words = [f"{key}={_format_value_for_command_line(value)}" for key, value in keys.items()]
    if mirror is not None:
        words.append(f"mirror={mirror}")
    end = run_experiment(
        load_config(Path(config), words), cache_root(), retry_errors=retry_errors, comparison=compare_with_gold
    )
    return _make_run_report(end.run, read_manifest(end.run), end.records, end.stopped)


def grade(folder: str | Path) -> RunReport:
    """Grade the stored logs of a run again, by this version's rules. Nothing is run, asked or written.

    A sample whose files are damaged or gone keeps its verdict, and `stopped` says so. Raises UserError when the folder
    holds no run or no finished sample.
    """
    from experiments.report.regrade import regrade_logs
    from experiments.run.manifest import read_manifest

    run_folder = Path(folder)
    done = regrade_logs(run_folder, read_manifest(run_folder))
    return _make_run_report(run_folder, done.manifest, done.records, "; ".join(done.problems))


def load_run(folder: str | Path) -> RunReport:
    """A run as it was recorded, finished or not.

    Raises UserError when the folder holds no run or no finished sample.
    """
    from experiments.run.manifest import read_manifest
    from experiments.run.records import read_finished_records

    manifest = read_manifest(Path(folder))
    return _make_run_report(Path(folder), manifest, read_finished_records(Path(folder)))


def _format_value_for_command_line(value: object) -> str:
    """A Python value as the command line would have it."""
    if isinstance(value, str | Path):
        return str(value)
    if isinstance(value, Iterable) and not isinstance(value, Mapping):
        return ",".join(str(item) for item in value)
    return json.dumps(value)


def _make_run_report(
    folder: Path, manifest: RunManifest, records: tuple[SampleRecord, ...], stopped: str = ""
) -> RunReport:
    from experiments.report.run_report import make_report

    report = make_report(folder, manifest, records)
    return RunReport(
        folder=folder,
        model=report.model,
        dataset=manifest.dataset,
        arms=tuple(
            ArmScore(
                arm=row.arm,
                tasks=int(row.get_number("tasks")),
                pass_at_1=row.get_estimate("pass_at_1").value,
                low=row.get_estimate("pass_at_1").low,
                high=row.get_estimate("pass_at_1").high,
                built=row.get_estimate("built").value,
                exact_match=row.get_estimate("exact_match").value,
            )
            for row in report.rows
        ),
        samples=tuple(
            Sample(
                task=record.task_id,
                arm=record.arm,
                number=record.sample,
                outcome=record.graft.verdict.outcome.value,
                reason=record.graft.verdict.reason,
                exact_match=record.graft.exact_match,
                tokens=record.usage.prompt_tokens + record.usage.completion_tokens,
                seconds=record.seconds,
            )
            for record in records
        ),
        stopped=stopped,
    )
