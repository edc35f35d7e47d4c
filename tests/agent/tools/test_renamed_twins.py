"""Prevents: a tool that reads a renamed twin of the function to write to the model: the answer but for names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.tools.name_table import NameTable
from agent.tools.scope import Scope
from agent.tools.toolbox import Toolbox
from index.build import build_index
from index.repo_index import open_index
from index.values import Masking, Target
from retrieval.text.lexical import LexicalRetriever
from tests.support.shape import alike

FIRST = """\
link *connect_by_name(const char *ip, int port, const span limit) {
    if (limit.seconds == 0 && limit.rest == 0) {
        return open_link(ip, port);
    } else {
        return open_link_within(ip, port, limit);
    }
}
"""
SECOND = """\
link *connect_by_path(const char *path, const span limit) {
    if (limit.seconds == 0 && limit.rest == 0) {
        return open_local(path);
    } else {
        return open_local_within(path, limit);
    }
}
"""
CALLS = [
    *((tool, {"name": "connect_by_path"}) for tool in ("read_symbol", "definition", "callers", "callees")),
    ("read_lines", {"path": "connect.c"}),
    ("search", {"query": "connect path limit seconds"}),
]


@pytest.mark.parametrize(("masking", "shows"), [("strict", False), ("realistic", True)])
def test_no_tool_reads_a_renamed_twin_to_the_model(tmp_path: Path, masking: Masking, shows: bool) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "connect.c").write_text(FIRST + SECOND)
    build_index(root, tmp_path / "index", workers=1)
    index = open_index(tmp_path / "index", root)
    (first, _) = (entry.symbol for entry in index.functions)
    target = Target("t", first.path, first.span, first.name, first.signature, "", "c")
    box = Toolbox(Scope(index.hide(target, masking), NameTable(index)), {"words": LexicalRetriever(index)})
    answers = [box.answer_call(tool, json.dumps(arguments)).text for tool, arguments in CALLS]
    # Tools number the lines that they show.
    plain = ["\n".join(line.lstrip(" 0123456789|:") for line in text.split("\n")) for text in answers]
    assert any(alike(FIRST[FIRST.index("{") :], text) for text in plain) == shows
    assert any("open_local_within" in text for text in answers) == shows
    index.close()
