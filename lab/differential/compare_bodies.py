"""graft audit differential: bodies beside the gold, at the calls that the tasks' suites make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from agent.answer.extraction import extract_function
from executor.function.sabotage import digest_definition
from executor.grading.differential import Differential
from executor.manifest.manifest import choose_judging_suites, load_manifest, manifest_path
from executor.tasks.datasets import load_rows, require_single_function_tasks
from executor.tasks.predictions import Prediction, read_predictions, resolve_prediction_task_ids
from executor.values import Task
from index.errors import TaskError
from index.progress import SILENT, Progress
from lab.differential.compare_with_gold import compare_with_gold
from lab.doctor.data_set_examination import DoctorRequest, open_repositories
from lab.wrong.body_file import BodyEntry, find_body_file, make_wrong_bodies, read_body_entries

Origin = Literal["gold", "answer", "wrong"]
RECORD = "differential.jsonl"


@dataclass(frozen=True, slots=True)
class ComparedBody:
    """What was found of one body; one line of the record. `name`: `sample 3`, or a wrong body's, whose `held` and
    `only` are here. `text`: the body's digest; "" in a record of before 2026-12-01."""

    repo: str
    task_id: str
    function: str
    path: str
    origin: Origin
    name: str
    held: bool
    only: str | None
    found: Differential
    text: str = ""


def compare_bodies(
    request: DoctorRequest,
    out: Path,
    cache: Path,
    progress: Progress = SILENT,
    *,
    answers: Path | None = None,
    wrong: bool = False,
    bodies: Path | None = None,
) -> Iterator[ComparedBody]:
    """Compare with each chosen task's gold the gold itself, the `answers` of a file, and with `wrong` the wrong
    bodies, of Graft's own or of the folder `bodies`. What is found is kept in `out`/differential.jsonl; a body that
    this holds isn't compared again. Raises TaskError for a file that can't be read, and what building an image and a
    sandbox raise."""
    record = out / RECORD
    out.mkdir(parents=True, exist_ok=True)
    known = (
        {_make_body_key(found, found.text) for found in read_compared_bodies(record)} if record.is_file() else set()
    )
    given = (
        resolve_prediction_task_ids(read_predictions(answers), load_rows(request.dataset, mirror=request.mirror))
        if answers
        else []
    )
    for repository in open_repositories(request, cache):
        image = repository.image
        require_single_function_tasks(repository.chosen_tasks, "graft audit differential")
        file = find_body_file(image.recipe, bodies)
        entries = read_body_entries(file) if wrong and file.is_file() else {}
        manifest = load_manifest(manifest_path(image.recipe))
        left: list[tuple[Task, list[tuple[str, ComparedBody]]]] = []
        for task in repository.chosen_tasks:
            each = _pair_bodies_with_empty_records(task, given, entries)
            if todo := [
                (text, body)
                for text, body in each
                if known.isdisjoint(_make_body_key(body, t) for t in (body.text, ""))
            ]:
                left.append((task, todo))
        with progress.open_count("tasks compared", len(left)) as advance:
            for task, todo in left:
                suites = choose_judging_suites(image.recipe, manifest, task.id)
                texts = [text for text, _ in todo]
                results = compare_with_gold(image, task, texts, repository.backend, suites, out / "logs" / task.id)
                done = [replace(body, found=found) for (_, body), found in zip(todo, results, strict=True)]
                with record.open("a", encoding="utf-8") as lines:
                    lines.writelines(_RECORD_LINE.dump_json(found).decode() + "\n" for found in done)
                yield from done
                advance(note=task.target.name)


def _make_body_key(body: ComparedBody, text_digest: str) -> tuple[str, ...]:
    """What tells a body of this text from others."""
    return body.repo, body.task_id, body.origin, body.name, text_digest


def _pair_bodies_with_empty_records(
    task: Task, answers: Sequence[Prediction], entries: Mapping[str, Sequence[BodyEntry]]
) -> list[tuple[str, ComparedBody]]:
    """Each body's text, and its line of the record before anything is found."""
    target = task.target

    def pair_with_empty_record(
        text: str, origin: Origin, name: str, held: bool = False, only: str | None = None
    ) -> tuple[str, ComparedBody]:
        place = (target.repo, task.id, target.name, target.path)
        return text, ComparedBody(*place, origin, name, held, only, Differential(), digest_definition(text))

    bodies = [pair_with_empty_record(task.gold, "gold", "gold")]
    for answer in answers:
        text = extract_function(answer.completion, target).code if answer.task_id == task.id else None
        if text:
            bodies.append(pair_with_empty_record(text, "answer", f"sample {answer.sample}"))
    for wrong in make_wrong_bodies(task, entries):
        bodies.append(pair_with_empty_record(wrong.text, "wrong", wrong.name, wrong.held, wrong.only))
    return bodies


def read_compared_bodies(path: Path) -> list[ComparedBody]:
    """The lines of a record. Raises TaskError for a damaged one."""
    try:
        return [_RECORD_LINE.validate_json(line) for line in path.read_bytes().splitlines()]
    except ValidationError as error:
        raise TaskError(f"{path}: isn't a record of graft audit differential; remove it") from error


_RECORD_LINE = TypeAdapter(ComparedBody)
