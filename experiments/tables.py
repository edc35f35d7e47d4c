"""The report and single records as a person reads them in a terminal."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from executor.values import Step, Task
from experiments.executions import steps_of
from experiments.records import Execution, SampleRecord, Scored, Story
from experiments.report import Report, Row, cells, head, outcomes

TAIL_LINES = 25


def print_report(console: Console, report: Report, *, levels: bool = False) -> None:
    """The table of arms, the repositories where there are several, on demand the levels, and what to know of it."""
    console.print(f"{report.model} on {report.dataset_version}, sandbox {report.sandbox}")
    console.print(_table("arm", report.rows, report.k))
    groups = [("repository", report.by_repo), *([("level", report.by_level)] if levels else [])]
    for title, rows in groups:
        if len({row.group for row in rows}) > 1:
            console.print(_table(("arm", title), rows, report.k))
    for row in report.rows:
        cost = "unknown" if row.cost is None else f"{row.cost:.4f} USD"
        cpu = "" if row.build_cpu_s is None else f"; text to linked, median: {row.build_cpu_s:.2f} CPU-s"
        console.print(f"{row.arm}: {outcomes(row)}; cost {cost}{cpu}")
    for line in report.left_out:
        console.print(f"left out: {line}", markup=False)
    if report.model_errors:
        console.print(
            f"{report.model_errors} samples ended in a model error and count as failed;"
            " graft run ... --retry-errors does them again",
        )
    if report.infra:
        console.print(f"{len(report.infra)} infrastructure errors, scored nowhere; run again to retry:")
        for line in report.infra[:5]:
            console.print(f"  {line}", markup=False)
    if report.flagged:
        console.print(f"{len(report.flagged)} samples are flagged for review (report.md lists them)")
    console.print(
        "Intervals: 95 % over tasks. Scores are over all tasks: which of them are valid isn't proven yet.",
        style="dim",
    )
    console.print(
        f"Full record: {report.run} (report.md, report.json, journal.jsonl; graft show {report.run} TASK)"
    )


def print_samples(console: Console, records: Iterable[SampleRecord]) -> None:
    table = Table(box=None, pad_edge=False)
    for column in ("task", "arm", "sample", "outcome", "tier", "official", "exact", "reason"):
        table.add_column(column, overflow="fold")
    for record in records:
        verdict = record.graft.verdict
        table.add_row(
            record.task_id,
            record.arm,
            str(record.sample),
            verdict.outcome.value,
            verdict.tier.value,
            record.official.verdict.outcome.value,
            "yes" if record.graft.exact_match else "no",
            escape(verdict.reason[:100]),
        )
    console.print(table)


def print_story(
    console: Console,
    run: Path,
    task: Task | None,
    record: SampleRecord,
    story: Story | None,
    executions: Sequence[tuple[str, Scored, Execution | None]],
    *,
    full: bool,
) -> None:
    """One sample from the prompt to the verdict."""
    console.rule(f"{record.task_id}  {record.arm}  sample {record.sample}")
    if task is not None:
        target = task.target
        console.print(
            f"{target.name}  {target.repo}/{target.path}:{target.span.first}-{target.span.last}", markup=False
        )
        console.print(f"level {task.level.value}", markup=False)
        for note in task.notes:
            console.print(f"note: {note}", markup=False)
    if story is not None:
        _print_context(console, story)
        _print_rounds(console, story, full=full)
    for reading, scored, execution in executions:
        verdict = scored.verdict
        console.print(f"[bold]{reading}[/bold]: {verdict.outcome.value} at tier {verdict.tier.value}")
        if verdict.reason:
            console.print(f"  {verdict.reason}", markup=False)
        for flag in verdict.flags:
            console.print(f"  flag: {flag}", markup=False)
        if execution is not None:
            _print_steps(console, run / scored.execution, steps_of(execution.run), full=full)
    code = story.trajectory.candidate.code if story is not None else None
    if task is not None and code is not None:
        console.print("[bold]gold -> answer[/bold]")
        lines = list(difflib.unified_diff(task.gold.splitlines(), code.splitlines(), "gold", "answer", lineterm=""))
        console.print("\n".join(lines) if lines else "  the same text", markup=False)


def _print_context(console: Console, story: Story) -> None:
    context = story.context
    console.print(
        f"[bold]context[/bold]: {len(context.snippets)} snippets, {context.tokens} of {context.budget} tokens,"
        f" {len(context.dropped)} dropped",
    )
    for snippet in context.snippets:
        console.print(f"  {snippet.source}: {snippet.title} {snippet.path}", markup=False)
    for dropped in context.dropped[:10]:
        console.print(f"  dropped: {dropped.title} ({dropped.tokens} tokens): {dropped.reason}", markup=False)
    if story.clones:
        console.print(f"  clones of the target elsewhere: {', '.join(story.clones)}", markup=False)


def _print_rounds(console: Console, story: Story, *, full: bool) -> None:
    trajectory = story.trajectory
    if full:
        for message in trajectory.messages:
            console.print(f"[bold]{message.role}[/bold]:")
            console.print(message.content, markup=False)
    for number, entry in enumerate(trajectory.rounds, start=1):
        response = entry.response
        how = escape(entry.candidate.how or "no code")
        console.print(
            f"[bold]answer {number}[/bold]: {response.prompt_tokens} + {response.completion_tokens} tokens,"
            f" {response.seconds:.1f} s, finish {response.finish_reason}; found: {how}",
        )
        if entry.candidate.code is None:
            console.print(f"  {entry.candidate.reason}", markup=False)
        if not full:
            console.print(_clip(entry.answer), markup=False)
        for use in entry.uses:
            end = "hint" if use.mistake else f"{len(use.shown)} symbols"
            console.print(f"  {use.name} {_clip_line(use.arguments)}: {end}, {use.chars} characters", markup=False)
        for diagnostic in entry.diagnostics or ():
            where = f"line {diagnostic.line}" if diagnostic.in_candidate else f"{diagnostic.path}:{diagnostic.line}"
            console.print(f"  {where}: {diagnostic.severity}: {diagnostic.message}", markup=False)
    if trajectory.protocol:
        console.print(f"ended: {trajectory.ended or 'not yet'} ({trajectory.protocol} tool calls)")
    if trajectory.error:
        console.print(f"model error: {trajectory.error}", markup=False)


def _print_steps(console: Console, folder: Path, steps: Sequence[Step], *, full: bool) -> None:
    for step in steps:
        end = "timed out" if step.timed_out else "out of memory" if step.oom else f"status {step.exit_code}"
        cpu = "" if step.cpu_s is None else f", {step.cpu_s:.2f} CPU-s"
        console.print(f"  {step.name}: {end}, {step.wall_s:.2f} s{cpu}  {folder / step.log}", markup=False)
        log = folder / step.log
        if (step.exit_code != 0 or full) and log.is_file():
            text = log.read_bytes().decode("utf-8", "replace")
            tail = text if full else "\n".join(text.splitlines()[-TAIL_LINES:])
            console.print("\n".join("    " + line for line in tail.splitlines()), markup=False)


def _clip(text: str) -> str:
    lines = text.splitlines()
    return text if len(lines) <= 60 else "\n".join([*lines[:60], f"... {len(lines) - 60} more lines (--full)"])


def _clip_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:100]}..."


def _table(names: str | tuple[str, str], rows: Sequence[Row], k: int) -> Table:
    table = Table(box=None, pad_edge=False)
    keys = (names,) if isinstance(names, str) else names
    for column in (*keys, *head(k)):
        table.add_column(column, justify="left" if column in keys else "right", no_wrap=True)
    for row in rows:
        lead = (row.arm,) if len(keys) == 1 else (row.arm, row.group)
        table.add_row(*lead, *cells(row, k))
    return table
