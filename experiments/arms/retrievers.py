"""The one list of retrievers: `graft run` makes its arms from it, `graft retrieval-eval` its rows.

A new retriever is one function here and one line in `RETRIEVERS`:

    def _mine(index: RepoIndex, settings: RetrieverSettings) -> Retriever:
        from retrieval.mine import MineRetriever        # heavy imports wait here
        return MineRetriever(index, without=settings.held_out)

    RETRIEVERS = {..., "mine": Listed(_mine, "what it does, in one line")}

What it gets:
- `index`: the whole repository, nothing hidden. Whatever is learnt or counted from it must be taken back at query
  time (`view.touched`, `view.seen`), or never have been learnt.
- `settings.held_out`: targets whose bodies, edges and clones no trained ranker may learn from: all that this run or
  evaluation asks about, the benchmark's and the development split's alike. A model that is kept on disk is kept
  under a name that depends on them.
- `settings.encoder`: a sentence-transformers model by name or path; None: the embedded encoder.
- `settings.on_line`: told in a line how far long work is.

Controls that read the gold (the true body as the query) aren't retrievers: they are in retrieval_eval_controls.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from index.errors import ConfigError
from index.strict import did_you_mean
from index.values import Target

if TYPE_CHECKING:
    from index.repo_index import RepoIndex
    from retrieval.protocol import Retriever


def _silent(line: str) -> None:
    del line


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    """What a retriever may need beside the index; see the module's text."""

    held_out: tuple[Target, ...] = ()
    encoder: str | None = None
    on_line: Callable[[str], None] = _silent


Factory = Callable[["RepoIndex", RetrieverSettings], "Retriever"]


class Listed(NamedTuple):
    """`make` may take long (vectors, training): what it makes is kept in the index's folder. `is_arm`: `graft run`
    knows it as an arm too; the others are for comparison in `graft retrieval-eval`. `takes_encoder`: it uses
    `settings.encoder` where there is one."""

    make: Factory
    meaning: str
    is_arm: bool = True
    takes_encoder: bool = False


def _bm25(index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    from retrieval.text.lexical import BM25, LexicalRetriever

    return LexicalRetriever(index, BM25)


def _lexical(index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    from retrieval.text.lexical import LexicalRetriever

    return LexicalRetriever(index)


def _dense(index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    if settings.encoder is None:
        from retrieval.vectors.static_dense import StaticDenseRetriever

        return StaticDenseRetriever(index, settings.held_out, settings.on_line)
    from retrieval.vectors.dense import DenseRetriever
    from retrieval.vectors.encoder import load_encoder

    return DenseRetriever(index, load_encoder(settings.encoder), settings.encoder, settings.on_line)


def _meaning(index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    from retrieval.vectors.static_dense import StaticDenseRetriever

    return StaticDenseRetriever(index, settings.held_out, settings.on_line, alike=True)


def _random(index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    from retrieval.chance import RandomRetriever

    return RandomRetriever(index)


def _structural(index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    from retrieval.structure.structural import structural

    return structural(index)


def _hybrid(index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    from retrieval.structure.structural import hybrid

    return hybrid(index)


def _learned(index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    from retrieval.ranker.learned import LearnedRetriever

    made = LearnedRetriever(index, settings.held_out, settings.on_line)
    made.prepare()
    return made


RETRIEVERS: Mapping[str, Listed] = {
    "bm25": Listed(_bm25, "BM25 over one text per function: the control", is_arm=False),
    "lexical": Listed(_lexical, "BM25 with name, signature, docstring and body as fields of their own weight"),
    "random": Listed(_random, "functions drawn by chance: the floor (`graft run` has it as a control)", is_arm=False),
    "meaning": Listed(
        _meaning, "functions that are like a description: what a search by meaning asks for", is_arm=False
    ),
    "dense": Listed(
        _dense, "nearest vectors, by an encoder fitted on the repository or by `encoder`", takes_encoder=True
    ),
    "structural": Listed(_structural, "what siblings, callers, types and places say, by fixed weights"),
    "hybrid": Listed(_hybrid, "the same and what docstrings and text search say, by fixed weights"),
    "learned": Listed(_learned, "a ranker that the repository's other functions teach"),
}


def retriever_names(*, arms_only: bool = False) -> tuple[str, ...]:
    return tuple(name for name, listed in RETRIEVERS.items() if listed.is_arm or not arms_only)


def make_retriever(name: str, index: RepoIndex, settings: RetrieverSettings) -> Retriever:
    """Raises ConfigError for a name that isn't listed, and what the factory raises."""
    return listed(name).make(index, settings)


def listed(name: str) -> Listed:
    found = RETRIEVERS.get(name)
    if found is None:
        raise ConfigError(f"retrievers: unknown {name!r}{did_you_mean(name, RETRIEVERS)} (known: {_list()})")
    return found


def known_retrievers(names: Sequence[str]) -> tuple[str, ...]:
    """`names`, each checked, each once."""
    for name in names:
        listed(name)
    return tuple(dict.fromkeys(names))


def _list() -> str:
    return ", ".join(RETRIEVERS)
