"""Helpers of several functions: each stands once in a file, above the first function that uses it.

A helper is what `extract_function` puts above a function: another function, a variable, an enumeration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.answer.definitions import TopLevelItem, list_top_level_items, select_used_items
from agent.answer.header import last_segment
from index.source_text import decode_source, encode_source
from index.values import Target


def merge_helpers_with_earlier(
    texts: Sequence[str | None], earlier: Sequence[str | None], holes: Sequence[Target]
) -> list[str | None]:
    """The functions' texts, where some were handed in after the `earlier` ones. A helper that both hold is the later
    one; one whose function was handed in again without it stays where another function uses it."""
    shared = list(texts)
    for path in dict.fromkeys(hole.path for hole in holes):
        own = [n for n, hole in sorted(enumerate(holes), key=lambda pair: pair[1].span.first) if hole.path == path]
        new = [n for n in own if texts[n] != earlier[n]]
        pool = _keep_latest_helpers(
            helper
            for given, numbers in ((earlier, own), (texts, new))
            for n in numbers
            for helper in _split_helpers(given[n], holes[n])[0]
        )
        for n in own if pool else ():
            if texts[n] is not None:
                rest = _split_helpers(texts[n], holes[n])[1]
                used = select_used_items(rest, pool)
                pool = [helper for helper in pool if helper not in used]
                shared[n] = "\n\n".join((*(helper.text for helper in used), rest))
    return shared


def prepend_used_helpers(texts: Sequence[str | None], number: int, holes: Sequence[Target]) -> str:
    """One function's text, and above it the helpers that it uses and that stand with another function of its file."""
    text = texts[number] or ""
    known = {name for helper in _split_helpers(text, holes[number])[0] for name in helper.names}
    others = [n for n, hole in enumerate(holes) if n != number and hole.path == holes[number].path]
    pool = _keep_latest_helpers(helper for n in others for helper in _split_helpers(texts[n], holes[n])[0])
    used = select_used_items(text, [helper for helper in pool if helper.names.isdisjoint(known)])
    return "\n\n".join((*(helper.text for helper in used), text))


def _split_helpers(text: str | None, hole: Target) -> tuple[list[TopLevelItem], str]:
    """The helpers above a function, and the function."""
    items = list_top_level_items(text or "", hole.language)
    places = [item.start for item in items if item.function and last_segment(item.name) == last_segment(hole.name)]
    above = [item for item in items if places and item.end <= places[-1] and item.names and not item.in_class]
    if text is None or not above:
        return [], text or ""
    return above, decode_source(encode_source(text)[above[-1].end :]).lstrip("\n")


def _keep_latest_helpers(helpers: Iterable[TopLevelItem]) -> list[TopLevelItem]:
    """Each once: of two that define a name the later one."""
    joined: list[TopLevelItem] = []
    for helper in helpers:
        joined = [*(known for known in joined if known.names.isdisjoint(helper.names)), helper]
    return joined
