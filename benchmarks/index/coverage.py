"""How much of a tree the index sees: its functions against universal-ctags'.

    python -m benchmarks.index.coverage redis bullet3 openssl TREE...

A name of a recipe means its source at the benchmark's commit; a path is any tree. ctags gets the files that the
index holds, each with the language that the index took it for.

- "found": a function of the index has the name that ctags tells, and its lines hold ctags' line. Lambdas, which
  ctags numbers, aren't asked for.
- "macro": of those not found, the name is one of the tree's function-like macros: ctags takes a macro's use, or
  what a `#define` holds, for a definition. Out of "share".
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from benchmarks.tables import render_cells
from executor.repository.recipe import recipe_names
from experiments.consoles import print_line, set_up_stderr_logging
from index.repo_index import RepoIndex
from index.values import Span, SymbolKind
from lab.retrieval_eval.run import check_out_repository, open_updated_index

_CTAGS_LANGUAGE = {"c": "C", "cpp": "C++"}


class Tag(NamedTuple):
    """A function as ctags tells it."""

    path: str
    line: int
    name: str


class Coverage(NamedTuple):
    """`tags`: functions as ctags tells them; `missed`: how many of them the index lacks, `macros` of which bear a
    macro's name."""

    tags: int
    missed: int
    macros: int

    @property
    def share(self) -> float:
        return 1 - (self.missed - self.macros) / max(1, self.tags - self.macros)


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


def measure_coverage(index: RepoIndex) -> Coverage:
    """The tree of `index` against ctags."""
    languages: dict[str, list[str]] = defaultdict(list)
    for file in index.source_files:
        if "\n" not in file.path:
            languages[file.language].append(file.path)
    tags = set(run_ctags(index.root, languages))
    functions: dict[tuple[str, str], list[Span]] = defaultdict(list)
    for entry in index.functions:
        functions[entry.symbol.path, strip_qualifiers(entry.symbol.name)].append(entry.symbol.span)
    missed = [
        strip_qualifiers(tag.name)
        for tag in tags
        if not any(s.first <= tag.line <= s.last for s in functions.get((tag.path, strip_qualifiers(tag.name)), ()))
    ]
    macros = {e.symbol.name for e in index.entries_of_kind(SymbolKind.MACRO) if "(" in e.symbol.signature}
    return Coverage(len(tags), len(missed), sum(name in macros for name in missed))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", help="names of recipes, or paths")
    rows = []
    for tree in parser.parse_args().trees:
        root = check_out_repository(tree, None) if tree in recipe_names() else Path(tree).resolve()
        with closing(open_updated_index(root)) as index:
            found, count = measure_coverage(index), len(index.functions)
        rows.append([root.name, count, found.tags, found.tags - found.missed, found.macros, f"{found.share:.2%}"])
    print_line(render_cells(("tree", "index's functions", "ctags'", "found", "macro", "share"), rows))


if __name__ == "__main__":
    set_up_stderr_logging()
    main()
