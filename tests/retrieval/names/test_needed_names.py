"""Prevents: a measure of contexts that counts a local variable, a name of the C library or a name in `#if` as needed,
or that overlooks a field."""

from __future__ import annotations

from index.values import Span, SymbolKind, Target
from retrieval.names.needed_names import NeededName, find_missing_names, find_needed_names
from tests.support.indexes import Indexed

HEADER = """\
#define LIMIT 7
#define FAST 1
enum mode { SLOW_MODE };
struct box { int side; int depth; };
extern int level;
int base(int x);
"""
SOURCE = """\
#include "core.h"
int other(struct box *b, int side) {
    return b->side + side;
}
int first(struct box *box, int count) {
    int level2 = base(LIMIT), side = 1;
#ifdef FAST
    if (box->depth > count) return level + side;
#endif
    memcpy(&level2, box, sizeof(size_t));
    return elsewhere(SLOW_MODE) + first(box, level2);
}
"""


def test_what_a_body_needs(indexed: Indexed) -> None:
    far = "int elsewhere(int mode) { return mode; }\nint depth;\n"
    index = indexed({"core.h": HEADER, "use.c": SOURCE, "far.c": far})
    target = Target("", "use.c", Span(5, 12), "first", "int first(struct box *box, int count)", "", "c")
    gold = SOURCE[SOURCE.index("int first") :]
    needed = find_needed_names(gold, target, index)
    assert set(needed) == {
        NeededName("base", SymbolKind.FUNCTION),
        NeededName("LIMIT", SymbolKind.MACRO),
        NeededName("SLOW_MODE", SymbolKind.ENUMERATOR),
        NeededName("level", SymbolKind.GLOBAL),
        NeededName("depth", SymbolKind.FIELD),
    }
    assert {name.name for name in find_missing_names(needed, "int base(int x); // LIMITS, depth")} == {
        "LIMIT", "SLOW_MODE", "level",
    }  # fmt: skip
    # Lines 7 to 9 are the #ifdef of `first`; the macro is declared in a branch that isn't compiled.
    limit = next(line for line, text in enumerate(HEADER.split("\n"), start=1) if "define LIMIT" in text)
    uncompiled = {"use.c": [Span(7, 9)], "core.h": [Span(limit, limit)]}
    fewer = find_needed_names(gold, target, index, uncompiled)
    assert {name.name for name in fewer} == {"base", "SLOW_MODE"}
