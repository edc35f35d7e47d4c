"""graft index: build, refresh and ask the index of any C/C++ source tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from experiments.cli.options import Json, Ray

index_app = typer.Typer(
    help="Index a C/C++ source tree and search it. No configuration is needed.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Folder = Annotated[
    Path | None, typer.Option("--index", help="The index's folder. Default: a folder in Graft's cache.")
]
OfTree = Annotated[
    Path | None, typer.Option("--tree", help="The indexed tree. Default: the one around the current folder.")
]
Limit = Annotated[int, typer.Option(min=1, help="Show at most this many.")]
Name = Annotated[str, typer.Argument(metavar="SYMBOL", help="A name, a qualified name (ns::Class::f), or PATH:LINE.")]


@index_app.command()
def build(
    tree: Annotated[
        list[Path], typer.Argument(metavar="TREE...", help="The roots of the source trees, or graft-suite.")
    ],
    index: Folder = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes to use.")] = 2,
    symbols_only: Annotated[
        bool, typer.Option(help="Only parse. The call graph and the text search are made when first needed.")
    ] = False,
    prepare: Annotated[
        bool, typer.Option(help="Train the encoder and the ranker now, so that the first run needn't wait.")
    ] = False,
    ray: Ray = None,
    as_json: Json = False,
) -> None:
    """Build the index of each TREE, or continue.

    An interrupted build goes on, and an existing index is brought up to date. The index holds the symbols, the
    call graph and the text search. The encoder (search by meaning) and the ranker are trained on the tree when
    something first needs them, or now with --prepare."""
    from experiments.cli.index.commands import run_index_build

    run_index_build(tree, index, workers, ray=ray, symbols_only=symbols_only, prepare=prepare, as_json=as_json)


@index_app.command()
def update(
    tree: Annotated[Path | None, typer.Argument(help="The tree. Default: the one around the current folder.")] = None,
    index: Folder = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes to use.")] = 2,
    as_json: Json = False,
) -> None:
    """Bring an index up to date. Only files whose content changed are read again."""
    from experiments.cli.index.commands import run_index_update

    run_index_update(tree, index, workers, as_json=as_json)


@index_app.command()
def stats(tree: OfTree = None, index: Folder = None, as_json: Json = False) -> None:
    """Show what an index holds.

    Says also how much of the source was parsed, and which files were skipped."""
    from experiments.cli.index.commands import run_index_stats

    run_index_stats(tree, index, as_json=as_json)


@index_app.command()
def search(
    query: Annotated[list[str], typer.Argument(help="Words to search for, or with --by name a part of a name.")],
    by: Annotated[
        Literal["words", "name", "meaning"],
        typer.Option(help="Search function texts, symbol names, or functions by meaning (vectors)."),
    ] = "words",
    limit: Limit = 20,
    tree: OfTree = None,
    index: Folder = None,
    as_json: Json = False,
) -> None:
    """Search the tree, best matches first."""
    from experiments.cli.index.commands import run_index_search

    run_index_search(" ".join(query), by, limit, tree, index, as_json=as_json)


@index_app.command()
def show(
    symbol: Name,
    limit: Limit = 5,
    tree: OfTree = None,
    index: Folder = None,
    as_json: Json = False,
) -> None:
    """Show a symbol's definition and its documentation."""
    from experiments.cli.index.commands import run_index_show

    run_index_show(symbol, limit, tree, index, as_json=as_json)


@index_app.command()
def callers(symbol: Name, limit: Limit = 50, tree: OfTree = None, index: Folder = None, as_json: Json = False) -> None:
    """List the functions that call SYMBOL."""
    from experiments.cli.index.commands import print_callers_or_callees

    print_callers_or_callees("callers", symbol, limit, tree, index, as_json=as_json)


@index_app.command()
def callees(symbol: Name, limit: Limit = 50, tree: OfTree = None, index: Folder = None, as_json: Json = False) -> None:
    """List the functions that SYMBOL calls."""
    from experiments.cli.index.commands import print_callers_or_callees

    print_callers_or_callees("callees", symbol, limit, tree, index, as_json=as_json)


@index_app.command()
def mcp(
    index: Annotated[Path, typer.Option("--index", help="The index's folder, as `graft index build` prints it.")],
) -> None:
    """Serve an index's search tools to a coding agent.

    They speak the Model Context Protocol (MCP) on stdin and stdout."""
    from experiments.cli.index.mcp_server import serve_index
    from experiments.indexing.index_place import find_index_place

    serve_index(find_index_place(None, index))
