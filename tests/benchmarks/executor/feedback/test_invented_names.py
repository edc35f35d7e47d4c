"""Prevents: a benchmark of made-up names that could be answered by their spelling, or that counts a parameter of the
right name as the answer."""

from __future__ import annotations

from benchmarks.executor.feedback.broken_drafts import Break, Known
from benchmarks.executor.feedback.invented_names import INVENTED, make_inventions
from benchmarks.executor.feedback.lookup_answers import has_declaration
from index.cpp.tokens import split_identifier

CODE = """\
static int fillTable(table *t, const char *key, size_t len)
{
    entry *e = tableFind(t, key, len);
    if (e == NULL || len > TABLE_MAX_LEN) {
        e = tableFind(t, registry.first, TABLE_MAX_LEN);
        tableWalk(t, printEntry);
    }
    return e->weight + (int)len;
}
"""
KNOWN = Known(
    functions={"tableFind", "tableWalk", "printEntry", "fillTable"},
    macros={"TABLE_MAX_LEN"},
    types=("entry", "table"),
    variables={"registry", "key"},
    fields={"weight", "first"},
)


def made(seed: int, taken: frozenset[str] = frozenset()) -> dict[str, Break]:
    found = make_inventions(CODE, "fillTable", KNOWN, lambda name: name in taken, seed)
    return {each.way: each for each in found}


def test_every_use_is_replaced_by_a_name_that_is_unlike_it() -> None:
    for seed in range(12):
        found = made(seed)
        assert set(found) == set(INVENTED) - {"invented method"}
        for each in found.values():
            assert each.symbol not in each.code
            new = set(each.code.split()) - set(CODE.split())
            assert not any(set(split_identifier(each.symbol)) & set(split_identifier(word)) - {""} for word in new), (
                new
            )
        assert found["invented global"].symbol == "registry", "a parameter is no global"
        assert found["invented callback"].symbol == "printEntry"


def test_a_seed_gives_the_same_and_no_name_that_exists() -> None:
    assert made(3) == made(3)
    first = made(3)["invented global"].code
    name = next(word.split(".")[0] for word in first.replace("(", " ").replace(",", " ").split() if ".first" in word)
    assert name not in made(3, frozenset({name}))["invented global"].code


def test_only_a_declaration_counts() -> None:
    assert has_declaration("static void tint(int shade);  /* src/a.c:3 */", "tint")
    assert has_declaration("LUA_API int (lua_next) (lua_State *L, int idx);  /* lua.h:3 */", "lua_next")
    assert has_declaration("void (*visit)(slot *one);", "visit")
    assert has_declaration("int counts[3];", "counts")
    assert has_declaration("#define LIMIT  /* src/a.h:1 */", "LIMIT")
    for text in ("int f(table *size, long n);", "int f(int size);", "void (*size_of)(int size);", "/* size */"):
        assert not has_declaration(text, "size"), text
