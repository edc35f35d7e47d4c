"""Prevents: a declaration of an odd kind hiding the functions around it. The inputs are of nine kinds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from index.cpp.macros import learn_macros, read_macro_definitions
from index.symbols.source_parser import parse_source

INPUTS = json.loads((Path(__file__).parents[2] / "data" / "clang" / "declarations.json").read_text())


@pytest.mark.parametrize("case", INPUTS, ids=lambda case: case["kind"])
def test_functions_around_it_are_found(case: dict[str, Any]) -> None:
    data = case["text"].encode()
    parsed = parse_source(case["path"], data, learn_macros(read_macro_definitions(data)))
    found = [row.qualified_name for row in parsed.symbols if row.kind == "function" and row.body >= 0]
    assert sorted(found) == sorted(case["functions"])


def test_a_macro_that_makes_the_header_gives_no_name() -> None:
    data = b"TEST(grows)\n{\n    go();\n}\n\nTEST(keeps)\n{\n    go();\n}\n"
    found = [row.name for row in parse_source("a.c", data, learn_macros([])).symbols if row.body >= 0]
    assert found == ["grows", "keeps"]
