"""One sample in a terminal: its prompts, the answers, and what the compiler and the tests found."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax

from agent.values import Declaration, Message, Round, ToolUse, Trajectory
from executor.values import Step, Task
from experiments.run.facts import CalleeFacts
from experiments.run.records import Execution, SampleRecord, Scored, Story
from experiments.run.sampling.attribution import cause_of, detail_of
from experiments.run.sampling.executions import steps_of
from index.values import Diagnostic

TAIL_LINES = 25
# Lines shown of a prompt and of an answer; --full shows all.
ASKED_LINES = 12
ANSWER_LINES = 60


def print_story(
    console: Console,
    run: Path,
    task: Task | None,
    record: SampleRecord,
    story: Story | None,
    executions: Sequence[tuple[str, Scored, Execution | None]],
    *,
    full: bool,
    read: Callable[[str], str] = str,
) -> None:
    """One sample from the target to the verdict, and the gold beside the answer. `read` changes the text of logs."""
    console.rule(f"{record.task_id}  {record.arm}  sample {record.sample}")
    if task is not None:
        _print_target(console, task)
    if story is not None:
        _print_context(console, story)
        _print_steps_of_agent(console, story.trajectory, _first_writing(record), full=full)
    _print_callees(console, record.callees)
    for reading, scored, execution in executions:
        verdict = scored.verdict
        console.print(f"[bold]{reading}[/bold]: {verdict.outcome.value} at tier {verdict.tier.value}")
        if verdict.reason:
            console.print(f"  {verdict.reason}", markup=False)
        for flag in verdict.flags:
            console.print(f"  flag: {flag}", markup=False)
        if execution is not None and execution.differential is not None:
            found = execution.differential
            for line in filter(None, (f"beside the gold: {found.line}", found.perturbed_line, found.calls_line)):
                console.print(f"  {line}", markup=False)
        if execution is not None and execution.plus is not None and record.plus:
            console.print(f"  further tests: {record.plus}", markup=False)
        if execution is not None:
            steps = steps_of(execution.run)
            _print_build_and_tests(console, run / scored.execution, steps, read, full=full)
    for line in hole_lines(record):
        console.print(f"  {line}", markup=False)
    cause = ": ".join(filter(None, (cause_of(record), detail_of(record))))
    console.print(f"[bold]cause[/bold]: {escape(cause)}")
    code = story.trajectory.candidate.code if story is not None else None
    if task is not None and code is not None:
        _print_difference(console, task.gold, code)


def hole_lines(record: SampleRecord) -> list[str]:
    """What became of each function of a task of several."""
    fates = {
        True: "passes alone, with the others' golds",
        False: "fails, with the others' golds",
        None: "wasn't tried",
    }
    lines = []
    for hole in record.holes:
        fate = fates[hole.alone] if hole.given else "is missing"
        exact = ", equal to the gold" if hole.exact_match else ""
        where = f": {hole.execution}" if hole.execution else ""
        lines.append(f"{hole.name} ({hole.path}) {fate}{exact}{where}")
    return lines


def _print_target(console: Console, task: Task) -> None:
    for target in task.target.holes:
        place = f"{target.repo}/{target.path}:{target.span.first}-{target.span.last}"
        console.print(f"{target.name}  {place}  level {task.level.value}", markup=False)
        console.print(f"  {' '.join(target.signature.split())}", markup=False)
        if target.docstring.strip():
            console.print(_indented(_clip(target.docstring.strip(), 6)), markup=False)
    for note in task.notes:
        console.print(f"note: {note}", markup=False)


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
        console.print(f"  twins of the target elsewhere: {'; '.join(story.clones)}", markup=False)


def _first_writing(record: SampleRecord) -> str:
    """What the model wrote before its answer."""
    return "plan" if record.arm.partition("+")[0] == "planned" else "draft"


def _print_steps_of_agent(console: Console, trajectory: Trajectory, word: str, *, full: bool) -> None:
    for number, draft in enumerate(trajectory.drafts, start=1):
        titles = ", ".join(snippet.title for snippet in draft.context.snippets[:8])
        console.print(f"[bold]{word} {number}[/bold] on {len(draft.context.snippets)} snippets: {escape(titles)}")
        for answer in draft.rounds:
            console.print(_indented(_clip(answer.answer, None if full else ASKED_LINES)), markup=False)
    turns = turns_of(trajectory)
    for number, (messages, entry) in enumerate(zip(turns, trajectory.rounds, strict=False), start=1):
        for message in messages:
            console.print(f"[bold]asked {number}[/bold] ({message.role}):")
            console.print(_indented(_clip(message.content, None if full else ASKED_LINES)), markup=False)
        _print_round(console, number, entry, full=full)
    for message in turns[len(trajectory.rounds)] if len(turns) > len(trajectory.rounds) else ():
        console.print(f"[bold]asked, without an answer[/bold] ({message.role}):")
        console.print(_indented(_clip(message.content, None if full else ASKED_LINES)), markup=False)
    if trajectory.ended:
        calls = f" ({trajectory.protocol} tool calls)" if trajectory.protocol else ""
        console.print(f"ended: {trajectory.ended}{calls}", markup=False)
    if trajectory.error:
        console.print(f"model error: {trajectory.error}", markup=False)


def turns_of(trajectory: Trajectory) -> list[list[Message]]:
    """What was put to the model before each of its answers."""
    turns: list[list[Message]] = [[]]
    for message in trajectory.messages:
        if message.role == "assistant":
            turns.append([])
        else:
            turns[-1].append(message)
    return turns if turns[-1] else turns[:-1]


def _print_round(console: Console, number: int, entry: Round, *, full: bool) -> None:
    response = entry.response
    how = escape(entry.candidate.how or "no code")
    console.print(
        f"[bold]answer {number}[/bold]: {response.prompt_tokens} + {response.completion_tokens} tokens,"
        f" {response.seconds:.1f} s, finish {response.finish_reason}; found: {how}",
    )
    if full and response.reasoning:
        console.print(_indented(f"thoughts: {response.reasoning}"), markup=False)
    if entry.answer.strip():
        console.print(_indented(_clip(entry.answer, None if full else ANSWER_LINES)), markup=False)
    for use in entry.uses:
        console.print(f"  {tool_line(use)}", markup=False)
    if entry.candidate.code is None and entry.candidate.reason:
        console.print(f"  {entry.candidate.reason}", markup=False)
    if entry.diagnostics is not None:
        result = "compiles without a word" if not entry.diagnostics else f"{len(entry.diagnostics)} messages"
        console.print(f"  compiler: {result}, {entry.check_seconds:.2f} s", markup=False)
    for diagnostic in entry.diagnostics or ():
        console.print(f"  {message_line(diagnostic)}", markup=False)
    for declaration in entry.declarations:
        console.print(declaration_line(declaration), markup=False)


def tool_line(use: ToolUse) -> str:
    """A tool call and what it gave, in one line."""
    arguments = " ".join(use.arguments.split())[:160]
    got = "a hint, no result" if use.mistake else f"{use.chars} characters"
    shown = f": {', '.join(use.shown[:6])}" if use.shown else ""
    return f"tool {use.name} {arguments} -> {got}{shown}, {use.seconds:.2f} s"


def message_line(diagnostic: Diagnostic) -> str:
    """A compiler's message in one line."""
    where = f"line {diagnostic.line}" if diagnostic.in_candidate else f"{diagnostic.path}:{diagnostic.line}"
    option = f" [{diagnostic.option}]" if diagnostic.option else ""
    return f"{where}: {diagnostic.severity}: {diagnostic.message}{option}"


def declaration_line(declaration: Declaration) -> str:
    first, *rest = declaration.text.splitlines() or [""]
    more = f" ... {len(rest)} more lines" if rest else ""
    return f"    shown: {declaration.reason}: {first}{more}  ({declaration.path}:{declaration.line})"


def _print_callees(console: Console, callees: CalleeFacts) -> None:
    """The true body's callees, and what became of each."""
    if callees.needed:
        fates = ", ".join(f"{name} ({fate})" for name, fate in callee_fates(callees))
        console.print(f"[bold]true callees[/bold]: {escape(fates)}")


def callee_fates(callees: CalleeFacts) -> list[tuple[str, str]]:
    """Each of the true body's callees, and whether the model saw and used it."""
    return [
        (
            name,
            f"{'seen' if name in callees.shown else 'never seen'},"
            f" {'complained of' if name in callees.misused else 'used' if name in callees.used else 'not used'}",
        )
        for name in callees.needed
    ]


def step_end(step: Step) -> str:
    """How a step ended: `status 1`, `timed out`."""
    return "timed out" if step.timed_out else "out of memory" if step.oom else f"status {step.exit_code}"


def _print_build_and_tests(
    console: Console, folder: Path, steps: Sequence[Step], read: Callable[[str], str], *, full: bool
) -> None:
    for step in steps:
        cpu = "" if step.cpu_s is None else f", {step.cpu_s:.2f} CPU-s"
        console.print(f"  {step.name}: {step_end(step)}, {step.wall_s:.2f} s{cpu}  {folder / step.log}", markup=False)
        log = folder / step.log
        if (step.exit_code != 0 or full) and log.is_file():
            text = read(log.read_bytes().decode("utf-8", "replace"))
            tail = text if full else "\n".join(text.splitlines()[-TAIL_LINES:])
            console.print("\n".join("    " + line for line in tail.splitlines()), markup=False)


def _print_difference(console: Console, gold: str, code: str) -> None:
    console.print("[bold]gold -> answer[/bold]")
    lines = list(difflib.unified_diff(gold.splitlines(), code.splitlines(), "gold", "answer", lineterm=""))
    if lines and console.is_terminal:
        console.print(Syntax("\n".join(lines), "diff", background_color="default"))
    else:
        console.print("\n".join(lines) if lines else "  the same text", markup=False)


def _clip(text: str, most: int | None) -> str:
    lines = text.splitlines()
    if most is None or len(lines) <= most:
        return text
    return "\n".join([*lines[:most], f"... {len(lines) - most} more lines (--full)"])


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
