"""The one list of retrievers: `graft run` makes its arms from it, `graft retrieval-eval` its rows.

A new retriever is one file in a room of `retrieval/` and one line in `RETRIEVERS`:

    # retrieval/text/mine.py
    def make_mine(index: RepoIndex, settings: RetrieverSettings) -> Retriever:
        return MineRetriever(index, without=settings.held_out)

    # here
    "mine": Listed("retrieval.text.mine:make_mine", "what it ranks by, in one line"),

`retrieval.protocol` says what a retriever and its settings are. The module is imported when the retriever is first
made, so heavy libraries cost nothing at start-up.

Controls that read the gold (the true body as the query) aren't retrievers: see experiments/retrieval_eval/controls.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, NamedTuple

from index.errors import ConfigError
from index.strict import did_you_mean
from retrieval.protocol import MakeRetriever, Retriever, RetrieverSettings

if TYPE_CHECKING:
    from index.repo_index import RepoIndex


class Listed(NamedTuple):
    """`factory` is "module:function"; the function is a `MakeRetriever`. It may take long (vectors, training): what
    it makes is kept in the index's folder. `is_arm`: `graft run` knows it as an arm too; the others are for
    comparison in `graft retrieval-eval`. `takes_encoder`: it uses `settings.encoder` where there is one."""

    factory: str
    meaning: str
    is_arm: bool = True
    takes_encoder: bool = False

    def make(self, index: RepoIndex, settings: RetrieverSettings) -> Retriever:
        """Import the factory and call it."""
        make: MakeRetriever = resolve_name(self.factory)
        return make(index, settings)


RETRIEVERS: Mapping[str, Listed] = {
    "bm25": Listed("retrieval.text.lexical:make_bm25", "BM25 over one text per function: the control", is_arm=False),
    "lexical": Listed(
        "retrieval.text.lexical:make_lexical",
        "BM25 with name, signature, docstring and body as fields of their own weight",
    ),
    "random": Listed(
        "retrieval.chance:make_random",
        "functions drawn by chance: the floor (`graft run` has it as a control)",
        is_arm=False,
    ),
    "meaning": Listed(
        "retrieval.vectors.static_dense:make_meaning",
        "functions that resemble a description: what a search by meaning asks for",
        is_arm=False,
    ),
    "dense": Listed(
        "retrieval.vectors.static_dense:make_dense",
        "nearest vectors, by an encoder fitted on the repository or by `encoder`",
        takes_encoder=True,
    ),
    "structural": Listed(
        "retrieval.structure.structural:make_structural",
        "siblings, callers, types and places, combined by fixed weights",
    ),
    "hybrid": Listed(
        "retrieval.structure.structural:make_hybrid",
        "the same with docstrings and text search, combined by fixed weights",
    ),
    "learned": Listed("retrieval.ranker.learned:make_learned", "a ranker trained on the repository's other functions"),
}


def retriever_names(*, arms_only: bool = False) -> tuple[str, ...]:
    """All names, in the order of the list; with `arms_only` those that `graft run` knows."""
    return tuple(name for name, listed in RETRIEVERS.items() if listed.is_arm or not arms_only)


def make_retriever(name: str, index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    """Raises ConfigError for a name that isn't listed, and what the factory raises."""
    known_retrievers([name])
    return RETRIEVERS[name].make(index, settings)


def known_retrievers(names: Sequence[str]) -> tuple[str, ...]:
    """`names`, each once. Raises ConfigError for one that isn't listed."""
    for name in names:
        if name not in RETRIEVERS:
            known = ", ".join(RETRIEVERS)
            raise ConfigError(f"retrievers: unknown {name!r}{did_you_mean(name, RETRIEVERS)} (known: {known})")
    return tuple(dict.fromkeys(names))
