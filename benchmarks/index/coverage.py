"""How much of a tree the index sees: its functions against universal-ctags', and the bytes that didn't parse.

    python -m benchmarks.index.coverage redis bullet3 openssl TREE...

A name of a recipe means its source at the benchmark's commit; a path is any tree. ctags gets the files that the
index holds, each with the language that the index took it for.

- "found": a function of the index has the name that ctags tells, and its lines hold ctags' line. Lambdas, which
  ctags numbers, aren't asked for.
- "macro": of those not found, the name is one of the tree's function-like macros: ctags takes a macro's use, or
  what a `#define` holds, for a definition. Counted apart and out of "share, macros out".
- "index only": functions that ctags doesn't tell.
- "not parsed": share of bytes under the parser's error nodes.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.tables import Column, render_table
from executor.cache import cache_root
from executor.repository.recipe import find_recipe, recipe_names
from executor.repository.source import checkout_source, choose_mirror_folder
from experiments.consoles import print_line, set_up_stderr_logging
from index.build import build_index
from index.repo_index import RepoIndex, open_index
from index.values import Span, SymbolKind

_CTAGS_LANGUAGE = {"c": "C", "cpp": "C++"}


class Tag(NamedTuple):
    """A function as ctags tells it."""

    path: str
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """One tree's figures. `missed`: tags without a function, of which `macros` bear a macro's name."""

    tree: str
    files: int
    skipped: int
    bytes: int
    not_parsed: float
    functions: int
    tags: int
    missed: tuple[Tag, ...]
    macros: int
    index_only: int

    @property
    def share_without_macros(self) -> float:
        return 1 - (len(self.missed) - self.macros) / max(1, self.tags - self.macros)


def strip_qualifiers(name: str) -> str:
    """A name as both sides spell it: the last component, without template arguments and spaces."""
    at = name.find("operator")
    if at >= 0 and (at == 0 or not (name[at - 1].isalnum() or name[at - 1] == "_")):
        return re.sub(r"\s+", "", name[at:])
    return re.sub(r"\s+|<.*", "", name).rpartition("::")[2]


def run_ctags(root: Path, by_language: Mapping[str, Sequence[str]]) -> list[Tag]:
    """The functions that ctags finds in these files of `root`."""
    found = []
    for language, paths in by_language.items():
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
            listed.write("".join(f"{path}\n" for path in paths))
            listed.flush()
            kind = _CTAGS_LANGUAGE[language]
            argv = ["ctags", "--options=NONE", "--output-format=json", f"--language-force={kind}", "-L", listed.name]
            argv += [f"--kinds-{kind}=f", "--fields=+n", "--sort=no", "-f", "-"]
            out = subprocess.run(argv, cwd=root, capture_output=True, check=True).stdout
        found += list(read_tags(out.decode("utf-8", "replace")))
    return found


def read_tags(out: str) -> Iterator[Tag]:
    for line in out.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag" and not tag["name"].startswith("__anon"):
            yield Tag(tag["path"], tag["line"], tag["name"])


def measure_coverage(name: str, index: RepoIndex) -> Coverage:
    """The tree of `index` against ctags."""
    languages: dict[str, list[str]] = defaultdict(list)
    for file in index.source_files:
        if "\n" not in file.path:
            languages[file.language].append(file.path)
    tags = sorted(set(run_ctags(index.root, languages)))
    functions: dict[tuple[str, str], list[Span]] = defaultdict(list)
    for entry in index.functions:
        functions[entry.symbol.path, strip_qualifiers(entry.symbol.name)].append(entry.symbol.span)
    met = set()
    missed = []
    for tag in tags:
        key = (tag.path, strip_qualifiers(tag.name))
        spans = [span for span in functions.get(key, ()) if span.first <= tag.line <= span.last]
        if spans:
            met |= {(*key, span) for span in spans}
        else:
            missed.append(tag)
    macros = {e.symbol.name for e in index.entries_of_kind(SymbolKind.MACRO) if "(" in e.symbol.signature}
    size = sum(file.size for file in index.source_files)
    errors = sum(file.error_bytes for file in index.source_files)
    return Coverage(
        tree=name,
        files=len(index.source_files),
        skipped=len(index.files) - len(index.source_files),
        bytes=size,
        not_parsed=errors / max(1, size),
        functions=len(index.functions),
        tags=len(tags),
        missed=tuple(missed),
        macros=sum(strip_qualifiers(tag.name) in macros for tag in missed),
        index_only=sum(len(spans) for spans in functions.values()) - len(met),
    )


def build_coverage_table(found: Iterable[Coverage]) -> str:
    columns = (
        Column("tree", lambda row: row.tree),
        Column("files (skipped)", lambda row: f"{row.files} ({row.skipped})"),
        Column("MiB", lambda row: row.bytes / 2**20, ".1f"),
        Column("not parsed", lambda row: row.not_parsed, ".2%"),
        Column("index's functions", lambda row: row.functions),
        Column("ctags'", lambda row: row.tags),
        Column("found", lambda row: row.tags - len(row.missed)),
        Column("share", lambda row: 1 - len(row.missed) / max(1, row.tags), ".2%"),
        Column("macro", lambda row: row.macros),
        Column("share, macros out", lambda row: row.share_without_macros, ".2%"),
        Column("index only", lambda row: row.index_only),
    )
    return render_table(columns, found)


def open_tree(tree: str, workers: int) -> RepoIndex:
    """The index of a recipe's source or of a path, in Graft's cache, brought up to date."""
    if tree in recipe_names():
        root = checkout_source(find_recipe(tree), choose_mirror_folder(), cache_root()).root
    else:
        root = Path(tree).resolve()
    folder = cache_root() / "benchmarks" / f"coverage-{root.name}"
    build_index(root, folder, workers=workers)
    return open_index(folder, root)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", help="names of recipes, or paths")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    indexes = {tree: open_tree(tree, args.workers) for tree in args.trees}
    print_line(build_coverage_table([measure_coverage(Path(tree).name, index) for tree, index in indexes.items()]))


if __name__ == "__main__":
    set_up_stderr_logging()
    main()
