"""A story as parts: what was asked and shown, what was answered, and what the compiler and the tests found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal

from agent.values import Declaration, Round, ToolUse, Trajectory
from executor.values import Outcome
from experiments.report.story.stored_sample import AnswerReading, StoredSample
from experiments.report.story.task_texts import TaskText
from experiments.run.records import SampleRecord
from experiments.run.sample_facts import CalleeFacts
from experiments.run.sampling.executions import list_steps_without_controls
from experiments.run.sampling.recitation import group_messages_before_each_answer
from index.source_text import split_lines_without_ends
from index.values import Diagnostic
from retrieval.values import Context

Mark = Literal["", "good", "bad", "note", "flag"]

# Lines of a prompt, of an answer, of a docstring and of a failed step's log that a terminal shows; --full shows all.
ASKED_LINES, ANSWER_LINES, DOCSTRING_LINES, LOG_LINES = 12, 60, 6, 25
_TESTS_NAMED = 20


@dataclass(frozen=True, slots=True)
class Lines:
    """Short lines, each with what it says of the sample."""

    lines: tuple[tuple[str, Mark], ...]
    kind: Literal["lines"] = "lines"


@dataclass(frozen=True, slots=True)
class Text:
    """A long text. `most`: how many of its lines a terminal shows; those at its end of a log, else the first."""

    text: str
    style: Literal["code", "prose", "log"] = "code"
    most: int = 0
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class TextDifference:
    """Every line of two texts: "-" of the gold alone, "+" of the answer alone, " " of both."""

    lines: tuple[tuple[str, str], ...]
    kind: Literal["difference"] = "difference"


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that a page shows when a reader opens them; `is_open`: at once."""

    title: str
    note: str
    blocks: tuple[Block, ...]
    is_open: bool = False
    kind: Literal["fold"] = "fold"


DiffMark = Literal["-", "+", " "]
Block = Lines | Text | TextDifference | Fold
ReadLog = Callable[[Path, bool], str]
"""The path of a log, and whether its step failed -> its text, or the end of it; "" where it is gone."""


@dataclass(frozen=True, slots=True)
class Part:
    title: str
    blocks: tuple[Block, ...]


def tell_story(sample: StoredSample, task: TaskText, read_log: ReadLog) -> tuple[Part, ...]:
    """The parts that have something to say, in the order in which it happened."""
    story, record = sample.story, sample.record
    parts = [
        Part(
            "Task",
            (
                *_make_one_block_unless_blank(task.signature),
                *_make_one_block_unless_blank(task.docstring, "prose", DOCSTRING_LINES),
                *_make_block_of_nonempty_lines(task.notes, "note"),
            ),
        )
    ]
    if story is not None:
        parts.append(Part("Context", tuple(_tell_snippets_drops_and_clones(story.context, story.clones))))
        parts.append(Part("Conversation", tuple(_tell_conversation(story.trajectory))))
    parts += [
        Part("Names that the body needs", tuple(_tell_missing_names(record))),
        Part("True callees", _tell_callees(record.callees)),
        Part(
            "Build and tests", tuple(b for r in sample.readings for b in _tell_verdict_and_steps(sample, r, read_log))
        ),
        Part("Functions", tuple(_make_block_of_nonempty_lines(_describe_fate_of_each_function(record)))),
        Part("The gap between gold and answer", tuple(_tell_difference_from_gold(sample, task.gold))),
    ]
    return tuple(part for part in parts if part.blocks)


def _make_one_block_unless_blank(
    text: str, style: Literal["code", "prose"] = "code", most: int = ASKED_LINES
) -> tuple[Text, ...]:
    return (Text(text, style, most),) if text.strip() else ()


def _make_block_of_nonempty_lines(lines: Iterable[str], mark: Mark = "") -> Iterator[Lines]:
    found = tuple((line, mark) for line in lines if line)
    if found:
        yield Lines(found)


def _tell_snippets_drops_and_clones(context: Context, clones: Sequence[str]) -> Iterator[Block]:
    yield from _make_block_of_nonempty_lines(
        [
            f"{len(context.snippets)} snippet{'s' * (len(context.snippets) != 1)},"
            f" {context.tokens} of {context.budget} tokens, {len(context.dropped)} dropped or shortened"
        ]
    )
    yield from _make_block_of_nonempty_lines(
        f"{snippet.source}: {snippet.title} {snippet.path}{' (short form)' if snippet.is_brief else ''}"
        for snippet in context.snippets
    )
    if context.dropped:
        lines = (f"{dropped.title} ({dropped.tokens} tokens): {dropped.reason}" for dropped in context.dropped)
        yield Fold("Dropped", str(len(context.dropped)), tuple(_make_block_of_nonempty_lines(lines)))
    yield from _make_block_of_nonempty_lines((f"a twin of the target elsewhere: {twin}" for twin in clones), "note")


def _tell_conversation(talk: Trajectory) -> Iterator[Block]:
    for number, draft in enumerate(talk.drafts, start=1):
        titles = ", ".join(snippet.title for snippet in draft.context.snippets[:8])
        texts = tuple(text for message in draft.messages for text in _make_one_block_unless_blank(message.content))
        yield Fold(f"Draft {number}", f"on {len(draft.context.snippets)} snippets: {titles}", texts)
    turns = group_messages_before_each_answer(talk.messages)
    for number, messages in enumerate(turns if turns[-1] else turns[:-1], start=1):
        for message in messages:
            title = f"Asked {number} ({message.role})"
            yield Fold(title, f"{len(message.content)} characters", _make_one_block_unless_blank(message.content))
        if number <= len(talk.rounds):
            yield _tell_round(number, talk.rounds[number - 1], is_last=number == len(talk.rounds))
    calls = f" ({talk.protocol} tool calls)" if talk.protocol else ""
    yield from _make_block_of_nonempty_lines([f"ended: {talk.ended}{calls}" if talk.ended else ""], "note")
    yield from _make_block_of_nonempty_lines([f"model error: {talk.error}" if talk.error else ""], "flag")


def _tell_round(number: int, entry: Round, *, is_last: bool) -> Fold:
    response = entry.response
    note = (
        f"{response.prompt_tokens} + {response.completion_tokens} tokens, {response.seconds:.1f} s,"
        f" finish {response.finish_reason}; found: {entry.candidate.how or 'no code'}"
    )
    note += f"; {entry.candidate.choice}" if entry.candidate.choice else ""
    blocks: list[Block] = []
    if response.reasoning:
        blocks.append(Fold("Thoughts", "", _make_one_block_unless_blank(response.reasoning, "prose", 0)))
    blocks += _make_one_block_unless_blank(entry.answer, most=ANSWER_LINES)
    blocks += _make_block_of_nonempty_lines(map(_describe_tool_use, entry.uses))
    if entry.candidate.code is None:
        blocks += _make_block_of_nonempty_lines([entry.candidate.reason])
    if entry.diagnostics is not None:
        result = f"{len(entry.diagnostics)} messages" if entry.diagnostics else "compiles without a word"
        blocks += _make_block_of_nonempty_lines([f"compiler: {result}, {entry.check_seconds:.2f} s"])
        blocks += _make_block_of_nonempty_lines(map(_describe_diagnostic, entry.diagnostics))
        blocks += _make_block_of_nonempty_lines(map(_describe_declaration, entry.declarations))
    return Fold(f"Answer {number}", note, tuple(blocks), is_last)


def _describe_tool_use(use: ToolUse) -> str:
    """A tool call and what it gave, in one line."""
    arguments = " ".join(use.arguments.split())[:160]
    got = "a hint, no result" if use.mistake else f"{use.chars} characters"
    shown = f": {', '.join(use.shown[:6])}" if use.shown else ""
    return f"tool {use.name} {arguments} -> {got}{shown}, {use.seconds:.2f} s"


def _describe_diagnostic(diagnostic: Diagnostic) -> str:
    """A compiler's message in one line."""
    where = f"line {diagnostic.line}" if diagnostic.in_candidate else f"{diagnostic.path}:{diagnostic.line}"
    option = f" [{diagnostic.option}]" if diagnostic.option else ""
    return f"{where}: {diagnostic.severity}: {diagnostic.message}{option}"


def _describe_declaration(declaration: Declaration) -> str:
    first, *rest = split_lines_without_ends(declaration.text) or [""]
    more = f" and {len(rest)} more lines" if rest else ""
    return f"shown: {declaration.reason}: {first}{more}  ({declaration.path}:{declaration.line})"


def _tell_missing_names(record: SampleRecord) -> Iterator[Lines]:
    """Which of the repository's names the prompt lacked; nothing where that isn't known."""
    needed, missing = record.needed_names, record.missing_names
    if needed is None or missing is None:
        return
    if missing:
        line = f"{len(missing)} of {len(needed)} weren't in the prompt: {', '.join(missing)}"
    else:
        line = f"the prompt showed all {len(needed)}" if needed else "the body uses no name of the repository"
    yield from _make_block_of_nonempty_lines([line], "bad" if missing else "good")


def _tell_callees(callees: CalleeFacts) -> tuple[Lines, ...]:
    """Each of the true body's callees, and whether the model saw and used it."""
    lines: list[tuple[str, Mark]] = []
    for name in callees.needed:
        seen = "seen" if name in callees.shown else "never seen"
        used = "complained of" if name in callees.misused else "used" if name in callees.used else "not used"
        lines.append((f"{name} ({seen}, {used})", "good" if used == "used" else "bad"))
    return (Lines(tuple(lines)),) if lines else ()


def _tell_verdict_and_steps(sample: StoredSample, reading: AnswerReading, read_log: ReadLog) -> Iterator[Block]:
    """The verdict by one of the rules, and the steps on which it rests."""
    verdict, execution = reading.scored.verdict, reading.execution
    judged = f"{reading.name}: {verdict.outcome.value} at tier {verdict.tier.value}"
    yield from _make_block_of_nonempty_lines([judged], "good" if verdict.outcome is Outcome.PASSED else "bad")
    yield from _make_block_of_nonempty_lines([verdict.reason])
    named = [f"failed: {test}" for test in verdict.failed[:_TESTS_NAMED]]
    named += [f"didn't run: {test}" for test in verdict.missing[:_TESTS_NAMED]]
    if max(len(verdict.failed), len(verdict.missing)) > _TESTS_NAMED:
        named.append("and more: the logs have them")
    yield from _make_block_of_nonempty_lines(named)
    yield from _make_block_of_nonempty_lines((f"flag: {flag}" for flag in verdict.flags), "flag")
    if execution is None:
        return
    if execution.differential is not None:
        found = execution.differential
        yield from _make_block_of_nonempty_lines(
            [
                f"beside the gold: {found.difference_agreement_or_not_applicable_line}",
                found.perturbed_agreement_line_or_empty,
                found.first_callee_difference_line_or_empty,
            ]
        )
    if execution.plus is not None and sample.record.plus:
        yield from _make_block_of_nonempty_lines([f"plus tests: {sample.record.plus}"])
    folder = sample.run / reading.scored.execution
    for step in list_steps_without_controls(execution.run):
        failed = step.exit_code != 0
        cpu = "" if step.cpu_s is None else f", {step.cpu_s:.2f} CPU-s"
        ended = "timed out" if step.timed_out else "out of memory" if step.oom else f"status {step.exit_code}"
        log = read_log(folder / step.log, failed)
        blocks: tuple[Block, ...] = (Text(log, "log", LOG_LINES if failed else 0),) if log else ()
        yield Fold(step.name, f"{ended}, {step.wall_s:.2f} s{cpu}; {folder / step.log}", blocks, failed)


def _describe_fate_of_each_function(record: SampleRecord) -> list[str]:
    """What became of each function of a task of several."""
    fates = {
        True: "passes alone, with the others' golds",
        False: "fails, with the others' golds",
        None: "wasn't tried",
    }
    lines = []
    for hole, alone in zip(record.holes, record.alone_results, strict=True):
        fate = fates[alone] if hole.given else "is missing"
        exact = ", equal to the gold" if hole.exact_match else ""
        where = f": {hole.execution}" if hole.execution else ""
        lines.append(f"{hole.name} ({hole.path}) {fate}{exact}{where}")
    return lines


def _tell_difference_from_gold(sample: StoredSample, gold: str | None) -> Iterator[Block]:
    story = sample.story
    code = story.trajectory.candidate.code if story is not None else None
    if code is not None and gold is not None:
        lines = tuple(_diff_gold_with_answer_lines(gold, code))
        if all(mark == " " for mark, _ in lines):
            yield from _make_block_of_nonempty_lines(["the same text"], "note")
        yield TextDifference(lines)
    elif code is not None:
        yield from _make_block_of_nonempty_lines(["The gold isn't at hand; this is the answer."], "note")
        yield Text(code, most=ANSWER_LINES)
    else:
        why = "no story of it is kept" if story is None else story.trajectory.candidate.reason
        yield from _make_block_of_nonempty_lines([f"There is no answer{f': {why}' if why else ''}."])
        if gold is not None:
            yield Fold("The gold", "", _make_one_block_unless_blank(gold))


def _diff_gold_with_answer_lines(gold: str, code: str) -> Iterator[tuple[DiffMark, str]]:
    one, two = split_lines_without_ends(gold), split_lines_without_ends(code)
    for kind, a, b, c, d in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from ((" ", line) for line in one[a:b])
        else:
            yield from (("-", line) for line in one[a:b])
            yield from (("+", line) for line in two[c:d])
