"""The name of C's library that a draft misspelt."""

from __future__ import annotations

from agent.explain.name_similarity import name_similarity
from index.cpp.c_library import NAMES_BY_HEADER

_LEAST_SIMILARITY = 85.0


def find_nearest_in_libc(name: str) -> tuple[str, str]:
    """(the nearest name, its header), or ("", "") where none is nearly the same."""
    found = [
        (name_similarity(name, known), known, header)
        for header, names in NAMES_BY_HEADER.items()
        for known in names.split()
    ]
    score, nearest, header = max(found)
    return (nearest, header) if score >= _LEAST_SIMILARITY and nearest != name else ("", "")
