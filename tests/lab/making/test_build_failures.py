"""Prevents: a failed build whose cause the user has to dig out of a long log."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.repository.images import BuildError
from executor.repository.recipe import RecipeSource
from lab.making.build_failures import explain_build_failure, find_lacking_package
from lab.making.settings import BuildSettings, MakeSettings, add_package, write_settings


def _failed(folder: Path, output: str) -> BuildError:
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
        (
            "$ make -k\nMissing the headers.\nInstall by\n    make headers\nmake: *** [Makefile:1: x] Error 1\n",
            "build: recipe r: it failed; it said: Missing the headers. / Install by / make headers; correct",
        ),
        (
            '$ make\n***\n*** Configuration file ".config" not found!\n***\nmake: *** [.config] Error 1\nCC x\n',
            'build: recipe r: it failed; it said: Configuration file ".config" not found!; correct',
        ),
        (
            "$ make\ncc -c a.c\na.c:3:5: error: unknown type name 'foo'\nnote\nmake[1]: *** [a.o] Error 1\n",
            "build: recipe r: it failed; it said: a.c:3:5: error: unknown type name 'foo'; correct",
        ),
        (
            "$ make\n 10%\r\x1b[31mld: error: no a\x1b[m\n",
            "build: recipe r: it failed; it said: [31mld: error: no a[m; c",
        ),
        (
            "$ ./configure\nchecking for x... no\nno x\n",
            "build: recipe r: it failed; it said: checking for x... no / no",
        ),
    ],
)
def test_the_cause_is_named_with_what_to_write(tmp_path: Path, output: str, line: str) -> None:
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
        (
            "Could NOT find PNG (missing: PNG_LIBRARY)\ndownloading PNG\nerror: could not find git for clone\n",
            "libpng-dev",
        ),
        ("/bin/sh: 1: bison: not found\n", "bison"),
        ("$ ./configure\nNo package 'ogg' found\n$ make\ncannot find -logg\n", "libogg-dev"),
        ("/bin/sh: 1: rm-it: not found\n", ""),
        ("missing: line 81: bison-3.8: command not found\nmake: *** [Makefile.in] Error 127\n", "bison"),
        ("Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)\n", "doxygen"),
        (
            'CMake did not find one.\n  Could not find a package configuration file provided by\n  "socket_wrapper"\n',
            "libsocket-wrapper",
        ),
    ],
)
def test_the_package_is_known_by_what_the_build_lacked(tmp_path: Path, output: str, package: str) -> None:
    assert find_lacking_package(_failed(tmp_path, output), lambda: KNOWN) == package


def test_a_package_is_added_and_the_other_lines_of_make_yaml_stay(tmp_path: Path) -> None:
    path = tmp_path / "make.yaml"
    build = BuildSettings(system="make", commands=("make",), packages=("bison",))
    settings = MakeSettings(name="x", languages=("c",), source=RecipeSource(directory="/x"), build=build)
    write_settings(path, settings, {"build": ["a Makefile"]})
    before = path.read_text()
    assert add_package(path, "zlib1g-dev")
    assert path.read_text() == before.replace("packages: [bison]", "packages: [bison, zlib1g-dev]")
    path.write_text(path.read_text().replace("[bison, zlib1g-dev]", "['bison']"))
    assert not add_package(path, "flex")


def test_no_list_of_packages_is_asked_for_where_nothing_is_lacking(tmp_path: Path) -> None:
    assert find_lacking_package(_failed(tmp_path, "make: *** [x] Error 1\n"), lambda: pytest.fail("asked")) == ""
