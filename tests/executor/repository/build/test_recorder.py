"""Prevents: a build step that the recorder lost, doubled or read wrongly, so that a relink leaves old code in the
tested program and every candidate "passes"; an option's value taken for a source, or a library's source for an
option's value; an image whose objects lost more than debug information, so that a candidate's link fails or `make`
builds all anew; a thin archive or one for optimization at link time that is broken on the way."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from executor.repository.build import recorder
from executor.repository.build.command_line import (
    classify_tool,
    detect_compiled_language,
    list_tool_and_flags_without_files_or_language,
    may_inline,
    parse_archive_change_or_extraction,
    parse_compiler,
    parse_copy_operands,
    strip_call_to_front_end,
)
from executor.repository.build.debug_information import drop_debug_information_of_objects
from executor.repository.build.graph import BuildGraph, BuildStep
from executor.repository.build.steps import RecordedCall, Tree, make_build_graph_of_surviving_outputs
from executor.sandbox.contract import Builder, Command, ExecResult
from executor.sandbox.process import ProcessBackend, open_process_and_remove_leftovers
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


@contextmanager
def _open_builder(backend: ProcessBackend, tree: Path, files: Mapping[str, str]) -> Iterator[Builder]:
    with backend.builder(None) as builder:
        builder.put_tree(write_files(tree, files))
        yield builder


def _record(backend: ProcessBackend, tree: Path, files: Mapping[str, str], *commands: str) -> Recorded:
    with _open_builder(backend, tree, files) as builder:
        env = recorder.install_recording_wrappers(builder)
        for line in commands:
            done = builder.run(Command(("sh", "-c", line), env=env))
            assert done.ok, done.text
        graph = recorder.take_recorded_graph(builder, jobs=3)
        left = builder.run(Command(("find", ".graft", "-type", "f"))).text.split()
        return Recorded(graph, builder.root, done, left)


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> ProcessBackend:
    return open_process_and_remove_leftovers(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, backend: ProcessBackend) -> Recorded:
    tree = tmp_path_factory.mktemp("tree")
    # Trees hold test data as well: links that lead nowhere and round in a ring.
    for link, target in {"inc": "real", "gone": "nowhere", "one": "two", "two": "one", "self": "self/in"}.items():
        (tree / link).symlink_to(target)
    return _record(backend, tree, FILES, "make -j2")


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
    twice = _record(backend, tmp_path, files, "make F=-DX=1", "make -B F=-DX=2")
    assert "-DX=2" in twice.step("a.o").argv
    assert [step.kind for step in twice.graph.steps] == ["compile", "archive"]


def test_several_sources_in_one_call_are_several_steps(tmp_path: Path, backend: ProcessBackend) -> None:
    files = {"a.c": '#include "a.h"\n', "b.c": "int b;\n", "a.h": "int a;\n"}
    several = _record(backend, tmp_path, files, "mkdir out && cd out && cc -c ../a.c ../b.c")
    assert several.step("out/a.o").depends == ("a.c", "a.h")
    assert "../b.c" not in several.step("out/a.o").argv
    assert several.step("out/b.o").cwd == "out"


def test_a_header_behind_two_links_has_its_real_path(tmp_path: Path, backend: ProcessBackend) -> None:
    files = {"a.c": "#include <lib/a.h>\n", "real/a.h": "int a;\n", "lib/x.h": "", "include/x.h": ""}
    write_files(tmp_path, files)
    for link, target in {"lib/a.h": "../real/a.h", "include/lib": "../lib", "loop": "loop"}.items():
        (tmp_path / link).symlink_to(target)
    assert _record(backend, tmp_path, files, "cc -Iinclude -c a.c").step("a.o").depends == ("a.c", "real/a.h")


@pytest.mark.parametrize(
    ("flags", "library"),
    [
        ("-lu", "libu.so"),
        ("-lu -static", "libu.a"),
        ("-Wl,-Bstatic -lu -Wl,-Bdynamic", "libu.a"),
        ("-Wl,-Bstatic -Wl,-Bdynamic -lu", "libu.so"),
    ],
)
def test_of_a_shared_and_a_static_library_the_link_reads_one(flags: str, library: str) -> None:
    tree = Tree(("/t",), frozenset({"m.o", "u.o", "libu.so", "libu.a", "app"}), {}, frozenset())
    (step,) = make_build_graph_of_surviving_outputs(
        [RecordedCall(("cc", "-o", "app", "m.o", "-L.", *flags.split()), "/t")], tree
    ).steps
    assert step.inputs == ("m.o", library)


def test_a_copy_of_several_files_is_a_step_for_each(tmp_path: Path, backend: ProcessBackend) -> None:
    files = {"a.c": "int a;\n", "b.c": "int b;\n"}
    graph = _record(backend, tmp_path, files, "mkdir d", "cc -c a.c b.c", "cp -f a.o b.o d", "ld -r -o ab d/*.o").graph
    copied = [(step.inputs, step.outputs, step.argv[1:]) for step in graph.steps if step.kind == "copy"]
    assert copied == [((f"{x}.o",), (f"d/{x}.o",), ("-f", f"{x}.o", "d")) for x in "ab"]


def test_a_copy_into_a_folder_has_the_name_of_the_link_that_was_copied() -> None:
    tree = Tree(("/t",), frozenset({"l.so.1", "d/l.so"}), {"l.so": "l.so.1"}, frozenset({"d"}))
    calls = [RecordedCall(tuple(line.split()), "/t") for line in ("cc -shared -o l.so.1 x.o", "cp l.so d")]
    assert [step.outputs for step in make_build_graph_of_surviving_outputs(calls, tree).steps] == [
        ("l.so.1",),
        ("d/l.so",),
    ]


def test_without_the_record_folder_a_wrapper_only_passes_through(tmp_path: Path, backend: ProcessBackend) -> None:
    with _open_builder(backend, tmp_path, {"a.c": "int main(void) { return 7; }\n"}) as builder:
        env = recorder.install_recording_wrappers(builder)
        done = builder.run(Command(("sh", "-c", "cc a.c && ./a.out"), env={"PATH": env["PATH"]}))
        assert done.exit_code == 7, done.output
        with pytest.raises(RecipeError, match="no compiler by way of PATH"):
            recorder.take_recorded_graph(builder)
        # A call that can't be recorded fails the build.
        env = {**env, "GRAFT_RECORD": f"{builder.root}/nowhere"}
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
    recorded = _record(backend, tmp_path, files, "cmake -S . -B out", "make -C out -j2")
    objects = [step for step in recorded.graph.steps if step.kind == "compile"]
    assert sorted(step.sources for step in objects) == [("lib/u.c",), ("main.c",)]
    assert all("lib/u.h" in step.depends for step in objects)
    assert recorded.step("out/app").inputs[-1] == "out/libu.a"
    assert [step.kind for step in recorded.graph.steps if "out/libu.a" in step.outputs] == ["archive"] * 2


def test_a_make_rule_is_unescaped_and_a_damaged_record_is_an_error() -> None:
    text = "a.o: my\\ file.c \\\n dir/x.h a\\#b.h c$$d.h\nother: z.h\n"
    assert recorder.parse_make_rule_prerequisites(text) == ["my file.c", "dir/x.h", "a#b.h", "c$d.h", "z.h"]
    with pytest.raises(RecipeError, match="damaged at command 1"):
        recorder.parse_records(b"x\0/usr/bin/cc\0/\0" + b"1\0-v\0")


def test_tools_by_name() -> None:
    compilers = ("/usr/bin/cc", "x86_64-linux-gnu-g++-12", "clang++-15")
    assert {classify_tool(tool) for tool in compilers} == {"compiler"}
    others = {
        "gcc-ar-12": "ar",
        "llvm-ranlib": "ranlib",
        "ld.gold": "ld",
        "install": "copy",
        "ccache": None,
        "gcov": None,
    }
    assert {tool: classify_tool(tool) for tool in others} == others


@pytest.mark.parametrize(
    ("line", "mode", "sources", "objects", "output"),
    [
        ("cc -c a.c -o a.o", "compile", ("a.c",), (), "a.o"),
        ("cc -oapp -Iinc a.o -lm -MF a.c", "link", (), ("a.o",), "app"),
        ("cc -include conf.c -D X -c b.c", "compile", ("b.c",), (), None),
        ("c++ -x c++ -c weird", "compile", ("weird",), (), None),
        ("cc -E a.c", "preprocess", ("a.c",), (), None),
        ("cc -MM a.c", "depend", ("a.c",), (), None),
        ("cc --version", "info", (), (), None),
        ("cc -Wl,-rpath,lib a.c libx.a -o app", "link", ("a.c",), ("libx.a",), "app"),
    ],
)
def test_compilers(line: str, mode: str, sources: tuple[str], objects: tuple[str], output: str | None) -> None:
    call = parse_compiler(line.split())
    assert (call.mode, call.sources, call.objects, call.output) == (mode, sources, objects, output)


@pytest.mark.parametrize(
    ("line", "parsed"),
    [
        ("ar rcs l.a a.o b.o", ("r", "l.a", ("a.o", "b.o"))),
        ("ar -qc l.a a.o", ("q", "l.a", ("a.o",))),
        ("ar cru l.a a.o", ("r", "l.a", ("a.o",))),
        ("ar rb old.o l.a a.o", ("r", "l.a", ("a.o",))),
        ("ranlib -D l.a", ("s", "l.a", ())),
        ("ar x /b/l.a", ("x", "/b/l.a", ())),
        ("ar t l.a", None),
        ("ar -M", None),
        ("ar --version", None),
    ],
)
def test_archivers(line: str, parsed: tuple[str, str, tuple[str]] | None) -> None:
    found = parse_archive_change_or_extraction(line.split())
    assert (found and (found.operation, found.archive, found.members)) == parsed


def test_copiers() -> None:
    lines = {
        "install -m 755 a b": (("a",), "b"),
        "cp -f a b": (("a",), "b"),
        "cp a b c": (("a", "b"), "c"),
        "install -d a": None,
        "cp -t d a": None,
    }
    assert {line: parse_copy_operands(line.split()) for line in lines} == lines


def test_the_front_end_keeps_what_the_parser_sees_and_writes_nothing() -> None:
    line = "cc -std=c99 -DX=1 -I inc -Wl,-z,now -MD -MF a.d -c a.c -o a.o -L. -lm -O2"
    call = parse_compiler(line.split())
    assert strip_call_to_front_end(call, call.sources, "-fsyntax-only") == (
        *("cc", "-fsyntax-only", "-std=c99", "-DX=1", "-I", "inc", "a.c", "-O2"),
    )
    assert list_tool_and_flags_without_files_or_language(call) == ("cc", "-std=c99", "-DX=1", "-I", "inc", "-O2")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cc -c a.c", False),
        ("cc -O2 -O0 -c a.c", False),
        ("cc -O0 -O2 -c a.c", True),
        ("cc -O -c a.c", True),
        ("cc -O1 -fno-inline -c a.c", True),
        ("cc -O1 -fno-inline -flive-patching=inline-only-static -c a.c", False),
    ],
)
def test_the_last_level_decides_about_inlining(line: str, expected: bool) -> None:
    assert may_inline(line.split()) is expected


def test_languages() -> None:
    lines = {"cc -c a.c": "c", "g++ -c a.c": "c++", "cc -c a.cc": "c++", "cc -x c++ -c a.h": "c++", "cc a.S": "other"}
    assert {line: detect_compiled_language(line.split()) for line in lines} == lines


DEBUG_MAKEFILE = """\
CFLAGS = -g $(MORE)
app: main.o libthin.a libu.a
\t$(CC) $(CFLAGS) -o $@ $^
libu.a: a b.o
\t$(AR) rcs $@ 'a folder/a.o' b.o
libthin.a: c.o
\t$(AR) rcsT $@ c.o
a: a\\ folder/a.c
\t$(CC) $(CFLAGS) -c 'a folder/a.c' -o 'a folder/a.o' && touch a
"""
DEBUG_FILES = {
    "Makefile": DEBUG_MAKEFILE,
    "a folder/a.c": "static int seen(int x) { return x; }\nint a(int x) { return seen(x) - 1; }\n",
    "b.c": "int a(int);\nint b(void) { return a(1); }\n",
    "c.c": "int b(void);\nint c(void) { return b(); }\n",
    "main.c": "int c(void);\nint main(void) { return c(); }\n",
}
MADE = ("main.o", "a folder/a.o", "b.o", "c.o", "libu.a", "libthin.a")


def _read_objects(builder: Builder) -> dict[str, tuple[str, bool]]:
    """Of each file its time of change, and whether it holds debug information."""

    def read(*argv: str) -> str:
        done = builder.run(Command(argv))
        assert done.ok, done.text
        return done.text

    return {path: (read("stat", "-c", "%y", path), ".debug_info" in read("objdump", "-h", path)) for path in MADE}


@pytest.mark.parametrize("more", ["", "-flto"])
def test_only_debug_information_goes(tmp_path: Path, backend: ProcessBackend, more: str) -> None:
    with _open_builder(backend, tmp_path, DEBUG_FILES) as builder:

        def run(line: str) -> str:
            done = builder.run(Command(("sh", "-c", line), env=recorder.install_recording_wrappers(builder)))
            assert done.ok, done.text
            return done.text

        run(f"make MORE={more}")
        before = _read_objects(builder)
        if not more:
            assert all(has_debug for _, has_debug in before.values())
        drop_debug_information_of_objects(builder, recorder.take_recorded_graph(builder))
        after = _read_objects(builder)
        assert {path: time for path, (time, _) in after.items()} == {path: time for path, (time, _) in before.items()}
        if more:
            assert after == before
        else:
            assert not any(has_debug for _, has_debug in after.values())
            assert "seen" in run("nm 'a folder/a.o'")
        # The thin archive still names its member, nothing is out of date, and the program links and runs.
        assert run("head -c 7 libthin.a") == "!<thin>"
        assert "up to date" in run("make")
        run(f"rm app && make MORE={more} && ./app")
