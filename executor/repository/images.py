"""Warm images: a repository built once in a sandbox, and what the host knows about it.

The host's knowledge (build graph, tests that pass, their times) lies beside the image and never goes inside, where
a candidate could read it.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from executor.build import graph as build_graph
from executor.build import recorder
from executor.build.graph import BuildGraph, from_json, to_json
from executor.grading.results import read_results
from executor.grading.tamper import changed_since
from executor.repository.build_parts import Parts
from executor.repository.recipe import Recipe, Suite
from executor.repository.source import SourceTree
from executor.sandbox.base import PACKAGES, make_base
from executor.sandbox.contract import Backend, Builder, Command, ExecResult, Limits, Session
from executor.sandbox.store import free_mb
from executor.values import ExpectedTests, TestResult, TestStatus
from index.errors import RecipeError, SandboxError

log = logging.getLogger(__name__)

log = logging.getLogger(__name__)

# Raised when what is kept beside an image, or how images are made, changes its meaning.
FORMAT = 1
# Raised when a baseline holds more than before: it is measured again in the same image.
BASELINE_FORMAT = 2
# The unmodified tree's suites have no measured time yet; a suite that needs longer isn't for judging candidates.
BASELINE_SUITE_S = 1200.0
BUILD_OUTPUT_BYTES = 64 * 1024 * 1024

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Image:
    """A warm image and all that the host knows of it. `suite_seconds`: wall time of each suite on the
    unmodified tree, the slowest of the baseline's runs. `source_root`: the same tree on the host."""

    key: str
    recipe: Recipe
    graph: BuildGraph
    expected: ExpectedTests
    suite_seconds: Mapping[str, float]
    source_root: Path
    commit: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the suites did on the unmodified tree; `notes` name tests left out because they didn't pass each
    time."""

    expected: ExpectedTests
    suite_seconds: Mapping[str, float]
    notes: tuple[str, ...] = ()


def image_key(recipe: Recipe, source: SourceTree, base: str | None) -> str:
    """Names the built state: what goes into the build decides it, the suites don't (see `baseline_key`)."""
    parts = {
        "format": [FORMAT, build_graph.FORMAT],
        "name": recipe.name,
        "packages": recipe.packages,
        "build": recipe.build.model_dump(mode="json", exclude={"disk_mb", "keep"}),
        "commit": source.commit,
        "tree": source.root.name,
        "notes": source.notes,
        "base": base,
    }
    return f"{recipe.name}-{_digest(parts)}"


def baseline_key(recipe: Recipe) -> str:
    """Names the expectations: a changed suite is measured again in the same image."""
    kept = recipe.judged_by("baseline_runs")
    if recipe.known_failures:
        kept["known_failures"] = dict(recipe.known_failures)
    return _digest({"format": [FORMAT, BASELINE_FORMAT], **kept})


def own_base(recipe: Recipe, backend: Backend) -> str | None:
    """What the sandbox calls the recipe's own base; None when the recipe has none or the sandbox needs none."""
    return None if recipe.base is None else backend.base_name(recipe.base.name)


def build_image(recipe: Recipe, source: SourceTree, backend: Backend, base: str | None, cache: Path) -> Image:
    """The warm image of the source, built and measured where it isn't yet. Safe to run twice at once.

    Raises RecipeError when a build command fails, a goal isn't there, or a suite doesn't pass on the unmodified
    tree; SandboxError when the sandbox fails. The build's log lies in `build.log` beside the image's record.
    """
    own = own_base(recipe, backend)
    base = base or own
    key = image_key(recipe, source, base)
    folder = _folder(cache, backend, key)
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder.with_suffix(".lock"), key):
        if not _is_built(folder, backend, key):
            if own is not None and base == own:
                _make_own_base(recipe, backend, cache)
            _build(recipe, source, backend, base, key, folder, cache)
        if not _baseline_path(folder, recipe).is_file():
            _measure(recipe, source, backend, key, folder)
    return _load(recipe, source, folder, key)


def measure(recipe: Recipe, source: SourceTree, backend: Backend, key: str, cache: Path, doing: str) -> Baseline:
    """What the recipe's suites do on the unmodified tree of the image `key`, from disk where it was measured
    before; `doing` is told where it wasn't. Raises as `build_image` does."""
    folder = _folder(cache, backend, key)
    path = _baseline_path(folder, recipe)
    with _locked(folder.with_suffix(".lock"), key):
        if not path.is_file():
            log.info(f"{recipe.name}: {doing} on the unmodified tree, {recipe.baseline_runs} times")
            _measure(recipe, source, backend, key, folder)
    return _read(path, Baseline)


def require_image(recipe: Recipe, source: SourceTree, backend: Backend, base: str | None, cache: Path) -> Image:
    """The image that `build_image` made. Raises SandboxError: one line with the command that makes it."""
    key = image_key(recipe, source, base or own_base(recipe, backend))
    folder = _folder(cache, backend, key)
    if not _is_built(folder, backend, key) or not _baseline_path(folder, recipe).is_file():
        raise SandboxError(
            f"no warm image of {recipe.name} for sandbox {backend.name} ({key}); make it: "
            f"graft images build {recipe.name}"
        )
    return _load(recipe, source, folder, key)


def suite_command(suite: Suite, limits: Limits) -> Command:
    return Command(suite.command, cwd=suite.cwd, env=suite.env, limits=limits)


def _make_own_base(recipe: Recipe, backend: Backend, cache: Path) -> None:
    wanted = recipe.base
    assert wanted is not None
    rootfs = make_base(
        cache,
        wanted.suite,
        (*PACKAGES, *wanted.packages),
        name=wanted.name,
        without=wanted.without,
        needed_mb=wanted.disk_mb,
    )
    backend.import_base(rootfs, wanted.name)


def _build(
    recipe: Recipe,
    source: SourceTree,
    backend: Backend,
    base: str | None,
    key: str,
    folder: Path,
    cache: Path,
) -> None:
    free = free_mb(cache)
    if free < recipe.build.disk_mb:
        raise SandboxError(
            f"building {recipe.name} needs {recipe.build.disk_mb} MiB, and {cache} has {free} MiB free: make room "
            "(graft images prune), or set GRAFT_CACHE to another disk"
        )
    started = time.monotonic()
    limits = Limits(
        wall_s=recipe.build.timeout_s,
        memory_mb=recipe.build.memory_mb,
        disk_mb=65536,
        processes=4096,
        output_bytes=BUILD_OUTPUT_BYTES,
    )
    build_log = folder / "build.log"
    if not recipe.build.keep:
        build_log.unlink(missing_ok=True)
    if any(info.key == key for info in backend.images()):
        # Committed by a build that was killed before its record was written.
        backend.remove(key)
    with backend.builder(base) as builder:
        log.info(f"{recipe.name}: putting the source tree into a {backend.name} sandbox")
        builder.put_tree(source.root)
        env = {**recipe.build.env, "JOBS": str(recipe.build.jobs), **recorder.install(builder)}
        parts = Parts(recipe, folder)
        behind = parts.restore(builder)
        if behind:
            log.info(f"{recipe.name}: going on after build {behind}/{len(recipe.build.commands)}")
        for number, line in enumerate(recipe.build.commands, start=1):
            if number <= behind:
                continue
            log.info(f"{recipe.name}: build {number}/{len(recipe.build.commands)}: {line}")
            done = builder.run(Command(["/bin/sh", "-c", line], env=env, limits=limits))
            with build_log.open("ab") as out:
                out.write(b"$ " + line.encode() + b"\n" + done.output)
            if not done.ok:
                needs = f"; the base must have: {' '.join(recipe.packages)}" if recipe.packages else ""
                raise RecipeError(
                    f"recipe {recipe.name}: build command {line!r} {_ending(done)}; its output: {build_log}{needs}"
                )
            parts.save(builder, number)
        _require_goals(recipe, builder)
        log.info(f"{recipe.name}: reading what the build did")
        graph = recorder.read(builder, recipe.build.jobs)
        _replace(folder / "graph.json", to_json(graph).encode())
        labels = {"repo": recipe.name, "commit": source.commit, "origin": source.origin, "base": base or ""}
        seconds = time.monotonic() - started
        builder.commit(key, labels)
        parts.forget()
    record = {**labels, "key": key, "build_seconds": round(seconds, 1), "notes": list(source.notes)}
    _replace(folder / "image.json", json.dumps(record, indent=1).encode())
    log.info(f"{recipe.name}: image {key} built in {seconds:.0f} s")


def _require_goals(recipe: Recipe, builder: Builder) -> None:
    for goal in recipe.goals_of():
        if not builder.run(Command(["test", "-e", goal])).ok:
            raise RecipeError(f"recipe {recipe.name}: goals: the build left no {goal}")


def _measure(recipe: Recipe, source: SourceTree, backend: Backend, key: str, folder: Path) -> None:
    """Each round in a fresh session of the image, as a candidate gets it."""
    graph = _graph(folder)
    rewritten: set[str] = set()
    rounds: list[dict[str, tuple[TestResult, ...]]] = []
    seconds: dict[str, float] = {}
    for number in range(1, recipe.baseline_runs + 1):
        results: dict[str, tuple[TestResult, ...]] = {}
        with backend.session(key) as session:
            started = time.time()
            for suite in recipe.suites:
                done = _baseline_suite(recipe, suite, session)
                (folder / f"baseline-{number}-{suite.name}.log").write_bytes(done.output)
                results[suite.name] = read_results(done.output, recipe.parser_of(suite.name))
                _refuse_broken(recipe, suite, done, results[suite.name], folder)
                seconds[suite.name] = max(seconds.get(suite.name, 0.0), done.wall_s)
            rewritten.update(changed_since(session, started, graph, source.root))
        rounds.append(results)
        total = sum(len(found) for found in results.values())
        log.info(f"{recipe.name}: baseline {number}/{recipe.baseline_runs}: {total} results")
    baseline = expectations(recipe, rounds, seconds, rewritten)
    for note in baseline.notes:
        log.info(f"{recipe.name}: {note}")
    _write(_baseline_path(folder, recipe), Baseline, baseline)


def _baseline_suite(recipe: Recipe, suite: Suite, session: Session) -> ExecResult:
    limits = Limits(wall_s=max(BASELINE_SUITE_S, suite.timeout_min_s), memory_mb=recipe.build.memory_mb)
    return session.run(suite_command(suite, limits))


def _refuse_broken(
    recipe: Recipe, suite: Suite, done: ExecResult, results: Sequence[TestResult], folder: Path
) -> None:
    where = f"recipe {recipe.name}: suite {suite.name} on the unmodified tree"
    failed = [r.name for r in results if r.status is TestStatus.FAILED and not recipe.quarantined(r.name)]
    if len(set(failed)) <= recipe.known_failures.get(suite.name, 0):
        failed = []
    excused = any(r.status is TestStatus.FAILED for r in results) and not failed
    if done.truncated:
        raise RecipeError(f"{where} printed more than is kept; its output: {folder}")
    if failed:
        raise RecipeError(f"{where}: {failed[0]!r} failed ({len(failed)} in all); its output: {folder}")
    if not done.ok and not (excused and not done.timed_out):
        raise RecipeError(f"{where} {_ending(done)}; its output: {folder}")
    if not any(r.status is TestStatus.PASSED for r in results):
        raise RecipeError(f"{where} ran no test that parser {suite.parser!r} finds; its output: {folder}")


def expectations(
    recipe: Recipe,
    rounds: Sequence[Mapping[str, Sequence[TestResult]]],
    seconds: Mapping[str, float],
    rewritten: Iterable[str] = (),
) -> Baseline:
    """What passed in every round, as often as in the round where it passed least; quarantined names and those
    that came and went are ignored from then on."""
    suites: dict[str, dict[str, int]] = {}
    ignored: set[str] = set()
    notes: list[str] = []
    for suite in recipe.suites:
        counts = [Counter(r.name for r in results[suite.name] if r.status is TestStatus.PASSED) for results in rounds]
        seen = {result.name for results in rounds for result in results[suite.name]}
        known = {r.name for results in rounds for r in results[suite.name] if r.status is TestStatus.FAILED}
        quarantined = {name for name in seen if recipe.quarantined(name)}
        unsteady = {name for name in seen if len({count[name] for count in counts}) > 1} - quarantined
        known -= quarantined | unsteady
        ignored |= quarantined | unsteady | known
        notes += [f"{suite.name}: {name!r} fails on the unmodified tree, ignored" for name in sorted(known)]
        notes += [f"{suite.name}: {name!r} isn't the same in every round, ignored" for name in sorted(unsteady)]
        suites[suite.name] = {name: count for name, count in counts[0].items() if name not in quarantined | unsteady}
    notes += [f"{path}: changed by the tests themselves, so its changes tell nothing" for path in sorted(rewritten)]
    expected = ExpectedTests(suites, frozenset(ignored), frozenset(rewritten))
    return Baseline(expected, dict(seconds), tuple(notes))


def _load(recipe: Recipe, source: SourceTree, folder: Path, key: str) -> Image:
    graph = _graph(folder)
    baseline = _read(_baseline_path(folder, recipe), Baseline)
    return Image(key, recipe, graph, baseline.expected, baseline.suite_seconds, source.root, source.commit)


def _graph(folder: Path) -> BuildGraph:
    return from_json((folder / "graph.json").read_text(encoding="utf-8"))


def _is_built(folder: Path, backend: Backend, key: str) -> bool:
    known = any(info.key == key for info in backend.images())
    return known and (folder / "image.json").is_file() and (folder / "graph.json").is_file()


def _folder(cache: Path, backend: Backend, key: str) -> Path:
    return cache / "images" / "meta" / backend.name / key


def _baseline_path(folder: Path, recipe: Recipe) -> Path:
    return folder / f"expected-{baseline_key(recipe)}.json"


def _ending(done: ExecResult) -> str:
    if done.oom:
        return "ran out of memory"
    if done.timed_out:
        return f"was stopped after {done.wall_s:.0f} s"
    return f"ended with status {done.exit_code}"


def _digest(parts: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _write(path: Path, kind: type[T], value: T) -> None:
    _replace(path, TypeAdapter(kind).dump_json(value))


def _read(path: Path, kind: type[T]) -> T:
    try:
        return TypeAdapter(kind).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise SandboxError(f"{path}: damaged; delete its folder and build the image again") from error


def _replace(path: Path, data: bytes) -> None:
    scratch = path.with_name(f".{path.name}.new")
    scratch.write_bytes(data)
    scratch.replace(path)


@contextmanager
def _locked(path: Path, key: str) -> Iterator[None]:
    with path.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            log.info(f"{key}: another process builds it, waiting")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
