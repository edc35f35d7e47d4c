"""A function and a body to compare with it, in a program of one unit, by the real compiler."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from executor.differential.programs import RUNTIME, linking
from executor.differential.results import read_results
from executor.differential.shapes import read_shape
from executor.differential.tables import tables
from executor.differential.unit import all_bodies, parameter_names
from executor.differential.values import Differential
from index.values import Span

TAG = "_test"
Compare = Callable[..., Differential]


@pytest.fixture(scope="session")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runtime without tables, compiled once."""
    folder = tmp_path_factory.mktemp("runtime")
    defined = [f"-DGRAFT_TAG={TAG}", f'-DGRAFT_RESULTS="{folder}/results"', "-D_GNU_SOURCE"]
    sources = sorted(str(path) for path in RUNTIME.glob("*.c"))
    _run("gcc", "-Wall", "-Wextra", "-Werror", *defined, "-nostdlib", "-r", "-o", str(folder / "runtime.o"), *sources)
    return folder


@pytest.fixture
def compare(runtime: Path, tmp_path: Path) -> Compare:
    """compare(gold, candidate, calls, before="") -> what the comparison finds of the function `f` while `calls` run in
    main."""

    def compared(gold: str, candidate: str, calls: str, before: str = "") -> Differential:
        top = f"#include <stdlib.h>\n#include <string.h>\n{before}\n"
        first = top.count("\n") + 1
        source = f"{top}{gold}\nint main(void) {{ {calls} return 0; }}\n".encode()
        (tmp_path / "unit.c").write_bytes(source)
        _run("gcc", "-g", "-c", "-w", "-o", str(tmp_path / "types.o"), str(tmp_path / "unit.c"))
        shape = read_shape((tmp_path / "types.o").read_bytes(), "f")
        span = Span(first, first + gold.count("\n"))
        variables = [name for name, _ in shape.variables]
        text = all_bodies(source, span, "f", [candidate], TAG, variables, is_void=shape.result is None)
        (tmp_path / "unit.c").write_bytes(text)
        (tmp_path / "tables.c").write_text(tables(shape, parameter_names(gold, "f"), 1))
        results = runtime / "results"
        results.write_bytes(b"")
        files = [str(tmp_path / "unit.c"), str(tmp_path / "tables.c"), str(runtime / "runtime.o")]
        program = str(tmp_path / "program")
        argv = ("gcc", "-O1", "-w", f"-I{RUNTIME}", f"-DGRAFT_TAG={TAG}", *linking(), "-o", program, *files)
        _run(*argv)
        subprocess.run([program], check=True, timeout=60, stdout=subprocess.DEVNULL)
        return read_results(results.read_bytes())[0]

    return compared


def _run(*argv: str) -> None:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
