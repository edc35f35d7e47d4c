"""Ranked hits and the hidden repository -> the whole context: functions, and all that helps to call them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from index.hiding.hidden_view import HiddenView
from index.values import SymbolKind, Target
from retrieval.context.declarations import make_declarations
from retrieval.context.name_purchase import (
    BodyOffer,
    Purchase,
    buy_names_and_bodies,
    make_bought_snippets,
    make_symbol_place_key,
)
from retrieval.context.snippets import (
    TextPathName,
    find_snippet_group,
    make_snippets_from_hits,
    make_snippets_from_oracle,
)
from retrieval.context.surroundings import (
    cut_surroundings_of_holes_in_file,
    find_most_similar_functions_in_file,
    make_includes_snippet,
)
from retrieval.context.token_budget import estimate_tokens, make_context, pack_snippets
from retrieval.names.needed_names import NeededName, find_missing_names, join_prompt_text
from retrieval.protocol import FindNames
from retrieval.test_code import is_test_code
from retrieval.values import (
    Bodies,
    Context,
    DroppedSnippet,
    Hit,
    NameChance,
    Snippet,
    SnippetGroup,
    drop_repeated_hits,
    sort_by_group,
)

_BEFORE_BRACKET = re.compile(r"([A-Za-z_]\w*)\s*\(")

RETRIEVED_GROUPS = frozenset(SnippetGroup) - {SnippetGroup.FILE}
ORACLE_GROUPS = RETRIEVED_GROUPS - {SnippetGroup.EXAMPLES}
"""What an oracle knows: the callees and what they need. An example has to be retrieved."""
BODY_WORTH, WHOLE_WORTH = 0.05, 5.0
"""What a function's body is worth beside the names in it, times its chance: it shows how the function is meant to be
called. With `bodies=all` bodies come before all else."""
EXAMPLE_WORTH = 0.2
"""What the body of the most similar function of the file is worth beside the names in it; the second is worth a
quarter, the third a ninth."""
INCLUDES_SHARE = 0.05
"""The include lines of the file are shown where they take at most this share of the budget."""
CHANCE_OF_DRAFTED = 0.8
"""Of a name that a draft uses, by eye."""
LIKELY = 0.05
"""A name of at least this chance is named where it is left out."""
HIDDEN_TESTS_FACTOR = 2
"""Where tests may not be shown, this many times the hits are requested: in most repositories enough remain."""


@dataclass(frozen=True, slots=True)
class Packing:
    """How a context is made.

    budget      in tokens of `estimate_tokens`
    hits        the number of functions that a retriever proposes
    groups      what may be shown
    show_tests  whether the repository's test code may be shown
    """

    budget: int
    hits: int = 50
    bodies: Bodies = "auto"
    groups: frozenset[SnippetGroup] = RETRIEVED_GROUPS
    show_tests: bool = True

    @property
    def requested_hits_including_tests(self) -> int:
        """How many hits to request of a retriever, so that `hits` remain without the tests."""
        return self.hits if self.show_tests else self.hits * HIDDEN_TESTS_FACTOR


def make_retrieved_context(
    view: HiddenView, target: Target, hits: Iterable[Hit], packing: Packing, source: str, find_names: FindNames
) -> Context:
    """The context of a retriever's `hits`, best first: what shows most of the names that the body likely needs. Hits
    that aren't functions were named by a draft, and count as nearly sure."""
    every = list(hits)
    proposed = drop_repeated_hits(hit for hit in every if _is_function_or_prototype(hit))
    functions, dropped = _leave_out_tests(proposed, packing)
    shown = functions[: packing.hits]
    nearest, tests = _leave_out_tests(
        interleave_hits_of_holes(view, target, find_most_similar_functions_in_file), packing
    )
    includes = [s for s in _make_includes_snippet_per_file(view, target) if SnippetGroup.INCLUDES in packing.groups]
    drafted = [hit for hit in every if not _is_function_or_prototype(hit)]
    likely = _find_likely_names_for_holes(view, target, drafted, shown, find_names)
    names, left_out = _split_allowed_and_likely_dropped_names(likely, packing)
    room = packing.budget - sum(estimate_tokens(snippet.text) for snippet in includes)
    if room < packing.budget * (1 - INCLUDES_SHARE):
        includes, room = [], packing.budget
    chances = {make_symbol_place_key(name.symbol): name.chance for name in names}
    offers = []
    if SnippetGroup.FUNCTIONS in packing.groups and packing.bodies != "none":
        worth = BODY_WORTH if packing.bodies == "auto" else WHOLE_WORTH
        for hit, snippet in zip(shown, make_snippets_from_hits(view, shown, source), strict=True):
            offers.append(BodyOffer(hit.symbol, snippet, worth * chances.get(make_symbol_place_key(hit.symbol), 0.0)))
    if SnippetGroup.EXAMPLES in packing.groups:
        made = make_snippets_from_hits(view, nearest, "sibling", group=SnippetGroup.EXAMPLES)
        for number, (hit, snippet) in enumerate(zip(nearest, made, strict=True)):
            offers.append(BodyOffer(hit.symbol, snippet, EXAMPLE_WORTH / (1 + number) ** 2))
    bought = buy_names_and_bodies(view, names, offers, room)
    snippets = sort_by_group([*make_bought_snippets(bought, source), *includes])
    dropped += [*tests, *left_out]
    dropped += (
        DroppedSnippet(hit.symbol.qualified_name, 0, f"beyond the first {packing.hits} functions")
        for hit in functions[packing.hits :]
    )
    dropped += _list_functions_not_shown_whole(shown, bought)
    return make_context(snippets, packing.budget, dropped)


def _find_likely_names_for_holes(
    view: HiddenView, target: Target, drafted: Sequence[Hit], functions: Sequence[Hit], find_names: FindNames
) -> list[NameChance]:
    """The names of all holes, each once, the likeliest first. A function stands for its prototype."""
    best: dict[str, NameChance] = {hit.symbol.name: NameChance(hit.symbol, CHANCE_OF_DRAFTED) for hit in drafted}
    for hole in target.holes:
        for name in find_names(view.retarget_to_hole(hole), hole, functions):
            known = best.get(name.symbol.name)
            if known is None or known.chance < name.chance:
                best[name.symbol.name] = name
    definitions = {hit.symbol.name: hit.symbol for hit in reversed(functions)}
    found = [
        name._replace(symbol=definitions.get(name.symbol.name, name.symbol))
        if name.symbol.kind is SymbolKind.PROTOTYPE
        else name
        for name in best.values()
    ]
    return sorted(found, key=lambda name: -name.chance)


def _split_allowed_and_likely_dropped_names(
    names: Sequence[NameChance], packing: Packing
) -> tuple[list[NameChance], list[DroppedSnippet]]:
    """The names that the packing lets show, and the likely ones of the others with the reason."""
    kept, dropped = [], []
    for name in names:
        group = find_snippet_group(name.symbol.kind)
        if group not in packing.groups:
            reason = f"groups leaves {group.value} out"
        elif not packing.show_tests and is_test_code(name.symbol.path):
            reason = "code of tests"
        else:
            kept.append(name)
            continue
        if name.chance >= LIKELY:
            dropped.append(DroppedSnippet(name.symbol.qualified_name, 0, reason, group))
    return kept, dropped


def _list_functions_not_shown_whole(hits: Sequence[Hit], bought: Purchase) -> Iterator[DroppedSnippet]:
    """The proposed functions that aren't shown, or only in brief."""
    for hit in hits:
        place = make_symbol_place_key(hit.symbol)
        if place not in bought.whole:
            reason = "shown in brief" if place in bought.declared else "other names are likelier for their price"
            yield DroppedSnippet(hit.symbol.qualified_name, 0, reason)


def make_oracle_context(items: Sequence[TextPathName], packing: Packing) -> Context:
    """The data set's own context, (text, path, name) each, and nothing else."""
    return pack_snippets(make_snippets_from_oracle(items), packing.budget, bodies=packing.bodies)


def make_oracle_and_declarations_context(
    view: HiddenView,
    target: Target,
    items: Sequence[TextPathName],
    packing: Packing,
    needed_by_hole: Sequence[Sequence[NeededName]],
) -> Context:
    """The data set's own context, the files' includes, and a declaration of each other name that the true bodies need.
    Where not everything fits, declarations come first, and callees that don't fit are declared too."""
    packing = replace(packing, groups=packing.groups & ORACLE_GROUPS)
    includes = _make_includes_snippet_per_file(view, target)
    every = {name for names in needed_by_hole for name in names}
    named = [
        (name.rpartition("::")[2] or _find_defined_function_name(text), (text, path, name))
        for text, path, name in items
    ]
    chosen = {name for name in every if name.name not in dict(named)}
    while True:
        asked = [
            (view.retarget_to_hole(hole), chosen.intersection(names))
            for hole, names in zip(target.holes, needed_by_hole, strict=True)
        ]
        found = make_declarations(asked)
        tests = [snippet for snippet in found if not packing.show_tests and is_test_code(snippet.path)]
        declared = _pack_allowed_groups(
            [snippet for snippet in found if snippet not in tests],
            replace(packing, bodies="all"),
            [DroppedSnippet(snippet.title, 0, "code of tests", snippet.group) for snippet in tests],
        )
        words = {name.name for name in chosen}
        callees = make_snippets_from_oracle([item for name, item in named if name not in words])
        left = replace(packing, budget=packing.budget - declared.tokens)
        rest = _pack_allowed_groups([*callees, *includes], left, ())
        snippets = (*rest.snippets, *declared.snippets)
        missing = find_missing_names(every - chosen, join_prompt_text(target, (s.text for s in snippets)))
        if not missing:
            return make_context(sort_by_group(snippets), packing.budget, (*rest.dropped, *declared.dropped))
        chosen.update(missing)


def make_surroundings_context(view: HiddenView, target: Target, packing: Packing) -> Context:
    """The lines above and below the hole; of several holes, those of each file share the budget."""
    files: dict[str, list[Target]] = {}
    for hole in target.holes:
        files.setdefault(hole.path, []).append(hole)
    budget = packing.budget // len(files)
    found = [cut_surroundings_of_holes_in_file(view, holes, budget) for holes in files.values()]
    context = pack_snippets([snippet for snippets, _ in found for snippet in snippets], packing.budget)
    return replace(context, dropped=(*context.dropped, *(item for _, dropped in found for item in dropped)))


def make_functions_context(view: HiddenView, hits: Iterable[Hit], packing: Packing, source: str) -> Context:
    """Functions alone, for the arms that show wrong functions on purpose: the right types and macros would help."""
    chosen, tests = _leave_out_tests([hit for hit in hits if _is_function_or_prototype(hit)], packing)
    snippets = make_snippets_from_hits(view, chosen[: packing.hits], source)
    context = pack_snippets(snippets, packing.budget, bodies=packing.bodies)
    return replace(context, dropped=(*context.dropped, *tests))


def interleave_hits_of_holes(
    view: HiddenView, target: Target, find: Callable[[HiddenView, Target], Iterable[Hit]], limit: int | None = None
) -> list[Hit]:
    """What `find` finds for each of the target's functions, the best of each first and each symbol once; at most
    `limit`. For one function exactly what it finds. The bodies of all functions are hidden from each."""
    if len(target.holes) == 1:
        return list(find(view, target))
    each: list[Sequence[Hit]] = [list(find(view.retarget_to_hole(hole), hole)) for hole in target.holes]
    hits = (hit for hit in chain.from_iterable(zip_longest(*each)) if hit is not None)
    return drop_repeated_hits(hits)[:limit]


def _find_defined_function_name(text: str) -> str:
    """The name of the function whose definition a text is, without its scope."""
    found = _BEFORE_BRACKET.search(text.partition("{")[0])
    return found[1] if found else ""


def _make_includes_snippet_per_file(view: HiddenView, target: Target) -> list[Snippet]:
    """The include lines of each file that has a hole."""
    files = {hole.path: hole for hole in target.holes}
    return [snippet for hole in files.values() for snippet in make_includes_snippet(view, hole)]


def _is_function_or_prototype(hit: Hit) -> bool:
    return find_snippet_group(hit.symbol.kind) is SnippetGroup.FUNCTIONS


def _leave_out_tests(hits: Sequence[Hit], packing: Packing) -> tuple[list[Hit], list[DroppedSnippet]]:
    """The hits that may be shown, and what was left out as test code."""
    tests = [] if packing.show_tests else [hit for hit in hits if is_test_code(hit.symbol.path)]
    dropped = [
        DroppedSnippet(hit.symbol.qualified_name, 0, "code of tests", find_snippet_group(hit.symbol.kind))
        for hit in tests
    ]
    return [hit for hit in hits if hit not in tests], dropped


def _pack_allowed_groups(
    snippets: Iterable[Snippet], packing: Packing, dropped: Collection[DroppedSnippet]
) -> Context:
    kept = []
    out = list(dropped)
    for snippet in snippets:
        if snippet.group in packing.groups:
            kept.append(snippet)
        else:
            size = estimate_tokens(snippet.text)
            out.append(DroppedSnippet(snippet.title, size, f"groups leaves {snippet.group.value} out", snippet.group))
    context = pack_snippets(kept, packing.budget, bodies=packing.bodies)
    return replace(context, dropped=(*context.dropped, *out))
