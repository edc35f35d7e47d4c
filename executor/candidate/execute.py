"""Executes a candidate: its unit is compiled and linked in a warm tree, and its tests are run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from executor.candidate.runner import BUILD_LIMITS, CHECK_LIMITS, Runner
from executor.confine.confinement import Confinement
from executor.function.header_function import classify_function_by_compiled_copies
from executor.function.splice import Edit, apply_edits
from executor.grading.flags import find_flags
from executor.grading.grade import why_suite_failed
from executor.grading.logs.results import make_suite_run_from_output
from executor.repository.baseline import SUITE_LIMITS, make_suite_command_reserving_cores
from executor.repository.build.graph import BuildStep
from executor.repository.build.plan import Plan, plan_rebuild, plan_rebuild_of_files, select_steps_for_goals
from executor.repository.images import Image
from executor.repository.known_names import extract_gold_text, recognise_names_by_tree_and_gold
from executor.repository.suites import PlusSuite, Suite
from executor.repository.tamper import Tampering, find_tampering, list_tree_state
from executor.sandbox.contract import Backend, Command, Session
from executor.values import Known, Step, SuiteRun, TestRun, Tier
from index.errors import OUT_OF_STOCK, InfraError, RecipeError, SandboxError
from index.source_text import decode_source
from index.values import Span

# A check that decides a verdict may take as long as a compilation: at a load of 200 a unit of LLVM that parses in
# 7 CPU-seconds took more than a minute.
_GRADED_CHECK = replace(CHECK_LIMITS, wall_s=BUILD_LIMITS.wall_s)
# So much memory may the objects of candidates take that wait for their plus tests. Who isn't kept is compiled again.
_MOST_KEPT_BYTES = 256 << 20
# So many paths fit into a command line.
_MOST_PATHS = 2000


@dataclass(frozen=True, slots=True)
class ExecutionOptions:
    """What is done beside the first suites. `then`: suites that run when these all pass. `stop_at_first`: the first
    suite that doesn't pass is the last. `compiled`: what these texts were compiled to before, by path; it isn't
    compiled again."""

    then: tuple[str, ...] = ()
    stop_at_first: bool = True
    compiled: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(slots=True)
class KeptObjects:
    """What candidates that passed their suites were compiled to, until their plus tests ask for it: the last ones, as
    far as `most_bytes` go. Safe between threads."""

    most_bytes: int = _MOST_KEPT_BYTES
    _known: dict[tuple[str, tuple[Edit, ...]], Mapping[str, bytes]] = field(default_factory=dict)

    def keep_objects_dropping_oldest(
        self, image: Image, edits: tuple[Edit, ...], objects: Mapping[str, bytes]
    ) -> None:
        self.take_objects(image, edits)
        self._known[image.key, edits] = objects
        left = self.most_bytes
        for key, made in reversed(list(self._known.items())):
            size = sum(map(len, made.values()))
            if size > left:
                self._known.pop(key, None)
            else:
                left -= size

    def take_objects(self, image: Image, edits: tuple[Edit, ...]) -> Mapping[str, bytes]:
        """By path; empty where they aren't known."""
        return self._known.pop((image.key, edits), {})


def execute_edits(
    image: Image,
    edits: Sequence[Edit],
    backend: Backend,
    suites: Sequence[str],
    folder: Path,
    options: ExecutionOptions = ExecutionOptions(),
    *,
    objects: dict[str, bytes] | None = None,
) -> TestRun:
    """Put the texts into their files, build what depends on these, and run `suites`, all in a fresh session.

    Each step's raw output lies in `folder`/*.log. A step that fails is the last. `objects` receives what was compiled
    for `suites`, by path, as it was before anything of the candidate's ran. A failure of Graft itself is returned as
    `infra_error`, never raised. Raises RecipeError for an unknown suite or a file that no goal is built from,
    TaskError for a span outside the file."""
    first, later = ([image.recipe.find_suite(name) for name in names] for names in (suites, options.then))
    texts = make_edited_files(image, edits)
    known = recognise_edit_names_by_tree_and_gold(image, edits)
    folder.mkdir(parents=True, exist_ok=True)
    todo = plan_rebuild_after_edits(image, edits, [*suites, *options.then] or None)
    # Suites whose programs aren't built from the file need no steps.
    steps = (select_steps_for_goals(todo.steps, image.recipe.find_goals(suites)) if options.then else ()) or todo.steps
    rest = [step for step in todo.steps if step not in steps]
    check: list[Step] = []
    build: list[Step] = []
    ran: list[SuiteRun] = []
    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    problem = ""
    confinement = ""
    try:
        with backend.session(image.key) as session:
            guard = Confinement(session, image, backend)
            remove_outdated_files(session, todo.outdated)
            for path, text in texts.items():
                # What is made from it is made by the graph. A suite that calls make would make again what only make's
                # own books call outdated, such as libtool's .lo.
                session.write(path, text, keep_time=True)
            runner = Runner(session, folder)
            left = _reuse_compiled_files_unless_no_step_left(session, steps, options.compiled)
            build += runner.run_build_steps(left)
            stopped = build[-1] if build and build[-1].exit_code != 0 else None
            if stopped is not None and stopped.name.startswith("compile") and not stopped.timed_out:
                # Does the text parse? To ask before would cost each answer that does: a unit of C++ mostly parses.
                check += _parse_edited_files_until_failure(runner, todo)
                if check[-1].exit_code != 0:
                    build.clear()
            if objects is not None and build and build[-1].exit_code == 0:
                objects.update(read_objects(session, steps))
            if build and build[-1].exit_code == 0 and first:
                passed, found = _run_suites_and_find_tampering(
                    runner, image, guard, first, ran, stop_at_first=options.stop_at_first
                )
                changed, added = found.changed, found.added
                if passed and later:
                    guard.restore_programs()
                    build += runner.run_build_steps(rest, len(build))
                    if build[-1].exit_code == 0:
                        _, found = _run_suites_and_find_tampering(
                            runner, image, guard, later, ran, stop_at_first=options.stop_at_first
                        )
                        changed, added = changed + found.changed, added + found.added
            confinement = guard.full_or_gaps_line_or_empty
    except InfraError as error:
        problem = str(error)
    return TestRun(
        tuple(check), tuple(build), tuple(ran), problem, changed, added=added, confinement=confinement, known=known
    )


def make_edited_files(image: Image, edits: Sequence[Edit]) -> dict[str, bytes]:
    """The edited files by path. Raises as `read_unmodified_file` and `splice_function`."""
    paths = dict.fromkeys(edit.path for edit in edits)
    return {
        path: apply_edits(read_unmodified_file(image, path), [e for e in edits if e.path == path]) for path in paths
    }


def recognise_edit_names_by_tree_and_gold(image: Image, edits: Sequence[Edit]) -> Known:
    """What the repository and the golds say of the candidate's names. What one of its functions may call, all may.
    Raises as `read_unmodified_file`."""
    files = {edit.path: read_unmodified_file(image, edit.path) for edit in edits}
    every = [recognise_names_by_tree_and_gold(image.source_root, e.path, files[e.path], e.span, e.text) for e in edits]
    if len(every) == 1:
        return every[0]
    golds = [extract_gold_text(files[edit.path], edit.span) for edit in edits]
    known = [
        recognise_names_by_tree_and_gold(image.source_root, e.path, files[e.path], e.span, gold)
        for e, gold in zip(edits, golds, strict=True)
    ]
    # Together golds define what one of them alone takes from the repository.
    return _unite_known_names_leads_and_marks(
        every, find_flags("\n".join(golds), _unite_known_names_leads_and_marks(known))
    )


def _unite_known_names_leads_and_marks(every: Sequence[Known], further_marks: Sequence[str] = ()) -> Known:
    names = {name for known in every for name in known.names}
    leads = {name: lead for known in every for name, lead in known.leads.items() if name not in names}
    marks = tuple(dict.fromkeys((*(mark for known in every for mark in known.marks), *further_marks)))
    return Known(tuple(sorted(names)), leads, marks, writes=True, lasting=True, defines=True)


def read_unmodified_file(image: Image, path: str) -> bytes:
    """The unmodified file, from the host's copy of the tree. Raises RecipeError when it can't be read, OSError when
    this machine is out of file handles or the like."""
    try:
        return (image.source_root / path).read_bytes()
    except OSError as error:
        if error.errno in OUT_OF_STOCK:
            raise
        raise RecipeError(f"{image.source_root / path}: can't be read: {error.strerror}") from error


def remove_outdated_files(session: Session, outdated: Sequence[str]) -> None:
    """Remove what was built from the original text before another text is compiled in the session: a candidate could
    include the gold\'s object code, and a suite could start a program that wasn\'t built again. Objects that a
    header\'s override unit doesn\'t replace stay (docs/explanation/threat-model.md). Raises SandboxError."""
    for start in range(0, len(outdated), _MOST_PATHS):
        paths = outdated[start : start + _MOST_PATHS]
        done = session.run(Command(("rm", "-f", "--", *paths), limits=CHECK_LIMITS))
        if not done.ok:
            raise SandboxError(f"what was built from the original text can't be removed: {done.text[:200]}")


def plan_rebuild_after_change(
    image: Image, path: str, span: Span, code: str | None = None, suites: Sequence[str] | None = None
) -> Plan:
    """The commands that a change of the function at `span` calls for, as far as `suites` need them (None: all suites).

    A candidate `code` that changes more than the body is never built by a header's override unit, which could leave
    the old function linked. Raises RecipeError when no goal is built from the file: its tests would judge nothing."""
    recipe = image.recipe
    function = None
    if recipe.header_mode == "override":
        function = classify_function_by_compiled_copies(decode_source(read_unmodified_file(image, path)), span, code)
    return plan_rebuild(image.graph, path, recipe.find_goals(suites), recipe.header_mode, function)


def plan_rebuild_after_edits(image: Image, edits: Sequence[Edit], suites: Sequence[str] | None = None) -> Plan:
    """The same for a candidate's edits. Raises RecipeError as `plan_rebuild_after_change` does."""
    if len(edits) == 1:
        return plan_rebuild_after_change(image, edits[0].path, edits[0].span, edits[0].text, suites)
    return plan_rebuild_of_files(image.graph, [edit.path for edit in edits], image.recipe.find_goals(suites))


def is_suite_built_from_edited_file(image: Image, edit: Edit, suite: str) -> bool:
    """Whether the suite's programs are built from the edit's file."""
    try:
        plan_rebuild_after_edits(image, [edit], [suite])
    except RecipeError:
        return False
    return True


def _reuse_compiled_files_unless_no_step_left(
    session: Session, steps: Sequence[BuildStep], compiled: Mapping[str, bytes]
) -> Sequence[BuildStep]:
    """Write what the steps' compilations made before, and return the steps that are left. Where none would be left all
    are: a text that isn't built can't be judged."""
    known = [step for step in steps if step.kind == "compile" and compiled.keys() >= set(step.outputs)]
    left = [step for step in steps if step not in known]
    if not left:
        return steps
    for path in (path for step in known for path in step.outputs):
        session.write(path, compiled[path])
    return left


def _parse_edited_files_until_failure(runner: Runner, todo: Plan) -> list[Step]:
    """Parse each edited file, up to the first that doesn't parse."""
    done: list[Step] = []
    for number, step in enumerate((todo.check, *todo.further_checks), start=1):
        name = "check" if number == 1 else f"check-{number}"
        done.append(runner.run_build_step(name, Tier.CHECK, step, _GRADED_CHECK))
        if done[-1].exit_code != 0:
            break
    return done


def read_objects(session: Session, steps: Sequence[BuildStep]) -> dict[str, bytes]:
    """What the compilations among the steps made, by path, but for what a later step moved away (`mv x.tmp x.o`).
    Raises SandboxError."""
    found: dict[str, bytes] = {}
    copied = {path for step in steps if step.kind == "copy" for path in step.inputs}
    for step in steps:
        for path in step.outputs if step.kind == "compile" else ():
            try:
                found[path] = session.read(path)
            except FileNotFoundError as error:
                if path not in copied:
                    raise SandboxError(f"{path}: it was compiled and isn't there") from error
    return found


class _AllPassedAndTampering(NamedTuple):
    """Whether all suites passed with no file changed, and what was changed meanwhile."""

    all_passed: bool
    tampering: Tampering


def _run_suites_and_find_tampering(
    runner: Runner,
    image: Image,
    guard: Confinement,
    suites: Sequence[Suite],
    ran: list[SuiteRun],
    *,
    stop_at_first: bool,
) -> _AllPassedAndTampering:
    """Run the suites. Each run is appended to `ran` when it ends, so that it is kept when a later one raises
    InfraError."""
    unmade = {
        suite.name: failed for suite in suites if (failed := build_plus_test_giving_failure(runner, suite)) is not None
    }
    # A plus test's programs get the rights of a suite that was watched.
    rights = {suite.name: suite.confined_as if isinstance(suite, PlusSuite) else suite.name for suite in suites}
    guard.learn_policies_and_install_launchers([name for name in rights.values() if name is not None])
    before = list_tree_state(runner.session)
    passed = True
    for suite in suites:
        if (name := rights[suite.name]) is not None:
            guard.apply_policy(name)
        if suite.name in unmade:
            ran.append(SuiteRun(suite.name, unmade[suite.name], (), "its test can't be built with the candidate"))
        else:
            ran.append(run_suite(runner, image, suite, suite_limit_s(image, suite)))
        passed = not why_suite_failed(ran[-1], image.expected) and passed
        if stop_at_first and not passed:
            break
    found = find_tampering(runner.session, before, image.graph, image.source_root, image.expected.rewritten)
    return _AllPassedAndTampering(passed and not found.changed, found)


def build_plus_test_giving_failure(runner: Runner, suite: Suite) -> Step | None:
    """Put a plus test into the tree and make its program; nothing for a suite of the repository's own. Returns the
    step that failed, or None. Raises SandboxError."""
    if not isinstance(suite, PlusSuite):
        return None
    for path, text in suite.files.items():
        runner.session.write(path, text.encode())
    for number, line in enumerate(suite.build, start=1):
        command = Command(("sh", "-c", line), limits=BUILD_LIMITS)
        step, _ = runner.run_command(f"make-{number}-{suite.name}", Tier.TESTS, command)
        if step.exit_code != 0:
            return step
    return None


def suite_limit_s(image: Image, suite: Suite) -> float:
    """Wall seconds after which a candidate's suite is stopped, by what the suite takes on this machine."""
    return max(suite.timeout_min_s, suite.timeout_factor * image.suite_seconds.get(suite.name, 0.0))


def run_suite(runner: Runner, image: Image, suite: Suite, wall_s: float, prefix: str = "suite") -> SuiteRun:
    """Run the suite for at most `wall_s` and read its results. `prefix` begins the log's name. Raises SandboxError."""
    limits = replace(SUITE_LIMITS, wall_s=wall_s, memory_mb=suite.memory_mb)
    command = make_suite_command_reserving_cores(suite, limits, image.estimate_load(suite.name))
    step, output = runner.run_command(f"{prefix}-{suite.name}", Tier.TESTS, command)
    return make_suite_run_from_output(suite.name, step, output, image.recipe.find_parser(suite.name))
