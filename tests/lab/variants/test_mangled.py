"""Prevents: a C++ test that compares a type's mangled name and fails on the renamed tree, whose types are others."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.build import build_index
from index.repo_index import open_index
from lab.variants.external_names import ExternalNames
from lab.variants.fixed_names import find_fixed_names
from lab.variants.identifier_inventory import take_inventory

NOTHING = ExternalNames(frozenset(), frozenset(), frozenset(), {})


@pytest.mark.parametrize(
    ("expected", "kept"),
    [
        ('"N3geo10RoundShapeE"', {"geo", "RoundShape"}),
        ('"_ZN3geo10RoundShape4areaEv"', {"geo", "RoundShape", "area"}),
        ('"10RoundShape"', {"RoundShape"}),
        ('"PK10RoundShape"', {"RoundShape"}),
        # No mangled name: a number before a word, a length that doesn't fit.
        ('"3geometry and 2 area"', set()),
        ('"12RoundShape"', set()),
        ("3.0", set()),
    ],
)
def test_a_mangled_name_in_a_text_stays(tmp_path: Path, expected: str, kept: set[str]) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "shape.cpp").write_text(
        "namespace geo {\nstruct RoundShape { double area() const; };\n}\n"
        f"#include <typeinfo>\nbool same() {{ return typeid(geo::RoundShape).name() == {expected}; }}\n"
    )
    build_index(root, tmp_path / "index", workers=1)
    index = open_index(tmp_path / "index", root)
    found = find_fixed_names(root, take_inventory(root, index, (), False), NOTHING, {})
    index.close()
    assert set(found) == kept
    assert all("as compilers mangle it" in reason for reason in found.values())
