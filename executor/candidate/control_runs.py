"""The control run: a candidate that passed runs its suites once more with another function broken (a *sabotage*), in a
fresh session. The doctor knows that each suite must fail then. One that still passes didn't look: its results were
forged, in whatever way.

What the control leaves in the tree is what a candidate's own build leaves. The broken unit is compiled in a session
without the candidate and linked from a folder that is gone before a suite starts.
"""

from __future__ import annotations

import posixpath
import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from executor.candidate.execute import (
    is_suite_built_from_edited_file,
    make_edited_files,
    plan_rebuild_after_edits,
    read_objects,
    read_unmodified_file,
    remove_outdated_files,
    run_suite,
    suite_limit_s,
)
from executor.candidate.runner import Runner
from executor.confine.confinement import Confinement
from executor.function.call_limited_text import (
    NEVER,
    insert_declarations_marking_calls_internal,
    make_secret_identifier_prefix,
    make_text_stubbed_after_calls,
    name_change_after_calls,
    read_call_limit,
)
from executor.function.sabotage import digest_definition, make_sabotaged_definition, make_target_at, read_definition_at
from executor.function.splice import Edit, apply_edits
from executor.grading.code_words import read_code_words
from executor.grading.grade import (
    CONVICTING,
    NOTICING,
    count_failing_runs,
    count_passing_runs,
    has_passed_while_broken,
    is_after_calls_change_refused_by_answer,
)
from executor.repository.build.graph import GRAFT_FOLDER, ROOT, BuildGraph, BuildStep
from executor.repository.build.plan import list_rebuild_steps_of_files
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command
from executor.values import ControlRun, ExpectedTests, Sabotage, Step, SuiteRun, Task
from index.errors import RecipeError, TaskError
from index.values import Language, Span

_PLACE = f"{GRAFT_FOLDER}/control"
# So often is a suite run with the same fault, at most.
MOST_CONTROLS = 3

Objects = dict[str, bytes]
"""Path of a compiled file, relative to the root -> its bytes."""


# Whether a suite has to run (once more) after these runs.
_Rule = Callable[[Sequence[SuiteRun], ExpectedTests], bool]
BrokenObjects = dict[tuple[str, ...], Objects]
"""What compiled sabotages are kept in, so that each unit is compiled once for all candidates. Safe between threads: at
worst a unit is compiled twice."""


def shuffle_late_else_other_sabotages_of_task(
    sabotages: Mapping[str, Sequence[Sabotage]], suites: Sequence[str], task_id: str
) -> dict[str, tuple[Sabotage, ...]]:
    """For each suite the sabotages that fit the task, in an order drawn by chance, each with this task's id alone;
    empty where none is known. Where some show only after the task's function was entered, these alone: another may
    show before a forger begins."""
    drawn: dict[str, tuple[Sabotage, ...]] = {}
    for suite in suites:
        known = sabotages.get(suite, ())
        fit = [replace(s, tasks=(task_id,), others=()) for s in known if task_id in s.tasks]
        fit = fit or [replace(s, tasks=(), others=(task_id,)) for s in known if task_id in s.others]
        drawn[suite] = tuple(secrets.SystemRandom().sample(fit, len(fit)))
    return drawn


def run_suites_with_first_buildable_sabotage(
    image: Image,
    candidate: Sequence[Edit],
    backend: Backend,
    sabotages_of_suites: Mapping[str, Sequence[Sabotage]],
    folder: Path,
    objects: Objects,
    broken: BrokenObjects,
    *,
    until_one_convicts: bool = False,
) -> tuple[ControlRun, ...]:
    """Run each suite with the first of its sabotages that can be built, in the order of `sabotages_of_suites`; with
    `until_one_convicts` with one after the other, up to one that convicts, and without the runs in which a
    change never shows. A change that the candidate's text refuses comes back too, with no run. `objects`: what the
    candidate's own compilation made. Raises InfraErrors of the sandbox, and RecipeError for a suite that isn't
    there."""
    folder.mkdir(parents=True, exist_ok=True)
    answer = _PassedAnswer(image, tuple(candidate), backend, folder, objects, broken)
    done: list[ControlRun] = []
    for suite, sabotages in sabotages_of_suites.items():
        found: list[ControlRun] = []
        for sabotage in sabotages:
            number = len(done) + len(found) + 1
            control = _run_suite_with_sabotage_if_usable(
                answer, suite, sabotage, number, with_idle_runs=not until_one_convicts
            )
            if control is None:
                continue
            found.append(control)
            if not is_after_calls_change_refused_by_answer(control) and (
                not until_one_convicts or has_passed_while_broken(control, image.expected)
            ):
                break
        done += found or [ControlRun(suite)]
    return tuple(done)


@dataclass(frozen=True, slots=True)
class _PassedAnswer:
    """The answer that controls are run on, and where. `objects`: what its own compilation made."""

    image: Image
    edits: tuple[Edit, ...]
    backend: Backend
    folder: Path
    objects: Objects
    broken: BrokenObjects


def _run_suite_with_sabotage_if_usable(
    answer: _PassedAnswer, suite: str, sabotage: Sabotage, number: int, *, with_idle_runs: bool
) -> ControlRun | None:
    """One suite with one sabotage; `number` tells its logs from other controls'. None where the broken function can't
    be built: its text, its compiler or its flags aren't those that the doctor examined; and where the gold passes with
    it too, so that it shows by chance. Without a run where it is the candidate's text that doesn't take the change.
    With `with_idle_runs` the task's own function is also run with a change that never shows."""
    image, edits, objects = answer.image, answer.edits, answer.objects
    edit, made = None, Objects()
    compiled_before: list[Step] = []
    place = (suite, sabotage.path, sabotage.function, sabotage.change, bool(sabotage.tasks))
    try:
        if read_call_limit(sabotage.change) is not None:
            call_limited = make_edits_breaking_after_calls(image, edits, sabotage)
            if call_limited is None:
                return ControlRun(*place)
            edits, objects = call_limited, {}
        else:
            edit = make_sabotage_edit(image, sabotage)
            made = compile_sabotaged_objects(
                image, edit, suite, answer.backend, answer.folder, answer.broken, compiled_before
            )
    except (TaskError, RecipeError):
        return None
    build: list[Step] = []

    def run_suite_until_decided(
        tried_edits: Sequence[Edit], log_word: str, compiled: Objects, needs_another_run: _Rule
    ) -> list[SuiteRun]:
        ran: list[SuiteRun] = []
        while (not build or build[-1].exit_code == 0) and needs_another_run(ran, image.expected):
            name = f"{log_word}{number}{'-again' * len(ran)}"
            with answer.backend.session(image.key) as session:
                guard, runner = Confinement(session, image, answer.backend), Runner(session, answer.folder)
                build.extend(
                    build_with_two_edits(runner, image, tried_edits, edit, suite, compiled, made, f"{name}-{suite}")
                )
                if not build or build[-1].exit_code == 0:
                    declared = image.recipe.find_suite(suite)
                    guard.learn_policies_and_install_launchers([suite])
                    guard.apply_policy(suite)
                    ran.append(run_suite(runner, image, declared, suite_limit_s(image, declared), prefix=name))
        return ran

    runs = run_suite_until_decided(edits, "control", objects, needs_control_run_when_none_or_single_pass)
    control = ControlRun(*place, (*compiled_before, *build), runs[0] if runs else None, tuple(runs[1:]))
    if has_passed_while_broken(control, image.expected):
        golds = make_gold_edits(image, answer.edits)
        broken = golds if edit is not None else make_edits_breaking_after_calls(image, golds, sabotage)
        passed = (
            []
            if broken is None
            else run_suite_until_decided(broken, "gold", {}, needs_sabotaged_gold_rerun_until_pass)
        )
        return None if count_passing_runs(passed, image.expected) else control
    if not with_idle_runs or edit is not None or not runs:
        return control
    # A body that notices the change may have failed on purpose: it also fails where the change never shows.
    never = make_edits_breaking_after_calls(
        image, answer.edits, replace(sabotage, change=name_change_after_calls(NEVER))
    )
    quiet = (
        []
        if never is None
        else run_suite_until_decided(never, "idle", objects, needs_idle_run_when_none_or_single_failure)
    )
    return replace(control, build=(*compiled_before, *build), idle=tuple(quiet))


def make_gold_edits(image: Image, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """The repository's own text in the place of each of these. Raises RecipeError for a file that can't be read."""
    return tuple(Edit(e.path, e.span, read_unmodified_definition(image, e.path, e.span)) for e in edits)


def read_unmodified_definition(image: Image, path: str, span: Span) -> str:
    """The repository's own text of a function. Raises RecipeError when the file can't be read."""
    return read_definition_at(read_unmodified_file(image, path), span)


def make_after_calls_sabotages_of_uncalled_functions(image: Image, task: Task, calls: int) -> tuple[Sabotage, ...]:
    """The change `after-N` of each of the task's functions. Of none that the task's functions call, itself among them:
    an honest body may make fewer of these calls than the gold. Raises RecipeError for a file that can't be read."""
    found = []
    for hole in task.target.holes:
        word = re.compile(rf"\b{re.escape(hole.name.rpartition('::')[2])}\s*\(")
        if sum(len(word.findall(gold)) for gold in task.golds) == 1:
            digest = digest_definition(read_unmodified_definition(image, hole.path, hole.span))
            place = (hole.path, hole.name, hole.span.first, hole.span.last)
            found.append(Sabotage(*place, name_change_after_calls(calls), digest, (task.id,)))
    return tuple(found)


def make_edits_breaking_after_calls(
    image: Image, candidate: Sequence[Edit], sabotage: Sabotage
) -> tuple[Edit, ...] | None:
    """The candidate with a change `after-N` of its function; None when its text doesn't take that. Raises TaskError
    when the function isn't the one that was examined, or not the candidate's."""
    own, calls = (sabotage.path, Span(sabotage.first, sabotage.last)), read_call_limit(sabotage.change)
    assert calls is not None
    if digest_definition(read_unmodified_definition(image, *own)) != sabotage.digest:
        raise TaskError(f"{sabotage.path}:{sabotage.first}: {sabotage.function} isn't the text that was examined")
    if all((edit.path, edit.span) != own for edit in candidate):
        raise TaskError(f"{sabotage.path}:{sabotage.first}: {sabotage.function} is no function of the candidate")
    word, texts = make_secret_identifier_prefix(), list[str]()
    try:
        for edit in candidate:
            gold = read_unmodified_definition(image, edit.path, edit.span)
            is_changed = (edit.path, edit.span) == own
            name = sabotage.function if is_changed else min(read_code_words(gold).defined, default="")
            language = find_language_of_reading_units(image.graph, edit.path)
            target = make_target_at(edit.path, edit.span, name, language)
            if is_changed:
                texts.append(make_text_stubbed_after_calls(edit.text, target, calls, gold, word))
            else:
                # It may ask the changed function whether that is changed.
                texts.append(insert_declarations_marking_calls_internal(edit.text, target, gold, word))
    except TaskError:
        return None
    return tuple(replace(edit, text=text) for edit, text in zip(candidate, texts, strict=True))


def needs_control_run_when_none_or_single_pass(runs: Sequence[SuiteRun], expected: ExpectedTests) -> bool:
    """Whether the suite has to run (once more). A first failure ends the control. A suite that passed is run up to two
    times more, until it has passed twice: a fault such as a freed object that is used goes unnoticed now and then."""
    passes = count_passing_runs(runs, expected)
    return not runs or (0 < passes < CONVICTING and len(runs) < MOST_CONTROLS)


def needs_sabotaged_gold_rerun_until_pass(runs: Sequence[SuiteRun], expected: ExpectedTests) -> bool:
    """Whether the suite has to run (once more) on the gold with the fault that an answer passed with. A first pass
    decides: the fault shows by chance."""
    return not count_passing_runs(runs, expected) and len(runs) < MOST_CONTROLS


def needs_idle_run_when_none_or_single_failure(runs: Sequence[SuiteRun], expected: ExpectedTests) -> bool:
    """Whether the suite has to run (once more) with a change that never shows. A first pass decides, and so do two
    failures: what fails by chance on purpose, once it notices the change, mustn't have many tries."""
    fails = count_failing_runs(runs, expected)
    return not runs or (0 < fails < NOTICING and len(runs) < MOST_CONTROLS)


def make_sabotage_edit(image: Image, sabotage: Sabotage) -> Edit:
    """The broken function. Raises TaskError or RecipeError when the tree holds another than the doctor examined."""
    text = make_sabotaged_definition(
        read_unmodified_file(image, sabotage.path), sabotage, language_of_path(sabotage.path)
    )
    return Edit(sabotage.path, Span(sabotage.first, sabotage.last), text)


def find_language_of_reading_units(graph: BuildGraph, path: str) -> Language:
    """The language of the units that read the file: a header may be of either."""
    sources = {source for step in graph.steps if path in step.depends for source in step.sources}
    return "c" if sources and all(source.endswith(".c") for source in sources) else language_of_path(path)


def language_of_path(path: str) -> Language:
    return "c" if path.endswith(".c") else "cpp"


def compile_sabotaged_objects(
    image: Image,
    edit: Edit,
    suite: str,
    backend: Backend,
    folder: Path,
    broken: BrokenObjects,
    ran: list[Step] | None = None,
) -> Objects:
    """What the suite's programs need of the file with this edit, compiled in a session of its own unless `broken` has
    it; the steps are then added to `ran`. Of what is compiled and linked in one step nothing is kept: it is only seen
    to be compiled. Raises RecipeError when it can't be compiled, SandboxError."""
    steps = list_rebuild_steps_of_files(image.graph, [edit.path], image.recipe.find_goals([suite]))
    units = tuple(step for step in steps if step.kind == "compile" or edit.path in step.depends)
    key = (image.key, edit.path, edit.before, edit.text, *(path for step in units for path in step.outputs))
    if key not in broken:
        folder.mkdir(parents=True, exist_ok=True)
        with backend.session(image.key) as session:
            runner = Runner(session, folder)
            session.write(edit.path, apply_edits(read_unmodified_file(image, edit.path), [edit]))
            done = runner.run_build_steps(units, prefix="apart-")
            if ran is not None:
                ran += done
            if done and done[-1].exit_code != 0:
                raise RecipeError(f"{edit.path}: it can't be compiled with a function changed; see {done[-1].log}")
            broken[key] = read_objects(session, units)
    return broken[key]


def build_with_two_edits(
    runner: Runner,
    image: Image,
    first: Sequence[Edit],
    second: Edit | None,
    suite: str,
    first_objects: Objects,
    second_objects: Objects,
    log_prefix: str,
) -> list[Step]:
    """Build the suite's programs with the edits `first` and the edit `second`; either may be none. `first_objects` and
    `second_objects` are files that were compiled before with the first alone, and with the second alone. Returns the
    steps up to the first that failed."""
    session = runner.session
    # The suite's programs may not be built from the files of some edits, or of none.
    kept = [edit for edit in first if is_suite_built_from_edited_file(image, edit, suite)]
    plan = plan_rebuild_after_edits(image, kept, [suite]) if kept else None
    mine = steps = plan.steps if plan is not None else ()
    if second is not None:
        goals = image.recipe.find_goals([suite])
        steps = merge_build_plans_in_dependency_order(
            mine, list_rebuild_steps_of_files(image.graph, [second.path], goals)
        )
    remove_outdated_files(session, plan.outdated if plan is not None else ())
    # A unit that reads both can't be compiled apart, nor one that is compiled and linked in one step.
    reading = [s for s in steps if second is not None and second.path in s.depends and (s.kind == "link" or s in mine)]
    shared = {path for step in reading for path in step.outputs}
    separate = {path: data for path, data in second_objects.items() if path not in shared}
    texts = make_edited_files(image, (*first, second) if second is not None and shared else first)
    for path, data in texts.items():
        session.write(path, data, keep_time=True)
    moved = {path: f"{_PLACE}/{number}/{posixpath.basename(path)}" for number, path in enumerate(sorted(separate))}
    for path, place in moved.items():
        session.write(place, separate[path])
    known = [
        s for s in steps if s.kind == "compile" and set(s.outputs) <= first_objects.keys() - shared - separate.keys()
    ]
    for path in (path for step in known for path in step.outputs):
        session.write(path, first_objects[path])
    left = [s for s in steps if s not in known and not (s.kind == "compile" and set(s.outputs) <= separate.keys())]
    done = runner.run_build_steps(
        [replace_moved_inputs_of_non_compile_step(step, moved) for step in left], prefix=f"{log_prefix}-"
    )
    if done and done[-1].exit_code != 0:
        return done
    if second is not None and shared:
        session.write(second.path, read_unmodified_file(image, second.path), keep_time=True)
        for path, data in make_edited_files(image, first).items():
            session.write(path, data, keep_time=True)
    session.run(Command(("rm", "-rf", _PLACE)))
    return done


def merge_build_plans_in_dependency_order(
    first: Sequence[BuildStep], second: Sequence[BuildStep]
) -> tuple[BuildStep, ...]:
    """Both plans as one: what the first makes isn't made twice, and each step follows those whose outputs it reads."""
    made = {path for step in first for path in step.outputs}
    left = [*first, *(step for step in second if made.isdisjoint(step.outputs))]
    pending = Counter(path for step in left for path in step.outputs)
    order: list[BuildStep] = []
    while left:
        blocked: set[str] = set()
        waiting: list[BuildStep] = []
        for step in left:
            own = set(step.outputs)
            needed = {*step.inputs, *step.depends} - own
            # Several steps may make one archive: they keep their order.
            if any(pending[path] for path in needed) or not blocked.isdisjoint(own):
                waiting.append(step)
                blocked |= own
                continue
            order.append(step)
            pending.subtract(step.outputs)
        if len(waiting) == len(left):
            return (*order, *left)
        left = waiting
    return tuple(order)


def replace_moved_inputs_of_non_compile_step(step: BuildStep, moved: Mapping[str, str]) -> BuildStep:
    """The step with other files in the place of some that it reads."""
    if step.kind == "compile" or moved.keys().isdisjoint(step.inputs):
        return step
    words = (
        f"{ROOT}/{moved[path]}" if (path := _resolve_word_to_tree_path(word, step.cwd)) in moved else word
        for word in step.argv
    )
    return replace(step, argv=tuple(words))


def _resolve_word_to_tree_path(word: str, cwd: str) -> str:
    """The path, relative to the root, that a word of a command line may name."""
    base = cwd.removeprefix(ROOT).lstrip("/")
    path = word.removeprefix(f"{ROOT}/") if word.startswith(f"{ROOT}/") else posixpath.join(base, word)
    return posixpath.normpath(path)
