"""`#include` lines, and which file of the tree each one means."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from index.cpp.language import TEMPLATE_SUFFIX
from index.cpp.macros import has_only_blanks_before

# Not by the parser: an include in code that it can't read counts too.
_INCLUDE = re.compile(rb'#[ \t]*(?:include|include_next|import)[ \t]*("[^"\n]{1,500}"|<[^>\n]{1,500}>)')


class Include(NamedTuple):
    """One include: where it stands in the file, and its text with the quotes or angles."""

    at: int
    text: str


def find_includes(data: bytes) -> tuple[Include, ...]:
    """All includes of a file in order, also in branches that no compiler takes."""
    return tuple(
        Include(m.start(1), text)
        for m in _INCLUDE.finditer(data)
        if has_only_blanks_before(data, m.start()) and (text := m[1].decode("utf-8", "replace")).isprintable()
    )


def group_paths_by_base_name(paths: Iterable[str]) -> dict[str, list[str]]:
    """The paths of a tree by their last component: what `find_nearest_included_path` looks in."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(posixpath.basename(path).removesuffix(TEMPLATE_SUFFIX), []).append(path)
    return found


def find_nearest_included_path(
    including_path: str, include_text: str, paths_by_base_name: Mapping[str, Sequence[str]]
) -> str | None:
    """The file of the tree that `include_text`, included by `including_path`, means; None for a system header.

    A template (`err.h.in`) stands for the file that it makes. In quotes: the file beside `including_path` first. Else
    the file whose path ends with all that is written; among several the one that shares most folders with
    `including_path`, then the shortest path.
    """
    wanted = posixpath.normpath(include_text[1:-1].replace("\\", "/"))
    candidates = paths_by_base_name.get(posixpath.basename(wanted), ())
    if not candidates:
        return None
    if include_text[0] == '"':
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(including_path), wanted))
        for there in (beside, beside + TEMPLATE_SUFFIX):
            if there in candidates:
                return there
    tail = "/" + wanted.lstrip("./")
    fitting = [c for c in candidates if ("/" + c.removesuffix(TEMPLATE_SUFFIX)).endswith(tail)]
    if not fitting:
        return None
    return min(fitting, key=lambda c: (-_count_shared_folders(c, including_path), c.count("/"), c))


def _count_shared_folders(path: str, other: str) -> int:
    folders = zip(path.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], folders))
