"""A function and a body to compare with it, in a program of one unit, by the real compiler."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from executor.grading.differential import Differential
from index.values import Span
from lab.differential.build_programs import RUNTIME, make_wrap_flags, write_runtime_tables
from lab.differential.c_unit import FunctionPlace, find_constants_and_compared_names, insert_bodies_behind_dispatcher
from lab.differential.compare_with_gold import parse_comparison_lines
from lab.differential.cpp_unit import (
    declare_bodies_in_class,
    insert_cpp_bodies_behind_dispatcher,
    is_defined_outside_class,
)
from lab.differential.dwarf_shapes import read_shape
from lab.differential.noted_calls import declare_callee_probes, find_called_names

TAG = "_test"
FLAGS = ("-O1", "-w", f"-I{RUNTIME}", f"-DGRAFT_TAG={TAG}")


@pytest.fixture(scope="session")
def runtime(tmp_path_factory):
    """The runtime without tables, compiled once."""
    folder = tmp_path_factory.mktemp("runtime")
    defined = [f"-DGRAFT_TAG={TAG}", f'-DGRAFT_RESULTS="{folder}/results"', "-D_GNU_SOURCE"]
    sources = sorted(str(path) for path in RUNTIME.glob("*.c"))
    _run("gcc", "-Wall", "-Wextra", "-Werror", *defined, "-nostdlib", "-r", "-o", str(folder / "runtime.o"), *sources)
    return folder


@pytest.fixture
def compare(runtime, tmp_path):
    """compare(gold, candidate, calls, before="") -> what the comparison finds of the function `f` while `calls` run in
    main. What `before` declares is of the repository; `others` are compared with it."""

    def compared(gold, candidate, calls, before="", others=()):
        top = f"#include <stdlib.h>\n#include <string.h>\n{before}\n"
        first = top.count("\n") + 1
        source = f"{top}{gold}\nint main(void) {{ {calls} return 0; }}\n".encode()
        span = Span(first, first + gold.count("\n"))
        names = find_called_names(
            (gold, candidate, *others), {*before.replace("(", " ").replace("*", " ").split()}, "f"
        )
        (tmp_path / "unit.c").write_bytes(declare_callee_probes(source, span, names))
        _run("gcc", "-g", "-c", "-w", "-o", str(tmp_path / "types.o"), str(tmp_path / "unit.c"))
        shape = read_shape((tmp_path / "types.o").read_bytes(), "f", probed_names=names)
        numbers = find_constants_and_compared_names(gold, shape.names)
        place = FunctionPlace(source, span, "f")
        text = insert_bodies_behind_dispatcher(place, [candidate, *others], TAG, shape, numbers)
        (tmp_path / "unit.c").write_bytes(text)
        tables = write_runtime_tables(shape, (gold, candidate, *others), 6.0, len(numbers))
        return _found(runtime, tmp_path, tables, "gcc", "unit.c", 1 + len(others))[0]

    return compared


@pytest.fixture
def compare_cpp(runtime, tmp_path):
    """compare_cpp(name, before, gold, candidate, after, calls) -> the same of a function in C++, and of its gold
    beside itself; the text around it may open and close its class."""

    def compared(name, before, gold, candidate, after, calls):
        source = f"{before}\n{gold}\n{after}\nint main() {{ {calls} return 0; }}\n".encode()
        unit = tmp_path / "unit.cc"
        unit.write_bytes(source)
        _run("g++", "-g", "-c", "-w", "-femit-class-debug-always", "-o", str(tmp_path / "types.o"), str(unit))
        first = before.count("\n") + 2
        span = Span(first, first + gold.count("\n"))
        shape = read_shape((tmp_path / "types.o").read_bytes(), name, "unit.cc", span)
        if is_defined_outside_class(gold, name):
            assert shape.member
            source = declare_bodies_in_class(
                source, shape.member.line, gold, name, 2, TAG, is_static=shape.member.is_static
            )
        unit.write_bytes(
            insert_cpp_bodies_behind_dispatcher(FunctionPlace(source, span, name), [candidate, gold], TAG, shape)
        )
        text = write_runtime_tables(shape, (gold, candidate, gold), 6.0)
        first_found, second_found = _found(runtime, tmp_path, text, "g++", "unit.cc", 2)
        return first_found, second_found

    return compared


def _found(
    runtime: Path, folder: Path, text_of_tables: str, compiler: str, unit: str, count: int = 1
) -> tuple[Differential, ...]:
    """What the program of the unit finds of its `count` candidates."""
    (folder / "tables.c").write_text(text_of_tables)
    _run("gcc", *FLAGS, "-c", "-o", str(folder / "tables.o"), str(folder / "tables.c"))
    results = runtime / "results"
    results.write_bytes(b"")
    (runtime / "results.shared").write_bytes(bytes(4096))
    files = [str(folder / unit), str(folder / "tables.o"), str(runtime / "runtime.o")]
    program = str(folder / "program")
    _run(compiler, *FLAGS, *make_wrap_flags(), "-o", program, *files)
    subprocess.run([program], check=True, timeout=60, stdout=subprocess.DEVNULL)
    return parse_comparison_lines(results.read_bytes(), count)


def _run(*argv: str) -> None:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
