"""A small tree, and all that an index of a tree says, to compare two of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from index.build import build_index
from index.cpp.macros import learn_macros, read_and_classify_macro_definitions
from index.repo_index import RepoIndex, open_index
from index.store.manifest import MANIFEST
from index.symbols.source_parser import ParsedFile, parse_source
from index.values import SymbolKind, Target
from tests.support.projects import write_files

Files = Mapping[str, str | bytes]
Tree = Callable[[Files], Path]
Indexed = Callable[[Files], RepoIndex]
TargetAt = Callable[[RepoIndex, str, str], Target]
"""The fixtures `tree`, `indexed` and `target_at`."""

FILES: Files = {
    "a.c": "/* one */\nint one(void) { return 1; }\nint two(void) { return one(); }\n",
    "sub/b.cpp": "namespace n { int three() { return 3; } }\n",
    "sub/b.h": "#define QUICK inline\nint one(void);\n",
    "notes.txt": "int four(void) { return 4; }\n",
}


def index_files(folder: Path, files: Files) -> RepoIndex:
    """The index of a tree of these files; both are made in `folder`. To be closed by who asked."""
    root = write_files(folder / "tree", files)
    build_index(root, folder / "index", workers=1)
    return open_index(folder / "index", root)


def parse_text(text: str | bytes, path: str = "a.cpp") -> ParsedFile:
    """A file by itself, with the macros that it defines."""
    data = text.encode() if isinstance(text, str) else text
    return parse_source(path, data, learn_macros(read_and_classify_macro_definitions(data)))


def database(folder: Path) -> Path:
    return folder / str(json.loads((folder / MANIFEST).read_text())["database"])


def content(folder: Path, root: Path) -> list[tuple[object, ...]]:
    """All that a build determines: symbols, sites, includes, edges by place."""
    with closing(open_index(folder, root)) as index:
        entries = {e.id: e for kind in SymbolKind for e in index.entries_of_kind(kind)}
        where = {
            i: (e.symbol.path, e.symbol.start_byte, e.symbol.kind.value, e.symbol.name) for i, e in entries.items()
        }
        rows: list[tuple[object, ...]] = [
            (e.symbol, e.body, e.doc, tuple(index.call_sites(e.symbol))) for e in entries.values()
        ]
        rows += [(path, index.includes_with_places(path), f.reason, f.digest) for path, f in index.files.items()]
        rows += sorted((where[i], sorted(where[c] for c in index.graph.callees(i).tolist())) for i in entries)
        return sorted(rows, key=repr)
