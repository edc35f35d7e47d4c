"""graft index: build, refresh and ask the index of any C/C++ source tree. Heavy imports wait inside the functions."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from executor.cache import cache_root
from experiments.cli.options import Json, Ray, check_out_sources
from experiments.consoles import make_stdout_console, print_line
from experiments.indexing.index_place import (
    Place,
    choose_index_place,
    find_and_open_index,
    find_index_place,
    make_view_hiding_nothing,
    record_indexed_tree,
)
from experiments.progress import ConsoleProgress
from experiments.tables import Column, Columns, make_label_column, make_table, print_table
from index.errors import ConfigError
from index.values import Symbol, SymbolKind
from retrieval.protocol import RetrieverSettings

if TYPE_CHECKING:
    from experiments.indexing.stats import IndexStats, LanguageStats
    from index.build import DerivingStep, IndexReport
    from index.hiding.hidden_view import HiddenView
    from index.repo_index import RepoIndex

log = logging.getLogger(__name__)

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
Processes = Annotated[int, typer.Option(min=1, help="Processes to use.")]
Limit = Annotated[int, typer.Option(min=1, help="Show at most this many.")]
Name = Annotated[str, typer.Argument(metavar="SYMBOL", help="A name, a qualified name (ns::Class::f), or PATH:LINE.")]

BYTES_PER_SECOND = 3 * 2**20
"""How fast an index is made, to say roughly how long it takes: redis and LLVM took 3.4 and 3.1 MiB/s on two idle
cores (docs/measured/indexing.md)."""
FUNCTIONS_PER_SECOND = 250
"""How fast the encoder and the ranker are trained: redis's 9,622 functions took 36 s."""
SKIPPED_SHOWN = 20


@index_app.command()
def build(
    tree: Annotated[
        list[Path], typer.Argument(metavar="TREE...", help="The roots of the source trees, or graft-suite.")
    ],
    index: Folder = None,
    workers: Processes = 2,
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
    from executor.tasks.suite_members import is_suite_dataset_name
    from experiments.indexing.index_builds import PARTS, build_missing_indexes_at_workers

    if symbols_only and prepare:
        raise ConfigError("--symbols-only and --prepare exclude each other: the encoder and the ranker need it all")
    if index is not None and (len(tree) > 1 or is_suite_dataset_name(str(tree[0]))):
        raise ConfigError(f"--index {index}: one folder can't hold the indexes of several trees; leave it out")
    places: list[Place] = []
    for root in tree:
        if root.exists() or not is_suite_dataset_name(str(root)):
            places.append(choose_index_place(root, index))
        else:
            # Of a suite those that runs read, of all members whose source is had.
            members = [source.root for _, source in check_out_sources([str(root)], None, {})]
            places += [Place(cache_root() / "indexes" / member.name, member) for member in members]
    parts = () if symbols_only else PARTS
    if ray is not None:
        from executor.workers.ray_workers import open_ray_workers

        with open_ray_workers(ray) as nodes:
            assert nodes is not None
            build_missing_indexes_at_workers(nodes, places, workers, parts)
    for place in places:
        report = _build_or_refresh_index(place, workers, parts)
        if prepare:
            _train_arm_retrievers_and_build_names(place, report.functions)
        _print_index_report(place, report, as_json=as_json)


@index_app.command()
def update(
    tree: Annotated[Path | None, typer.Argument(help="The tree. Default: the one around the current folder.")] = None,
    index: Folder = None,
    workers: Processes = 2,
    as_json: Json = False,
) -> None:
    """Bring an index up to date. Only files whose content changed are read again."""
    place = find_index_place(tree, index)
    _print_index_report(place, _build_or_refresh_index(place, workers, ()), as_json=as_json)


@index_app.command("stats")
def show_index_stats(tree: OfTree = None, index: Folder = None, as_json: Json = False) -> None:
    """Show what an index holds.

    Says also how much of the source was parsed, and which files were skipped."""
    from experiments.indexing.stats import collect_index_stats

    found = collect_index_stats(find_and_open_index(tree, index))
    if as_json:
        print_line(json.dumps(asdict(found)))
    else:
        _print_stats(found)


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
    from agent.tools.name_table import NameTable
    from experiments.arms.retrievers import make_retriever

    words = " ".join(query)
    if not words.strip():
        raise ConfigError("QUERY: empty; give words to search for")
    opened, view = _open_index_hiding_nothing(tree, index)
    problem = ""
    found: list[tuple[Symbol, float | None]] = []
    if by == "name":
        table = NameTable(opened)
        found += [(symbol, None) for symbol in table.search_symbols(view, words, limit)]
        near = [] if found else table.find_nearest_names(view, words, limit)
        problem = f"no name holds {words!r}" + (f"; nearest: {', '.join(near)}" if near else "")
    else:
        retriever = make_retriever(
            "lexical" if by == "words" else by, opened, RetrieverSettings(progress=ConsoleProgress())
        )
        hits = retriever.retrieve(view, replace(view.target, docstring=words), limit)
        found += [(hit.symbol, hit.score) for hit in hits]
        problem = (
            f"no function holds one of the words of {words!r}" if opened.functions else "the tree has no function"
        )
    if not found and not as_json:
        log.warning(problem)
    _print_symbols(view, found, as_json=as_json)


@index_app.command("show")
def show_symbol(
    symbol: Name,
    limit: Limit = 5,
    tree: OfTree = None,
    index: Folder = None,
    as_json: Json = False,
) -> None:
    """Show a symbol's definition and its documentation."""
    opened, view = _open_index_hiding_nothing(tree, index)
    symbols = _find_innermost_or_named_symbols(opened, view, symbol)
    shown = symbols[:limit]
    if as_json:
        print_line(json.dumps([{**_symbol_to_json(found), "text": view.text(found)} for found in shown]))
        return
    for number, found in enumerate(shown):
        if number:
            print_line("")
        print_line(f"{found.path}:{found.span.first}-{found.span.last}  {found.kind.value} {found.qualified_name}")
        if found.docstring:
            print_line(found.docstring)
        print_line(view.text(found))
    if len(symbols) > limit:
        log.warning(f"{len(symbols) - limit} more have that name; --limit shows more of them, PATH:LINE picks one")


def _add_callers_or_callees_command(which: Literal["callers", "callees"], help_text: str) -> None:
    """`graft index callers`, and `graft index callees`."""

    @index_app.command(which, help=help_text)
    def print_callers_or_callees(
        symbol: Name, limit: Limit = 50, tree: OfTree = None, index: Folder = None, as_json: Json = False
    ) -> None:
        opened, view = _open_index_hiding_nothing(tree, index)
        callable_kinds = (SymbolKind.FUNCTION, SymbolKind.PROTOTYPE, SymbolKind.MACRO)
        functions = [
            found for found in _find_innermost_or_named_symbols(opened, view, symbol) if found.kind in callable_kinds
        ]
        if not functions:
            raise ConfigError(f"{symbol}: not a function or macro")
        found: dict[tuple[str, int], Symbol] = {}
        for function in functions:
            for other in view.callers(function) if which == "callers" else view.callees(function):
                found.setdefault((other.path, other.start_byte), other)
        if not found and not as_json:
            names = ", ".join(sorted({function.qualified_name for function in functions}))
            log.warning(f"{names}: no {which} in the tree")
        _print_symbols(view, [(other, None) for other in list(found.values())[:limit]], as_json=as_json)
        if len(found) > limit:
            log.warning(f"{len(found) - limit} more; --limit shows more")


_add_callers_or_callees_command("callers", "List the functions that call SYMBOL.")
_add_callers_or_callees_command("callees", "List the functions that SYMBOL calls.")


@index_app.command()
def mcp(
    index: Annotated[Path, typer.Option("--index", help="The index's folder, as `graft index build` prints it.")],
) -> None:
    """Serve an index's search tools to a coding agent.

    They speak the Model Context Protocol (MCP) on stdin and stdout."""
    from experiments.cli.index.mcp_server import serve_index_tools_over_stdio

    serve_index_tools_over_stdio(find_index_place(None, index))


def _open_index_hiding_nothing(tree: Path | None, folder: Path | None) -> tuple[RepoIndex, HiddenView]:
    """The index, and all of its tree to be seen."""
    opened = find_and_open_index(tree, folder)
    return opened, make_view_hiding_nothing(opened)


def _find_innermost_or_named_symbols(index: RepoIndex, view: HiddenView, name_or_path_line: str) -> list[Symbol]:
    """The symbols that a name or PATH:LINE means: at a line the innermost; of a name those with a body first, vendored
    code after the tree's own. Raises ConfigError with the nearest names."""
    from agent.tools.name_table import NameTable, vendored_root

    path, colon, line = name_or_path_line.rpartition(":")
    if colon and line.isdigit() and path in index.files:
        around = [
            e.symbol for e in index.entries_in_file(path) if e.symbol.span.first <= int(line) <= e.symbol.span.last
        ]
        if not around:
            raise ConfigError(f"{name_or_path_line}: no symbol stands there")
        return [min(around, key=lambda symbol: (symbol.end_byte - symbol.start_byte, symbol.start_byte))]
    last = name_or_path_line.rpartition("::")[2] if "operator" not in name_or_path_line else name_or_path_line
    named = [
        symbol
        for symbol in view.symbols_named(last)
        if f"::{symbol.qualified_name}".endswith(f"::{name_or_path_line}")
    ]
    if not named:
        near = NameTable(index).find_nearest_names(view, name_or_path_line, 5)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise ConfigError(f"{name_or_path_line}: no symbol of that name in {index.root}{hint}")
    rank = {SymbolKind.FUNCTION: 0, SymbolKind.TYPE: 0, SymbolKind.MACRO: 1, SymbolKind.PROTOTYPE: 3}

    def rank_own_definitions_first(symbol: Symbol) -> tuple[int, bool, str, int]:
        return rank.get(symbol.kind, 2), bool(vendored_root(symbol.path)), symbol.path, symbol.start_byte

    return sorted(named, key=rank_own_definitions_first)


def _build_or_refresh_index(place: Place, workers: int, parts: Sequence[DerivingStep]) -> IndexReport:
    """Build or refresh the index, saying first what is done and, for a new index, roughly how long it takes."""
    from index.build import build_index
    from index.store.manifest import MANIFEST
    from index.symbols.source_files import measure_source_sizes

    if (place.folder / MANIFEST).is_file():
        log.info(f"bringing the index of {place.root} up to date")
    else:
        found = measure_source_sizes(place.root)
        size = sum(found.values())
        what = "symbols, call graph, text search" if parts else "symbols"
        log.info(
            f"indexing {place.root}: {len(found)} source files, {size / 2**20:.1f} MiB ({what});"
            f" roughly {_format_rough_duration(size / BYTES_PER_SECOND)} on two idle cores"
        )
    record_indexed_tree(place)
    return build_index(place.root, place.folder, workers=workers, progress=ConsoleProgress(), afterwards=parts)


def _train_arm_retrievers_and_build_names(place: Place, function_count: int) -> None:
    """Train what the arms of `graft run` need and keep it with the index."""
    from agent.tools.name_table import NameTable
    from experiments.arms.retrievers import RETRIEVERS, make_retriever
    from index.repo_index import open_index

    log.info(
        f"training the encoder and the ranker: roughly {_format_rough_duration(function_count / FUNCTIONS_PER_SECOND)}"
    )
    index = open_index(place.folder, place.root)
    for name, listed in RETRIEVERS.items():
        if listed.is_arm:
            log.info(f"preparing {name}: {listed.meaning}")
            make_retriever(name, index, RetrieverSettings(progress=ConsoleProgress()))
    NameTable(index).build_names_and_call_graph()
    index.close()


def _format_rough_duration(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"


def _print_index_report(place: Place, report: IndexReport, *, as_json: bool) -> None:
    if as_json:
        print_line(json.dumps({"root": str(place.root), "index": str(place.folder), **asdict(report)}))
        return
    print_line(
        f"{report.functions} functions, {report.symbols} symbols in {report.files} files;"
        f" {report.reparsed} files read now, {report.seconds:.1f} s; in {place.folder}"
    )
    for path, reason in report.skipped[:SKIPPED_SHOWN]:
        print_line(f"  skipped {path!r}: {reason}")
    if len(report.skipped) > SKIPPED_SHOWN:
        print_line(f"  {len(report.skipped) - SKIPPED_SHOWN} more were skipped: graft index stats tells why")


def _symbol_to_json(symbol: Symbol) -> dict[str, object]:
    return {
        "kind": symbol.kind.value,
        "name": symbol.qualified_name,
        "path": symbol.path,
        "first": symbol.span.first,
        "last": symbol.span.last,
        "signature": symbol.signature,
        "docstring": symbol.docstring,
    }


def _print_symbols(
    view: HiddenView, symbols_with_scores: Sequence[tuple[Symbol, float | None]], *, as_json: bool
) -> None:
    if as_json:
        rows = [
            _symbol_to_json(symbol) | ({} if score is None else {"score": score})
            for symbol, score in symbols_with_scores
        ]
        print_line(json.dumps(rows))
        return
    from agent.tools.result_text import render_item_summary

    for symbol, _ in symbols_with_scores:
        print_line(render_item_summary(view, symbol))


def _print_stats(found: IndexStats) -> None:
    print_line(f"{found.root}")
    print_line(
        f"{found.files} files, {found.bytes / 2**20:.1f} MiB of source; the index: {found.index_bytes / 2**20:.1f} MiB"
    )
    columns: Columns[LanguageStats] = {
        make_label_column("language"): lambda row: row.language,
        Column("files"): lambda row: str(row.files),
        Column("functions"): lambda row: str(row.functions),
        Column("% of bytes not parsed"): lambda row: f"{100 * row.error_share:.2f}",
    }
    print_table(make_stdout_console(), make_table(found.languages, columns))
    print_line("symbols: " + ", ".join(f"{kind} {count}" for kind, count in found.symbols.items()))
    print_line(f"call sites {found.call_sites}, edges {found.edges}")
    if found.worst:
        print_line("worst parsed: " + ", ".join(f"{path} ({100 * share:.0f} %)" for path, share in found.worst))
    for path, reason in found.skipped:
        print_line(f"skipped {path!r}: {reason}")
