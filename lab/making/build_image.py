"""The stage of `graft make` that builds: a warm image whose suites pass each time, by make.yaml and, while nobody has
seen that file yet, in the tree's other ways. `tests.json` beside it says of every test that was found why it isn't a
suite."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import replace_file, short_digest
from executor.repository.apt import list_binary_package_names
from executor.repository.baseline import SuiteError
from executor.repository.build.graph import BuildGraph
from executor.repository.images import (
    BuildError,
    Image,
    build_image,
    build_image_and_complete_recipe,
    image_key,
    is_built,
    own_base_name,
)
from executor.repository.recipe import RECIPE_FILE, Base, Build, Recipe, Tests, load_recipe
from executor.repository.source import SourceTree
from executor.repository.suites import Suite
from executor.sandbox.base import DEFAULT_SUITE
from executor.sandbox.contract import Backend, Builder
from index.errors import UserError
from index.progress import Progress
from lab.making.build_failures import (
    SetupError,
    explain_build_failure,
    explain_no_tests,
    find_lacking_package_or_empty,
    read_build_output_end,
)
from lab.making.detect_build import detect_build, find_missing_submodule_or_empty, find_other_tested_system
from lab.making.settings import MakeSettings, add_package_unless_line_edited, read_settings, write_settings
from lab.making.suites.exit_library import write_exit_library_build_command
from lab.making.suites.list_tests import FoundTest, find_existing_files, list_tests_and_summarize
from lab.making.suites.output_parsers import PARSERS
from lab.making.suites.try_tests import choose_quickest_suites_across_folders, list_libraries, list_programs, try_tests
from lab.making.write_data_set import RECIPES, write_recipe

log = logging.getLogger(__name__)

# The make.yaml that Graft wrote, until a build by it or another one is over.
_UNFINISHED = "make.yaml.unfinished"
_FOUND_TESTS = "tests.json"
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


@dataclass(frozen=True, slots=True)
class BuildPlace:
    """What is built, and where. `path`: make.yaml, in the data set's folder."""

    source: SourceTree
    backend: Backend
    cache: Path
    path: Path
    progress: Progress


def make_draft_recipe(settings: MakeSettings) -> Recipe:
    """The recipe as far as it is known before the build: without its goals and its suites."""
    packages = settings.build.packages
    return Recipe(
        name=settings.name,
        display=settings.name,
        languages=settings.languages,
        source=settings.source,
        build=Build(
            commands=(*settings.build.commands, write_exit_library_build_command()),
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


def build_image_dropping_unsteady_suites(settings: MakeSettings, place: BuildPlace) -> Image:
    """The warm image with suites that pass each time. What was found before is used again. Raises BuildError when the
    build fails, SetupError when no test can judge; what a sandbox raises."""
    source, backend, cache, out = place.source, place.backend, place.cache, place.path.parent
    digest = short_digest({
        "format": _FORMAT,
        "tree": source.root.name,
        "settings": settings.model_dump(mode="json", include={"name", "source", "build", "tests"}),
    })  # fmt: skip
    found, kept = _read_found_tests(place), out / RECIPES / settings.name / RECIPE_FILE
    recipe = load_recipe(kept) if found is not None and found.digest == digest and kept.is_file() else None
    if recipe is None or not is_built(recipe, source, backend, cache):
        log.info("2/6 build: making the warm image")
        recipe = _build_and_find_suites(settings, place, digest)
    # A test that fails now and then in the baseline's rounds can't judge.
    while True:
        written = load_recipe(write_recipe(recipe, out))
        try:
            return build_image(written, source, backend, None, cache)
        except SuiteError as error:
            log.info(f"2/6 build: {error.suite} is left out: {error}")
            left = [suite for suite in recipe.suites if suite.name != error.suite]
            if not left:
                raise SetupError(
                    f"{place.path}: every test failed in one of {recipe.baseline_runs} runs of the unmodified tree"
                ) from error
            recipe = _replace_suites(recipe, left)
            if (found := _read_found_tests(place)) is not None:
                tests = {**found.tests, error.suite: "not the same in each run"}
                _write_found_tests(place, FoundTests(digest, found.note, tests))


def _build_and_find_suites(settings: MakeSettings, place: BuildPlace, digest: str) -> Recipe:
    path, backend = place.path, place.backend
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
    recipe = build_image_and_complete_recipe(
        draft, place.source, backend, place.cache, path.with_name("build"), complete_recipe
    )
    log.info(f"2/6 build: {note}")
    if settings.tests.suites:
        _write_found_tests(place, FoundTests(digest, note, {suite.name: "" for suite in settings.tests.suites}))
        return _replace_suites(recipe, settings.tests.suites)
    key = image_key(recipe, place.source, own_base_name(recipe, backend))
    tried = try_tests(tests, graph, backend, key, settings.tests, place.progress)
    most = settings.tests.most
    suites = choose_quickest_suites_across_folders(tried, most)
    for test in tried:
        if test.why:
            log.info(f"2/6 build: test {test.test.name} is left out: {test.why}")
    started = len({suite.goals for suite in suites})
    log.info(f"2/6 build: {len(suites)} of {len(tried)} tests judge, of {started} programs or groups of them")
    if len(suites) == 1:
        log.info("2/6 build: one suite alone judges every task; the smaller the tests, the quicker is a verdict")
    if not suites:
        first = tried[0]
        raise SetupError(
            f"{path}: tests found: {len(tried)}, and none can judge; {first.test.name} {first.why}; if the build lacks"
            " something, correct build, else write the tests into `tests: suites`",
            "\n".join(f"test {test.test.name} {test.why}\n{test.printed}" for test in tried[:_MOST_SHOWN]),
        )
    kept = {suite.name for suite in suites}
    whys = {t.test.name: t.why or ("" if t.test.name in kept else f"more than tests.most ({most})") for t in tried}
    _write_found_tests(place, FoundTests(digest, note, whys))
    own = {t.suite.parser: t.parser for t in tried if t.suite and t.parser}
    return _replace_suites(recipe.model_copy(update={"parsers": {**recipe.parsers, **own}}), suites)


def _replace_suites(recipe: Recipe, suites: Sequence[Suite]) -> Recipe:
    names = tuple(suite.name for suite in suites)
    used = {suite.parser for suite in suites}
    parsers = {name: parser for name, parser in recipe.parsers.items() if name in used}
    update = {"suites": tuple(suites), "parsers": parsers, "tests": Tests(default=names)}
    return recipe.model_copy(update=update)


def _read_found_tests(place: BuildPlace) -> FoundTests | None:
    try:
        return TypeAdapter(FoundTests).validate_json(place.path.with_name(_FOUND_TESTS).read_bytes())
    except (OSError, ValidationError):
        return None


def _write_found_tests(place: BuildPlace, found: FoundTests) -> None:
    replace_file(place.path.with_name(_FOUND_TESTS), TypeAdapter(FoundTests).dump_json(found, indent=1) + b"\n")


def build_image_by_any_system(settings: MakeSettings, place: BuildPlace) -> tuple[MakeSettings, Image]:
    """The image by the settings that were detected or, where these give no test that can judge, by the tree's other
    build system with tests, then by what `make -k` builds of a tree that doesn't build as a whole. For a make.yaml
    that nobody has seen yet: what a user wrote there holds. A copy of it stands beside it until this is over, so that
    a stopped command tries the other ways when it goes on. Raises SetupError, with each reason, when all fail."""
    unfinished = place.path.with_name(_UNFINISHED)
    replace_file(unfinished, place.path.read_bytes())
    try:
        built = _try_each_system(settings, place)
    except UserError:
        unfinished.unlink()
        raise
    unfinished.unlink()
    return built


def is_unchanged_first_build_unfinished(path: Path) -> bool:
    """Whether a command was stopped while it built by the make.yaml that it had written, and since then nobody has
    changed a line of it. Packages are added by Graft too, so that they don't count."""
    unfinished = path.with_name(_UNFINISHED)
    if not unfinished.is_file():
        return False
    written, stands = read_settings(unfinished), read_settings(path)
    build = stands.build.model_copy(update={"packages": written.build.packages})
    return stands.model_copy(update={"build": build}) == written


def _try_each_system(settings: MakeSettings, place: BuildPlace) -> tuple[MakeSettings, Image]:
    try:
        return build_image_adding_packages(settings, place)
    except SetupError as error:
        first = error
    path, source = place.path, place.source
    before = path.read_bytes()
    said = str(first).removeprefix(f"{path}: ")
    ways = []
    if other := find_other_tested_system(source.root, settings.build.system):
        detected = detect_build(source.root, (), settings.build.packages, other)
        tests = settings.tests.model_copy(update={"target": detected.target})
        ways.append((str(other), settings.model_copy(update={"build": detected.build, "tests": tests})))
    ways += _list_titled_settings_with_make_keep_going(first, path)
    tried = ""
    while ways:
        how, chosen = ways.pop(0)
        log.info(f"1/6 detect: {settings.build.system} gave no test that can judge, so {how} is tried: {said}")
        reason = f"{how}, for {settings.build.system} was tried first and failed: {said}"
        write_settings(path, chosen, {"build": [reason]})
        replace_file(path.with_name(_UNFINISHED), path.read_bytes())
        try:
            return build_image_adding_packages(chosen, place)
        except SetupError as error:
            tried += f"; {how} was tried too: {str(error).removeprefix(f'{path}: ')}"
            ways += _list_titled_settings_with_make_keep_going(error, path)
    replace_file(path, before)
    raise SetupError(f"{first}{tried}", first.output) from first


def _list_titled_settings_with_make_keep_going(error: SetupError, path: Path) -> list[tuple[str, MakeSettings]]:
    """The settings at `path` with a make that builds all it can, where a make that stops at the first error failed. A
    test that needs what can't be built fails on the unmodified tree then, and is left out."""
    cause = error.__cause__
    failed = cause.command if isinstance(cause, BuildError) else ""
    if not re.search(r"\bmake .*\|\| make\b", failed) or "make -k " in failed:
        return []
    settings = read_settings(path)
    going = re.sub(r"\bmake ", "make -k ", f"{failed} ") + "|| true"
    commands = tuple(going if line == failed else line for line in settings.build.commands)
    build = settings.build.model_copy(update={"commands": commands})
    return [(f"{build.system} with make -k", settings.model_copy(update={"build": build}))]


def build_image_adding_packages(settings: MakeSettings, place: BuildPlace) -> tuple[MakeSettings, Image]:
    """The image, and the settings it was made by: a package that the build lacked is added where its name is known.
    Raises SetupError, in one line, when the build fails or no test can judge."""
    path, root = place.path, place.source.root
    while True:
        try:
            return settings, build_image_dropping_unsteady_suites(settings, place)
        except BuildError as error:
            package = ""
            if place.backend.base_name(DEFAULT_SUITE) is not None:
                with contextlib.suppress(UserError):
                    package = find_lacking_package_or_empty(error, lambda: list_binary_package_names(place.cache))
            if not package or package in settings.build.packages or not add_package_unless_line_edited(path, package):
                why = explain_build_failure(
                    error,
                    find_missing_submodule_or_empty(root),
                    find_other_tested_system(root, settings.build.system) or "",
                )
                raise SetupError(f"{path}: {why}", read_build_output_end(error)) from error
            why = explain_build_failure(error).partition(":")[2]
            log.info(f"2/6 build: {package} is added to build.packages of {path}: {why}")
            settings = read_settings(path)
