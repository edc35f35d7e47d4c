"""The types, macros, constants and variables that the missing body may name, each with what speaks for it.

A candidate is named by a function that resembles the target, by the target's signature or docstring, by a type of the
signature, or by the signature of a function that the target likely calls; or it stands in the target's file.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from index.cpp.tokens import remove_comments, split_identifier
from index.hiding.hidden_view import HiddenView
from index.values import Symbol, SymbolKind, Target
from retrieval.context.name_votes import CHANNELS, Votes, count_name_votes
from retrieval.context.needed_symbols import find_needed_symbols
from retrieval.test_code import is_test_code
from retrieval.text.draft_lookup import find_identifiers
from retrieval.text.nearness import ELSEWHERE, MOST_TYPES_WITH_FIELD, TYPES, Nearness
from retrieval.text.terms import split_words, weigh_query_terms
from retrieval.values import Hit

MOST_NAMES_LOOKED_UP = 300
"""Names looked up, those with the most votes first."""
MOST_HITS_READ_FOR_TYPES = 30
"""Hits whose signatures are read for types."""
MOST_FIELD_NAMES = 60
"""Names of fields that lead to the types that have them."""
MOST_FILES_COMPARED = 30
"""Files, the nearest first, whose names are compared with the target's words."""
MOST_NAMES_WITH_WORDS = 60
"""Names that are taken for their words: those that share the rarest."""

CONTEXT_KINDS = frozenset({SymbolKind.TYPE, SymbolKind.MACRO, SymbolKind.ENUMERATOR, SymbolKind.GLOBAL})
_ENUMERATORS = frozenset({SymbolKind.ENUMERATOR})
_STEM_LETTERS = 5
"""Letters by which two words are the same: `fails` and `failure`."""

Key = tuple[str, int, SymbolKind]


class ContextCandidate(NamedTuple):
    """`evidence`: what speaks for it, each from 0 to 1."""

    symbol: Symbol
    evidence: Mapping[str, float]


def gather_candidates(view: HiddenView, target: Target, hits: Sequence[Hit] = ()) -> list[ContextCandidate]:
    """All candidates, in no order that means anything. `hits` are functions that the target likely calls."""
    found = _CandidateCollection(view)
    cast = count_name_votes(view, target, hits)
    wanted = frozenset(cut_to_stem(term) for term in weigh_query_terms(target) if "_" not in term)
    totals: Counter[str] = Counter()
    for share in cast.shares.values():
        totals.update(share)
    for word, _ in sorted(totals.items(), key=lambda item: (-item[1], item[0]))[:MOST_NAMES_LOOKED_UP]:
        for symbol in found.find_symbols(word):
            for channel in CHANNELS:
                found.add_evidence(symbol, channel, cast.shares[channel].get(word, 0.0))
    for word, value in sorted(cast.renamed.items()):
        found.add_named([word], "renamed", value)
    for word in split_words(target.docstring):
        if "_" in word or not (word.islower() or word.istitle()):
            found.add_named([word], "in_doc", 1.0)
    for symbol in view.symbols_in_file(target.path):
        if symbol.kind in CONTEXT_KINDS:
            found.add_evidence(symbol, "in_file", 1.0)
    needed = find_needed_symbols(view, target)
    for hit in needed:
        found.add_evidence(hit.symbol, "needed", hit.score)
        found.add_named(
            find_identifiers(remove_comments(view.text(hit.symbol))), "of_field", hit.score, but=hit.symbol
        )
    called = [hit.symbol for hit in hits if hit.symbol.kind is SymbolKind.FUNCTION][:MOST_HITS_READ_FOR_TYPES]
    for rank, function in enumerate(called):
        found.add_named(find_identifiers(function.signature), "passed", 1 / (1 + rank / 4), TYPES)
    _add_constants_of_enums(view, found)
    _add_types_of_used_fields(found, cast)
    for symbol in _find_symbols_with_words(view, found.nearness, wanted):
        found.add_evidence(symbol, "in_reach", 1.0)
    for symbol, evidence in list(found.iterate_evidence()):
        if symbol.kind is SymbolKind.GLOBAL:
            used = max(evidence.get(channel, 0.0) for channel in CHANNELS)
            found.add_named(find_identifiers(symbol.signature), "of_global", used, TYPES)
    types = {hit.symbol.name for hit in needed}
    name = frozenset(cut_to_stem(part) for part in split_identifier(target.name.rpartition("::")[2]))
    return found.finish_candidates(types, wanted, name)


def cut_to_stem(word: str) -> str:
    return word[:_STEM_LETTERS]


def _add_types_of_used_fields(found: _CandidateCollection, cast: Votes) -> None:
    """The types whose fields the functions around the target use."""
    used: dict[str, float] = {}
    for share in cast.fields.values():
        for name, value in share.items():
            used[name] = max(value, used.get(name, 0.0))
    for name, value in sorted(used.items(), key=lambda item: (-item[1], item[0]))[:MOST_FIELD_NAMES]:
        for symbol in found.nearness.find_types_with_field(name, MOST_TYPES_WITH_FIELD + 1):
            found.add_evidence(symbol, "by_field", value)


def _find_symbols_with_words(view: HiddenView, nearness: Nearness, wanted: frozenset[str]) -> list[Symbol]:
    """What the target's file and its includes have whose names share words with the target."""
    if not wanted:
        return []
    any_word = re.compile("|".join(sorted(map(re.escape, wanted))))
    found = [
        symbol
        for path in nearness.list_included_files()[:MOST_FILES_COMPARED]
        for symbol in view.symbols_matching(
            path, CONTEXT_KINDS, lambda name: any_word.search(name.lower()) is not None
        )
    ]
    shared = [wanted.intersection({cut_to_stem(part) for part in split_identifier(symbol.name)}) for symbol in found]
    common = Counter(part for parts in shared for part in parts)
    weights = [sum(1 / common[part] for part in parts) for parts in shared]
    best = sorted((-weight, at) for at, weight in enumerate(weights) if weight)[:MOST_NAMES_WITH_WORDS]
    return [found[at] for _, at in best]


def _add_constants_of_enums(view: HiddenView, found: _CandidateCollection) -> None:
    """The constants of each enum among the types that the signature or the hits' signatures name."""
    for symbol, evidence in list(found.iterate_evidence()):
        speaks = max(evidence.get(name, 0.0) for name in ("needed", "of_field", "passed"))
        if symbol.kind is SymbolKind.TYPE and speaks:
            text = remove_comments(view.text(symbol))
            if "enum" in text.split("{")[0].split():
                found.add_named(find_identifiers(text), "of_enum", speaks, _ENUMERATORS)


class _CandidateCollection:
    """Candidates as they are found: each symbol once, with the strongest evidence of each kind."""

    def __init__(self, view: HiddenView) -> None:
        self.nearness = Nearness(view)
        self._in_tests = is_test_code(view.target.path)
        self._known: dict[str, list[Symbol]] = {}
        self._symbols: dict[Key, Symbol] = {}
        self._evidence: dict[Key, dict[str, float]] = {}

    def find_symbols(self, word: str) -> list[Symbol]:
        """What the name most likely means at the hole."""
        if word not in self._known:
            self._known[word] = self.nearness.find_nearest_symbols(word, CONTEXT_KINDS, 1)
        return self._known[word]

    def add_evidence(self, symbol: Symbol, name: str, value: float) -> None:
        # A test's own macros are no part of an answer, and hold their names as text.
        if value > 0 and (self._in_tests or not is_test_code(symbol.path)):
            key = (symbol.path, symbol.start_byte, symbol.kind)
            self._symbols[key] = symbol
            evidence = self._evidence.setdefault(key, {})
            evidence[name] = max(value, evidence.get(name, 0.0))

    def add_named(
        self,
        words: Iterable[str],
        name: str,
        value: float,
        kinds: frozenset[SymbolKind] = CONTEXT_KINDS,
        but: Symbol | None = None,
    ) -> None:
        """Add the evidence to what each of the words most likely means, where it is of these kinds."""
        for word in dict.fromkeys(words) if value > 0 else ():
            for symbol in self.find_symbols(word):
                if symbol.kind in kinds and symbol != but:
                    self.add_evidence(symbol, name, value)

    def iterate_evidence(self) -> Iterable[tuple[Symbol, Mapping[str, float]]]:
        return ((self._symbols[key], evidence) for key, evidence in self._evidence.items())

    def finish_candidates(
        self, types: Collection[str], wanted: frozenset[str], name: frozenset[str]
    ) -> list[ContextCandidate]:
        """With what can be said of each beside the others: words, family, place. `name`: the words of the target's."""
        parts = {key: {cut_to_stem(part) for part in split_identifier(s.name)} for key, s in self._symbols.items()}
        common = Counter(part for own in parts.values() for part in own)
        rarity = {part: math.log(1 + len(parts) / count) for part, count in common.items()}
        families: dict[str, list[tuple[float, Key]]] = {}
        for key, symbol in self._symbols.items():
            family = _find_family_name(symbol)
            if family:
                near = max(self._evidence[key].get(name, 0.0) for name in CHANNELS)
                families.setdefault(family, []).append((near, key))
        out = []
        for key, symbol in self._symbols.items():
            evidence = self._evidence[key]
            whole = sum(rarity[part] for part in parts[key])
            shared = sum(rarity[part] for part in parts[key] & wanted)
            evidence["words"] = shared / whole if whole else 0.0
            evidence["rare_words"] = min(1.0, shared / 10)
            evidence["in_name"] = sum(rarity[part] for part in parts[key] & name) / whole if whole else 0.0
            kin = [near for near, other in families.get(_find_family_name(symbol), ()) if other != key]
            evidence["family"] = max(kin, default=0.0)
            evidence["near_place"] = 1 - self.nearness.measure_distance(symbol.path) / ELSEWHERE
            evidence["fits"] = float(not set(find_identifiers(symbol.signature)).isdisjoint(types))
            out.append(ContextCandidate(symbol, evidence))
        return out


def _find_family_name(symbol: Symbol) -> str:
    """What a macro's or constant's name shares with its kin: all but its last word."""
    return symbol.name.rstrip("_").rpartition("_")[0] if symbol.kind is not SymbolKind.TYPE else ""
