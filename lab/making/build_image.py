"""The stage of `graft make` that builds: a warm image whose suites pass each time. `tests.json` in the data set's
folder says of every test that was found why it isn't a suite."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import replace_file, short_digest
from executor.repository.baseline import SuiteError
from executor.repository.build.graph import BuildGraph
from executor.repository.images import Image, build_drafted_recipe, build_image, image_key, is_built, own_base_name
from executor.repository.recipe import Base, Build, Recipe, Tests, load_recipe
from executor.repository.source import SourceTree
from executor.repository.suites import Suite
from executor.sandbox.base import DEFAULT_SUITE
from executor.sandbox.contract import Backend, Builder
from index.progress import Progress
from lab.making.build_failures import SetupError, explain_no_tests
from lab.making.settings import MakeSettings
from lab.making.source.origin import Origin
from lab.making.suites.exit_library import write_library_build_command
from lab.making.suites.list_tests import FoundTest, find_existing_files, list_tests_and_summarize
from lab.making.suites.output_parsers import PARSERS
from lab.making.suites.try_tests import TriedTest, choose_suites, list_libraries, list_programs, try_tests
from lab.making.write_data_set import write_recipe

log = logging.getLogger(__name__)

_FOUND_TESTS_FILE = "tests.json"
# Raised when the way in which tests are found or tried changes.
_FORMAT = 6
# Tests whose output is shown where none can judge.
_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class FoundTests:
    """tests.json: every test that was found, with the reason where it isn't a suite. `digest` names the settings."""

    digest: str
    note: str
    tests: Mapping[str, str]


def make_bare_recipe(origin: Origin) -> Recipe:
    """A recipe that names the source and nothing else, to check it out."""
    return Recipe(
        name=origin.name,
        display=origin.name,
        languages=("c",),
        source=origin.source,
        build=Build(commands=("true",), goals=("-",)),
        suites=(Suite(name="-", argv=("true",), parser="lines"),),
        parsers={"lines": PARSERS["lines"]},
        tests=Tests(default=("-",)),
    )


def make_draft_recipe(settings: MakeSettings) -> Recipe:
    """The recipe as far as it is known before the build: without its goals and its suites."""
    packages = settings.build.packages
    return Recipe(
        name=settings.name,
        display=settings.name,
        languages=settings.languages,
        source=settings.source,
        build=Build(
            commands=(*settings.build.commands, write_library_build_command()),
            goals=(".",),
            env=settings.build.env,
            jobs=settings.build.jobs,
            timeout_s=settings.build.timeout_s,
        ),
        suites=(Suite(name="-", argv=("true",), parser="lines"),),
        parsers={**PARSERS, **settings.tests.parsers},
        tests=Tests(default=("-",)),
        packages=packages,
        base=Base(suite=DEFAULT_SUITE, packages=packages) if packages else None,
        baseline_runs=3,
    )


def build_measured_image(
    settings: MakeSettings, source: SourceTree, backend: Backend, cache: Path, path: Path, progress: Progress
) -> Image:
    """The warm image with suites that pass each time. `path`: make.yaml, in the data set's folder. What was found
    before is used again. Raises BuildError when the build fails, SetupError when no test can judge; what a sandbox
    raises."""
    out = path.parent
    digest = short_digest({
        "format": _FORMAT,
        "tree": source.root.name,
        "settings": settings.model_dump(mode="json", include={"name", "source", "build", "tests"}),
    })  # fmt: skip
    found = _read_found_tests(out / _FOUND_TESTS_FILE)
    recipe = _load_known_recipe(settings, out) if found is not None and found.digest == digest else None
    if recipe is None or not is_built(recipe, source, backend, cache):
        log.info("2/6 build: making the warm image")
        recipe = _build_and_find_suites(settings, source, backend, cache, path, digest, progress)
    # A test that fails now and then in the baseline's rounds can't judge.
    while True:
        write_recipe(recipe, out)
        try:
            written = load_recipe(out / "recipes" / recipe.name / "recipe.yaml")
            return build_image(written, source, backend, None, cache)
        except SuiteError as error:
            log.info(f"2/6 build: {error.suite} is left out: {error}")
            recipe = _remove_suite(recipe, error.suite, path)
            found = _read_found_tests(out / _FOUND_TESTS_FILE)
            if found is not None:
                _write_found_tests(
                    out, FoundTests(digest, found.note, {**found.tests, error.suite: "not the same in each run"})
                )


def _build_and_find_suites(
    settings: MakeSettings,
    source: SourceTree,
    backend: Backend,
    cache: Path,
    path: Path,
    digest: str,
    progress: Progress,
) -> Recipe:
    out = path.parent
    tests: tuple[FoundTest, ...] = ()
    note, graph = "", BuildGraph(())

    def complete_recipe(builder: Builder, recorded: BuildGraph) -> Recipe:
        nonlocal tests, note, graph
        graph = recorded
        tests, note = list_tests_and_summarize(settings, builder)
        goals = list_programs(recorded)
        if not tests and not settings.tests.suites:
            raise SetupError(f"{path}: {explain_no_tests(settings.build.system)}")
        if not goals:
            raise SetupError(f"{path}: build: the commands linked no program; build the tests' programs there too")
        if any(test.driver and not test.parser for test in tests):
            goals = (*goals, *find_existing_files(list_libraries(recorded), builder))
        return draft.model_copy(update={"build": draft.build.model_copy(update={"goals": goals})})

    draft = make_draft_recipe(settings)
    recipe = build_drafted_recipe(draft, source, backend, cache, out / "build", complete_recipe)
    log.info(f"2/6 build: {note}")
    if settings.tests.suites:
        _write_found_tests(out, FoundTests(digest, note, {suite.name: "" for suite in settings.tests.suites}))
        return _replace_suites(recipe, settings.tests.suites)
    key = image_key(recipe, source, own_base_name(recipe, backend))
    tried = try_tests(tests, graph, backend, key, settings.tests, progress)
    suites = choose_suites(tried, settings.tests.most)
    _log_found_tests(tried, suites)
    if not suites:
        first = tried[0]
        raise SetupError(
            f"{path}: tests found: {len(tried)}, and none can judge; {first.test.name} {first.why}; if the build lacks"
            " something, correct build, else write the tests into `tests: suites`",
            "\n".join(f"test {test.test.name} {test.why}\n{test.printed}" for test in tried[:_MOST_SHOWN]),
        )
    whys = {t.test.name: t.why for t in tried}
    kept = {suite.name for suite in suites}
    late = {
        name: f"more than tests.most ({settings.tests.most})"
        for name, why in whys.items()
        if not why and name not in kept
    }
    _write_found_tests(out, FoundTests(digest, note, {**whys, **late}))
    own = {t.suite.parser: t.parser for t in tried if t.suite and t.parser}
    return _replace_suites(recipe.model_copy(update={"parsers": {**recipe.parsers, **own}}), suites)


def _remove_suite(recipe: Recipe, suite: str, path: Path) -> Recipe:
    left = tuple(s for s in recipe.suites if s.name != suite)
    if not left:
        raise SetupError(f"{path}: every test failed in one of {recipe.baseline_runs} runs of the unmodified tree")
    return _replace_suites(recipe, left)


def _replace_suites(recipe: Recipe, suites: Sequence[Suite]) -> Recipe:
    names = tuple(suite.name for suite in suites)
    used = {suite.parser for suite in suites}
    parsers = {name: parser for name, parser in recipe.parsers.items() if name in used}
    update = {"suites": tuple(suites), "parsers": parsers, "tests": Tests(default=names)}
    return recipe.model_copy(update=update)


def _log_found_tests(tried: Sequence[TriedTest], suites: Sequence[Suite]) -> None:
    for test in tried:
        if test.why:
            log.info(f"2/6 build: test {test.test.name} is left out: {test.why}")
    started = len({suite.goals for suite in suites})
    log.info(f"2/6 build: {len(suites)} of {len(tried)} tests judge, of {started} programs or groups of them")
    if len(suites) == 1:
        log.info("2/6 build: one suite alone judges every task; the smaller the tests, the quicker is a verdict")


def _load_known_recipe(settings: MakeSettings, out: Path) -> Recipe | None:
    path = out / "recipes" / settings.name / "recipe.yaml"
    return load_recipe(path) if path.is_file() else None


def _read_found_tests(path: Path) -> FoundTests | None:
    try:
        return TypeAdapter(FoundTests).validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _write_found_tests(out: Path, found: FoundTests) -> None:
    replace_file(out / _FOUND_TESTS_FILE, TypeAdapter(FoundTests).dump_json(found, indent=1) + b"\n")
