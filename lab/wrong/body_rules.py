"""What a file of wrong bodies must keep, as far as texts show it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from executor.values import Task
from index.cpp.tokens import tokenize
from index.errors import TaskError
from lab.wrong.body_file import BodyEntry, WrongBody, make_wrong_body

# A function of one line may have no more ways to go wrong.
FEWEST = 3
WANTED = 5
_SENTENCE = re.compile(r"\S+(?: \S+){2,}[.!?]", re.DOTALL)


def find_body_rule_violations(tasks: Sequence[Task], entries: Mapping[str, Sequence[BodyEntry]]) -> Iterator[str]:
    """A line for each rule that is broken. `entries` whose task isn't among `tasks`, all tasks of the repository, are
    one."""
    known = {task.id: task for task in tasks}
    for task_id, bodies in entries.items():
        if task_id not in known:
            yield f"{task_id}: no task of the repository has this id"
        else:
            yield from (
                f"{task_id} {known[task_id].target.name}: {line}"
                for line in _find_task_problems(known[task_id], bodies)
            )


def _find_task_problems(task: Task, entries: Sequence[BodyEntry]) -> Iterator[str]:
    if len(entries) < FEWEST:
        yield f"{len(entries)} bodies; write {WANTED}, and at least {FEWEST}"
    held = sum(entry.held for entry in entries)
    if abs(2 * held - len(entries)) > 2:
        yield f"{held} of {len(entries)} bodies are held back; hold back about half"
    seen = {_split_tokens(task.gold): "the gold"}
    for number, entry in enumerate(entries, start=1):
        where = f"body {number} ({entry.kind})"
        if not _SENTENCE.fullmatch(" ".join(entry.why.split())):
            yield f"{where}: why: write one sentence that says what the contract demands and what this does"
        try:
            body = make_wrong_body(task, number, entry)
        except TaskError as error:
            yield f"{where}: {error}"
            continue
        other = seen.setdefault(_split_tokens(body.text), where)
        if other != where:
            yield f"{where}: the same as {other} but for comments and white space"


def make_usable_bodies(task: Task, entries: Mapping[str, Sequence[BodyEntry]]) -> Iterator[WrongBody]:
    """The task's bodies whose text can be made."""
    for number, entry in enumerate(entries.get(task.id, ()), start=1):
        try:
            yield make_wrong_body(task, number, entry)
        except TaskError:
            continue


def _split_tokens(text: str) -> tuple[str, ...]:
    return tuple(tokenize(text))
