"""Reads wrong bodies, `wrong.yaml` beside the repository's recipe, and tells what such a file must keep.

The file gives, for each task's id, a list of bodies (the keys of `Entry`), each as edits of the gold or as a whole
text. Nothing here is ever shown to a model or put into an index.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import Field, ValidationError, model_validator

from executor.function.sabotage import digest_definition
from executor.repository.recipe import Recipe
from executor.values import Task
from index.cpp.tokens import tokenize
from index.errors import TaskError
from index.user_files import StrictModel, explain_first_validation_problem, read_yaml

Kind = Literal[
    "missing-check",
    "wrong-constant",
    "ignored-parameter",
    "wrong-callee",
    "missing-update",
    "missing-cleanup",
    "wrong-error",
    "common-path-only",
]
KINDS: tuple[str, ...] = get_args(Kind)
Only = Literal["fault", "race", "size", "clock"]
# A function of one line may have no more ways to go wrong.
FEWEST = 3
WANTED = 5
_SENTENCE = re.compile(r"\S+(?: \S+){2,}[.!?]", re.DOTALL)


class BodyEdit(StrictModel):
    """`old` occurs exactly once in the gold; `new` takes its place."""

    old: Annotated[str, Field(min_length=1)]
    new: str


class BodyEntry(StrictModel):
    """One wrong body. Either `edits` of the gold, or `body`, the whole function's text.

    kind  what is wrong with it (missing-update: a change of state is left out)
    why   one sentence: why the docstring, or the contract that callers rely on, calls it wrong
    held  it is held back: suites are written without looking at it, and figures are taken on it
    only  what alone could tell: an injected fault, a race, a huge input, a clock; it is counted apart
    """

    kind: Kind
    why: str
    held: bool = False
    only: Only | None = None
    edits: tuple[BodyEdit, ...] = ()
    body: str | None = None

    @model_validator(mode="after")
    def _require_either_edits_or_body(self) -> BodyEntry:
        if (self.body is None) == (not self.edits):
            raise ValueError("give either edits or body")
        return self


@dataclass(frozen=True, slots=True)
class WrongBody:
    """A wrong body of a task, as text. `number` counts the task's bodies from 1, as the file does."""

    number: int
    kind: str
    why: str
    held: bool
    only: str | None
    text: str

    @property
    def digest(self) -> str:
        return digest_definition(self.text)

    @property
    def name(self) -> str:
        """Stable for an unchanged text."""
        return make_body_name(self.kind, self.digest)


def make_body_name(kind: str, digest: str) -> str:
    return f"{kind}-{digest[:6]}"


def find_body_file(recipe: Recipe, folder: Path | None = None) -> Path:
    """`wrong.yaml` beside the recipe, or `folder`/REPO.yaml."""
    return recipe.folder / "wrong.yaml" if folder is None else folder / f"{recipe.name}.yaml"


def read_body_entries(path: Path) -> dict[str, tuple[BodyEntry, ...]]:
    """Task id -> its wrong bodies, in the file's order. Raises TaskError: one line that names the file and the
    key."""
    found: dict[str, tuple[BodyEntry, ...]] = {}
    for task_id, entries in read_yaml(path, TaskError).items():
        if not isinstance(entries, list):
            raise TaskError(f"{path}: {task_id}: expected a list of bodies")
        made: list[BodyEntry] = []
        for number, entry in enumerate(entries, start=1):
            try:
                made.append(BodyEntry.model_validate(entry))
            except ValidationError as error:
                raise TaskError(
                    f"{path}: {task_id}: body {number}: {explain_first_validation_problem(error, BodyEntry)}"
                ) from error
        found[task_id] = tuple(made)
    return found


def make_wrong_body(task: Task, number: int, entry: BodyEntry) -> WrongBody:
    """The entry's text. Raises TaskError when an edit doesn't fit the gold."""
    text = entry.body if entry.body is not None else _apply_edits(task.gold, entry.edits)
    return WrongBody(number, entry.kind, entry.why, entry.held, entry.only, text)


def make_wrong_bodies(task: Task, entries: Mapping[str, Sequence[BodyEntry]]) -> tuple[WrongBody, ...]:
    """All bodies of the task; none where the file has none. Raises TaskError when an edit doesn't fit the gold."""
    return tuple(
        make_wrong_body(task, number, entry) for number, entry in enumerate(entries.get(task.id, ()), start=1)
    )


def make_usable_bodies(task: Task, entries: Mapping[str, Sequence[BodyEntry]]) -> Iterator[WrongBody]:
    """The task's bodies whose text can be made."""
    for number, entry in enumerate(entries.get(task.id, ()), start=1):
        try:
            yield make_wrong_body(task, number, entry)
        except TaskError:
            continue


def find_body_rule_violations(tasks: Sequence[Task], entries: Mapping[str, Sequence[BodyEntry]]) -> Iterator[str]:
    """A line for each rule that is broken, as far as texts show it. `entries` whose task isn't among `tasks`, all
    tasks of the repository, are one."""
    known = {task.id: task for task in tasks}
    for task_id, bodies in entries.items():
        if task_id not in known:
            yield f"{task_id}: no task of the repository has this id"
            continue
        for line in _find_rule_violations_of_task_bodies(known[task_id], bodies):
            yield f"{task_id} {known[task_id].target.name}: {line}"


def _find_rule_violations_of_task_bodies(task: Task, entries: Sequence[BodyEntry]) -> Iterator[str]:
    if len(entries) < FEWEST:
        yield f"{len(entries)} bodies; write {WANTED}, and at least {FEWEST}"
    held = sum(entry.held for entry in entries)
    if abs(2 * held - len(entries)) > 2:
        yield f"{held} of {len(entries)} bodies are held back; hold back about half"
    seen = {tuple(tokenize(task.gold)): "the gold"}
    for number, entry in enumerate(entries, start=1):
        where = f"body {number} ({entry.kind})"
        if not _SENTENCE.fullmatch(" ".join(entry.why.split())):
            yield f"{where}: why: write one sentence that says what the contract demands and what this does"
        try:
            body = make_wrong_body(task, number, entry)
        except TaskError as error:
            yield f"{where}: {error}"
            continue
        other = seen.setdefault(tuple(tokenize(body.text)), where)
        if other != where:
            yield f"{where}: the same as {other} but for comments and white space"


def _apply_edits(gold: str, edits: Sequence[BodyEdit]) -> str:
    places: list[tuple[int, int, str]] = []
    for edit in edits:
        old, new = _copy_line_endings(edit.old, gold), _copy_line_endings(edit.new, gold)
        count = gold.count(old)
        if count != 1:
            how = "doesn't occur in the gold" if not count else f"occurs {count} times in the gold"
            raise TaskError(f"{edit.old!r} {how}; it must occur once")
        places.append((gold.index(old), gold.index(old) + len(old), new))
    places.sort()
    if any(end > start for (_, end, _), (start, _, _) in pairwise(places)):
        raise TaskError("two edits change the same text; make them one")
    text = gold
    for start, end, new in reversed(places):
        text = text[:start] + new + text[end:]
    return text


def _copy_line_endings(text: str, gold: str) -> str:
    """YAML holds lines that end with LF; some repositories' files have CRLF."""
    return text.replace("\r\n", "\n").replace("\n", "\r\n") if "\r\n" in gold else text
