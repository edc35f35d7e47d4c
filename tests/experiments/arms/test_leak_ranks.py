"""Prevents: a retriever whose order or scores follow the hidden body. Every one that is registered, under both
maskings: another body of the target, and in strict masking of its clones, gives the same hits, scores and reasons,
with whatever was counted, fitted or taught made anew for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from experiments.arms.retrievers import RETRIEVERS, make_retriever
from index.repo_index import RepoIndex
from index.values import Masking, Target
from retrieval.protocol import FindNames, Retriever, RetrieverSettings
from retrieval.ranker import learned_retriever, name_chances
from tests.fixtures.module_tree import FEWEST, MODULES, TARGET, Body, make_module_tree, usual
from tests.support.indexes import index_files
from tests.support.targets import find_target

pytestmark = pytest.mark.slow

LIMIT = 60


def other(module: int) -> str:
    return (
        f"while (m{module}_check_lock(it) && n < 70) {{ page_note(0, n << 2); n += queue_size(0) ^ key_size(0); }}"
        f' log_line("zebra"); return ~n + m{module}_find_queue(0, n);'
    )


def third(module: int) -> str:
    return f"(void)it; return m{module}_open_page(0, n) + page_size(0) + key_size(0) * m{module}_check_key(0);"


def copied(module: int) -> str:
    """The same in every module, as a clone's is."""
    return "for (int i = 0; i < n; i++) { page_note(0, i << 2); n += queue_size(0) ^ key_size(0); } return ~n + 5;"


def copied_otherwise(module: int) -> str:
    return "if (n > 40 && it != 0) { log_line(0); lock_note(it, n % 16); return page_size(0) | 64; } return n - 8;"


class Tree(NamedTuple):
    index: RepoIndex
    target: Target
    retrievers: dict[str, Retriever]
    find_names: FindNames


def opened(folder: Path, texts: dict[str, str]) -> Tree:
    index = index_files(folder, texts)
    target = find_target(index, TARGET)
    settings = RetrieverSettings(held_out=(target,))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learned_retriever, "FEWEST_TRAINING_GROUPS", FEWEST)
        patch.setattr(name_chances, "FEWEST_TRAINING_FUNCTIONS", FEWEST)
        retrievers = {name: make_retriever(name, index, settings) for name in RETRIEVERS}
        find_names = name_chances.make_name_finder(index, settings).find_names
    learned = retrievers["learned"]
    assert isinstance(learned, learned_retriever.LearnedRetriever)
    assert learned.local_ranker is not None
    return Tree(index, target, retrievers, find_names)


def open_both(make_folder: pytest.TempPathFactory, *bodies: tuple[Body, Body]) -> Iterator[list[Tree]]:
    trees = [opened(make_folder.mktemp("trees"), make_module_tree(*pair)) for pair in bodies]
    yield trees
    for tree in trees:
        tree.index.close()


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Tree]]:
    """Two trees whose targets differ, of which neither has a clone."""
    yield from open_both(tmp_path_factory, (other, usual), (third, usual))


@pytest.fixture(scope="module")
def cloned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Tree]]:
    """Two trees whose targets differ, in which every other module has a clone of the target."""
    yield from open_both(tmp_path_factory, (copied, copied), (copied_otherwise, copied_otherwise))


def hits(tree: Tree, name: str, masking: Masking) -> list[tuple[str, str, float, str]]:
    view = tree.index.hide(tree.target, masking)
    found = tree.retrievers[name].retrieve(view, tree.target, LIMIT)
    return [(h.symbol.path, h.symbol.qualified_name, h.score, h.reason) for h in found]


@pytest.mark.parametrize("name", RETRIEVERS)
def test_no_hit_depends_on_the_hidden_body_or_on_a_hidden_clone(
    alone: list[Tree], cloned: list[Tree], name: str
) -> None:
    maskings: tuple[Masking, ...] = ("strict", "realistic")
    for trees, masking, clones in (*((alone, masking, 0) for masking in maskings), (cloned, "strict", MODULES - 1)):
        for tree in trees:
            assert len(tree.index.hide(tree.target, masking).clones) == clones
        first, second = (hits(tree, name, masking) for tree in trees)
        assert first == second
        assert first


def names(tree: Tree, masking: Masking) -> list[tuple[str, str, float]]:
    view = tree.index.hide(tree.target, masking)
    found = tree.find_names(view, tree.target, tree.retrievers["hybrid"].retrieve(view, tree.target, LIMIT))
    return [(name.symbol.path, name.symbol.qualified_name, name.chance) for name in found]


def test_no_name_depends_on_what_is_hidden(alone: list[Tree], cloned: list[Tree]) -> None:
    for trees in (alone, cloned):
        first, second = (names(tree, "strict") for tree in trees)
        assert first == second
        assert first
    first, second = (names(tree, "realistic") for tree in cloned)
    assert first != second


@pytest.mark.parametrize("name", ["lexical", "structural", "hybrid", "learned"])
def test_clones_that_realistic_masking_keeps_are_seen(cloned: list[Tree], name: str) -> None:
    """The tests above can fail: the same trees told apart by what isn't hidden."""
    first, second = (hits(tree, name, "realistic") for tree in cloned)
    assert first != second
