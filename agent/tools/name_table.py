"""All names and signatures of an index, searched in milliseconds whatever its size."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt

from agent.tools.name_arrays import Mentions, TextLines, load_lines, make_word_mention_index, save_lines
from index.cpp.declarators import unqualified_name
from index.cpp.tokens import split_identifier
from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex
from index.store.derived_arrays import load_columns, save_columns
from index.values import Symbol, SymbolKind

# Symbols that are read for one answer: some 40 us each.
_MOST_ENTRIES = 500
_LEAST_CHARS = 2
_NEAR_CUTOFF = 60.0
# Folders of other people's code.
_VENDORED = frozenset({"deps", "extern", "external", "externals", "vendor", "vendored"}) | frozenset(
    {"3rdparty", "third-party", "third_party", "thirdparty"}
)


def vendored_root(path: str) -> str:
    """The folder of other people's code that a path lies in, with its slash, or ""."""
    folders = path.split("/")[:-1]
    for depth, folder in enumerate(folders):
        if folder.lower() in _VENDORED:
            return "/".join(folders[: depth + 2]) + "/"
    return ""


class NameTable:
    """Each part is made when it is first asked for, once per build of the index, and kept in its folder. It knows
    every name, hidden ones too: what it returns has gone through a view. Safe to share between threads."""

    def __init__(self, index: RepoIndex) -> None:
        self._index = index

    def build_names_and_call_graph(self) -> NameTable:
        """Make now what the agent's tools need, with the call graph, so that no conversation waits for it. Returns
        itself."""
        _ = (self._qualified_names, self._distinct_unqualified_names, self._function_signatures, self._index.graph)
        return self

    @cached_property
    def _qualified_names(self) -> TextLines:
        return self._load_or_make_lines("tool-names", self._index.list_distinct_qualified_names)

    @cached_property
    def _distinct_unqualified_names(self) -> TextLines:
        return self._load_or_make_lines(
            "tool-last-names", lambda: sorted(set(map(unqualified_name, self._qualified_names.all_texts())))
        )

    @cached_property
    def _function_signatures(self) -> tuple[TextLines, npt.NDArray[np.int64]]:
        """The signatures of functions and prototypes, and the ids of these symbols."""

        def save_signature_lines(folder: Path) -> None:
            rows = self._index.signatures((SymbolKind.FUNCTION, SymbolKind.PROTOTYPE))
            save_lines(folder, (" ".join(signature.split()) for _, signature in rows))
            np.save(folder / "ids.npy", np.array([number for number, _ in rows], dtype=np.int64))

        return self._index.load_or_make_arrays(
            "tool-signatures",
            save_signature_lines,
            lambda folder: (load_lines(folder), np.load(folder / "ids.npy", mmap_mode="r")),
        )

    @cached_property
    def _name_mentions(self) -> Mentions:
        """`prepare` doesn't make it: only `callers` needs it, and every file is read for it."""

        def save_mentions(folder: Path) -> None:
            texts = map(self._index.read_file, self.files)
            save_columns(make_word_mention_index(self._distinct_unqualified_names.all_texts(), texts), folder)

        return self._index.load_or_make_arrays("tool-mentions", save_mentions, partial(load_columns, Mentions))

    @cached_property
    def files(self) -> Sequence[str]:
        """The paths that a view can read, in order."""
        return sorted(file.path for file in self._index.source_files)

    @cached_property
    def files_by_base(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for path in self.files:
            found.setdefault(PurePosixPath(path).name, []).append(path)
        return found

    def search_symbols(self, view: HiddenView, query: str, limit: int) -> list[Symbol]:
        """Symbols whose qualified name holds the query, or all of its words: whole names first, then beginnings,
        then short names; vendored code after the repository's own. At most `limit`."""
        words = query.lower().split()
        if not words or max(map(len, words)) < _LEAST_CHARS:
            return []
        numbers = self._qualified_names.find_line_numbers_with_substring(max(words, key=len), lowered=True)
        known = self._qualified_names.texts_of(numbers)
        fitting = [name for name in known if all(word in name.lower() for word in words)]
        wanted = query.strip()
        # Thousands may share an unqualified name (operator(), a constructor): each is read once.
        read: dict[str, dict[str, list[Symbol]]] = {}

        def symbols_named(last: str) -> dict[str, list[Symbol]]:
            if last not in read:
                read[last] = {}
                for symbol in view.symbols_named(last):
                    read[last].setdefault(symbol.qualified_name, []).append(symbol)
            return read[last]

        def match_rank(name: str) -> tuple[bool, bool, bool]:
            last = unqualified_name(name)
            low = last.lower()
            return (wanted not in (name, last), low != wanted.lower(), not low.startswith(wanted.lower()))

        # A whole name counts even where half the repository's names hold it.
        names = {*symbols_named(unqualified_name(wanted)), *fitting}
        found: list[Symbol] = []
        for name in sorted(names, key=lambda name: (match_rank(name), len(name), name)):
            found += symbols_named(unqualified_name(name)).get(name, [])
            if len(found) >= limit:
                break
        found.sort(key=lambda symbol: (match_rank(symbol.qualified_name), bool(vendored_root(symbol.path))))
        return found[:limit]

    def find_nearest_names(self, view: HiddenView, name: str, limit: int) -> list[str]:
        """Qualified names of the view whose last part is spelled like that of `name`: of those that share a
        beginning, an end or a word with it, the most alike."""
        from rapidfuzz import fuzz, process

        last = unqualified_name(name)[:80]
        low = last.lower()
        parts = {part for part in split_identifier(last) if len(part) >= 4} | {low[:4], low[-5:]}
        numbers: set[int] = set()
        for part in parts:
            if len(part) >= _LEAST_CHARS:
                numbers.update(self._distinct_unqualified_names.find_line_numbers_with_substring(part, lowered=True))
        known = self._distinct_unqualified_names.texts_of(sorted(numbers))
        scored = process.extract(last, known, scorer=fuzz.ratio, limit=4 * limit, score_cutoff=_NEAR_CUTOFF)
        found: list[str] = []
        for near, _, _ in scored:
            found += sorted({symbol.qualified_name for symbol in view.symbols_named(near)})
            if len(found) >= limit:
                break
        return found[:limit]

    def find_functions_with_type(self, view: HiddenView, name: str, limit: int) -> list[Symbol]:
        """Functions and prototypes whose signature names the type, as a whole word. At most `limit`."""
        if len(name) < _LEAST_CHARS:
            return []
        whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        signatures, ids = self._function_signatures
        numbers = signatures.find_line_numbers_with_substring(name)
        texts = zip(numbers, signatures.texts_of(numbers), strict=True)
        rows = [row for row, text in texts if whole.search(text)][:_MOST_ENTRIES]
        entries = self._index.read_entries_sorted_by_place(ids[rows].tolist())
        return [seen for entry in entries if (seen := view.visible_symbol(entry)) is not None][:limit]

    def list_files_mentioning(self, name: str) -> list[str]:
        """The files that hold an unqualified name as a word, hidden places and comments included."""
        number = self._distinct_unqualified_names.find_line_number(name)
        return [] if number is None else [self.files[file] for file in self._name_mentions.files_of(number)]

    def _load_or_make_lines(self, name: str, texts: Callable[[], Iterable[str]]) -> TextLines:
        return self._index.load_or_make_arrays(name, lambda folder: save_lines(folder, texts()), load_lines)
