"""Prevents: a score that was earned by reading the answer. DESIGN.md's rule 1: nothing that the agent side can be
given holds a run of the gold body's tokens that isn't elsewhere in the tree, outside the hidden places.

The gold and the hidden places are cut out of the files here, by line numbers, not by the code under test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.values import Masking, SymbolKind, Target
from retrieval.context.assembly import (
    Packing,
    make_functions_context,
    make_oracle_and_declarations_context,
    make_retrieved_context,
    make_surroundings_context,
)
from retrieval.names.needed_names import find_needed_names_of_holes
from retrieval.random_control import RandomRetriever
from retrieval.ranker.name_chances import NameFinder
from retrieval.ranker.training_groups import make_target
from retrieval.text.draft_lookup import retrieve_after_draft
from retrieval.text.lexical import LexicalRetriever
from retrieval.values import Bodies, Context
from tests.fixtures.shape import alike
from tests.support.indexes import Indexed
from tests.support.targets import LOOKUP, RENAMED_LOOKUP, find_target, replace_body
from tests.support.token_runs import Run, count_runs_in_tree, list_runs, read_lines


def body(definition: str) -> str:
    return definition[definition.index("{") :]


class Secret:
    """The runs that only the hidden places hold."""

    def __init__(self, index: RepoIndex, everywhere: Counter[Run]) -> None:
        self._index = index
        self._everywhere = everywhere

    def of(self, target: Target, view: HiddenView) -> set[Run]:
        hidden = {(target.path, target.span)}
        if view.masking == "strict":
            hidden |= {(c.path, c.span) for c in view.clones}
        inside: Counter[Run] = Counter()
        for path, span in hidden:
            inside.update(list_runs(read_lines(self._index, path, span)))
        gold = set(list_runs(body(read_lines(self._index, target.path, target.span))))
        return {run for run in gold if self._everywhere[run] <= inside[run]}


def shown(view: HiddenView, lexical: LexicalRetriever, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(where, text) of all that a prompt or a tool could be given about the files `paths`, and the context."""
    wanted = set(paths)
    for path in wanted:
        yield f"file {path}", view.file_text(path)
    for kind in SymbolKind:
        for symbol in view.symbols(kind):
            if symbol.path in wanted:
                where = f"{kind} {symbol.qualified_name}"
                yield where, view.text(symbol)
                yield f"{where}: signature", symbol.signature
                yield f"{where}: docstring", symbol.docstring
                yield f"{where}: calls", " ".join(view.called_names(symbol))
    for arm, context in contexts(view, lexical):
        for snippet in context.snippets:
            yield f"{arm} context {snippet.title}", snippet.text
            yield f"{arm} context {snippet.title}: title", f"{snippet.title} {snippet.path}"
        for dropped in context.dropped:
            yield f"{arm} dropped", f"{dropped.title} {dropped.reason}"


def contexts(view: HiddenView, lexical: LexicalRetriever) -> Iterator[tuple[str, Context]]:
    """What each way to make a context gives, with room for all of it. The drafts are the worst there can be: of a
    model that knows the gold by heart; it may lead to what the gold names, never to the gold."""
    target = view.target
    gold = read_lines(view._index, target.path, target.span)
    find_names = NameFinder(view._index, (target,)).find_names
    hits = lexical.retrieve(view, target, 50)
    callees = [(view.text(hit.symbol), hit.symbol.path, hit.symbol.name) for hit in hits]
    everything: list[Bodies] = ["all", "auto", "none"]
    for bodies in everything:
        packing = Packing(budget=100_000, hits=50, bodies=bodies)
        yield "file", make_surroundings_context(view, target, packing)
        yield "retrieved", make_retrieved_context(view, target, hits, packing, "lexical", find_names)
        needed = find_needed_names_of_holes((gold,), target, view._index)
        yield "oracle+", make_oracle_and_declarations_context(view, target, callees, packing, needed)
        yield (
            "random",
            make_functions_context(view, RandomRetriever(view._index).retrieve(view, target, 50), packing, "r"),
        )
        named = retrieve_after_draft(view, target, gold, lexical, lexical, 50)
        yield "iterative", make_retrieved_context(view, target, named, packing, "iterative", find_names)


def leaks(secret: set[Run], texts: Iterable[tuple[str, str]]) -> list[str]:
    return [where for where, text in texts if not secret.isdisjoint(list_runs(text))]


@pytest.mark.parametrize("masking", ["strict", "realistic"])
def test_nothing_of_the_small_tree_tells_the_gold(traps: Any, masking: Masking) -> None:
    lexical = LexicalRetriever(traps.index)
    secrets = Secret(traps.index, count_runs_in_tree(traps.index))
    with_secret = 0
    for target in traps.targets:
        view = traps.index.hide(target, masking)
        secret = secrets.of(target, view)
        with_secret += bool(secret)
        assert leaks(secret, shown(view, lexical, view.files())) == [], target
    # In realistic masking the two `spin`s, which are equal, tell each other, and nothing is secret there.
    assert with_secret == (10 if masking == "strict" else 8)


def test_the_check_finds_a_leak_when_nothing_is_hidden(traps: Any) -> None:
    leaking: set[str] = set()
    lexical = LexicalRetriever(traps.index)
    secrets = Secret(traps.index, count_runs_in_tree(traps.index))
    for target in traps.targets:
        hidden = traps.index.hide(target, "strict")
        secret = secrets.of(target, hidden)
        bare = HiddenView(traps.index, target, "strict", hidden.twins, {})
        found = leaks(secret, shown(bare, lexical, bare.files()))
        leaking |= {where.split(" context ")[0] for where in found if " context " in where}
        assert bool(found) == bool(secret), target
        if secret:
            assert f"file {target.path}" in found
    assert leaking >= {"retrieved", "oracle+", "random", "iterative"}


def test_words_of_the_gold_move_no_rank(traps: Any) -> None:
    """The same tree with another gold gives the same hits and scores: a ranker learns nothing from it."""
    target = next(t for t in traps.targets if t.name == "list_remove")
    lexical = LexicalRetriever(traps.index)
    before = [
        (h.symbol.qualified_name, h.score) for h in lexical.retrieve(traps.index.hide(target, "strict"), target, 50)
    ]
    assert before
    other = replace_body(traps.index, target, "return list_sum(value);")
    moved = find_target(other, "list_remove")
    hits = LexicalRetriever(other).retrieve(other.hide(moved, "strict"), moved, 50)
    assert [(h.symbol.qualified_name, h.score) for h in hits] == before
    other.close()


def of_the_golds_shape(index: RepoIndex, target: Target, texts: Iterable[tuple[str, str]]) -> list[str]:
    """Where the texts hold a function that is the gold but for names."""
    gold = body(read_lines(index, target.path, target.span))
    return [where for where, text in texts if alike(gold, text)]


RENAMED = {
    "stream.c": LOOKUP + RENAMED_LOOKUP,
    "connect.c": """\
link *connect_by_name(const char *ip, int port, const span limit) {
    if (limit.seconds == 0 && limit.rest == 0) {
        return open_link(ip, port);
    } else {
        return open_link_within(ip, port, limit);
    }
}
link *connect_by_path(const char *path, const span limit) {
    if (limit.seconds == 0 && limit.rest == 0) {
        return open_local(path);
    } else {
        return open_local_within(path, limit);
    }
}
""",
}


def test_nothing_has_the_golds_shape(indexed: Indexed) -> None:
    """Every function of the tree is a renamed twin of another. Without clones by shape all of them are shown."""
    index = indexed(RENAMED)
    lexical = LexicalRetriever(index)
    for target in (make_target(entry.symbol) for entry in index.functions):
        view = index.hide(target, "strict")
        assert of_the_golds_shape(index, target, shown(view, lexical, view.files())) == [], target
        bare = index.hide(target, "realistic")
        assert of_the_golds_shape(index, target, shown(bare, lexical, bare.files())), target


NAMED_TWINS = {
    "streamLookupCG": "streamLookupConsumer",
    "redisConnectWrapper": "redisConnectUnixWrapper",
    "luaSetErrorMetatable": "luaSetAllowListProtection",
}
"""Of redis: every retriever showed them, the answer but for names."""


@pytest.mark.real
def test_nothing_of_a_real_tree_has_the_golds_shape(real: Any) -> None:
    """In the files that hold the target or a twin, and in the contexts from the whole tree."""
    index, targets = real.index, real.targets
    lexical = LexicalRetriever(index)
    finder = NameFinder(index, targets)
    found = set()
    for target in targets:
        view = index.hide(target, "strict")
        touched = {target.path} | {twin.symbol.path for twin in view.twins}
        texts = [(f"file {path}", view.file_text(path)) for path in touched]
        hits = lexical.retrieve(view, target, 50)
        packing = Packing(budget=100_000, hits=50, bodies="all")
        context = make_retrieved_context(view, target, hits, packing, "lexical", finder.find_names)
        texts += [(f"{s.path} {s.title}", s.text) for s in context.snippets]
        assert of_the_golds_shape(index, target, texts) == [], target
        found |= {(target.name, twin.symbol.name) for twin in view.twins}
    if targets[0].repo == "redis":
        assert found >= set(NAMED_TWINS.items())


@pytest.mark.real
@pytest.mark.parametrize("masking", ["strict", "realistic"])
def test_nothing_of_a_real_tree_tells_the_gold(real: Any, masking: Masking) -> None:
    index, targets = real.index, real.targets
    lexical = LexicalRetriever(index)
    views = [index.hide(t, masking) for t in targets]
    golds = {run for t in targets for run in list_runs(body(read_lines(index, t.path, t.span)))}
    secrets = Secret(index, count_runs_in_tree(index, golds))
    bare_leaks = 0
    for target, view in zip(targets, views, strict=True):
        secret = secrets.of(target, view)
        touched = {target.path} | {c.path for c in view.clones}
        # The text of untouched files is the tree's own: what stands there isn't secret.
        assert leaks(secret, shown(view, lexical, touched)) == [], target
        bare = HiddenView(index, target, masking, (), {})
        bare_leaks += bool(leaks(secret, [("file", bare.file_text(target.path))]))
        assert bool(secret) == bool(leaks(secret, [("file", bare.file_text(target.path))])), target
    assert bare_leaks >= len(targets) // 4
