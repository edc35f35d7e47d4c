"""Which files of a tree can have new names, as an option of a variant. A stem has one new stem in the whole tree, so
`dict.c` and `dict.h` stay a pair. Folders stay; a file that anything but `#include` lines and build files names
stays."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath

from executor.manifest.variant.renamed_files import (
    INCLUDE,
    NAMED_FILE,
    SOURCE_NAME,
    SOURCE_SUFFIXES,
    is_build_file,
    list_regular_files_outside_git,
    list_sources_to_rewrite,
    stem_of,
)
from executor.repository.recipe import Recipe
from lab.variants.fixed_names import PROSE, read_small_text_or_empty

# What may be made into a source, is read as one or is built beside it.
_RELATED_FILE = re.compile(rf"(?P<stem>.+?)\.(?:(?:{SOURCE_SUFFIXES}|inc|def|s|S|asm|y|l|pl|py|tmpl)(?:\.\w+)*)")
# Also what a macro names for `#include`, and what `__has_include` asks for.
_LITERAL = re.compile(r'"[^"\n]*"|<[^<>"\n]*>')
_WORD = re.compile(r"[\w+-]+")


def find_renamable_file_stems(root: Path, recipe: Recipe) -> frozenset[str]:
    """The stems of the repository's own files that can be renamed: no other file has that name, and nothing names them
    but the code's `#include` lines and, with their suffix, build files."""
    own = set(list_sources_to_rewrite(root, recipe.variants.leave))
    moving = {path for path in own if SOURCE_NAME.fullmatch(PurePosixPath(path).name)}
    stems = {stem_of(path) for path in moving}
    parts_of = [path.split("/") for path in moving]
    endings = {"/".join(parts[at:]) for parts in parts_of for at in range(len(parts))}
    stay = _find_stems_of_named_files(recipe.model_dump_json()) | {
        PurePosixPath(goal).stem for goal in recipe.build.goals
    }
    for path in list_regular_files_outside_git(root):
        name = PurePosixPath(path).name
        if path not in moving and (related := _RELATED_FILE.fullmatch(name)):
            # `config.h.in` makes a config.h, and a library's own `list.h` may be the one that an include means.
            stay.add(related["stem"])
        text = read_small_text_or_empty(root / path)
        if path in own:
            stay.update(_find_stems_fixed_by_code(text, endings))
        elif is_build_file(name):
            stay.update(_WORD.findall(NAMED_FILE.sub(" ", text)))
        elif not name.lower().endswith(PROSE):
            stay |= _find_stems_of_named_files(text)
            # Other projects' code isn't rewritten.
            stay.update(stem_of(found["path"]) for found in INCLUDE.finditer(text))
    return frozenset(stems - stay)


def list_all_file_stems(root: Path) -> set[str]:
    """The stems of all files of the tree."""
    return {stem_of(path) for path in list_regular_files_outside_git(root)}


def make_new_paths(root: Path, recipe: Recipe, new_stem_by_old: Mapping[str, str]) -> dict[str, str]:
    """Path -> new path of each file whose stem `new_stem_by_old` renames."""
    paths = {}
    for path in list_sources_to_rewrite(root, recipe.variants.leave):
        place = PurePosixPath(path)
        found = SOURCE_NAME.fullmatch(place.name)
        if found and found["stem"] in new_stem_by_old:
            paths[path] = str(place.with_name(new_stem_by_old[found["stem"]] + place.name[len(found["stem"]) :]))
    return paths


def _find_stems_fixed_by_code(text: str, own_path_endings: Collection[str]) -> Iterator[str]:
    """Stems that code holds in a way that isn't followed."""
    for found in INCLUDE.finditer(text):
        # `../src/a.h` may be any `src/a.h`, and `<a.h>` a header of the system.
        path = "/".join(part for part in found["path"].split("/") if part not in (".", ".."))
        if path not in own_path_endings or (found["open"] == "<" and "/" not in found["path"]):
            yield stem_of(path)
    for literal in _LITERAL.findall(INCLUDE.sub(" ", text)):
        yield from _find_stems_of_named_files(literal)


def _find_stems_of_named_files(text: str) -> set[str]:
    return {found["stem"] for found in NAMED_FILE.finditer(text)}
