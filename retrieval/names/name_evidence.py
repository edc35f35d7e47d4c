"""What speaks for each name being needed by a target's body: votes, words, types and places, as one table. A new
feature is one name in `FEATURE_NAMES` and one column; the chances are then fitted anew."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from index.arrays import keep_heaviest_rows_in_order, sort_distinct
from index.cpp.declarators import unqualified_name
from index.values import SymbolKind
from retrieval.names.name_tables import KINDS, NameTables
from retrieval.names.name_votes import CHANNELS, NameEvidence, compute_vote_shares, compute_weights_by_rank
from retrieval.structure.tables.compressed_lists import Floats, Places, Rows, sum_by_row
from retrieval.structure.tables.vocabulary import find_word_numbers, split_name_into_stems, split_text_into_stems
from retrieval.structure.target_query import FAR_INCLUDES
from retrieval.text.terms import split_words

MOST_CANDIDATES = 1500
"""Uses with the most votes."""
MOST_BY_WORDS = 300
"""Names that are candidates for their words alone."""
MOST_FIELDS_OF_TYPES = 300
"""Fields of the signature's types."""

MOST_OF_FILE = 500
"""Names that the target's file declares."""
MOST_VOTED, MOST_WITH_VOTED_PREFIX = 100, 400
"""Names with the most votes, and names that share all words but the last with one of them."""

MOST_FREQUENT = 200
"""Names that the target sees and that most functions use."""
MOST_FIELDS_OF_GLOBALS = 600

FeatureTable = npt.NDArray[np.float32]
_FUNCTIONS = [KINDS.index(SymbolKind.FUNCTION), KINDS.index(SymbolKind.PROTOTYPE)]
_FIELD, _TYPE, _GLOBAL = (KINDS.index(kind) for kind in (SymbolKind.FIELD, SymbolKind.TYPE, SymbolKind.GLOBAL))
_UNSEEN = 1e9

FEATURE_NAMES = (
    *CHANNELS,
    "all",
    "other_form",
    "frequency",
    "member",
    *(f"is_{kind.value}" for kind in KINDS),
    "distance",
    "in_file",
    "meanings",
    "parts",
    "in_doc",
    "name_words",
    "doc_words",
    "offered_words",
    "words",
    "family",
    "owner",
    "owner_taken",
    "owner_held",
    "owner_of_global",
    "fellow_members",
    "typed_taken",
    "typed",
    "rank",
    "in_test",
)


class NameCandidates(NamedTuple):
    """`uses` that may be needed; `declared`: the nearest declaration of each, a place in the tables; `table`
    (candidates, features), the columns named by `FEATURE_NAMES`."""

    uses: Places
    declared: Places
    table: FeatureTable


def collect_name_candidates_with_features(e: NameEvidence) -> NameCandidates:
    """The candidates of a target and their features. A function that no retriever proposes is one too."""
    tables = e.tables
    votes = compute_vote_shares(e)
    total: Floats = np.zeros(len(tables.frequency))
    for share in votes.values():
        total += share
    words = _weigh_names_by_shared_words(e)
    seen = np.zeros(len(tables.names), dtype=bool)
    seen[tables.name_of[e.evidence.query.reach[tables.file] < FAR_INCLUDES]] = True
    mentioned = find_word_numbers(tables.names, split_words(e.target.docstring))
    taken = _find_signature_and_class_types(e)
    often = (tables.frequency - e.count_hidden_functions_per_use()).astype(np.float64)
    fields = sort_distinct(tables.name_of[tables.members.gather_lists(taken)]).astype(np.int64)
    hits = e.hit_names[e.hit_names >= 0]
    of_file = sort_distinct(tables.name_of[tables.declared_in.get_list(e.evidence.query.file)])
    found = [
        keep_heaviest_rows_in_order(np.flatnonzero(total > 0), total, MOST_CANDIDATES),
        _encode_plain_and_member_uses(
            keep_heaviest_rows_in_order(np.flatnonzero((words["words"] > 0) & seen), words["words"], MOST_BY_WORDS)
        ),
        _encode_plain_and_member_uses(mentioned),
        _encode_plain_and_member_uses(of_file.astype(np.int64)[:MOST_OF_FILE]),
        _list_uses_with_voted_prefix(tables, total),
        2 * keep_heaviest_rows_in_order(np.flatnonzero(seen), often[::2], MOST_FREQUENT),
        _list_fields_of_voted_globals(tables, total),
        2 * fields[:MOST_FIELDS_OF_TYPES] + 1,
        _encode_plain_and_member_uses(hits),
    ]
    uses: Places = sort_distinct(np.concatenate(found))
    given = find_word_numbers(tables.names, [*split_words(e.target.signature), unqualified_name(e.target.name)])
    uses = uses[~np.isin(uses // 2, given)]
    declared = _find_nearest_declarations_or_minus_one(e, uses)
    uses, declared = uses[declared >= 0], declared[declared >= 0]
    columns = {
        **{name: share[uses] for name, share in votes.items()},
        "all": total[uses],
        "other_form": total[uses ^ 1],
        "frequency": np.log1p(often[uses]),
        **_compute_declaration_features(e, uses, declared, total, taken),
        "parts": tables.parts.measure_lengths()[uses // 2],
        "in_doc": np.isin(uses // 2, mentioned),
        **{name: weight[uses // 2] for name, weight in words.items()},
        "family": _find_greatest_of_others_in_group(tables.family[uses // 2], total[uses]),
        "rank": _weigh_names_by_hit_rank(e, uses // 2),
    }
    table = np.empty((len(uses), len(FEATURE_NAMES)), dtype=np.float32)
    for number, name in enumerate(FEATURE_NAMES):
        table[:, number] = columns[name]
    return NameCandidates(uses, declared, table)


def _encode_plain_and_member_uses(names: Places) -> Places:
    return np.concatenate([2 * names, 2 * names + 1])


def _list_uses_with_voted_prefix(tables: NameTables, votes: Floats) -> Places:
    """Uses of names whose words but the last are those of a name with many votes."""
    best = keep_heaviest_rows_in_order(np.flatnonzero(votes[::2] > 0), votes[::2], MOST_VOTED)
    families = tables.family[best]
    sharing = tables.by_family.gather_distinct(sort_distinct(families[families >= 0]))
    return 2 * sharing.astype(np.int64)[:MOST_WITH_VOTED_PREFIX]


def _list_fields_of_voted_globals(tables: NameTables, votes: Floats) -> Places:
    """The fields of the types of the variables with the most votes."""
    voted = keep_heaviest_rows_in_order(np.flatnonzero(votes[::2] > 0), votes[::2], MOST_VOTED)
    places = tables.declared.gather_lists(voted)
    types = tables.typed.gather_distinct(places[tables.kind[places] == _GLOBAL])
    fields = tables.name_of[tables.members.gather_lists(types)]
    return 2 * sort_distinct(fields).astype(np.int64)[:MOST_FIELDS_OF_GLOBALS] + 1


def _weigh_names_by_shared_words(e: NameEvidence) -> dict[str, Floats]:
    """Over names: the share of a name's words, by rarity, that the target's name, comment or parameters have."""
    tables, size = e.tables, len(e.tables.names)
    name = split_name_into_stems(unqualified_name(e.target.name))
    doc = split_text_into_stems(split_words(e.target.docstring))
    offered = split_text_into_stems(split_words(e.target.signature))

    def weigh_names_sharing_stems(stems: Iterable[str]) -> Floats:
        wanted = find_word_numbers(tables.stems, stems)
        names, at = tables.by_stem.gather_lists_with_owners(wanted)
        share: Floats = sum_by_row(names, tables.rarity[wanted][at], size) / tables.whole
        return share

    return {
        "name_words": weigh_names_sharing_stems(name),
        "doc_words": weigh_names_sharing_stems(doc),
        "offered_words": weigh_names_sharing_stems(offered),
        "words": weigh_names_sharing_stems([*name, *doc, *offered]),
    }


def _find_signature_and_class_types(e: NameEvidence) -> Places:
    """The types that the signature names, and the target's class, as names."""
    words = [*split_words(e.target.signature), *e.target.name.split("::")[:-1]]
    found = find_word_numbers(e.tables.names, words)
    places, at = e.tables.declared.gather_lists_with_owners(found)
    types: Places = sort_distinct(found[at[e.tables.kind[places] == _TYPE]])
    return types


def _find_nearest_declarations_or_minus_one(e: NameEvidence, uses: Places) -> Places:
    """For each use the nearest declaration that it can mean, -1 where the target sees none."""
    tables = e.tables
    places, at = tables.declared.gather_lists_with_owners(uses // 2)
    kind, file = tables.kind[places], tables.file[places]
    is_function = np.isin(kind, _FUNCTIONS)
    member = (uses % 2 == 1)[at]
    fits = np.where(member, (kind == _FIELD) | is_function, (kind != _FIELD) | ("::" in e.target.name))
    distance = e.evidence.query.reach[file]
    hit = is_function & np.isin(uses // 2, e.hit_names)[at]
    cost = np.where(
        fits & (hit | (distance < FAR_INCLUDES)),
        (distance * 2 + e.evidence.tables.test[file]) * len(KINDS) + kind,
        _UNSEEN,
    )
    order = np.lexsort((places, cost, at))
    owners, first = np.unique(at[order], return_index=True)
    best = order[first]
    out = np.full(len(uses), -1, dtype=np.int64)
    good = cost[best] < _UNSEEN
    out[owners[good]] = places[best[good]]
    return out


def _compute_declaration_features(
    e: NameEvidence, uses: Places, declared: Places, votes: Floats, signature_types: Places
) -> dict[str, npt.NDArray[Any]]:
    """What the declarations say: their kind, place, type and owner."""
    tables = e.tables
    kind, file, owner = tables.kind[declared], tables.file[declared], tables.owner[declared]
    owned = owner >= 0
    held = tables.typed.gather_distinct(tables.members.gather_lists(signature_types))
    used_globals = np.flatnonzero((kind == _GLOBAL) & (votes[uses] > 0))
    of_global = np.zeros(len(tables.names))
    types, at = tables.typed.gather_lists_with_owners(declared[used_globals])
    np.maximum.at(of_global, types, votes[uses[used_globals]][at])
    typed, at = tables.typed.gather_lists_with_owners(declared)
    vote_of_type, is_taken = np.zeros(len(uses)), np.zeros(len(uses))
    np.maximum.at(vote_of_type, at, votes[2 * typed])
    np.maximum.at(is_taken, at, np.isin(typed, signature_types).astype(np.float64))
    return {
        "member": uses % 2,
        **{f"is_{name.value}": kind == number for number, name in enumerate(KINDS)},
        "distance": e.evidence.query.reach[file],
        "in_file": file == e.evidence.query.file,
        "in_test": e.evidence.tables.test[file],
        "meanings": np.log1p(tables.declared.measure_lengths()[uses // 2]),
        "owner": np.where(owned, votes[2 * owner], 0.0),
        "owner_taken": owned & np.isin(owner, signature_types),
        "owner_held": owned & np.isin(owner, held),
        "owner_of_global": np.where(owned, of_global[owner], 0.0),
        "fellow_members": _find_greatest_of_others_in_group(owner, votes[uses]),
        "typed_taken": is_taken,
        "typed": vote_of_type,
    }


def _find_greatest_of_others_in_group(groups: Rows, values: Floats) -> Floats:
    """For each place the greatest value of the others in its group; 0 where it is alone or in no group (-1)."""
    out = np.zeros(len(groups))
    order = np.lexsort((-values, groups))
    inside = order[groups[order] >= 0]
    if len(inside):
        firsts = np.flatnonzero(np.diff(groups[inside], prepend=-2))
        sizes = np.diff(firsts, append=len(inside))
        best = inside[firsts]
        second = inside[np.minimum(firsts + 1, len(inside) - 1)]
        out[inside] = np.repeat(values[best], sizes)
        out[best] = np.where(sizes > 1, values[second], 0.0)
    return out


def _weigh_names_by_hit_rank(e: NameEvidence, names: Places) -> Floats:
    weight = np.zeros(len(e.tables.names))
    known = e.hit_names >= 0
    np.maximum.at(weight, e.hit_names[known], compute_weights_by_rank(len(e.hit_names))[known])
    return weight[names]
