"""Builds the tree as make.yaml says and, while nobody has seen that file yet, in the tree's other ways."""

from __future__ import annotations

import contextlib
import logging
import re
from pathlib import Path

from executor.cache import replace_file
from executor.repository.apt import list_package_names
from executor.repository.images import BuildError, Image
from executor.sandbox.base import DEFAULT_SUITE
from index.errors import UserError
from lab.making.build_failures import SetupError, explain_build_failure, find_lacking_package, read_build_output_end
from lab.making.build_image import BuildPlace, build_measured_image
from lab.making.detect_build import detect_build, find_missing_submodule, find_other_system
from lab.making.settings import MakeSettings, add_package, read_settings, write_settings

log = logging.getLogger(__name__)

# The make.yaml that Graft wrote, until a build by it or another one is over.
_UNFINISHED = "make.yaml.unfinished"


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


def is_first_build_unfinished(path: Path) -> bool:
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
    if other := find_other_system(source.root, settings.build.system):
        detected = detect_build(source.root, (), settings.build.packages, other)
        tests = settings.tests.model_copy(update={"target": detected.target})
        ways.append((str(other), settings.model_copy(update={"build": detected.build, "tests": tests})))
    ways += _make_keep_going_settings(first, path)
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
            ways += _make_keep_going_settings(error, path)
    replace_file(path, before)
    raise SetupError(f"{first}{tried}", first.output) from first


def _make_keep_going_settings(error: SetupError, path: Path) -> list[tuple[str, MakeSettings]]:
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
            return settings, build_measured_image(settings, place)
        except BuildError as error:
            package = ""
            if place.backend.base_name(DEFAULT_SUITE) is not None:
                with contextlib.suppress(UserError):
                    package = find_lacking_package(error, lambda: list_package_names(place.cache))
            if not package or package in settings.build.packages or not add_package(path, package):
                why = explain_build_failure(
                    error, find_missing_submodule(root), find_other_system(root, settings.build.system) or ""
                )
                raise SetupError(f"{path}: {why}", read_build_output_end(error)) from error
            why = explain_build_failure(error).partition(":")[2]
            log.info(f"2/6 build: {package} is added to build.packages of {path}: {why}")
            settings = read_settings(path)
