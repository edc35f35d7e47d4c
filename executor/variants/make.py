"""Makes a variant: the map of its names, and its tree in the cache."""

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
from pathlib import Path

from executor.repository.images import Image
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree, keep_tree, recorded_tree
from executor.sandbox.contract import Backend
from executor.tasks.row import decode
from executor.variants.inventory import IDENTIFIER, Inventory, code_parts, own_files, take_inventory
from executor.variants.kept import KEYWORDS, kept_names
from executor.variants.naming import new_names
from executor.variants.outside import outside_names
from executor.variants.record import map_digest, variant_source
from executor.variants.rewrite import rename_code
from executor.variants.values import VariantRecord, VariantSpec
from index.build import build_index
from index.cpp.tokens import pieces
from index.progress import SILENT, Progress
from index.repo_index import open_index

log = logging.getLogger(__name__)

# A value of JSON; behind it there is no colon, as behind a key.
_JSON_VALUE = re.compile(r'"([A-Za-z_]\w*)"(?!\s*:)')


def make_map(
    recipe: Recipe,
    source: SourceTree,
    image: Image,
    backend: Backend,
    spec: VariantSpec,
    cache: Path,
    golds: Sequence[tuple[str, str]] = (),
    keep: Mapping[str, str] = {},
    progress: Progress = SILENT,
) -> VariantRecord:
    """The map of the variant `spec` of the original `source`, whose warm image is `image`: a pure function of these
    and of `keep`, names that must stay with the reason. `golds` are (task id, text); they decide the strength alone.

    Raises SandboxError when the sandbox fails.
    """
    started = time.monotonic()
    index_folder = cache / "indexes" / source.root.name
    build_index(source.root, index_folder, progress=progress)
    index = open_index(index_folder, source.root)
    inventory = take_inventory(source.root, index, recipe.variants.leave, spec.locals)
    outside = outside_names(image, backend, recipe.variants.leave, progress)
    log.info(
        f"{recipe.name}: {len(inventory.files)} files define {len(inventory.defined)} identifiers;"
        f" {len(outside.names)} names come from outside, {time.monotonic() - started:.0f} s"
    )
    known = dict.fromkeys(recipe.variants.keep, "the recipe names it in variants.keep")
    kept = kept_names(
        source.root,
        inventory,
        outside.names,
        recipe.variants.leave,
        recipe.variants.follow,
        {**known, **keep},
    )
    taken = inventory.words | outside.names | KEYWORDS
    made = new_names(frozenset(inventory.defined), taken, spec)
    names = {name: new for name, new in sorted(made.items()) if name not in kept}
    used = used_names(inventory, golds)
    return VariantRecord(
        repo=recipe.name,
        spec=spec,
        commit=source.commit,
        original=source.root.name,
        names=names,
        kept=dict(sorted(kept.items())),
        paths={},
        digest=map_digest(names, {}),
        used=len(used),
        used_renamed=len(used & names.keys()),
    )


def used_names(inventory: Inventory, golds: Sequence[tuple[str, str]]) -> set[str]:
    """The identifiers that the repository defines and that the golds use."""
    return {
        piece.text
        for _, gold in golds
        for piece in pieces(gold)
        if piece.kind == "word" and piece.text in inventory.defined
    } - KEYWORDS


def write_tree(recipe: Recipe, source: SourceTree, record: VariantRecord, cache: Path) -> SourceTree:
    """The variant's tree in the cache, written unless it is there. Modes and times are the original's, so that `make`
    sees the same files as newer."""
    variant = variant_source(cache, source, record)
    if variant.root.is_dir():
        return recorded_tree(variant.root, source.repo)
    started = time.monotonic()
    variant.root.parent.mkdir(parents=True, exist_ok=True)
    changed = 0
    with tempfile.TemporaryDirectory(dir=variant.root.parent, prefix=f".{variant.root.name}-") as scratch:
        tree = Path(scratch, "tree")
        shutil.copytree(source.root, tree, symlinks=True)
        for path in own_files(source.root, recipe.variants.leave):
            changed += _rewrite(tree / path, path, record.names, renamed_source)
        for path in followed_files(source.root, recipe.variants.follow):
            changed += _rewrite(tree / path, path, record.names, renamed_data)
        keep_tree(tree, variant)
    log.info(f"{variant.root.name}: {changed} files changed, {time.monotonic() - started:.0f} s")
    return variant


def renamed_source(path: str, text: str, names: Mapping[str, str]) -> str:
    """The text of a C or C++ file of the variant."""
    parts = code_parts(path, text)
    return "".join(part if number % 2 else rename_code(part, names) for number, part in enumerate(parts))


def renamed_data(path: str, text: str, names: Mapping[str, str]) -> str:
    """The text of a file of another language that follows the C code: of JSON whole values, else every word."""
    if path.endswith(".json"):
        return _JSON_VALUE.sub(lambda match: f'"{names.get(match[1], match[1])}"', text)
    return IDENTIFIER.sub(lambda match: names.get(match.group(), match.group()), text)


def followed_files(root: Path, follow: Sequence[str]) -> Iterator[str]:
    """Files that aren't C and are renamed along."""
    if follow:
        for path in sorted(root.rglob("*")):
            relative = path.relative_to(root).as_posix()
            if any(fnmatchcase(relative, pattern) for pattern in follow) and path.is_file() and not path.is_symlink():
                yield relative


def _rewrite(
    file: Path, path: str, names: Mapping[str, str], rename: Callable[[str, str, Mapping[str, str]], str]
) -> int:
    """1 when the file changed."""
    data = file.read_bytes()
    new = rename(path, decode(data), names).encode("utf-8", "surrogateescape")
    if new == data:
        return 0
    before = file.stat()
    writable = before.st_mode | stat.S_IWUSR
    if writable != before.st_mode:
        file.chmod(writable)
    file.write_bytes(new)
    file.chmod(before.st_mode)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    return 1
