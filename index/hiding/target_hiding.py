"""Hiding a target: where its bodies and the bodies of their twins are, and the view of the index without them."""

from __future__ import annotations

from index.cpp.declarators import unqualified_name
from index.errors import TaskError
from index.hiding.copies import find_copies
from index.hiding.hidden_view import HiddenView
from index.hiding.holes import Hole, find_body_hole, has_overlapping_hole, merge_overlapping_holes
from index.hiding.twins import Twin, find_functions_revealing_body
from index.store.reader import IndexReader
from index.values import Masking, Symbol, Target


def hide_target(reader: IndexReader, target: Target, masking: Masking) -> HiddenView:
    """The index without the bodies of the target's functions, and in "strict" masking without their twins' bodies and
    the other copies of their text; see `HiddenView`.

    Raises TaskError when a function's file isn't indexed or its span lies outside the file.
    """
    own = [(hole, find_target_body(reader, hole)) for hole in target.holes]
    holes: dict[str, list[Hole]] = {}
    for asked, body in own:
        holes.setdefault(asked.path, []).append(body)
    found: dict[Symbol, Twin] = {}
    for asked, body in own:
        for twin in find_functions_revealing_body(reader, asked, _read_hole(reader, asked, body), body):
            # One function of a task may be the twin of another: it is hidden in any case.
            if not has_overlapping_hole(twin.hole.start, twin.hole.end, holes.get(twin.symbol.path, ())):
                found.setdefault(twin.symbol, twin)
    hidden = {path: list(cuts) for path, cuts in holes.items()}
    for twin in found.values():
        hidden.setdefault(twin.symbol.path, []).append(twin.hole)
    copies = find_copies(reader, [_read_hole(reader, asked, body) for asked, body in own], hidden)
    for copy in copies:
        hidden.setdefault(copy.path, []).append(copy.hole)
        if copy.function is not None:
            symbol = copy.function.symbol
            found.setdefault(symbol, Twin(symbol, copy.function.body, copy.share, "copy"))
    twins = tuple(sorted(found.values(), key=lambda twin: (twin.symbol.path, twin.symbol.start_byte)))
    others = tuple(copy for copy in copies if copy.function is None)
    shown = {path: merge_overlapping_holes(cuts) for path, cuts in (hidden if masking == "strict" else holes).items()}
    return HiddenView(reader, target, masking, twins, shown, others)


def _read_hole(reader: IndexReader, target: Target, hole: Hole) -> bytes:
    return reader.read_file(target.path)[hole.start : hole.end]


def find_target_body(reader: IndexReader, target: Target) -> Hole:
    """Where the body of a target of one function is. Raises TaskError as `hide_target`."""
    data = _read_target_file(reader, target)
    bodies = [Hole(start, end) for start, end in reader.bodies_named(target.path, unqualified_name(target.name))]
    return find_body_hole(data, target.span, bodies)


def _read_target_file(reader: IndexReader, target: Target) -> bytes:
    file = reader.files.get(target.path)
    if file is None:
        raise TaskError(f"{target.repo}: {target.path} is not in the index of {reader.root}")
    if file.reason:
        raise TaskError(f"{target.repo}: {target.path} was skipped by the index: {file.reason}")
    data = reader.read_file(target.path)
    lines = data.count(b"\n") + 1
    if not 1 <= target.span.first <= target.span.last <= lines:
        span = f"{target.span.first}-{target.span.last}"
        raise TaskError(f"{target.repo}: {target.path} has {lines} lines, the target's span is {span}")
    return data
