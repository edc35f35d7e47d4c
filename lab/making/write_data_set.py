"""Writes the data set: task folders, one table, the recipe and a datasheet."""

from __future__ import annotations

import json
import logging
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import yaml

from executor.cache import replace_file
from executor.manifest.health import HealthManifest
from executor.repository.recipe import Recipe
from executor.tasks.task_folders import write_task_folder
from executor.values import Task
from index.cpp.language import LANGUAGES
from index.errors import describe_install_commands
from lab.making.settings import MAKE_FILE, PROPOSED_FILE, SETUP_FOLDER

log = logging.getLogger(__name__)

RECIPES = "recipes"
TASKS = "tasks"
TABLE = "tasks.parquet"
_RINGS = {"file": "same_file", "package": "same_package", "project": "project", "stdlib": "stdlib"}
_INSTRUCTION = (
    "Write the body of the function below, from the repository {repo_name}.\n{docstring}\n{signature}\n"
    "Functions that it may call:\n{context}\n"
)


@dataclass(frozen=True, slots=True)
class Dropped:
    name: str
    path: str
    why: str


def write_recipe(recipe: Recipe, out: Path) -> Path:
    """Write the recipe as `out`/recipes/NAME/recipe.yaml and return the path."""
    folder = out / RECIPES / recipe.name
    folder.mkdir(parents=True, exist_ok=True)
    data = recipe.model_dump(mode="json", exclude_defaults=True)
    head = "# Written by `graft make` from make.yaml; a change here is lost when it runs again.\n"
    path = folder / "recipe.yaml"
    replace_file(path, (head + yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110)).encode())
    return path


def rewrite_task_folders(tasks: Sequence[Task], out: Path) -> None:
    """Write the tasks' folders anew; those of earlier runs are removed."""
    fresh = out / f".{TASKS}.new"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    for task in tasks:
        write_task_folder(task, fresh)
    shutil.rmtree(out / TASKS, ignore_errors=True)
    fresh.rename(out / TASKS)


def write_table(tasks: Sequence[Task], manifest: HealthManifest, out: Path) -> Path:
    """Write all tasks as one table with MERA's fields: parquet, or JSON lines where pyarrow isn't installed."""
    rows = [_make_table_row(number, task, manifest) for number, task in enumerate(tasks)]
    if any(len(task.target.holes) > 1 for task in tasks):
        # MERA's fields can't hold the functions of a task of several; one of one has none here.
        each = [_make_hole_rows(task) if len(task.target.holes) > 1 else [] for task in tasks]
        rows = [{**row, "holes": holes} for row, holes in zip(rows, each, strict=True)]
    # As a table takes them: without halves of characters.
    rows = json.loads(json.dumps(rows, ensure_ascii=False).encode("utf-8", "replace"))
    lines = out / "tasks.jsonl"
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        replace_file(lines, "".join(json.dumps(row) + "\n" for row in rows).encode())
        log.info(f"{lines}: written instead of {TABLE}, which needs pyarrow: {describe_install_commands('data')}")
        return lines
    lines.unlink(missing_ok=True)
    scratch = out / f".{TABLE}.new"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), scratch)
    scratch.replace(out / TABLE)
    return out / TABLE


def _make_hole_rows(task: Task) -> list[dict[str, Any]]:
    return [
        {
            "fname": hole.name,
            "file": hole.path,
            "pos": hole.span.first,
            "code_length": hole.span.last - hole.span.first,
            "signature": hole.signature,
            "docstring": hole.docstring,
            "gold": gold,
        }
        for hole, gold in zip(task.target.holes, task.golds, strict=True)
    ]


def _make_table_row(number: int, task: Task, manifest: HealthManifest) -> dict[str, Any]:
    target = task.target
    rings = {name: int(task.level.value == level) for level, name in _RINGS.items()}
    health = manifest.tasks[task.id]
    return {
        "id": task.id,
        "repository": target.repo,
        "path": target.path,
        "name": target.name,
        "level": task.level.value,
        "instruction": _INSTRUCTION,
        "inputs": {
            "language": LANGUAGES[target.language].title,
            "repo_name": target.repo,
            "signature": target.signature,
            "docstring": target.docstring,
            "context": "\n\n".join(f"// File name: {i.path}\n// Comment:\n{i.text}" for i in task.oracle),
        },
        "outputs": task.gold,
        "meta": {
            "id": number,
            "original_id": task.id,
            "repository": target.repo,
            "fname": target.name,
            "file": target.path,
            "pos": target.span.first,
            "code_length": target.span.last - target.span.first,
            "calls_num": len(task.oracle),
            "dep_num": len(task.oracle),
            **rings,
            "kill_score": health.kill_score,
            "suites": list(health.suites),
        },
    }


def write_datasheet(
    recipe: Recipe,
    tasks: Sequence[Task],
    manifest: HealthManifest,
    dropped: Sequence[Dropped],
    facts: Mapping[str, str],
    left_out: Mapping[str, int],
    table: Path,
    out: Path,
) -> None:
    """Write README.md: what the data set holds, how it was made, and what was left out with the reasons."""
    entries = [manifest.tasks[task.id] for task in tasks]
    scores = [entry.kill_score for entry in entries if entry.kill_score is not None]
    holes = [hole for task in tasks for hole in task.target.holes]
    lengths = [hole.span.last - hole.span.first + 1 for hole in holes]
    several = Counter(len(task.target.holes) for task in tasks)
    sizes = [f"{count} tasks of {size}" for size, count in sorted(several.items())]
    reasons = Counter(item.why for item in dropped)
    judging = _format_range_and_median_or_dash([len(entry.suites) for entry in entries])
    built, ran = [entry.build_cpu_s for entry in entries], [entry.cost_s for entry in entries]
    cost = f"build {median(built):.1f} s CPU, tests {median(ran):.1f} s (medians)" if entries else "-"
    tried = any(entry.forgeries for entry in entries)
    proof = "Every task's own body passed each time, the plain stub failed each time, and "
    proof += "no body that cheats passed." if tried else "none that cheats was tried."
    if several[1] < len(tasks):
        proof += " A stub of any one function of a task failed beside the others' own bodies."
    lines = [
        "---",
        f"pretty_name: {recipe.name} functions",
        "configs:",
        "- config_name: default",
        f"  data_files: [{{split: test, path: {table.name}}}]",
        "---",
        "",
        f"# {recipe.name}: {len(holes)} functions to write",
        "",
        f"    graft run dataset={out.name} model=gold arms=none",
        "",
        "| | |",
        "| --- | --- |",
        *(f"| {key} | {_escape_cell(value)} |" for key, value in facts.items()),
        f"| tasks | {len(tasks)}, in {len({hole.path for hole in holes})} files |",
        *([f"| functions of a task | {', '.join(sizes)} |"] if set(several) != {1} else []),
        f"| languages | {_format_value_counts(task.target.language for task in tasks)} |",
        f"| levels | {_format_value_counts(task.level.value for task in tasks)} |",
        f"| lines of a definition | {_format_range_and_median_or_dash(lengths)} |",
        f"| share of mutants killed | {f'{sum(scores) / len(scores):.2f} on average' if scores else 'not measured'} |",
        f"| suites | {len(recipe.suites)}, of which a task is judged by {judging} |",
        f"| cost of a candidate | {cost} |",
        "",
        proof,
        "",
        "## Functions that were left out",
        "",
        "| reason | functions |",
        "| --- | --- |",
        *(f"| {_escape_cell(reason)} | {count} |" for reason, count in left_out.items()),
        *(f"| examined: {_escape_cell(reason)} | {count} |" for reason, count in reasons.most_common()),
        "",
    ]
    if dropped:
        lines += ["| examined | file | why it isn't a task |", "| --- | --- | --- |"]
        lines += [f"| {_escape_cell(d.name)} | {_escape_cell(d.path)} | {_escape_cell(d.why)} |" for d in dropped]
        lines.append("")
    replace_file(out / "README.md", "\n".join(lines).encode("utf-8", "replace"))


def describe_how_often_model_changed_settings(out: Path) -> str:
    texts = [(folder.parent / MAKE_FILE, folder) for folder in (out / SETUP_FOLDER).glob(f"*/{PROPOSED_FILE}")]
    changes = sum(before.read_bytes() != after.read_bytes() for before, after in texts if before.is_file())
    if not changes:
        return "no model changed it"
    return f"a model changed it {changes} times: {SETUP_FOLDER}/ has each change and its conversation"


def _escape_cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _format_value_counts(values: Any) -> str:
    return ", ".join(f"{count} {value}" for value, count in Counter(values).most_common())


def _format_range_and_median_or_dash(numbers: Sequence[float]) -> str:
    return f"{min(numbers)} to {max(numbers)}, median {median(numbers):g}" if numbers else "-"
