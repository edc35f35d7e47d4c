"""A small tree, and all that an index of a tree says, to compare two of them."""

from __future__ import annotations

import json
from pathlib import Path

from index.repo_index import open_index
from index.store.manifest import MANIFEST
from index.values import SymbolKind

Files = dict[str, str | bytes]

FILES: Files = {
    "a.c": "/* one */\nint one(void) { return 1; }\nint two(void) { return one(); }\n",
    "sub/b.cpp": "namespace n { int three() { return 3; } }\n",
    "sub/b.h": "#define QUICK inline\nint one(void);\n",
    "notes.txt": "int four(void) { return 4; }\n",
}


def database(folder: Path) -> Path:
    return folder / str(json.loads((folder / MANIFEST).read_text())["database"])


def content(folder: Path, root: Path) -> list[tuple[object, ...]]:
    index = open_index(folder, root)
    try:
        return [
            (e.symbol, e.body, e.doc, index.call_sites(e.symbol))
            for kind in SymbolKind
            for e in index.entries_of_kind(kind)
        ]
    finally:
        index.close()
