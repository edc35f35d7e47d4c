"""Hiding a target: where its body and the bodies of its twins are, and the view of the index without them."""

from __future__ import annotations

from index.cpp.declarators import last_name
from index.errors import TaskError
from index.hiding.holes import Hole, body_hole, merged
from index.hiding.twins import twins
from index.hiding.view import HiddenView
from index.store.reader import IndexReader
from index.values import Masking, Target


def hide(reader: IndexReader, target: Target, masking: Masking) -> HiddenView:
    """The index without the target's body, and in "strict" masking without its twins' bodies; see `HiddenView`.

    Raises TaskError when the target's file isn't indexed or its span lies outside the file.
    """
    data = _target_bytes(reader, target)
    bodies = [Hole(start, end) for start, end in reader.bodies_named(target.path, last_name(target.name))]
    hole = body_hole(data, target.span, bodies)
    found = twins(reader, target, data[hole.start : hole.end], hole)
    holes: dict[str, list[Hole]] = {target.path: [hole]}
    if masking == "strict":
        for twin in found:
            holes.setdefault(twin.symbol.path, []).append(twin.hole)
    return HiddenView(reader, target, masking, found, {path: merged(cuts) for path, cuts in holes.items()})


def _target_bytes(reader: IndexReader, target: Target) -> bytes:
    file = reader.files.get(target.path)
    if file is None:
        raise TaskError(f"{target.repo}: {target.path} is not in the index of {reader.root}")
    if file.reason:
        raise TaskError(f"{target.repo}: {target.path} was skipped by the index: {file.reason}")
    data = reader.read(target.path)
    lines = data.count(b"\n") + 1
    if not 1 <= target.span.first <= target.span.last <= lines:
        span = f"{target.span.first}-{target.span.last}"
        raise TaskError(f"{target.repo}: {target.path} has {lines} lines, the target's span is {span}")
    return data
