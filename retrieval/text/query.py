"""What a target says about itself, as a query: its name, signature and docstring, never its body."""

from __future__ import annotations

from index.values import Target
from retrieval.text.terms import terms

DOCSTRING_WEIGHT = 0.7
"""Weight of a term that only the docstring has: prose holds words that no name has."""


def query_text(target: Target) -> str:
    """Name, signature and docstring in one text."""
    return f"{target.name} {target.signature} {target.docstring}"


def query_terms(target: Target) -> dict[str, float]:
    """The distinct terms of `query_text`, each with its weight."""
    weights = dict.fromkeys(terms(target.docstring), DOCSTRING_WEIGHT)
    weights.update(dict.fromkeys(terms(f"{target.name} {target.signature}"), 1.0))
    return weights
