"""The pages with measured tables: which table stands behind each name, and how a page is filled.

A page holds the line `<!-- figures: NAME -->`, a table, and the line `<!-- end of figures -->`. NAME is a key of
TABLES. Charts are files of their own (CHARTS). The figures come from the doctor's manifests
(recipes/NAME/manifest.json) and from the records that `benchmarks.record` writes. The tables of the configuration's
keys and of the commands come from the program itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from benchmarks.figures import (
    agents,
    cluster,
    index,
    making,
    program,
    retrieval,
    suite,
    validity,
    verdicts,
    wrong_bodies,
)
from benchmarks.record import ROOT, describe_source, load_record
from benchmarks.tables import read_tables, render_cells

MARKED = re.compile(r"(<!-- figures: (?P<name>[\w-]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)


def show_printed(name: str) -> str:
    """The tables that a benchmark printed, from its record."""
    record = load_record(name)
    # A benchmark may print one table right below another; Markdown needs an empty line between them.
    tables = re.sub(r"\|\n(?=\|[^\n]*\|\n\| *-{3})", "|\n\n", record["result"])
    return f"{describe_source(record)}\n\n{tables}"


def show_first_table(name: str) -> str:
    """The first of the tables that a benchmark printed, where the others have a row for each of many things."""
    record = load_record(name)
    table = read_tables(record["result"])[0]
    return f"{describe_source(record)}\n\n{render_cells(table.head, table.rows)}"


TABLES: Mapping[str, Callable[[], str]] = {
    "validity": validity.build_validity_table,
    "doctor": validity.build_doctor_table,
    "weak": validity.build_weak_table,
    "controls": validity.build_controls_table,
    "wrong": wrong_bodies.build_wrong_table,
    "wrong-kinds": wrong_bodies.build_wrong_kinds_table,
    "golds-cost": partial(show_printed, "golds_cost"),
    "differential": verdicts.build_differential_table,
    "differential-false-pass": verdicts.build_differential_pass_table,
    "forgeries": verdicts.build_forgeries_table,
    "forgeries-by-text": verdicts.build_forgery_texts_table,
    "agents": agents.build_agents_table,
    "right": verdicts.build_right_table,
    "official": verdicts.build_official_table,
    "intervals": verdicts.build_intervals_table,
    "intervals-paired": verdicts.build_paired_table,
    "fuzz": partial(show_first_table, "fuzz"),
    "suite": suite.build_suite_table,
    "making": making.build_making_table,
    "hard": making.build_hard_table,
    "variants": making.build_variants_table,
    "recall": retrieval.build_recall_table,
    "answerable": retrieval.build_answerable_table,
    "answerable-elsewhere": retrieval.build_elsewhere_table,
    "names": retrieval.build_names_table,
    "name-signals": retrieval.build_signals_table,
    "recall-renamed": retrieval.build_renamed_recall_table,
    "retrieval-speed": partial(show_printed, "retrieval_speed"),
    "training-set": retrieval.build_training_table,
    "ranker": retrieval.build_ranker_table,
    "ranker-network": retrieval.build_ranker_tests_table,
    "lookups": retrieval.build_lookups_table,
    "any-tree": index.build_any_tree_table,
    "clang": index.build_clang_table,
    "index-speed": partial(show_printed, "index_speed"),
    "twins-rules": index.build_twin_rules_table,
    "twins-hidden": index.build_hidden_twins_table,
    "copies-lengths": index.build_copy_lengths_table,
    "planted": index.build_planted_table,
    "cluster-trials": cluster.build_trials_table,
    "cluster-simulation": partial(show_printed, "cluster_simulation"),
    "idle": partial(show_printed, "idle_cores"),
    "simulated": partial(show_printed, "simulated_cores"),
    "million": partial(show_printed, "million"),
    "weight": partial(show_printed, "weight"),
    "keys": program.build_keys_table,
    "commands": program.build_command_reference,
    "columns": program.build_columns_table,
    "tools": program.build_tools_table,
    "retrievers": program.build_retrievers_table,
}


CHARTS: Mapping[Path, Callable[[], bytes]] = {
    ROOT / "docs" / "measured" / "answerable.svg": retrieval.draw_answerable_chart,
}
"""The charts that pages show, by their files."""


def fill_tables(text: str) -> str:
    """The page with every marked table made anew. Raises KeyError for a name that TABLES lacks."""
    return MARKED.sub(lambda found: f"{found[1]}{TABLES[found['name']]()}\n{found[3]}", text)


def find_pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
