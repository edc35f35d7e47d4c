"""Options that several commands share, and commands that take their options as one value."""

from __future__ import annotations

import inspect
import itertools
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_type_hints

import typer

from executor.cache import cache_root
from executor.sandbox.choose import list_auto_and_built_in_sandboxes, list_sandbox_names
from index.errors import GraftError, RecipeError

if TYPE_CHECKING:
    from executor.repository.recipe import Recipe
    from executor.repository.source import SourceTree
    from executor.sandbox.contract import Backend

log = logging.getLogger(__name__)

Mirror = Annotated[
    Path | None,
    typer.Option(
        help="The folder that holds each repository's source under its name: a clone, a bare clone or a plain tree."
        " Default: $GRAFT_MIRROR."
    ),
]
Dataset = Annotated[
    str,
    typer.Option(
        help="A data set of Graft's (yabloco, graft-suite or the name of one of its packages, example, example-pairs,"
        " redis-hard, openssl-hard, bullet3-hard, cppunit), or a path: a CSV, JSON, JSON lines, parquet file, or a"
        " folder of tasks."
    ),
]
Oracle = Annotated[
    Path | None,
    typer.Option(
        help="The oracle file of a YABLoCo CSV. Needed only where the data set is such a file and not a name."
    ),
]
Repos = Annotated[str, typer.Option("--repos", help="Only these repositories, separated by commas. Default: all.")]
Tasks = Annotated[str, typer.Option("--tasks", help="Only the tasks with these ids, separated by commas.")]
Sandbox = Annotated[
    str,
    typer.Option(
        autocompletion=lambda: list(list_sandbox_names()),
        help=f"Where candidates run: {', '.join(list_auto_and_built_in_sandboxes())}, or a plug-in. auto takes"
        " docker or bwrap, the first that works here and has a base or an image.",
    ),
]
Variant = Annotated[
    str | None,
    typer.Option(
        help="Use a variant of the repository, whose identifiers are renamed (graft variants make): renamed, or"
        " renamed:style=plausible,seed=2."
    ),
]
Ray = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Work on the nodes of this Ray cluster: auto for the one on this machine, HOST:PORT, ray://HOST:PORT.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="How many commands of sandboxes may run at once. Default: as many as keep the cores busy and fit into"
        " memory. 1: one after the other.",
    ),
]
Overrides = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[KEY=VALUE]...",
        help="Set keys of the configuration: model=gold limit=5. `graft run --keys` lists all keys.",
    ),
]
ShownColumns = Annotated[
    Literal["fit", "all"],
    typer.Option("--columns", help="fit: the columns that this terminal has room for. all: every column."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON value.")]


def add_mirror(overrides: list[str] | None, mirror: Path | None) -> list[str]:
    """The key=value words, with --mirror as one of them."""
    return [*(overrides or []), *([] if mirror is None else [f"mirror={mirror}"])]


def split_comma_list_without_repeats(text: str) -> tuple[str, ...]:
    """The words of a list that is separated by commas, each once."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))


def choose_sandbox(name: str) -> Backend:
    """The sandbox that --sandbox names. Raises ConfigError."""
    from executor.sandbox.choose import choose_backend

    return choose_backend(name, cache_root()).backend


def find_recipes(repo_or_suite_names: Sequence[str]) -> list[Recipe]:
    """The recipes of these repositories, each once. The name of a suite stands for its members'. Raises UserError."""
    from executor.repository.recipe import find_recipe
    from executor.tasks.suite_members import find_suite_members_or_empty

    each = [[member.name for member in find_suite_members_or_empty(name)] or [name] for name in repo_or_suite_names]
    return [find_recipe(name) for name in dict.fromkeys(itertools.chain(*each))]


def check_out_sources(
    repos: Sequence[str], mirror: Path | None, failed: dict[str, GraftError] | None = None
) -> Iterator[tuple[Recipe, SourceTree]]:
    """The recipe and the source of each repository. Raises UserError; for an unknown name before any source is
    fetched. With `failed` a source that can't be had is put there, said, and passed over."""
    from executor.repository.source import checkout_source, choose_mirror_folder

    for recipe in find_recipes(repos):
        try:
            source = checkout_source(recipe, choose_mirror_folder(mirror), cache_root())
        except RecipeError as error:
            if failed is None:
                raise
            failed[recipe.name] = error
            log.error(f"graft: {error}; the others go on")
        else:
            yield recipe, source


@dataclass(frozen=True, kw_only=True)
class TaskOptions:
    """Which tasks of which data set a command works on, and where."""

    dataset: Dataset = "yabloco"
    repos: Repos = ""
    tasks: Tasks = ""
    sandbox: Sandbox = "auto"
    mirror: Mirror = None


Options = TypeVar("Options")


def make_options_command_decorator(kind: type[Options]) -> Callable[[Callable[[Options], None]], Callable[..., None]]:
    """Makes a command of a function of one value: the fields of the frozen dataclass `kind` become its arguments and
    options. Typer reads them from a signature, and a function with one parameter for each option can't be read."""
    hints = get_type_hints(kind, include_extras=True)
    fields = inspect.signature(kind).parameters.values()
    parameters = [field.replace(annotation=hints[field.name]) for field in fields]

    def make_command(function: Callable[[Options], None]) -> Callable[..., None]:
        def command(**given: Any) -> None:
            function(kind(**given))

        command.__name__, command.__doc__ = function.__name__, function.__doc__
        command.__annotations__ = hints
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return command

    return make_command
