"""Graft: can this model write this function inside this real, two-million-line C++ repository?

The public door. What this module names keeps its meaning within a major version; everything behind it may move.

    graft.index      build the index of a source tree        graft.run       run an experiment
    graft.open       open an index                           graft.grade     grade a run's stored logs again
    graft.search     find functions by words or by meaning   graft.load_run  read a run's record
    graft.hide       the tree without one function's body
    graft.retrieve   what a retriever proposes for that body

docs/python.md shows them at work. Importing graft loads no library but Python's own; each function loads what it
needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graft._internals import claim_package_names

claim_package_names()

from graft._reading import Index, hide, index, open, retrieve, search  # noqa: A004
from graft._runs import ArmScore, RunReport, Sample, grade, load_run, run
from index.errors import GraftError, UserError
from index.values import Span, Symbol, SymbolKind, Target
from retrieval.protocol import Retriever, RetrieverSettings
from retrieval.values import Hit

if TYPE_CHECKING:
    from index.build import IndexReport as IndexReport
    from index.hiding.hidden_view import HiddenView as HiddenView

__version__ = "0.1.0"

__all__ = [
    "ArmScore",
    "GraftError",
    "HiddenView",
    "Hit",
    "Index",
    "IndexReport",
    "Retriever",
    "RetrieverSettings",
    "RunReport",
    "Sample",
    "Span",
    "Symbol",
    "SymbolKind",
    "Target",
    "UserError",
    "grade",
    "hide",
    "index",
    "load_run",
    "open",
    "retrieve",
    "run",
    "search",
]


def __getattr__(name: str) -> object:
    # Types for annotations, whose modules load numpy.
    if name == "HiddenView":
        from index.hiding.hidden_view import HiddenView

        return HiddenView
    if name == "IndexReport":
        from index.build import IndexReport

        return IndexReport
    raise AttributeError(f"module 'graft' has no attribute {name!r}")
