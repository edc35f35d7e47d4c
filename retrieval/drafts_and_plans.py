"""The arms that ask twice: a draft or a plan leads to the next context. (The agent asks the model for it.)"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from index.hiding.hidden_view import HiddenView
from index.values import Target
from retrieval.protocol import Retriever
from retrieval.text.draft_lookup import find_unresolved_calls, look_up_draft
from retrieval.text.terms import split_words
from retrieval.values import Hit, symbol_place

FUNCTIONS_PER_MADE_UP_NAME = 2
"""Functions offered for a name that doesn't exist: a made-up name often resembles a real one (`dictFetch`)."""
MOST_MADE_UP_NAMES = 5
"""Made-up names that are followed up; a draft full of them says little."""

MOST_HELPERS = 12
"""Lines of a plan that are looked up; it is asked for 8."""
FUNCTIONS_PER_HELPER = 4
"""Functions offered for a line of a plan."""
SEARCHED_PER_HELPER = 60
"""Functions that each search offers for a line, before they are fused."""
RANK_FUSION_OFFSET = 10.0
"""Added to each rank where rankings are fused (reciprocal ranks; Cormack et al. 2009): with less the first places
decide alone."""

_BULLET = re.compile(r"^\s*(?:[-*+\u2022]|\(?\d{1,2}[.)])\s+")


def retrieve_after_draft(
    view: HiddenView, target: Target, draft: str, base: Retriever, by_words: Retriever, limit: int
) -> list[Hit]:
    """What the draft names, looked up exactly; then the functions whose names most resemble those that it made up;
    then at most `limit` of what `base` finds without a draft. A symbol may come twice."""
    named = look_up_draft(view, draft, target)
    near = [
        Hit(hit.symbol, hit.score, f"its name resembles {name}, which the draft calls and nothing defines")
        for name in find_unresolved_calls(view, draft, target)[:MOST_MADE_UP_NAMES]
        for hit in by_words.retrieve(
            view, replace(target, name=name, signature=name, docstring=""), FUNCTIONS_PER_MADE_UP_NAME
        )
    ]
    return [*named, *near, *base.retrieve(view, target, limit)]


def retrieve_by_similarity_to_draft(
    view: HiddenView, target: Target, draft: str, by_words: Retriever, limit: int
) -> list[Hit]:
    """The control, as RepoCoder does it (Zhang et al. 2023, arXiv 2303.12570): the draft's text joins the query."""
    return by_words.retrieve(view, replace(target, docstring=f"{target.docstring}\n{draft}"), limit)


def retrieve_after_plan(
    view: HiddenView,
    target: Target,
    plan: str,
    base: Retriever,
    by_meaning: Retriever,
    by_words: Retriever,
    limit: int,
) -> list[Hit]:
    """What the plan names, looked up exactly; then for each helper that it describes, in turn, the functions that fit
    best; then at most `limit` of what `base` finds without a plan. A symbol may come twice.

    A function fits a description by its meaning and by its words, types among them, and by its role: the place that
    `base` gives it among what this very hole likely calls."""
    likely = base.retrieve(view, target, max(limit, SEARCHED_PER_HELPER))
    meant = [word for word in dict.fromkeys(split_words(plan)) if _is_symbol_meant_by_word(word, plan)]
    # Prose puts no brackets behind a function's name, and few plans name anything else.
    named = look_up_draft(view, " ".join(f"{word}(); {word};" for word in meant), target)
    fitting = [
        _find_functions_fitting_helper(view, target, helper, likely, (by_meaning, by_words))
        for helper in split_plan_into_helpers(plan)[:MOST_HELPERS]
    ]
    in_turn = [hit for hit in chain.from_iterable(zip_longest(*fitting)) if hit is not None]
    return [*named, *in_turn, *likely[:limit]]


def split_plan_into_helpers(plan: str) -> list[str]:
    """The descriptions in a plan: its lines without bullets and numbers, or all of it where no line has one."""
    lines = [line for line in plan.splitlines() if line.strip() and not line.lstrip().startswith("```")]
    items = [_BULLET.sub("", line).strip() for line in lines if _BULLET.match(line)]
    return items or [line.strip() for line in lines]


def _is_symbol_meant_by_word(name: str, plan: str) -> bool:
    """Whether a plan means a symbol by a word: a plan is prose, and `list` there is a word of English."""
    plain = name.isalpha() and (name.islower() or name.istitle())
    return not plain or re.search(rf"\b{re.escape(name)}(?:\(|`|\s*:)", plan) is not None


def _find_functions_fitting_helper(
    view: HiddenView, target: Target, helper: str, likely: Sequence[Hit], searchers: Sequence[Retriever]
) -> Iterator[Hit]:
    query = replace(target, name="", signature="", docstring=helper)
    found = [searcher.retrieve(view, query, SEARCHED_PER_HELPER) for searcher in searchers]
    offered = {symbol_place(hit.symbol): hit for hits in found for hit in hits}
    scores: Counter[tuple[str, int]] = Counter()
    for hits in (*found, likely):
        for rank, hit in enumerate(hits):
            scores[symbol_place(hit.symbol)] += 1 / (RANK_FUSION_OFFSET + rank)  # type: ignore[assignment]  # a Counter counts in any number
    best = sorted(offered, key=lambda place: (-scores[place], place))[:FUNCTIONS_PER_HELPER]
    for place in best:
        yield Hit(offered[place].symbol, scores[place], f"it fits what the plan describes: {helper[:80]}")
