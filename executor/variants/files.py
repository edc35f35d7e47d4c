"""New names for C and C++ files, as an option. A stem has one new stem in the whole tree, so `dict.c` and `dict.h`
stay a pair. Folders stay. `#include` lines and build files follow; a file that anything else names stays."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from executor.repository.recipe import Recipe
from executor.tasks.row import decode
from executor.variants.inventory import own_files
from executor.variants.kept import PROSE, is_build_file
from index.cpp.language import is_source
from index.cpp.tokens import replace_pieces

_SUFFIXES = "c|cc|cpp|cxx|h|hh|hpp|hxx|inl|ipp"
_SOURCE = re.compile(rf"(?P<stem>[^.]+)\.(?:{_SUFFIXES})")
# What may be made into a source, is read as one or is built beside it.
_KIN = re.compile(rf"(?P<stem>.+?)\.(?:(?:{_SUFFIXES}|inc|def|s|S|asm|y|l|pl|py|tmpl)(?:\.\w+)*)")
# As build files and scripts write it: a source, or what a compiler makes of it.
_NAMED = re.compile(rf"(?P<stem>[\w.+-]*\w)\.(?:{_SUFFIXES}|o|lo|obj|d)\b(?!\.\w)")
_INCLUDE = re.compile(
    r"(?P<head>^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*(?P<open>[\"<]))(?P<path>[^\">\n]+)", re.MULTILINE
)
_LITERAL = re.compile(r'"[^"\n]*"')
_WORD = re.compile(r"[\w+-]+")
_MOST_BYTES = 4 * 1024 * 1024


def movable_stems(root: Path, recipe: Recipe) -> frozenset[str]:
    """The stems of the repository's own files that can be renamed: no other file has that name, and nothing names them
    but the code's `#include` lines and, with their suffix, build files."""
    own = set(own_files(root, recipe.variants.leave))
    moving = {path for path in own if _SOURCE.fullmatch(PurePosixPath(path).name)}
    stems = {_stem(path) for path in moving}
    endings = frozenset(_endings(moving))
    stay = _named(recipe.model_dump_json()) | {PurePosixPath(goal).stem for goal in recipe.build.goals}
    for path in _all_files(root):
        name = PurePosixPath(path).name
        if path not in moving and (kin := _KIN.fullmatch(name)):
            # `config.h.in` makes a config.h, and a library's own `list.h` may be the one that an include means.
            stay.add(kin["stem"])
        text = _text(root / path)
        if path in own:
            stay.update(_held_by_code(text, endings))
        elif is_build_file(name):
            stay.update(_WORD.findall(_NAMED.sub(" ", text)))
        elif not name.lower().endswith(PROSE):
            stay |= _named(text)
            # Other projects' code isn't rewritten.
            stay.update(_stem(found["path"]) for found in _INCLUDE.finditer(text))
    return frozenset(stems - stay)


def all_stems(root: Path) -> set[str]:
    """The stems of all files of the tree."""
    return {_stem(path) for path in _all_files(root)}


def new_paths(root: Path, recipe: Recipe, stems: Mapping[str, str]) -> dict[str, str]:
    """Path -> new path of each file whose stem `stems` renames."""
    paths = {}
    for path in own_files(root, recipe.variants.leave):
        place = PurePosixPath(path)
        found = _SOURCE.fullmatch(place.name)
        if found and found["stem"] in stems:
            paths[path] = str(place.with_name(stems[found["stem"]] + place.name[len(found["stem"]) :]))
    return paths


def move_files(tree: Path, paths: Mapping[str, str]) -> None:
    """Rename the files of a tree; its `#include` lines, comments and build files follow."""
    if not paths:
        return
    stems, endings = _stems(paths), frozenset(_endings(paths))
    for path in _all_files(tree):
        file = tree / path
        if is_build_file(file.name):
            change_file(file, lambda text: _follow_names(text, stems))
        elif is_source(path):
            change_file(file, lambda text: _follow_in_code(text, stems, endings))
    for old, new in paths.items():
        (tree / old).rename(tree / new)


def new_files_in_code(text: str, paths: Mapping[str, str]) -> str:
    """C or C++ text whose `#include` lines and comments name the renamed files."""
    return _follow_in_code(text, _stems(paths), frozenset(_endings(paths))) if paths else text


def new_files_in_prose(text: str, paths: Mapping[str, str]) -> str:
    """The same for a docstring, or any other text."""
    return _follow_names(text, _stems(paths)) if paths else text


def _stems(paths: Mapping[str, str]) -> dict[str, str]:
    return {_stem(old): _stem(new) for old, new in paths.items()}


def change_file(file: Path, change: Callable[[str], str]) -> bool:
    """Write what `change` makes of the file's text. Mode and time stay, so that `make` sees the same files as newer.
    Returns whether it is another text."""
    data = file.read_bytes()
    new = change(decode(data)).encode("utf-8", "surrogateescape")
    if new == data:
        return False
    before = file.stat()
    writable = before.st_mode | stat.S_IWUSR
    if writable != before.st_mode:
        file.chmod(writable)
    file.write_bytes(new)
    file.chmod(before.st_mode)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    return True


def _follow_in_code(text: str, stems: Mapping[str, str], endings: Collection[str]) -> str:
    def include(found: re.Match[str]) -> str:
        path = found["path"]
        if _ending(path) not in endings:
            return found[0]
        return found["head"] + _follow_names(path, stems)

    def piece(found: re.Match[str]) -> str:
        text = found.group()
        return _follow_names(text, stems) if found.lastgroup == "comment" else text

    return replace_pieces(_INCLUDE.sub(include, text), piece)


def _follow_names(text: str, stems: Mapping[str, str]) -> str:
    def name(found: re.Match[str]) -> str:
        stem = found["stem"]
        return stems.get(stem, stem) + found[0][len(stem) :]

    return _NAMED.sub(name, text)


def _held_by_code(text: str, endings: Collection[str]) -> Iterator[str]:
    """Stems that code holds in a way that isn't followed."""
    for found in _INCLUDE.finditer(text):
        if found["open"] == "<" and "/" not in found["path"]:
            # It may be a header of the system.
            yield _stem(found["path"])
        elif _ending(found["path"]) not in endings:
            yield _stem(found["path"])
    for literal in _LITERAL.findall(_INCLUDE.sub(" ", text)):
        yield from _named(literal)


def _named(text: str) -> set[str]:
    return {found["stem"] for found in _NAMED.finditer(text)}


def _stem(path: str) -> str:
    return PurePosixPath(path).name.rpartition(".")[0]


def _ending(path: str) -> str:
    """An include's path without what leads up: `../src/a.h` may be any `src/a.h`."""
    return "/".join(part for part in path.split("/") if part not in (".", ".."))


def _endings(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        parts = path.split("/")
        yield from ("/".join(parts[at:]) for at in range(len(parts)))


def _all_files(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in (".git", ".graft"))
        for name in sorted(names):
            if not Path(folder, name).is_symlink():
                yield Path(folder, name).relative_to(root).as_posix()


def _text(file: Path) -> str:
    """Empty for what is no text, and for what is too large to be a source."""
    if file.stat().st_size > _MOST_BYTES:
        return ""
    data = file.read_bytes()
    return "" if b"\0" in data else decode(data)
