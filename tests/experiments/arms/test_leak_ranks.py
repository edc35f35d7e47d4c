"""Prevents: a retriever whose order or scores follow the hidden body. Every one that is registered, under both
maskings: another body of the target, and in strict masking of its clones, gives the same hits, scores and reasons,
with whatever was counted, fitted or taught made anew for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from experiments.arms.retrievers import RETRIEVERS, make_retriever
from index.build import build_index
from index.repo_index import RepoIndex, open_index
from index.values import Masking, Target
from retrieval.protocol import FindNames, Retriever, RetrieverSettings
from retrieval.ranker import learned_retriever, name_chances
from retrieval.ranker.training_groups import make_target

pytestmark = pytest.mark.slow

VERBS = ("open", "close", "read", "write", "find", "drop")
NOUNS = ("page", "key", "lock", "queue")
MODULES = 4
FEWEST = 50  # functions that a local ranker learns from: a tree of the real number would take four times as long
TARGET = "m3_write_lock"
LIMIT = 60


def usual(module: int) -> str:
    return f"if (!m{module}_check_lock(it)) return n * 9; lock_note(it, n + {module}); return n;"


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


Body = Callable[[int], str]


def files(target: Body, clones: Body) -> dict[str, str]:
    """By path. `target`: the body of the target, in module 3; `clones`: of its namesakes in the other modules."""
    common = ["int log_line(const char *text) { return text[0]; }"]
    for noun in NOUNS:
        common.append(f"struct {noun};\n/* How large the {noun} is. */")
        common.append(f"int {noun}_size(const struct {noun} *it) {{ return it != 0; }}")
        common.append(f"void {noun}_note(struct {noun} *it, int n) {{ log_line(n && it ? 0 : 0); }}")
    found = {"common.c": "\n".join(common) + "\n"}
    for number in range(MODULES):
        lines = []
        for noun in NOUNS:
            lines.append(f"static int m{number}_check_{noun}(struct {noun} *it) {{ return {noun}_size(it); }}")
            for verb in VERBS:
                body = f"    n += m{number}_check_{noun}(it);\n    return {noun}_size(it) + n * {len(verb)};"
                if (verb, noun) == ("write", "lock"):
                    body = (target if number == 3 else clones)(number)
                lines.append(f"/* {verb.title()} the {noun} of module {number}, after a check of it. */")
                lines.append(f"int m{number}_{verb}_{noun}(struct {noun} *it, int n)\n{{\n{body}\n}}")
        found[f"m{number}.c"] = "\n".join(lines) + "\n"
    return found


class Tree(NamedTuple):
    index: RepoIndex
    target: Target
    retrievers: dict[str, Retriever]
    find_names: FindNames


def opened(folder: Path, texts: dict[str, str]) -> Tree:
    (folder / "tree").mkdir(parents=True)
    for path, text in texts.items():
        (folder / "tree" / path).write_text(text)
    build_index(folder / "tree", folder / "index", workers=1)
    index = open_index(folder / "index", folder / "tree")
    target = make_target(next(e.symbol for e in index.functions if e.symbol.name == TARGET))
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
    trees = [opened(make_folder.mktemp("trees"), files(*pair)) for pair in bodies]
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
