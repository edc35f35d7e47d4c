"""The one list of retrievers: `graft run` makes its arms from it, `graft index eval` its rows.

A new one is a line in `RETRIEVERS` (docs/how-to/extend/add-a-retriever.md) or a plug-in (own-retriever.md). Its module
is imported when it is first made, so heavy libraries cost nothing at start-up. Controls that read the gold aren't
retrievers: see lab/retrieval_eval/controls.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from index.errors import ConfigError
from index.plugins import Plugin, find_plugin, list_plugins_rejecting_name_clashes
from index.user_files import make_spelling_hint
from retrieval.protocol import MakeRetriever, Retriever, RetrieverSettings

if TYPE_CHECKING:
    from index.repo_index import RepoIndex


class ListedRetriever(NamedTuple):
    """`factory` is "module:function"; the function is a `MakeRetriever`. It may take long (vectors, training): what
    it makes is kept in the index's folder. `is_arm`: `graft run` knows it as an arm too; the others are for
    comparison in `graft index eval`. `takes_encoder`: it uses `settings.encoder` where there is one.
    `distribution`: the one that brings a plug-in."""

    factory: str
    meaning: str
    is_arm: bool = True
    takes_encoder: bool = False
    distribution: str = ""

    def load_factory(self) -> MakeRetriever:
        """Import the factory. Raises ConfigError when that fails."""
        make: MakeRetriever = Plugin(self.factory, self.factory, self.distribution).load()
        return make


RETRIEVERS: Mapping[str, ListedRetriever] = {
    "bm25": ListedRetriever(
        "retrieval.text.lexical:make_bm25", "BM25 over one text per function: the control", is_arm=False
    ),
    "lexical": ListedRetriever(
        "retrieval.text.lexical:make_lexical",
        "BM25 with name, signature, docstring and body as fields of their own weight",
    ),
    "random": ListedRetriever(
        "retrieval.random_control:make_random",
        "functions drawn by chance: the floor (`graft run` has it as a control)",
        is_arm=False,
    ),
    "meaning": ListedRetriever(
        "retrieval.vectors.static_dense:make_meaning",
        "functions that resemble a description: what a search by meaning asks for",
        is_arm=False,
    ),
    "dense": ListedRetriever(
        "retrieval.vectors.static_dense:make_dense",
        "nearest vectors, by an encoder fitted on the repository or by `encoder`",
        takes_encoder=True,
    ),
    "structural": ListedRetriever(
        "retrieval.structure.fused_retriever:make_structural",
        "siblings, callers, types and places, combined by fixed weights",
    ),
    "hybrid": ListedRetriever(
        "retrieval.structure.fused_retriever:make_hybrid",
        "the same with docstrings and text search, combined by fixed weights",
    ),
    "learned": ListedRetriever(
        "retrieval.ranker.learned_retriever:make_learned", "a ranker trained on the repository's other functions"
    ),
}


def list_retrievers() -> dict[str, ListedRetriever]:
    """The built-in retrievers and the plug-ins by name. Raises ConfigError when two have the same name."""
    found = list_plugins_rejecting_name_clashes("graft.retrievers", RETRIEVERS)
    return {**RETRIEVERS, **{name: _make_listing_of_retriever_plugin(plugin) for name, plugin in found.items()}}


def find_retriever(name_or_import_path: str) -> ListedRetriever:
    """A retriever by its name, or by its import path `module:attribute`, which isn't imported yet. Raises ConfigError
    for a name that nothing has."""
    if name_or_import_path in RETRIEVERS:
        return list_retrievers()[name_or_import_path]
    plugin = find_plugin("graft.retrievers", name_or_import_path, RETRIEVERS)
    if plugin is None:
        known = list_retrievers()
        hint = make_spelling_hint(name_or_import_path, known)
        raise ConfigError(f"retrievers: unknown {name_or_import_path!r}{hint} (known: {', '.join(known)})")
    return _make_listing_of_retriever_plugin(plugin)


def _make_listing_of_retriever_plugin(plugin: Plugin) -> ListedRetriever:
    origin = f"plug-in of {plugin.distribution}" if plugin.distribution else "a retriever of your own"
    return ListedRetriever(plugin.target, origin, takes_encoder=True, distribution=plugin.distribution)


def make_retriever(name_or_import_path: str, index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    """Raises ConfigError for a name that isn't known or can't be imported, and what the factory raises."""
    return find_retriever(name_or_import_path).load_factory()(index, settings)
