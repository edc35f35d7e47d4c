"""Prevents: a ranker that has read the answer. Signals and fixed fusions must be the same, to the last byte,
whatever the hidden body calls; and what is learnt mustn't depend on a target that is held out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from index.repo_index import RepoIndex
from index.values import SymbolKind
from retrieval.protocol import Retriever, RetrieverSettings
from retrieval.ranker.training_groups import make_training_groups
from retrieval.structure.fused_retriever import make_hybrid, make_structural
from retrieval.structure.signal_maker import Signaller
from tests.fixtures.module_tree import TARGET, make_module_tree, usual
from tests.support.indexes import Indexed, index_files
from tests.support.targets import compute_signals, find_target

# None of them has a clone: which functions are hidden as clones does depend on the body.
BODIES = (
    "    while (m3_check_lock(it) && n < 7) { lock_note(it, n << 2); n += lock_size(it) ^ 3; }\n    return ~n;",
    "    return m3_check_page(0) + page_size(0) + m3_find_queue(0, n) + key_size(0) * 99;",
    "    (void)it;\n    (void)n;\n\n\n\n\n    return 1;",
)


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RepoIndex]]:
    with ExitStack() as stack:
        trees = [make_module_tree(lambda _, body=body: body) for body in BODIES]
        yield [stack.enter_context(closing(index_files(tmp_path_factory.mktemp("tree"), tree))) for tree in trees]


def test_signals_do_not_depend_on_the_hidden_body(indexes: list[RepoIndex]) -> None:
    found = []
    for index in indexes:
        target = find_target(index, TARGET)
        assert index.hide(target, "strict").clones == ()
        signals, place = compute_signals(index, TARGET)
        found.append((list(place), signals.table.tobytes()))
    assert found[0] == found[1] == found[2]
    assert len(found[0][0]) > 100


def test_signals_depend_on_a_body_that_is_not_hidden(indexes: list[RepoIndex]) -> None:
    """The test above can fail: a sibling's signals do follow the target's body."""
    found = []
    for index in indexes[:2]:
        target = find_target(index, "m3_read_lock")
        found.append(Signaller(index).compute_signals(index.hide(target, "realistic"), target).table.tobytes())
    assert found[0] != found[1]


@pytest.mark.parametrize("make", [make_structural, make_hybrid])
def test_rankings_do_not_depend_on_the_hidden_body(
    indexes: list[RepoIndex], make: Callable[[RepoIndex, RetrieverSettings], Retriever]
) -> None:
    """Of what learns, too: tests/experiments/arms/test_leak_ranks.py."""
    found = []
    for index in indexes[:2]:
        target = find_target(index, TARGET)
        hits = make(index, RetrieverSettings()).retrieve(index.hide(target, "strict"), target, 60)
        found.append([(h.symbol.qualified_name, h.score, h.reason) for h in hits])
    assert found[0] == found[1]
    assert len(found[0]) == 60


def test_training_does_not_depend_on_a_target_that_is_held_out(indexes: list[RepoIndex]) -> None:
    """Neither its edges nor its look as a candidate, nor whether it is another's clone."""
    taught = []
    for index in indexes:
        target = find_target(index, TARGET)
        found = list(make_training_groups(Signaller(index), [target], 60))
        taught.append([(group.table.tobytes(), group.called.tobytes()) for group in found])
        assert len(found) > 50
    assert taught[0] == taught[1] == taught[2]


def test_the_target_and_its_clones_are_no_hits(indexed: Indexed) -> None:
    index = indexed(make_module_tree(usual))
    target = find_target(index, TARGET)
    view = index.hide(target, "strict")
    assert view.clones
    hidden = {(c.path, c.start_byte) for c in view.clones}
    for retriever in (make_structural(index, RetrieverSettings()), make_hybrid(index, RetrieverSettings())):
        hits = retriever.retrieve(view, target, 1000)
        assert not hidden & {(h.symbol.path, h.symbol.start_byte) for h in hits}
        assert all(h.symbol.name != TARGET for h in hits)
        assert {h.symbol.kind for h in hits} == {SymbolKind.FUNCTION}
