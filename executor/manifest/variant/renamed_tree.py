"""Writes a variant's tree: the original's files under the names of its record."""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from functools import partial
from pathlib import Path

from executor.manifest.variant.record import locate_variant_source
from executor.manifest.variant.renamed_files import (
    is_path_matched_by_any,
    list_all_files,
    list_sources_to_rewrite,
    rename_files_and_references,
    rewrite_file_text,
)
from executor.manifest.variant.renamed_text import rename_data, rename_source
from executor.manifest.variant.values import VariantRecord
from executor.repository.recipe import Recipe
from executor.repository.source import SourceTree, read_recorded_tree, record_and_move_tree

log = logging.getLogger(__name__)


def write_variant_tree(recipe: Recipe, source: SourceTree, record: VariantRecord, cache: Path) -> SourceTree:
    """The variant's tree in the cache, written unless it is there. Modes and times are the original's, so that `make`
    sees the same files as newer."""
    variant = locate_variant_source(cache, source, record)
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
        for path in list_all_files(source.root):
            if is_path_matched_by_any(path, recipe.variants.follow):
                changed += rewrite_file_text(tree / path, partial(rename_data, path, names=record.names))
        rename_files_and_references(tree, record.paths)
        record_and_move_tree(tree, variant)
    log.info(f"{variant.root.name}: {changed} files changed, {time.monotonic() - started:.0f} s")
    return variant
