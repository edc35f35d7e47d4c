"""Who calls whom as gcc sees it: `-fcallgraph-info` of compile units with known flags.

A call is kept with the place it is written at, so that one in an inlined function or a template's instance
belongs to the function whose text holds it. Beside it the lines that the preprocessor let through: a call in a
branch of `#if` that wasn't compiled is neither true nor false.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

INDIRECT = "__indirect_call"
REPOSITORIES = ("redis", "bullet3")


class Unit(NamedTuple):
    """A source file with the command that compiles it, without -c and -o."""

    source: Path
    argv: tuple[str, ...]
    folder: Path


class Place(NamedTuple):
    """A line and column of a file of the tree, both from 1."""

    path: str
    line: int
    column: int


class Node(NamedTuple):
    """A function: its link name, its name for people, where it is defined (or declared), whether it has a body in
    the unit."""

    title: str
    label: str
    place: Place | None
    is_defined: bool


class Edge(NamedTuple):
    """A call; `place` is where it is written, None for one that the compiler made up."""

    source: Node
    target: str
    place: Place | None


@dataclass
class View:
    """All units together. `edges` are between nodes, `indirect` the places of calls through a pointer or a virtual
    table, `active` the lines of each file that some unit compiled, `failed` the units that don't compile."""

    edges: set[tuple[Node, Node, Place | None]] = field(default_factory=set)
    indirect: set[tuple[Node, Place | None]] = field(default_factory=set)
    functions: set[Node] = field(default_factory=set)
    active: dict[str, set[int]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)


class UnitView(NamedTuple):
    """What gcc says of one unit: its nodes, its calls, and the lines of each file that it compiled."""

    nodes: list[Node]
    edges: list[Edge]
    active: dict[str, set[int]]


_NODE = re.compile(r'node: \{ title: "(?P<title>[^"]*)" label: "(?P<label>[^"]*)"(?P<shape> shape : ellipse)? \}')
_EDGE = re.compile(
    r'edge: \{ sourcename: "(?P<source>[^"]*)" targetname: "(?P<target>[^"]*)"(?: label: "(?P<place>[^"]*)")? \}'
)
_MARKER = re.compile(r'# (\d+) "([^"]*)"')
# gcc inlines these even at -O0, and then nobody calls them.
_NOT_INLINED = ("-D__always_inline__=__noinline__", "-Dalways_inline=noinline")
# A constructor and a destructor have up to three link names, of which gcc gives one a body.
_VARIANT = re.compile(r"(?<=[A-Za-z0-9_])([CD])[0-5](?=E|I)")


def compile_units(units: Sequence[Unit], root: Path, work: Path, jobs: int) -> View:
    """What gcc says of all units."""
    view = View()
    external: dict[str, set[Node]] = {}
    pending: list[tuple[Node, str, Place | None]] = []
    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda number: compile_unit(units[number], work / f"{number}.s", root), range(len(units)))
        for unit, unit_view in zip(units, found, strict=True):
            if unit_view is None:
                view.failed.append(str(unit.source))
                continue
            for path, lines in unit_view.active.items():
                view.active.setdefault(path, set()).update(lines)
            own: dict[str, Node] = {}
            for node in unit_view.nodes:
                if node.is_defined and node.place is not None:
                    view.functions.add(node)
                    own[normalize_title(node.title)] = node
                    if ":" not in node.title:
                        external.setdefault(normalize_title(node.title), set()).add(node)
            for edge in unit_view.edges:
                title = normalize_title(edge.target)
                if edge.target == INDIRECT:
                    view.indirect.add((edge.source, edge.place))
                elif title in own:
                    view.edges.add((edge.source, own[title], edge.place))
                else:
                    pending.append((edge.source, title, edge.place))
    for source, title, place in pending:
        # A name that several programs of the tree define: any of them, the comparison takes whichever is found.
        view.edges.update((source, target, place) for target in external.get(title, ()))
    return view


def normalize_title(title: str) -> str:
    """A title without the unit that a local one begins with, a constructor's variants as one."""
    name = title.rpartition(":")[2]
    return _VARIANT.sub(r"\g<1>2", name) if name.startswith("_Z") else title


def compile_unit(unit: Unit, out: Path, root: Path) -> UnitView | None:
    """What gcc says of a unit; None when it doesn't compile."""
    for extra in (_NOT_INLINED, ()):
        argv = [*unit.argv, *extra, "-w", "-fcallgraph-info", "-S", "-o", str(out), str(unit.source)]
        if subprocess.run(argv, cwd=unit.folder, capture_output=True).returncode == 0:
            break
    else:
        return None
    text = out.with_suffix(".ci").read_text(errors="replace")
    preprocessed = subprocess.run(
        [*unit.argv, "-w", "-E", "-o", "-", str(unit.source)], cwd=unit.folder, capture_output=True, check=False
    ).stdout.decode("utf-8", "replace")
    nodes: dict[str, Node] = {}
    for match in _NODE.finditer(text):
        label, _, where = match["label"].partition("\\n")
        node = Node(match["title"], label, read_place(where, root, unit.folder), match["shape"] is None)
        if node.title not in nodes or node.is_defined:
            nodes[node.title] = node
    edges = [
        Edge(nodes[match["source"]], match["target"], read_place(match["place"] or "", root, unit.folder))
        for match in _EDGE.finditer(text)
        if match["source"] in nodes
    ]
    return UnitView(list(nodes.values()), edges, read_active_lines(preprocessed, root, unit.folder))


def read_place(text: str, root: Path, folder: Path) -> Place | None:
    parts = text.split("\\n")[0].rsplit(":", 2)
    if len(parts) != 3 or not parts[1].isdigit():
        return None
    path = find_path_inside(parts[0], root, folder)
    return None if path is None else Place(path, int(parts[1]), int(parts[2]))


def find_path_inside(path: str, root: Path, folder: Path) -> str | None:
    """The path relative to the tree; None for a file outside of it."""
    whole, top = os.path.normpath(folder / path), f"{root}{os.sep}"
    return whole.removeprefix(top) if whole.startswith(top) else None


def read_active_lines(preprocessed: str, root: Path, folder: Path) -> dict[str, set[int]]:
    active: dict[str, set[int]] = {}
    lines: set[int] | None = None
    number = 0
    for line in preprocessed.split("\n"):
        if line.startswith("# ") and (marker := _MARKER.match(line)):
            path = find_path_inside(marker[2], root, folder)
            number, lines = int(marker[1]), None if path is None else active.setdefault(path, set())
            continue
        if lines is not None and line.strip():
            lines.add(number)
        number += 1
    return active


def list_units(repository: str, root: Path, work: Path) -> list[Unit]:
    """The units of a repository of REPOSITORIES, with flags known by heart."""
    return list((list_redis_units if repository == "redis" else list_bullet3_units)(root, work))


def list_redis_units(root: Path, work: Path) -> Iterator[Unit]:
    words = ("GIT_SHA1", "GIT_DIRTY", "BUILD_ID", "BUILD_ID_RAW")
    (work / "release.h").write_text("".join(f'#define REDIS_{word} "0"\n' for word in words))
    folders = [root / "deps" / name for name in ("hiredis", "linenoise", "lua/src", "hdr_histogram", "fpconv")]
    flags = ("-O0", "-DREDIS_STATIC=", "-DREDIS_TEST", "-DLUA_USE_MKSTEMP", "-DENABLE_CJSON_GLOBAL")
    argv = ("gcc", *flags, *(f"-I{folder}" for folder in (*folders, work)))
    for folder in (root / "src", *folders):
        yield from (Unit(source, argv, folder) for source in sorted(folder.glob("*.c")))


def list_bullet3_units(root: Path, work: Path) -> Iterator[Unit]:
    argv = ("g++", "-O0", "-fkeep-inline-functions", "-DBT_USE_DOUBLE_PRECISION", f"-I{root}/src")
    for source in sorted((root / "src").rglob("*.cpp")):
        # The unity sources hold the others, OpenCL's need its headers.
        if not source.name.endswith("All.cpp") and "OpenCL" not in str(source):
            yield Unit(source, argv, source.parent)
