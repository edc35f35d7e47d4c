"""graft wrong: are the wrong bodies well made?"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from executor.doctor.values import Effort
from executor.repository.recipe import find_recipe
from executor.wrong.compiling import compile_bodies
from executor.wrong.library import read_entries, wrong_path
from executor.wrong.rules import problems_of, usable
from experiments.checks.examination import Examination, opened
from index.errors import TaskError
from index.progress import SILENT, Progress

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WrongRequest:
    """Which wrong bodies. Empty `repos` or `tasks` stand for all. `bodies`: the folder of the files REPO.yaml; None:
    Graft's own, or `wrong.yaml` beside a recipe of one's own."""

    dataset: str
    repos: tuple[str, ...]
    tasks: tuple[str, ...]
    bodies: Path | None
    sandbox: str
    mirror: Path | None

    def examination(self) -> Examination:
        """What opens the repositories' images."""
        return Examination(
            dataset=self.dataset,
            repos=self.repos,
            tasks=self.tasks,
            effort=Effort(),
            fresh=False,
            further=False,
            out=None,
            sandbox=self.sandbox,
            mirror=self.mirror,
            workers=1,
        )


@dataclass(frozen=True, slots=True)
class Checked:
    """What the check of one repository's file found: `bodies` of `tasks` tasks, of `every` that were asked for."""

    repository: str
    tasks: int
    every: int
    bodies: int
    held: int
    problems: tuple[str, ...]


def check_bodies(request: WrongRequest, cache: Path, progress: Progress = SILENT) -> Iterator[Checked]:
    """Each repository's file: its rules, then whether each body compiles to something else than the gold. A task
    without bodies is counted and no problem. Raises TaskError for a file that is missing or can't be read, and what
    building an image raises."""
    for image, backend, tasks, ids, _ in opened(request.examination(), cache):
        path = wrong_path(find_recipe(image.recipe.name), request.bodies)
        if not path.is_file():
            raise TaskError(f"{path}: no such file; write it as docs/how-to/write-wrong-bodies.md says")
        entries = read_entries(path)
        if request.tasks:
            entries = {key: bodies for key, bodies in entries.items() if key in ids}
        problems = list(problems_of(tasks, entries))
        mine = [task for task in tasks if task.id in entries]
        with progress.counting("tasks compiled", len(mine)) as advance:
            for task in mine:
                for done in compile_bodies(image, backend, task, list(usable(task, entries)), cache):
                    if done.problem:
                        where = f"body {done.body.number} ({done.body.kind})"
                        problems.append(f"{task.id} {task.target.name}: {where}: {done.problem}")
                advance()
        bodies = [entry for made in entries.values() for entry in made]
        yield Checked(
            image.recipe.name,
            len(mine),
            len(ids),
            len(bodies),
            sum(entry.held for entry in bodies),
            tuple(problems),
        )
