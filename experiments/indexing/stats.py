"""What an index holds, in figures."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from index.repo_index import RepoIndex
from index.symbols.sites import HEAD, site_count

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


def index_stats(index: RepoIndex) -> IndexStats:
    """Counts over the whole index; the call graph is made if it isn't there yet."""
    files = index.rows("SELECT language, COUNT(*), SUM(size), SUM(error_bytes) FROM files WHERE reason='' GROUP BY 1")
    functions = dict(
        index.rows(
            "SELECT f.language, COUNT(*) FROM symbols s JOIN files f ON f.id = s.file_id WHERE s.kind='function'"
            " GROUP BY 1"
        )
    )
    worst = index.rows(
        "SELECT path, 1.0 * error_bytes / size AS share FROM files WHERE reason='' AND size > 0 AND share > ?"
        " ORDER BY share DESC, path LIMIT ?",
        (WORST_SHARE, WORST),
    )
    return IndexStats(
        root=str(index.root),
        build=index.build,
        files=sum(count for _, count, _, _ in files),
        bytes=sum(size for _, _, size, _ in files),
        index_bytes=_size(index.folder),
        languages=tuple(
            LanguageStats(language, count, functions.get(language, 0), errors / size if size else 0.0)
            for language, count, size, errors in files
        ),
        symbols=dict(index.rows("SELECT kind, COUNT(*) FROM symbols GROUP BY 1 ORDER BY 2 DESC")),
        call_sites=sum(site_count(head) for (head,) in index.rows("SELECT substr(sites, 1, ?) FROM sites", (HEAD,))),
        edges=len(index.graph.callee),
        worst=tuple((path, share) for path, share in worst),
        skipped=tuple(index.rows("SELECT path, reason FROM files WHERE reason<>'' ORDER BY path")),
    )


def _size(folder: Path) -> int:
    """Bytes of all files, each once: arrays that the next state patches are kept by a second name."""
    files = {(info.st_dev, info.st_ino): info.st_size for p in folder.rglob("*") if (info := _ordinary(p))}
    return sum(files.values())


def _ordinary(path: Path) -> os.stat_result | None:
    try:
        info = path.lstat()
    except OSError:  # another process has put a newer one in its place
        return None
    return info if stat.S_ISREG(info.st_mode) else None
