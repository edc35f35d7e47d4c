"""Prevents: code that no grammar reads (K&R headers, attribute macros, split braces) losing functions and calls."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from index.build import build_index
from index.callgraph.graph import EdgeKind
from index.repo_index import RepoIndex, open_index
from index.values import Entry, SymbolKind
from tests.support.foreign import list_cases
from tests.support.indexes import Indexed

CERTAIN = 0.4
"""Edges of less confidence are guesses among many."""


def _index_case(folder: Path, case: dict[str, Any], scratch: Path) -> RepoIndex:
    source, root = folder / case.get("file", case.get("tree", "")), scratch / "tree"
    if source.is_dir():
        shutil.copytree(source, root)
    else:
        root.mkdir()
        shutil.copy(source, root)
    build_index(root, scratch / "index", workers=1)
    return open_index(scratch / "index", root)


def _is_named(entry: Entry, name: str) -> bool:
    """Whether a name is the function's, or the end of its qualified one."""
    return f"::{entry.symbol.qualified_name}".endswith(f"::{name}")


def _find_function(index: RepoIndex, name: str) -> Entry:
    found = [entry for entry in index.functions if entry.body >= 0 and _is_named(entry, name)]
    exact = [entry for entry in found if entry.symbol.qualified_name == name]
    (only,) = exact or found
    return only


def _list_callees(index: RepoIndex, name: str) -> list[str]:
    edges = index.graph.edges_from(_find_function(index, name).id)
    certain = (edges.confidence >= CERTAIN) & (edges.kind & EdgeKind.POINTER == 0)
    called = [entry.symbol for entry in index.read_entries_sorted_by_place(edges.ids[certain].tolist())]
    return sorted({s.qualified_name for s in called if s.kind is not SymbolKind.MACRO})


@pytest.mark.parametrize(
    ("folder", "case"), [pytest.param(*case, id=f"{case[0].name}-{case[1]['id']}") for case in list_cases("index")]
)
def test_finds_functions_and_calls(folder: Path, case: dict[str, Any], tmp_path: Path) -> None:
    index = _index_case(folder, case, tmp_path)
    expected = case.get("expect", case)
    found = [entry for entry in index.functions if entry.body >= 0]
    if "functions" in expected:
        names = {
            name: [e.symbol.qualified_name for e in found if _is_named(e, name)] for name in expected["functions"]
        }
        assert all(names.values()), names
        assert len(found) == len(expected["functions"]), [entry.symbol.qualified_name for entry in found]
    for caller, callees in expected["callees"].items():
        called = _list_callees(index, caller)
        assert len(called) == len(callees), (caller, called)
        assert all(any(f"::{c}".endswith(f"::{name}") for c in called) for name in callees), (caller, called)
    for name, (first, last) in expected.get("lines", {}).items():
        span = _find_function(index, name).symbol.span
        assert (span.first, span.last) == (first, last), name
    index.close()


SPELLINGS = {
    "digraphs": "int f(int *a)\n<%\n  if (a<:0:>) <% return 1; %>\n  return 2;\n%>\nint g(void) { return 3; }\n",
    "trigraphs": "int f(int *a)\n??<\n  if (a??(0??)) ??< return 1; ??>\n  return 2;\n??>\nint g() { return 3; }\n",
    "a name that goes on": "int f\\\n_long(int a)\n{\n  return a;\n}\nint g(void) { return 3; }\n",
    "a K&R header": "int f(a, b)\n  int a;\n  char *b;\n{\n  return a;\n}\nint g(void) { return 3; }\n",
    "branches around the header": (
        "#ifdef A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n  return 1;\n}\nint g(void) { return 3; }\n"
    ),
    "a body that a macro closes": "#define END }\nint f(int a)\n{\n  return a;\nEND\nint g(void) { return 3; }\n",
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_body_is_known_to_its_last_byte_in_every_spelling(name: str, indexed: Indexed) -> None:
    text = SPELLINGS[name]
    index = indexed({"a.c": text})
    found = {entry.symbol.name: entry for entry in index.functions if entry.body >= 0}
    assert set(found) == {"f_long" if "goes on" in name else "f", "g"}
    first = min(found.values(), key=lambda entry: entry.body)
    after = text.index("int g(")
    assert not text[first.symbol.end_byte : after].strip()
    assert text[first.body :].startswith(("{", "<%", "??<"))
