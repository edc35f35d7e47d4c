"""Measures which suites enter which functions, once for all tasks of a repository.

Every function gets a probe: a first statement that makes a folder named after its task. All functions are built at
once, each suite runs once, and the folders that exist afterwards show which functions it entered. gcov writes its
counters only when a process ends well; a folder survives a crash and a kill.
"""

from __future__ import annotations

import hashlib
import json
import logging
import shlex
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import replace_file
from executor.candidate.execute import plan_rebuild_after_edits, read_unmodified_file
from executor.candidate.runner import BUILD_LIMITS, CHECK_LIMITS
from executor.function.definition import insert_statement_at_body_start
from executor.function.splice import make_edits, splice_function
from executor.repository.baseline import make_suite_command_reserving_cores
from executor.repository.build.graph import GRAFT_FOLDER, BuildStep, bind_step
from executor.repository.build.plan import group_independent_steps, list_rebuild_steps_of_files
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, CommandLimits, Session
from executor.sandbox.scheduled import find_concurrent_command_limit
from executor.threads import map_in_threads, map_with_tools_as_completed
from executor.values import Task
from index.errors import RecipeError, SandboxError
from index.values import Span

log = logging.getLogger(__name__)

FORMAT = 2
MARKS_FOLDER = f"{GRAFT_FOLDER}/marks"
_SCRIPTS = f"{GRAFT_FOLDER}/reach"
# Every program of the tree is linked again, some statically.
_DISK_MB = 8192
# A further session has to build the probed tree again, which is worth it for so many seconds in which suites wait.
_IDLE_S_PER_SESSION = 100.0
# Goes before the first line of a probed file. `mkdir` is named by an assembler label, so that no header is needed. It
# can't go into the function: g++ 12 forgets the label of a declaration inside a template.
PROBE_DECLARATION = (
    b'#ifdef __cplusplus\nextern "C"\n#endif\nint graft_mark_(const char *, unsigned) __asm__("mkdir");\n#line 1\n'
)


@dataclass(frozen=True, slots=True)
class Reach:
    """`entered`: task id -> suites that enter its function. A task that couldn't be probed is absent."""

    entered: Mapping[str, tuple[str, ...]]
    suites: tuple[str, ...]

    def count_entered_tasks_by_suite(self) -> dict[str, int]:
        """Suite -> how many of the tasks' functions it enters."""
        return {suite: sum(suite in found for found in self.entered.values()) for suite in self.suites}


def insert_probe_marking_entry(gold: str, folder: str) -> str:
    """The definition with its probe; its file needs `PROBE_DECLARATION`. The guard keeps a hot function fast. Raises
    RecipeError when no body is found."""
    mark = f'if (!graft_marked_) {{ graft_marked_ = 1; graft_mark_("{folder}", 0777); }}'
    return insert_statement_at_body_start(gold, f"{{ static char graft_marked_; {mark} }}")


def measure_which_suites_enter_tasks(
    image: Image, backend: Backend, tasks: Sequence[Task], suites: Sequence[str], cache: Path
) -> Reach:
    """Run each suite once over the probed tree, in as many sessions at once as the sandbox bears. Each suite's
    result is stored in the cache at once, so that a killed call can be resumed and a new suite of the recipe is
    measured alone. Raises SandboxError when the sandbox fails, RecipeError when the probed tree can't be built."""
    parts = [FORMAT, *sorted((task.id, task.target.path, task.gold) for task in tasks)]
    digest = hashlib.sha256(json.dumps(parts).encode("utf-8", "replace")).hexdigest()[:16]
    path = cache / "doctor" / "reach" / f"{image.key}-{digest}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    known = read_entered_tasks_by_suite_or_empty(path)
    texts = {name: image.recipe.find_suite(name).model_dump_json().encode() for name in suites}
    keys = {name: f"{name}-{hashlib.sha256(text).hexdigest()[:12]}" for name, text in texts.items()}
    left = [name for name in suites if keys[name] not in known]
    if left or "" not in known:
        workers = find_concurrent_command_limit(backend)
        idle = sum(image.suite_seconds.get(name, 0.0) - image.suite_cpu_s.get(name, 0.0) for name in left)
        count = max(1, min(workers, round(idle / _IDLE_S_PER_SESSION)))
        with ExitStack() as stack:
            sessions = [stack.enter_context(backend.session(image.key)) for _ in range(workers)]
            good = _find_probeable_tasks(image, sessions, tasks)
        # Under "" stand the tasks that could be probed.
        known[""] = [task.id for task in good]
        # Each session takes the next one from it.
        waiting = iter(sorted(left, key=lambda name: -image.suite_seconds.get(name, 0.0)))
        lock = threading.Lock()

        def measure_waiting_suites(_: int) -> None:
            with backend.session(image.key) as session:
                _build_probed_tree(image, session, good, left, max(1, workers // count))
                for name in waiting:
                    entered = _run_suite_and_list_entered_task_ids(image, session, good, name)
                    with lock:
                        known[keys[name]] = entered
                        replace_file(path, json.dumps(known).encode())
                        done = sum(keys[name] in known for name in left)
                        log.info(f"reach {done}/{len(left)}: {name} enters {len(entered)} of {len(good)} functions")

        map_in_threads(measure_waiting_suites, range(count), count)
    entered = {suite: frozenset(known[keys[suite]]) for suite in suites}
    return Reach({i: tuple(s for s in suites if i in entered[s]) for i in known[""]}, tuple(suites))


def read_entered_tasks_by_suite_or_empty(path: Path) -> dict[str, list[str]]:
    """What was measured before. Nothing where the file is missing or damaged: it is measured again."""
    try:
        found: dict[str, list[str]] = TypeAdapter(dict[str, list[str]]).validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return {}
    return found


def _build_probed_tree(image: Image, session: Session, good: Sequence[Task], suites: Sequence[str], jobs: int) -> None:
    """Build the tree with the probes of these tasks as far as the suites need it, `jobs` steps at once."""
    files = list(dict.fromkeys(hole.path for task in good for hole in task.target.holes))
    for name in files:
        inside = [task for task in good if any(hole.path == name for hole in task.target.holes)]
        session.write(name, _add_probes(read_unmodified_file(image, name), name, inside, session.root))
    steps = list_rebuild_steps_of_files(image.graph, files, image.recipe.find_goals(suites))
    log.info(f"reach: building {len(steps)} steps for {len(good)} functions in {len(files)} files")
    for turn, wave in enumerate(group_independent_steps(steps)):
        for number, step in enumerate(wave):
            argv, cwd = _make_argv_and_cwd_without_warnings(step, session)
            script = f"cd {shlex.quote(cwd)} && exec {shlex.join(argv)}\n"
            session.write(f"{_SCRIPTS}/{turn}-{number}.sh", script.encode())
        together = ("sh", "-c", f"printf '%s\\n' {_SCRIPTS}/{turn}-*.sh | xargs -n 1 -P {jobs} sh")
        turns = -(-len(wave) // jobs)
        limits = CommandLimits(BUILD_LIMITS.wall_s * turns, BUILD_LIMITS.memory_mb * jobs, _DISK_MB)
        done = session.run(Command(together, limits=limits))
        if not done.ok:
            title = wave[0].title if len(wave) == 1 else f"{len(wave)} steps"
            output = done.text.strip()[-400:]
            raise RecipeError(f"the probed tree of {image.recipe.name} can't be built: {title}: {output}")


def _make_argv_and_cwd_without_warnings(step: BuildStep, session: Session) -> tuple[tuple[str, ...], str]:
    """The step's (argv, cwd). No warning is an error: a probe goes before a function's declarations, which some trees
    forbid by -Werror=declaration-after-statement."""
    argv, cwd = bind_step(step, session.root)
    return (*argv, "-w") if step.kind == "compile" else argv, cwd


def _add_probes(data: bytes, path: str, tasks: Sequence[Task], root: str) -> bytes:
    """The file with a probe in each of the tasks' functions that stand there. A function of two tasks has two."""
    texts: dict[Span, str] = {}
    for task in tasks:
        for edit in make_edits(task.target, task.gold):
            if edit.path == path:
                text = texts.get(edit.span, edit.text)
                texts[edit.span] = insert_probe_marking_entry(text, f"{root}/{MARKS_FOLDER}/{task.id}")
    for span in sorted(texts, reverse=True):
        data = splice_function(data, span, texts[span])
    return PROBE_DECLARATION + data


def _find_probeable_tasks(image: Image, sessions: Sequence[Session], tasks: Sequence[Task]) -> list[Task]:
    """The tasks whose functions compile with a probe, which a constexpr function can't have. Those of a file are tried
    together, then in halves: nearly all compile, and a unit of C++ takes seconds. Each session takes its turn."""
    groups: dict[tuple[str, ...], list[Task]] = {}
    for task in tasks:
        groups.setdefault(tuple(sorted({hole.path for hole in task.target.holes})), []).append(task)

    def find_compiling_tasks(session: Session, group: Sequence[Task]) -> set[str]:
        good, left = set[str](), [group]
        while left:
            some = left.pop()
            if _can_compile_with_probes(image, session, some):
                good.update(task.id for task in some)
            elif len(some) > 1:
                left += [some[: len(some) // 2], some[len(some) // 2 :]]
        return good

    good = set[str]().union(*map_with_tools_as_completed(find_compiling_tasks, list(groups.values()), sessions))
    for task in tasks:
        if task.id not in good:
            log.info(f"reach: {task.id} {task.target.name} can't be probed, so every suite counts as reaching it")
    return [task for task in tasks if task.id in good]


def _can_compile_with_probes(image: Image, session: Session, tasks: Sequence[Task]) -> bool:
    """Whether all the functions, which stand in the same files, compile with their probes."""
    edits = [edit for task in tasks for edit in make_edits(task.target, task.gold)]
    originals = {edit.path: read_unmodified_file(image, edit.path) for edit in edits}
    try:
        texts = {path: _add_probes(data, path, tasks, session.root) for path, data in originals.items()}
        plan = plan_rebuild_after_edits(image, edits)
    except RecipeError:
        return False
    for path, data in texts.items():
        session.write(path, data)
    steps = [_make_argv_and_cwd_without_warnings(step, session) for step in (plan.check, *plan.further_checks)]
    good = all(session.run(Command(argv, cwd=cwd, limits=CHECK_LIMITS)).ok for argv, cwd in steps)
    for path, data in originals.items():
        session.write(path, data)
    return good


def _run_suite_and_list_entered_task_ids(
    image: Image, session: Session, tasks: Sequence[Task], suite_name: str
) -> list[str]:
    suite = image.recipe.find_suite(suite_name)
    marks = shlex.quote(MARKS_FOLDER)
    fresh = session.run(Command(("sh", "-c", f"rm -rf {marks} && mkdir -p {marks} && chmod 777 {marks}")))
    if not fresh.ok:
        raise SandboxError(f"the folder of marks can't be made: {fresh.text[:200]}")
    limits = CommandLimits(wall_s=600.0, memory_mb=suite.memory_mb, disk_mb=_DISK_MB)
    session.run(make_suite_command_reserving_cores(suite, limits, image.estimate_load(suite.name)))
    listed = set(session.run(Command(("ls", MARKS_FOLDER))).text.split())
    return [task.id for task in tasks if task.id in listed]
