"""The tables of the index: trees that nobody chose, and twins."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from statistics import median
from typing import Any

from benchmarks.record import describe_source, load_record
from benchmarks.tables import Column, render_cells, render_table

# Upper bounds of the classes of trees, in lines.
SIZES = (30_000, 100_000, 300_000, 1_000_000, 10_000_000, 100_000_000)

Facts = Mapping[str, Any]


def build_any_tree_table() -> str:
    """The index on Debian's source packages, by their size."""
    record = load_record("any_tree")
    trees = [tree for tree in record["result"]["packages"].values() if "lines" in tree]
    rows = []
    for low, high in zip((0, *SIZES), SIZES, strict=False):
        if mine := [tree for tree in trees if low <= tree["lines"] < high]:
            rows.append((f"under {high:,}", *summarize_trees(mine)))
    heads = (
        *("lines", "trees", "functions", "CPU-s for 100,000 lines, median", "peak MB, most", "not parsed, median"),
        *("ctags agrees, median", "least", "search, CPU-s, median", "update, CPU-s, median"),
    )
    return f"{describe_source(record)}\n\n{render_cells(heads, rows)}"


def summarize_trees(trees: list[Facts]) -> list[object]:
    agreed = [tree["ctags_share"] for tree in trees if tree["ctags"]]
    return [
        len(trees),
        f"{sum(tree['functions'] for tree in trees):,}",
        f"{median(1e5 * tree['cpu_seconds'] / tree['lines'] for tree in trees):.1f}",
        max(tree["peak_mb"] for tree in trees),
        f"{median(tree['parse_error_share'] for tree in trees):.1%}",
        f"{median(agreed):.1%}",
        f"{min(agreed):.1%}",
        f"{median(tree['words_seconds'] for tree in trees):.1f}",
        f"{median(tree['update_seconds'] for tree in trees if 'update_seconds' in tree):.1f}",
    ]


def build_clang_table() -> str:
    """Functions and calls of the index against clang's, tree by tree."""
    record = load_record("clang_agreement")

    def share(part: int, whole: int) -> str:
        return f"{part / whole:.2%} ({whole:,})" if whole else "-"

    def recall(row: tuple[str, Facts], kind: str) -> str:
        return share(*row[1]["calls"].get(kind, (0, 0)))

    columns = (
        Column("tree", 0),
        Column("units (with errors)", lambda row: f"{row[1]['units']} ({row[1]['failed']})"),
        Column("functions found", lambda row: share(row[1]["found"], row[1]["functions"])),
        Column("made whole by a macro", lambda row: share(*row[1]["whole"])),
        Column("invented", lambda row: share(row[1]["invented"], row[1]["compared"])),
        Column("calls by name", lambda row: recall(row, "named")),
        Column("by a macro", lambda row: recall(row, "made")),
        Column("constructors, operators", lambda row: recall(row, "implicit")),
        Column("virtual", lambda row: share(*row[1]["virtual"])),
        Column("edges right", lambda row: share(row[1]["right"], row[1]["right"] + row[1]["wrong"])),
    )
    return f"{describe_source(record)}\n\n{render_table(columns, list(record['result'].items()))}"


def build_twin_rules_table() -> str:
    """Precision and recall of each rule in both halves, and how many idioms it takes for twins."""
    record = load_record("twins")
    columns = [Column("rule", "rule")]
    for place, half in enumerate(("development", "held-out")):
        columns += [
            Column(f"{half}: precision", ("halves", place, "precision"), ".2f"),
            Column("recall", ("halves", place, "recall"), ".2f"),
            Column("found", ("halves", place, "found")),
            Column("of them idioms", ("halves", place, "idioms")),
        ]
    rules = [row for row in record["result"]["rules"] if not row["rule"].startswith("as in use")]
    return f"{describe_source(record)}\n\n{render_table(columns, rules)}"


def build_hidden_twins_table() -> str:
    """What strict masking hides for the benchmark's tasks."""
    columns = (
        Column("repository", "repo"),
        Column("functions", "functions", ","),
        Column("tasks", "tasks"),
        Column("with twins (by shape)", lambda row: f"{row['with_twins']} ({row['with_twins_by_shape']})"),
        Column("functions hidden (by shape)", lambda row: f"{row['hidden']} ({row['hidden_by_shape']})"),
        Column("by a copied run", "hidden_by_copy"),
        Column("other places", "places"),
        Column("most for a task", "most"),
        Column("callees hidden", lambda row: f"{row['callees_hidden']} of {row['callees']}"),
        Column("CPU-ms a view, median", "ms_median"),
        Column("most", "ms_most"),
    )
    return render_table(columns, load_record("twins")["result"]["hidden"])


SHOWN_LENGTHS = ("16, names", "24, names", "40, names", "40, blanked", "60, blanked", "rule")


def build_copy_lengths_table() -> str:
    """How many places of the unchanged trees share a run of each length with a task's body."""
    found = load_record("twins")["result"]["lengths"]
    names = {"rule": "the rule in use"}
    rows = [
        (names.get(name, name), *(f"{repo['counts'][name] / repo['tasks']:.2f}" for repo in found))
        for name in SHOWN_LENGTHS
    ]
    return render_cells(("shared tokens, at least", *(f"{repo['repo']}, a task" for repo in found)), rows)


def build_planted_table() -> str:
    """How many planted golds could be read, and where."""
    record = load_record("planted")
    columns = (
        Column("tree", "repo"),
        Column("golds", "with_secret"),
        Column("prompts of", lambda repo: ", ".join(repo["arms"])),
        Column("golds shown", lambda repo: sum(repo["shown"].values())),
        Column(
            "out of",
            lambda repo: ", ".join(kind or "a prompt" for kind, shown in repo["shown"].items() if shown) or "no place",
        ),
    )
    kinds = ", ".join(kind for kind in record["result"][0]["shown"] if kind)
    table = render_table(columns, record["result"])
    return f"{describe_source(record)}\n\n{table}\n\n{textwrap.fill(f'Places: {kinds}.', 117)}"
