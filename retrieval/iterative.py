"""The `iterative` arms: a draft leads to the next context. (The agent asks the model for the draft.)"""

from __future__ import annotations

from dataclasses import replace

from index.hiding.view import HiddenView
from index.values import Target
from retrieval.protocol import Retriever
from retrieval.text.lookup import lookup, unresolved
from retrieval.values import Hit

NEAR_A_NAME = 2
"""Functions offered for a name that doesn't exist: a made-up name often resembles a real one (`dictFetch`)."""
MOST_MADE_UP = 5
"""Made-up names that are followed up; a draft full of them says little."""


def after_draft(
    view: HiddenView, target: Target, draft: str, base: Retriever, by_words: Retriever, limit: int
) -> list[Hit]:
    """What the draft names, looked up exactly; then the functions whose names most resemble those that it made up;
    then at most `limit` of what `base` finds without a draft. A symbol may come twice."""
    named = lookup(view, draft, target)
    near = [
        Hit(hit.symbol, hit.score, f"its name resembles {name}, which the draft calls and nothing defines")
        for name in unresolved(view, draft, target)[:MOST_MADE_UP]
        for hit in by_words.retrieve(view, replace(target, name=name, signature=name, docstring=""), NEAR_A_NAME)
    ]
    return [*named, *near, *base.retrieve(view, target, limit)]


def after_draft_by_similarity(
    view: HiddenView, target: Target, draft: str, by_words: Retriever, limit: int
) -> list[Hit]:
    """The control, as RepoCoder does it (Zhang et al. 2023, arXiv 2303.12570): the draft's text joins the query."""
    return by_words.retrieve(view, replace(target, docstring=f"{target.docstring}\n{draft}"), limit)
