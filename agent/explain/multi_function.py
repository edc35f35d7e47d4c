"""Declarations that explain the compiler's messages on several functions: each is looked up from its own place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from agent.explain.declarations import DeclarationLookup
from agent.values import Declaration, Explainer
from index.function_texts import locate_functions
from index.hiding.hidden_view import HiddenView
from index.values import Diagnostic, Target

_MOST = 8


@dataclass(frozen=True, slots=True)
class MultiFunctionLookup:
    """`lookups` are those of the target's functions, in their order. Satisfies Explainer for a joined text."""

    lookups: tuple[DeclarationLookup, ...]

    def explain(self, code: str, diagnostics: Sequence[Diagnostic]) -> Sequence[Declaration]:
        found = []
        for lookup, piece in zip(self.lookups, locate_functions(code, len(self.lookups)), strict=True):
            if piece is None:
                continue
            lines = range(piece.before + 1, piece.before + piece.text.count("\n") + 2)
            own = [replace(d, line=d.line - piece.before) for d in diagnostics if d.in_candidate and d.line in lines]
            found.append(lookup.explain(piece.text, own) if own else ())
        turns = chain.from_iterable(zip_longest(*found))
        return tuple(dict.fromkeys(relevant for relevant in turns if relevant is not None))[:_MOST]


def make_explainer(view: HiddenView, target: Target) -> Explainer:
    """The explainer of a task of one function, or of several."""
    lookups = tuple(DeclarationLookup(view.view_of_hole(hole), hole) for hole in target.holes)
    return lookups[0] if len(lookups) == 1 else MultiFunctionLookup(lookups)
