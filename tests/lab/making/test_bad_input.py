"""Prevents: a tree that can't become a benchmark and ends in a traceback, in a line that doesn't say what to write, or
with what was done thrown away; a failed build whose cause the user has to dig out of a long log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from executor.repository.images import BuildError
from executor.repository.recipe import RecipeSource, load_recipe
from executor.sandbox.choose import open_unscheduled_backend
from index.errors import RecipeError
from lab.making import build_image
from lab.making.build_failures import SetupError, explain_build_failure, find_lacking_package_or_empty
from lab.making.make_benchmark import make_benchmark
from lab.making.settings import (
    BuildSettings,
    MakeRequest,
    MakeSettings,
    add_package_unless_line_edited,
    write_settings,
)
from tests.support.projects import makefile_project, write_files

_CMAKE = "cmake_minimum_required(VERSION 3.13)\nproject(a C)\n"
_NO_B = "enable_testing()\nadd_executable(a b.c)\nadd_test(NAME one COMMAND a)\n"
_TWO = "enable_testing()\nadd_executable(a a.c)\nadd_test(NAME one COMMAND a)\nadd_test(NAME two COMMAND a)\n"
_MODULES = '[submodule "x"]\n\tpath = deps/x\n\turl = https://host/x\n'
_CHECK = "check: a\n\t./a\n"
_MAIN = '#include <stdio.h>\nint main(void) { return puts("ok") < 0; }\n'


@pytest.fixture
def backend(tmp_path):
    return open_unscheduled_backend("process", tmp_path / "the cache")


@pytest.fixture
def wanted(tmp_path):
    """What is asked for in these tests: the tree that `make` and `failure` write, up to the image."""
    return MakeRequest(str(tmp_path / "the tree"), tmp_path / "the bench", until="build")


@pytest.fixture
def make(wanted, backend, tmp_path):
    """Writes these files beside a.c and runs `graft make`; what tests.json then says."""

    def make_tree(texts):
        write_files(Path(wanted.given), {"a.c": _MAIN, **texts})
        make_benchmark(wanted, backend, tmp_path / "the cache")
        found: Mapping[str, str] = json.loads((wanted.out / "tests.json").read_text())["tests"]
        return found

    return make_tree


@pytest.fixture
def failure(make, wanted):
    """The line in which `graft make` ends on a tree of these files."""

    def end(texts):
        with pytest.raises(SetupError) as caught:
            make(texts)
        assert (wanted.out / "make.yaml").is_file()
        assert "\n" not in str(caught.value)
        assert caught.value.exit_code == 2
        return str(caught.value)

    return end


def test_no_build_system_names_the_users_folder_and_leaves_a_file_to_fill_in(failure, make, wanted, tmp_path):
    line = failure({})
    assert line.startswith(f"{tmp_path}/the tree: no CMakeLists.txt, meson.build, configure, configure.ac or Makefile")
    assert line.endswith(f"write how it is built into {tmp_path}/the bench/make.yaml (build.commands, tests.suites)")
    # As it stands it fails by its own words, and with two lines corrected it goes on.
    path = wanted.out / "make.yaml"
    with pytest.raises(SetupError, match="correct `build: commands`"):
        make({})
    text = path.read_text()
    start = text.index("  commands:")
    text = text[:start] + "  commands: [cc -o a a.c]\n" + text[text.index("  env:", start) :]
    path.write_text(text.replace("suites: []", "suites: [{name: a, argv: [./a], parser: lines}]"))
    assert make({}) == {"a": ""}


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"CMakeLists.txt": f"{_CMAKE}add_library(a a.c)\n"},
         "make.yaml: no tests: ctest lists none: switch the option on that adds them"),
        ({"Makefile": "all: a\n"}, "make.yaml: no tests: no target runs tests: name one (tests: target: check"),
        ({"CMakeLists.txt": _CMAKE + _TWO, "a.c": "int main(void) { return 3; }\n"},
         "make.yaml: tests found: 2, and none can judge; one ended with status 3 on the unmodified tree"),
        ({".gitmodules": _MODULES, "Makefile": _CHECK, "a.c": '#include "deps/x/x.h"\n' + _MAIN},
         "build: the submodule deps/x is missing: run `git submodule update --init` in the source"),
        ({"CMakeLists.txt": _CMAKE + _NO_B, "Makefile": "all:\n\tfalse\ncheck: a b\n\t./a\n"},
         "the tree has make too: write `system: make` and its commands; make was tried too: build: recipe"),
    ],
)  # fmt: skip
def test_the_cause_is_said_with_what_to_write(failure, files, said):
    assert said in failure(files)


def test_two_build_systems_of_which_the_first_fails(make, wanted, monkeypatch):
    # The first command is stopped while it builds by the first system; the second command goes on.
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(build_image, "build_image_dropping_unsteady_suites", Mock(side_effect=KeyboardInterrupt))
        make({"CMakeLists.txt": _CMAKE + _NO_B, "Makefile": _CHECK})
    assert make({}) == {"check": ""}
    path = wanted.out / "make.yaml"
    assert "# make, for cmake was tried first and failed: build: " in path.read_text()
    # The lines that a user wrote hold, though another build system would do.
    path.write_text(path.read_text().replace("make -j$JOBS || make", "exit 1"))
    with pytest.raises(SetupError, match="the tree has cmake too: write `system: cmake` and its commands"):
        make({})


def test_a_part_that_cant_be_built_is_left_out(make, wanted):
    assert make({"Makefile": f"all: manual a\nmanual: a.texi\n\ttrue\n{_CHECK}"}) == {"check": ""}
    text = (wanted.out / "make.yaml").read_text()
    assert "# make with make -k, for make was tried first and failed: build: " in text
    assert "make -k -j$JOBS || make -k || true" in text


def test_a_module_that_a_test_loads_is_one_of_its_goals(make, wanted):
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


def test_no_docstring_one_program_and_folders_with_spaces(tmp_path, backend, caplog):
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


def test_a_data_set_within_its_source_is_refused(wanted, backend, tmp_path):
    """Its golds would stand in the tree that a model reads, and each stage would change that tree."""
    root = Path(wanted.given)
    write_files(root, {"a.c": _MAIN, "Makefile": _CHECK})
    inside = replace(wanted, out=root / "benches" / "mine", until="detect")
    with pytest.raises(RecipeError, match=r"benches/mine: lies in the source .*; name a folder outside of it"):
        make_benchmark(inside, backend, tmp_path / "the cache")
    assert not inside.out.exists()
    # One that an earlier Graft began.
    make_benchmark(replace(wanted, until="detect"), backend, tmp_path / "the cache")
    write_files(inside.out, {"make.yaml": (wanted.out / "make.yaml").read_text()})
    with pytest.raises(RecipeError, match="lies in the source"):
        make_benchmark(inside, backend, tmp_path / "the cache")


def _failed(folder, output):
    (folder / "build.log").write_text(output)
    return BuildError("recipe r: it failed", folder / "build.log")


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("fatal: unable to access 'https://host/x': Could not resolve host: host\n", "build: it wants the network"),
        ("a.c:1:10: fatal error: zlib.h: No such file or directory\n", "build: the header zlib.h is missing"),
        ("No package 'libfoo' found\n", "build: libfoo is missing: add the Debian package that has it, as libfoo-dev"),
        ("/bin/sh: 1: bison: not found\n", "build: the program bison is missing"),
        ("make: *** [x] Error 1\n", "build: recipe r: it failed; correct `build: commands`"),
        ("$ cmake .\nCould NOT find foo\n$ make\nmake: *** [x] Error 1\n", "build: recipe r: it failed; correct"),
        ("$ make -k\nMissing the headers.\nInstall by\n    make headers\nmake: *** [Makefile:1: x] Error 1\n",
         "build: recipe r: it failed; it said: Missing the headers. / Install by / make headers; correct"),
        ('$ make\n***\n*** Configuration file ".config" not found!\n***\nmake: *** [.config] Error 1\nCC x\n',
         'build: recipe r: it failed; it said: Configuration file ".config" not found!; correct'),
        ("$ make\ncc -c a.c\na.c:3:5: error: unknown type name 'foo'\nnote\nmake[1]: *** [a.o] Error 1\n",
         "build: recipe r: it failed; it said: a.c:3:5: error: unknown type name 'foo'; correct"),
        ("$ make\n 10%\r\x1b[31mld: error: no a\x1b[m\n",
         "build: recipe r: it failed; it said: [31mld: error: no a[m; c"),
        ("$ ./configure\nchecking for x... no\nno x\n",
         "build: recipe r: it failed; it said: checking for x... no / no"),
    ],
)  # fmt: skip
def test_the_cause_is_named_with_what_to_write(tmp_path, output, line):
    assert explain_build_failure(_failed(tmp_path, output)).startswith(line)


KNOWN = {"zlib1g-dev", "libpng-dev", "libpng-tools", "libogg-dev", "libglib2.0-dev", "bison", "doxygen"}
KNOWN |= {"libsocket-wrapper", "libfoo1-dev", "libfoobar-dev"}


@pytest.mark.parametrize(
    ("output", "package"),
    [
        ("a.c:1:10: fatal error: zlib.h: No such file or directory\n", "zlib1g-dev"),
        ("a.c:1:10: fatal error: ogg/ogg.h: No such file or directory\n", "libogg-dev"),
        ("a.c:1:10: fatal error: foo/deep.h: No such file or directory\n", "libfoo1-dev"),
        ("a.c:1:10: fatal error: config.h: No such file or directory\n", ""),
        ("No package 'glib-2.0' found\n", "libglib2.0-dev"),
        ("Could NOT find PNG (missing: PNG_LIBRARY)\n", "libpng-dev"),
        ("Could NOT find PNG (missing: PNG_LIBRARY)\ndownloading PNG\nerror: could not find git for clone\n",
         "libpng-dev"),
        ("/bin/sh: 1: bison: not found\n", "bison"),
        ("$ ./configure\nNo package 'ogg' found\n$ make\ncannot find -logg\n", "libogg-dev"),
        ("/bin/sh: 1: rm-it: not found\n", ""),
        ("missing: line 81: bison-3.8: command not found\nmake: *** [Makefile.in] Error 127\n", "bison"),
        ("Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)\n", "doxygen"),
        ('CMake did not find one.\n  Could not find a package configuration file provided by\n  "socket_wrapper"\n',
         "libsocket-wrapper"),
    ],
)  # fmt: skip
def test_the_package_is_known_by_what_the_build_lacked(tmp_path, output, package):
    assert find_lacking_package_or_empty(_failed(tmp_path, output), lambda: KNOWN) == package


def test_a_package_is_added_and_the_other_lines_of_make_yaml_stay(tmp_path):
    path = tmp_path / "make.yaml"
    build = BuildSettings(system="make", commands=("make",), packages=("bison",))
    settings = MakeSettings(name="x", languages=("c",), source=RecipeSource(directory="/x"), build=build)
    write_settings(path, settings, {"build": ["a Makefile"]})
    before = path.read_text()
    assert add_package_unless_line_edited(path, "zlib1g-dev")
    assert path.read_text() == before.replace("packages: [bison]", "packages: [bison, zlib1g-dev]")
    path.write_text(path.read_text().replace("[bison, zlib1g-dev]", "['bison']"))
    assert not add_package_unless_line_edited(path, "flex")


def test_no_list_of_packages_is_asked_for_where_nothing_is_lacking(tmp_path):
    assert (
        find_lacking_package_or_empty(_failed(tmp_path, "make: *** [x] Error 1\n"), lambda: pytest.fail("asked")) == ""
    )
