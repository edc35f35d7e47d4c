"""Prevents: a ranker that has read the answer. Signals, fixed fusions and the learned ranker must be the same, to
the last byte, whatever the hidden body calls; and what is learnt mustn't depend on a target that is held out.
"""

from __future__ import annotations

import pytest

from index.repo_index import RepoIndex
from index.values import SymbolKind
from retrieval.protocol import RetrieverSettings
from retrieval.ranker import learned_retriever
from retrieval.ranker.learned_retriever import LearnedRetriever
from retrieval.ranker.training_groups import make_training_groups
from retrieval.structure.fused_retriever import make_hybrid, make_structural
from retrieval.structure.signal_maker import Signaller
from tests.support.indexes import Indexed
from tests.support.targets import compute_signals, find_target

NAME = "m3_write_lock"
VERBS = ("open", "close", "read", "write", "find", "drop")
NOUNS = ("page", "key", "lock", "queue")
MODULES = 4
FEWEST = 50  # functions that a local ranker learns from: a tree of the real number would take four times as long


def tree(modules: int = MODULES) -> dict[str, str]:
    """Files by path. In each module every `mK_verb_noun` calls `mK_check_noun`, and its neighbours call alike."""
    header = "\n".join(
        f"struct {noun}; int {noun}_size(const struct {noun} *it); void {noun}_note(struct {noun} *it, int n);"
        for noun in NOUNS
    )
    files = {"common.h": header + "\nint log_line(const char *text);\n", "common.c": _common()}
    for number in range(modules):
        files[f"m{number}.c"] = _module(number)
    return files


def _common() -> str:
    lines = ['#include "common.h"', "int log_line(const char *text) { return text[0]; }"]
    for noun in NOUNS:
        lines.append(f"/* How large the {noun} is. */")
        lines.append(f"int {noun}_size(const struct {noun} *it) {{ return it != 0; }}")
        lines.append(f"/* Note a number of the {noun}. */")
        lines.append(f'void {noun}_note(struct {noun} *it, int n) {{ log_line(n && it ? "x" : "y"); }}')
    return "\n".join(lines) + "\n"


def _module(number: int) -> str:
    lines = ['#include "common.h"']
    for noun in NOUNS:
        lines.append(f"static int m{number}_check_{noun}(struct {noun} *it) {{ return {noun}_size(it) > {number}; }}")
        for verb in VERBS:
            lines += [
                f"/* {verb.title()} the {noun} of module {number}, after a check of it. */",
                f"int m{number}_{verb}_{noun}(struct {noun} *it, int n)",
                "{",
                f"    if (!m{number}_check_{noun}(it)) return n * {number + len(verb)};",
                f"    {noun}_note(it, n + {number});" if verb in ("open", "write") else "    n += 1;",
                f'    return log_line("{verb}") + n;' if verb in ("close", "drop") else "    return n;",
                "}",
            ]
    return "\n".join(lines) + "\n"


def with_body(body: str) -> dict[str, str]:
    """The tree with another body of the target."""
    files = tree()
    before, name, rest = files["m3.c"].partition(f"int {NAME}(")
    signature, _, tail = rest.partition("\n{\n")
    _, _, after = tail.partition("\n}\n")
    files["m3.c"] = f"{before}{name}{signature}\n{{\n{body}\n}}\n{after}"
    return files


# None of them has a clone: which functions are hidden as clones does depend on the body.
BODIES = (
    "    while (m3_check_lock(it) && n < 7) { lock_note(it, n << 2); n += lock_size(it) ^ 3; }\n    return ~n;",
    "    return m3_check_page(0) + page_size(0) + m3_find_queue(0, n) + key_size(0) * 99;",
    "    (void)it;\n    (void)n;\n\n\n\n\n    return 1;",
)


@pytest.fixture
def indexes(indexed: Indexed) -> list[RepoIndex]:
    return [indexed(with_body(body)) for body in BODIES]


def test_signals_do_not_depend_on_the_hidden_body(indexes: list[RepoIndex]) -> None:
    found = []
    for index in indexes:
        target = find_target(index, NAME)
        assert index.hide(target, "strict").clones == ()
        signals, place = compute_signals(index, NAME)
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


@pytest.mark.parametrize("arm", ["structural", "hybrid", pytest.param("learned", marks=pytest.mark.slow)])
def test_rankings_do_not_depend_on_the_hidden_body(
    indexes: list[RepoIndex], arm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learned_retriever, "FEWEST_TRAINING_GROUPS", FEWEST)
    found = []
    for index in indexes[:2]:
        target = find_target(index, NAME)
        retriever = {
            "structural": lambda index: make_structural(index, RetrieverSettings()),
            "hybrid": lambda index: make_hybrid(index, RetrieverSettings()),
            "learned": lambda index, target=target: LearnedRetriever(index, [target]),
        }[arm](index)
        if isinstance(retriever, LearnedRetriever):
            assert retriever.local_ranker is not None
        hits = retriever.retrieve(index.hide(target, "strict"), target, 60)
        found.append([(h.symbol.qualified_name, h.score, h.reason) for h in hits])
    assert found[0] == found[1]
    assert len(found[0]) == 60


def test_training_does_not_depend_on_a_target_that_is_held_out(indexes: list[RepoIndex]) -> None:
    """Neither its edges nor its look as a candidate, nor whether it is another's clone."""
    taught = []
    for index in indexes:
        target = find_target(index, NAME)
        found = list(make_training_groups(Signaller(index), [target], 60))
        taught.append([(group.table.tobytes(), group.called.tobytes()) for group in found])
        assert len(found) > 50
    assert taught[0] == taught[1] == taught[2]


def test_the_target_and_its_clones_are_no_hits(indexed: Indexed) -> None:
    index = indexed(tree())
    target = find_target(index, NAME)
    view = index.hide(target, "strict")
    assert view.clones
    hidden = {(c.path, c.start_byte) for c in view.clones}
    for retriever in (make_structural(index, RetrieverSettings()), make_hybrid(index, RetrieverSettings())):
        hits = retriever.retrieve(view, target, 1000)
        assert not hidden & {(h.symbol.path, h.symbol.start_byte) for h in hits}
        assert all(h.symbol.name != NAME for h in hits)
        assert {h.symbol.kind for h in hits} == {SymbolKind.FUNCTION}
