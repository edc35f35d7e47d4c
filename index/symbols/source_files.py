"""Finding the sources of a tree, and the first reading of each: its digest and its `#define`s."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from index.cpp.language import has_ordinary_suffix_or_function_body, is_source
from index.cpp.macros import Definition, MacroForm, read_and_classify_macro_definitions
from index.source_text import explain_utf16_or_utf32_or_empty

_NOT_SOURCES = frozenset({".git", ".hg", ".svn"})

MAX_BYTES = 12 * 1024 * 1024
"""Many trees hold SQLite as one file of 8 MiB, which takes 3 CPU-seconds and 230 MB. What is larger is data."""
RACY_NS = 2_000_000_000
"""Nanoseconds: a file that changed so shortly before it was read may change again under the same time stamp."""


class ScannedFile(NamedTuple):
    """A file after the first reading. `reason` is "" or why it is skipped; then `digest` is "". `stamp` is from
    `compute_stamp_of_settled_file_or_empty`, taken before the file was read."""

    path: str
    digest: str
    size: int
    macros: tuple[Definition, ...]
    reason: str
    stamp: str = ""


def find_source_paths(root: Path) -> Iterator[str]:
    """Paths of the C and C++ files under `root`, relative, sorted, with forward slashes. Links to folders aren't
    followed, so a loop of links is harmless."""
    found = []
    for folder, folders, files in os.walk(root, followlinks=False):
        folders[:] = [f for f in folders if f not in _NOT_SOURCES]
        prefix = os.path.relpath(folder, root)
        for name in files:
            if is_source(name):
                found.append(name if prefix == "." else f"{prefix}/{name}".replace(os.sep, "/"))
    yield from sorted(found)


def measure_source_sizes(root: Path) -> dict[str, int]:
    """The bytes of each source file under `root`, by path; a file that is gone or unreadable counts 0."""
    sizes = {}
    for path in find_source_paths(root):
        try:
            sizes[path] = os.lstat(root / path).st_size
        except OSError:
            sizes[path] = 0
    return sizes


def read_digest_and_macros(root: str, path: str) -> ScannedFile:
    """Read a file's digest and its `#define`s. When it can't be indexed, its `reason` says why."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        # SQLite and the model's prompt both want text; such a name has no place in either.
        return ScannedFile(path.encode("utf-8", "backslashreplace").decode(), "", 0, (), "its name is not UTF-8")
    try:
        data, reason = read_source_or_skip_reason(root, path)
    except OSError as error:
        return ScannedFile(path, "", 0, (), error.strerror or type(error).__name__)
    if reason:
        return ScannedFile(path, "", 0, (), reason)
    found = read_and_classify_macro_definitions(data) if has_ordinary_suffix_or_function_body(path, data) else ()
    kept = tuple(d for d in found if d.form is not MacroForm.EMPTY or not d.name.endswith("_H"))
    return ScannedFile(path, hash_content(data), len(data), kept, "")


def read_source_or_skip_reason(root: str, path: str) -> tuple[bytes, str]:
    """The file's bytes, or the reason not to read it: a link (its target is indexed where it lies, if it is in the
    tree), no ordinary file (a pipe would block for ever), too large, in UTF-16."""
    full = Path(root, path)
    info = full.lstat()
    if stat.S_ISLNK(info.st_mode):
        return b"", "a symbolic link"
    if not stat.S_ISREG(info.st_mode):
        return b"", "not an ordinary file"
    if info.st_size > MAX_BYTES:
        return b"", f"larger than {MAX_BYTES} bytes"
    data = full.read_bytes()
    why = explain_utf16_or_utf32_or_empty(data)
    return (b"" if why else data), why


def compute_stamp_of_settled_file_or_empty(root: str, path: str, now_ns: int) -> str:
    """Size, times and inode of a file as one text: equal stamps mean equal bytes. "" (which means nothing) when they
    can't be read, or when the file changed within `RACY_NS` before `now_ns`."""
    try:
        info = os.lstat(f"{root}/{path}")
    except (OSError, ValueError):
        return ""
    if max(info.st_mtime_ns, info.st_ctime_ns) > now_ns - RACY_NS:
        return ""
    return f"{info.st_size}.{info.st_mtime_ns}.{info.st_ctime_ns}.{info.st_ino}"


def hash_content(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
