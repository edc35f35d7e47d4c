"""Prevents: a server that the protocol's own client can't talk to, or that answers from a tree that was edited."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from agent.tools.toolbox import MEANING, WORDS, list_lookup_tools
from experiments.indexing.index_place import Place, record_indexed_tree
from index.build import build_index

EXAMPLE = Path(__file__).parents[4] / "examples" / "inventory"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    shutil.copytree(EXAMPLE / "src", tmp_path / "shop")
    made = Place(tmp_path / "index", tmp_path / "shop")
    record_indexed_tree(made)
    build_index(made.root, made.folder, workers=1)
    return made


def test_the_protocols_own_client_uses_every_tool(place: Place) -> None:
    from mcp import Client, StdioServerParameters, stdio_client

    calls: list[tuple[str, dict[str, Any], str]] = [
        ("search", {"query": "date_plus"}, "date_plus_months"),
        ("search", {"query": "add months to a date", "by": "words"}, "date_plus_months"),
        ("search", {"query": "number of days in a month", "by": "meaning"}, "date_month_length"),
        ("read_symbol", {"name": "date_plus_months"}, "date_month_length(d.year, d.month)"),
        ("read_lines", {"path": "core/date.c", "first": 1, "last": 3}, "#include"),
        ("definition", {"name": "struct date"}, "int year"),
        ("callers", {"name": "date_month_length"}, "date_plus_months"),
        ("callees", {"name": "date_plus_months"}, "date_month_length"),
        ("functions_with_type", {"type": "strbuf"}, "strbuf_put_text"),
        ("outline", {"path": "core/date.c"}, "date_plus_months"),
        # Mistakes
        ("read_lines", {"path": "../../../etc/passwd"}, "no source file"),
        ("read_symbol", {}, "name"),
        ("fetch", {}, "there is no tool"),
    ]
    words = ["-m", "graft", "index", "mcp", "--index", str(place.folder)]
    parameters = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))

    async def talk() -> None:
        async with Client(stdio_client(parameters, errlog=sys.__stderr__)) as client:
            listed = {tool.name for tool in (await client.list_tools()).tools}
            assert listed == {spec.name for spec in list_lookup_tools((WORDS, MEANING))}
            for number, (name, arguments, expected) in enumerate(calls):
                answer = await client.call_tool(name, arguments)
                assert answer.is_error == (number >= len(calls) - 3), answer.content
                assert expected in answer.content[0].text, name  # type: ignore[union-attr]

    with anyio.from_thread.start_blocking_portal() as portal:
        portal.call(talk)


def test_a_tree_that_was_edited_is_told_and_an_update_is_noticed(place: Place) -> None:
    from experiments.cli.index.mcp_server import IndexTools

    tools = IndexTools(place)
    assert not tools.call_tool("read_symbol", {"name": "text_trim"}).mistake
    path = place.root / "core" / "text.c"
    path.write_text(path.read_text() + "\nint text_fresh(void) { return 1; }\n")
    answer = tools.call_tool("read_symbol", {"name": "text_trim"})
    fresh = IndexTools(place).call_tool("read_symbol", {"name": "text_trim"})
    assert fresh.mistake
    assert "graft index update" in fresh.text
    assert answer.mistake or "text_trim" in answer.text
    build_index(place.root, place.folder, workers=1)
    assert "text_fresh" in tools.call_tool("read_symbol", {"name": "text_fresh"}).text
    assert all(json.loads(spec.parameters) for spec in tools.specs)
