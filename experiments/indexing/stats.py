"""What an index holds, in figures."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from index.repo_index import RepoIndex
from index.store.reader import SourceFile

WORST = 5
WORST_SHARE = 0.02
"""A file with less of it under the parser's error nodes isn't worth naming."""


@dataclass(frozen=True, slots=True)
class LanguageStats:
    """`error_share`: share of the language's bytes that lie under the parser's error nodes."""

    language: str
    files: int
    functions: int
    error_share: float


@dataclass(frozen=True, slots=True)
class IndexStats:
    """`symbols`: kind -> count. `worst`: the worst parsed files and the share of their bytes under error nodes.
    `skipped`: (path, reason) of every file that holds no symbols for a reason. `index_bytes` counts the whole
    folder, retrievers' arrays included."""

    root: str
    build: str
    files: int
    bytes: int
    index_bytes: int
    languages: tuple[LanguageStats, ...]
    symbols: dict[str, int]
    call_sites: int
    edges: int
    worst: tuple[tuple[str, float], ...]
    skipped: tuple[tuple[str, str], ...]


def collect_index_stats(index: RepoIndex) -> IndexStats:
    """Counts over the whole index; the call graph is made if it isn't there yet."""
    files = index.source_files
    shares = {file.path: file.error_bytes / file.size for file in files if file.size}
    worst = [(path, share) for path, share in shares.items() if share > WORST_SHARE]
    return IndexStats(
        root=str(index.root),
        build=index.build,
        files=len(files),
        bytes=sum(file.size for file in files),
        index_bytes=_sum_folder_bytes(index.folder),
        languages=tuple(
            _collect_language_stats(language, [file for file in files if file.language == language])
            for language in sorted({file.language for file in files})
        ),
        symbols=index.symbol_counts(),
        call_sites=index.count_call_sites(),
        edges=len(index.graph.callee),
        worst=tuple(sorted(worst, key=lambda pair: (-pair[1], pair[0]))[:WORST]),
        skipped=tuple((file.path, file.reason) for file in index.files.values() if file.reason),
    )


def _collect_language_stats(language: str, files: Sequence[SourceFile]) -> LanguageStats:
    size = sum(file.size for file in files)
    errors = sum(file.error_bytes for file in files)
    functions = sum(file.functions for file in files)
    return LanguageStats(language, len(files), functions, errors / size if size else 0.0)


def _sum_folder_bytes(folder: Path) -> int:
    """Bytes of all files in a folder and its folders."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # another process has put a newer one in its place
            info = path.lstat()
            total += info.st_size if stat.S_ISREG(info.st_mode) else 0
    return total
