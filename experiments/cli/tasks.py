"""graft tasks: list tasks, show one, write them as folders, check them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from executor.cache import cache_root
from executor.tasks.task_row import TaskRow
from experiments.cli.options import Dataset, Mirror, Oracle, Repos, Tasks, Variant, split_comma_list_without_repeats
from experiments.consoles import make_stdout_console, print_line
from experiments.progress import ConsoleProgress
from experiments.tables import EXTRA, MAIN, Column, Columns, make_label_column, make_table, print_table
from index.errors import UserError

tasks_app = typer.Typer(
    help="List, show, export and check a data set's tasks.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@tasks_app.command("list")
def list_tasks(dataset: Dataset = "yabloco", oracle: Oracle = None, repos: Repos = "") -> None:
    """List all tasks: id, repository, level, function, file and lines."""
    from executor.tasks.datasets import load_rows, select_rows

    rows = select_rows(load_rows(dataset, oracle), split_comma_list_without_repeats(repos))
    several = len({row.repository for row in rows}) > 1
    repository = make_label_column("repository") if several else Column("repository", "text")
    columns: Columns[TaskRow] = {
        Column("id", "id", MAIN): lambda row: row.id,
        repository: lambda row: row.repository,
        Column("level", "text", EXTRA): lambda row: row.level.value,
        Column("name", "text"): lambda row: row.name,
        Column("place", "text", MAIN): lambda row: f"{row.path}:{row.span.first}-{row.span.last}",
    }
    if all(row.id.startswith(row.name) for row in rows):
        columns = {column: cell for column, cell in columns.items() if column.title != "name"}
    print_table(make_stdout_console(), make_table(rows, columns))
    counts = Counter(row.level.value for row in rows)
    levels = ", ".join(f"{level} {count}" for level, count in counts.most_common())
    print_line(f"{len(rows)} tasks: {levels}")


@tasks_app.command()
def show(
    task_id: Annotated[str, typer.Argument(metavar="ID", help="The task's id.")],
    dataset: Dataset = "yabloco",
    oracle: Oracle = None,
    mirror: Mirror = None,
    variant: Variant = None,
) -> None:
    """Show one task.

    Prints its true body (the gold) and the functions that this calls (the oracle)."""
    from executor.manifest.variant.spec import parse_renamed_variant_setting
    from experiments.run.config import RunConfig
    from experiments.run.workspace import read_tasks

    config = RunConfig(dataset=dataset, oracle_file=oracle, model="gold", tasks=(task_id,), mirror=mirror)
    if variant is not None:
        config = config.model_copy(update={"variant": str(parse_renamed_variant_setting(variant))})
    (task,) = read_tasks(config, cache_root()).tasks
    holes = task.target.holes
    print_line(f"{task.id}  {', '.join(hole.name for hole in holes)}")
    for hole in holes:
        print_line(f"{hole.repo}/{hole.path}:{hole.span.first}-{hole.span.last}  level {task.level.value}")
    print_line(f"data set {task.dataset} {task.dataset_version}")
    for note in task.notes:
        print_line(f"note: {note}")
    for hole, gold in zip(holes, task.golds, strict=True):
        print_line(f"\nsignature\n{hole.signature}\n\ndocstring\n{hole.docstring}\n\ngold\n{gold}")
    for item in task.oracle:
        print_line(f"\noracle {item.path} {item.name}\n{item.text}")


@tasks_app.command()
def export(
    out: Annotated[Path, typer.Argument(help="The folder to write to. A task that is already there is an error.")],
    tasks: Tasks = "",
    dataset: Dataset = "yabloco",
    oracle: Oracle = None,
    repos: Repos = "",
    mirror: Mirror = None,
    to: Annotated[
        Literal["graft", "harbor", "hf"],
        typer.Option(
            help="graft: folders for dataset=FOLDER. harbor: folders for Harbor and verifiers, with images. hf: a"
            " hub's data set, without bodies and comments."
        ),
    ] = "graft",
    variant: Variant = None,
    tests: Annotated[
        Literal["visible", "hidden"], typer.Option(help="harbor: whether the agent is told how to run tests.")
    ] = "visible",
    network: Annotated[
        str, typer.Option(help="harbor: what the agent's container reaches: none, public, or hosts, by commas.")
    ] = "none",
    registry: Annotated[
        str,
        typer.Option(help="harbor: what begins the images' names, for other machines: registry.example/team."),
    ] = "",
    holes: Annotated[int | None, typer.Option(min=1, help="harbor: only tasks of so many functions.")] = None,
) -> None:
    """Write tasks as folders.

    Read and change them, and run them with dataset=FOLDER (docs/reference/tasks.md). With --to harbor other people's
    agents work on them, and Graft judges (docs/how-to/bring-your-own-agent.md)."""
    from executor.manifest.variant.spec import parse_renamed_variant_setting
    from executor.tasks.task_folders import write_task_folder
    from experiments.run.config import RunConfig
    from experiments.run.workspace import read_tasks

    config = RunConfig(
        dataset=dataset,
        oracle_file=oracle,
        model="gold",
        tasks=split_comma_list_without_repeats(tasks),
        repos=split_comma_list_without_repeats(repos),
        mirror=mirror,
        variant=None if variant is None else str(parse_renamed_variant_setting(variant)),
    )
    if to == "harbor":
        from experiments.harbor.export_tasks import HarborSettings, export_harbor_tasks

        settings = HarborSettings(network, tests == "visible", registry, holes)
        config = config.model_copy(update={"sandbox": "docker", "arms": ("none",)})
        done = export_harbor_tasks(config, settings, out, cache_root(), ConsoleProgress())
        for line in done.left_out:
            print_line(line)
        print_line(f"{out}: {len(done.folders)} tasks for Harbor, such as {done.folders[0].name}")
        for repository in done.to_push:
            print_line(f"push its images before they are pulled: docker push --all-tags {repository}")
        return
    if to == "hf":
        from experiments.export.hub_data_set import export_data_set

        bound = export_data_set(config, out, cache_root())
    else:
        bound = read_tasks(config, cache_root())
        for task in bound.tasks:
            write_task_folder(task, out)
    for line in bound.left_out:
        print_line(line)
    print_line(f"{out}: {len(bound.tasks)} tasks")


@tasks_app.command("check")
def print_damaged_tasks(
    dataset: Dataset = "yabloco",
    oracle: Oracle = None,
    repos: Repos = "",
    mirror: Mirror = None,
    variant: Variant = None,
) -> None:
    """List damaged tasks.

    Each gold of the data set is compared with the repository's source."""
    from executor.tasks.task_folders import list_problems_of_task_folders

    problems = list_problems_of_task_folders(Path(dataset)) if Path(dataset).is_dir() else []
    for problem in problems:
        print_line(problem)
    if problems:
        raise typer.Exit(1)
    for line in list_task_findings_and_summary_lines(
        dataset, oracle, split_comma_list_without_repeats(repos), mirror, cache_root(), variant
    ):
        print_line(line)


def list_task_findings_and_summary_lines(
    dataset: str,
    oracle: Path | None,
    repos: Sequence[str],
    mirror: Path | None,
    cache: Path,
    variant: str | None = None,
) -> Iterator[str]:
    """One line for each finding, then a summary. With `variant` both sides are renamed. Raises UserErrors when a
    repository of `repos`, or its variant, can't be had."""
    from executor.repository.recipe import find_recipe
    from executor.repository.source import checkout_source, choose_mirror_folder
    from executor.tasks.datasets import load_rows, select_rows
    from executor.tasks.row_check import check_row
    from executor.tasks.row_rebinding import add_copies_for_rebinding_recipes, fill_item_paths_and_relocate_rows
    from experiments.run.variant_source import open_original_or_proved_variant

    rows = select_rows(
        add_copies_for_rebinding_recipes(load_rows(dataset, oracle, repos=repos or None, mirror=mirror), repos), repos
    )
    damage: Counter[str] = Counter()
    checked = damaged = 0
    for name in dict.fromkeys(row.repository for row in rows):
        mine = [row for row in rows if row.repository == name]
        try:
            recipe = find_recipe(name)
            original = checkout_source(recipe, choose_mirror_folder(mirror), cache)
            source = open_original_or_proved_variant(recipe, original, variant, cache, dataset)
        except UserError as error:
            if repos:
                raise
            yield f"{name}: {len(mine)} tasks not checked: {error}"
            continue
        bound = fill_item_paths_and_relocate_rows(mine, recipe, source.original_root)
        yield from bound.exclusion_notes
        for row in source.rename_rows_for_tree(bound.rows):
            findings = check_row(row, source.tree.root)
            checked += 1
            damaged += bool(findings)
            for finding in findings:
                damage[finding.kind.value] += 1
                yield f"{row.id} {row.repository}/{row.path}:{row.span.first} {row.name}: {finding}"
    yield f"\n{checked} tasks checked, {damaged} with findings"
    for kind, count in damage.most_common():
        yield f"{count:4d}  {kind}"
