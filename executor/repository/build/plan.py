"""Plans the few commands of a recorded build that a changed file calls for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Literal

from executor.function.header_function import HeaderFunction
from executor.repository.build.command_line import (
    detect_compiled_language,
    list_tool_and_flags_without_files_or_language,
    may_inline,
    parse_compiler,
    strip_call_to_front_end,
)
from executor.repository.build.graph import GRAFT_FOLDER, ROOT, BuildGraph, BuildStep
from index.errors import RecipeError

OVERRIDE_OBJECT = f"{GRAFT_FOLDER}/override.o"
_REMOVE = "rm"

HeaderMode = Literal["all", "override"]


@dataclass(frozen=True, slots=True)
class Plan:
    """The commands that a changed file calls for. `check` only parses. `steps` bring the goals up to date, in order.
    `outdated`: files that the build made from the original file and that neither a step nor a goal needs. Of several
    changed files `check` is for the first of them and `further_checks` for the others."""

    check: BuildStep
    steps: tuple[BuildStep, ...]
    outdated: tuple[str, ...] = ()
    further_checks: tuple[BuildStep, ...] = ()


def plan_rebuild(
    graph: BuildGraph,
    changed: str,
    goals: Sequence[str],
    header_mode: HeaderMode = "all",
    function: HeaderFunction | None = None,
) -> Plan:
    """The commands that bring every goal up to date after a change of the file `changed`.

    The mode `all` recompiles each unit that reads the file and leads to a goal. `override` needs the `function` of the
    header that changes (see header_function) and a build without inlining. It compiles less where that is enough:
    docs/decisions/relinking.md. Raises RecipeError when no recorded unit reads the file, when no goal is made from
    it, or when a goal was never built.
    """
    for goal in goals:
        if goal not in graph.makers:
            raise RecipeError(f"goal {goal}: no recorded command of the build makes it")
    if not any(changed in graph.steps[number].depends for number in graph.readers.get(changed, ())):
        raise RecipeError(f"{changed}: no recorded compilation of the build reads it")
    wanted = _find_steps_to_goals(graph, goals)
    reached = _find_dependent_steps(graph, [changed])
    both = reached & wanted
    if not both:
        raise RecipeError(
            f"{changed}: no recorded command leads from it to {', '.join(goals)}; name a file that is built from it"
            " under `goals`"
        )
    leading = [graph.steps[number] for number in sorted(both)]
    units = [step for step in leading if changed in step.depends]
    check = make_syntax_check(_choose_unit_with_fewest_dependencies(units), changed)
    is_header = all(changed not in step.sources for step in units)
    holds = [step for step in units if function is not None and _may_contain_compiled_function(step, function)]
    # Where no unit seems to hold the function, a macro may have made its name.
    if not is_header or header_mode == "all" or function is None or function.kind == "folded" or not holds:
        return _make_plan_with_outdated_files(
            graph, check, _order_steps_remaking_whole_archives(graph, both), reached, wanted
        )
    is_shared = function.kind == "inline" and all(detect_compiled_language(step.argv) == "c++" for step in units)
    is_shared = is_shared and not all(may_inline(step.argv) for step in units)
    if not is_shared:
        again = _find_seeds_and_dependents(graph, holds) & wanted
        return _make_plan_with_outdated_files(
            graph, check, _order_steps_remaking_whole_archives(graph, again), reached, wanted
        )
    # A unit that inlines may hold the body anywhere. The others call it, and the linker gives them the first copy.
    again = _find_seeds_and_dependents(graph, [step for step in units if may_inline(step.argv)]) & wanted
    # A program without a copy of it isn't linked again: it may lack what the header's other functions call.
    programs = _find_seeds_and_dependents(graph, holds) & wanted
    again |= {number for number in programs if graph.steps[number].kind in ("link", "copy")}
    steps = [
        _make_unit_of_header_inline_functions(units, changed),
        *map(_put_override_object_first, _order_steps_remaking_whole_archives(graph, again)),
    ]
    return _make_plan_with_outdated_files(graph, check, steps, reached, wanted)


def _make_plan_with_outdated_files(
    graph: BuildGraph, check: BuildStep, steps: Sequence[BuildStep], reached: Set[int], wanted: Set[int]
) -> Plan:
    """`reached`: numbers of the steps that are made from the file. `wanted`: numbers of those that lead to a goal."""
    emptied = {step.outputs[0] for step in steps if step.argv[0] == _REMOVE}
    fresh = {o for step in steps if step.kind != "archive" or step.outputs[0] in emptied for o in step.outputs}
    needed = {output for number in wanted for output in graph.steps[number].outputs} - fresh
    made = {output for number in reached for output in graph.steps[number].outputs}
    return Plan(check, tuple(steps), tuple(sorted(path for path in made - needed if not path.startswith("/"))))


def list_rebuild_steps_of_files(
    graph: BuildGraph, changed: Sequence[str], goals: Sequence[str]
) -> tuple[BuildStep, ...]:
    """The commands that bring the goals up to date after a change of several files. Each unit that reads one of them
    is compiled again."""
    return tuple(
        _order_steps_remaking_whole_archives(
            graph, _find_dependent_steps(graph, changed) & _find_steps_to_goals(graph, goals)
        )
    )


def plan_rebuild_of_files(graph: BuildGraph, changed: Sequence[str], goals: Sequence[str]) -> Plan:
    """The commands after a change of several files, or of several functions of one. Each unit that reads one of the
    files is compiled again, headers' units too: an override unit holds the functions of one header. Raises RecipeError
    as `plan_rebuild` does."""
    first, *others = (plan_rebuild(graph, path, goals) for path in dict.fromkeys(changed))
    reached, wanted = _find_dependent_steps(graph, changed), _find_steps_to_goals(graph, goals)
    whole = _make_plan_with_outdated_files(
        graph, first.check, _order_steps_remaking_whole_archives(graph, reached & wanted), reached, wanted
    )
    return replace(whole, further_checks=tuple(other.check for other in others))


def list_files_made_from_changed(graph: BuildGraph, changed: Iterable[str]) -> tuple[str, ...]:
    """All files that the build made from one of `changed`, directly or not."""
    reached = _find_dependent_steps(graph, changed)
    return tuple(sorted({output for number in reached for output in graph.steps[number].outputs}))


def select_steps_for_goals(steps: Sequence[BuildStep], goals: Sequence[str]) -> tuple[BuildStep, ...]:
    """The steps of a plan that these goals are made from, in the plan's order."""
    needed = set(goals)
    kept: list[BuildStep] = []
    for step in reversed(steps):
        if needed.intersection(step.outputs):
            kept.append(step)
            needed |= step.input_and_dependency_paths
    return tuple(reversed(kept))


def group_independent_steps(steps: Sequence[BuildStep]) -> Iterator[tuple[BuildStep, ...]]:
    """The steps in groups of which each can run at once: none reads what another makes that is still to run, and
    nothing else writes what it makes. What fits into no group runs alone, in its turn."""
    made = Counter(output for step in steps for output in step.outputs)
    left = list(steps)
    while left:
        coming = {output for step in left for output in step.outputs}
        wave = [
            step
            for step in left
            if step.kind in ("compile", "archive", "link")
            and coming.isdisjoint((*step.inputs, *step.depends))
            and all(made[output] == 1 for output in step.outputs)
        ] or left[:1]
        yield tuple(wave)
        gone = set(map(id, wave))
        left = [step for step in left if id(step) not in gone]


def _may_contain_compiled_function(step: BuildStep, function: HeaderFunction) -> bool:
    """Whether the step's object may hold a copy of the function. True where that isn't known."""
    return may_inline(step.argv) or step.emits is None or step.emits.issuperset(function.names)


def _find_seeds_and_dependents(graph: BuildGraph, seeds: Sequence[BuildStep]) -> set[int]:
    """Numbers of the seeds and of all steps that use their outputs, directly or not."""
    outputs = {output for step in seeds for output in step.outputs}
    own = {number for number, step in enumerate(graph.steps) if outputs.intersection(step.outputs)}
    return own | _find_dependent_steps(graph, outputs)


def make_syntax_check(step: BuildStep, changed: str) -> BuildStep:
    """A step that parses the unit with its exact flags and writes nothing."""
    call = parse_compiler(step.argv)
    sources = call.sources
    if changed in step.sources:
        sources = (call.sources[step.sources.index(changed)],)
    argv = strip_call_to_front_end(call, sources, "-fsyntax-only")
    return BuildStep("compile", argv, step.cwd, (), step.sources, (), step.depends)


def _choose_unit_with_fewest_dependencies(units: Sequence[BuildStep]) -> BuildStep:
    return min(units, key=lambda step: (len(step.depends), step.sources))


def _find_dependent_steps(graph: BuildGraph, changed: Iterable[str]) -> set[int]:
    """Numbers of the steps that read one of `changed`, directly or through the outputs of other steps."""
    return _collect_reachable_steps(changed, graph.readers, lambda number: graph.steps[number].outputs)


def _find_steps_to_goals(graph: BuildGraph, goals: Iterable[str]) -> set[int]:
    """Numbers of the steps that a goal is made from."""
    return _collect_reachable_steps(goals, graph.makers, lambda number: graph.made_paths_read_by_step[number])


def _collect_reachable_steps(
    paths: Iterable[str], steps_of: Mapping[str, Sequence[int]], list_next: Callable[[int], Iterable[str]]
) -> set[int]:
    """The steps of these paths, those of the paths that these lead to, and so on."""
    found: set[int] = set()
    waiting = list(paths)
    while waiting:
        for number in steps_of.get(waiting.pop(), ()):
            if number not in found:
                found.add(number)
                waiting.extend(list_next(number))
    return found


def _order_steps_remaking_whole_archives(graph: BuildGraph, numbers: Iterable[int]) -> list[BuildStep]:
    """The chosen steps, each after the steps that it reads from, and each archive made anew."""
    chosen = set(numbers)
    for number in sorted(chosen):
        step = graph.steps[number]
        if step.kind == "archive":
            # An archive made by several commands is complete only when all of them are replayed.
            chosen.update(n for n in graph.makers[step.outputs[0]] if graph.steps[n].kind == "archive")
    steps: list[BuildStep] = []
    fresh: set[str] = set()
    absent = graph.missing - {output for number in chosen for output in graph.steps[number].outputs}
    for number in _sort_steps_after_makers(graph, chosen):
        step = graph.steps[number]
        if step.kind != "archive":
            steps.append(step)
            continue
        archive = step.outputs[0]
        if archive not in fresh:
            fresh.add(archive)
            steps.extend(_make_archive_removal_unless_members_missing(graph, archive))
        steps.append(_drop_missing_members(step, graph.missing, absent))
    return steps


def _sort_steps_after_makers(graph: BuildGraph, chosen: Set[int]) -> list[int]:
    """Each step after those that it needs. Without recursion, because the chain may be long."""
    order: list[int] = []
    seen: set[int] = set()
    waiting = [(number, False) for number in sorted(chosen, reverse=True)]
    while waiting:
        number, done = waiting.pop()
        if done:
            order.append(number)
            continue
        if number in seen:
            continue
        seen.add(number)
        waiting.append((number, True))
        step = graph.steps[number]
        before = {
            maker
            for path in step.input_and_dependency_paths
            for maker in graph.makers.get(path, ())
            if maker in chosen and maker not in seen and (graph.steps[maker].outputs != step.outputs)
        }
        if step.kind == "archive":
            before |= {n for n in graph.makers[step.outputs[0]] if n in chosen and n < number and n not in seen}
        waiting.extend((n, False) for n in sorted(before, reverse=True))
    return order


def _make_archive_removal_unless_members_missing(graph: BuildGraph, archive: str) -> list[BuildStep]:
    """The step that removes the archive first, because `ar q` appends a second copy of each member and `ar r` keeps
    members that aren't named. None where a member's file is gone and only the old archive still holds it."""
    steps = [graph.steps[number] for number in graph.makers[archive]]
    if any(path in graph.missing for step in steps for path in step.inputs):
        return []
    return [BuildStep("archive", (_REMOVE, "-f", f"{ROOT}/{archive}"), ".", (archive,))]


def _drop_missing_members(step: BuildStep, missing: frozenset[str], not_remade: frozenset[str]) -> BuildStep:
    """The step, or where files of members are gone, one that replaces the members that are made again."""
    if not missing.intersection(step.inputs):
        return step
    kept = tuple(path for path in step.inputs if path not in not_remade)
    argv = (step.argv[0], "rs", f"{ROOT}/{step.outputs[0]}", *(f"{ROOT}/{path}" for path in kept))
    return BuildStep("archive", argv, ".", step.outputs, (), kept)


def _make_unit_of_header_inline_functions(units: Sequence[BuildStep], header: str) -> BuildStep:
    """A unit that holds every inline function of the header; all links take it first."""
    unit = _choose_unit_with_fewest_dependencies(
        _choose_largest_macro_group([step for step in units if not may_inline(step.argv)] or units)
    )
    flags = list_tool_and_flags_without_files_or_language(parse_compiler(unit.argv))
    argv = (
        *(*flags, "-fkeep-inline-functions", "-x", "c++", "-include", f"{ROOT}/{header}"),
        *("-c", "/dev/null", "-o", f"{ROOT}/{OVERRIDE_OBJECT}"),
    )
    return BuildStep("compile", argv, unit.cwd, (OVERRIDE_OBJECT,), (header,), (), unit.depends)


def _choose_largest_macro_group(units: Sequence[BuildStep]) -> list[BuildStep]:
    """The units that are compiled with the most common macros. A header that differs between units would break the
    one-definition rule in the original program as well."""
    groups: dict[tuple[str, ...], list[BuildStep]] = {}
    for step in units:
        words = tuple(
            sorted(
                word
                for word in list_tool_and_flags_without_files_or_language(parse_compiler(step.argv))
                if word[:2] in ("-D", "-U")
            )
        )
        groups.setdefault(words, []).append(step)
    return max(groups.values(), key=len)


def _put_override_object_first(step: BuildStep) -> BuildStep:
    if step.kind != "link":
        return step
    argv = (step.argv[0], f"{ROOT}/{OVERRIDE_OBJECT}", *step.argv[1:])
    return replace(step, argv=argv, inputs=(OVERRIDE_OBJECT, *step.inputs))
