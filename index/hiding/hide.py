"""Hiding a target: where its body and the bodies of its clones are, and the view of the index without them."""

from __future__ import annotations

from index.cpp.declarators import last_name
from index.cpp.tokens import tokens
from index.errors import TaskError
from index.hiding.clone_runs import clone_runs
from index.hiding.clones import is_clone, normalised_name, similar_functions
from index.hiding.holes import Hole, body_hole, merged
from index.hiding.view import HiddenView
from index.store.reader import IndexReader
from index.values import Entry, Masking, Target


def hide(reader: IndexReader, target: Target, masking: Masking) -> HiddenView:
    """The index without the target's body, and in "strict" masking without its clones' bodies; see `HiddenView`.

    Raises TaskError when the target's file isn't indexed or its span lies outside the file.
    """
    data = _target_bytes(reader, target)
    bodies = [Hole(start, end) for start, end in reader.bodies_named(target.path, last_name(target.name))]
    hole = body_hole(data, target.span, bodies)
    clones = _clones(reader, target, data[hole.start : hole.end], hole)
    holes: dict[str, list[Hole]] = {target.path: [hole]}
    if masking == "strict":
        for clone in clones:
            holes.setdefault(clone.symbol.path, []).append(Hole(clone.body, clone.symbol.end_byte))
    return HiddenView(
        reader,
        target,
        masking,
        tuple(clone.symbol for clone in clones),
        {path: merged(found) for path, found in holes.items()},
    )


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


def _clones(reader: IndexReader, target: Target, body: bytes, hole: Hole) -> list[Entry]:
    body_tokens = len(tokens(body.decode("utf-8", "replace")))
    name = normalised_name(last_name(target.name))
    similar = {likeness.id: likeness for likeness in similar_functions(clone_runs(reader), body)}
    clones = []
    for entry in reader.entries_by_id(list(similar)):
        symbol = entry.symbol
        is_target = symbol.path == target.path and symbol.start_byte < hole.end and hole.start < symbol.end_byte
        same_name = normalised_name(symbol.name) == name
        if not is_target and is_clone(similar[entry.id], body_tokens=body_tokens, same_name=same_name):
            clones.append(entry)
    return clones
