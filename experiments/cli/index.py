"""graft index: build, refresh and ask the index of any C/C++ source tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

index_app = typer.Typer(
    help="The index of a C/C++ source tree: symbols, calls, text search. Any tree, no configuration.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Tree = Annotated[Path, typer.Argument(help="root of the source tree")]
Folder = Annotated[
    Path | None, typer.Option("--index", help="folder of the index; default: in Graft's cache, by the tree's path")
]
OfTree = Annotated[
    Path | None, typer.Option("--tree", help="the indexed tree; default: the one that this folder lies in")
]
Json = Annotated[bool, typer.Option("--json", help="one JSON value on stdout")]
Limit = Annotated[int, typer.Option(min=1, help="at most so many")]
Name = Annotated[str, typer.Argument(metavar="SYMBOL", help="name, qualified name (ns::Class::f), or PATH:LINE")]


@index_app.command()
def build(
    tree: Tree,
    index: Folder = None,
    workers: Annotated[int, typer.Option(min=1, help="processes that parse")] = 2,
    symbols_only: Annotated[
        bool, typer.Option(help="parse only; call graph and text search are made when something first needs them")
    ] = False,
    prepare: Annotated[
        bool, typer.Option(help="also train the encoder and the ranker now, so that the first run needn't wait")
    ] = False,
    as_json: Json = False,
) -> None:
    """Build the index of TREE, continue an interrupted build, or bring an existing index up to date.

    The index holds the symbols, the call graph and the text search. The encoder (search by meaning) and the ranker
    are trained on the tree when something first needs them, or now with --prepare.
    """
    from experiments.cli.index_commands import build_command

    build_command(tree, index, workers, symbols_only=symbols_only, prepare=prepare, as_json=as_json)


@index_app.command()
def update(
    tree: Annotated[Path | None, typer.Argument(help="the tree; default: the one that this folder lies in")] = None,
    index: Folder = None,
    workers: Annotated[int, typer.Option(min=1, help="processes that parse")] = 2,
    as_json: Json = False,
) -> None:
    """Bring an index up to date after edits: only files whose content changed are read again."""
    from experiments.cli.index_commands import update_command

    update_command(tree, index, workers, as_json=as_json)


@index_app.command()
def stats(tree: OfTree = None, index: Folder = None, as_json: Json = False) -> None:
    """What an index holds: languages, symbols, calls, parse coverage, size, and what was skipped and why."""
    from experiments.cli.index_commands import stats_command

    stats_command(tree, index, as_json=as_json)


@index_app.command()
def search(
    query: Annotated[list[str], typer.Argument(help="words, or with --by name a part of a name")],
    by: Annotated[str, typer.Option(help="words (BM25), name (exact, then nearest), or meaning (vectors)")] = "words",
    limit: Limit = 20,
    tree: OfTree = None,
    index: Folder = None,
    as_json: Json = False,
) -> None:
    """Find functions by words, symbols by name, or functions by meaning."""
    from experiments.cli.index_commands import search_command

    search_command(" ".join(query), by, limit, tree, index, as_json=as_json)


@index_app.command()
def show(
    symbol: Name,
    limit: Limit = 5,
    tree: OfTree = None,
    index: Folder = None,
    as_json: Json = False,
) -> None:
    """A symbol's definition with its docstring, or several when the name means several."""
    from experiments.cli.index_commands import show_command

    show_command(symbol, limit, tree, index, as_json=as_json)


@index_app.command()
def callers(symbol: Name, limit: Limit = 50, tree: OfTree = None, index: Folder = None, as_json: Json = False) -> None:
    """The functions that call SYMBOL."""
    from experiments.cli.index_commands import calls_command

    calls_command("callers", symbol, limit, tree, index, as_json=as_json)


@index_app.command()
def callees(symbol: Name, limit: Limit = 50, tree: OfTree = None, index: Folder = None, as_json: Json = False) -> None:
    """The functions that SYMBOL calls."""
    from experiments.cli.index_commands import calls_command

    calls_command("callees", symbol, limit, tree, index, as_json=as_json)
