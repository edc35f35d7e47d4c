"""Checks the oracle's calls against those that gcc sees (`-fcallgraph-info`, without inlining)."""

from __future__ import annotations

import logging
import posixpath
import re
from collections.abc import Sequence, Set
from dataclasses import replace

from executor.candidate.runner import BUILD_LIMITS
from executor.repository.build.command_line import parse_compiler, strip_call_to_front_end
from executor.repository.build.graph import GRAFT_FOLDER, BuildStep, bind_step
from executor.repository.images import Image
from executor.sandbox.contract import Backend, Command, Session
from executor.values import Task

log = logging.getLogger(__name__)

_NODE = re.compile(r'node: \{ title: "([^"]*)" label: "([^"]*)"( shape : ellipse)? \}')
_EDGE = re.compile(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"')
_OUT = f"{GRAFT_FOLDER}/calls"
# gcc inlines some functions even at -O0, and then nobody calls them.
_FLAGS = ("-w", "-O0", "-fno-inline", "-D__always_inline__=__noinline__", "-Dalways_inline=noinline")


def compare_oracles_with_gcc_calls(image: Image, backend: Backend, tasks: Sequence[Task], known: Set[str]) -> str:
    """One line: which calls of the tasks' bodies to functions of the repository gcc and the oracle both have, and
    which one has alone. Each task's file is compiled once more; one that gcc doesn't compile so is left out. `known`:
    the names of the repository's functions. Raises SandboxError."""
    compared = both = gcc_alone = oracle_alone = 0
    texts: dict[str, tuple[str, str]] = {}
    with backend.session(image.key) as session:
        for path in sorted({hole.path for task in tasks for hole in task.target.holes}):
            steps = [step for step in image.graph.steps if step.kind == "compile" and path in step.depends]
            step = min(steps, key=lambda step: (path not in step.sources, len(step.depends)), default=None)
            texts[path] = (
                (_compile_callgraph_or_empty(session, step, path), step.cwd) if step is not None else ("", "")
            )
    for task in tasks:
        holes = task.target.holes
        each = [
            read_callees_from_callgraph(*texts[hole.path], hole.path, hole.span.first, hole.span.last)
            for hole in holes
        ]
        if any(called is None for called in each):
            continue
        called = {name for found in each for name in found or () if name in known}
        gcc = called - {_strip_to_unqualified_name(hole.name) for hole in holes}
        ours = {_strip_to_unqualified_name(item.name) for item in task.oracle}
        compared += 1
        both += len(gcc & ours)
        gcc_alone += len(gcc - ours)
        oracle_alone += len(ours - gcc)
    if not compared:
        return "gcc saw none of the bodies"
    return (
        f"in {compared} bodies gcc sees {both + gcc_alone} functions of the repository called; the oracle has {both}"
        f" of them, and {oracle_alone} that gcc doesn't see"
    )


def read_callees_from_callgraph(
    callgraph: str, cwd: str, path: str, first_line: int, last_line: int
) -> set[str] | None:
    """The simple names of the functions that are called in these lines, by the text of gcc's file; None where no
    function stands there. `cwd`: the compiler's folder, relative to the tree."""
    names: dict[str, str] = {}
    here: set[str] = set()
    for title, label, undefined in _NODE.findall(callgraph):
        name, where = [*label.split("\\n"), ""][:2]
        names[title] = _strip_to_unqualified_name(name.partition("(")[0])
        file, *line = where.rsplit(":", 2)
        is_there = f"/{posixpath.normpath(posixpath.join(cwd, file))}".endswith(f"/{path}")
        if not undefined and len(line) == 2 and is_there and first_line <= int(line[0]) <= last_line:
            here.add(title)
    if not here:
        return None
    return {names[target] for source, target in _EDGE.findall(callgraph) if source in here and target in names}


def _strip_to_unqualified_name(name: str) -> str:
    while (bare := re.sub(r"<[^<>]*>", "", name)) != name:
        name = bare
    return name.strip().rsplit("::", 1)[-1].rsplit(" ", 1)[-1].lstrip("*&")


def _compile_callgraph_or_empty(session: Session, step: BuildStep, path: str) -> str:
    out = f"{session.root}/{_OUT}.s"
    call = parse_compiler(step.argv)
    source = call.sources[step.sources.index(path) if path in step.sources else 0]
    argv = (*strip_call_to_front_end(call, (source,), "-S", "-fcallgraph-info", "-o", out), *_FLAGS)
    bound, cwd = bind_step(replace(step, argv=argv), session.root)
    done = session.run(Command(bound, cwd=cwd, limits=BUILD_LIMITS))
    if not done.ok:
        log.debug(f"{path}: {done.text[:200]}")
        return ""
    try:
        return session.read(f"{_OUT}.ci").decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
