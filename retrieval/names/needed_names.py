"""The names of the repository that a function's text uses, and which of them a prompt shows.

A name counts when the repository defines it where the function can see it (the function's file and all that it
includes), and neither the signature has it nor the function declares it. Names of the standard library don't count:
nobody has to be shown them. What only `#if`, `#ifdef` and the like name doesn't count either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from index.cpp.body_offset import find_body_or_initializer_list_offset
from index.cpp.c_library import NAMES_BY_HEADER
from index.cpp.keywords import STANDARD_TYPES, word_set
from index.hiding.hidden_view import HiddenView
from index.hiding.holes import NO_LINES, Lines, is_in_spans
from index.repo_index import RepoIndex
from index.values import Entry, SymbolKind, Target
from retrieval.text.draft_lookup import MentionForm, find_identifiers, find_mentions
from retrieval.text.terms import split_words

KIND_ORDER: dict[MentionForm, tuple[SymbolKind, ...]] = {
    "call": (
        SymbolKind.FUNCTION,
        SymbolKind.PROTOTYPE,
        SymbolKind.MACRO,
        SymbolKind.TYPE,
        SymbolKind.GLOBAL,
        SymbolKind.FIELD,
    ),
    "member": (SymbolKind.FUNCTION, SymbolKind.PROTOTYPE, SymbolKind.FIELD, SymbolKind.MACRO),
    "field": (SymbolKind.FIELD, SymbolKind.MACRO),
    "plain": (
        SymbolKind.MACRO,
        SymbolKind.TYPE,
        SymbolKind.ENUMERATOR,
        SymbolKind.GLOBAL,
        SymbolKind.FUNCTION,
        SymbolKind.PROTOTYPE,
    ),
}
"""What a name can be by the way in which it is used, the likeliest first."""

_STANDARD_NAMES = (
    frozenset(" ".join(NAMES_BY_HEADER.values()).split())
    | word_set("off_t time_t va_list va_start va_end va_arg FILE stdin stdout stderr offsetof")
    | STANDARD_TYPES
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\\\n]|\\[\s\S])*", re.MULTILINE)


class NeededName(NamedTuple):
    """A name that a body uses, as the body writes it without its scope, and what it is."""

    name: str
    kind: SymbolKind


def find_needed_names(
    text: str, target: Target, index: RepoIndex, uncompiled: Lines = NO_LINES
) -> tuple[NeededName, ...]:
    """The repository's names that the function `text` uses, each once, in the order of its calls, plain names and
    fields. `text` may be a gold: only who composes or scores an experiment calls this. Nothing in lines that are
    `uncompiled` counts: neither what a gold, which stands at the target's lines, uses there, nor what is declared
    there."""
    gone = uncompiled.get(target.path, ())
    if gone:
        numbered = enumerate(text.split("\n"), target.span.first)
        text = "\n".join(line for number, line in numbered if not is_in_spans(number, gone))
    start = find_body_or_initializer_list_offset(text)
    body = _DIRECTIVE.sub("", text if start is None else text[start:])
    given = {*find_identifiers(target.signature), *target.name.split("::")}
    reached = find_file_and_transitive_includes(target.path, index)
    found: dict[str, NeededName] = {}
    for mention in find_mentions(body, target):
        name = mention.name.rpartition("::")[2]
        standard = mention.form in ("call", "plain") and name in _STANDARD_NAMES
        if name in given or name in found or standard:
            continue
        kind = _choose_kind_of_mentioned_name(name, mention.form, target, reached, index, uncompiled)
        if kind is not None:
            found[name] = NeededName(name, kind)
    return tuple(found.values())


def find_needed_names_of_holes(
    texts: Iterable[str], target: Target, index: RepoIndex, uncompiled: Lines = NO_LINES
) -> tuple[tuple[NeededName, ...], ...]:
    """The same of each of the target's functions, from a text of each."""
    each = zip(texts, target.holes, strict=True)
    return tuple(find_needed_names(text, hole, index, uncompiled) for text, hole in each)


def join_prompt_text(target: Target, shown: Iterable[str]) -> str:
    """What a prompt tells of the repository: its functions' signatures and comments, and the texts of its context."""
    return "\n".join((*(f"{hole.signature}\n{hole.docstring}" for hole in target.holes), *shown))


def find_missing_names(needed: Iterable[NeededName], prompt: str) -> tuple[NeededName, ...]:
    """Those of the names that stand nowhere in the prompt, as whole words."""
    shown = frozenset(split_words(prompt))
    return tuple(name for name in needed if name.name not in shown)


def find_file_and_transitive_includes(path: str, index: RepoIndex | HiddenView) -> frozenset[str]:
    """The file and all that it includes, directly or not."""
    seen = {path}
    edge: list[str] = [path]
    while edge:
        edge = list(dict.fromkeys(p for file in edge for p in index.includes(file) if p not in seen))
        seen.update(edge)
    return frozenset(seen)


def _choose_kind_of_mentioned_name(
    name: str, form: MentionForm, target: Target, reached: frozenset[str], index: RepoIndex, uncompiled: Lines
) -> SymbolKind | None:
    seen = {
        entry.symbol.kind
        for entry in index.entries_named(name)
        if entry.symbol.path in reached
        and not _is_inside_hole(entry, target)
        and not is_in_spans(entry.symbol.span.first, uncompiled.get(entry.symbol.path, ()))
    }
    order = KIND_ORDER[form]
    if form == "plain" and "::" in target.name:
        order = (*order, SymbolKind.FIELD)  # a method names its class's fields without a receiver
    kind = next((kind for kind in order if kind in seen), None)
    return SymbolKind.FUNCTION if kind is SymbolKind.PROTOTYPE else kind


def _is_inside_hole(entry: Entry, target: Target) -> bool:
    symbol = entry.symbol
    return any(
        symbol.path == hole.path and hole.span.first <= symbol.span.first <= hole.span.last for hole in target.holes
    )
