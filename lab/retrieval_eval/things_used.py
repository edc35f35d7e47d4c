"""What else a gold body uses: types, macros and constants, globals. Used to score contexts, never shown.

By name, among the files that the target's file reaches by includes. A type counts when the body names it, or uses a
field that only one or two types of those files have. Names that more than `MOST_MEANINGS` symbols share are left out:
the text doesn't say which is meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from index.cpp.body_offset import find_body_offset
from index.cpp.declarators import unqualified_name
from index.cpp.tokens import tokenize
from index.repo_index import RepoIndex
from index.values import Symbol, SymbolKind, Target
from lab.retrieval_eval.figures import ShownCount, Used
from lab.retrieval_eval.true_callees import Truth
from retrieval.text.terms import split_words
from retrieval.values import Context, Snippet

MOST_MEANINGS = 3
MOST_OWNERS = 2

_GROUP: dict[SymbolKind, Used] = {
    SymbolKind.TYPE: "types",
    SymbolKind.MACRO: "macros",
    SymbolKind.ENUMERATOR: "macros",
    SymbolKind.GLOBAL: "globals",
}


class UsedThing(NamedTuple):
    """A thing that the gold uses: any of `symbols` in a context, with `word` in its text, shows it."""

    used: Used
    word: str
    symbols: tuple[Symbol, ...]


def list_things_used(gold: str, target: Target, truth: Truth, index: RepoIndex) -> list[UsedThing]:
    """The callees, then the types, macros and globals of a gold function text, each once."""
    out = [UsedThing("callees", unqualified_name(c.name), c.symbols) for c in truth.callees]
    start = find_body_offset(gold)
    body = tokenize(gold if start is None else gold[start:])
    reached = find_reachable_files(target.path, index)
    callees = {unqualified_name(c.name) for c in truth.callees}
    for name in dict.fromkeys(t for t in body if _is_word(t) and t not in callees):
        for used, symbols in _find_meanings(name, reached, target, index).items():
            out.append(UsedThing(used, name, symbols))
    named = {s.qualified_name for thing in out if thing.used == "types" for s in thing.symbols}
    for name in dict.fromkeys(_find_used_fields(body)):
        owners = _find_field_owners(name, reached, index)
        if owners and not {s.qualified_name for s in owners} & named:
            named |= {s.qualified_name for s in owners}
            out.append(UsedThing("types", name, owners))
    return out


def count_shown_things(context: Context, wanted: Sequence[UsedThing]) -> list[ShownCount]:
    """How many of `wanted` a packed context shows, by kind of use."""
    by_path: dict[str, list[tuple[Snippet, frozenset[str]]]] = {}
    for snippet in context.snippets:
        if snippet.span is not None:
            by_path.setdefault(snippet.path, []).append((snippet, frozenset(split_words(snippet.text))))
    found: Counter[Used] = Counter()
    total: Counter[Used] = Counter()
    for thing in wanted:
        total[thing.used] += 1
        found[thing.used] += any(
            _covers_symbol(snippet, symbol) and (thing.word in there or not _is_word(thing.word))
            for symbol in thing.symbols
            for snippet, there in by_path.get(symbol.path, ())
        )
    return [ShownCount(context.budget, used, found[used], total[used]) for used in total]


def find_reachable_files(path: str, index: RepoIndex) -> frozenset[str]:
    """The file and all that it includes, directly or not."""
    seen = {path}
    edge: list[str] = [path]
    while edge:
        edge = [p for file in edge for p in index.includes(file) if p not in seen]
        seen.update(edge)
    return frozenset(seen)


def _covers_symbol(snippet: Snippet, symbol: Symbol) -> bool:
    span = snippet.span
    return span is not None and span.first <= symbol.span.first and symbol.span.last <= span.last


def _find_meanings(
    name: str, reached: Collection[str], target: Target, index: RepoIndex
) -> dict[Used, tuple[Symbol, ...]]:
    found: dict[Used, list[Symbol]] = {}
    for entry in index.entries_named(name):
        symbol = entry.symbol
        used = _GROUP.get(symbol.kind)
        inside = symbol.path == target.path and target.span.first <= symbol.span.first <= target.span.last
        if used is not None and symbol.path in reached and not inside:
            found.setdefault(used, []).append(symbol)
    return {used: tuple(some) for used, some in found.items() if len(some) <= MOST_MEANINGS}


def _find_field_owners(name: str, reached: Collection[str], index: RepoIndex) -> tuple[Symbol, ...]:
    """The types among `reached` that have a field `name`, when they are few enough to tell."""
    owners = {
        (e.symbol.path, e.symbol.qualified_name.rpartition("::")[0])
        for e in index.entries_named(name)
        if e.symbol.kind is SymbolKind.FIELD and e.symbol.path in reached
    }
    if not 1 <= len(owners) <= MOST_OWNERS:
        return ()
    types = [
        e.symbol
        for path, owner in sorted(owners)
        for e in index.entries_named(owner.rpartition("::")[2])
        if e.symbol.kind is SymbolKind.TYPE and e.symbol.path == path and e.symbol.qualified_name == owner
    ]
    return tuple(types)


def _find_used_fields(body: Sequence[str]) -> Iterable[str]:
    for at in range(1, len(body)):
        if body[at - 1] in (".", "->") and _is_word(body[at]) and body[at + 1 : at + 2] != ["("]:
            yield body[at]


def _is_word(token: str) -> bool:
    return token[:1].isalpha() or token[:1] == "_"
