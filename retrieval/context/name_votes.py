"""What the visible functions that resemble the missing body name: for each name, which share of them names it.

A function tells what the body names when it stands near, has a like name, calls the target, is likely called by it, or
calls what the target likely calls. Only the view's own texts are read, so nothing has to be built beforehand or taken
back: the target's body and its twins are in no text.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from index.cpp.tokens import remove_comments, split_identifier
from index.hiding.hidden_view import HiddenView
from index.values import Symbol, SymbolKind, Target
from retrieval.values import Hit, symbol_place

Channel = Literal["near", "alike", "file", "callees", "cousins", "callers", "beside"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)

MOST_VOTERS_IN_FILE = 32
"""Functions of the file whose bodies are read: the nearest, and those with the likest names."""
FUNCTIONS_OF_NEAR_DECAY = 4.0
"""Functions between two functions at which the vote has lost two thirds of its weight."""
MOST_LIKELY_CALLEES = 12
"""The first hits of the retriever, whose bodies and callers are read."""
RANK_OF_HALF_WEIGHT = 4.0
"""The rank at which a hit's vote has lost half of its weight."""
MOST_COUSINS = 24
"""Callers of those hits that are read: those that call most of them."""
MOST_CALLERS_OF_CALLEE = 60
"""A function with more callers is everybody's tool: who else calls it says nothing of the target."""
MOST_CALLERS_OF_TARGET = 6
MOST_EXCHANGED_WORDS = 2
"""Words by which the names of two functions may differ, on each side, to have corresponding bodies."""

_WORD = re.compile(r"[^\W\d]\w*")
_FIELD = re.compile(r"(?:\.|->)\s*([^\W\d]\w*)(?!\s*\(|\w)")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


class Voter(NamedTuple):
    symbol: Symbol
    weight: float


class Votes(NamedTuple):
    """`shares`: channel -> name -> the share of that channel's functions, by weight, that name it; for `beside` the
    share of lines that name one of the retriever's first hits. `fields`: the same for names behind `.` and `->`.
    `renamed`: what names in functions with like names become when the function's name turns into the target's, each
    with how like the function's name is; there may be no such name."""

    shares: Mapping[Channel, Mapping[str, float]]
    fields: Mapping[Channel, Mapping[str, float]]
    renamed: Mapping[str, float]


def count_name_votes(view: HiddenView, target: Target, hits: Sequence[Hit]) -> Votes:
    """What the functions around the target name, those around the retriever's `hits` among them."""
    called = [hit.symbol for hit in hits if hit.symbol.kind is SymbolKind.FUNCTION][:MOST_LIKELY_CALLEES]
    siblings = [s for s in view.symbols_in_file(target.path) if s.kind is SymbolKind.FUNCTION]
    voters: dict[Channel, Sequence[Voter]] = {
        **_choose_voters_in_file(siblings, target),
        "callees": [Voter(symbol, _weigh_by_rank(rank)) for rank, symbol in enumerate(called)],
        "cousins": _find_callers_of_likely_callees(view, called),
        "callers": [Voter(symbol, 1.0) for symbol in view.callers_of_target()[:MOST_CALLERS_OF_TARGET]],
    }
    names = {symbol.name: _weigh_by_rank(rank) for rank, symbol in reversed(list(enumerate(called)))}
    read: dict[tuple[str, int], _NamesInBody] = {}
    shares: dict[Channel, Mapping[str, float]] = {}
    fields: dict[Channel, Mapping[str, float]] = {}
    lines: list[tuple[frozenset[str], float]] = []
    for channel, several in voters.items():
        bodies = []
        for symbol, weight in several:
            place = symbol_place(symbol)
            if place not in read:
                read[place] = _read_names_in_body(view.text(symbol), names)
                lines += read[place].beside if channel != "callees" else ()
            bodies.append((read[place], weight))
        shares[channel] = _share_votes((body.words, weight) for body, weight in bodies)
        fields[channel] = _share_votes((body.fields, weight) for body, weight in bodies)
    shares["beside"] = _share_votes(lines)
    renamed: dict[str, float] = {}
    for symbol, weight in voters["alike"]:
        for name in rename_like_sibling(
            symbol.name, target.name.rpartition("::")[2], read[symbol_place(symbol)].words
        ):
            renamed[name] = max(weight, renamed.get(name, 0.0))
    return Votes(shares, fields, renamed)


def rename_like_sibling(sibling: str, target: str, names: Iterable[str]) -> list[str]:
    """What names become when the function's name `sibling` turns into `target`: where `set_kdf_type` names
    `CTRL_KDF_TYPE`, `set_kdf_md` may name `CTRL_KDF_MD`. Only what stands between the names' common beginning and end
    is exchanged."""
    old, new = split_identifier(sibling), split_identifier(target)
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    if not old or not new or len(old) > MOST_EXCHANGED_WORDS or len(new) > MOST_EXCHANGED_WORDS:
        return []
    place = re.compile("_?".join(map(re.escape, old)), re.IGNORECASE)
    found = []
    for name in names:
        match = place.search(name)
        if match and old[0] in split_identifier(name):
            before = match[0]
            if before.isupper():
                after = "_".join(new).upper()
            elif before.islower():
                after = "_".join(new)
            else:
                after = "".join(part.capitalize() for part in new)
            found.append(name[: match.start()] + after + name[match.end() :])
    return found


def _share_votes(votes: Iterable[tuple[Iterable[str], float]]) -> Mapping[str, float]:
    """For each name the share of the weights that stand beside it."""
    counts: dict[str, float] = {}
    total = 0.0
    for names, weight in votes:
        total += weight
        for name in names:
            counts[name] = counts.get(name, 0.0) + weight
    # Less than one whole function is little evidence: its share is no more than its weight.
    return {name: count / max(total, 1.0) for name, count in counts.items()}


class _NamesInBody(NamedTuple):
    """The names in a function's text, those of fields among them, and for each of its lines that names a hit the
    names there and the hit's weight."""

    words: frozenset[str]
    fields: frozenset[str]
    beside: Sequence[tuple[frozenset[str], float]]


def _read_names_in_body(text: str, names: Mapping[str, float]) -> _NamesInBody:
    code = _STRING.sub(" ", remove_comments(text))
    lines = [frozenset(_WORD.findall(line)) for line in code.split("\n")]
    # The first line is the signature: it names the function itself.
    beside = [(line, max(names[n] for n in line & names.keys())) for line in lines[1:] if not line.isdisjoint(names)]
    return _NamesInBody(frozenset().union(*lines), frozenset(_FIELD.findall(code)), beside)


def _choose_voters_in_file(siblings: Sequence[Symbol], target: Target) -> dict[Channel, Sequence[Voter]]:
    here = sum(1 for s in siblings if s.span.first < target.span.first)
    wanted = frozenset(split_identifier(target.name.rpartition("::")[2]))
    near = [
        Voter(s, math.exp(-_count_functions_between(at, here) / FUNCTIONS_OF_NEAR_DECAY))
        for at, s in enumerate(siblings)
    ]
    alike = [Voter(s, _measure_name_likeness(s, wanted)) for s in siblings]
    nearest = sorted(near, key=lambda voter: -voter.weight)[:MOST_VOTERS_IN_FILE]
    return {
        "near": nearest,
        "alike": sorted((voter for voter in alike if voter.weight), key=lambda voter: -voter.weight)[
            :MOST_VOTERS_IN_FILE
        ],
        "file": [Voter(voter.symbol, 1.0) for voter in nearest],
    }


def _count_functions_between(at: int, here: int) -> int:
    # The first function below the hole stands next to it, as the last one above does.
    return here - at - 1 if at < here else at - here


def _measure_name_likeness(symbol: Symbol, wanted: Collection[str]) -> float:
    own = set(split_identifier(symbol.name))
    return len(own.intersection(wanted)) / max(1, len(own.union(wanted)))


def _find_callers_of_likely_callees(view: HiddenView, called: Sequence[Symbol]) -> list[Voter]:
    """The functions that call most of what the target likely calls."""
    weights: Counter[tuple[str, int]] = Counter()
    symbols: dict[tuple[str, int], Symbol] = {}
    for rank, symbol in enumerate(called):
        callers = view.callers(symbol, most=MOST_CALLERS_OF_CALLEE)
        for caller in callers:
            symbols[symbol_place(caller)] = caller
            # A function that few others call says more of those who do.
            weights[symbol_place(caller)] += _weigh_by_rank(rank) / math.log2(2 + len(callers))  # type: ignore[assignment]
    best = sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:MOST_COUSINS]
    return [Voter(symbols[key], weight) for key, weight in best]


def _weigh_by_rank(rank: int) -> float:
    return RANK_OF_HALF_WEIGHT / (RANK_OF_HALF_WEIGHT + rank)
