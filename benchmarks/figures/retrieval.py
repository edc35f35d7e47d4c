"""The tables of retrieval: recall, packed contexts, other names, the ranker and what it learnt on, the look-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.record import describe_source, load_record
from benchmarks.tables import Column, read_tables, render_cells, render_table, write_ratio
from executor.grading.metrics import Estimate
from experiments.page.chart_svg import draw_chart_file
from experiments.page.charts import Chart, Point
from lab.retrieval_eval.figures import ANSWERABLE, CONTEXT_BUDGETS, NAMES, TOKENS
from lab.retrieval_eval.report import POOLED, SHOWN_BUDGET

CONTROL = "bm25"
NOT_CHARTED = (CONTROL, "lookup")
"""Controls, which would crowd out the arms' lines."""

ELSEWHERE = (
    ("answerable_renamed", "{}, renamed", "answerable_renamed_before"),
    ("answerable_llvm", "LLVM 16", "answerable_llvm_before"),
    ("retrieval_unseen", "{}", ""),
)
"""Records, what their rows are called, and the same with the packer of before."""

Facts = Mapping[str, Any]


def build_recall_table() -> str:
    """A row for each retriever: recall pooled over the repositories, and at ten in each."""
    record = load_record("retrieval")
    repositories, pooled = record["result"]["repos"], record["result"]["pooled"]
    columns = [
        Column("retriever", lambda row: f"`{row[0]}`"),
        *(Column(f"@{cut}", (1, f"recall@{cut}"), ".2f") for cut in (1, 5)),
        Column("@10", lambda row: write_interval(row[1], "recall@10")),
        Column("@50", (1, "recall@50"), ".2f"),
        Column("MRR", (1, "mrr"), ".2f"),
        Column(f"p against {CONTROL}", write_p_against_control),
        *(Column(f"{name} @10", (2, name, "recall@10"), ".2f") for name in repositories),
        Column("median ms", (1, "latency_ms", "median"), ".0f"),
    ]
    rows = [
        (name, figures, {repo: repositories[repo][name] for repo in repositories}) for name, figures in pooled.items()
    ]
    first = pooled[CONTROL]
    counts = f"{first['callees']} callees of {first['targets']} targets:"
    return "\n\n".join((describe_source(record), counts, render_table(columns, rows)))


def write_interval(figures: Facts, key: str) -> str:
    low, high = figures["intervals"][key]
    return f"{write_ratio(figures[key])} [{write_ratio(low)}, {write_ratio(high)}]"


def write_p_against_control(row: tuple[str, Facts]) -> str:
    test = row[1]["paired"].get(CONTROL)
    return "" if test is None else write_probability(test["recall@10"]["p"])


def write_probability(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def build_answerable_table() -> str:
    """The share of prompts that show every name that the body needs, by budget: pooled, and in each repository at one
    budget."""
    prompts = load_record("retrieval")["result"]["prompts"]
    pooled = prompts[POOLED]
    repositories = [name for name in prompts if name != POOLED]
    key = f"{ANSWERABLE}@{SHOWN_BUDGET}tokens"
    columns = [
        Column("arm", lambda row: f"`{row[0]}`"),
        *(
            Column(f"{budget:,}", lambda row: write_interval(row[1], key))
            if budget == SHOWN_BUDGET
            else Column(f"{budget:,}", (1, f"{ANSWERABLE}@{budget}tokens"), ".2f")
            for budget in CONTEXT_BUDGETS
        ),
        *(Column(f"{name}, {SHOWN_BUDGET:,}", (2, name, key), ".2f") for name in repositories),
    ]
    rows = [
        (row, figures, {name: prompts[name]["rows"][row] for name in repositories})
        for row, figures in pooled["rows"].items()
    ]
    names = sum(pooled["needed"].values())
    counts = f"{pooled['targets']} targets, whose bodies use {names} names of their repositories:"
    return f"{counts}\n\n{render_table(columns, rows)}"


def build_elsewhere_table() -> str:
    """The share of answerable prompts beyond the benchmark's own trees and targets, tree by tree; beside it what
    `learned` showed with the packer of before 2026-11-28, where that was measured on the same targets."""
    learned, share = ("rows", "learned"), f"{ANSWERABLE}@{SHOWN_BUDGET}tokens"
    columns = [
        Column("tree", (0,)),
        Column("functions", (1, "targets"), "d"),
        Column(f"`file`, {SHOWN_BUDGET:,}", (1, "rows", "file", share), ".2f"),
        *(
            Column(f"`learned`, {budget:,}", (1, *learned, f"{ANSWERABLE}@{budget}tokens"), ".2f")
            for budget in (2000, SHOWN_BUDGET, 16000)
        ),
        Column(f"names, {SHOWN_BUDGET:,}", (1, *learned, f"{NAMES}@{SHOWN_BUDGET}tokens"), ".2f"),
        Column(f"before, {SHOWN_BUDGET:,}", 2, ".2f"),
    ]
    rows, sources = [], []
    for name, label, before in ELSEWHERE:
        record = load_record(name)
        prompts = read_prompts(record)
        earlier = read_prompts(load_record(before)) if before else {}
        sources.append(describe_source(record))
        for tree, figures in prompts.items():
            if tree != POOLED or len(prompts) > 2:
                old = earlier[tree]["rows"]["learned"][share] if tree in earlier else None
                rows.append((label.format(tree), figures, old))
    return "\n\n".join((*sources, render_table(columns, rows)))


def read_prompts(record: Facts) -> Facts:
    """A record's figures by tree; of a comparison with a variant those on the variant."""
    found: Facts = record["result"].get("renamed", record["result"])["prompts"]
    return found


def build_signals_table() -> str:
    """What the first 300 names hold without one group of signals: all names of a function, tree by tree."""
    record = load_record("name_signals")
    table = read_tables(record["result"])[0]
    shown = table.head.index("all of a function @300")
    trees = list(dict.fromkeys(row[0] for row in table.rows))
    values = {(row[1], row[0]): row[shown] for row in table.rows}
    names = dict.fromkeys(row[1] for row in table.rows)
    rows = [[signals, *(values[signals, tree] for tree in trees)] for signals in names]
    return f"{describe_source(record)}\n\n{render_cells(('signals', *trees), rows, left=1)}"


def build_names_table() -> str:
    """The share of needed names that prompts show, by kind, at one budget."""
    pooled = load_record("retrieval")["result"]["prompts"][POOLED]
    columns = [
        Column("arm", lambda row: f"`{row[0]}`"),
        Column("tokens", (1, f"{TOKENS}@{SHOWN_BUDGET}tokens"), ",.0f"),
        Column(f"all (of {sum(pooled['needed'].values())})",
               lambda row: write_interval(row[1], f"{NAMES}@{SHOWN_BUDGET}tokens")),
        *(Column(f"{kind} (of {count})", (1, f"{kind}@{SHOWN_BUDGET}tokens"), ".2f")
          for kind, count in pooled["needed"].items()),
    ]  # fmt: skip
    return render_table(columns, pooled["rows"].items())


def draw_answerable_chart() -> bytes:
    """The share of prompts that show every needed name against the tokens that their contexts have."""
    pooled = load_record("retrieval")["result"]["prompts"][POOLED]
    points = []
    rows = {row: figures for row, figures in pooled["rows"].items() if row not in NOT_CHARTED}
    for row, figures in rows.items():
        for budget in CONTEXT_BUDGETS:
            key = f"{ANSWERABLE}@{budget}tokens"
            share = Estimate(figures[key], *figures["intervals"][key], pooled["targets"])
            points.append(Point(row, f"{budget} tokens", budget, share, pooled["targets"]))
    title = "Prompts that show every name that the body needs"
    x_title, y_title = "tokens of context at most", "share of prompts"
    chart = Chart("answerable", title, x_title, tuple(points), scale="log", lines=True, y_title=y_title)
    return draw_chart_file(chart, list(rows))


def build_renamed_recall_table() -> str:
    """Recall on repositories and on their variants, pooled."""
    record = load_record("retrieval_renamed")
    found = record["result"]["comparison"]["pooled"]
    cuts = list(next(iter(found.values())))
    columns = [Column("retriever", lambda row: f"`{row[0]}`")]
    for cut in cuts:
        columns += [
            Column(cut.removeprefix("recall"), (1, cut, "original"), ".2f"),
            Column("renamed", (1, cut, "renamed"), ".2f"),
            Column("difference", (1, cut, "change")),
            Column("p", (1, cut, "p")),
        ]
    rows = [
        (name, {cut: {**figures, "change": write_difference(figures), "p": write_probability(figures["p"])}
                for cut, figures in by_cut.items()})
        for name, by_cut in found.items()
    ]  # fmt: skip
    return f"{describe_source(record)}\n\n{render_table(columns, rows)}"


def write_difference(figures: Facts) -> str:
    low, high = figures["interval"]
    return f"{figures['difference']:+.2f} [{low:+.2f}, {high:+.2f}]"


def build_training_table() -> str:
    """The trees that taught the ranker, by their role."""
    record = load_record("training_set")
    table = read_tables(record["result"])[0]
    trees = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    rows = []
    for role in dict.fromkeys(tree["role"] for tree in trees):
        mine = [tree for tree in trees if tree["role"] == role]
        in_c = sum(tree["language"] == "c" for tree in mine)
        counts = [[int(tree[key].replace(",", "")) for tree in mine] for key in ("lines", "functions", "in the set")]
        copies = sum(tree["copy's names"] != "-" for tree in mine)
        rows.append((role, len(mine), in_c, *(f"{sum(count):,}" for count in counts), copies))
    heads = ("role", "trees", "of them C", "lines", "functions", "in the set", "with a renamed copy")
    return f"{describe_source(record)}\n\n{render_cells(heads, rows)}"


def build_ranker_table() -> str:
    """The generic rankers on the trees that are held out, as they are and under other names."""
    record = load_record("generic_ranker")
    tables = read_tables(record["result"])
    heads = ("ranker", "recall@1", "recall@10", "recall@50", "mrr")
    shown = [tables[0].head.index(head) for head in heads]
    rows = [
        (names, *(row[place] for place in shown))
        for names, table in (("own", tables[0]), ("renamed", tables[4]))
        for row in table.rows
        if row[0] == "pooled"
    ]
    return f"{describe_source(record)}\n\n{render_cells(('names', *heads), rows, left=2)}"


def build_ranker_tests_table() -> str:
    """What the network adds to the forest on the trees that are held out."""
    table = read_tables(load_record("generic_ranker")["result"])[2]
    return render_cells(table.head, table.rows)


def build_lookups_table() -> str:
    """How often the look-up names the meant symbol: on original and on renamed trees."""
    records = [load_record(name) for name in ("lookups", "lookups_renamed", "lookups_renamed_redis")]
    tables = [read_tables(record["result"])[0] for record in records]
    sources = [describe_source(record) for record in records]
    return "\n\n".join((*sources, render_cells(tables[0].head, [row for table in tables for row in table.rows], 3)))
