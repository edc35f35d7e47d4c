"""Prevents: an index command that needs a configuration, loses track of its tree, prints what a program can't read, or
answers a mistake with a traceback; a server that the protocol's own client can't talk to, or that answers from a tree
that was edited."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent.tools.toolbox import MEANING, WORDS, list_lookup_tools
from experiments.indexing.index_place import Place, choose_index_place, record_indexed_tree
from index.build import build_index
from tests.fixtures.mcp_client import call_tools
from tests.support.projects import write_files
from tests.support.runs import Graft, refuse, succeed

EXAMPLE = Path(__file__).parents[4] / "examples" / "inventory"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("user") / "shop"
    shutil.copytree(EXAMPLE / "src", folder)
    return folder


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory, tree: Path) -> Path:
    """GRAFT_CACHE, with the tree's index in it. It was built by a program of its own, as a user builds it."""
    cache = tmp_path_factory.mktemp("cache")
    done = subprocess.run(
        [sys.executable, "-m", "graft", "index", "build", str(tree)],
        cwd=tree.parent,
        env={**os.environ, "GRAFT_CACHE": str(cache), "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "skipped" not in done.stdout
    return cache


@pytest.fixture
def graft(graft: Graft, indexes: Path, tree: Path, monkeypatch: pytest.MonkeyPatch) -> Graft:
    """`graft index`, called from the folder `cwd`."""
    monkeypatch.setenv("GRAFT_CACHE", str(indexes))

    def call(*words: str, cwd: Path = tree) -> tuple[int, str, str]:
        monkeypatch.chdir(cwd)
        return graft("index", *words)

    return call


def test_a_tree_is_found_from_any_folder_in_it(graft: Graft, tree: Path) -> None:
    out = succeed(graft, "search", "--by", "name", "date_plus_months", cwd=tree / "core")
    assert out.splitlines()[0].startswith("core/date.c:")
    assert graft("search", "--by", "name", "date_plus_months", "--tree", str(tree), cwd=tree.parent)[1] == out


def test_a_build_trains_nothing_unless_it_is_asked_to(graft: Graft, tmp_path: Path) -> None:
    tree = tmp_path / "other"
    shutil.copytree(EXAMPLE / "src", tree)
    code, out, err = graft("build", str(tree), "--json")
    assert (code, "source files" in err, "roughly" in err) == (0, True, True)
    derived = Path(json.loads(out)["index"]) / "derived"
    parts = {path.name.partition("-")[0] for path in derived.iterdir()}
    assert parts == {"fingerprints", "graph", "runs", "shapes", "terms"}
    code, _, err = graft("build", str(tree), "--prepare", "--json")
    assert code == 0 and "training the encoder and the ranker: roughly" in err
    assert list(derived.glob("ranker-*/ranker.txt"))
    refuse(graft, "build", str(tree), "--prepare", "--symbols-only")


@pytest.mark.slow
@pytest.mark.parametrize(
    "files",
    [
        {},
        {"README.md": "no source file\n"},
        {"empty.c": ""},
        {"a.h": "int x;\nint f(void);\n"},
        {"a.c": "int main(void) { return 0; }\n"},
    ],
    ids=["no file", "no source", "an empty source", "no body", "one function"],
)
def test_every_command_answers_for_a_tree_with_hardly_anything(
    graft: Graft, tmp_path: Path, files: dict[str, str]
) -> None:
    tree = write_files(tmp_path / "little", files)
    tree.mkdir(exist_ok=True)
    commands = [
        ("build", str(tree), "--prepare"),
        *(("search", "main", "--by", by, "--tree", str(tree)) for by in ("words", "name", "meaning")),
        *((command, "main", "--tree", str(tree)) for command in ("callers", "callees", "show")),
        ("stats", "--tree", str(tree)),
        ("update", str(tree)),
    ]
    for words in commands:
        code, out, err = graft(*words)
        assert "Traceback" not in err, (words, err)
        assert code in (0, 2), (words, err)
        assert code == 0 or "no symbol of that name" in err
        assert out or err


def test_words_and_meaning_find_functions(graft: Graft) -> None:
    for by in ("words", "meaning"):
        out = succeed(graft, "search", "number of days in a month", "--by", by, "--limit", "4", "--json")
        found = json.loads(out)
        assert len(found) == 4
        assert "date_month_length" in {symbol["name"] for symbol in found}
        assert {"kind", "name", "path", "first", "last", "signature", "docstring", "score"} == set(found[0])


def test_a_symbol_is_shown_with_its_comment_and_by_its_place_its_callers_and_callees(graft: Graft) -> None:
    by_name = succeed(graft, "show", "store::Item::Item")
    assert "An item with its article number" in by_name
    assert "Item::Item(std::string number" in by_name
    assert graft("show", by_name.splitlines()[0].split("-")[0])[1] in by_name
    found = json.loads(succeed(graft, "show", "date_plus_months", "--json"))
    assert [symbol["kind"] for symbol in found] == ["function", "prototype"]
    assert "date_month_length" in succeed(graft, "callees", "date_plus_months")
    succeed(graft, "callers", "Item")
    found = json.loads(succeed(graft, "callers", "date_month_length", "--json"))
    assert {"date_plus_months", "date_is_real"} <= {symbol["name"] for symbol in found}


def test_stats_tell_what_there_is(graft: Graft, tree: Path) -> None:
    stats = json.loads(succeed(graft, "stats", "--json"))
    assert stats["root"] == str(tree)
    assert stats["symbols"]["function"] > 100
    assert {language["language"] for language in stats["languages"]} == {"c", "cpp"}
    assert min(stats["call_sites"], stats["edges"], stats["bytes"], stats["index_bytes"]) > 0
    assert f"{stats['symbols']['function']}" in succeed(graft, "stats")


def test_an_edit_is_told_and_an_update_reads_that_file_alone(graft: Graft, tree: Path) -> None:
    path = tree / "core" / "text.c"
    before = path.read_text()
    path.write_text(before + "\nint text_fresh_function(void) { return 1; }\n")
    assert "changed since it was indexed" in refuse(graft, "show", "text_trim")
    assert json.loads(succeed(graft, "update", "--json"))["reparsed"] == 1
    succeed(graft, "callers", "text_fresh_function")
    path.write_text(before)
    succeed(graft, "update")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "date_plus_month"), "no symbol of that name"),
        (("show", "core/date.c:100000"), "no symbol stands there"),
        (("callees", "money"), "not a function"),
        (("search", "x", "--index", "nowhere"), "graft index build"),
        (("search", "x", "--by", "wrods"), "'--by': 'wrods' is not one of 'words', 'name', 'meaning'"),
        (("search", " "), "QUERY: empty; give words to search for"),
        (("search", "x", "--bye", "words"), "No such option: --bye"),
        (("build", "nowhere"), "no such folder"),
    ],
)
def test_a_slip_is_one_line(graft: Graft, words: tuple[str, ...], message: str) -> None:
    line = refuse(graft, *words)
    assert message in line and "\n" not in line


def test_an_index_belongs_to_one_tree(graft: Graft, tree: Path, tmp_path: Path) -> None:
    other = write_files(tmp_path / "other", {"a.c": "int a(void) { return 1; }\n"})
    folder = str(tmp_path / "here")
    succeed(graft, "build", str(other), "--index", folder, "--symbols-only")
    succeed(graft, "stats", "--index", folder, cwd=tmp_path)
    assert f"it is the index of {other}" in refuse(graft, "build", str(tree), "--index", folder)
    code, out, err = graft("build", str(other), str(tree), "--index", folder)
    assert (code, out) == (2, "")
    assert "one folder can't hold the indexes of several trees" in err
    out = succeed(graft, "build", str(other), str(tree), "--symbols-only", "--json")
    assert [json.loads(line)["root"] for line in out.splitlines()] == [str(other), str(tree)]


# The server


@pytest.mark.usefixtures("graft")
def test_the_protocols_own_client_uses_every_tool(tree: Path) -> None:
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
    words = ("index", "mcp", "--index", str(choose_index_place(tree, None).folder))
    listed, answers = call_tools(words, os.environ, [(name, arguments) for name, arguments, _ in calls])
    assert set(listed) == {spec.name for spec in list_lookup_tools((WORDS, MEANING))}
    assert [answer.is_error for answer in answers] == [False] * (len(calls) - 3) + [True] * 3
    assert [name for (name, _, part), answer in zip(calls, answers, strict=True) if part not in answer.text] == []


def test_a_tree_that_was_edited_is_told_and_an_update_is_noticed(tmp_path: Path) -> None:
    from experiments.cli.index.mcp_server import IndexTools

    place = Place(tmp_path / "index", Path(shutil.copytree(EXAMPLE / "src", tmp_path / "shop")))
    record_indexed_tree(place)
    build_index(place.root, place.folder, workers=1)
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
