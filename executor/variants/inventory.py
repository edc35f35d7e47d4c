"""What a repository's own C and C++ files define, by their index."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from executor.tasks.row import decode
from index.cpp.language import TEMPLATE
from index.cpp.tokens import pieces, without_comments
from index.repo_index import RepoIndex
from index.symbols.scan import read_source, source_paths
from index.values import SymbolKind

NAMESPACE = "namespace"
LOCAL = "local"
IDENTIFIER = re.compile(r"[^\W\d]\w*+")
_NAMESPACE = re.compile(r"\bnamespace\s+([\w:\s]+?)\s*[{=]|\busing\s+(\w+)\s*=")
# Code that makes a part of a template when the tree is configured (openssl).
_PERL = re.compile(r"\{-[\s\S]*?-\}")


@dataclass(frozen=True, slots=True)
class Inventory:
    """`defined`: each identifier that the repository's own files define, with what it is. `files`: those files.
    `words`: every word in them, in strings and comments as well."""

    defined: Mapping[str, frozenset[str]]
    files: tuple[str, ...]
    words: frozenset[str]


def take_inventory(root: Path, index: RepoIndex, leave: Sequence[str], with_locals: bool) -> Inventory:
    """The inventory of the tree at `root`, whose index is `index`. Files that `leave` names (fnmatch) aren't the
    repository's own. `with_locals`: every other identifier of its code counts as defined, as a local."""
    files = tuple(own_files(root, leave))
    own = frozenset(files)
    defined: dict[str, set[str]] = {}
    for kind in SymbolKind:
        for entry in index.entries(kind):
            if entry.symbol.path in own:
                name = entry.symbol.name.removeprefix("~")
                if IDENTIFIER.fullmatch(name):
                    defined.setdefault(name, set()).add(kind.value)
    words: set[str] = set()
    for path in files:
        text = source_text(root, path)
        words.update(IDENTIFIER.findall(text))
        for name in _namespaces(text):
            defined.setdefault(name, set()).add(NAMESPACE)
        if with_locals:
            for piece in pieces(text):
                if piece.kind == "word":
                    defined.setdefault(piece.text, {LOCAL})
    # One letter holds no memory, and a name of it is another one in every function.
    return Inventory(
        {name: frozenset(kinds) for name, kinds in defined.items() if len(name) > 1}, files, frozenset(words)
    )


def own_files(root: Path, leave: Sequence[str]) -> Iterator[str]:
    """The C and C++ files of the tree that are renamed: ordinary files that `leave` doesn't name, sorted."""
    for path in source_paths(root):
        if not (root / path).is_symlink() and not any(fnmatchcase(path, pattern) for pattern in leave):
            yield path


def source_text(root: Path, path: str) -> str:
    """The text of a file; of one that is too large to be read as source, none."""
    return decode(read_source(str(root), path)[0])


def code_parts(path: str, text: str) -> list[str]:
    """The text in parts, of which every second, beginning with the second, isn't C."""
    if not path.endswith(TEMPLATE) or "{-" not in text:
        return [text]
    parts: list[str] = []
    end = 0
    for match in _PERL.finditer(text):
        parts += [text[end : match.start()], match.group()]
        end = match.end()
    return [*parts, text[end:]]


def _namespaces(text: str) -> Iterator[str]:
    """Names of namespaces, and names that `using` gives to another type."""
    if "namespace" in text or "using" in text:
        for match in _NAMESPACE.finditer(without_comments(text)):
            yield from IDENTIFIER.findall(match[1] or match[2])
