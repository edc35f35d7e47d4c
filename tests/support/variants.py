"""A variant of the example, made by a map that is known beforehand and proved by nothing: tests of what follows a
variant need one in a second."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from executor.manifest.variant.record import RECORD, digest_renaming_maps, variant_folder, write_variant_record
from executor.manifest.variant.renamed_files import write_variant_tree
from executor.manifest.variant.values import Proof, VariantRecord, VariantSpec
from executor.repository.images import build_image
from executor.repository.recipe import Recipe, find_recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from executor.tasks.task_row import TaskRow
from index.build import build_index
from index.repo_index import open_index
from index.values import SymbolKind
from lab.variants.movable_files import find_renamable_file_stems, make_new_paths
from lab.variants.name_map import VariantInputs

# Words that the example and the C++ library both have.
_OF_THE_LIBRARY = frozenset({
    "add", "at", "back", "begin", "clear", "compare", "count", "data", "empty", "end", "erase", "find", "first",
    "front", "get", "insert", "items", "length", "main", "map", "name", "push_back", "reserve", "resize", "second",
    "set", "size", "str", "swap", "test", "text", "what", "write",
})  # fmt: skip


def renamed_example(cache: Path, spec: VariantSpec = VariantSpec(), salt: str = "") -> VariantRecord:  # noqa: B008
    """The variant's record, which is in the cache with its tree. `salt` makes another map of the same spec. Files
    change where the spec says so."""
    source = checkout_source(find_recipe("example"), None, cache)
    build_index(source.root, cache / "indexes" / source.root.name, workers=1)
    with closing(open_index(cache / "indexes" / source.root.name, source.root)) as index:
        found = sorted({entry.symbol.name for kind in SymbolKind for entry in index.entries_of_kind(kind)})
    names = {
        name: f"vok{salt}_{number}q"
        for number, name in enumerate(found)
        if name.isidentifier() and name not in _OF_THE_LIBRARY and not name.startswith("operator")
    }
    stems = sorted(find_renamable_file_stems(source.root, find_recipe("example"))) if spec.files else []
    paths = make_new_paths(source.root, find_recipe("example"), {stem: f"vok{at}f" for at, stem in enumerate(stems)})
    proof = Proof("process", "example-proved", "2026-11-22", suites=2, suites_tried=2, golds=18, golds_tried=18)
    record = VariantRecord(
        "example", spec, source.commit, source.root.name, names, {"main": "the entry point"}, paths,
        digest_renaming_maps(names, paths), used=100, used_renamed=95, proof=proof,
    )  # fmt: skip
    write_variant_tree(find_recipe("example"), source, record, cache)
    write_variant_record(variant_folder(cache, source, spec) / RECORD, record)
    return record


def open_variant_inputs(
    recipe: Recipe,
    cache: Path,
    spec: VariantSpec = VariantSpec(),  # noqa: B008
    rows: Sequence[TaskRow] = (),
    sandbox: str = "process",
) -> VariantInputs:
    """What a variant is made of, with the original's image, which is built."""
    source, backend = checkout_source(recipe, None, cache), open_unscheduled_backend(sandbox, cache)
    return VariantInputs(spec, source, build_image(recipe, source, backend, None, cache), backend, rows, cache)
