"""Trees: build an index, open it, search it, hide a function in it. Heavy imports wait inside the functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from index.errors import UserError
from index.values import Masking, Symbol, SymbolKind, Target
from retrieval.values import Hit

if TYPE_CHECKING:
    from index.build import IndexReport
    from index.hiding.hidden_view import HiddenView
    from index.repo_index import RepoIndex
    from retrieval.protocol import MakeRetriever, Retriever

_QUERY_RETRIEVERS = {"words": "lexical", "meaning": "meaning"}


@dataclass(frozen=True, slots=True)
class Index:
    """An open index: which symbols a tree has and what calls what. Made by `graft.open`; close it, or use `with`.

    tree    the root of the source tree, absolute
    folder  where the index lies
    """

    tree: Path
    folder: Path
    _repo: RepoIndex = field(repr=False)
    _view: HiddenView = field(repr=False)

    def symbols(self, name: str, kind: SymbolKind | None = None) -> tuple[Symbol, ...]:
        """The symbols with this unqualified name, of every kind or of one, by path and place."""
        return tuple(symbol for symbol in self._view.symbols_named(name) if kind in (None, symbol.kind))

    def functions(self) -> tuple[Symbol, ...]:
        """All functions that have a body, by path and place."""
        return tuple(self._view.symbols(SymbolKind.FUNCTION))

    def text(self, symbol: Symbol) -> str:
        """The symbol's source text, without the comment above it."""
        return self._view.text(symbol)

    def callers(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """The functions that call it, by path and place."""
        return self._view.callers(symbol)

    def callees(self, symbol: Symbol) -> tuple[Symbol, ...]:
        """The functions and macros that it calls, in the order of its calls."""
        return self._view.callees(symbol)

    def target(self, symbol: Symbol) -> Target:
        """The function as a target: the hole that `graft.hide` makes, and what an agent is told about it.

        Raises ValueError when the symbol isn't a function with a body."""
        if symbol.kind is not SymbolKind.FUNCTION:
            raise ValueError(f"{symbol.qualified_name}: a {symbol.kind.value} has no body to hide")
        return Target(
            repo=self.tree.name,
            path=symbol.path,
            span=symbol.span,
            name=symbol.qualified_name,
            signature=symbol.signature,
            docstring=symbol.docstring,
            language=symbol.language,
        )

    def close(self) -> None:
        """Let go of the index's files. Further calls fail."""
        self._repo.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def index(tree: str | Path, folder: str | Path | None = None, *, workers: int = 2) -> IndexReport:
    """Build the index of a C or C++ source tree, or bring it up to date: only files that changed are read again.

    tree     the root of the source tree
    folder   where the index is to lie; None: in Graft's cache, under the tree's path
    workers  processes that parse; with more than one, the calling script's work must stand under
             `if __name__ == "__main__":`, as Python's multiprocessing asks of every script

    Returns counts of files, functions and symbols, and the files that were skipped, with the reason.
    Raises UserError when the tree is no folder or the folder holds another tree's index, OSError when the folder
    can't be written.
    """
    from experiments.indexing.index_place import choose_index_place, record_indexed_tree
    from index.build import build_index

    place = choose_index_place(Path(tree), None if folder is None else Path(folder))
    record_indexed_tree(place)
    return build_index(place.root, place.folder, workers=workers)


def open(  # noqa: A001 - `graft.open`, as in `gzip.open`
    tree: str | Path | None = None, folder: str | Path | None = None
) -> Index:
    """Open an index that `graft.index` or `graft index build` has made, by its tree or by its own folder.

    Without either it is the index of the working directory, or of the nearest folder above that has one.
    Raises UserError when there is no index, when it is damaged, or when it is of another version of Graft.
    """
    from experiments.indexing.index_place import find_and_open_index, make_view_hiding_nothing

    repo = find_and_open_index(None if tree is None else Path(tree), None if folder is None else Path(folder))
    return Index(repo.root, repo.folder, repo, make_view_hiding_nothing(repo))


def search(index: Index, query: str, *, by: Literal["words", "meaning"] = "words", limit: int = 10) -> tuple[Hit, ...]:
    """The functions that fit a query best, best first: by the words they hold, or by what they do.

    A search by meaning fits an encoder to the repository the first time, which takes seconds to minutes.
    Raises UserError for another `by`, and when the tree has changed since it was indexed.
    """
    if by not in _QUERY_RETRIEVERS:
        raise UserError(f"search by {by!r} is not known (known: {', '.join(_QUERY_RETRIEVERS)})")
    question = replace(index._view.target, docstring=query)
    retriever = _make_retriever(index, _QUERY_RETRIEVERS[by], ())
    return tuple(retriever.retrieve(index._view, question, limit))


def hide(index: Index, target: Target, masking: Masking = "strict") -> HiddenView:
    """The repository as it looks while the target's body is to be written: the body and its calls are gone.

    "strict" hides the bodies of the target's clones too, "realistic" keeps them. The index itself is unchanged, and
    any number of views may exist side by side.
    Raises UserError when the target's file isn't indexed, or its lines lie outside the file.
    """
    return index._repo.hide(target, masking)


def retrieve(
    index: Index,
    target: Target,
    by: str | MakeRetriever = "hybrid",
    *,
    limit: int = 10,
    masking: Masking = "strict",
    held_out: Sequence[Target] = (),
    encoder: str | None = None,
) -> tuple[Hit, ...]:
    """What a retriever proposes for the body of a target, which is hidden from it; best first.

    by        a built-in retriever, a plug-in's name, "module:attribute", or the factory itself
    held_out  further targets whose bodies a trained retriever mustn't learn from
    encoder   a sentence-transformers model, by name or path, for the retrievers that take one

    Raises UserError for an unknown retriever or encoder.
    """
    retriever = _make_retriever(index, by, (target, *held_out), encoder)
    return tuple(retriever.retrieve(hide(index, target, masking), target, limit))


def _make_retriever(
    index: Index, by: str | MakeRetriever, held_out: tuple[Target, ...], encoder: str | None = None
) -> Retriever:
    from experiments.arms.retrievers import make_retriever
    from retrieval.protocol import RetrieverSettings

    settings = RetrieverSettings(held_out=held_out, encoder=encoder)
    return make_retriever(by, index._repo, settings) if isinstance(by, str) else by(index._repo, settings)
