"""Prevents: a declaration of an odd kind hiding the functions around it. The inputs are of nine kinds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.indexes import parse_text

INPUTS = json.loads((Path(__file__).parents[2] / "data" / "clang" / "declarations.json").read_text())


@pytest.mark.parametrize("case", INPUTS, ids=lambda case: case["kind"])
def test_functions_around_it_are_found(case: dict[str, Any]) -> None:
    rows = parse_text(case["text"], case["path"]).symbols
    found = [row.qualified_name for row in rows if row.kind == "function" and row.body >= 0]
    assert sorted(found) == sorted(case["functions"])


def test_a_macro_that_makes_the_header_gives_no_name() -> None:
    text = "TEST(grows)\n{\n    go();\n}\n\nTEST(keeps)\n{\n    go();\n}\n"
    found = [row.name for row in parse_text(text, "a.c").symbols if row.body >= 0]
    assert found == ["grows", "keeps"]
