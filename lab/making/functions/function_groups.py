"""Puts functions together that belong together by the call graph, for tasks of several functions."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from executor.tasks.task_row import LEVELS, TaskRow
from index.cpp.tokens import split_identifier
from index.repo_index import RepoIndex
from index.values import Entry, join_targets
from lab.making.functions.direct_calls import find_called_functions_and_level, list_callees_named_in_calls

# Words of names that undo each other.
_OPPOSITES = (
    "encode decode|push pop|get set|read write|open close|add remove|insert erase|insert remove"
    "|insert delete|create destroy|create free|init free|init destroy|alloc free|new free|new delete"
    "|start stop|begin end|lock unlock|save load|store load|serialize deserialize|pack unpack"
    "|compress decompress|compress uncompress|parse print|parse format|to from|next prev|next previous"
    "|incr decr|increment decrement|enable disable|attach detach|acquire release|encrypt decrypt"
    "|quote unquote|escape unescape|append prepend|link unlink|register unregister|subscribe unsubscribe"
    "|inflate deflate|freeze thaw|mark unmark|first last|head tail|min max|lower upper"
)
_PAIRS = frozenset(frozenset(pair.split()) for pair in _OPPOSITES.split("|"))
# How closely two functions belong together, the closest first: one is called by the other alone; their names undo each
# other in one file or class; they are methods of one class; one calls the other in its file, or in another.
_HELPER, _PAIR, _CLASS, _CALL, _FAR_CALL = range(5)
ClosenessRankAndFunctionNumber = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TaskCandidate:
    """A function that may become a task: its row, and its symbol in the index; of several functions that belong
    together the row has all, the one that calls the others first, and the symbol is the first's."""

    row: TaskRow
    entry: Entry


def group_functions(
    members: Sequence[TaskCandidate], index: RepoIndex, fewest_and_most: tuple[int, int]
) -> list[TaskCandidate]:
    """Groups of the `fewest_and_most` functions and of each size between, which come in turn; each function is in one
    group at most, and what belongs to none is left out. Equal calls give equal answers."""
    fewest, most = fewest_and_most
    by_id = {member.entry.id: member for member in members}
    related = RelatedFunctions(by_id, index)
    taken = set[int]()
    found: list[TaskCandidate] = []
    for number in by_id:
        if number in taken:
            continue
        wanted = fewest + len(found) % (most - fewest + 1)
        chosen = [number]
        while len(chosen) < wanted:
            nearest = related.find_nearest_related(chosen, taken)
            if nearest is None:
                break
            chosen.append(nearest)
        if len(chosen) < fewest:
            continue
        taken.update(chosen)
        in_order = sorted(chosen, key=lambda number: related.make_most_callees_first_key(number, chosen))
        found.append(make_group([by_id[number] for number in in_order], index))
    return found


class RelatedFunctions:
    """Which of the functions belong together. Those of two files do by a call, too, if the called one has at most
    `most_callers`: what the whole tree calls belongs to no theme."""

    def __init__(self, members: Mapping[int, TaskCandidate], index: RepoIndex, most_callers: int = 0) -> None:
        self._members, self._index, self._most_callers = members, index, most_callers
        self._found: dict[int, list[ClosenessRankAndFunctionNumber]] = {}
        self._calls: dict[int, list[int]] = {}
        self._places: dict[tuple[str, str], list[int]] = {}
        for number, member in members.items():
            self._calls[number] = list_callees_named_in_calls(number, index)
            symbol = member.entry.symbol
            scope = symbol.qualified_name.rpartition("::")[0]
            # Out of C's files and namespaces the file is the place; a class may be spread over two.
            self._places.setdefault(("" if scope else symbol.path, scope), []).append(number)
        self._callers = {number: set(map(int, index.graph.callers(number))) - {number} for number in members}

    def find_nearest_related(self, chosen: Sequence[int], barred: Container[int]) -> int | None:
        """The function that belongs most closely to one of the chosen and isn't barred, None where none does."""
        near = [
            (strength, _measure_distance(self._members[member].entry, self._members[other].entry), other)
            for member in chosen
            for strength, other in self.find_related(member)
            if other not in chosen and other not in barred
        ]
        return min(near)[2] if near else None

    def find_related(self, number: int) -> Sequence[ClosenessRankAndFunctionNumber]:
        """(how closely, which) for each function that belongs to this one."""
        if number not in self._found:
            self._found[number] = list(self._list_related(number))
        return self._found[number]

    def _list_related(self, number: int) -> Iterator[ClosenessRankAndFunctionNumber]:
        mine = self._members[number].entry.symbol
        pairs = [(number, other, other) for other in self._calls[number] if other in self._members]
        pairs += [(caller, number, caller) for caller in self._callers[number] & self._members.keys()]
        for caller, called, other in pairs:
            if self._callers[called] == {caller}:
                yield _HELPER, other
            elif self._members[other].entry.symbol.path == mine.path:
                yield _CALL, other
            elif len(self._callers[called]) <= self._most_callers:
                yield _FAR_CALL, other
        scope = mine.qualified_name.rpartition("::")[0]
        of_that_name = self._index.entries_named(scope.rpartition("::")[2]) if scope else ()
        is_class = any(entry.symbol.kind == "type" for entry in of_that_name)
        for other in self._places["" if scope else mine.path, scope]:
            if other != number:
                theirs = self._members[other].entry.symbol
                if _are_opposite_names(mine.name, theirs.name):
                    yield _PAIR, other
                elif is_class:
                    yield _CLASS, other

    def make_most_callees_first_key(self, number: int, among: Sequence[int]) -> tuple[int, str, int]:
        """The less, the more of the others the function calls."""
        symbol = self._members[number].entry.symbol
        return -sum(other in self._calls[number] for other in among), symbol.path, symbol.span.first


def _are_opposite_names(name: str, other: str) -> bool:
    """Whether two names differ in one word, and these words undo each other."""
    pairs = list(zip_longest(split_identifier(name), split_identifier(other), fillvalue=""))
    differing = [frozenset(pair) for pair in pairs if pair[0] != pair[1]]
    return len(differing) == 1 and differing[0] in _PAIRS


def _measure_distance(entry: Entry, other: Entry) -> tuple[bool, int, str]:
    """How far apart two functions stand: in other files, by lines, and the file's name for a fixed order."""
    a, b = entry.symbol, other.symbol
    return a.path != b.path, abs(a.span.first - b.span.first), b.path


def make_group(members: Sequence[TaskCandidate], index: RepoIndex) -> TaskCandidate:
    """The group as one row: all that its functions call beside each other is its oracle, the farthest its level."""
    first = members[0]
    if len(members) == 1:
        return first
    own = {member.entry.id for member in members}
    each = [find_called_functions_and_level(member.entry, index, own) for member in members]
    oracle = tuple(dict.fromkeys(item for items, _ in each for item in items))
    level = max((level for _, level in each), key=lambda level: LEVELS.index(level.value))
    number, target = f"{first.row.id}.{len(members)}", join_targets([member.row.target for member in members])
    return TaskCandidate(replace(first.row, id=number, oracle=oracle, level=level, target=target), first.entry)
