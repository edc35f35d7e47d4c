"""The arms of an experiment: where the context comes from, and whether the compiler answers back.

docs/reference/arms.md describes each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from experiments.arms.retrievers import RETRIEVERS, find_retriever
from index.plugins import is_import_path, list_plugins_rejecting_name_clashes
from index.user_files import make_spelling_hint

Kind = Literal["none", "file", "oracle", "oracle+", "retrieved", "drafted", "wrong", "tools"]
"""How an arm's context is made (see `experiments.arms.context`). An arm of kind "tools" starts without one, or with
the hole's surroundings; `experiments.run.sampling.conversation` gives its model a toolbox."""

RETRIEVED_KINDS: frozenset[Kind] = frozenset({"retrieved", "drafted"})
"""Kinds whose contexts are made of a retriever's hits and of names that the body may need."""
COMPILE = "+compile"
BY_WORDS = "lexical"
"""The retriever for plain words: the names in a draft, plausible wrong functions. It is a text search and needs no
training."""
RANDOM = "random"
AROUND = "agentic-file"


class Source(NamedTuple):
    """Where a context comes from. `meaning` describes it in one line."""

    kind: Kind
    meaning: str


_BEFORE_RETRIEVERS: Mapping[str, Source] = {
    "none": Source("none", "signature and docstring alone"),
    "file": Source("file", "what stands above and below the hole"),
    "oracle": Source("oracle", "the true body's callees, as the data set gives them"),
    "oracle+": Source(
        "oracle+", "the oracle's callees, and a declaration of every other name that the true body uses"
    ),
}
_BEHIND_RETRIEVERS: Mapping[str, Source] = {
    "iterative": Source("drafted", "retrieve, draft, look the draft's names up exactly, retrieve again"),
    "agentic": Source("tools", "nothing at first: the model looks things up with tools"),
    AROUND: Source("tools", "the same, and what stands above and below the hole to begin with"),
    "distractor": Source("wrong", "plausible functions that the true body doesn't name"),
    RANDOM: Source("wrong", "functions of the repository, drawn by chance"),
}


def list_built_in_context_sources() -> dict[str, Source]:
    """Graft's own sources by name. A retriever is one by its line in `experiments.arms.retrievers`; an arm with tools
    is one line here, of kind "tools"."""
    retrieved = {name: Source("retrieved", listed.meaning) for name, listed in RETRIEVERS.items() if listed.is_arm}
    return {**_BEFORE_RETRIEVERS, **retrieved, **_BEHIND_RETRIEVERS}


def list_context_sources_with_plugins() -> dict[str, Source]:
    """All sources by name: Graft's own and the retrievers that are plug-ins. Raises ConfigError when a plug-in has the
    name of another source."""
    own = list_built_in_context_sources()
    added = list_plugins_rejecting_name_clashes("graft.retrievers", {**RETRIEVERS, **own})
    return {**own, **{name: Source("retrieved", find_retriever(name).meaning) for name in added}}


@dataclass(frozen=True, slots=True)
class Arm:
    """`source` is a name in `list_context_sources_with_plugins()` and `kind` its kind. `rounds` is the most rounds of
    repair; None: the configuration's `repair_rounds`."""

    name: str
    source: str
    kind: Kind
    compiles: bool
    rounds: int | None = None

    def list_needed_retrievers(self, draft_base: str) -> tuple[str, ...]:
        """The retrievers that the arm needs. `draft_base` is the first retriever of an arm that drafts."""
        if self.kind == "retrieved" or self.source == RANDOM:
            return (self.source,)
        if self.kind == "drafted":
            return tuple(dict.fromkeys((draft_base, BY_WORDS)))
        return (BY_WORDS,) if self.kind in ("wrong", "tools") else ()

    @property
    def needs_index_for_context(self) -> bool:
        """Whether its context comes from the index."""
        return self.kind not in ("none", "oracle")


def list_arm_names() -> tuple[str, ...]:
    names = tuple(list_context_sources_with_plugins())
    return (*names, *(name + COMPILE for name in names))


def parse_arm(name: str) -> Arm:
    """An arm by its name; a source may be a retriever's import path, `module:attribute`. Raises ValueError, with the
    nearest right name, for the configuration's reader to turn into its error."""
    split = re.fullmatch(rf"(.+?)(?:{re.escape(COMPILE)}(\d{{0,2}}))?", name)
    source = split[1] if split is not None else name
    found = (
        Source("retrieved", find_retriever(source).meaning)
        if is_import_path(source)
        else list_context_sources_with_plugins().get(source)
    )
    if found is None:
        known = ", ".join(list_context_sources_with_plugins())
        hint = make_spelling_hint(name, list_arm_names())
        raise ValueError(f"unknown arm {name!r}{hint} (known: {known}, each also with {COMPILE})")
    rounds = int(split[2]) if split is not None and split[2] else None
    return Arm(name, source, found.kind, name != source, rounds)
