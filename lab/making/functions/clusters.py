"""Grows clusters of functions that belong together, around an entry function: the themes of hard tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lab.making.functions.choose_functions import NO_COMMENT
from lab.making.functions.function_groups import RelatedFunctions, TaskCandidate

# A theme may lose as many functions as it keeps: so many that belong to it let one of MOST functions be hoped for.
_SPARE = 2


def order_cluster_seeds(
    members: Mapping[int, TaskCandidate], related: RelatedFunctions, lines: tuple[int, int], most: int
) -> list[int]:
    """The functions of so many lines that a theme may begin with, in the order of `members`: first those with
    functions enough around them for a cluster of `most`, of these the commented ones."""

    def rank_entry(number: int) -> tuple[int, bool]:
        near = len(_list_functions_around(number, related, _SPARE * most))
        return -near, members[number].row.target.docstring == NO_COMMENT

    fitting = [n for n, m in members.items() if lines[0] <= m.row.span.last - m.row.span.first + 1 <= lines[1]]
    return sorted(fitting, key=rank_entry)


def _list_functions_around(number: int, related: RelatedFunctions, most: int) -> list[int]:
    found = [number]
    for member in found:
        found += dict.fromkeys(other for _, other in related.find_related(member) if other not in found)
        if len(found) >= most:
            break
    return found[:most]


def grow_cluster(entry: int, related: RelatedFunctions, take: Callable[[int], bool], most: int) -> Sequence[int]:
    """The entry and the functions that join it, at most `most`, in the order in which they join: always the one that
    belongs most closely to one that is there. `take` says whether a function may join, and is asked for few: its
    answer may be dear. Its first functions are a cluster themselves, however many of them are looked at."""
    chosen, refused = [entry], set[int]()
    while len(chosen) < most and len(refused) <= _SPARE * most:
        nearest = related.find_nearest(chosen, refused)
        if nearest is None:
            break
        if take(nearest):
            chosen.append(nearest)
        else:
            refused.add(nearest)
    return chosen
