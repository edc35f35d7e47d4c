"""Prevents: a build step that the recorder lost, doubled or read wrongly, so that a relink leaves old code in the
tested program and every candidate "passes"."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from executor.repository.build import recorder
from executor.repository.build.graph import BuildGraph, BuildStep
from executor.sandbox.contract import Builder, Command, ExecResult
from executor.sandbox.process import ProcessBackend, open_process
from index.errors import RecipeError
from tests.support.engines import unavailable
from tests.support.projects import write_files

MAKEFILE = """\
CC = cc
all: app tool strict
# A probe, as configure makes them: nothing of it is left.
PROBE := $(shell echo 'int main(void){return 0;}' > conftest.c; $(CC) -o conftest conftest.c && rm conftest*)
lib/libu.a: lib/a.o lib/b.o
\t$(AR) rcs $@ $^
gen.h: gen.sh
\tsh gen.sh > $@
src/main.o: gen.h
app: src/main.o lib/libu.a
\t$(CC) -o $@.tmp src/main.o -Llib -lu
\tmv $@.tmp $@
tool: tool.c lib/u.h
\t$(CC) -I. -O1 -MMD -o $@ tool.c
strict: my\\ file.c
\techo "-DNAME='\\"with space\\"' -I$(CURDIR)/inc" > flags.rsp
\t$(CC) @flags.rsp -c 'my file.c' -o strict.o
\trm flags.rsp
\t$(CC) strict.o -o $@
%.o: %.c
\t$(CC) -I. -O1 -MMD -c $< -o $@
"""
FILES = {
    "Makefile": MAKEFILE,
    "gen.sh": "echo '#define G 3'\n",
    "lib/u.h": "#define U 2\nint a(void); int b(void);\n",
    "lib/a.c": "int a(void) { return 1; }\n",
    "lib/b.c": '#include "lib/u.h"\nint b(void) { return U; }\n',
    "src/main.c": '#include <stdio.h>\n#include "gen.h"\n#include "lib/u.h"\n'
    'int main(void) { printf("%d%d%d\\n", a(), b(), G); return 0; }\n',
    "tool.c": '#include "lib/u.h"\nint main(void) { return U - 2; }\n',
    "real/strict.h": "#define STRICT 0\n",
    "my file.c": '#include "strict.h"\nint main(void) { return STRICT * (NAME[0] == 0); }\n',
}


@dataclass(frozen=True)
class Recorded:
    graph: BuildGraph
    root: str
    built: ExecResult
    left: list[str]

    def step(self, output: str) -> BuildStep:
        found = [step for step in self.graph.steps if output in step.outputs]
        assert len(found) == 1, f"{output}: {found}"
        return found[0]


def _record(builder: Builder, *commands: str) -> Recorded:
    env = recorder.install_wrappers(builder)
    for line in commands:
        done = builder.run(Command(("sh", "-c", line), env=env))
        assert done.ok, done.output.decode()
    graph = recorder.take_recorded_graph(builder, jobs=3)
    left = builder.run(Command(("find", ".graft", "-type", "f"))).output.decode().split()
    return Recorded(graph, builder.root, done, left)


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> ProcessBackend:
    return open_process(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, backend: ProcessBackend) -> Iterator[Recorded]:
    tree = write_files(tmp_path_factory.mktemp("tree"), FILES)
    (tree / "inc").symlink_to("real")
    with backend.builder(None) as builder:
        builder.put_tree(tree)
        yield _record(builder, "make -j2")


def test_each_kept_command_is_one_step_with_all_that_it_reads(made: Recorded) -> None:
    assert sorted((step.kind, step.outputs[0]) for step in made.graph.steps) == [
        ("archive", "lib/libu.a"),
        ("compile", "lib/a.o"),
        ("compile", "lib/b.o"),
        ("compile", "src/main.o"),
        ("compile", "strict.o"),
        ("copy", "app"),
        ("link", "app.tmp"),
        ("link", "strict"),
        ("link", "tool"),
    ]
    depends = {name: made.step(name).depends for name in ("src/main.o", "lib/a.o", "tool", "strict.o")}
    assert depends == {
        "src/main.o": ("src/main.c", "gen.h", "lib/u.h"),
        "lib/a.o": ("lib/a.c",),
        # Compiled and linked in one.
        "tool": ("tool.c", "lib/u.h"),
        # The real path of a header behind a linked folder.
        "strict.o": ("my file.c", "real/strict.h"),
    }
    assert (made.step("tool").sources, made.step("strict.o").sources) == (("tool.c",), ("my file.c",))
    # A library found by its search path, and options of a response file that is gone.
    assert made.step("app.tmp").inputs == ("src/main.o", "lib/libu.a")
    assert {'-DNAME="with space"', "-I{root}/inc"} <= set(made.step("strict.o").argv)


def test_the_build_prints_what_it_prints_without_the_recorder_and_its_records_are_removed(made: Recorded) -> None:
    assert b"graft" not in made.built.output
    assert {str(Path(name).parent) for name in made.left} == {".graft/bin"}


def test_steps_name_the_real_tools_and_no_folder_of_this_build(made: Recorded) -> None:
    for step in made.graph.steps:
        assert step.argv[0].startswith("/"), step
        assert ".graft" not in step.argv[0], step
        assert made.root not in " ".join((*step.argv, step.cwd, *step.depends, *step.inputs)), step


def test_of_two_builds_the_later_command_counts(tmp_path: Path, backend: ProcessBackend) -> None:
    files = {"Makefile": "a.o: a.c\n\tcc $(F) -c a.c\n\tar rc l.a a.o\n", "a.c": "int a;\n"}
    with backend.builder(None) as builder:
        builder.put_tree(write_files(tmp_path, files))
        twice = _record(builder, "make F=-DX=1", "make -B F=-DX=2")
    assert "-DX=2" in twice.step("a.o").argv
    assert [step.kind for step in twice.graph.steps] == ["compile", "archive"]


def test_several_sources_in_one_call_are_several_steps(tmp_path: Path, backend: ProcessBackend) -> None:
    files = {"a.c": '#include "a.h"\n', "b.c": "int b;\n", "a.h": "int a;\n"}
    with backend.builder(None) as builder:
        builder.put_tree(write_files(tmp_path, files))
        several = _record(builder, "mkdir out && cd out && cc -c ../a.c ../b.c")
    assert several.step("out/a.o").depends == ("a.c", "a.h")
    assert "../b.c" not in several.step("out/a.o").argv
    assert several.step("out/b.o").cwd == "out"


def test_without_the_record_folder_a_wrapper_only_passes_through(tmp_path: Path, backend: ProcessBackend) -> None:
    with backend.builder(None) as builder:
        builder.put_tree(write_files(tmp_path, {"a.c": "int main(void) { return 7; }\n"}))
        env = recorder.install_wrappers(builder)
        done = builder.run(Command(("sh", "-c", "cc a.c && ./a.out"), env={"PATH": env["PATH"]}))
        assert done.exit_code == 7, done.output
        with pytest.raises(RecipeError, match="no compiler by way of PATH"):
            recorder.take_recorded_graph(builder)


def test_a_call_that_cant_be_recorded_fails_the_build(tmp_path: Path, backend: ProcessBackend) -> None:
    with backend.builder(None) as builder:
        builder.put_tree(write_files(tmp_path, {"a.c": "int a;\n"}))
        env = {**recorder.install_wrappers(builder), "GRAFT_RECORD": f"{builder.root}/nowhere"}
        assert builder.run(Command(("cc", "-c", "a.c"), env=env)).exit_code == 97


def test_a_cmake_build_is_read_with_its_static_library(tmp_path: Path, backend: ProcessBackend) -> None:
    if shutil.which("cmake") is None:
        unavailable("cmake isn't installed")
    files = {
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.13)\nproject(p C)\n"
        "include(CheckIncludeFile)\ncheck_include_file(stdio.h HAVE_STDIO)\n"
        "add_library(u STATIC lib/u.c)\nadd_executable(app main.c)\n"
        "target_include_directories(u PUBLIC lib)\ntarget_link_libraries(app u)\n",
        "lib/u.h": "int u(void);\n",
        "lib/u.c": '#include "u.h"\nint u(void) { return 0; }\n',
        "main.c": '#include "u.h"\nint main(void) { return u(); }\n',
    }
    with backend.builder(None) as builder:
        builder.put_tree(write_files(tmp_path, files))
        recorded = _record(builder, "cmake -S . -B out", "make -C out -j2")
    objects = [step for step in recorded.graph.steps if step.kind == "compile"]
    assert sorted(step.sources for step in objects) == [("lib/u.c",), ("main.c",)]
    assert all("lib/u.h" in step.depends for step in objects)
    assert recorded.step("out/app").inputs[-1] == "out/libu.a"
    assert [step.kind for step in recorded.graph.steps if "out/libu.a" in step.outputs] == ["archive"] * 2


def test_a_make_rule_is_unescaped() -> None:
    text = "a.o: my\\ file.c \\\n dir/x.h a\\#b.h c$$d.h\nother: z.h\n"
    assert recorder.parse_make_rule(text) == ["my file.c", "dir/x.h", "a#b.h", "c$d.h", "z.h"]


def test_a_damaged_record_is_an_error() -> None:
    with pytest.raises(RecipeError, match="damaged at command 1"):
        recorder.parse_records(b"x\0/usr/bin/cc\0/\0" + b"1\0-v\0")
