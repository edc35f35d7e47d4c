"""Tables of recall and of packed contexts, from the JSON of `graft retrieval-eval --json`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchmarks.record import describe_source, load_record
from benchmarks.retrieval.errors.draw import KINDS
from benchmarks.tables import render_cells, write_ratio

CONTROL = "bm25"


def recall_of(figures: Mapping[str, Any]) -> str:
    rows = []
    for name, retriever in figures.items():
        low, high = retriever["intervals"]["recall@10"]
        test = retriever["paired"].get(CONTROL)
        p = "" if test is None else probability(test["recall@10"]["p"])
        cells = [write_ratio(retriever[f"recall@{cut}"]) for cut in (1, 5, 10, 50)]
        cells[2] += f" [{write_ratio(low)}, {write_ratio(high)}]"
        rows.append(
            [f"`{name}`", *cells, write_ratio(retriever["mrr"]), f"{retriever['latency_ms']['median']:.0f}", p]
        )
    return render_cells(["retriever", "@1", "@5", "@10", "@50", "MRR", "median ms", f"p against {CONTROL}"], rows)


def probability(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def recall() -> str:
    record = load_record("retrieval")
    found = record["result"]
    parts = [describe_source(record)]
    for title, figures in [*found["repos"].items(), ("pooled", found["pooled"])]:
        first = next(iter(figures.values()))
        parts.append(f"**{title}**: {first['callees']} callees of {first['targets']} targets")
        parts.append(recall_of(figures))
    return "\n\n".join(parts)


def contexts() -> str:
    """What packed contexts show of what the gold names, from benchmarks/records/retrieval.json."""
    record = load_record("retrieval")
    figures = record["result"]["pooled"]
    first = next(iter(figures.values()), {})
    columns = [key for key in first if re.fullmatch(r"\w+@\d+tokens", key)]
    parts = [describe_source(record)]
    for kind in dict.fromkeys(column.partition("@")[0] for column in columns):
        mine = [column for column in columns if column.startswith(f"{kind}@")]
        head = [re.sub(r".*@(\d+)000tokens", r"\1k", column) for column in mine]
        rows = [[f"`{name}`", *(_with_interval(figures[name], column) for column in mine)] for name in figures]
        count = first["used"].get(kind, sum(first["used"].values()))
        parts.append(f"**{kind}**, {count} in all")
        parts.append(render_cells(["retriever", *head], rows))
    return "\n\n".join(parts)


def errors() -> str:
    """Misses that a person read, and how many there are of each kind."""
    record = load_record("retrieval_errors")
    found = record["errors"]
    kinds = [
        [kind, words, str(sum(error["kind"] == kind for error in found))]
        for kind, words in KINDS.items()
        if any(error["kind"] == kind for error in found)
    ]
    rows = [
        [
            error["repo"],
            f"`{error['callee']}`",
            error["kind"],
            error["why"],
            str(error["ranks"][record["retriever"]] or "-"),
            str(error["ranks"]["bm25"] or "-"),
        ]
        for error in found
    ]
    return "\n\n".join(
        (
            f"{record['missed']} of {record['callees']} callees aren't among the first ten of `{record['retriever']}`;"
            f" {len(found)} of them, drawn by seed {record['seed']}:",
            render_cells(["kind", "what it means", "errors"], kinds, left=2),
            render_cells(["repository", "callee", "kind", "why", "rank", "bm25's"], rows, left=4),
        )
    )


def _with_interval(figures: Mapping[str, Any], column: str) -> str:
    low, high = figures["intervals"][column]
    return f"{write_ratio(figures[column])} [{write_ratio(low)}, {write_ratio(high)}]"


def recall_renamed() -> str:
    """Recall on repositories and on their variants: from the JSON of `graft retrieval-eval --variant`."""
    record = load_record("retrieval_renamed")
    found = record["result"]
    parts = [describe_source(record)]
    for title, retrievers in found["comparison"].items():
        if title == "pooled" and len(found["variants"]) == 1:
            continue
        first = next(iter(found["original"]["repos"].get(title, found["original"]["pooled"]).values()))
        variant = found["variants"].get(title)
        names = "" if variant is None else f"; {variant['names']} names renamed, map `{variant['map']}`"
        parts.append(f"**{title}**: {first['callees']} callees of {first['targets']} targets{names}")
        rows = []
        for name, cuts in retrievers.items():
            cells = [f"`{name}`"]
            for figures in cuts.values():
                low, high = figures["interval"]
                change = f"{figures['difference']:+.2f} [{low:+.2f}, {high:+.2f}]"
                cells += [
                    write_ratio(figures["original"]),
                    write_ratio(figures["renamed"]),
                    change,
                    probability(figures["p"]),
                ]
            rows.append(cells)
        head = [text for cut in (10, 50) for text in (f"@{cut}", "renamed", "difference", "p")]
        parts.append(render_cells(["retriever", *head], rows))
    return "\n\n".join(parts)
