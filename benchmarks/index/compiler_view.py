"""Who calls whom as gcc sees it: `-fcallgraph-info` of compile units with known flags.

A call is kept with the place it is written at, so that one in an inlined function or a template's instance
belongs to the function whose text holds it. Beside it the lines that the preprocessor let through: a call in a
branch of `#if` that wasn't compiled is neither true nor false.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

log = logging.getLogger(__name__)

INDIRECT = "__indirect_call"


class Unit(NamedTuple):
    """A source file with the command that compiles it, without -c and -o."""

    source: Path
    argv: tuple[str, ...]
    cwd: Path


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
    defined: bool


class Edge(NamedTuple):
    """A call; `place` is where it is written, None for one that the compiler made up."""

    source: Node
    target: str
    place: Place | None


@dataclass
class View:
    """All units together. `edges` are between nodes, `indirect` the places of calls through a pointer or a virtual
    table, `active` the lines of each file that some unit compiled, `failed` units with the first error."""

    edges: set[tuple[Node, Node, Place | None]] = field(default_factory=set)
    indirect: set[tuple[Node, Place | None]] = field(default_factory=set)
    functions: set[Node] = field(default_factory=set)
    active: dict[str, set[int]] = field(default_factory=dict)
    units: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    unlinked: int = 0


_NODE = re.compile(r'node: \{ title: "(?P<title>[^"]*)" label: "(?P<label>[^"]*)"(?P<shape> shape : ellipse)? \}')
_EDGE = re.compile(
    r'edge: \{ sourcename: "(?P<source>[^"]*)" targetname: "(?P<target>[^"]*)"(?: label: "(?P<place>[^"]*)")? \}'
)
_MARKER = re.compile(rb'# (\d+) "([^"]*)"')
# gcc inlines these even at -O0, and then nobody calls them.
_NOT_INLINED = ("-D__always_inline__=__noinline__", "-Dalways_inline=noinline")


def compiler_view(units: Sequence[Unit], root: Path, work: Path, jobs: int) -> View:
    """What gcc says of the units, made once and kept in `work`."""
    commands = repr([(str(u.source), u.argv) for u in units]).encode()
    kept = work / f"view-{hashlib.blake2b(commands, digest_size=6).hexdigest()}.pickle"
    if kept.is_file():
        with kept.open("rb") as stream:
            return pickle.load(stream)  # type: ignore[no-any-return]
    view = View(units=len(units))
    external: dict[str, set[Node]] = {}
    pending: list[tuple[Node, str, Place | None]] = []
    with ThreadPoolExecutor(jobs) as pool:
        for done, (unit, outcome) in enumerate(
            pool.map(lambda i: _compiled(units[i], i, root, work), range(len(units)))
        ):
            if done % 50 == 0:
                log.info(f"compiled {done} of {len(units)} units")
            if isinstance(outcome, str):
                view.failed.append((str(unit.source), outcome))
                continue
            nodes, edges, active = outcome
            for path, lines in active.items():
                view.active.setdefault(path, set()).update(lines)
            own: dict[str, Node] = {}
            for node in nodes.values():
                if node.defined and node.place is not None:
                    view.functions.add(node)
                    own[_link_name(node.title)] = node
                    if ":" not in node.title:
                        external.setdefault(_link_name(node.title), set()).add(node)
            for edge in edges:
                if edge.target == INDIRECT:
                    view.indirect.add((edge.source, edge.place))
                    continue
                title = _link_name(edge.target)
                if title in own:
                    view.edges.add((edge.source, own[title], edge.place))
                else:
                    pending.append((edge.source, title, edge.place))
    for source, title, place in pending:
        targets = external.get(title, ())
        # A name that several programs of the tree define: any of them, the comparison takes whichever is found.
        view.edges.update((source, target, place) for target in targets)
        view.unlinked += not targets
    with kept.open("wb") as stream:
        pickle.dump(view, stream)
    return view


# A constructor and a destructor have up to three link names, of which gcc gives one a body.
_VARIANT = re.compile(r"(?<=[A-Za-z0-9_])([CD])[0-5](?=E|I)")


def _link_name(title: str) -> str:
    """A title without the unit that a local one begins with, a constructor's variants as one."""
    name = title.rpartition(":")[2]
    return _VARIANT.sub(r"\g<1>2", name) if name.startswith("_Z") else title


_Outcome = tuple[dict[str, Node], list[Edge], dict[str, set[int]]]


def _compiled(unit: Unit, number: int, root: Path, work: Path) -> tuple[Unit, _Outcome | str]:
    out = work / f"{number}.s"
    for extra in (_NOT_INLINED, ()):
        argv = [*unit.argv, *extra, "-w", "-fcallgraph-info", "-S", "-o", str(out), str(unit.source)]
        done = subprocess.run(argv, cwd=unit.cwd, capture_output=True, text=True, errors="replace")
        if done.returncode == 0:
            break
    else:
        message = next((line for line in done.stderr.splitlines() if "error" in line), "no message")
        return unit, message
    text = out.with_suffix(".ci").read_text(errors="replace")
    out.unlink()
    out.with_suffix(".ci").unlink()
    argv = [*unit.argv, "-w", "-E", "-o", "-", str(unit.source)]
    lines = subprocess.run(argv, cwd=unit.cwd, capture_output=True).stdout
    return unit, (*_read(text, root, unit.cwd), _active(lines, root, unit.cwd))


def _read(text: str, root: Path, cwd: Path) -> tuple[dict[str, Node], list[Edge]]:
    nodes: dict[str, Node] = {}
    for match in _NODE.finditer(text):
        label, _, where = match["label"].partition("\\n")
        node = Node(match["title"], label, _place(where, root, cwd), match["shape"] is None)
        if node.title not in nodes or node.defined:
            nodes[node.title] = node
    edges = [
        Edge(nodes[m["source"]], m["target"], _place(m["place"] or "", root, cwd))
        for m in _EDGE.finditer(text)
        if m["source"] in nodes
    ]
    return nodes, edges


def _place(text: str, root: Path, cwd: Path) -> Place | None:
    parts = text.split("\\n")[0].rsplit(":", 2)
    if len(parts) != 3 or not parts[1].isdigit():
        return None
    path = _inside(parts[0], root, cwd)
    return None if path is None else Place(path, int(parts[1]), int(parts[2]))


def _inside(path: str, root: Path, cwd: Path) -> str | None:
    whole = os.path.normpath(cwd / path)
    top = f"{root}{os.sep}"
    return whole[len(top) :] if whole.startswith(top) else None


def _active(text: bytes, root: Path, cwd: Path) -> dict[str, set[int]]:
    active: dict[str, set[int]] = {}
    lines: set[int] | None = None
    number = 0
    for line in text.split(b"\n"):
        if line.startswith(b"# ") and (marker := _MARKER.match(line)):
            number = int(marker[1])
            path = _inside(marker[2].decode("utf-8", "replace"), root, cwd)
            lines = None if path is None else active.setdefault(path, set())
            continue
        if lines is not None and line.strip():
            lines.add(number)
        number += 1
    return active


def units_of(repo: str, root: Path, work: Path, only: str) -> list[Unit]:
    """The units of a repository whose path starts with one of `only`'s words, with flags known by heart (redis,
    bullet3) or asked of its own build (openssl)."""
    starts = tuple(only.split(",")) if only else ("",)
    found = {"redis": _redis, "bullet3": _bullet3, "openssl": _openssl}[repo](root, work)
    return [u for u in found if str(u.source.relative_to(root)).startswith(starts)]


def _redis(root: Path, work: Path) -> Iterator[Unit]:
    made = work / "made"
    made.mkdir(exist_ok=True)
    (made / "release.h").write_text(
        '#define REDIS_GIT_SHA1 "0"\n#define REDIS_GIT_DIRTY "0"\n#define REDIS_BUILD_ID "0"\n'
        '#define REDIS_BUILD_ID_RAW "0"\n'
    )
    deps = [root / "deps" / d for d in ("hiredis", "linenoise", "lua/src", "hdr_histogram", "fpconv")]
    flags = ("-O0", "-DREDIS_STATIC=", "-DREDIS_TEST", "-DLUA_USE_MKSTEMP", "-DENABLE_CJSON_GLOBAL")
    argv = ("gcc", *flags, *(f"-I{d}" for d in (*deps, made)))
    for folder in (root / "src", *deps):
        for source in sorted(folder.glob("*.c")):
            yield Unit(source, argv, folder)


def _bullet3(root: Path, work: Path) -> Iterator[Unit]:
    argv = ("g++", "-O0", "-fkeep-inline-functions", "-DBT_USE_DOUBLE_PRECISION", f"-I{root}/src")
    for source in sorted((root / "src").rglob("*.cpp")):
        # The unity sources hold the others, OpenCL's need its headers.
        if not source.name.endswith("All.cpp") and "OpenCL" not in str(source):
            yield Unit(source, argv, source.parent)


def _openssl(root: Path, work: Path) -> Iterator[Unit]:
    build = work / "build"
    if not (build / "Makefile").is_file():
        build.mkdir(exist_ok=True)
        configure = ["perl", str(root / "Configure"), "linux-x86_64", "no-shared", "no-asm", "-O0"]
        subprocess.run(configure, cwd=build, check=True, capture_output=True)
        subprocess.run(["make", "build_generated"], cwd=build, check=True, capture_output=True)
    made = subprocess.run(
        ["make", "-n", "libcrypto.a", "libssl.a"], cwd=build, check=True, capture_output=True, text=True
    )
    seen = set()
    for line in made.stdout.splitlines():
        words = shlex.split(line) if re.match(r"\s*gcc\b.* -c ", line) else []
        source = Path(os.path.normpath(build / words[-1])) if words else None
        if source is None or source in seen or root not in source.parents:
            continue
        seen.add(source)
        keep = [w for w in words[:-1] if w != "-c" and w not in ("-MMD",)]
        for option in ("-MF", "-MT", "-o"):
            while option in keep:
                at = keep.index(option)
                del keep[at : at + 2]
        yield Unit(source, tuple(keep), build)
