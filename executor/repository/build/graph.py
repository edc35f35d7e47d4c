"""The recorded build as a graph of commands.

A step names files relative to the tree's root. In `argv` and `cwd` the root itself is `{root}`, so that a step
recorded in one folder can be replayed in another.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Any, Literal

from index.errors import RecipeError

ROOT = "{root}"
GRAFT_FOLDER = ".graft"
FORMAT = 1
_PLAIN = ("kind", "argv", "cwd", "outputs", "sources", "inputs")

StepKind = Literal["compile", "archive", "link", "copy"]
ArgvAndCwd = tuple[tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class BuildStep:
    """One recorded command. `sources` are the files that it compiles. `inputs` are the objects, archives and libraries
    of the tree that it reads. `depends` are the files of the tree that the preprocessor reads, sources included.
    `emits`: identifiers in the names of the object's weak and local symbols, None where that isn't known. Paths are
    relative to the root."""

    kind: StepKind
    argv: tuple[str, ...]
    cwd: str
    outputs: tuple[str, ...]
    sources: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    depends: tuple[str, ...] = ()
    emits: frozenset[str] | None = None

    @property
    def input_and_dependency_paths(self) -> set[str]:
        return {*self.inputs, *self.depends}

    @property
    def title(self) -> str:
        """Its name in a log: `compile src/dict.c`."""
        return f"{self.kind} {self.outputs[0] if self.kind != 'compile' else self.sources[0]}"


@dataclass(frozen=True)
class BuildGraph:
    """The steps of a whole build, in an order in which they can be run. `missing` are members of archives whose files
    the build has removed, so that they can't be archived again. `makers` and `readers`: path -> the numbers of the
    steps that write it, and of those that read it."""

    steps: tuple[BuildStep, ...]
    missing: frozenset[str] = frozenset()

    @cached_property
    def makers(self) -> Mapping[str, Sequence[int]]:
        return _map_paths_to_steps(step.outputs for step in self.steps)

    @cached_property
    def readers(self) -> Mapping[str, Sequence[int]]:
        return _map_paths_to_steps(step.input_and_dependency_paths for step in self.steps)

    @cached_property
    def made_paths_read_by_step(self) -> Sequence[tuple[str, ...]]:
        """For each step those of the paths it reads that steps write."""
        return [tuple(path for path in step.input_and_dependency_paths if path in self.makers) for step in self.steps]

    def __reduce__(self) -> tuple[type[BuildGraph], tuple[Any, ...]]:
        # Another machine makes the maps itself: LLVM's have five million entries.
        return BuildGraph, (self.steps, self.missing)


def _map_paths_to_steps(paths_by_step: Iterable[Iterable[str]]) -> Mapping[str, Sequence[int]]:
    found: dict[str, list[int]] = {}
    for number, paths in enumerate(paths_by_step):
        for path in paths:
            found.setdefault(path, []).append(number)
    return found


def sort_steps_into_reproducible_order(steps: Sequence[BuildStep]) -> tuple[BuildStep, ...]:
    """The steps in an order that doesn't depend on when a parallel build happened to reach them. A step that reads a
    file stays before or after the steps that write it; all else is sorted by the outputs' names."""
    before: list[set[int]] = [set() for _ in steps]
    writer: dict[str, int] = {}
    readers: dict[str, list[int]] = {}
    for number, step in enumerate(steps):
        for path in {*step.sources, *step.input_and_dependency_paths}:
            if path in writer:
                before[number].add(writer[path])
            readers.setdefault(path, []).append(number)
        for path in step.outputs:
            before[number].update(readers.pop(path, ()))
            if path in writer:
                before[number].add(writer[path])
            writer[path] = number
        before[number].discard(number)
    sorter = TopologicalSorter(dict(enumerate(before)))
    sorter.prepare()
    ready: list[tuple[tuple[str, ...], tuple[str, ...], int]] = []
    found: list[BuildStep] = []
    while sorter.is_active():
        for number in sorter.get_ready():
            heapq.heappush(ready, (steps[number].outputs, steps[number].argv, number))
        number = heapq.heappop(ready)[-1]
        found.append(steps[number])
        sorter.done(number)
    return tuple(found)


def bind_step(step: BuildStep, root: str) -> ArgvAndCwd:
    """The step's (argv, cwd) in a tree that stands at `root`."""
    return tuple(word.replace(ROOT, root) for word in step.argv), step.cwd.replace(ROOT, root)


def write_graph_json(graph: BuildGraph) -> str:
    """The graph as one JSON text; `read_graph_json` gives an equal graph back."""
    words = sorted({word for step in graph.steps for word in (*step.depends, *(step.emits or ()))})
    number = {word: place for place, word in enumerate(words)}
    steps = [
        {
            **{name: getattr(step, name) for name in _PLAIN},
            "depends": [number[path] for path in step.depends],
            "emits": None if step.emits is None else sorted(number[word] for word in step.emits),
        }
        for step in graph.steps
    ]
    return json.dumps({"format": FORMAT, "missing": sorted(graph.missing), "words": words, "steps": steps})


def read_graph_json(text: str) -> BuildGraph:
    """Raises RecipeError when the text isn't a graph of this format."""
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ValueError(f"format {data['format']}")
        words = _require_list_of_texts(data["words"])
        steps = tuple(_read_step(item, words) for item in data["steps"])
        return BuildGraph(steps, frozenset(_require_list_of_texts(data["missing"])))
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise RecipeError(
            f"the image's record of its build can't be read ({error}): build it again with `graft images build`"
        ) from error


def _read_step(item: Mapping[str, Any], words: Sequence[str]) -> BuildStep:
    lists = {name: _require_list_of_texts(item[name]) for name in ("argv", "outputs", "sources", "inputs")}
    depends = tuple(words[place] for place in item["depends"])
    emits = None if item["emits"] is None else frozenset(words[place] for place in item["emits"])
    return BuildStep(
        kind=item["kind"], cwd=_require_list_of_texts([item["cwd"]])[0], depends=depends, emits=emits, **lists
    )


def _require_list_of_texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError("not a list of texts")
    return tuple(value)
