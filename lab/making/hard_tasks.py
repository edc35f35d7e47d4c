"""Makes hard tasks: clusters of one to sixteen functions, of each of which the tests notice that it is missing.

A function's stub alone in the tree is the same text as its stub beside the others' golds. So each function is examined
once, alone, and a cluster grows from those that the tests notice. What is left to try of a cluster are its golds
together and the bodies that cheat.
"""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import replace_file
from executor.manifest.health import WRONG_BODIES, Fate, Health, HealthManifest, TaskHealth
from executor.manifest.manifest import digest_suites
from executor.repository.images import build_image
from executor.repository.recipe import RECIPE_FILE, find_recipe, load_recipe
from executor.repository.source import checkout_source, choose_mirror_folder
from executor.sandbox.contract import Backend
from executor.tasks.datasets import load_rows, make_task_from_row
from executor.threads import map_in_threads
from executor.values import Task
from index.build import build_index
from index.errors import RecipeError, TimeOver, UserError
from index.progress import Progress
from index.repo_index import RepoIndex, open_index
from lab.doctor.body_trial import Effort, order_cheap_narrow_suites_first
from lab.doctor.manifest import open_manifest, update_health_by_plus_tests_and_save
from lab.doctor.reach import Reach, measure_which_suites_enter_tasks
from lab.doctor.repository_examination import count_parallel_examinations
from lab.doctor.stubs_and_mutants import name_variant_in_hole
from lab.doctor.task_examination import digest_gold, examine_task
from lab.making.finish_data_set import (
    MadeDataSet,
    Making,
    judge_gold_and_explain_failure,
    write_data_set_and_count_found_controls,
)
from lab.making.functions.choose_functions import NO_COMMENT, choose_functions, list_files_written_by_build
from lab.making.functions.function_groups import RelatedFunctions, TaskCandidate, make_group
from lab.making.settings import DoctorSettings, MakeRequest
from lab.making.write_data_set import RECIPES, Dropped

log = logging.getLogger(__name__)

# A cluster may hold what is short and has no comment: its header and its place say what is asked for.
_MEMBERS = {"lines": (4, 200), "documented": False, "holes": (1, 1)}
_STRENGTH = 0.5
_FINDINGS = ("manifest.json", "wrong.yaml", "places.json")
_SIZES = (1, 2, 4, 8, 16)
_LARGE = 16
# A theme may lose as many functions as it keeps: so many that belong to it let one of the largest size be hoped for.
_SPARE = 2
# Lines of a theme's first function, which is the task of one function.
_ENTRY_LINES = (40, 200)
# A function that more others call belongs to no theme.
_MOST_CALLERS = 12
# Of a function that many suites enter so many are tried, the theme's own first.
_MOST_SUITES = 6
# The gold once: a suite that needs a file which its recipe doesn't name would fail the golds of a whole cluster.
_ALONE = Effort(budget_s=30.0, gold_runs=1, mutants=3, forgeries=False, weak_too=False, patience_s=20.0)
# What is known of each function alone is taken over; only golds and bodies that cheat are tried.
_TOGETHER = Effort(budget_s=0.0, mutants=0, repeat_stubs=False)
_HEALTHS = TypeAdapter(dict[str, TaskHealth])


def choose_task_counts_by_size(fewest: int, most: int, tasks_per_size: int) -> dict[int, int]:
    """How many tasks of each size between `fewest` and `most` functions: `tasks_per_size`, and of the largest half as
    many."""
    return {
        size: -(-tasks_per_size // 2) if size == _LARGE else tasks_per_size
        for size in _SIZES
        if fewest <= size <= most
    }


def combine_function_healths(task: Task, alone: Sequence[TaskHealth]) -> TaskHealth:
    """What is known of a cluster by the examination of each of its functions alone, in the order of its holes: a stub
    in the unmodified tree is the stub beside the others' golds."""
    findings = tuple(
        replace(found, name=name_variant_in_hole(task, number, found.name))
        for number, health in enumerate(alone)
        for found in health.findings
        if found.kind in WRONG_BODIES and found.fate is not Fate.UNKNOWN
    )
    suites = tuple(dict.fromkeys(name for health in alone for name in health.suites))
    # No suite is chosen yet, so the examination goes on with the golds.
    return replace(
        alone[0], task_id=task.id, reached_by=suites, suites=(), findings=findings, text_digest=digest_gold(task)
    )


def choose_cluster_seeds_best_connected_first(
    members: Mapping[int, TaskCandidate], related: RelatedFunctions, largest_cluster_size: int
) -> list[int]:
    """The functions that a theme may begin with, in the order of `members`: first those with functions enough around
    them for a cluster of `largest_cluster_size`, of these the commented ones."""

    def rank_entry(number: int) -> tuple[int, bool]:
        near = [number]
        for member in near:
            near += dict.fromkeys(other for _, other in related.find_related(member) if other not in near)
            if len(near) >= _SPARE * largest_cluster_size:
                break
        return -min(len(near), _SPARE * largest_cluster_size), members[number].row.target.docstring == NO_COMMENT

    fewest, longest = _ENTRY_LINES
    fitting = [
        n for n, member in members.items() if fewest <= member.row.span.last - member.row.span.first + 1 <= longest
    ]
    return sorted(fitting, key=rank_entry)


def grow_cluster(
    entry: int, related: RelatedFunctions, may_join: Callable[[int], bool], most_functions: int
) -> Sequence[int]:
    """The entry and the functions that join it, at most `most_functions`, in the order in which they join: always the
    one that belongs most closely to one that is there. `may_join` is asked for few: its answer may be dear. Its first
    functions are a cluster themselves, however many of them are looked at."""
    chosen, refused = [entry], set[int]()
    while len(chosen) < most_functions and len(refused) <= _SPARE * most_functions:
        nearest = related.find_nearest_related(chosen, refused)
        if nearest is None:
            break
        if may_join(nearest):
            chosen.append(nearest)
        else:
            refused.add(nearest)
    return chosen


@dataclass(slots=True)
class HardTaskMaker:
    """Makes tasks of `members`, functions that suites enter, by their numbers in the index. `counts`: how many tasks
    of how many functions. The manifest is written after each task; what it holds, and what was found out about
    functions `alone`, isn't tried again."""

    making: Making
    index: RepoIndex
    members: Mapping[int, TaskCandidate]
    reach: Reach
    counts: Mapping[int, int]
    manifest: HealthManifest
    related: RelatedFunctions = field(init=False)
    alone: dict[str, TaskHealth] = field(init=False)
    entered: Mapping[str, int] = field(init=False)
    good: dict[int, list[Task]] = field(default_factory=dict)
    taken: set[int] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.related = RelatedFunctions(self.members, self.index, _MOST_CALLERS)
        self.entered = self.reach.count_entered_tasks_by_suite()
        try:
            self.alone = _HEALTHS.validate_json(self._function_health_path.read_bytes())
        except (OSError, ValidationError):
            # Missing or damaged: it is found out again.
            self.alone = {}

    def make_tasks(self) -> tuple[Task, ...]:
        """The tasks by size. Functions and clusters are examined until there are so many valid tasks of each size as
        are wanted, or no theme is left, or the time is over. Raises InfraErrors of the sandbox."""
        entries = choose_cluster_seeds_best_connected_first(self.members, self.related, max(self.counts))
        log.info(f"5/6 doctor: {len(entries)} of {len(self.members)} functions may begin a theme")
        with self.making.progress.open_count("hard tasks", sum(self.counts.values())) as advance:

            def make_and_count_tasks(entry: int) -> None:
                for _ in self.make_tasks_around_entry(entry):
                    advance()

            at_once = count_parallel_examinations(self.making.image, self.making.backend)
            map_in_threads(make_and_count_tasks, entries, at_once)
        # Several themes are made at once, so one more may be found than is wanted.
        return tuple(task for size, tasks in sorted(self.good.items()) for task in tasks[: self.counts[size]])

    @property
    def _function_health_path(self) -> Path:
        place = self.making.cache / "doctor" / self.making.image.key
        return place / f"functions-{digest_suites(self.making.image.recipe)}.json"

    def make_tasks_around_entry(self, entry: int) -> Iterator[Task]:
        """The good tasks that begin with this function, of each size that is still wanted."""
        with self.lock:
            sizes = [size for size in self.counts if self._is_size_lacking_tasks(size)]
        if not sizes or time.time() >= self.making.wanted.deadline:
            return
        used = 0
        chosen: Sequence[int] = ()
        try:
            suites = set[str]()
            if self._claim_function_if_tests_notice_it(entry, suites):
                # Once others have made the last task that is wanted, a further function would be examined for nothing.
                chosen = grow_cluster(
                    entry,
                    self.related,
                    lambda number: (
                        any(map(self._is_size_lacking_tasks, sizes))
                        and self._claim_function_if_tests_notice_it(number, suites)
                    ),
                    max(sizes),
                )
            for size in sizes:
                # Other themes are made beside this one.
                if (
                    size <= len(chosen)
                    and self._is_size_lacking_tasks(size)
                    and (task := self._make_proved_task(chosen[:size]))
                ):
                    used = size
                    yield task
        except TimeOver:
            return
        finally:
            with self.lock:
                self.taken.difference_update(chosen[used:])

    def _is_size_lacking_tasks(self, size: int) -> bool:
        return len(self.good.get(size, ())) < self.counts[size]

    def _claim_function_if_tests_notice_it(self, number: int, suites: set[str]) -> bool:
        """Whether the tests notice the function, which no other theme has then. `suites`: those of its theme, which it
        adds to. One that they don't notice is asked for once."""
        with self.lock:
            if number in self.taken:
                return False
            self.taken.add(number)
        health = self._examine_function_alone(self.members[number], suites)
        if health is None or not self.making.is_valid_with_strong_tests(health):
            return False
        suites.update(health.suites)
        return True

    def _examine_function_alone(
        self, member: TaskCandidate, suites_to_try_first: Collection[str]
    ) -> TaskHealth | None:
        """What the tests notice of this one function. None where it can't be examined."""
        task = make_task_from_row(member.row, self.making.image.source_root)
        known = self.alone.get(task.id)
        if known is not None and known.text_digest == digest_gold(task):
            return known
        order = order_cheap_narrow_suites_first(self.making.image, self.reach.entered[task.id], self.entered)
        order.sort(key=lambda name: name not in suites_to_try_first)
        reach = Reach({task.id: tuple(order[:_MOST_SUITES])}, self.reach.suites)
        health = self._examine_task_or_log_error(task, reach, _ALONE, None, suites_to_try_first)
        if health is not None:
            with self.lock:
                self.alone[task.id] = health
                replace_file(self._function_health_path, _HEALTHS.dump_json(self.alone))
        return health

    def _examine_task_or_log_error(
        self,
        task: Task,
        reach: Reach,
        effort: Effort,
        earlier_entry: TaskHealth | None,
        suites_to_run_first: Collection[str],
    ) -> TaskHealth | None:
        making = self.making
        effort = replace(effort, ends=making.wanted.deadline)
        try:
            folder = making.find_log_folder(task)
            return examine_task(
                making.image, making.backend, task, reach, effort, folder, earlier_entry, suites_to_run_first
            )
        except RecipeError as error:
            log.info(f"{task.id} can't be examined: {error}")
            return None

    def _make_proved_task(self, chosen: Sequence[int]) -> Task | None:
        """The task of these functions, once it is shown to be valid and its golds pass as an answer."""
        members, making = [self.members[number] for number in chosen], self.making
        task = make_task_from_row(make_group(members, self.index).row, making.image.source_root)
        health = self.manifest.tasks.get(task.id)
        if health is None or health.text_digest != digest_gold(task):
            known = combine_function_healths(task, [self.alone[member.row.id] for member in members])
            reach = Reach({task.id: known.reached_by or ()}, self.reach.suites)
            effort = replace(_TOGETHER, forgeries=making.backend.isolated)
            health = self._examine_task_or_log_error(task, reach, effort, known, ())
            if health is None:
                return None
            # What the examination of one alone left open says nothing of the cluster.
            certain = tuple(found for found in health.findings if found.fate is not Fate.UNKNOWN)
            health = replace(health, findings=certain, complete=True)
            with self.lock:
                tasks = {**self.manifest.tasks, task.id: health}
                self.manifest = update_health_by_plus_tests_and_save(
                    making.manifest_path, replace(self.manifest, tasks=tasks)
                )
        why = health.reason
        if health.health is Health.VALID and not health.forgeries_passed:
            folder = making.find_log_folder(task) / "gold"
            why = judge_gold_and_explain_failure(making.image, making.backend, task, health, folder)
            if not why:
                log.info(f"{task.id}: {len(chosen)} functions, valid, {', '.join(health.suites)}")
                with self.lock:
                    self.good.setdefault(len(chosen), []).append(task)
                return task
        log.info(f"{task.id}: {len(chosen)} functions, not a task: {why}")
        return None


def make_hard_set(
    making: Making, index: RepoIndex, facts: Mapping[str, str], barred: Collection[tuple[str, str]] = ()
) -> MadeDataSet:
    """Make the data set, or go on with it. `facts` go into the datasheet; `barred`: (path, name) of functions that no
    task may ask for. Raises RecipeError where the tests can't bear a task, UserError where the time ends before the
    first, and InfraErrors of the sandbox; what was done is kept."""
    strong = making.doctor.model_copy(update={"strength": making.doctor.strength or _STRENGTH})
    making = replace(making, doctor=strong)
    wanted, image, backend = making.wanted, making.image, making.backend
    choose = wanted.choose.model_copy(update=_MEMBERS)
    rewritten = list_files_written_by_build(image, backend)
    choice = choose_functions(index, image.graph, choose, image.recipe.name, None, rewritten)
    members = {
        candidate.entry.id: candidate
        for candidate in choice.candidates
        if (candidate.row.path, candidate.entry.symbol.name) not in barred
    }
    counts = choose_task_counts_by_size(*wanted.choose.holes, wanted.choose.tasks)
    unfinished = MadeDataSet(wanted.out, sum(counts.values()))
    if wanted.until == "choose":
        return unfinished
    log.info(f"4/6 reach: which tests enter {len(members)} functions")
    tasks = [make_task_from_row(member.row, image.source_root) for member in members.values()]
    reach = measure_which_suites_enter_tasks(
        image, backend, tasks, [suite.name for suite in image.recipe.suites], making.cache
    )
    members = {number: member for number, member in members.items() if reach.entered.get(member.row.id)}
    log.info(f"4/6 reach: tests enter {len(members)} of {len(tasks)} functions")
    if wanted.until == "reach":
        return unfinished
    manifest = open_manifest(making.manifest_path, image, backend.name)
    maker = HardTaskMaker(making, index, members, reach, counts, manifest)
    good = maker.make_tasks()
    if not good and time.time() >= wanted.deadline:
        raise UserError(f"{wanted.out}: the time was over before a task was found; the same command continues")
    noticed, examined = sum(map(making.is_valid_with_strong_tests, maker.alone.values())), len(maker.alone)
    if not good:
        raise RecipeError(f"{wanted.out}: the tests bear no hard task: they notice {noticed} of {examined} functions")
    own = {task.id for task in good}
    manifest = replace(maker.manifest, tasks={key: h for key, h in maker.manifest.tasks.items() if key in own})
    made = replace(unfinished, tasks=good, examined=examined)
    if wanted.until == "doctor":
        return made
    dropped = [
        Dropped(health.name, health.path, f"{health.health.value}: {health.reason[:77]}")
        for health in maker.alone.values()
        if health.health is not Health.VALID
    ]
    facts = {
        **facts,
        "functions that the tests notice": f"{noticed} of {examined} that were examined alone",
        "clusters that the tests bear": describe_task_counts_by_size(good, counts),
    }
    controlled = write_data_set_and_count_found_controls(making, good, manifest, dropped, choice.left_out, facts)
    return replace(made, controlled=controlled)


def make_hard_set_of_recipe(wanted: MakeRequest, backend: Backend, cache: Path, progress: Progress) -> MadeDataSet:
    """The same of the repository `wanted.given`, whose recipe comes with Graft; none of the functions that YABLoCo
    asks for stands in a task. Raises RecipeError for an unknown name, and as `make_hard_set` does."""
    name = wanted.given
    shipped = find_recipe(name)
    folder = wanted.out / RECIPES / name
    # The data set brings its recipe, and the findings of another data set's tasks aren't its own.
    shutil.copytree(shipped.folder, folder, ignore=shutil.ignore_patterns(*_FINDINGS), dirs_exist_ok=True)
    recipe = load_recipe(folder / RECIPE_FILE)
    source = checkout_source(recipe, choose_mirror_folder(wanted.mirror), cache)
    log.info(f"2/6 build: {name}")
    image = build_image(recipe, source, backend, None, cache)
    place = cache / "indexes" / source.root.name
    build_index(source.root, place, progress=progress)
    asked = {(row.path, row.name.rpartition("::")[2]) for row in load_rows("yabloco") if row.repository == name}
    facts = {"source": source.origin, "commit": source.commit or source.root.name, "recipe": f"Graft's own of {name}"}
    making = Making(wanted, DoctorSettings(), image, backend, cache, progress)
    with closing(open_index(place, source.root)) as index:
        return make_hard_set(making, index, facts, asked)


def describe_task_counts_by_size(tasks: Sequence[Task], counts: Mapping[int, int]) -> str:
    made = Counter(len(task.target.holes) for task in tasks)
    return ", ".join(f"{made[size]} of {count} with {size}" for size, count in counts.items())
