"""Prevents: a tool that shows the hidden body, reads outside of the repository, floods the window, or leaves a model
that made a slip without a way on; a first search by name that reads all names of a large tree (six million in the
kernel) once for each table, and makes tables that it doesn't look at."""

from __future__ import annotations

import json
import time

import pytest

from agent.tools.name_table import NameTable
from agent.tools.result_text import PAGE_CHARS
from index.cpp.tokens import tokenize
from tests.agent.conftest import TREE, list_all_calls
from tests.support.indexes import index_files


@pytest.fixture
def use(toolbox):
    def call(tool, **arguments):
        return toolbox.answer_call(tool, json.dumps(arguments))

    return call


def test_search_by_symbol(use):
    answer = use("search", query="box_")
    assert not answer.mistake
    assert "src/box.c:3 function: long box_clamp(long value)  // Keep a value in range" in answer.text
    assert "box_clamp (src/box.c)" in answer.shown
    exact = use("search", query="BOX_MOST")
    assert exact.text.startswith("src/box.h:5 macro: #define BOX_MOST 64")
    assert "items in use" in use("search", query="used").text or "int used" in use("search", query="used").text


def test_a_way_that_this_run_lacks_is_not_offered(toolbox, use):
    assert json.loads(toolbox.specs[0].parameters)["properties"]["by"]["enum"] == ["symbol", "words"]
    assert "must be one of symbol, words" in use("search", query="x", by="meaning").text


def test_long_lists_come_in_pages(use):
    first, second = use("search", query="filler_number"), use("search", query="filler_number", page=2)
    assert "page=2 shows more" in first.text
    assert len(first.shown) == 20
    assert not set(first.shown) & set(second.shown)
    beyond = use("search", query="filler_number", page=9)
    assert (beyond.mistake, "the result has 3" in beyond.text) == (True, True)


@pytest.mark.parametrize(
    ("tool", "arguments", "shown", "absent"),
    [
        ("read_symbol", {"name": "box_product"}, ["product *= b->items[i];"], []),
        ("read_symbol", {"name": "box_product()", "path": "box.c"}, ["product *= b->items[i];"], []),
        ("read_symbol", {"name": "box_product", "path": "src/main.c"}, ["but in src/box.c"], []),
        # a typedef is followed to its struct
        ("definition", {"name": "box"}, ["long items[BOX_MOST];"], []),
        ("definition", {"name": "struct box"}, ["long items[BOX_MOST];"], []),
        ("definition", {"name": "const box *"}, ["long items[BOX_MOST];"], []),
        ("definition", {"name": "BOX_MOST"}, ["#define BOX_MOST 64"], []),
        ("definition", {"name": "box_product"}, ["read_symbol"], []),
        ("functions_with_type", {"type": "box *"}, ["total_of", "box_make"], []),
        ("functions_with_type", {"type": "box", "role": "takes"}, ["box_product"], ["box_make", "box_color"]),
        ("functions_with_type", {"type": "struct box", "role": "returns"}, ["box_make"], ["box_product"]),
        # the hidden body calls it too
        ("callers", {"name": "box_clamp"}, ["return box_clamp(product);"], ["box_sum("]),
        ("callers", {"name": "box_sum"}, ["src/main.c:2 function: long total_of(box *b)"], []),
        ("callers", {"name": "box_sum"}, ["return box_sum(b) + box_product(b);"], []),
        ("callees", {"name": "box_product"}, ["box_clamp"], []),
        ("callees", {"name": "total_of"}, ["box_product"], []),
        ("callees", {"name": "box_sum"}, ["error: "], []),
        ("callees", {"name": "filler_number_3"}, ["calls nothing"], []),
    ],
)
def test_what_an_answer_shows(use, tool, arguments, shown, absent):
    text = use(tool, **arguments).text
    assert [part for part in shown if part not in text] == []
    assert [part for part in absent if part in text] == []


def test_lines_are_those_of_the_file_as_it_is_shown(use, sum_target):
    text = use("read_lines", path="src/box.c").text
    assert "{ /* body hidden */ }" in text
    after = next(line for line in text.splitlines() if "long box_product" in line)
    number = int(after.split()[0])
    assert f"src/box.c:{number} function: long box_product" in use("search", query="box_product").text
    outline = use("outline", path="src/box.c").text
    assert outline.startswith('src/box.c includes "box.h"') and f"{number} function: long box_product" in outline
    assert number < sum_target.span.last, "the length of the hidden body shows"
    assert "src/box.c has" in use("read_lines", path="src/box.c", first=99).text
    assert "stands before" in use("read_lines", path="src/box.c", first=5, last=4).text


@pytest.mark.parametrize(
    ("tool", "arguments", "hint"),
    [
        ("serach", "{}", "did you mean 'search'?"),
        ("bash", '{"cmd": "ls"}', "there is no tool 'bash'"),
        ("search", '{"qeury": "x"}', "did you mean 'query'?"),
        ("search", "{}", "search needs query"),
        ("search", '{"query": ', "aren't JSON"),
        ("search", "[1, 2]", "one JSON object"),
        ("search", "null", "one JSON object"),
        ("search", '{"query": {"a": 1}}', "must be a text"),
        ("search", '{"query": "box", "page": "two"}', "must be a whole number"),
        ("search", '{"query": "box", "page": -1}', "must be 1 or more"),
        ("search", '{"query": "box", "page": 1e99}', "whole number"),
        ("read_symbol", '{"name": "box_prodcut"}', "nearest names: box_product"),
        ("read_symbol", '{"name": ""}', "needs name"),
        ("read_lines", '{"path": "src/bix.c"}', "did you mean src/box.c"),
        ("functions_with_type", '{"type": "bxo"}', "no function's signature names 'bxo'"),
    ],
)
def test_a_slip_is_answered_with_a_hint(toolbox, tool, arguments, hint):
    answer = toolbox.answer_call(tool, arguments)
    assert answer.mistake
    assert hint in answer.text
    assert answer.text.startswith("error: ")


def test_what_models_write_instead_of_an_object_is_understood(toolbox):
    assert not toolbox.answer_call("read_symbol", '"box_product"').mistake
    assert not toolbox.answer_call("read_symbol", '{"name": "box_product", "page": "1", "path": null}').mistake
    assert not toolbox.answer_call("read_lines", '{"path": "./src/box.c", "first": 2.0}').mistake
    assert not toolbox.answer_call("read_lines", '{"path": "boxes/src/box.c"}').mistake
    assert not toolbox.answer_call("read_lines", '{"path": "box.c"}').mistake


PATHS = [
    ".git/objects/gold", "src/../.git/objects/gold", "../../../../etc/passwd", "/etc/passwd", "src/box.c\u0000.h",
    "~/x", "file:///etc/passwd", ".git", "..", "", "src", "\\\\host\\x", "$(cat /etc/passwd)", "x" * 100_000,
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS, ids=lambda path: repr(path)[:24])
def test_no_path_leads_out_of_the_index(toolbox, path):
    for tool, key in (("read_lines", "path"), ("outline", "path"), ("read_symbol", "name")):
        answer = toolbox.answer_call(tool, json.dumps({key: path}))
        assert answer.mistake, answer.text
        assert "secret_sum" not in answer.text
        assert "root:" not in answer.text


def test_nothing_that_can_be_called_tells_the_gold(toolbox):
    """Every tool with every name, file and way of the tree: no run of the body's tokens, no local name of it."""
    names = ["box_sum", "box", "box_product", "box_clamp", "total_of", "items", "used", "i", "b"]
    names += ["secret", "secret_sum", "secret_pair", "secret_first", "secret_pear"]
    asked = list_all_calls(toolbox, names)
    asked.append(("search", {"query": "secret sum of the items of box_sum", "by": "words"}))
    assert {tool for tool, _ in asked} == {spec.name for spec in toolbox.specs}
    gold = tokenize("long secret_sum = 0;")
    for tool, arguments in asked:
        text = toolbox.answer_call(tool, json.dumps(arguments)).text
        echoed = text.replace(repr(next(iter(arguments.values()))), "")
        assert "secret" not in echoed, (tool, arguments, text)
        assert " ".join(gold) not in " ".join(tokenize(text)), (tool, arguments)


def test_every_answer_is_bounded(toolbox):
    huge = "x" * 200_000
    for tool in ("search", "read_symbol", "definition", "callers", "read_lines", "functions_with_type"):
        for arguments in (huge, json.dumps({"name": huge}), json.dumps({"query": huge}), "{" * 50_000, "[" * 100_000):
            start = time.process_time()
            answer = toolbox.answer_call(tool, arguments)
            assert len(answer.text) < 2 * PAGE_CHARS
            assert time.process_time() - start < 1.0
    for query in ("", " ", "_", ".*", "\ud800", "(" * 300, "\x00"):
        assert len(toolbox.answer_call("search", json.dumps({"query": query})).text) < 2 * PAGE_CHARS


def test_a_search_by_name_makes_what_it_reads(sum_target, tmp_path, monkeypatch):
    index = index_files(tmp_path, TREE)

    def made():
        return {folder.name.rpartition("-")[0] for folder in (index.folder / "derived").glob("*")}

    readings: list[list[str]] = []
    names = index.list_distinct_qualified_names
    monkeypatch.setattr(index, "list_distinct_qualified_names", lambda: readings.append(names()) or readings[-1])
    view = index.hide(sum_target, "strict")
    before = made()
    table = NameTable(index)
    assert [symbol.name for symbol in table.search_symbols(view, "box_product", 5)] == ["box_product"]
    assert made() - before == {"tool-names"}
    assert table.find_nearest_names(view, "box_prodct", 1) == ["box_product"]
    table.build_names_and_call_graph()
    assert made() - before >= {"tool-last-names", "tool-signatures", "graph"}
    assert len(readings) == 1
    index.close()
