"""A benchmark whose breaks don't break, or change from run to run, measures nothing."""

from __future__ import annotations

import random

from benchmarks.executor.feedback.broken_drafts import WAYS, Break, Known, make_breaks, misspell_name

CODE = """\
static int fillTable(table *t, const char *key, size_t len)
{
    entry *e = tableFind(t, key, len);
    if (e == NULL) {
        e = (entry *)tableAlloc(t, TABLE_MAX_LEN);
    }
    if (len > 1) {
        e->value = tableHash(key, len);
    }
    return e->value + (int)len;
}
"""
KNOWN = Known(
    functions={"tableFind", "tableAlloc", "tableHash", "fillTable"}, macros={"TABLE_MAX_LEN"}, types=("entry", "node")
)


def found(seed: int) -> dict[str, Break]:
    return {mutation.way: mutation for mutation in make_breaks(CODE, "fillTable", KNOWN, seed)}


def test_every_way_breaks_what_it_says() -> None:
    for seed in range(12):
        made = found(seed)
        assert set(made) == set(WAYS)
        for mutation in made.values():
            assert mutation.code != CODE
            assert (CODE.count("\n") == mutation.code.count("\n")) or mutation.way == "missing argument"
        assert made["misspelt callee"].symbol in KNOWN.functions - {"fillTable"}
        assert (made["wrong field"].symbol, made["undeclared macro"].symbol) == ("value", "TABLE_MAX_LEN")
        assert (made["wrong type"].symbol, "node *e" in made["wrong type"].code) == ("entry", True)
        assert made["missing cast"].symbol in ("entry", "int")
        assert made["missing argument"].code.count(",") == CODE.count(",") - 1
        brace = made["missing brace"]
        assert abs(brace.code.count("{") - brace.code.count("}")) == 1
        assert brace.line in (4, 7)
        assert "return" not in made["missing return"].code


def test_the_same_seed_gives_the_same_breaks() -> None:
    assert found(3) == found(3)
    assert any(found(seed) != found(3) for seed in range(5))


def test_a_misspelt_name_is_another_name() -> None:
    for name in ("dictFind", "x", "len", "MAX_LEN", "a1", "getLength"):
        for seed in range(40):
            other = misspell_name(name, random.Random(seed))
            assert other != name
            assert other.isidentifier()
