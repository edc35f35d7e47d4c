"""Functions that a suite may notice when they are broken, the likeliest for its tasks first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice, zip_longest

from executor.function.call_limited_text import read_call_limit
from executor.function.sabotage import read_definition_at
from executor.manifest.health import WRONG_BODIES, Finding, HealthManifest, TaskHealth
from executor.repository.build.plan import list_rebuild_steps_of_files
from executor.repository.images import Image
from executor.values import Task
from index.repo_index import RepoIndex
from index.values import Span, Symbol, SymbolKind

# Callers of callers of callers: further up stand main and the event loop, which nearly every fault would kill.
_CALLER_LEVELS = 4
# Of one task, so that a function with hundreds of callers doesn't crowd out the others.
_MOST_PER_TASK = 40
# Callers of a task's function, and neighbours of it in the file, to try before the many that a suite only enters.
_MOST_CALLERS_FIRST = 8
# Callers of each function that the suite judges.
_MOST_CALLERS_OF_JUDGED = 2
# Functions that broke other suites, to try first.
_MOST_COMMON_KILLERS = 8
# The last tests of a small test program, to try before these.
_MOST_LAST_TESTS = 6
# A program of more units is no small test program.
_MOST_SMALL_PROGRAM_UNITS = 12


@dataclass(frozen=True, slots=True)
class BreakableFunction:
    """A function that might be broken: its file, its lines, its name. `calls`: ids of the tasks whose functions it
    calls, directly or through others. `known`: names of changes that a suite noticed. `last`: one of the
    last tests of a small test program, or a caller of a function that the suite judges: it is tried on each task."""

    path: str
    span: Span
    name: str
    calls: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    last: bool = False


def rank_functions_to_break(
    image: Image,
    index: RepoIndex,
    suite: str,
    tasks: Sequence[Task],
    manifest: HealthManifest,
    all_tasks: Sequence[Task],
) -> list[BreakableFunction]:
    """Functions of units that the suite's programs are linked from, each once: the last ones of small test programs
    (the last tests, which run after those that enter a task's function); those that break the most other suites (what
    answers and prints is used by all); those of the repository's tasks (`all_tasks`) in which the doctor saw this
    suite notice a fault, and the callers of those that it judges; then, for each of `tasks` in turn, what the tests of
    a large program call, the functions that call the task's function, directly or through others, neighbours in the
    file, tasks' functions that the suite enters, functions of the test programs themselves, further callers and
    neighbours."""
    is_linked = _make_program_source_predicate(image, suite)
    examined = [(task, manifest.tasks[task.id]) for task in all_tasks if task.id in manifest.tasks]
    killed = [task for task, health in examined if any(f.by == suite for f in _list_stub_and_mutant_findings(health))]
    entered = [task for task, health in examined if suite in (health.reached_by or ())]
    units = _find_units_outside_libraries(image, suite)
    programs = _read_functions_if_few_units(index, units)
    tested = _find_test_callees_if_many_units(image, index, units)
    callers = [
        [*_find_functions_naming_target(programs, task), *_find_transitive_callers(index, task)] for task in tasks
    ]
    calls: dict[BreakableFunction, list[str]] = {}
    for task, found in zip(tasks, callers, strict=True):
        for suspect in found:
            calls.setdefault(suspect, []).append(task.id)
    near = [list(_find_nearest_functions_in_file(index, task)) for task in tasks]
    further = [*map(_make_function_of_task, entered), *list(programs)[:_MOST_PER_TASK]]
    first = _MOST_CALLERS_FIRST
    lists = [
        [*tested, *found[:first], *beside[:first], *further, *found[first:], *beside[first:]]
        for found, beside in zip(callers, near, strict=True)
    ]
    turns = (suspect for turn in zip_longest(*lists) for suspect in turn if suspect is not None)
    known: dict[BreakableFunction, tuple[str, ...]] = {}
    for task in (*killed, *entered):
        # The changes that some suite killed, those that this one did first, mutants before stubs.
        noticed = [f for f in _list_stub_and_mutant_findings(manifest.tasks[task.id]) if f.by]
        noticed.sort(key=lambda f: (f.by != suite, f.kind == "stub"))
        known[_make_function_of_task(task)] = tuple(f.name for f in noticed)
    common = _map_most_breaking_functions_to_changes(manifest)
    known |= common
    last = _find_last_uncalled_functions_in_fullest_file(index, programs)
    judged = [task for task, health in examined if suite in health.suites]
    of_judged = (islice(_find_transitive_callers(index, task), _MOST_CALLERS_OF_JUDGED) for task in judged)
    above = list(chain.from_iterable(of_judged))[:first]
    late = {*last, *above}
    return [
        replace(suspect, calls=tuple(calls.get(suspect, ())), known=known.get(suspect, ()), last=suspect in late)
        for suspect in dict.fromkeys((*last, *common, *map(_make_function_of_task, killed), *above, *turns))
        if is_linked(suspect.path)
    ]


def _make_program_source_predicate(image: Image, suite: str) -> Callable[[str], bool]:
    """Tells of a file whether it is compiled into the suite's programs."""
    goals = image.recipe.find_goals([suite])
    sources = {source for step in image.graph.steps for source in step.sources}

    @cache
    def is_linked(path: str) -> bool:
        return path in sources and any(
            path in step.sources for step in list_rebuild_steps_of_files(image.graph, [path], goals)
        )

    return is_linked


def _map_most_breaking_functions_to_changes(manifest: HealthManifest) -> dict[BreakableFunction, tuple[str, ...]]:
    """The functions that break the most suites so far, with the names of the changes that did."""
    broken = [
        (BreakableFunction(made.path, Span(made.first, made.last), made.function), made.change)
        for found in manifest.sabotages.values()
        for made in found
        if read_call_limit(made.change) is None
    ]
    counts = Counter(function for function, _ in broken)
    return {
        common: tuple(dict.fromkeys(change for function, change in broken if function == common))
        for common, _ in counts.most_common(_MOST_COMMON_KILLERS)
    }


def _find_units_outside_libraries(image: Image, suite: str) -> list[str]:
    """The units that are linked into the suite's programs by themselves and not as part of a library."""
    goals = set(image.recipe.find_goals([suite]))
    objects = {path for step in image.graph.steps if goals.intersection(step.outputs) for path in step.inputs}
    return sorted({s for step in image.graph.steps if objects.intersection(step.outputs) for s in step.sources})


def _read_functions_if_few_units(index: RepoIndex, units: Sequence[str]) -> dict[BreakableFunction, str]:
    """Functions of a small test program's own `units`, with their texts."""
    if len(units) > _MOST_SMALL_PROGRAM_UNITS:
        return {}
    return {
        _make_function_of_symbol(entry.symbol): read_definition_at(index.read_file(path), entry.symbol.span)
        for path in units
        for entry in index.entries_in_file(path)
        if entry.symbol.kind is SymbolKind.FUNCTION
    }


def _find_test_callees_if_many_units(image: Image, index: RepoIndex, units: Sequence[str]) -> list[BreakableFunction]:
    """What the tests of a large program call, those that are called last first: the tests are in the unit that has the
    main function, or in a file that no other unit reads. Empty for a small one, whose functions are all tried, and for
    one that other programs test, as redis-server: its main unit lies with no tests."""
    if len(units) <= _MOST_SMALL_PROGRAM_UNITS:
        return []
    mains = [
        unit
        for unit in units
        if "test" in unit.lower() and any(entry.symbol.name == "main" for entry in index.entries_in_file(unit))
    ]
    readers = Counter(path for step in image.graph.steps for path in {*step.sources, *step.depends})
    own = [step for step in image.graph.steps if step.kind == "compile" and not set(mains).isdisjoint(step.sources)]
    files = {*mains, *(path for step in own for path in step.depends if readers[path] == 1)}
    called: dict[BreakableFunction, int] = {}
    for path in sorted(files):
        for entry in index.entries_in_file(path):
            text = read_definition_at(index.read_file(path), entry.symbol.span)
            for callee in index.read_entries_sorted_by_place([int(found) for found in index.graph.callees(entry.id)]):
                if callee.symbol.kind is SymbolKind.FUNCTION and callee.symbol.path not in files:
                    called[_make_function_of_symbol(callee.symbol)] = text.rfind(f"{callee.symbol.name}(")
    return sorted(called, key=lambda suspect: -called[suspect])[:_MOST_PER_TASK]


def _find_last_uncalled_functions_in_fullest_file(
    index: RepoIndex, programs: Mapping[BreakableFunction, str]
) -> list[BreakableFunction]:
    """The last functions that nothing calls (tests are registered by their names), of the file that has the most. They
    run after the tests that enter a task's function."""
    uncalled = [
        [
            suspect
            for entry in index.entries_in_file(path)
            if (suspect := _make_function_of_symbol(entry.symbol)) in programs
            and not len(index.graph.callers(entry.id))
        ]
        for path in sorted({suspect.path for suspect in programs})
    ]
    tests = max(uncalled, key=len, default=[])
    return sorted(tests, key=lambda suspect: -suspect.span.first)[:_MOST_LAST_TESTS]


def _find_functions_naming_target(programs: Mapping[BreakableFunction, str], task: Task) -> list[BreakableFunction]:
    """The functions that name the task's. A test that a macro defines has no call in the index."""
    simple = [found[0] for hole in task.target.holes if (found := re.search(r"\w+$", hole.name))]
    if not simple:
        return []
    word = re.compile(rf"\b(?:{'|'.join(simple)})\b")
    return [suspect for suspect, text in programs.items() if word.search(text)][:_MOST_PER_TASK]


def _list_stub_and_mutant_findings(health: TaskHealth) -> list[Finding]:
    return [found for found in health.findings if found.kind in WRONG_BODIES]


def _make_function_of_task(task: Task) -> BreakableFunction:
    return BreakableFunction(task.target.path, task.target.span, task.target.name)


def _make_function_of_symbol(symbol: Symbol) -> BreakableFunction:
    return BreakableFunction(symbol.path, symbol.span, symbol.qualified_name)


def _find_entry_ids_of_task(index: RepoIndex, task: Task) -> list[int]:
    return [
        entry.id
        for hole in task.target.holes
        for entry in index.entries_in_file(hole.path)
        if entry.symbol.kind is SymbolKind.FUNCTION
        and entry.symbol.span.first <= hole.span.last
        and entry.symbol.span.last >= hole.span.first
    ]


def _find_transitive_callers(index: RepoIndex, task: Task) -> Iterator[BreakableFunction]:
    level = _find_entry_ids_of_task(index, task)
    seen = set(level)
    given = 0
    for _ in range(_CALLER_LEVELS):
        above = {int(caller) for symbol in level for caller in index.graph.callers(symbol)} - seen
        seen |= above
        for entry in index.read_entries_sorted_by_place(sorted(above)):
            if entry.symbol.kind is SymbolKind.FUNCTION and given < _MOST_PER_TASK:
                given += 1
                yield _make_function_of_symbol(entry.symbol)
        level = sorted(above)


def _find_nearest_functions_in_file(index: RepoIndex, task: Task) -> Iterator[BreakableFunction]:
    own, first = set(_find_entry_ids_of_task(index, task)), task.target.span.first
    others = [
        entry.symbol
        for entry in index.entries_in_file(task.target.path)
        if entry.symbol.kind is SymbolKind.FUNCTION and entry.id not in own
    ]
    for symbol in sorted(others, key=lambda symbol: abs(symbol.span.first - first))[:_MOST_PER_TASK]:
        yield _make_function_of_symbol(symbol)
