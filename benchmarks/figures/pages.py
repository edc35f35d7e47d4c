"""The pages with measured tables: which table stands behind each name, and how a page is filled.

A page holds the line `<!-- figures: NAME -->`, a table, and the line `<!-- end of figures -->`. NAME is a key of
TABLES. The figures come from the doctor's manifests (executor/data/manifests) and from the records that
`benchmarks.record` writes. The tables of the configuration's keys and of the commands come from the program itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.figures import (
    any_tree,
    cluster,
    differential,
    forgeries,
    holes,
    made,
    official,
    program,
    retrieval,
    twins,
    validity,
)
from benchmarks.record import ROOT, describe_source, load_record

MARKED = re.compile(r"(<!-- figures: (?P<name>[\w-]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)


def show_printed(name: str) -> str:
    """The tables that a benchmark printed, from its record."""
    record = load_record(name)
    # A benchmark prints one table right below another; Markdown needs an empty line between them.
    tables = re.sub(r"\|\n(?=\|[^\n]*\|\n\| *-{3})", "|\n\n", record["result"])
    return f"{describe_source(record)}\n\n{tables}"


def show_result(name: str, build: Callable[[Mapping[str, Any]], str]) -> str:
    """A table that `build` makes of a record's result."""
    record = load_record(name)
    # Drawings go on for days, over many commands: they have no command of their own.
    source = f"{describe_source(record)}\n\n" if "command" in record else ""
    return f"{source}{build(record.get('result', record))}"


TABLES: Mapping[str, Callable[[], str]] = {
    "validity": validity.build_validity_table,
    "doctor": validity.build_doctor_table,
    "weak": validity.build_weak_table,
    "differential": differential.caught,
    "differential-calls": differential.calls,
    "differential-false-pass": differential.false_pass,
    "forgeries": partial(forgeries.build_forgeries_table, "class", "class"),
    "forgeries-by-repository": partial(forgeries.build_forgeries_table, "repository", "repository"),
    "forgeries-passed": forgeries.build_passed_table,
    "controls": validity.build_controls_table,
    "forgeries-by-text": forgeries.build_texts_table,
    "forgeries-played": forgeries.build_played_table,
    "recall": retrieval.recall,
    "contexts": retrieval.contexts,
    "retrieval-errors": retrieval.errors,
    "recall-renamed": retrieval.recall_renamed,
    "any-tree": partial(show_result, "any_tree", any_tree.table),
    "coverage": partial(show_printed, "coverage"),
    "weight": partial(show_printed, "weight"),
    "lines": partial(show_printed, "lines"),
    "lookups": partial(show_printed, "lookups"),
    "lookups-before": partial(show_printed, "lookups_before"),
    "lookups-renamed": partial(show_printed, "lookups_renamed"),
    "lookups-renamed-redis": partial(show_printed, "lookups_renamed_redis"),
    "intervals": partial(show_printed, "intervals"),
    "right": partial(show_printed, "right"),
    "fuzz": partial(show_printed, "fuzz"),
    "golds-cost": partial(show_printed, "golds_cost"),
    "page": partial(show_printed, "page"),
    "reading": partial(show_printed, "reading"),
    "million": partial(show_printed, "million"),
    "cluster-simulation": partial(show_printed, "cluster_simulation"),
    "concurrent-calls": partial(show_printed, "concurrent_calls"),
    "variants": partial(show_printed, "variants"),
    "variants-doctor": partial(show_printed, "variants_doctor"),
    "wrong": partial(show_printed, "wrong"),
    "training-set": partial(show_printed, "training_set"),
    "signals": partial(show_printed, "signals"),
    "generic-ranker": partial(show_printed, "generic_ranker"),
    "rank-files": partial(show_printed, "rank_files"),
    "retrieval-speed": partial(show_printed, "retrieval_speed"),
    "named": partial(show_printed, "named"),
    "twins-rules": partial(show_result, "twins", twins.rules),
    "twins-labels": partial(show_result, "twins", twins.labels),
    "twins-hidden": partial(show_result, "twins", twins.hidden),
    "twins-short": partial(show_result, "twins", twins.short),
    "made": partial(show_result, "made", made.made),
    "made-passed-over": partial(show_result, "made", made.passed_over),
    "made-shares": partial(show_result, "made", made.shares),
    "made-documented-counts": partial(show_result, "made_documented", made.counts),
    "made-documented": partial(show_result, "made_documented", made.made),
    "made-documented-passed-over": partial(show_result, "made_documented", made.passed_over),
    "made-tested-counts": partial(show_result, "made_tested", made.counts),
    "made-tested": partial(show_result, "made_tested", made.made),
    "made-tested-passed-over": partial(show_result, "made_tested", made.passed_over),
    "made-listed-counts": partial(show_result, "made_listed", made.counts),
    "made-listed": partial(show_result, "made_listed", made.made),
    "made-listed-passed-over": partial(show_result, "made_listed", made.passed_over),
    "holes": partial(show_result, "holes", holes.counts),
    "holes-tasks": partial(show_result, "holes", holes.tasks),
    "cluster-trials": partial(show_result, "cluster_trials", cluster.trials),
    "cluster-golds": partial(show_result, "cluster_golds", cluster.golds),
    "cluster-golds-idle": partial(show_result, "cluster_golds_idle", cluster.golds),
    "cluster-newcomer": partial(show_result, "cluster_newcomer", cluster.newcomer),
    "official": official.build_official_table,
    "extensions": program.extensions,
    "keys": program.keys,
    "commands": program.commands,
    "columns": program.columns,
    "tools": program.tools,
    "retrievers": program.retrievers,
}


def fill_tables(text: str) -> str:
    """The page with every marked table made anew. Raises KeyError for a name that TABLES lacks."""
    return MARKED.sub(lambda found: f"{found[1]}{TABLES[found['name']]()}\n{found[3]}", text)


def find_pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
