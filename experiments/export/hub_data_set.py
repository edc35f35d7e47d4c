"""A data set for a hub such as Hugging Face's: a row a task, a Parquet file for each split, and a card. It holds
places, headers and digests; no body, no comment."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from executor.manifest.manifest import load_manifest, manifest_path
from executor.repository.recipe import find_recipe
from executor.tasks.made_datasets import digest_lines
from executor.tasks.suite_members import find_suite_members_or_empty, is_suite_dataset_name, load_task_suite
from experiments.export.answers import escape_lone_surrogates
from experiments.export.write import Kind, make_parquet
from experiments.files import write_atomically
from experiments.run.config import RunConfig
from experiments.run.workspace import BoundTasks, read_tasks
from index.errors import ConfigError
from index.values import Target

_PLACE: Mapping[str, tuple[type, str]] = {
    "path": (str, "the function's file"),
    "first_line": (int, "its first line, from 1"),
    "last_line": (int, "its last line, included"),
    "name": (str, "its name"),
    "signature": (str, "its header, without the body"),
    "language": (str, "c or cpp"),
    "sha256": (str, "the digest of its lines"),
}
COLUMNS: Mapping[str, tuple[Kind, str]] = {
    "id": (str, "the task's id"),
    "repository": (str, "the repository"),
    "source": (str, "where its source comes from: Debian's source package, or an address"),
    "source_version": (str, "the package's version, or the commit"),
    "source_sha256": (str, "the digest of the package's upstream archive; empty for a commit"),
    "licence": (str, "the source's licence, as SPDX writes it; empty where it isn't recorded"),
    "split": (str, "dev or test"),
    "level": (str, "how far away the functions lie that the true body calls: none to project"),
    "k": (int, "how many functions are missing at once"),
    **_PLACE,
    "further": ({name: kind for name, (kind, _) in _PLACE.items()}, "the other functions of a task of several"),
    "validity": (str, "what graft doctor says: valid, weak, flaky or broken; empty: not examined"),
    "kill_score": (float, "the share of mutants that the tests notice; empty where it isn't known"),
}
_CARD = """\
---
pretty_name: {title}
license: other
license_name: as-each-repository
task_categories: [text-generation]
tags: [code, c, cpp, benchmark]
configs: [{{config_name: default, data_files: {files}}}]
---

# {name} {version}

Can a model write these functions inside their repositories? A row is a task: the functions that are missing, where
they stand and how they begin. Bodies and comments aren't here: Graft takes them from the sources, and the
repositories' own tests judge: `graft run experiments/oracle.yaml dataset={name}`. {drawn}

| repository | source | version | licence |
| --- | --- | --- | --- |
{sources}

| column | meaning |
| --- | --- |
{columns}
"""


def export_data_set(config: RunConfig, out: Path, cache: Path) -> BoundTasks:
    """Write SPLIT.parquet and README.md into the new or empty folder `out`. Returns what was read. Raises UserError
    for a folder that holds something, and as `read_tasks`."""
    if out.exists() and any(out.iterdir()):
        raise ConfigError(f"{out}: it holds something already; name a new folder")
    bound = read_tasks(config, cache)
    splits: dict[str, list[dict[str, Any]]] = {}
    for row in _make_rows(bound, config.dataset):
        splits.setdefault(row["split"], []).append(row)
    out.mkdir(parents=True, exist_ok=True)
    for name, rows in splits.items():
        write_atomically(out / f"{name}.parquet", make_parquet(rows, COLUMNS))
    write_atomically(
        out / "README.md", make_dataset_readme(config.dataset, bound.tasks[0].dataset_version, splits).encode()
    )
    return bound


def _make_rows(bound: BoundTasks, dataset: str) -> list[dict[str, Any]]:
    recipes = {name: find_recipe(name) for name in bound.sources}
    manifests = {name: load_manifest(manifest_path(recipe)) for name, recipe in recipes.items()}
    members = {member.name: member for member in find_suite_members_or_empty(dataset)}
    rows = []
    for task in bound.tasks:
        repo = task.target.repo
        source, member, manifest = recipes[repo].source, members.get(repo), manifests[repo]
        health = manifest.tasks.get(task.id) if manifest else None
        first, *further = (
            _make_place_and_digest_columns(hole, bound.sources[repo].tree.root) for hole in task.target.holes
        )
        values = (
            *(task.id, repo, source.package or source.url or "", source.version or source.commit or ""),
            *(source.sha256 or "", member.licence if member else "", member.split if member else "test"),
            *(task.level.value, len(task.target.holes), *first.values(), further),
            *(health.health.value if health else "", health.kill_score if health else None),
        )
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows


def _make_place_and_digest_columns(hole: Target, root: Path) -> dict[str, Any]:
    first, last = hole.span.first, hole.span.last
    digest = digest_lines(root, hole.path, first, last)
    values = (hole.path, first, last, hole.name, escape_lone_surrogates(hole.signature), hole.language, digest)
    return dict(zip(_PLACE, values, strict=True))


def make_dataset_readme(dataset: str, version: str, splits: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """The README.md of a hub's data set: what it reads in front, then a page for people."""
    keys = ("repository", "source", "source_version", "licence")
    sources = dict.fromkeys(tuple(row[key] or "-" for key in keys) for rows in splits.values() for row in rows)
    return _CARD.format(
        title=json.dumps(dataset),
        name=dataset,
        version=version,
        files=json.dumps([{"split": name, "path": f"{name}.parquet"} for name in splits]),
        drawn=load_task_suite().drawn if is_suite_dataset_name(dataset) else "",
        sources="\n".join(f"| {' | '.join(cells)} |" for cells in sources),
        columns="\n".join(f"| `{name}` | {meaning} |" for name, (_, meaning) in COLUMNS.items()),
    )
