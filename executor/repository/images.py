"""Warm images: a repository that was built once in a sandbox, with what the host knows about it.

The build graph, the tests that pass and their times lie on the host beside the image. They never go inside, where a
candidate could read them.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from executor.cache import hold_file_lock, replace_file, short_digest
from executor.published.image_budget import mark_fetched_image_in_use
from executor.published.images import fetch_image, publish_image
from executor.published.machine import detect_cpu_and_kernel_type
from executor.published.store_place import StorePlace, store_from_env
from executor.repository.baseline import (
    IMAGE_FORMAT,
    NOTHING_MEASURED,
    Baseline,
    SuiteLoad,
    add_plus_expectations,
    baseline_path,
    estimate_load,
    find_baseline_covering_suites,
)
from executor.repository.baseline_measurement import BaselineMeasurement, MeasuredTree
from executor.repository.build import graph as build_graph
from executor.repository.build import recorder
from executor.repository.build.debug_information import drop_debug_information_of_objects
from executor.repository.build.graph import BuildGraph, read_graph_json, write_graph_json
from executor.repository.build_parts import Parts
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree
from executor.sandbox.base import DEFAULT_SUITE, make_base
from executor.sandbox.contract import Backend, Builder, Command, CommandLimits
from executor.sandbox.store import measure_free_mb
from executor.values import ExpectedTests
from index.errors import RecipeError, SandboxError

log = logging.getLogger(__name__)

BUILD_OUTPUT_BYTES = 64 * 1024 * 1024
# Of a recipe's packages in a message: some have forty.
_NAMED = 8


class BuildError(RecipeError):
    """A build command failed, or left out a goal. `log` holds the output of the build; `command`: the one that
    failed."""

    def __init__(self, message: str, log: Path, command: str = "") -> None:
        super().__init__(message)
        self.log, self.command = log, command


@dataclass(frozen=True, slots=True)
class Image:
    """A warm image and all that the host knows of it. `suite_seconds`: wall time of each suite on the unmodified tree,
    the slowest of the baseline's runs; `suite_cpu_s`: the CPU time, empty where it wasn't measured. `source_root`: the
    unmodified tree on the host. `folder`: where the host keeps what it knows of the image; None for an image of which
    nothing more can be learnt. `suites_alone`: suites that pass only with nothing beside them."""

    key: str
    recipe: Recipe
    graph: BuildGraph
    expected: ExpectedTests
    suite_seconds: Mapping[str, float]
    source_root: Path
    commit: str
    folder: Path | None = None
    suite_cpu_s: Mapping[str, float] = field(default_factory=dict)
    suites_alone: frozenset[str] = frozenset()

    def estimate_load(self, suite: str) -> SuiteLoad:
        """What the suite takes of a machine, as it was measured."""
        return estimate_load(suite, self.suite_seconds, self.suite_cpu_s, suite in self.suites_alone)


def image_key(recipe: Recipe, source: SourceTree, base: str | None) -> str:
    """The name of the built state. It depends on all that goes into the build and not on the suites
    (`baseline_key`)."""
    parts = {
        "format": [IMAGE_FORMAT, build_graph.FORMAT],
        "name": recipe.name,
        "packages": recipe.packages,
        "build": recipe.build.model_dump(mode="json", exclude={"disk_mb", "keep"}),
        "commit": source.commit,
        "tree": source.root.name,
        "notes": source.notes,
        "base": base,
    }
    return f"{recipe.name}-{short_digest(parts)}"


def own_base_name(recipe: Recipe, backend: Backend) -> str | None:
    """What the sandbox calls the recipe's own base; None when the recipe has none or the sandbox needs none."""
    return None if recipe.base is None else backend.base_name(recipe.base.name)


def build_image(
    recipe: Recipe,
    source: SourceTree,
    backend: Backend,
    base: str | None,
    cache: Path,
    suites: Iterable[str] | None = None,
) -> Image:
    """The warm image of the source. It is fetched from the store that GRAFT_STORE names, or built, and its suites are
    measured, unless that was done before. Two calls at once are safe. `suites`: only these need be measured; None: all
    of the recipe's.

    The base that the recipe needs is made where it is missing. Raises BuildError when a build command fails or a goal
    isn't made, SuiteError when a suite doesn't pass on the unmodified tree, SandboxError when the sandbox fails, and
    as `make_base` does. `build.log` beside the image's record holds the output of the build.
    """
    tree = _fetch_or_build_tree(recipe, source, backend, base, cache)
    if find_baseline_covering_suites(tree.folder, recipe, suites) is None:
        BaselineMeasurement(tree, suites).run()
    return _load_image_as_measured_so_far(tree)


class ImageInUse:
    """An image that is used while `suites_measured` are still measured. `image` holds what is known so far.
    Thread-safe."""

    def __init__(self, tree: MeasuredTree, suites: Sequence[str]) -> None:
        """Begin to measure those of `suites` that weren't measured before: the first ones first."""
        self._tree, self._measurement = tree, BaselineMeasurement(tree, suites)
        self._changed = threading.Lock()
        self.image = _load_image_as_measured_so_far(tree)
        self.suites_measured = frozenset(suites) - self.image.suite_seconds.keys()
        if self.suites_measured:
            self._measurement.start()

    def wait_until_suites_passed(self, suites: Iterable[str]) -> Image:
        """The image, once these suites have passed a first time. Raises as `build_image` does."""
        if not set(suites) <= self.image.suite_seconds.keys():
            found = _make_image_marked_in_use(self._tree, self._measurement.wait_until_suites_passed(suites))
            with self._changed:
                # Who waited for fewer suites may come later, and what is known mustn't become less.
                if len(found.suite_seconds) > len(self.image.suite_seconds):
                    self.image = found
        return self.image

    def finish_measuring(self) -> Image:
        """The image, once all is measured. Raises as `build_image` does."""
        if self.suites_measured:
            found = _make_image_marked_in_use(self._tree, self._measurement.finish_measuring())
            with self._changed:
                self.image = found
        return self.image

    def begin_no_further_suite(self) -> None:
        """Begin no further suite. What was measured is kept."""
        self._measurement.begin_no_further_suite()


def build_image_with_background_measurement(
    recipe: Recipe,
    source: SourceTree,
    backend: Backend,
    base: str | None,
    cache: Path,
    suites: Sequence[str],
) -> ImageInUse:
    """As `build_image`, and doesn't wait for the suites."""
    return ImageInUse(_fetch_or_build_tree(recipe, source, backend, base, cache), suites)


def _fetch_or_build_tree(
    recipe: Recipe, source: SourceTree, backend: Backend, base: str | None, cache: Path
) -> MeasuredTree:
    own = own_base_name(recipe, backend)
    base = base or own
    key, folder = _compute_image_key_and_folder(recipe, source, backend, base, cache)
    folder.mkdir(parents=True, exist_ok=True)
    with hold_file_lock(folder.with_suffix(".lock"), key):
        if not is_image_whole(folder, backend, key):
            store = store_from_env()
            if store is None or not fetch_image(backend, key, folder, cache, store):
                if own is not None and base == own:
                    _make_and_import_own_base(recipe, backend, cache)
                elif base is None and not backend.has_base():
                    backend.import_base(make_base(cache), DEFAULT_SUITE)
                _build_fresh_image(recipe, source, backend, base, key, folder, cache)
    return _load_measured_tree(recipe, source, backend, key, folder)


def _load_measured_tree(recipe: Recipe, source: SourceTree, backend: Backend, key: str, folder: Path) -> MeasuredTree:
    graph = read_graph_json((folder / "graph.json").read_text(encoding="utf-8"))
    return MeasuredTree(recipe, source, backend, key, graph, folder)


def require_image(recipe: Recipe, source: SourceTree, backend: Backend, base: str | None, cache: Path) -> Image:
    """The image that `build_image` made. Raises SandboxError with the command that makes it when it isn't there."""
    key, folder = _compute_image_key_and_folder(recipe, source, backend, base, cache)
    if not is_measured(recipe, source, backend, base, cache):
        raise SandboxError(
            f"no warm image of {recipe.name} for sandbox {backend.name} ({key}); make it: "
            f"graft images build {recipe.name}"
        )
    return _load_image_as_measured_so_far(_load_measured_tree(recipe, source, backend, key, folder))


def push_image_and_get_digest(image: Image, backend: Backend, cache: Path, place: StorePlace) -> str:
    """Publish the image and return its archive's digest. Raises as `publish_image` does."""
    folder = image_folder(cache, backend, image.key)
    with hold_file_lock(folder.with_suffix(".lock"), image.key):
        return publish_image(backend, image.key, folder, image.source_root, cache, place).tree.archive


def pull_image_and_get_key(
    recipe: Recipe, source: SourceTree, backend: Backend, base: str | None, cache: Path, place: StorePlace
) -> str:
    """Fetch the source's image unless it is there, and return its key. Raises SandboxError when the store hasn't it,
    and as `fetch_image` does."""
    key, folder = _compute_image_key_and_folder(recipe, source, backend, base, cache)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with hold_file_lock(folder.with_suffix(".lock"), key):
        if not is_image_whole(folder, backend, key) and not fetch_image(backend, key, folder, cache, place):
            raise SandboxError(
                f"store {place.url}: it has no image {key} for {backend.name} on {detect_cpu_and_kernel_type()};"
                f" on such a machine: graft images build {recipe.name} && graft images push {recipe.name}"
            )
    return key


def _make_and_import_own_base(recipe: Recipe, backend: Backend, cache: Path) -> None:
    wanted = recipe.base
    assert wanted is not None
    needs = (wanted.suite, wanted.packages)
    rootfs = make_base(cache, *needs, name=wanted.name, files_to_remove=wanted.without, needed_mb=wanted.disk_mb)
    backend.import_base(rootfs, wanted.name)


def _build_fresh_image(
    recipe: Recipe, source: SourceTree, backend: Backend, base: str | None, key: str, folder: Path, cache: Path
) -> None:
    free = measure_free_mb(cache)
    if free < recipe.build.disk_mb:
        raise SandboxError(
            f"building {recipe.name} needs {recipe.build.disk_mb} MiB, and {cache} has {free} MiB free: make room "
            "(graft images prune), or set GRAFT_CACHE to another disk"
        )
    started = time.monotonic()
    build_log = folder / "build.log"
    if not recipe.build.keep:
        build_log.unlink(missing_ok=True)
    if _has_image(backend, key):
        # Committed by a build that was killed before its record was written.
        backend.remove(key)
    with backend.builder(base) as builder:
        graph = _run_build_and_read_graph(recipe, source, builder, folder, build_log)
        _commit_and_record_image(recipe, source, builder, graph, base, key, folder, started)


def build_image_and_complete_recipe(
    draft: Recipe,
    source: SourceTree,
    backend: Backend,
    cache: Path,
    folder: Path,
    complete: Callable[[Builder, BuildGraph], Recipe],
) -> Recipe:
    """Run the draft's build, let `complete` look at the built tree and return the whole recipe, which may differ from
    the draft in its goals, suites and parsers alone, and keep the tree as that recipe's image. Its suites aren't
    measured yet. The build's output and, for a build that can be resumed, its parts lie in `folder`.

    Raises BuildError when a command fails or a goal isn't made, what `complete` raises, SandboxError."""
    base = own_base_name(draft, backend)
    folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    build_log = folder / "build.log"
    build_log.unlink(missing_ok=True)
    if base is not None:
        _make_and_import_own_base(draft, backend, cache)
    with backend.builder(base) as builder:
        graph = _run_build_and_read_graph(draft, source, builder, folder, build_log)
        recipe = complete(builder, graph)
        _require_goals(recipe, builder, build_log)
        key, place = _compute_image_key_and_folder(recipe, source, backend, base, cache)
        place.mkdir(parents=True, exist_ok=True)
        with hold_file_lock(place.with_suffix(".lock"), key):
            if not is_image_whole(place, backend, key):
                _commit_and_record_image(recipe, source, builder, graph, base, key, place, started)
    return recipe


def is_measured(recipe: Recipe, source: SourceTree, backend: Backend, base: str | None, cache: Path) -> bool:
    """Whether the recipe's image is there and all its suites are measured."""
    key, folder = _compute_image_key_and_folder(recipe, source, backend, base, cache)
    return is_image_whole(folder, backend, key) and baseline_path(folder, recipe).is_file()


def is_built(recipe: Recipe, source: SourceTree, backend: Backend, cache: Path) -> bool:
    """Whether the recipe's image is there, measured or not."""
    key, folder = _compute_image_key_and_folder(recipe, source, backend, None, cache)
    return is_image_whole(folder, backend, key)


def _compute_image_key_and_folder(
    recipe: Recipe, source: SourceTree, backend: Backend, base: str | None, cache: Path
) -> tuple[str, Path]:
    """The image's key, and where the host keeps what it knows of it."""
    key = image_key(recipe, source, base or own_base_name(recipe, backend))
    return key, image_folder(cache, backend, key)


def _run_build_and_read_graph(
    recipe: Recipe, source: SourceTree, builder: Builder, folder: Path, build_log: Path
) -> BuildGraph:
    log.info(f"{recipe.name}: putting the source tree into a sandbox")
    builder.put_tree(source.root)
    env = {**recipe.build.env, "JOBS": str(recipe.build.jobs), **recorder.install_recording_wrappers(builder)}
    parts = Parts(recipe, folder)
    finished = parts.restore_files_and_count_commands(builder)
    if finished:
        log.info(f"{recipe.name}: resuming after build {finished}/{len(recipe.build.commands)}")
    for number, line in list(enumerate(recipe.build.commands, start=1))[finished:]:
        log.info(f"{recipe.name}: build {number}/{len(recipe.build.commands)}: {line.splitlines()[0]}")
        done = builder.run(make_build_command(recipe, line, env))
        with build_log.open("ab") as out:
            out.write(b"$ " + line.encode() + b"\n" + done.output)
        if not done.ok:
            named = " ".join(recipe.packages[:_NAMED]) + (" ..." if len(recipe.packages) > _NAMED else "")
            needs = f"; the base must have: {named}" if named else ""
            problem = f"build command {line!r} {done.ending}; its output: {build_log}{needs}"
            raise BuildError(f"recipe {recipe.name}: {problem}", build_log, line)
        parts.save_files_after_command(builder, number)
    _require_goals(recipe, builder, build_log)
    log.info(f"{recipe.name}: reading what the build did")
    return recorder.take_recorded_graph(builder, recipe.build.jobs)


def _require_goals(recipe: Recipe, builder: Builder, build_log: Path) -> None:
    if missing := find_first_missing_goal_or_empty(recipe, builder):
        raise BuildError(f"recipe {recipe.name}: goals: the build left no {missing}", build_log)


def _commit_and_record_image(
    recipe: Recipe,
    source: SourceTree,
    builder: Builder,
    graph: BuildGraph,
    base: str | None,
    key: str,
    folder: Path,
    started: float,
) -> None:
    replace_file(folder / "graph.json", write_graph_json(graph).encode())
    labels = {"repo": recipe.name, "commit": source.commit, "origin": source.origin, "base": base or ""}
    drop_debug_information_of_objects(builder, graph)
    seconds = time.monotonic() - started
    builder.commit(key, labels)
    Parts(recipe, folder).remove_parts()
    record = {**labels, "key": key, "build_seconds": round(seconds, 1), "notes": list(source.notes)}
    replace_file(folder / "image.json", json.dumps(record, indent=1).encode())
    log.info(f"{recipe.name}: image {key} built in {seconds:.0f} s")


def make_build_command(recipe: Recipe, line: str, env: Mapping[str, str]) -> Command:
    """The command that runs one of the recipe's build lines, with the limits of a build."""
    limits = CommandLimits(
        wall_s=recipe.build.timeout_s,
        memory_mb=recipe.build.memory_mb,
        disk_mb=65536,
        processes=4096,
        output_bytes=BUILD_OUTPUT_BYTES,
    )
    return Command(["/bin/sh", "-c", line], env=env, limits=limits, cores=recipe.build.jobs)


def find_first_missing_goal_or_empty(recipe: Recipe, builder: Builder) -> str:
    """The first goal that the build didn't make, or ""."""
    return next((goal for goal in recipe.find_goals() if not builder.run(Command(["test", "-e", goal])).ok), "")


def _load_image_as_measured_so_far(tree: MeasuredTree) -> Image:
    """With what is known of its suites so far."""
    return _make_image_marked_in_use(
        tree, find_baseline_covering_suites(tree.folder, tree.recipe, ()) or NOTHING_MEASURED
    )


def _make_image_marked_in_use(tree: MeasuredTree, baseline: Baseline) -> Image:
    mark_fetched_image_in_use(tree.folder)
    return Image(
        tree.key,
        tree.recipe,
        tree.graph,
        add_plus_expectations(baseline.expected, tree.recipe),
        baseline.suite_seconds,
        tree.source.root,
        tree.source.commit,
        tree.folder,
        baseline.suite_cpu_s,
        baseline.alone,
    )


def is_image_whole(folder: Path, backend: Backend, key: str) -> bool:
    """Whether the image is there, and with it in `folder` what the host knows of its build."""
    return _has_image(backend, key) and (folder / "image.json").is_file() and (folder / "graph.json").is_file()


def _has_image(backend: Backend, key: str) -> bool:
    return any(info.key == key for info in backend.images())


def image_folder(cache: Path, backend: Backend, key: str) -> Path:
    """Where the host keeps what it knows of an image."""
    return cache / "images" / "meta" / backend.name / key
