"""Prevents: a local variable that votes as the global of its name, a comment or string that counts as a use, a field
without its struct, and a vote of what is hidden."""

from __future__ import annotations

from index.repo_index import RepoIndex
from index.values import SymbolKind
from retrieval.names.name_tables import KINDS, NameTables, make_name_tables
from retrieval.names.name_votes import NameEvidence, compute_vote_shares
from retrieval.structure.signal_maker import Signaller
from retrieval.structure.tables.vocabulary import find_word_numbers
from tests.support.indexes import Indexed
from tests.support.targets import find_function, find_target

FILES = {
    "core.h": """\
#define LIMIT 7
#define LIMIT_LOW 1
typedef struct disk { int pages; } disk;
struct box { disk *on; int level; };
extern int level, depth;
struct box *open_box(int depth);
""",
    "use.c": """\
#include "core.h"
int first(struct box *b) { int level = LIMIT; return level + b->on->pages; /* depth */ }
int second(struct box *b) { const char *depth = "LIMIT_LOW"; return b->level + (level & LIMIT); }
int third(struct box *b) { return LIMIT_LOW; }
""",
}


def find_uses(tables: NameTables, index: RepoIndex, name: str) -> set[tuple[str, bool]]:
    """The names in a function's body, each with whether it stands behind `.` or `->`."""
    spelled = {
        int(find_word_numbers(tables.names, [entry.symbol.name])[0]): entry.symbol.name
        for kind in SymbolKind
        for entry in index.entries_of_kind(kind)
    }
    row = next(row for row, entry in enumerate(index.functions) if entry.symbol.name == name)
    return {(spelled[use // 2], bool(use % 2)) for use in tables.uses.get_list(row).tolist()}


def test_uses_and_declarations(indexed: Indexed) -> None:
    index = indexed(FILES)
    tables = make_name_tables(index)
    assert find_uses(tables, index, "first") == {("LIMIT", False), ("on", True), ("pages", True)}
    assert find_uses(tables, index, "second") == {("level", True), ("level", False), ("LIMIT", False)}
    (on,) = find_word_numbers(tables.names, ["on"])
    (place,) = tables.declared.get_list(int(on))
    assert KINDS[tables.kind[place]] is SymbolKind.FIELD
    assert tables.owner[place] == find_word_numbers(tables.names, ["box"])[0]
    assert tables.typed.get_list(int(place)).tolist() == find_word_numbers(tables.names, ["disk"]).tolist()
    limit, low = (int(find_word_numbers(tables.names, [name])[0]) for name in ("LIMIT", "LIMIT_LOW"))
    assert tables.frequency[2 * limit] == 2 and tables.family[limit] == -1 and tables.family[low] >= 0


def test_hidden_functions_do_not_vote(indexed: Indexed) -> None:
    index = indexed(FILES)
    tables, target = make_name_tables(index), find_target(index, "second")
    evidence = Signaller(index).make_evidence(index.hide(target, "strict"), target)
    hits = [find_function(index, "second"), find_function(index, "first")]
    found = NameEvidence(tables, evidence, target, hits)
    (level,) = find_word_numbers(tables.names, ["level"])
    shares = compute_vote_shares(found)
    assert all(share[2 * level + 1] == 0 for share in shares.values())
    (pages,) = find_word_numbers(tables.names, ["pages"])
    assert shares["near"][2 * pages + 1] > 0 and shares["callees"][2 * pages + 1] > 0
    assert found.count_hidden_functions_per_use()[2 * level + 1] == 1
