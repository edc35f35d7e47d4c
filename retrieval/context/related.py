"""The types, macros, constants and variables of the repository that the missing body will likely use.

First comes what the signature needs (`needs`). Then comes what the functions around the hole name in their bodies, by
votes: a function weighs more the nearer it stands and the more its name resembles the target's. Only the view's own
text of the target's file is read, so nothing has to be built beforehand or taken back.
"""

from __future__ import annotations

import math
import re
from collections import Counter

from index.cpp.tokens import split_identifier, without_comments
from index.hiding.view import HiddenView
from index.values import Symbol, SymbolKind, Target
from retrieval.context.needs import needs
from retrieval.text.nearness import Nearness
from retrieval.values import Hit

VOTERS = 24
"""Functions of the file whose bodies are read: those with the greatest weight."""
NEAR = 4.0
"""Functions between two functions at which the vote has lost two thirds of its weight."""
SIMILAR = 1.0
"""Weight of a name that has all words in common; the function next to the hole weighs 1."""
WORDS = 80
"""Names looked up, those with the most votes first."""
MOST = 40
OF_SIBLINGS = 0.7
"""The greatest score of what other functions name: below the signature's own needs."""

_KINDS = frozenset({SymbolKind.TYPE, SymbolKind.MACRO, SymbolKind.ENUMERATOR, SymbolKind.GLOBAL})
_WORD = re.compile(r"[^\W\d]\w*")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def related(view: HiddenView, target: Target, limit: int = MOST) -> list[Hit]:
    """At most `limit` symbols that are no functions, most needed first. Equal calls give equal answers."""
    found = {(h.symbol.path, h.symbol.start_byte, h.symbol.kind): h for h in needs(view, target)}
    nearness = Nearness(view)
    votes, total = _votes(view, target)
    for word, vote in sorted(votes.items(), key=lambda item: (-item[1], item[0]))[:WORDS]:
        for symbol in nearness.named(word, _KINDS, 1):
            score = OF_SIBLINGS * vote / total
            hit = Hit(symbol, score, "functions around the target use it")
            found.setdefault((symbol.path, symbol.start_byte, symbol.kind), hit)
    return sorted(found.values(), key=lambda hit: -hit.score)[:limit]


def _votes(view: HiddenView, target: Target) -> tuple[Counter[str], float]:
    """For each word the weight of the voters that name it; and the weight of all voters."""
    siblings = [s for s in view.symbols_of(target.path) if s.kind is SymbolKind.FUNCTION]
    here = sum(1 for s in siblings if s.span.first < target.span.first)
    words = set(split_identifier(target.name.rpartition("::")[2]))
    weighted = [(_weight(s, at, here, words), at, s) for at, s in enumerate(siblings)]
    weighted.sort(key=lambda voter: (-voter[0], voter[1]))
    votes: Counter[str] = Counter()
    total = 0.0
    for weight, _, symbol in weighted[:VOTERS]:
        total += weight
        text = _STRING.sub(" ", without_comments(view.text(symbol)))
        for word in set(_WORD.findall(text)):
            votes[word] += weight  # type: ignore[assignment]  # a Counter counts in any number
    return votes, max(total, 1.0)


def _weight(symbol: Symbol, at: int, here: int, words: set[str]) -> float:
    # The first function below the hole stands next to it, as the last one above does.
    distance = here - at - 1 if at < here else at - here
    own = set(split_identifier(symbol.name))
    similar = len(own & words) / max(1, len(own | words))
    return math.exp(-distance / NEAR) + SIMILAR * similar
