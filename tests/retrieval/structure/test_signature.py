"""Prevents: types and parameters that are read wrongly off a signature, so that no sibling is found by them."""

from __future__ import annotations

import pytest

from retrieval.structure.signature import parse_signature


@pytest.mark.parametrize(
    ("signature", "name", "returns", "parameters"),
    [
        ("int f(void)", "f", ("int",), ()),
        ("static robj *lookup(redisDb *db, robj *key)", "lookup", ("static", "robj"), ("db", "key")),
        ("btVector3 ns::btBox::half(const btVector3& by) const", "half", ("btVector3",), ("by",)),
        (
            "std::map<int, Thing> make(std::pair<int, Thing> p, int n = g(1, 2))",
            "make",
            ("std", "map", "int", "Thing"),
            ("p", "n"),
        ),
        ("bool operator==(const A &a, const A &b)", "operator==", ("bool",), ("a", "b")),
        ("A::A(int n)", "A", (), ("n",)),
        ("int strange", "f", (), ()),
    ],
)
def test_parts_of_a_signature(
    signature: str, name: str, returns: tuple[str, ...], parameters: tuple[str, ...]
) -> None:
    found = parse_signature(signature, name)
    assert found.returns == returns
    assert tuple(p.name for p in found.parameters) == parameters


def test_kinds_tell_pointers_from_values() -> None:
    found = parse_signature("const char *name_of(const struct client *c, int flags, char)", "name_of")
    assert found.result == "char*"
    assert [p.kind for p in found.parameters] == ["client*", "int", "char"]
