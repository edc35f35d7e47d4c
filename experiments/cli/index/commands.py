"""What the commands of index.py do."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Literal

from agent.tools.name_table import NameTable, vendored_root
from executor.cache import cache_root
from executor.tasks.suite_members import is_of_suite
from experiments.arms.retrievers import RETRIEVERS, make_retriever
from experiments.cli.options import check_out_sources
from experiments.consoles import get_shared_stderr_console, make_stdout_console, print_line
from experiments.indexing.derived_parts import PARTS
from experiments.indexing.index_place import (
    Place,
    choose_index_place,
    find_index_place,
    make_view_hiding_nothing,
    open_index_place,
    record_indexed_tree,
)
from experiments.indexing.stats import IndexStats, LanguageStats, collect_index_stats
from experiments.progress import ConsoleProgress
from experiments.tables import Column, Columns, make_label_column, make_table, print_table
from index.build import DerivingStep, IndexReport, build_index
from index.errors import ConfigError
from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex, open_index
from index.store.manifest import MANIFEST
from index.symbols.source_files import measure_source_sizes
from index.values import Symbol, SymbolKind
from retrieval.protocol import RetrieverSettings

log = logging.getLogger(__name__)

BYTES_PER_SECOND = 3 * 2**20
"""How fast an index is made, to say roughly how long it takes: redis and LLVM took 3.4 and 3.1 MiB/s on two idle
cores (docs/measured/indexing.md)."""
FUNCTIONS_PER_SECOND = 250
"""How fast the encoder and the ranker are trained: redis's 9,622 functions took 36 s."""

Way = Literal["words", "name", "meaning"]
SKIPPED_SHOWN = 20


def run_index_build(
    trees: Sequence[Path],
    folder: Path | None,
    workers: int,
    *,
    ray: str | None,
    symbols_only: bool,
    prepare: bool,
    as_json: bool,
) -> None:
    if symbols_only and prepare:
        raise ConfigError("--symbols-only and --prepare exclude each other: the encoder and the ranker need it all")
    if folder is not None and (len(trees) > 1 or is_of_suite(str(trees[0]))):
        raise ConfigError(f"--index {folder}: one folder can't hold the indexes of several trees; leave it out")
    places = [place for tree in trees for place in _choose_places(tree, folder)]
    parts = () if symbols_only else PARTS
    if ray is not None:
        from experiments.indexing.cluster_builds import build_indexes_on_cluster

        build_indexes_on_cluster(ray, places, workers, parts)
    for place in places:
        report = _build_or_refresh_index(place, workers, parts)
        if prepare:
            _train_retrievers(place, report.functions)
        _print_report(place, report, as_json=as_json)


def _choose_places(tree: Path, folder: Path | None) -> list[Place]:
    """The place for a tree's index. For the suite's name those that runs read, of all members whose source is had."""
    if tree.exists() or not is_of_suite(str(tree)):
        return [choose_index_place(tree, folder)]
    sources = [source for _, source in check_out_sources([str(tree)], None, {})]
    return [Place(cache_root() / "indexes" / source.root.name, source.root) for source in sources]


def run_index_update(tree: Path | None, folder: Path | None, workers: int, *, as_json: bool) -> None:
    place = find_index_place(tree, folder)
    _print_report(place, _build_or_refresh_index(place, workers, ()), as_json=as_json)


def run_index_stats(tree: Path | None, folder: Path | None, *, as_json: bool) -> None:
    index = open_index_place(tree, folder)
    found = collect_index_stats(index)
    if as_json:
        print_line(json.dumps(asdict(found)))
    else:
        _print_stats(found)


def run_index_search(
    query: str, by: Way, limit: int, tree: Path | None, folder: Path | None, *, as_json: bool
) -> None:
    index = open_index_place(tree, folder)
    view = make_view_hiding_nothing(index)
    if by == "name":
        table = NameTable(index)
        found = table.search_symbols(view, query, limit)
        if not found and not as_json:
            near = table.find_nearest_names(view, query, limit)
            log.warning(f"no name holds {query!r}" + (f"; nearest: {', '.join(near)}" if near else ""))
        _print_symbols(view, [(symbol, None) for symbol in found], as_json=as_json)
        return
    retriever = make_retriever(
        "lexical" if by == "words" else "meaning",
        index,
        RetrieverSettings(progress=ConsoleProgress(get_shared_stderr_console())),
    )
    hits = retriever.retrieve(view, replace(view.target, docstring=query), limit)
    if not hits and not as_json:
        log.warning(
            f"no function holds one of the words of {query!r}" if index.functions else "the tree has no function"
        )
    _print_symbols(view, [(hit.symbol, hit.score) for hit in hits], as_json=as_json)


def run_index_show(name: str, limit: int, tree: Path | None, folder: Path | None, *, as_json: bool) -> None:
    index = open_index_place(tree, folder)
    view = make_view_hiding_nothing(index)
    found = find_symbols(index, view, name)
    shown = found[:limit]
    if as_json:
        print_line(json.dumps([{**_symbol_to_json(symbol), "text": view.text(symbol)} for symbol in shown]))
        return
    for number, symbol in enumerate(shown):
        if number:
            print_line("")
        print_line(
            f"{symbol.path}:{symbol.span.first}-{symbol.span.last}  {symbol.kind.value} {symbol.qualified_name}"
        )
        if symbol.docstring:
            print_line(symbol.docstring)
        print_line(view.text(symbol))
    if len(found) > limit:
        log.warning(f"{len(found) - limit} more have that name; --limit shows more of them, PATH:LINE picks one")


def print_callers_or_callees(
    which: Literal["callers", "callees"],
    name: str,
    limit: int,
    tree: Path | None,
    folder: Path | None,
    *,
    as_json: bool,
) -> None:
    index = open_index_place(tree, folder)
    view = make_view_hiding_nothing(index)
    functions = [
        symbol
        for symbol in find_symbols(index, view, name)
        if symbol.kind in (SymbolKind.FUNCTION, SymbolKind.PROTOTYPE, SymbolKind.MACRO)
    ]
    if not functions:
        raise ConfigError(f"{name}: not a function or macro")
    found: dict[tuple[str, int], Symbol] = {}
    for function in functions:
        for other in view.callers(function) if which == "callers" else view.callees(function):
            found.setdefault((other.path, other.start_byte), other)
    if not found and not as_json:
        names = ", ".join(sorted({function.qualified_name for function in functions}))
        log.warning(f"{names}: no {which} in the tree")
    _print_symbols(view, [(symbol, None) for symbol in list(found.values())[:limit]], as_json=as_json)
    if len(found) > limit:
        log.warning(f"{len(found) - limit} more; --limit shows more")


def find_symbols(index: RepoIndex, view: HiddenView, name: str) -> list[Symbol]:
    """The symbols that a name or PATH:LINE means: at a line the innermost; of a name those with a body first, vendored
    code after the tree's own. Raises ConfigError with the nearest names."""
    path, colon, line = name.rpartition(":")
    if colon and line.isdigit() and path in index.files:
        around = [
            e.symbol for e in index.entries_in_file(path) if e.symbol.span.first <= int(line) <= e.symbol.span.last
        ]
        if not around:
            raise ConfigError(f"{name}: no symbol stands there")
        return [min(around, key=lambda symbol: (symbol.end_byte - symbol.start_byte, symbol.start_byte))]
    last = name.rpartition("::")[2] if "operator" not in name else name
    named = [symbol for symbol in view.symbols_named(last) if f"::{symbol.qualified_name}".endswith(f"::{name}")]
    if not named:
        near = NameTable(index).find_nearest_names(view, name, 5)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise ConfigError(f"{name}: no symbol of that name in {index.root}{hint}")
    rank = {SymbolKind.FUNCTION: 0, SymbolKind.TYPE: 0, SymbolKind.MACRO: 1, SymbolKind.PROTOTYPE: 3}
    return sorted(
        named,
        key=lambda symbol: (
            rank.get(symbol.kind, 2),
            bool(vendored_root(symbol.path)),
            symbol.path,
            symbol.start_byte,
        ),
    )


def _build_or_refresh_index(place: Place, workers: int, parts: Sequence[DerivingStep]) -> IndexReport:
    """Build or refresh the index, saying first what is done and, for a new index, roughly how long it takes."""
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
    progress = ConsoleProgress(get_shared_stderr_console())
    return build_index(place.root, place.folder, workers=workers, progress=progress, afterwards=parts)


def _train_retrievers(place: Place, functions: int) -> None:
    """Train what the arms of `graft run` need and keep it with the index."""
    log.info(
        f"training the encoder and the ranker: roughly {_format_rough_duration(functions / FUNCTIONS_PER_SECOND)}"
    )
    index = open_index(place.folder, place.root)
    for name, listed in RETRIEVERS.items():
        if listed.is_arm:
            log.info(f"preparing {name}: {listed.meaning}")
            make_retriever(name, index, RetrieverSettings(progress=ConsoleProgress(get_shared_stderr_console())))
    NameTable(index).prepare()
    index.close()


def _format_rough_duration(seconds: float) -> str:
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"


def _print_report(place: Place, report: IndexReport, *, as_json: bool) -> None:
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


def _print_symbols(view: HiddenView, found: Sequence[tuple[Symbol, float | None]], *, as_json: bool) -> None:
    if as_json:
        print_line(
            json.dumps(
                [{**_symbol_to_json(symbol), **({} if score is None else {"score": score})} for symbol, score in found]
            )
        )
        return
    from agent.tools.result_text import render_item_summary

    for symbol, _ in found:
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
