"""What a repository's own C and C++ files define, by their index."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from executor.manifest.variant.renamed_files import list_sources_to_rewrite
from executor.manifest.variant.renamed_text import IDENTIFIER
from index.build import build_index
from index.cpp.language import INCLUDED_SUFFIXES
from index.cpp.tokens import find_comments_literals_and_words, remove_comments
from index.progress import SILENT, Progress
from index.repo_index import RepoIndex, open_index
from index.source_text import decode_source
from index.symbols.source_files import read_source_or_skip_reason
from index.values import SymbolKind

NAMESPACE = "namespace"
METHOD = "method"
LOCAL = "local"
_ONE_WORD = re.compile(r'"([A-Za-z_]\w*)"')
_DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?P<parameters>\([^)\n]*\))?(?P<value>(?:[^\\\n]|\\\r\n|\\[\s\S])*+)",
    re.MULTILINE,
)
_PASTED = re.compile(r"([A-Za-z_]\w*+)?\s*##\s*([A-Za-z_]\w*+)?")
_NAMESPACE = re.compile(r"\bnamespace\s+([\w:\s]+?)\s*[{=]|\busing\s+(\w+)\s*=")


@dataclass(frozen=True, slots=True)
class Inventory:
    """`defined`: each identifier that the repository's own files define, with what it is. `fragments`: what their
    macros paste names together from, and that is no such identifier. `files`: those files. `words`: every word in
    them, in strings and comments as well. `literals`: the strings in them that are one word."""

    defined: Mapping[str, frozenset[str]]
    fragments: frozenset[str]
    files: tuple[str, ...]
    words: frozenset[str]
    literals: frozenset[str]


def index_and_take_inventory(
    root: Path, cache: Path, leave: Sequence[str], with_locals: bool, progress: Progress = SILENT
) -> Inventory:
    """As `take_inventory`, by the index that the cache keeps of the tree."""
    folder = cache / "indexes" / root.name
    build_index(root, folder, progress=progress)
    with closing(open_index(folder, root)) as index:
        return take_inventory(root, index, leave, with_locals)


def take_inventory(root: Path, index: RepoIndex, leave: Sequence[str], with_locals: bool) -> Inventory:
    """The inventory of the tree at `root`, whose index is `index`. Files that `leave` names (fnmatch) aren't the
    repository's own. `with_locals`: every other identifier of its code counts as defined, as a local."""
    files = tuple(list_sources_to_rewrite(root, leave))
    own = frozenset(files)
    defined: dict[str, set[str]] = {}
    for kind in SymbolKind:
        for entry in index.entries_of_kind(kind):
            if entry.symbol.path in own:
                name = entry.symbol.name.removeprefix("~")
                if IDENTIFIER.fullmatch(name):
                    member = (
                        kind in (SymbolKind.FUNCTION, SymbolKind.PROTOTYPE) and "::" in entry.symbol.qualified_name
                    )
                    defined.setdefault(name, set()).add(METHOD if member else kind.value)
    words: set[str] = set()
    literals: set[str] = set()
    fragments: set[str] = set()
    for path in files:
        text = read_source_text_or_empty(root, path)
        if path.endswith(tuple(INCLUDED_SUFFIXES)):
            # The index holds nothing of a list of macros and their uses.
            for match in _DEFINE.finditer(text):
                defined.setdefault(match["name"], set()).add(SymbolKind.MACRO.value)
        words.update(IDENTIFIER.findall(text))
        literals.update(_ONE_WORD.findall(text))
        fragments.update(_find_pasted_fragments(text))
        # And names that `using` gives to another type.
        for match in _NAMESPACE.finditer(remove_comments(text)) if "namespace" in text or "using" in text else ():
            for name in IDENTIFIER.findall(match[1] or match[2]):
                defined.setdefault(name, set()).add(NAMESPACE)
        if with_locals:
            for piece in find_comments_literals_and_words(text):
                if piece.kind == "word":
                    defined.setdefault(piece.text, {LOCAL})
    # One letter holds no memory, and a name of it is another one in every function.
    found = {name: frozenset(kinds) for name, kinds in defined.items() if len(name) > 1}
    # Macros are also given the beginnings of names.
    beginnings = {word for word in words if word.endswith("_") and not word.startswith("_")}
    parts = {name for name in (fragments | beginnings) - found.keys() if len(name) > 1}
    return Inventory(found, frozenset(parts), files, frozenset(words), frozenset(literals))


def read_source_text_or_empty(root: Path, path: str) -> str:
    """The text of a file; of one that is too large to be read as source, none."""
    return decode_source(read_source_or_skip_reason(str(root), path)[0])


def _find_pasted_fragments(text: str) -> Iterator[str]:
    """What macros paste with `##`, without their parameters."""
    if "##" in text:
        for match in _DEFINE.finditer(text):
            if "##" in match["value"]:
                parameters = set(IDENTIFIER.findall(match["parameters"] or ""))
                yield from (
                    word for pair in _PASTED.findall(match["value"]) for word in pair if word not in parameters
                )
