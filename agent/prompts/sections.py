"""A packed context -> the headed parts of a prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby

from retrieval.values import Snippet, SnippetGroup

HEADINGS: Mapping[SnippetGroup, str] = {
    # Neutral words: whether they are the callees is what an arm is there to find out.
    SnippetGroup.FILE: "The file around the function",
    SnippetGroup.FUNCTIONS: "Functions",
    SnippetGroup.TYPES: "Types",
    SnippetGroup.MACROS: "Macros and constants",
    SnippetGroup.GLOBALS: "Variables",
    SnippetGroup.INCLUDES: "Included by the file",
    SnippetGroup.EXAMPLES: "Functions of the same file, for its style",
}
_ONE_LINERS = frozenset({SnippetGroup.MACROS, SnippetGroup.GLOBALS})


@dataclass(frozen=True, slots=True)
class Fence:
    """One fence of a prompt. `title` is "" where the path says it all."""

    path: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class PromptSection:
    heading: str
    parts: tuple[Fence, ...]


def group_consecutive_snippets_into_sections(snippets: Iterable[Snippet]) -> tuple[PromptSection, ...]:
    """The snippets in their order, by group. Brief snippets and one-liners of the same file that follow each other
    share a part."""
    sections = []
    for group, members in groupby(snippets, key=lambda s: s.group):
        parts: list[Fence] = []
        for (_, path, form), run in groupby(enumerate(members), key=_make_shared_fence_key):
            found = [snippet for _, snippet in run]
            title = found[0].title if len(found) == 1 else "signatures" if form == "brief" else ""
            if form == "brief" and len(found) == 1:
                title = f"{title} (signature only)" if group is SnippetGroup.FUNCTIONS else f"{title} (shortened)"
            parts.append(Fence(path, title, "\n".join(snippet.text for snippet in found)))
        sections.append(PromptSection(HEADINGS[group], tuple(parts)))
    return tuple(sections)


def _make_shared_fence_key(numbered: tuple[int, Snippet]) -> tuple[int, str, str]:
    """Equal for neighbours that may share a fence."""
    number, snippet = numbered
    if snippet.group is SnippetGroup.FUNCTIONS and snippet.is_brief:
        return (-1, snippet.path, "brief")
    if snippet.group in _ONE_LINERS:
        return (-1, snippet.path, "line")
    return (number, snippet.path, "brief" if snippet.is_brief else "whole")
