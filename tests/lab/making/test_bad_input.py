"""Prevents: a tree that can't become a benchmark and ends in a traceback, in a line that doesn't say what to write, or
with what was done thrown away."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from executor.repository.recipe import load_recipe
from executor.sandbox.choose import open_unscheduled_backend
from executor.sandbox.contract import Backend
from index.errors import RecipeError
from lab.making import build_image
from lab.making.build_failures import SetupError
from lab.making.make_benchmark import make_benchmark
from lab.making.settings import MakeRequest
from tests.support.projects import makefile_project

_CMAKE = "cmake_minimum_required(VERSION 3.13)\nproject(a C)\n"
Make = Callable[[Mapping[str, str]], Mapping[str, str]]
_NO_B = "enable_testing()\nadd_executable(a b.c)\nadd_test(NAME one COMMAND a)\n"
_TWO = "enable_testing()\nadd_executable(a a.c)\nadd_test(NAME one COMMAND a)\nadd_test(NAME two COMMAND a)\n"
_MODULES = '[submodule "x"]\n\tpath = deps/x\n\turl = https://host/x\n'
_CHECK = "check: a\n\t./a\n"
_MAIN = '#include <stdio.h>\nint main(void) { return puts("ok") < 0; }\n'


@pytest.fixture
def backend(tmp_path: Path) -> Backend:
    return open_unscheduled_backend("process", tmp_path / "the cache")


@pytest.fixture
def wanted(tmp_path: Path) -> MakeRequest:
    """What is asked for in these tests: the tree that `make` and `failure` write, up to the image."""
    return MakeRequest(str(tmp_path / "the tree"), tmp_path / "the bench", until="build")


@pytest.fixture
def make(wanted: MakeRequest, backend: Backend, tmp_path: Path) -> Make:
    """Writes these files beside a.c and runs `graft make`; what tests.json then says."""

    def make_tree(texts: Mapping[str, str]) -> Mapping[str, str]:
        for name, text in {"a.c": _MAIN, **texts}.items():
            path = Path(wanted.given, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        make_benchmark(wanted, backend, tmp_path / "the cache")
        found: Mapping[str, str] = json.loads((wanted.out / "tests.json").read_text())["tests"]
        return found

    return make_tree


@pytest.fixture
def failure(make: Make, wanted: MakeRequest) -> Callable[[Mapping[str, str]], str]:
    """The line in which `graft make` ends on a tree of these files."""

    def end(texts: Mapping[str, str]) -> str:
        with pytest.raises(SetupError) as caught:
            make(texts)
        assert (wanted.out / "make.yaml").is_file()
        assert "\n" not in str(caught.value)
        assert caught.value.exit_code == 2
        return str(caught.value)

    return end


def test_no_build_system_names_the_users_folder_and_leaves_a_file_to_fill_in(
    failure: Callable[[Mapping[str, str]], str], make: Make, wanted: MakeRequest, tmp_path: Path
) -> None:
    line = failure({})
    assert line.startswith(f"{tmp_path}/the tree: no CMakeLists.txt, meson.build, configure, configure.ac or Makefile")
    assert line.endswith(f"write how it is built into {tmp_path}/the bench/make.yaml (build.commands, tests.suites)")
    # As it stands it fails by its own words, and with two lines corrected it goes on.
    path = wanted.out / "make.yaml"
    with pytest.raises(SetupError, match="correct `build: commands`"):
        make({})
    start = path.read_text().index("  commands:")
    text = path.read_text()
    end = text.index("  env:", start)
    text = text[:start] + "  commands: [cc -o a a.c]\n" + text[end:]
    path.write_text(text.replace("suites: []", "suites: [{name: a, argv: [./a], parser: lines}]"))
    assert make({}) == {"a": ""}


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"CMakeLists.txt": f"{_CMAKE}add_library(a a.c)\n"},
            "make.yaml: no tests: ctest lists none: switch the option on that adds them",
        ),
        ({"Makefile": "all: a\n"}, "make.yaml: no tests: no target runs tests: name one (tests: target: check"),
        (
            {"CMakeLists.txt": _CMAKE + _TWO, "a.c": "int main(void) { return 3; }\n"},
            "make.yaml: tests found: 2, and none can judge; one ended with status 3 on the unmodified tree",
        ),
        (
            {".gitmodules": _MODULES, "Makefile": _CHECK, "a.c": '#include "deps/x/x.h"\n' + _MAIN},
            "build: the submodule deps/x is missing: run `git submodule update --init` in the source",
        ),
        (
            {"CMakeLists.txt": _CMAKE + _NO_B, "Makefile": "all:\n\tfalse\ncheck: a b\n\t./a\n"},
            "the tree has make too: write `system: make` and its commands; make was tried too: build: recipe",
        ),
    ],
)
def test_the_cause_is_said_with_what_to_write(
    failure: Callable[[Mapping[str, str]], str], files: Mapping[str, str], said: str
) -> None:
    assert said in failure(files)


def test_two_build_systems_of_which_the_first_fails(
    make: Make, wanted: MakeRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first command is stopped while it builds by the first system; the second command goes on.
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(build_image, "build_image_with_steady_suites", Mock(side_effect=KeyboardInterrupt))
        make({"CMakeLists.txt": _CMAKE + _NO_B, "Makefile": _CHECK})
    assert make({}) == {"check": ""}
    path = wanted.out / "make.yaml"
    assert "# make, for cmake was tried first and failed: build: " in path.read_text()
    # The lines that a user wrote hold, though another build system would do.
    path.write_text(path.read_text().replace("make -j$JOBS || make", "exit 1"))
    with pytest.raises(SetupError, match="the tree has cmake too: write `system: cmake` and its commands"):
        make({})


def test_a_part_that_cant_be_built_is_left_out(make: Make, wanted: MakeRequest) -> None:
    assert make({"Makefile": f"all: manual a\nmanual: a.texi\n\ttrue\n{_CHECK}"}) == {"check": ""}
    text = (wanted.out / "make.yaml").read_text()
    assert "# make with make -k, for make was tried first and failed: build: " in text
    assert "make -k -j$JOBS || make -k || true" in text


def test_a_module_that_a_test_loads_is_one_of_its_goals(make: Make, wanted: MakeRequest) -> None:
    """Prevents: libyang's golds that fail, since the module which a test loads was removed and not made again."""
    lines = ("enable_testing()", "add_library(m MODULE m.c)", "add_executable(a a.c)", "add_executable(b b.c)")
    tests = ("add_test(NAME loads COMMAND a)", "add_test(NAME loads_none COMMAND b)")
    loads = "#include <dlfcn.h>\n" + _MAIN.replace("puts(", 'dlopen("./libm.so", 2) == 0 || puts(')
    make({"CMakeLists.txt": _CMAKE + "\n".join((*lines, *tests)), "m.c": "int m;\n", "a.c": loads, "b.c": _MAIN})
    (path,) = wanted.out.glob("recipes/*/recipe.yaml")
    goals = {suite.name: suite.goals for suite in load_recipe(path).suites}
    assert {name: [Path(goal).name for goal in each] for name, each in goals.items()} == {
        "loads": ["a", "libm.so"],
        "loads_none": ["b"],
    }


def test_no_docstring_one_program_and_folders_with_spaces(
    tmp_path: Path, backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    root = makefile_project(tmp_path / "the tree" / "my shelf").parent
    header = root / "my shelf" / "stack.hpp"
    header.write_text("\n".join(line for line in header.read_text().split("\n") if "///" not in line))
    wanted = MakeRequest(str(root), tmp_path / "the bench", until="build")
    caplog.set_level("INFO")
    make_benchmark(wanted, backend, tmp_path / "the cache")
    assert "one suite alone judges every task" in caplog.text
    assert json.loads((wanted.out / "tests.json").read_text())["tests"] == {"check": ""}
    with pytest.raises(
        RecipeError, match=r"no function fits \(.*no comment.*\): write `choose: \{documented: false\}`"
    ):
        make_benchmark(replace(wanted, until="choose"), backend, tmp_path / "the cache")
