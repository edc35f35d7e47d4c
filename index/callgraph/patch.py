"""The call graph of an earlier state -> that of the index as it is, by resolving the few files again that can say
something else now.

Nothing is resolved by anything but names. So the files to resolve again are those that changed and those that hold
a name which means something else than before, or one that leads there: a macro whose text has it, a declaration
whose signature has it where it is a type. What isn't cheap that way (a header with other includes, another
operator, a class that half of the tree mentions) isn't patched.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from index.callgraph.graph import CallGraph, Ids, from_rows, load, save
from index.callgraph.halves import resolve_all
from index.callgraph.notes import Notes, assignments, load_notes, notes_of, save_notes
from index.callgraph.tables import AskedFor
from index.callgraph.tree import Columns, Part, graph_of, held_by, makers_of, resolve_files, size_of
from index.parallel import uncollected
from index.store.changes import Before, Symbol
from index.store.derived import keep, opened

if TYPE_CHECKING:
    from index.repo_index import RepoIndex, SourceFile

_KEPT = "graph"
MOST_NAMES = 200
MOST_FILES = 300
"""More than this, and making all anew takes as long."""
GONE = -2
_SYMBOLS = 'SELECT id, kind, file_id, name, qualified_name, start, "end", body, signature FROM symbols WHERE file_id=?'


def make_graph(index: RepoIndex, folder: Path) -> None:
    """Fill `folder` with the call graph of an index: patched where an earlier one is kept, else made anew."""
    kept = index.folder / _KEPT
    made = patched_graph(index, kept)
    if made is None:
        with uncollected():
            part = resolve_all(index)
        made = graph_of(part, size_of(index)), notes_of(part, index.state)
    save(made[0], folder)
    save_notes(made[1], folder)
    keep(folder, kept)


def patched_graph(index: RepoIndex, kept: Path) -> tuple[CallGraph, Notes] | None:
    """The graph of an index, made out of the one in `kept`; None where that can't be done or wouldn't pay."""
    found = opened(kept, lambda folder: (load(folder), load_notes(folder)))
    if found is None:
        return None
    graph, notes = found
    before = index.changed_since(notes.state)
    if before is None or len(before) > MOST_FILES:
        return None
    changes = _changes(index, before, notes)
    if changes is None or changes.names & makers_of(index).keys():
        return None
    words = _led_to(index, changes.names, changes.types)
    again = None if words is None else _files_with(index, words)
    if words is None or again is None:
        return None
    again |= {b.path for b in before}
    by_id = {f.id: f.path for f in index.files.values()}
    again |= {by_id[file] for file, name in notes.looked_up if name in words and file in by_id}
    return _resolved_again(index, graph, notes, changes.numbers, again)


class _Changes(NamedTuple):
    """Names that mean something else, those of them that are types, and each old symbol's id now: `GONE` for one
    that hasn't got a successor."""

    names: frozenset[str]
    types: frozenset[str]
    numbers: Ids


def _changes(index: RepoIndex, before: Sequence[Before], notes: Notes) -> _Changes | None:
    """None where the change reaches farther than names tell."""
    checksums = dict(zip(notes.macro.tolist(), notes.checksum.tolist(), strict=True))
    largest = max((s[0] for b in before for s in b.symbols), default=0)
    numbers = np.arange(max(size_of(index), largest + 1), dtype=np.int32)
    names: set[str] = set()
    types: set[str] = set()
    for was in before:
        file = index.files.get(was.path)
        if file is None or file.reason or was.file_id < 0:
            return None  # another set of files: any include may mean another one
        if list(was.includes) != list(index.include_lines(was.path)) and index.included_by(was.path):
            return None
        now: list[Symbol] = index.rows(f"{_SYMBOLS} ORDER BY id", (file.id,))
        data = index.read(was.path)
        new_sums = {s[0]: zlib.crc32(data[s[5] : s[6]]) for s in now if s[1] == "macro"}
        old, new = _by_name(was.symbols, checksums), _by_name(now, new_sums)
        for name in old.keys() | new.keys():
            ours, theirs = old.get(name, []), new.get(name, [])
            if [said for _, said in ours] == [said for _, said in theirs]:
                numbers[[i for i, _ in ours]] = [i for i, _ in theirs]
            else:
                numbers[[i for i, _ in ours]] = GONE
                names.add(name)
                types.update(name for _, (kind, *_) in (*ours, *theirs) if kind == "type")
        old_fields, new_fields = _fields(was.symbols), _fields(now)
        owners = {o for o in old_fields.keys() | new_fields.keys() if old_fields.get(o) != new_fields.get(o)}
        names |= owners
        types |= owners
    return _Changes(frozenset(names), frozenset(types), numbers)


_Said = tuple[str | int | bool, ...]


def _by_name(symbols: Iterable[Symbol], checksums: Mapping[int, int]) -> dict[str, list[tuple[int, _Said]]]:
    """By name, (id, all that resolution knows but the place) of each symbol, in order."""
    rows = list(symbols)
    bodies = [(s[7], s[6]) for s in rows if s[1] == "function" and s[7] >= 0]
    found: dict[str, list[tuple[int, _Said]]] = {}
    for number, kind, _, name, qualified, start, _, _, signature in rows:
        if kind != "enumerator":
            secret = kind == "macro" and any(a <= start < b for a, b in bodies)
            said = (kind, qualified, signature, checksums.get(number, -1), secret)
            found.setdefault(name, []).append((number, said))
    return found


def _fields(symbols: Iterable[Symbol]) -> dict[str, list[str]]:
    """The fields of each class in order."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for symbol in symbols:
        if symbol[1] == "field":
            found[symbol[4][: -len(symbol[3]) - 2].rsplit("::", 1)[-1]].append(symbol[3])
    return dict(found)


def _led_to(index: RepoIndex, names: Iterable[str], types: Iterable[str]) -> set[str] | None:
    """The names with those that they can be reached through: of a type, whatever is declared with it. None for too
    many, and for an operator, which no text names."""
    words = set(names)
    pending = [n for n in words if n in types or _is_type(index, n)]
    while pending:
        one = pending.pop()
        rows = index.rows(
            "SELECT DISTINCT name, kind FROM symbols WHERE (instr(signature, ?) OR instr(qualified_name, ?)) "
            "AND kind <> 'enumerator'",
            (one, f"{one}::"),
        )
        if len(rows) > MOST_NAMES:
            return None
        for name, kind in rows:
            if name not in words:
                words.add(name)
                if kind == "type":
                    pending.append(name)
        if len(words) > MOST_NAMES:
            return None
    return None if any(w.startswith("operator") or not w.isidentifier() for w in words) else words


def _is_type(index: RepoIndex, name: str) -> bool:
    return bool(index.rows("SELECT 1 FROM symbols WHERE name=? AND kind='type' LIMIT 1", (name,)))


def _files_with(index: RepoIndex, words: set[str]) -> set[str] | None:
    """The paths of the files whose text has one of the words, or of a macro whose text has one. None for many."""
    found: set[str] = set()
    texts: dict[str, bytes] = {}
    pending = sorted(words)
    while pending:
        if len(words) > MOST_NAMES:
            return None
        pattern = re.compile(rb"(?<!\w)(?:" + b"|".join(re.escape(w.encode()) for w in pending) + rb")(?!\w)")
        plain = [w.encode() for w in pending]
        pending = []
        for path, file in index.files.items():
            if file.reason:
                continue
            if path not in texts:
                texts[path] = index.read(path)
            data = texts[path]
            if any(w in data for w in plain) and pattern.search(data):
                found.add(path)
                for name, start, end in index.rows(
                    "SELECT name, start, \"end\" FROM symbols WHERE file_id=? AND kind='macro'", (file.id,)
                ):
                    if name not in words and pattern.search(data[start:end]):
                        words.add(name)
                        pending.append(name)
        if len(found) > MOST_FILES:
            return None
    return found


def _resolved_again(
    index: RepoIndex, graph: CallGraph, notes: Notes, numbers: Ids, again: set[str]
) -> tuple[CallGraph, Notes] | None:
    symbols = AskedFor(index)
    files = [f for path, f in index.files.items() if path in again and not f.reason]
    part = resolve_files(index, symbols, files)
    order = {f.id: place for place, f in enumerate(index.files.values())}
    done = {f.id for f in files}
    kept = [
        (file, a._replace(function=int(numbers[a.function]), witness=_number(numbers, a.witness)))
        for file, a in assignments(notes)
        if file in order and file not in done
    ]
    if any(GONE in (a.function, a.witness) for _, a in kept):
        return None
    assigned = sorted((*kept, *part.assigned), key=lambda pair: order[pair[0]])
    held = held_by(assigned)
    moved = _moved(numbers, notes, held)
    more = _callers_of(index, notes, numbers, moved) - again
    if more:
        return None if len(more) > MOST_FILES else _resolved_again(index, graph, notes, numbers, again | more)
    return _merged(index, graph, notes, numbers, files, part._replace(assigned=assigned))


def _number(numbers: Ids, number: int) -> int:
    return number if number < 0 else int(numbers[number])


def _moved(numbers: Ids, notes: Notes, held: Mapping[str, Mapping[tuple[int, int], None]]) -> set[int]:
    """The numbers of the fields that hold something else than before."""
    was = held_by(
        (file, a._replace(function=int(numbers[a.function]), witness=_number(numbers, a.witness)))
        for file, a in assignments(notes)
    )
    return {n for n, field in enumerate(notes.fields) if list(was.get(field, ())) != list(held.get(field, ()))}


def _callers_of(index: RepoIndex, notes: Notes, numbers: Ids, moved: set[int]) -> set[str]:
    """The files of the functions that call through one of these fields."""
    callers = numbers[notes.pointed[0][np.isin(notes.pointed[1], sorted(moved))]]
    return {e.symbol.path for e in index.entries_by_id(sorted({int(c) for c in callers if c >= 0}))}


def _merged(
    index: RepoIndex, graph: CallGraph, notes: Notes, numbers: Ids, files: Sequence[SourceFile], part: Part
) -> tuple[CallGraph, Notes] | None:
    """The old edges but those that start in the files, and the new ones."""
    size = size_of(index)
    dropped = np.zeros(max(len(numbers), size) + 1, dtype=bool)
    for file in files:
        (count,) = index.rows("SELECT symbols FROM files WHERE id=?", (file.id,))[0]
        dropped[file.first_symbol : file.first_symbol + count] = True
    caller = numbers[graph.caller]
    stays = ~dropped[caller] & (caller != GONE)
    callee, witness = numbers[graph.callee[stays]], np.array(graph.witness[stays])
    witness[witness >= 0] = numbers[witness[witness >= 0]]
    if (callee == GONE).any() or (witness == GONE).any():
        return None
    fresh = graph_of(part, size)
    columns = Columns(
        np.concatenate((caller[stays], fresh.caller)),
        np.concatenate((callee, fresh.callee)),
        np.concatenate((graph.confidence[stays], fresh.confidence)),
        np.concatenate((graph.kind[stays], fresh.kind)),
        np.concatenate((witness, fresh.witness)),
    )
    by_caller = np.argsort(columns.caller, kind="stable")
    caller, callee, confidence, kind, witness = columns
    merged = from_rows(
        *(caller[by_caller], callee[by_caller], confidence[by_caller], kind[by_caller], witness[by_caller]), size
    )
    return merged, _merged_notes(index, notes, numbers, (files, dropped), part)


def _merged_notes(
    index: RepoIndex,
    notes: Notes,
    numbers: Ids,
    files_dropped: tuple[Sequence[SourceFile], npt.NDArray[np.bool_]],
    part: Part,
) -> Notes:
    files, dropped = files_dropped
    fresh = notes_of(part, index.state)
    elsewhere = {f.id for f in index.files.values()} - {f.id for f in files}
    names = dict.fromkeys((*fresh.fields, *notes.fields))
    places = {name: place for place, name in enumerate(names)}
    renumbered = np.array([places[name] for name in notes.fields], dtype=np.int32)
    callers = numbers[notes.pointed[0]]
    stays = ~dropped[callers] & (callers != GONE)
    pointed_now = np.stack((callers[stays], renumbered[notes.pointed[1][stays]]))
    macros = numbers[notes.macro]
    macro_stays = ~dropped[macros] & (macros != GONE)
    return Notes(
        index.state,
        list(names),
        fresh.assigned,
        np.concatenate((pointed_now, fresh.pointed), axis=1),
        np.concatenate((macros[macro_stays], fresh.macro)),
        np.concatenate((notes.checksum[macro_stays], fresh.checksum)),
        [(file, name) for file, name in notes.looked_up if file in elsewhere] + list(fresh.looked_up),
    )
