"""The files of a variant's tree: the original's under the names of its record. Where files change their names, the
texts that name them follow: `#include` lines, comments and build files."""

from __future__ import annotations

import logging
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path, PurePosixPath

from executor.manifest.variant.record import describe_variant_tree_in_cache
from executor.manifest.variant.renamed_text import rename_source, rename_words_of_non_c_file
from executor.manifest.variant.values import VariantRecord
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree, read_recorded_tree, record_and_move_tree
from index.cpp.language import is_source
from index.cpp.tokens import replace_source_pieces
from index.source_text import decode_source, encode_source, explain_utf16_or_utf32_or_empty
from index.symbols.source_files import find_source_paths

log = logging.getLogger(__name__)

SOURCE_SUFFIXES = "c|cc|cpp|cxx|h|hh|hpp|hxx|inl|ipp"
SOURCE_NAME = re.compile(rf"(?P<stem>[^.]+)\.(?:{SOURCE_SUFFIXES})")
# As build files and scripts write it: a source, or what a compiler makes of it.
NAMED_FILE = re.compile(rf"(?P<stem>[\w.+-]*\w)\.(?:{SOURCE_SUFFIXES}|o|lo|obj|d)\b(?!\.\w)")
INCLUDE = re.compile(
    r"(?P<head>^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*(?P<open>[\"<]))(?P<path>[^\">\n]+)", re.MULTILINE
)


def write_variant_tree(recipe: Recipe, source: SourceTree, record: VariantRecord, cache: Path) -> SourceTree:
    """The variant's tree in the cache, written unless it is there. Modes and times are the original's, so that `make`
    sees the same files as newer."""
    variant = describe_variant_tree_in_cache(cache, source, record)
    if variant.root.is_dir():
        return read_recorded_tree(variant.root, source.repo)
    started = time.monotonic()
    variant.root.parent.mkdir(parents=True, exist_ok=True)
    changed = 0
    with tempfile.TemporaryDirectory(dir=variant.root.parent, prefix=f".{variant.root.name}-") as scratch:
        tree = Path(scratch, "tree")
        shutil.copytree(source.root, tree, symlinks=True)
        for path in list_sources_to_rewrite(source.root, recipe.variants.leave):
            changed += rewrite_file_text(tree / path, partial(rename_source, path, names=record.names))
        # Files that aren't C and are renamed along.
        for path in list_regular_files_outside_git(source.root):
            if is_path_matched_by_any(path, recipe.variants.follow):
                changed += rewrite_file_text(
                    tree / path, partial(rename_words_of_non_c_file, path, names=record.names)
                )
        rename_files_and_references(tree, record.paths)
        record_and_move_tree(tree, variant)
    log.info(f"{variant.root.name}: {changed} files changed, {time.monotonic() - started:.0f} s")
    return variant


def rename_files_and_references(tree: Path, paths: Mapping[str, str]) -> None:
    """Rename the files of a tree; its `#include` lines, comments, build files and symbolic links follow."""
    if not paths:
        return
    stems = _map_stems(paths)
    for path in list_regular_files_outside_git(tree):
        file = tree / path
        if is_build_file(file.name):
            rewrite_file_text(file, lambda text: _rename_stems_before_file_suffix(text, stems))
        elif is_source(path):
            rewrite_file_text(file, lambda text: _rename_included_and_commented_stems(text, stems))
    for old, new in paths.items():
        (tree / old).rename(tree / new)
    _rename_links_to_files(tree, paths, stems)


def _rename_links_to_files(tree: Path, paths: Mapping[str, str], stems: Mapping[str, str]) -> None:
    """Let each symbolic link lead to its file again, under the name by which `#include` lines ask for it now."""
    for folder, _, names in os.walk(tree):
        for link in sorted(Path(folder, name) for name in names if Path(folder, name).is_symlink()):
            target = PurePosixPath(link.readlink())
            moved = paths.get(os.path.normpath(link.relative_to(tree).parent / target))
            name = SOURCE_NAME.fullmatch(link.name)
            stem = stems.get(name["stem"]) if name else None
            if moved is not None or stem is not None:
                link.unlink()
                place = link.with_name(stem + link.name[len(name["stem"]) :]) if name and stem else link
                place.symlink_to(target.with_name(PurePosixPath(moved).name) if moved is not None else target)


def rename_files_in_code(text: str, paths: Mapping[str, str]) -> str:
    """C or C++ text whose `#include` lines and comments name the renamed files."""
    return _rename_included_and_commented_stems(text, _map_stems(paths)) if paths else text


def rename_files_in_prose(text: str, paths: Mapping[str, str]) -> str:
    """The same for a docstring, or any other text."""
    return _rename_stems_before_file_suffix(text, _map_stems(paths)) if paths else text


def _map_stems(paths: Mapping[str, str]) -> dict[str, str]:
    return {stem_of(old): stem_of(new) for old, new in paths.items()}


def rewrite_file_text(file: Path, change: Callable[[str], str]) -> bool:
    """Write what `change` makes of the file's text. Mode and time stay, so that `make` sees the same files as newer.
    Returns whether it is another text: one in UTF-16 stays as it is, which is said."""
    data = file.read_bytes()
    if wide := explain_utf16_or_utf32_or_empty(data):
        log.warning(f"{file.name} keeps its names: {wide}")
        return False
    new = encode_source(change(decode_source(data)))
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


def _rename_included_and_commented_stems(text: str, stems: Mapping[str, str]) -> str:
    """Of included files all are renamed that have such a stem: one that another file has doesn't change."""

    def rename_included_path(found: re.Match[str]) -> str:
        return found["head"] + _rename_stems_before_file_suffix(found["path"], stems)

    def rename_stems_in_comment(found: re.Match[str]) -> str:
        text = found.group()
        return _rename_stems_before_file_suffix(text, stems) if found.lastgroup == "comment" else text

    return replace_source_pieces(INCLUDE.sub(rename_included_path, text), rename_stems_in_comment)


def _rename_stems_before_file_suffix(text: str, stems: Mapping[str, str]) -> str:
    def rename_named_file(found: re.Match[str]) -> str:
        stem = found["stem"]
        return stems.get(stem, stem) + found[0][len(stem) :]

    return NAMED_FILE.sub(rename_named_file, text)


def stem_of(path: str) -> str:
    return PurePosixPath(path).name.rpartition(".")[0]


def list_regular_files_outside_git(root: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in (".git", ".graft"))
        for name in sorted(names):
            if not Path(folder, name).is_symlink():
                yield Path(folder, name).relative_to(root).as_posix()


def is_build_file(name: str) -> bool:
    """Whether a file of this name says how the repository is built."""
    return name.lower().startswith(("makefile", "cmakelists", "build.info")) or name.endswith((".mk", ".cmake"))


def list_sources_to_rewrite(root: Path, leave: Sequence[str]) -> Iterator[str]:
    """The C and C++ files of the tree that are renamed: ordinary files that `leave` doesn't name, sorted."""
    for path in find_source_paths(root):
        if not (root / path).is_symlink() and not is_path_matched_by_any(path, leave):
            yield path


def is_path_matched_by_any(path: str, patterns: Sequence[str]) -> bool:
    """Whether one of the patterns (fnmatch) is the path's."""
    return any(fnmatchcase(path, pattern) for pattern in patterns)
