"""What clang saw in a tree, as values that are kept and read without clang."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class ClangFunction(NamedTuple):
    """A function that clang defines. `template` says that it is one, or in one: its calls are resolved in part."""

    path: str
    first: int
    last: int
    name: str
    usr: str
    template: bool


class ClangCall(NamedTuple):
    """A call in the function `caller` (its USR) of the function `callee`. `how` is direct or virtual."""

    caller: str
    callee: str
    name: str
    how: str


@dataclass
class View:
    """What some units show. `unresolved` are (caller, name) of calls whose callee clang doesn't tell: through pointers
    and in templates. `skipped` are [first, last] of lines that no unit compiled, by file. `failed` are units with
    errors."""

    functions: dict[tuple[str, int, int, str], ClangFunction] = field(default_factory=dict)
    calls: set[ClangCall] = field(default_factory=set)
    unresolved: set[tuple[str, str]] = field(default_factory=set)
    skipped: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    units: int = 0


def join_views(views: Iterable[View]) -> View:
    """What all of them show."""
    joined = View()
    for view in views:
        joined.functions |= {key: found for key, found in view.functions.items() if key not in joined.functions}
        joined.calls |= view.calls
        joined.unresolved |= view.unresolved
        joined.units += view.units
        joined.failed |= view.failed
        for path, ranges in view.skipped.items():
            # Where two units read a file, a line was compiled when either compiled it.
            before = joined.skipped.get(path)
            joined.skipped[path] = ranges if before is None else _intersect_ranges(before, ranges)
    return joined


def _intersect_ranges(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> list[tuple[int, int]]:
    both = [(max(a, c), min(b, d)) for a, b in first for c, d in second]
    return [(low, high) for low, high in both if low <= high]


def dump_view(view: View) -> dict[str, Any]:
    """A view as JSON's values."""
    return {
        "functions": sorted(view.functions.values()),
        "calls": sorted(view.calls),
        "unresolved": sorted(view.unresolved),
        "skipped": view.skipped,
        "failed": view.failed,
        "units": view.units,
    }


def read_view(stored: Mapping[str, Any]) -> View:
    """The view that `dump_view` made values of."""
    functions = [ClangFunction(*row) for row in stored["functions"]]
    return View(
        functions={(f.path, f.last, number, f.name): f for number, f in enumerate(functions)},
        calls={ClangCall(*row) for row in stored["calls"]},
        unresolved={(caller, name) for caller, name in stored["unresolved"]},
        skipped={path: [(low, high) for low, high in ranges] for path, ranges in stored["skipped"].items()},
        failed=stored.get("failed", {}),
        units=stored["units"],
    )
