"""The context of a task in an arm. Every arm has the same packer and the same budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from executor.values import Task
from experiments.arms.arm import AROUND, BY_WORDS, Arm
from index.cpp.tokens import tokenize
from index.hiding.copies import Copy
from index.hiding.hidden_view import HiddenView
from index.hiding.holes import Lines
from index.values import Masking
from retrieval.context.assembly import (
    Packing,
    interleave_hits_of_holes,
    make_functions_context,
    make_oracle_and_declarations_context,
    make_oracle_context,
    make_retrieved_context,
    make_surroundings_context,
)
from retrieval.names.needed_names import find_needed_names_of_holes
from retrieval.protocol import FindNames, Retriever
from retrieval.text.draft_lookup import retrieve_after_draft
from retrieval.values import Context, Hit

if TYPE_CHECKING:
    from agent.tools.name_table import NameTable
    from index.repo_index import RepoIndex

DISTRACTOR_FACTOR = 2
"""A distractor arm asks for this many times the hits, so that enough remain without the true callees."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a repository's prompts and tools are made of. `index` is None where no arm reads it; `retrievers` are those
    that the arms need; `table` holds the names for arms with tools. `shown_name`: what prompts call the
    repository, "" for its own name. `find_names` is None where no arm retrieves. `root`: where its source lies.
    `uncompiled`: lines that no context shows."""

    index: RepoIndex | None
    retrievers: Mapping[str, Retriever]
    table: NameTable | None = None
    shown_name: str = ""
    find_names: FindNames | None = None
    root: Path | None = None
    uncompiled: Lines = field(default_factory=dict)


class ContextSettings(NamedTuple):
    """What all contexts of a run share. `draft_base` is the retriever of a drafted arm's first context, and is used
    for the later ones as well."""

    packing: Packing
    masking: Masking
    draft_base: str


class ArmContext(NamedTuple):
    """The context, and the target's twins elsewhere in the tree, each as `qualified name (path), by shape 0.81`: the
    similarity, and whether it was found by its text (`run`), by a part of it (`copy`) or by its shape. `copies` are
    the other places that hold the target's text."""

    context: Context
    clones: tuple[str, ...]
    copies: tuple[Copy, ...] = ()


def make_arm_context(
    arm: Arm, task: Task, reading: Reading, settings: ContextSettings, draft: str | None = None
) -> ArmContext:
    """Make the context. `draft` is what the arm's model drafted on the context before; None for the first.

    An arm with tools gets an empty context or the hole's surroundings; the model asks for the rest.
    """
    packing, retrievers = settings.packing, reading.retrievers
    items = [(item.text, item.path, item.name) for item in task.oracle]
    if arm.kind == "oracle":
        return ArmContext(make_oracle_context(items, packing), ())
    if not arm.needs_index_for_context:
        return ArmContext(Context((), 0, packing.budget, ()), ())
    if reading.index is None:
        raise ValueError(f"the arm {arm.name} needs the repository's index")
    view = reading.index.hide(task.target, settings.masking).leave_out_lines(reading.uncompiled)
    clones = tuple(
        f"{twin.symbol.qualified_name} ({twin.symbol.path}), by {twin.how} {twin.similarity:.2f}"
        for twin in view.twins
    )
    if arm.kind == "tools" and arm.source != AROUND:
        return ArmContext(Context((), 0, packing.budget, ()), clones, view.copies)
    if arm.kind in ("file", "tools"):
        context = make_surroundings_context(view, task.target, packing)
    elif arm.kind == "oracle+":
        needed = find_needed_names_of_holes(task.golds, task.target, reading.index, reading.uncompiled)
        context = make_oracle_and_declarations_context(view, task.target, items, packing, needed)
    elif arm.kind == "wrong":
        context = make_functions_context(
            view, _retrieve_hits_unnamed_in_gold(arm, task, view, retrievers, packing), packing, arm.source
        )
    elif reading.find_names is None:
        raise ValueError(f"the arm {arm.name} needs who finds names")
    elif draft is None:
        name = arm.source if arm.kind == "retrieved" else settings.draft_base
        hits = _retrieve_interleaved_hits_of_holes(
            retrievers[name], task, view, packing.requested_hits_including_tests
        )
        context = make_retrieved_context(view, task.target, hits, packing, name, reading.find_names)
    else:
        base, by_words = retrievers[settings.draft_base], retrievers[BY_WORDS]
        limit = packing.requested_hits_including_tests
        hits = interleave_hits_of_holes(
            view, task.target, lambda seen, hole: retrieve_after_draft(seen, hole, draft, base, by_words, limit)
        )
        context = make_retrieved_context(view, task.target, hits, packing, arm.source, reading.find_names)
    return ArmContext(context, clones, view.copies)


def _retrieve_interleaved_hits_of_holes(retriever: Retriever, task: Task, view: HiddenView, limit: int) -> list[Hit]:
    return interleave_hits_of_holes(view, task.target, lambda seen, hole: retriever.retrieve(seen, hole, limit), limit)


def _retrieve_hits_unnamed_in_gold(
    arm: Arm, task: Task, view: HiddenView, retrievers: Mapping[str, Retriever], packing: Packing
) -> list[Hit]:
    """Functions whose names don't occur in the true body. These arms read the gold for that, here in the composition
    root: a context shows of it only that these names aren't in it."""
    retriever = retrievers[arm.list_needed_retrievers(BY_WORDS)[0]]
    named = set(tokenize(task.gold))
    found = _retrieve_interleaved_hits_of_holes(
        retriever, task, view, packing.requested_hits_including_tests * DISTRACTOR_FACTOR
    )
    return [hit for hit in found if hit.symbol.name not in named]
