"""The tables of runs on a cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchmarks.record import describe_source, load_record
from benchmarks.tables import Column, render_table

Facts = Mapping[str, Any]


def build_trials_table() -> str:
    """What was killed in runs on a cluster, and what became of their samples."""
    record = load_record("cluster_trials")
    trials = record["result"]["trials"]
    killed = Counter(what.rpartition(" at ")[0] for trial in trials for what in trial["killed"])
    columns = (
        Column("runs", len),
        Column("killed in them", lambda _: ", ".join(f"{count} x {what}" for what, count in killed.items())),
        *(Column(head, lambda rows, key=key: sum(row[key] for row in rows))
          for head, key in (("samples", "samples"), ("requests", "requests"), ("asked twice", "repeated"),
                            ("ours", "ours"))),
        Column("other than on one machine", lambda rows: sum(len(row["differing"]) for row in rows)),
    )  # fmt: skip
    return f"{describe_source(record)}\n\n{render_table(columns, [trials], left=2)}"


def build_cluster_golds_table(name: str) -> str:
    """A row for each repository, and one of all together: golds on two nodes and on one machine."""
    record = load_record(name)
    # Older records have timed and compared all golds.
    rows = [{"timed": row["golds"], "compared": row["golds"], **row} for row in record["result"]["repositories"]]
    rows = [{**row, "differ": len(row["differing"])} for row in rows]
    keys = ("golds", "passed_ray", "compared", "differ", "local_s", "ray_s")
    rows.append({"repo": "together", **{key: sum(row[key] for row in rows) for key in keys}})
    columns = (
        Column("repository", "repo"),
        Column("golds on nodes", "golds"),
        Column("passed", "passed_ray"),
        Column("compared", "compared"),
        Column("records that differ", "differ"),
        Column("one machine, s", "local_s", ".0f"),
        Column("nodes, s", "ray_s", ".0f"),
        Column("overhead", lambda row: f"{100 * (row['ray_s'] / row['local_s'] - 1):+.1f} %"),
    )
    return f"{describe_source(record)}\n\n{render_table(columns, rows)}"
