"""Does a wrong body compile, and to something else than the gold? Compiled as a candidate's unit is; no test runs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from executor.cache import replace_file, short_digest
from executor.candidate.execute import make_edited_files, plan_rebuild_after_edits
from executor.candidate.runner import BUILD_LIMITS
from executor.function.splice import make_edits
from executor.repository.build.graph import BuildStep, bind_step
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, Session
from executor.values import Task
from index.errors import TaskError
from lab.wrong.body_file import WrongBody

FORMAT = 2
# A header's function may be compiled into hundreds of units; these show whether it compiles.
_MOST_UNITS = 6
# Lines that moved must make no difference: neither to debugging information nor to what assertions print.
_WITHOUT_LINE_NUMBERS = ("-g0", "-Wno-builtin-macro-redefined", "-D__LINE__=0")
_COMPILES = "compiles"
BodyAndProblem = tuple[WrongBody, str]
SAME_OBJECT_CODE = "compiles to the gold's own object code: it isn't wrong, or not wrong enough to matter"


def compile_and_compare_bodies_with_gold(
    image: Image, backend: Backend, task: Task, bodies: Sequence[WrongBody], cache: Path
) -> Iterator[BodyAndProblem]:
    """Each body with what the compiler says against it, "" for one that compiles to object code of its own. What is
    known of a text is read from `cache`. Raises TaskError when the gold doesn't compile, RecipeError when no goal is
    built from the file, and what a sandbox raises."""
    folder = cache / "wrong" / image.key / "compiled"
    folder.mkdir(parents=True, exist_ok=True)
    places = [
        folder / short_digest({"format": FORMAT, "task": task.id, "gold": task.gold, "text": body.text})
        for body in bodies
    ]
    if all(place.is_file() for place in places):
        yield from zip(bodies, map(_read_stored_compile_problem, places), strict=True)
        return
    plan = plan_rebuild_after_edits(image, make_edits(task.target, task.gold))
    units = [step for step in plan.steps if step.kind == "compile"][:_MOST_UNITS]
    # Units that read a header may leave its function out.
    paths = {hole.path for hole in task.target.holes}
    telling = all(not paths.isdisjoint(step.sources) for step in units)
    with backend.session(image.key) as session:
        # Names made of the line's number clash when all lines are one: then the numbers stay.
        for flags in (_WITHOUT_LINE_NUMBERS, _WITHOUT_LINE_NUMBERS[:1]):
            steps = [replace(step, argv=(*step.argv, *flags)) for step in units]
            gold, problem = _compile_and_return_digests_and_error(image, session, task, task.gold, steps)
            if not problem:
                break
        else:
            raise TaskError(f"{task.id} {task.target.name}: the gold doesn't compile: {problem}")
        for body, place in zip(bodies, places, strict=True):
            if not place.is_file():
                objects, problem = _compile_and_return_digests_and_error(image, session, task, body.text, steps)
                replace_file(
                    place, (problem or (SAME_OBJECT_CODE if telling and objects == gold else _COMPILES)).encode()
                )
            yield body, _read_stored_compile_problem(place)


def _read_stored_compile_problem(place: Path) -> str:
    said = place.read_text(encoding="utf-8")
    return "" if said == _COMPILES else said


def _compile_and_return_digests_and_error(
    image: Image, session: Session, task: Task, text: str, steps: Sequence[BuildStep]
) -> tuple[tuple[str, ...], str]:
    """Digests of the objects, and the first error, or ""."""
    for path, data in make_edited_files(image, make_edits(task.target, text)).items():
        session.write(path, data)
    objects: list[str] = []
    for step in steps:
        argv, cwd = bind_step(step, session.root)
        done = session.run(Command(argv, cwd=cwd, limits=BUILD_LIMITS))
        if not done.ok:
            error = re.search(r"^.*\berror\b.*$", done.text, re.MULTILINE)
            return (), f"doesn't compile: {error[0].strip() if error else done.ending}"
        objects += [hashlib.sha256(session.read(output)).hexdigest() for output in step.outputs]
    return tuple(objects), ""
