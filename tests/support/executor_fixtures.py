"""A tiny repository with its own recipe, built once: what the pipeline's tests run on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from executor.repository.images import Image, build_image
from executor.repository.recipe import Recipe, find_recipe, load_recipe
from executor.repository.source import checkout, mirror_from_env
from executor.sandbox.choose import open_backend
from executor.sandbox.contract import Backend
from index.errors import UserError
from index.values import Span
from tests.support.engines import machine_base, unavailable


@pytest.fixture
def real_tree(tmp_path: Path) -> Callable[[str], Path]:
    """A writable copy of a repository's sources at the benchmark's commit, by the harness's own check-out."""

    def tree(repo: str) -> Path:
        mirror = mirror_from_env()
        if mirror is None or not (mirror / repo).exists():
            # Also in CI: the benchmark's commits can't be had where upstream can't be reached.
            pytest.skip(f"no mirror of {repo}: GRAFT_MIRROR names a folder that holds one")
        return checkout(find_recipe(repo), mirror, tmp_path / "cache").root

    return tree


RECIPE = """\
name: tiny
display: a tiny repository
languages: [c]
source: {directory: ../../tree}
build:
  commands: [make -j$JOBS]
  goals: [build/test]
suites:
  - {name: unit, argv: [build/test], parser: lines, timeout_factor: 1, timeout_min_s: 5, memory_mb: 256}
  - {name: late, argv: [build/test, late], parser: lines, timeout_factor: 1, timeout_min_s: 5, memory_mb: 256}
parsers:
  lines: {passed: '^\\[ok\\]: (?P<name>\\w+)$', failed: '^\\[err\\]: (?P<name>\\w+)$'}
tests: {default: [unit, late]}
"""

MAKEFILE = """\
build/test: build/calc.o build/test.o
\tcc -o $@ build/calc.o build/test.o
build/%.o: %.c calc.h
\tmkdir -p build
\tcc -Wall -O1 -c -o $@ $<
"""

CALC_H = "int add(int a, int b);\nint twice(int a);\n"
# The span that candidates replace: lines 5 to 8.
CALC_C = """\
#include <stdio.h>
#include <stdlib.h>
#include "calc.h"

int add(int a, int b)
{
    return a + b;
}

int twice(int a)
{
    return add(a, a);
}
"""
ADD = Span(5, 8)

TEST_C = """\
#include <stdio.h>
#include <string.h>
#include "calc.h"
static int failed;
static void check(const char *name, int ok)
{
    printf("%s: %s\\n", ok ? "[ok]" : "[err]", name);
    fflush(stdout);
    failed |= !ok;
}
int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "late")) {
        check("adds_negative", add(-2, -3) == -5);
        return failed;
    }
    check("adds", add(2, 3) == 5);
    check("adds_zero", add(7, 0) == 7);
    check("doubles", twice(4) == 8);
    return failed;
}
"""


# The same with a program for each suite.
RECIPE_2 = RECIPE.replace("goals: [build/test]", "goals: [build/test, build/late]").replace(
    "argv: [build/test, late]", "goals: [build/late], argv: [build/late, late]"
)
RECIPE_2 = RECIPE_2.replace("argv: [build/test]", "goals: [build/test], argv: [build/test]")
MAKEFILE_2 = "all: build/test build/late\nbuild/late: build/test.o build/calc.o\n\tcc -o $@ $^\n" + MAKEFILE


@dataclass(frozen=True, slots=True)
class Tiny:
    """The tiny repository's warm image in one backend; `path` and `span` name the hole."""

    image: Image
    backend: Backend
    cache: Path
    path: str = "calc.c"
    span: Span = ADD


def _tiny_recipe(folder: Path, recipe: str = RECIPE, makefile: str = MAKEFILE) -> Recipe:
    tree = folder / "tree"
    tree.mkdir(parents=True)
    for name, text in (("Makefile", makefile), ("calc.h", CALC_H), ("calc.c", CALC_C), ("test.c", TEST_C)):
        (tree / name).write_text(text)
    path = folder / "recipes" / "tiny" / "recipe.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(recipe)
    return load_recipe(path)


def _built(folder: Path, backend_name: str, base: str | None, recipe: Recipe | None = None) -> Tiny:
    recipe = recipe or _tiny_recipe(folder)
    cache = folder / "cache"
    backend = open_backend(backend_name, cache)
    source = checkout(recipe, None, cache)
    return Tiny(build_image(recipe, source, backend, base, cache), backend, cache)


@pytest.fixture
def tiny_two(tmp_path: Path) -> Tiny:
    """Unsandboxed, each suite with its own program."""
    return _built(tmp_path, "process", None, _tiny_recipe(tmp_path, RECIPE_2, MAKEFILE_2))


@pytest.fixture
def tiny_recipe(tmp_path: Path) -> Recipe:
    """The recipe alone, over a tree that the test may change."""
    return _tiny_recipe(tmp_path)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tiny]:
    """In the `process` sandbox: trusted candidates only."""
    yield _built(tmp_path_factory.mktemp("tiny"), "process", None)


@pytest.fixture(scope="session")
def tiny_bwrap(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tiny]:
    """In the `bwrap` sandbox: for candidates that mean harm."""
    folder = tmp_path_factory.mktemp("tiny-bwrap")
    try:
        yield _built(folder, "bwrap", str(machine_base()))
    except UserError as error:
        unavailable(str(error))
