"""A data set for a hub such as Hugging Face's: a row a task, a Parquet file for each split, and a card. It holds
places, headers and digests; no body, no comment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from executor.manifest.manifest import load_manifest, manifest_path
from executor.repository.recipe import Recipe, find_recipe
from executor.tasks.made_datasets import digest_lines
from executor.tasks.suite_members import SuiteMember, find_members, is_of_suite, load_suite
from executor.values import Task
from experiments.export.answers import replace_surrogates
from experiments.export.parquet import Kind, make_parquet
from experiments.files import write_atomically
from experiments.run.config import RunConfig
from experiments.run.workspace import Bound, read_tasks
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


def export_data_set(config: RunConfig, out: Path, cache: Path) -> Bound:
    """Write SPLIT.parquet and README.md into the new or empty folder `out`. Returns what was read. Raises UserError
    for a folder that holds something, and as `read_tasks`."""
    if out.exists() and any(out.iterdir()):
        raise ConfigError(f"{out}: it holds something already; name a new folder")
    bound = read_tasks(config, cache)
    recipes = {name: find_recipe(name) for name in bound.sources}
    members = {member.name: member for member in find_members(config.dataset)}
    rows = _make_rows(bound, recipes, members)
    splits = {name: [row for row in rows if row["split"] == name] for name in ("dev", "test")}
    out.mkdir(parents=True, exist_ok=True)
    for name, mine in splits.items():
        if mine:
            write_atomically(out / f"{name}.parquet", make_parquet(mine, COLUMNS))
    card = make_card(config.dataset, bound.tasks[0].dataset_version, {k: v for k, v in splits.items() if v})
    write_atomically(out / "README.md", card.encode())
    return bound


def _make_rows(
    bound: Bound, recipes: Mapping[str, Recipe], members: Mapping[str, SuiteMember]
) -> list[dict[str, Any]]:
    manifests = {name: load_manifest(manifest_path(recipe)) for name, recipe in recipes.items()}

    def make_row(task: Task) -> dict[str, Any]:
        repo = task.target.repo
        source, member, manifest = recipes[repo].source, members.get(repo), manifests[repo]
        health = None if manifest is None else manifest.tasks.get(task.id)
        first, *further = (_make_place(hole, bound.sources[repo].tree.root) for hole in task.target.holes)
        return {
            "id": task.id,
            "repository": repo,
            "source": source.package or source.url or "",
            "source_version": source.version or source.commit or "",
            "source_sha256": source.sha256 or "",
            "licence": member.licence if member else "",
            "split": member.split if member else "test",
            "level": task.level.value,
            "k": len(task.target.holes),
            **first,
            "further": further,
            "validity": health.health.value if health else "",
            "kill_score": health.kill_score if health else None,
        }

    return [make_row(task) for task in bound.tasks]


def _make_place(hole: Target, root: Path) -> dict[str, Any]:
    first, last = hole.span.first, hole.span.last
    digest = digest_lines(root, hole.path, first, last)
    values = (hole.path, first, last, hole.name, replace_surrogates(hole.signature), hole.language, digest)
    return dict(zip(_PLACE, values, strict=True))


def make_card(dataset: str, version: str, splits: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """The README.md of a hub's data set: what it reads in front, then a page for people."""
    rows = [row for mine in splits.values() for row in mine]
    front = {
        "pretty_name": dataset,
        "license": "other",
        "license_name": "as-each-repository",
        "task_categories": ["text-generation"],
        "tags": ["code", "c", "cpp", "benchmark"],
        "size_categories": ["n<1K" if len(rows) < 1000 else "1K<n<10K"],
        "configs": [
            {
                "config_name": "default",
                "data_files": [{"split": name, "path": f"{name}.parquet"} for name in splits],
            }
        ],
    }
    sources = {
        row[
            "repository"
        ]: f"| {row['repository']} | {row['source']} | {row['source_version']} | {row['licence'] or '-'} |"
        for row in rows
    }
    lines = [
        f"---\n{yaml.safe_dump(front, sort_keys=False)}---",
        f"# {dataset} {version}",
        "Can a model write these functions inside their repositories? A row is a task: the functions that are missing,"
        " where they stand and how they begin. Bodies and comments aren't here: Graft takes them from the sources, and"
        f" the repositories' own tests judge: `graft run experiments/oracle.yaml dataset={dataset}`.",
        *([load_suite().drawn] if is_of_suite(dataset) else ()),
        "| repository | source | version | licence |\n| --- | --- | --- | --- |\n" + "\n".join(sources.values()),
        "| column | meaning |\n| --- | --- |\n"
        + "\n".join(f"| `{name}` | {why} |" for name, (_, why) in COLUMNS.items()),
    ]
    return "\n\n".join(lines) + "\n"
