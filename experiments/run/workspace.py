"""All that has to stand before the first sample: tasks, sources, sandbox, warm images, indexes."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from executor.confine.learn import read_or_learn_policies
from executor.manifest.health import HealthManifest
from executor.manifest.manifest import choose_judging_suites
from executor.manifest.variant.renamed_tasks import SHOWN_NAME
from executor.manifest.variant.values import VariantRecord
from executor.repository.images import Image, ImageInUse, build_image, build_image_with_background_measurement
from executor.repository.official_suites import add_official_expectations_measuring_if_needed
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree, checkout_source, choose_mirror_folder
from executor.repository.suites import PlusSuite, digest_plus_tests
from executor.sandbox.choose import ChosenSandbox, choose_backend
from executor.sandbox.contract import Backend
from executor.tasks.datasets import make_task_from_row
from executor.tasks.row_rebinding import fill_item_paths_and_relocate_rows
from executor.tasks.task_row import TaskRow
from executor.values import Task
from experiments.arms.arm import RETRIEVED_KINDS
from experiments.arms.context import Reading
from experiments.run.config import RunConfig
from experiments.run.reference_models import REFERENCES
from experiments.run.resolve import RunParts, TaskChoice, choose_tasks
from experiments.run.variant_source import RepoSource, open_original_or_proved_variant
from index.errors import ConfigError, RecipeError, SandboxError
from index.progress import SILENT, Progress
from index.values import Target
from retrieval.protocol import RetrieverSettings

if TYPE_CHECKING:
    from index.repo_index import RepoIndex

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Repo:
    """A repository that is ready for candidates; its suites may still be measured. `health` is the doctor's manifest,
    where there is one. `official`: a candidate that passes a task's chosen suites must pass the repository's own tests
    as well. `variant`: what `source` is a renaming by; None for the original tree."""

    recipe: Recipe
    source: SourceTree
    built: ImageInUse
    reading: Reading
    health: HealthManifest | None = None
    official: bool = False
    variant: VariantRecord | None = None

    @property
    def image(self) -> Image:
        """With what is known of its suites so far."""
        return self.built.image

    def wait_until_task_suites_measured(self, task_id: str) -> None:
        """Return once all suites that a verdict on the task hangs on have passed on the unmodified tree. Raises as
        `build_image`."""
        self.built.wait_until_suites_passed(self.list_judging_and_plus_confining_suites(task_id))

    def list_judging_and_plus_confining_suites(self, task_id: str) -> tuple[str, ...]:
        """The suites that judge a task, and those whose rights the programs of its plus tests get."""
        rights = [
            test.confined_as for test in self.list_plus_tests_gold_passes(task_id) if test.confined_as is not None
        ]
        return tuple(dict.fromkeys((*self.list_judging_suites(task_id), *rights)))

    def learn_rights(self, suite: str, backend: Backend) -> None:
        """Learn what the suite's programs may do, unless it is known. Raises as `build_image`."""
        read_or_learn_policies(self.image, backend, [suite], self._wait_until_measured)

    def _wait_until_measured(self, suite: str) -> Image:
        image = self.built.wait_until_suites_passed([suite])
        if suite not in image.suite_seconds:
            raise SandboxError(f"suite {suite}: the run was stopped before it was measured")
        return image

    def list_suites_answer_must_pass(self, task_id: str) -> tuple[str, ...]:
        """The suites that every answer to a task must pass."""
        return choose_judging_suites(self.recipe, self.health, task_id)

    def list_plus_tests_gold_passes(self, task_id: str) -> tuple[PlusSuite, ...]:
        """Graft's own further tests of a task, without those that the gold was seen to fail. Of a variant those that
        its proof saw hold: its recipe has no others."""
        return list_plus_tests_unless_gold_failed(self.recipe, self.health, task_id)

    def list_judging_suites(self, task_id: str) -> tuple[str, ...]:
        """The suites that judge a task, in the order in which they run: the chosen ones come first."""
        more = self.recipe.official_suites() if self.official else ()
        return tuple(dict.fromkeys((*self.list_suites_answer_must_pass(task_id), *more)))


def list_plus_tests_unless_gold_failed(
    recipe: Recipe, health: HealthManifest | None, task_id: str
) -> tuple[PlusSuite, ...]:
    """Graft's own further tests of a task, without those that the gold was seen to fail."""
    tests = recipe.list_plus_tests_of_task(task_id)
    known = None if health is None else health.plus.get(task_id)
    return (
        ()
        if known is not None and known.digest == digest_plus_tests(tests) and not known.has_gold_always_passed
        else tests
    )


@dataclass(frozen=True, slots=True)
class Workspace:
    """All that a run needs. `left_out`: a line for each repository whose tasks are left out, and why."""

    tasks: Sequence[Task]
    repos: Mapping[str, Repo]
    sandbox: ChosenSandbox
    left_out: Sequence[str] = ()


class BoundTasks(NamedTuple):
    """The chosen tasks with their gold, the source of each of their repositories, and a line for what is left out."""

    tasks: tuple[Task, ...]
    sources: Mapping[str, RepoSource]
    left_out: tuple[str, ...]


def explain_lacking_isolation(sandbox: str, model: str) -> str:
    return (
        f"sandbox {sandbox}: it doesn't isolate, so it runs gold and stub alone, not {model!r}; install one that does"
        " (apt-get install bubblewrap debootstrap, or docker.io with dockerd running) and use sandbox=auto"
    )


def prepare_workspace(
    parts: RunParts, cache: Path, progress: Progress = SILENT, *, trusted: bool = False
) -> Workspace:
    """Get ready all that a run needs, so that mistakes show before a model is paid. Raises UserError for them.

    `trusted`: the candidates are Graft's own (the demo's scripted answers), so they may run without isolation.
    """
    config = parts.config
    sandbox = choose_backend(config.sandbox, cache, config.workers)
    if not sandbox.backend.isolated and config.model not in REFERENCES and not trusted:
        raise ConfigError(explain_lacking_isolation(sandbox.backend.name, config.model))
    log.info(f"sandbox {sandbox.reason}")
    bound = bind_tasks(config, parts.tasks, cache)
    _refuse_one_function_config_keys(parts, bound.tasks)
    chosen = {name: [task for task in bound.tasks if task.target.repo == name] for name in bound.sources}
    repos = {
        name: _prepare_repo(name, source, chosen[name], sandbox, parts, cache, progress)
        for name, source in bound.sources.items()
    }
    return Workspace(bound.tasks, repos, sandbox, bound.left_out)


def prepare_tasks_for_prompts(parts: RunParts, cache: Path) -> tuple[BoundTasks, dict[str, Reading]]:
    """The tasks, and what the prompts of each repository are made of. No sandbox is needed, and nothing is built."""
    bound = bind_tasks(parts.config, parts.tasks, cache)
    _refuse_one_function_config_keys(parts, bound.tasks)
    readings = {
        name: _prepare_index_and_retrievers(name, source, parts, cache, SILENT)
        for name, source in bound.sources.items()
    }
    return bound, readings


def read_tasks(config: RunConfig, cache: Path) -> BoundTasks:
    """The tasks that a configuration asks for, where nothing else of it is wanted. Raises as `choose_tasks` and
    `bind_tasks`."""
    return bind_tasks(config, choose_tasks(config), cache)


def bind_tasks(config: RunConfig, choice: TaskChoice, cache: Path) -> BoundTasks:
    """The chosen tasks and their sources. With a `variant` both are the variant's.

    A repository that the configuration names and that can't be had, or has no proved variant, is an error. One that
    merely occurs in the data set is left out with a line; so is a task that can't be bound to this version of its
    repository. Raises ConfigError when no task is left.
    """
    chosen = choice.chosen
    sources: dict[str, RepoSource] = {}
    missing = dict(choice.missing)
    mirror = choose_mirror_folder(config.mirror)
    bound: dict[tuple[str, str], TaskRow] = {}
    unbound: list[str] = []
    for name, recipe in choice.recipes.items():
        try:
            original = checkout_source(recipe, mirror, cache)
            sources[name] = open_original_or_proved_variant(recipe, original, config.variant, cache, config.dataset)
        except (ConfigError, RecipeError) as error:
            if choice.by_name:
                raise
            missing[name] = str(error)
            continue
        found = fill_item_paths_and_relocate_rows(chosen, recipe, original.root)
        bound.update({(row.repository, row.id): row for row in sources[name].rename_rows_for_tree(found.rows)})
        unbound += found.exclusion_notes
    left_out = tuple(
        f"{name}: {sum(row.repository == name for row in chosen)} tasks left out ({why})"
        for name, why in missing.items()
    )
    left_out += tuple(unbound)
    places = [(row.repository, row.id) for row in chosen]
    kept = [bound[place] for place in places if place in bound]
    if not kept:
        raise ConfigError("no task is left: " + "; ".join(left_out))
    if config.limit is not None:
        kept = kept[: config.limit]
    tasks = tuple(make_task_from_row(row, sources[row.repository].tree.root) for row in kept)
    return BoundTasks(
        tasks, {name: sources[name] for name in dict.fromkeys(task.target.repo for task in tasks)}, left_out
    )


def _prepare_repo(
    name: str,
    source: RepoSource,
    tasks: Sequence[Task],
    sandbox: ChosenSandbox,
    parts: RunParts,
    cache: Path,
    progress: Progress,
) -> Repo:
    config, recipe = parts.config, source.keep_plus_tests_proved_for_tree(parts.tasks.recipes[name])
    health = source.load_health_renamed_for_tree(recipe, tasks)
    # A suite that judges none of the tasks needn't be measured: openssl's 202 take two rounds of minutes. Those of the
    # first tasks come first.
    needed = [suite for task in tasks for suite in choose_judging_suites(recipe, health, task.id)]
    needed += [
        test.confined_as for task in tasks for test in recipe.list_plus_tests_of_task(task.id) if test.confined_as
    ]
    if config.suite == "official":
        needed += {suite.name for suite in recipe.suites} & set(recipe.official_suites())
    given = (recipe, source.tree, sandbox.backend, config.base, cache, needed)
    if config.suite == "official" or config.executor == "ray":
        # The official suites are measured behind the others, and a cluster's nodes get a whole image, once.
        build_image(*given)
    built = build_image_with_background_measurement(*given)
    if config.suite == "official":
        built.image = add_official_expectations_measuring_if_needed(built.image, source.tree, sandbox.backend, cache)
    reading = _prepare_index_and_retrievers(name, source, parts, cache, progress)
    return Repo(recipe, source.tree, built, reading, health, config.suite == "official", source.variant)


def _prepare_index_and_retrievers(
    name: str, source: RepoSource, parts: RunParts, cache: Path, progress: Progress
) -> Reading:
    shown_name = "" if source.variant is None else SHOWN_NAME
    # A compiler's messages come with declarations from the index.
    if not any(arm.needs_index_for_context or arm.compiles for arm in parts.arms):
        return Reading(None, {}, shown_name=shown_name, root=source.tree.root)
    index = build_and_open_index(source.tree, cache, progress)
    # Made here, not at the first query: embedding a repository or training on it may take minutes.
    settings = RetrieverSettings(
        list_dataset_targets_withheld_from_training(parts.tasks, parts.tasks.recipes[name], source),
        parts.config.encoder,
        progress,
    )
    retrievers = {wanted: make(index, settings) for wanted, make in parts.retrievers.items()}
    find_names = None
    if any(arm.kind in RETRIEVED_KINDS for arm in parts.arms):
        from retrieval.ranker.name_chances import make_name_finder

        find_names = make_name_finder(index, settings).find_names
    table = None
    if any(arm.kind == "tools" for arm in parts.arms):
        from agent.tools.name_table import NameTable

        table = NameTable(index).build_names_and_call_graph()
    uncompiled = source.load_uncompiled_lines(parts.tasks.recipes[name])
    return Reading(index, retrievers, table, shown_name, find_names, source.tree.root, uncompiled)


def list_dataset_targets_withheld_from_training(
    choice: TaskChoice, recipe: Recipe, source: RepoSource
) -> tuple[Target, ...]:
    """What no ranker may learn from: all targets of the data set in that repository, whether this run has them or not,
    so that one trained ranker serves all runs."""
    bound = source.rename_rows_for_tree(
        fill_item_paths_and_relocate_rows(choice.rows, recipe, source.original_root).rows
    )
    return tuple(hole for row in bound for hole in row.target.holes)


def _refuse_one_function_config_keys(parts: RunParts, tasks: Sequence[Task]) -> None:
    """Raises ConfigError where the configuration can't be meant for tasks of several functions."""
    several = [task for task in tasks if len(task.target.holes) > 1]
    if not several:
        return
    parts.prompts.select_set_for_hole_count(several[0].target)
    config, plain = parts.config, RunConfig(model="")
    for key in ("generation", "official", "differential"):
        if getattr(config, key) != getattr(plain, key):
            raise ConfigError(
                f"{key}={getattr(config, key)}: it knows one function a task, and {len(several)} tasks have several,"
                f" the first {several[0].id}; leave the key out, or choose other tasks"
            )


def build_and_open_index(source: SourceTree, cache: Path, progress: Progress) -> RepoIndex:
    """The index of a source in Graft's cache, brought up to date."""
    from experiments.indexing.index_builds import PARTS
    from index.build import build_index
    from index.repo_index import open_index

    folder = cache / "indexes" / source.root.name
    report = build_index(source.root, folder, progress=progress, afterwards=PARTS)
    log.info(
        f"index of {source.repo}: {report.functions} functions in {report.files} files,"
        f" {len(report.skipped)} files skipped, {report.seconds:.1f} s"
    )
    return open_index(folder, source.root)
