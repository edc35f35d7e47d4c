"""Where variants are kept: `CACHE/variants/TREE-SLUG/variant.json`, and a copy in each run's folder."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from executor.cache import replace_file
from executor.manifest.variant.values import LearntNames, VariantRecord, VariantSpec
from executor.repository.source import SourceTree
from executor.tasks.made_datasets import find_differently_named_made_datasets
from index.errors import ConfigError, RecipeError

RECORD = "variant.json"
OWN_DATA_SETS = ("yabloco", "example")
"""Where a repository's tasks are looked for, unless a data set bears its name or is named."""


def variant_folder(cache: Path, source: SourceTree, spec: VariantSpec) -> Path:
    """The folder of a variant of the original `source`: its record and the logs of its proof."""
    return cache / "variants" / f"{source.root.name}-{spec.slug}"


def read_variant_record(path: Path) -> VariantRecord | None:
    """The record, None where there is no file. Raises RecipeError when it is damaged."""
    if not path.is_file():
        return None
    try:
        return TypeAdapter(VariantRecord).validate_json(path.read_bytes())
    except (OSError, ValidationError, RecursionError) as error:
        raise RecipeError(
            f"{path}: the variant's record can't be read; delete it and run graft variants make"
        ) from error


def write_variant_record(path: Path, record: VariantRecord) -> None:
    """Write the record by one rename, so that a killed process leaves a whole file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, TypeAdapter(VariantRecord).dump_json(record, indent=1) + b"\n")


def record_path_in_run(run: Path, repo: str) -> Path:
    """Where a run's folder keeps the record of the variant that it used."""
    return run / f"variant-{repo}.json"


def digest_renaming_maps(names: Mapping[str, str], paths: Mapping[str, str]) -> str:
    """16 hex digits over both maps."""
    text = json.dumps([sorted(names.items()), sorted(paths.items())])
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def describe_variant_tree_in_cache(cache: Path, source: SourceTree, record: VariantRecord) -> SourceTree:
    """The variant's own tree in the cache, as image and index know it. It may not have been written yet."""
    root = cache / "sources" / f"{record.original}-{record.spec.slug}-{record.digest[:8]}"
    return SourceTree(
        root, source.repo, source.commit, source.origin, (*source.notes, f"{record.spec}, map {record.digest}")
    )


def find_variant(cache: Path, source: SourceTree, spec: VariantSpec) -> VariantRecord | None:
    """The record of a variant of this source, None where there is none. Raises ConfigError for one that was made of
    another commit or tree, RecipeError for a damaged one."""
    record = read_variant_record(variant_folder(cache, source, spec) / RECORD)
    if record is not None and (record.original, record.commit) != (source.root.name, source.commit):
        raise ConfigError(
            f"{source.repo}: its {record.spec} was made of {record.original}, commit {record.commit or 'unknown'}, and"
            f" this source is {source.root.name}, commit {source.commit or 'unknown'}; make it again:"
            f" {format_variant_making_command(source.repo, spec)} --fresh"
        )
    return record


def collect_names_learnt_from_proved_variants(cache: Path, source: SourceTree, spec: VariantSpec) -> LearntNames:
    """What the proved variants of this source, of other styles and seeds, showed of its names. With `locals` other
    words are names, so those variants learn from their like alone. Raises RecipeError for a damaged record."""
    stay: dict[str, str] = {}
    free: set[str] = set()
    for path in sorted((cache / "variants").glob(f"{source.root.name}-*/{RECORD}")):
        record = read_variant_record(path)
        if (
            record is not None
            and (record.original, record.commit) == (source.root.name, source.commit)
            and record.spec.locals == spec.locals
            and record.proof is not None
            and record.proof.has_tried_suites_without_problems
        ):
            stay |= {name: record.kept[name] for name in record.learnt if name in record.kept}
            free.update(record.free)
    return LearntNames(stay, frozenset(free - stay.keys()))


def require_proof(record: VariantRecord, dataset: str = "") -> None:
    """Raises ConfigError, which names the command that proves it, when the variant isn't proved."""
    if record.proof is None or not record.proof.has_tried_suites_without_problems:
        why = "" if record.proof is None or not record.proof.problems else f" ({record.proof.problems[0]})"
        command = format_variant_making_command(record.repo, record.spec, dataset)
        raise ConfigError(f"{record.repo}: its {record.spec} isn't proved{why}; prove it: {command}")
    if dataset in find_differently_named_made_datasets(record.repo) and dataset not in record.proof.datasets:
        command = format_variant_making_command(record.repo, record.spec)
        raise ConfigError(
            f"{record.repo}: its {record.spec} isn't proved by the tasks of {dataset}; prove it: {command}"
        )


def format_variant_making_command(repo: str, spec: VariantSpec, dataset: str = "") -> str:
    """The command that makes and proves a variant. `dataset`: where its tasks are, which the command finds without
    being told for a repository of Graft's own data sets."""
    more = " --files" * spec.files + " --locals" * spec.locals
    more += f" --dataset {shlex.quote(dataset)}" * (dataset not in ("", *OWN_DATA_SETS, repo))
    return f"graft variants make {repo} --style {spec.style} --seed {spec.seed}{more}"
