"""graft audit differential: bodies beside the gold, at the calls that the tasks' suites make."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from agent.answer.extraction import extract_function
from executor.grading.differential import Differential
from executor.manifest.manifest import choose_judging_suites, load_manifest, manifest_path
from executor.repository.images import Image
from executor.sandbox.contract import Backend
from executor.tasks.datasets import load_rows, require_single_function_tasks
from executor.tasks.predictions import Prediction, read_predictions, resolve_ids
from executor.values import Task
from index.errors import TaskError
from index.progress import SILENT, Progress
from lab.differential.compare_with_gold import compare_with_gold
from lab.doctor.data_set_examination import DoctorRequest, open_repositories
from lab.wrong.body_file import find_body_file, make_wrong_bodies, read_body_entries

log = logging.getLogger(__name__)

Origin = Literal["gold", "answer", "wrong"]
RECORD = "differential.jsonl"


@dataclass(frozen=True, slots=True)
class DifferentialRequest:
    """What to compare with the golds: the golds themselves, the `answers` of a file, with `wrong` also the wrong
    bodies, of Graft's own or of the folder `bodies`. Empty `repos` or `tasks` stand for all. What `out` holds already
    isn't compared again."""

    dataset: str
    repos: tuple[str, ...]
    tasks: tuple[str, ...]
    answers: Path | None
    wrong: bool
    bodies: Path | None
    out: Path
    sandbox: str
    mirror: Path | None


@dataclass(frozen=True, slots=True)
class Body:
    """`name`: `sample 3`, or a wrong body's. `held` and `only` are a wrong body's."""

    origin: Origin
    name: str
    text: str
    held: bool = False
    only: str | None = None


@dataclass(frozen=True, slots=True)
class ComparedBody:
    """What was found of one body; one line of the record."""

    repo: str
    task_id: str
    function: str
    path: str
    origin: Origin
    name: str
    held: bool
    only: str | None
    found: Differential


def compare_bodies(request: DifferentialRequest, cache: Path, progress: Progress = SILENT) -> Iterator[ComparedBody]:
    """Compare the bodies of each chosen task, and keep what is found in `out`/differential.jsonl. Raises TaskError for
    a file that can't be read, and what building an image and a sandbox raise."""
    opening = DoctorRequest(request.dataset, request.repos, request.tasks, request.sandbox, request.mirror)
    record = request.out / RECORD
    request.out.mkdir(parents=True, exist_ok=True)
    known = {(found.repo, found.task_id): found for found in read_compared_bodies(record)} if record.is_file() else {}
    rows = load_rows(request.dataset) if request.answers else ()
    answers = resolve_ids(read_predictions(request.answers), rows) if request.answers else []
    for repository in open_repositories(opening, cache):
        image, backend = repository.image, repository.backend
        mine = [task for task in repository.chosen_tasks if (task.target.repo, task.id) not in known]
        require_single_function_tasks(mine, "graft audit differential")
        wrong = find_body_file(image.recipe, request.bodies)
        entries = read_body_entries(wrong) if request.wrong and wrong.is_file() else {}
        manifest = load_manifest(manifest_path(image.recipe))
        with progress.open_count("tasks compared", len(mine)) as advance:
            for task in mine:
                bodies = [Body("gold", "gold", task.gold), *_extract_answer_bodies(answers, task)]
                bodies += [Body("wrong", b.name, b.text, b.held, b.only) for b in make_wrong_bodies(task, entries)]
                suites = choose_judging_suites(image.recipe, manifest, task.id)
                folder = request.out / "logs" / task.id
                done = list(_compare_task_bodies(image, backend, task, bodies, suites, folder))
                with record.open("a", encoding="utf-8") as lines:
                    lines.writelines(_RECORD_LINE.dump_json(found).decode() + "\n" for found in done)
                yield from done
                advance(note=task.target.name)


def _compare_task_bodies(
    image: Image, backend: Backend, task: Task, bodies: Sequence[Body], suites: Sequence[str], folder: Path
) -> Iterator[ComparedBody]:
    found = compare_with_gold(image, task, [body.text for body in bodies], backend, suites, folder)
    for body, result in zip(bodies, found, strict=True):
        words = (task.target.repo, task.id, task.target.name, task.target.path)
        yield ComparedBody(*words, body.origin, body.name, body.held, body.only, result)


def _extract_answer_bodies(answers: Sequence[Prediction], task: Task) -> Iterator[Body]:
    for answer in answers:
        text = extract_function(answer.completion, task.target).code if answer.task_id == task.id else None
        if text:
            yield Body("answer", f"sample {answer.sample}", text)


def read_compared_bodies(path: Path) -> list[ComparedBody]:
    """The lines of a record. Raises TaskError for a damaged one."""
    try:
        return [_RECORD_LINE.validate_json(line) for line in path.read_bytes().splitlines()]
    except ValidationError as error:
        raise TaskError(f"{path}: isn't a record of graft audit differential; remove it") from error


_RECORD_LINE = TypeAdapter(ComparedBody)
