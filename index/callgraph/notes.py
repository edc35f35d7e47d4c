"""What is kept beside a call graph so that the next state of the index can patch it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.callgraph.graph import Ids
from index.callgraph.resolution.pointers import Assigned
from index.callgraph.tree import Part

_FILE = "notes.npz"


class Notes(NamedTuple):
    """`state` is the key of the index's state that the graph is of. `assigned` are the assignments to fields, by
    file and place; `pointed` the (caller, number in `fields`) of calls through fields; `macro` and `checksum` tell
    what the tree's macros said."""

    state: str
    fields: Sequence[str]
    assigned: npt.NDArray[np.int32]
    """Rows of file, number in `fields`, function, witness."""
    pointed: npt.NDArray[np.int32]
    macro: Ids
    checksum: npt.NDArray[np.uint32]
    looked_up: Sequence[tuple[int, str]]
    """(file, name) of names that a file looks up and its text needn't have."""


def notes_of(part: Part, state: str) -> Notes:
    """The notes of a part that is the whole tree."""
    fields = list(part.fields)
    numbers = {field: number for number, field in enumerate(fields)}
    assigned = []
    for file, (field, function, witness) in part.assigned:
        number = numbers.setdefault(field, len(numbers))
        assigned.append((file, number, function, witness))
    through = part.callee < 0
    return Notes(
        state,
        list(numbers),
        np.array(assigned, dtype=np.int32).reshape(-1, 4),
        np.stack((part.caller[through], -1 - part.callee[through])).astype(np.int32),
        np.array([i for i, _ in part.macros], dtype=np.int32),
        np.array([c for _, c in part.macros], dtype=np.uint32),
        list(part.looked_up),
    )


def assignments(notes: Notes) -> list[tuple[int, Assigned]]:
    """The assignments as resolution gives them."""
    fields = notes.fields
    return [(file, Assigned(fields[n], function, witness)) for file, n, function, witness in notes.assigned.tolist()]


def save_notes(notes: Notes, folder: Path) -> None:
    """Write them beside the graph's columns."""
    text = "\0".join((notes.state, *notes.fields)).encode()
    looked_up = json.dumps(notes.looked_up).encode()
    np.savez(
        folder / _FILE,
        text=np.frombuffer(text, dtype=np.uint8),
        looked_up=np.frombuffer(looked_up, dtype=np.uint8),
        assigned=notes.assigned,
        pointed=notes.pointed,
        macro=notes.macro,
        checksum=notes.checksum,
    )


def load_notes(folder: Path) -> Notes:
    """What `save_notes` wrote. Raises OSError, ValueError or KeyError when it is missing or damaged."""
    with np.load(folder / _FILE) as stored:
        state, *fields = stored["text"].tobytes().decode().split("\0")
        looked_up = [(file, name) for file, name in json.loads(stored["looked_up"].tobytes())]
        assigned, pointed, macro, checksum = (stored[n] for n in ("assigned", "pointed", "macro", "checksum"))
        return Notes(state, fields, assigned, pointed, macro, checksum, looked_up)
