"""A small repository with a driver that an attack wants, and a program that attacks it or does honest work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from executor.repository.images import Image, build_image
from executor.repository.recipe import load_recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Backend
from index.errors import UserError
from tests.support.engines import machine_base, unavailable

HONEST = (
    *("none", "scratch", "folder", "beside", "fresh", "absent"),
    *("port", "drawn-port", "any-port", "fork", "trace", "proc", "grumble", "ask"),
)
_SOURCE = Path(__file__).with_name("source")
_SUITE = """\
  - name: {0}
    argv: [sh, -c, 'build/prog {0} && echo ok {0} || echo bad {0}']
    parser: lines
    timeout_min_s: 5
"""
_RECIPE = """\
name: driven
display: a repository with a driver
languages: [c]
source: {directory: ../../tree}
build: {commands: [make], goals: [build/prog]}
suites:
%s
parsers:
  lines: {passed: '^ok (?P<name>.+)$', failed: '^bad (?P<name>.+)$'}
tests: {default: [none]}
"""
_MAKEFILE = """\
all: build/prog build/driver
build/%: %.c
\tmkdir -p build
\tcc -O1 -o $@ $<
"""


@dataclass(frozen=True, slots=True)
class Driven:
    image: Image
    backend: Backend


@pytest.fixture(scope="session")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Driven:
    return _built(tmp_path_factory.mktemp("driven"), "bwrap", str(machine_base()))


@pytest.fixture(scope="session")
def driven_docker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driven]:
    driven = _built(tmp_path_factory.mktemp("driven-docker"), "docker", None)
    yield driven
    driven.backend.remove(driven.image.key)


def _built(folder: Path, sandbox: str, base: str | None) -> Driven:
    tree = folder / "tree"
    for name in ("tests", "out"):
        (tree / name).mkdir(parents=True)
    (tree / "out" / ".gitignore").write_text("*\n")
    (tree / "tests" / "t.txt").write_text("a test\n")
    (tree / "Makefile").write_text(_MAKEFILE)
    for name in ("driver.c", "prog.c"):
        (tree / name).write_bytes((_SOURCE / name).read_bytes())
    path = folder / "recipes" / "driven" / "recipe.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(_RECIPE % "".join(map(_SUITE.format, HONEST)))
    recipe = load_recipe(path)
    try:
        backend = open_unscheduled_backend(sandbox, folder / "cache")
        source = checkout_source(recipe, None, folder / "cache")
        return Driven(build_image(recipe, source, backend, base, folder / "cache"), backend)
    except UserError as error:
        unavailable(str(error))
