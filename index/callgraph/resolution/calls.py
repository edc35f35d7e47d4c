"""A call on its way to the graph: what is resolved, what the resolution gives, and the edges found so far."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import NamedTuple

IN_SCOPE_CONFIDENCE = 0.95
"""Confidence in one candidate, found where the language would look."""
NAME_ONLY_CONFIDENCE = 0.7
"""Confidence in one candidate, found by its name alone."""
ALTERNATIVE_CONFIDENCE = 0.5
"""Confidence in one of several definitions that never meet in one program."""
NEARER_PATH_BONUS = 0.1
"""Added for the alternative whose path has more in common with the caller's."""
FIELD_CALL_CONFIDENCE = 0.45
"""Confidence in a call through a field, shared by all functions that the field is assigned anywhere."""
MOST_FIELD_FUNCTIONS = 64
"""With more functions than this, a call through a field says nothing."""
MOST_CANDIDATES = 4
"""With more candidates than this, a name says nothing."""

Callees = tuple[tuple[int, float, int], ...]
"""(callee, confidence, kind of edge) of one call."""


class ResolvedCall(NamedTuple):
    """The callees of a call. `by_name` says that the types of its arguments played no part: the same words mean the
    same everywhere in the function."""

    callees: Callees
    by_name: bool = True


NO_CALLEES = ResolvedCall(())


class Call(NamedTuple):
    """A call site; `end` is where its name ends in the caller's text, -1 for a call that isn't in that text."""

    name: str
    receiver: str
    arity: int
    form: int
    end: int


Key = tuple[int | str | bool, ...]
"""What identifies the candidates of a call: form, name, class or scope, whether const, number of arguments."""


class FieldAssignment(NamedTuple):
    """A field is assigned a function, in the body of the function `witness`, or -1 outside functions."""

    field: str
    function: int
    witness: int


@dataclass(slots=True)
class PartialGraph:
    """The edges that start in some files as columns, in order of each caller's calls. A `callee` below 0 is -1 - k: a
    call through the field `fields[k]`. `assigned` are (file id, what the file assigns to a field)."""

    caller: array[int] = field(default_factory=lambda: array("i"))
    callee: array[int] = field(default_factory=lambda: array("i"))
    confidence: array[float] = field(default_factory=lambda: array("f"))
    kind: array[int] = field(default_factory=lambda: array("B"))
    fields: dict[str, int] = field(default_factory=dict)
    assigned: list[tuple[int, FieldAssignment]] = field(default_factory=list)

    def add_edges(self, caller: int, callees: Callees) -> None:
        for callee, confidence, kind in callees:
            self.caller.append(caller)
            self.callee.append(callee)
            self.confidence.append(confidence)
            self.kind.append(kind)
