"""graft show: a run's report with its samples, or the story of one task."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax

from experiments.consoles import make_stdout_console, print_line
from experiments.documents import print_document
from experiments.report.metrics import MISSING, format_count
from experiments.report.report_document import make_report_document, mark_official_title_not_comparable
from experiments.report.run_end import HINT, suggest_commands
from experiments.report.run_report import make_report
from experiments.report.stored_run import require_arm
from experiments.report.story.original_names import Reader, make_name_restorer_for_renamed_run, restore_names_in_value
from experiments.report.story.stored_sample import StoredSample, read_sample
from experiments.report.story.story_parts import Block, Lines, Mark, Text, TextDifference, tell_story
from experiments.report.story.task_texts import TaskText, read_task_texts
from experiments.run.manifest import read_manifest
from experiments.run.records import SampleRecord, read_finished_records
from experiments.run.sampling.attribution import find_cause_of_outcome, name_callees_or_test_behind_cause
from experiments.tables import EXTRA, MAIN, Column, Columns, make_label_column, make_table, print_table
from index.errors import ConfigError, TaskError
from index.source_text import split_lines_without_ends
from index.user_files import make_spelling_hint

log = logging.getLogger(__name__)

_STYLES: dict[Mark, str] = {"good": "green", "bad": "red", "flag": "bold", "note": "dim", "": ""}


@dataclass(frozen=True, slots=True)
class Selection:
    """Which samples to show: of this arm, with this number; None: of all. `shown_k`: the k of pass@k; empty: the
    numbers of samples that the arms have. `original_names`: in the names that a variant replaced."""

    arm: str | None = None
    sample: int | None = None
    shown_k: tuple[int, ...] = ()
    original_names: bool = False

    def select_records_of_arm_and_sample(
        self, place: Path | str, records: Sequence[SampleRecord]
    ) -> list[SampleRecord]:
        """The records that are meant. Raises ConfigError, which says what `place` has, where there are none."""
        arms = list(dict.fromkeys(record.arm for record in records))
        if self.arm is not None:
            require_arm(place, self.arm, arms)
            arms = [self.arm]
        of_arm = [record for record in records if record.arm in arms]
        chosen = [record for record in of_arm if self.sample in (None, record.sample)]
        if not chosen:
            numbers = ", ".join(map(str, sorted({record.sample for record in of_arm})))
            raise ConfigError(
                f"{place}: no finished sample {self.sample}; arms: {', '.join(arms)}; samples: {numbers}"
            )
        return chosen


def print_run_report_and_samples(
    run: Path, selection: Selection, *, details: bool = False, every_column: bool = False
) -> None:
    """Print the report; with `details` all of it, and with them or of a chosen arm or sample a line for each sample.
    Raises ConfigError for a folder that holds no run or no finished sample, or none that is meant."""
    manifest = read_manifest(run)
    records = read_finished_records(run)
    chosen = selection.select_records_of_arm_and_sample(run, records)
    report = make_report(run, manifest, records, selection.shown_k)
    most = max((row.repeated.n[1] for row in report.rows), default=0)
    if max(selection.shown_k, default=0) > max(most, 1):
        raise ConfigError(f"{run}: --k {selection.shown_k[-1]}: the run has {format_count(most, 'sample')} a task")
    if selection.original_names:
        chosen = [
            restore_names_in_value(record, make_name_restorer_for_renamed_run(run, record.repo)) for record in chosen
        ]
    console = make_stdout_console(every_column=every_column)
    print_document(console, make_report_document(report), details=details, hint=HINT)
    if details or selection.arm is not None or selection.sample is not None:
        console.print("\nSamples", style="bold")
        print_table(console, make_table(chosen, _make_sample_columns(is_variant=bool(report.variants))), HINT)
    console.print()
    for line in suggest_commands(run, report, chosen):
        print_line(line)


def _make_sample_columns(*, is_variant: bool) -> Columns[SampleRecord]:
    official = mark_official_title_not_comparable("official") if is_variant else "official"
    return {
        make_label_column("task"): lambda record: record.task_id,
        make_label_column("arm"): lambda record: record.arm,
        Column("sample"): lambda record: str(record.sample),
        Column("outcome", "text", MAIN): lambda record: record.graft.verdict.outcome.value,
        Column("cause", "text"): find_cause_of_outcome,
        Column("about", "text"): lambda record: name_callees_or_test_behind_cause(record)[:100],
        Column("stopped at", "text", EXTRA): lambda record: record.graft.verdict.tier.value,
        Column(official, "text", EXTRA): lambda record: (
            MISSING if record.holes else record.official.verdict.outcome.value
        ),
        Column("exact", "text", EXTRA): lambda record: "yes" if record.graft.exact_match else "no",
    }


def show_task(run: Path, task_id: str, selection: Selection, *, full: bool) -> None:
    """Print the story of each selected sample of a task; `full` leaves nothing out. Raises TaskError when the task has
    no finished sample, and ConfigError as `print_run_report_and_samples`."""
    manifest = read_manifest(run)
    records = read_finished_records(run)
    known = {record.task_id for record in records}
    if task_id not in known:
        raise TaskError(f"{run}: no finished sample of task {task_id!r}{make_spelling_hint(task_id, known)}")
    of_task = [record for record in records if record.task_id == task_id]
    chosen = selection.select_records_of_arm_and_sample(f"{run}: task {task_id}", of_task)
    (task,) = read_task_texts(manifest, chosen[:1], under_original_names=selection.original_names)
    for record in chosen:
        sample = read_sample(run, record)
        for problem in sample.problems:
            log.warning(f"{problem}; it isn't shown; the run's own command makes it again when the file is deleted")
        read: Reader = make_name_restorer_for_renamed_run(run, record.repo) if selection.original_names else str
        if selection.original_names:
            sample = restore_names_in_value(sample, read)
        print_story(make_stdout_console(), sample, task, full=full, restore_names=read)


def print_story(
    console: Console, sample: StoredSample, task: TaskText, *, full: bool, restore_names: Callable[[str], str] = str
) -> None:
    """One sample from the task to its cause; `full` cuts no text short. `restore_names` changes the text of logs."""

    def read_log(path: Path, failed: bool) -> str:
        known = (failed or full) and path.is_file()
        return restore_names(path.read_bytes().decode("utf-8", "replace")) if known else ""

    record = sample.record
    console.rule(f"{record.task_id}  {record.arm}  sample {record.sample}")
    console.print(f"{task.name or task.id}  {task.repo}/{task.place}  level {task.level}", markup=False)
    for part in tell_story(sample, task, read_log):
        console.print(f"[bold]{part.title}[/bold]")
        _print_blocks(console, part.blocks, "  ", full=full)
    cause = ": ".join(filter(None, (find_cause_of_outcome(record), name_callees_or_test_behind_cause(record))))
    console.print(f"[bold]cause[/bold]: {escape(cause)}")


def _print_blocks(console: Console, blocks: Sequence[Block], indent: str, *, full: bool) -> None:
    for block in blocks:
        if isinstance(block, Lines):
            for line, mark in block.lines:
                console.print(indent + line, style=_STYLES[mark], markup=False)
        elif isinstance(block, Text):
            _print_text(console, block, indent, full=full)
        elif isinstance(block, TextDifference):
            text = "\n".join(mark + line for mark, line in block.lines)
            console.print(
                Syntax(text, "diff", background_color="default") if console.is_terminal else text, markup=False
            )
        else:
            note = f": {escape(block.note)}" if block.note else ""
            console.print(f"{indent}[bold]{escape(block.title)}[/bold]{note}")
            _print_blocks(console, block.blocks, indent + "  ", full=full)


def _print_text(console: Console, block: Text, indent: str, *, full: bool) -> None:
    lines = split_lines_without_ends(block.text)
    more = 0 if full else max(len(lines) - block.most, 0)
    if more:
        lines = lines[-block.most :] if block.style == "log" else lines[: block.most]
        lines = lines if block.most else []
        lines.append(f"... {more} more lines (--full)")
    console.print("\n".join(indent + line for line in lines), markup=False)
