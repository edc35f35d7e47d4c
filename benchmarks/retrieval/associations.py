"""Learn which words of docstrings and names go with which parts of callees' names, over many trees.

    python -m benchmarks.retrieval.associations TREE... [--out FILE] [--indexes FOLDER]

Each function with callees counts once in its tree, and each tree at most as a thousand functions. A pair is kept that
three trees have and that stands together more often than by chance. Trees that a benchmark asks about teach nothing.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log
from pathlib import Path
from typing import NamedTuple

from index.build import build_index
from index.repo_index import RepoIndex, open_index
from retrieval.ranker.training import sure_callees
from retrieval.structure.evidence.associations import SHIPPED, text_of
from retrieval.structure.signaller import Signaller
from retrieval.structure.tables.vocabulary import name_words, text_words
from retrieval.test_code import is_test_code
from retrieval.text.terms import words

FUNCTIONS = 1000.0
"""Functions as which a larger tree counts."""
LEAST_TREES = 3
PRIOR = 4.0
"""Added to the functions seen and expected: what few functions have is luck."""
LEAST_WEIGHT = 0.4
MOST_PARTS = 40
"""Of each word, the heaviest."""
DOC_WORDS = 60


class WordCounts(NamedTuple):
    """Of one tree: functions with a word, with a part in a callee's name, and with both."""

    functions: int
    words: Counter[str]
    parts: Counter[str]
    pairs: Counter[tuple[str, str]]


def counts_of(index: RepoIndex, signaller: Signaller) -> WordCounts:
    """The counts of a tree's functions that call something; test code is left out."""
    entries = index.functions
    found = WordCounts(0, Counter(), Counter(), Counter())
    functions = 0
    for row, entry in enumerate(entries):
        callees = sure_callees(signaller, row)
        if not len(callees) or is_test_code(entry.symbol.path):
            continue
        functions += 1
        named = (e.symbol.name for e in index.entries_by_id(signaller.tables.ids[callees].tolist()))
        parts = {part for name in named for part in name_words(name)}
        symbol = entry.symbol
        own = {*name_words(symbol.name), *text_words(words(symbol.docstring))[:DOC_WORDS]}
        found.words.update(own)
        found.parts.update(parts)
        found.pairs.update((word, part) for word in own for part in parts if word != part)
    return found._replace(functions=functions)


def associated(trees: Sequence[WordCounts], least_trees: int = LEAST_TREES) -> dict[str, dict[str, float]]:
    """By word the parts that go with it, and the logarithm of how much more often than by chance; of the pairs that
    so many trees have."""
    seen: defaultdict[tuple[str, str], float] = defaultdict(float)
    expected: defaultdict[tuple[str, str], float] = defaultdict(float)
    in_trees: Counter[tuple[str, str]] = Counter()
    for tree in trees:
        share = min(1.0, FUNCTIONS / max(tree.functions, 1))
        for pair, count in tree.pairs.items():
            seen[pair] += share * count
            in_trees[pair] += 1
    kept = [pair for pair, count in in_trees.items() if count >= least_trees]
    for tree in trees:
        share = min(1.0, FUNCTIONS / max(tree.functions, 1)) / max(tree.functions, 1)
        for word, part in kept:
            expected[word, part] += share * tree.words[word] * tree.parts[part]
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for word, part in kept:
        weight = log((seen[word, part] + PRIOR) / (expected[word, part] + PRIOR))
        if weight >= LEAST_WEIGHT:
            found[word][part] = weight
    return {word: _heaviest(parts) for word, parts in found.items()}


def _heaviest(parts: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(parts.items(), key=lambda item: (-item[1], item[0]))[:MOST_PARTS])


def counts_of_trees(trees: Iterable[Path], indexes: Path) -> Iterator[WordCounts]:
    """The counts of each tree; their indexes are kept in `indexes`, by name."""
    for root in trees:
        build_index(root, indexes / root.name, workers=1)
        index = open_index(indexes / root.name, root)
        yield counts_of(index, Signaller(index))
        index.close()


def main() -> None:
    """See the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--indexes", type=Path, help="where indexes are kept (default: a temporary folder)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        trees = sorted(given.trees, key=lambda root: root.name)
        counted = list(counts_of_trees(trees, given.indexes or Path(temporary)))
    given.out.write_text(text_of(associated(counted)), encoding="utf-8")


if __name__ == "__main__":
    main()
