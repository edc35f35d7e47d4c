"""Calls on their way to the graph: a site with what its resolution needs, and the edges found so far as columns."""

from __future__ import annotations

from array import array
from typing import NamedTuple

Found = tuple[tuple[int, float, int], ...]
"""(callee, confidence, kind) of one call."""


class Call(NamedTuple):
    """A site with what its resolution needs; `end` is where its name ends in the caller's text."""

    name: str
    receiver: str
    arity: int
    form: int
    end: int


class Calls(NamedTuple):
    """The edges of some files as columns, in order of each caller's calls. One whose callee is -1 - k is a call
    through the field `fields[k]`, to whatever that is assigned."""

    caller: array[int]
    callee: array[int]
    confidence: array[float]
    kind: array[int]
    fields: dict[str, int]

    def add(self, caller: int, found: Found) -> None:
        """Append the callees of a call."""
        for callee, confidence, kind in found:
            self.caller.append(caller)
            self.callee.append(callee)
            self.confidence.append(confidence)
            self.kind.append(kind)


def no_calls() -> Calls:
    """Columns to add to."""
    return Calls(array("i"), array("i"), array("f"), array("B"), {})
