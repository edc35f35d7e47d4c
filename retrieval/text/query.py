"""What a target says about itself, as a query: its name, signature and docstring, never its body."""

from __future__ import annotations

from index.values import Target
from retrieval.text.terms import split_terms

DOCSTRING_TERM_WEIGHT = 0.7
"""Weight of a term that only the docstring has: prose holds words that no name has."""


def join_query_text(target: Target) -> str:
    """Name, signature and docstring in one text."""
    return f"{target.name} {target.signature} {target.docstring}"


def weigh_query_terms(target: Target) -> dict[str, float]:
    """The distinct terms of `join_query_text`, each with its weight."""
    weights = dict.fromkeys(split_terms(target.docstring), DOCSTRING_TERM_WEIGHT)
    weights.update(dict.fromkeys(split_terms(f"{target.name} {target.signature}"), 1.0))
    return weights
