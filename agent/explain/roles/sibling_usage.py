"""What the file around a hole writes at the same place, by how often. It reads only what a view shows."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from agent.explain.roles.name_roles import UsePlace
from agent.explain.view_names import ViewNames
from index.cpp.type_text import extract_text_in_brackets_or_empty, split_at_outer_commas
from index.values import SymbolKind

_WORD = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
# What stands behind a call's arguments where its result is compared.
_COMPARED = re.compile(r"\)\s*\)*\s*(?:==|!=|[<>]=?|&)\s*\(?\s*(\w+)")
_LONGEST_CALL = 600
_MOST_BODIES = 400
_LONGEST_SWITCH = 4000


class SiblingUsage:
    """What the file of a function writes, and where."""

    def __init__(self, names: ViewNames) -> None:
        self._names = names
        self._view = names.view
        self._found: dict[UsePlace, Mapping[str, float]] = {}
        self._families: dict[UsePlace, Mapping[str, float]] = {}

    @cached_property
    def home_code_without_comments(self) -> str:
        """The text of the file, without comments and what is hidden."""
        return _COMMENT.sub(" ", self._view.file_text(self._names.home))

    @cached_property
    def word_counts(self) -> Counter[str]:
        return Counter(_WORD.findall(self.home_code_without_comments))

    @cached_property
    def call_counts(self) -> Counter[str]:
        """How often the file calls each name, declarations counted."""
        return Counter(_CALLED.findall(self.home_code_without_comments))

    @cached_property
    def words_of_each_function(self) -> list[frozenset[str]]:
        own = (s for s in self._view.symbols_in_file(self._names.home) if s.kind is SymbolKind.FUNCTION)
        texts = (self._view.text(symbol) for symbol, _ in zip(own, range(_MOST_BODIES), strict=False))
        return [frozenset(_WORD.findall(text)) for text in texts]

    def weigh_related_words(self, words: frozenset[str]) -> Mapping[str, float]:
        """Words of the file's other functions, each weighted by what its functions share with `words`: 0 to 1."""
        rare = Counter(word for body in self.words_of_each_function for word in body & words)
        weights: defaultdict[str, float] = defaultdict(float)
        for body in self.words_of_each_function:
            share = sum(1 / (1 + rare[word]) for word in body & words) / (4 + len(body)) ** 0.5
            for word in body:
                weights[word] += share
        return _divide_weights_by_largest(weights)

    def count_names_at_doubling_lone_ones(self, place: UsePlace) -> Mapping[str, float]:
        """The names at a place, by how often they stand there alone; within a longer expression they count half."""
        if place not in self._found:
            counted: defaultdict[str, float] = defaultdict(float)
            for written in _find_expressions_at(place, self.home_code_without_comments):
                words = _WORD.findall(written)
                for word in words:
                    counted[word] += 2.0 if len(words) == 1 else 1.0
            self._found[place] = counted
        return self._found[place]

    def weigh_constant_prefixes_at(self, place: UsePlace) -> Mapping[str, float]:
        """The beginnings of the constants at a place, 0 to 1: what stands beside NOTIFY_EXPIRED is mostly one more
        NOTIFY."""
        if place not in self._families:
            counted: defaultdict[str, float] = defaultdict(float)
            for name, weight in self.count_names_at_doubling_lone_ones(place).items():
                if name.isupper():
                    counted[take_first_word_of_constant(name)] += weight
            self._families[place] = _divide_weights_by_largest(counted)
        return self._families[place]


def _divide_weights_by_largest(weights: Mapping[str, float]) -> Mapping[str, float]:
    """The weights as shares of the largest."""
    most = max(weights.values(), default=0.0)
    return {word: weight / most for word, weight in weights.items()} if most else {}


def take_first_word_of_constant(name: str) -> str:
    return name.lstrip("_").partition("_")[0]


def _find_expressions_at(place: UsePlace, text: str) -> Iterator[str]:
    name = re.escape(place.name)
    if place.where in ("argument", "result"):
        for match in re.finditer(rf"\b{name}\s*\(", text):
            inside = extract_text_in_brackets_or_empty(text, match.end() - 1, _LONGEST_CALL)
            if place.where == "result":
                end = match.end() + len(inside)
                compared = _COMPARED.match(text, end, end + 60)
                if compared:
                    yield compared[1]
                continue
            given = split_at_outer_commas(inside)
            if place.number < len(given):
                yield given[place.number]
    elif place.where == "index":
        for match in re.finditer(rf"\b{name}\s*\[([^\[\]]{{1,80}})\]", text):
            yield match[1]
    else:
        operator = r"(?:\[[^\]\n]*\]\s*)?(?:[=!<>]=|[|&^+-]?=|<<|[<>&])"
        for match in re.finditer(rf"\b{name}\s*{operator}\s*([^;,?{{}}\n]{{1,80}})", text):
            yield re.split(r"&&|\|\|", match[1])[0]
        for match in re.finditer(rf"\b(\w+)\s*(?:==|!=)\s*(?:\w+(?:->|\.)){{0,4}}{name}\b", text):
            yield match[1]
        for match in re.finditer(rf"switch\s*\([^{{;]{{0,80}}\b{name}\s*\)\s*\{{", text):
            yield from re.findall(r"\bcase\s+(\w+)\s*:", text[match.end() : match.end() + _LONGEST_SWITCH])
