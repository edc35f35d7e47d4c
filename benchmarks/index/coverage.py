"""How much of a tree the index sees: its functions against universal-ctags', the bytes that didn't parse, and the
benchmark's 218 targets.

    python -m benchmarks.index.coverage redis bullet3 openssl TREE...
    python -m benchmarks.index.coverage redis --disagreements 50
    python -m benchmarks.index.coverage --yabloco [--llvm TREE]

A name of a recipe means its source at the benchmark's commit; a path is any tree. ctags gets the files that the
index holds, each with the language that the index took it for.

- "found": a function of the index has the name that ctags tells, and its lines hold ctags' line. Lambdas, which
  ctags numbers, aren't asked for.
- "macro": of those not found, the name is one of the tree's function-like macros: ctags takes a macro's use, or
  what a `#define` holds, for a definition. Counted apart and out of "share, macros out".
- "index only": functions that ctags doesn't tell.
- "not parsed": share of bytes under the parser's error nodes.

`--disagreements N` draws N of those not found (seed 0) with the line: who is right, is for a person to say.

`--yabloco`: a target is located when the function of the index with its qualified name (or the end of it that is
written, where a `using namespace` gives the rest) has exactly its lines. LLVM by the 18.1.8 sources (`--llvm`: a
folder that holds llvm/), where the lines are those of the data set's own text by the rule of
`executor/tasks/rebind.py`:
its tokens stand there once, and lost first lines are given back.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from executor.cache import cache_root
from executor.repository.recipe import find_recipe, recipe_names
from executor.repository.source import checkout, mirror_from_env
from executor.tasks.load import load_rows
from executor.tasks.rebind import find_span
from executor.tasks.row import TaskRow, read_file_lines
from experiments.consoles import log_to_stderr, say
from index.build import build_index
from index.errors import TaskError
from index.repo_index import RepoIndex, open_index
from index.values import Span, Symbol, SymbolKind

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


class Located(NamedTuple):
    """One target: "exact", or what stands there instead. `scored` is False where the source has another text."""

    row: TaskRow
    how: str
    scored: bool = True


def plain_name(name: str) -> str:
    """A name as both sides spell it: the last component, without template arguments and spaces."""
    at = name.find("operator")
    if at >= 0 and (at == 0 or not (name[at - 1].isalnum() or name[at - 1] == "_")):
        return re.sub(r"\s+", "", name[at:])
    return re.sub(r"\s+|<.*", "", name).rpartition("::")[2]


def ctags(root: Path, by_language: Mapping[str, Sequence[str]]) -> list[Tag]:
    """The functions that ctags finds in these files of `root`."""
    found = []
    for language, paths in by_language.items():
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
            listed.write("".join(f"{path}\n" for path in paths))
            listed.flush()
            kind = _CTAGS_LANGUAGE[language]
            argv = [
                "ctags",
                "--options=NONE",
                "--output-format=json",
                f"--language-force={kind}",
                "-L",
                listed.name,
            ]
            argv += [f"--kinds-{kind}=f", "--fields=+n", "--sort=no", "-f", "-"]
            out = subprocess.run(argv, cwd=root, capture_output=True, check=True).stdout
        found += list(_tags(out.decode("utf-8", "replace")))
    return found


def _tags(out: str) -> Iterator[Tag]:
    for line in out.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag" and not tag["name"].startswith("__anon"):
            yield Tag(tag["path"], tag["line"], tag["name"])


def coverage(name: str, index: RepoIndex) -> Coverage:
    """The tree of `index` against ctags."""
    languages: dict[str, list[str]] = defaultdict(list)
    for file in index.source_files:
        if "\n" not in file.path:
            languages[file.language].append(file.path)
    tags = sorted(set(ctags(index.root, languages)))
    functions: dict[tuple[str, str], list[Span]] = defaultdict(list)
    for entry in index.functions:
        functions[entry.symbol.path, plain_name(entry.symbol.name)].append(entry.symbol.span)
    met = set()
    missed = []
    for tag in tags:
        key = (tag.path, plain_name(tag.name))
        spans = [span for span in functions.get(key, ()) if span.first <= tag.line <= span.last]
        if spans:
            met |= {(*key, span) for span in spans}
        else:
            missed.append(tag)
    macros = {e.symbol.name for e in index.entries(SymbolKind.MACRO) if "(" in e.symbol.signature}
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
        macros=sum(plain_name(tag.name) in macros for tag in missed),
        index_only=sum(len(spans) for spans in functions.values()) - len(met),
    )


def print_table(found: Iterable[Coverage]) -> None:
    say(
        "| tree | files (skipped) | MiB | not parsed | index's functions | ctags' | found | share | macro |"
        " share, macros out | index only |"
    )
    say("| --- |" + " --- |" * 10)
    for row in found:
        share = 1 - len(row.missed) / max(1, row.tags)
        without = 1 - (len(row.missed) - row.macros) / max(1, row.tags - row.macros)
        say(
            f"| {row.tree} | {row.files} ({row.skipped}) | {row.bytes / 2**20:.1f} | {row.not_parsed:.2%} |"
            f" {row.functions} | {row.tags} | {row.tags - len(row.missed)} | {share:.2%} | {row.macros} |"
            f" {without:.2%} | {row.index_only} |"
        )


def print_disagreements(index: RepoIndex, found: Coverage, count: int) -> None:
    """A sample of what ctags has and the index doesn't, with the text and what the index has on that line."""
    drawn = sorted(random.Random(0).sample(found.missed, min(count, len(found.missed))))
    say(f"\n{found.tree}: {len(drawn)} of {len(found.missed)}")
    for tag in drawn:
        lines = index.read(tag.path).decode("utf-8", "replace").split("\n")
        say(f"{tag.path}:{tag.line} {tag.name}  [{_there(index, tag)}]")
        for line in lines[tag.line - 1 : tag.line + 2]:
            say(f"    {line}")


def _there(index: RepoIndex, tag: Tag) -> str:
    around = [e.symbol for e in index.entries_of(tag.path) if e.symbol.span.first <= tag.line <= e.symbol.span.last]
    return ", ".join(f"{s.kind.value} {s.qualified_name}" for s in around[-2:]) or "nothing"


def located(index: RepoIndex, row: TaskRow, span: Span) -> str:
    """ "exact", or how the index sees the function that should be at `span`."""
    symbols = [e.symbol for e in index.entries_of(row.path) if e.symbol.kind is SymbolKind.FUNCTION]
    named = [s for s in symbols if _same_name(s, row.name)]
    if any(s.span == span for s in named):
        return "exact"
    if near := [s for s in named if s.span.first <= span.last and span.first <= s.span.last]:
        return f"lines {near[0].span.first}-{near[0].span.last}, not {span.first}-{span.last}"
    if other := [s for s in symbols if s.span == span]:
        return f"named {other[0].qualified_name}"
    return "not there"


def _same_name(symbol: Symbol, name: str) -> bool:
    ours, theirs = (re.sub(r"\s+|\(anonymous namespace\)::", "", n) for n in (symbol.qualified_name, name))
    # `using namespace llvm;` before `SourceMgr::f() {`: the data set's name is the compiler's, ours the text's.
    return f"::{theirs}".endswith(f"::{ours}")


def targets(trees: Mapping[str, RepoIndex]) -> list[Located]:
    """All targets of the trees given, by repository."""
    found = []
    for row in load_rows("yabloco"):
        index = trees.get(row.repository)
        if index is None:
            continue
        if row.repository != "llvm":
            found.append(Located(row, located(index, row, row.span)))
            continue
        span = _span_of_text(index, row)
        found.append(Located(row, span, False) if isinstance(span, str) else Located(row, located(index, row, span)))
    return found


def _span_of_text(index: RepoIndex, row: TaskRow) -> Span | str:
    """The lines of the data set's text in a source of another version, or why there are none: by the rule that the
    executor binds tasks by."""
    if row.path not in index.files:
        return f"no {row.path} there"
    try:
        return find_span(row, read_file_lines(row, index.root))
    except TaskError as error:
        return str(error)


def print_targets(found: Sequence[Located]) -> None:
    say("| repository | targets | scored | exact | share |\n| --- | --- | --- | --- | --- |")
    for repo in (*dict.fromkeys(located.row.repository for located in found), ""):
        rows = [located for located in found if repo in ("", located.row.repository)]
        scored = [located for located in rows if located.scored]
        exact = sum(located.how == "exact" for located in scored)
        say(f"| {repo or 'all'} | {len(rows)} | {len(scored)} | {exact} | {exact / max(1, len(scored)):.2%} |")
    for task in found:
        if task.how != "exact":
            say(f"{task.row.repository} {task.row.path}:{task.row.span.first} {task.row.name}: {task.how}")


def opened(tree: str, workers: int) -> RepoIndex:
    """The index of a recipe's source or of a path, in Graft's cache, brought up to date."""
    if tree in recipe_names():
        root = checkout(find_recipe(tree), mirror_from_env(), cache_root()).root
    else:
        root = Path(tree).resolve()
    folder = cache_root() / "benchmarks" / f"coverage-{root.name}"
    build_index(root, folder, workers=workers)
    return open_index(folder, root)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="*", help="names of recipes, or paths")
    parser.add_argument("--yabloco", action="store_true", help="locate the benchmark's targets")
    parser.add_argument("--llvm", help="folder that holds llvm/ of 18.1.8")
    parser.add_argument("--disagreements", type=int, default=0, metavar="N", help="print N of ctags' that we miss")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    if args.trees:
        indexes = {tree: opened(tree, args.workers) for tree in args.trees}
        found = {tree: coverage(Path(tree).name, index) for tree, index in indexes.items()}
        print_table(found.values())
        if args.disagreements:
            for tree, result in found.items():
                print_disagreements(indexes[tree], result, args.disagreements)
    if args.yabloco:
        names = {"redis": "redis", "bullet3": "bullet3", "openssl": "openssl"} | (
            {"llvm": args.llvm} if args.llvm else {}
        )
        print_targets(targets({repo: opened(tree, args.workers) for repo, tree in names.items()}))


if __name__ == "__main__":
    log_to_stderr()
    main()
