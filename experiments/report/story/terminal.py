"""A story on the console."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax

from experiments.report.story.stored_sample import StoredSample
from experiments.report.story.story_parts import Block, Lines, Mark, Text, TextDifference, tell_story
from experiments.report.story.task_texts import TaskText
from experiments.run.sampling.attribution import find_cause_of_outcome, name_callees_or_test_behind_cause
from index.source_text import split_lines_without_ends

_STYLES: dict[Mark, str] = {"good": "green", "bad": "red", "flag": "bold", "note": "dim", "": ""}


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
