"""Tables of recall and of packed contexts, from the JSON of `graft retrieval-eval --json`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchmarks.markdown import ratio, table
from benchmarks.recorded import recorded, source_of
from benchmarks.retrieval.errors.draw import KINDS

CONTROL = "bm25"


def recall_of(figures: Mapping[str, Any]) -> str:
    rows = []
    for name, retriever in figures.items():
        low, high = retriever["intervals"]["recall@10"]
        test = retriever["paired"].get(CONTROL)
        p = "" if test is None else probability(test["recall@10"]["p"])
        cells = [ratio(retriever[f"recall@{cut}"]) for cut in (1, 5, 10, 50)]
        cells[2] += f" [{ratio(low)}, {ratio(high)}]"
        rows.append([f"`{name}`", *cells, ratio(retriever["mrr"]), f"{retriever['latency_ms']['median']:.0f}", p])
    return table(["retriever", "@1", "@5", "@10", "@50", "MRR", "median ms", f"p against {CONTROL}"], rows)


def probability(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def recall() -> str:
    record = recorded("retrieval")
    if record is None:
        return "Not recorded yet; [earlier figures](earlier/retrieval.md)."
    found = record["result"]
    parts = [source_of(record)]
    for title, figures in [*found["repos"].items(), ("pooled", found["pooled"])]:
        first = next(iter(figures.values()))
        parts.append(f"**{title}**: {first['callees']} callees of {first['targets']} targets")
        parts.append(recall_of(figures))
    return "\n\n".join(parts)


def contexts() -> str:
    """What packed contexts show of what the gold names, from docs/measured/json/retrieval.json."""
    record = recorded("retrieval")
    figures = record["result"]["pooled"] if record else {}
    first = next(iter(figures.values()), {})
    if not first.get("used"):
        return "Not recorded yet; [earlier figures](earlier/retrieval.md)."
    columns = [key for key in first if re.fullmatch(r"\w+@\d+tokens", key)]
    parts = [source_of(record)]
    for kind in dict.fromkeys(column.partition("@")[0] for column in columns):
        mine = [column for column in columns if column.startswith(f"{kind}@")]
        head = [re.sub(r".*@(\d+)000tokens", r"\1k", column) for column in mine]
        rows = [[f"`{name}`", *(_with_interval(figures[name], column) for column in mine)] for name in figures]
        count = first["used"].get(kind, sum(first["used"].values()))
        parts.append(f"**{kind}**, {count} in all")
        parts.append(table(["retriever", *head], rows))
    return "\n\n".join(parts)


def errors() -> str:
    """Misses that a person read, and how many there are of each kind."""
    record = recorded("retrieval_errors")
    if record is None:
        return "Not read yet."
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
            table(["kind", "what it means", "errors"], kinds, left=2),
            table(["repository", "callee", "kind", "why", "rank", "bm25's"], rows, left=4),
        )
    )


def _with_interval(figures: Mapping[str, Any], column: str) -> str:
    low, high = figures["intervals"][column]
    return f"{ratio(figures[column])} [{ratio(low)}, {ratio(high)}]"


def recall_renamed() -> str:
    """Recall on repositories and on their variants: from the JSON of `graft retrieval-eval --variant`."""
    record = recorded("retrieval_renamed")
    if record is None:
        return "Not recorded yet."
    found = record["result"]
    parts = [source_of(record)]
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
                cells += [ratio(figures["original"]), ratio(figures["renamed"]), change, probability(figures["p"])]
            rows.append(cells)
        head = [text for cut in (10, 50) for text in (f"@{cut}", "renamed", "difference", "p")]
        parts.append(table(["retriever", *head], rows))
    return "\n\n".join(parts)
