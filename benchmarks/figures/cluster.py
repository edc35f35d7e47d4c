"""The tables of runs on a cluster."""

from __future__ import annotations

from collections import Counter

from benchmarks.record import describe_source, load_record
from benchmarks.tables import render_cells


def build_trials_table() -> str:
    """What was killed in runs on a cluster, and what became of their samples."""
    record = load_record("cluster_trials")
    trials = record["result"]["trials"]
    killed = Counter(what.rpartition(" at ")[0] for trial in trials for what in trial["killed"])
    counts = [sum(trial[key] for trial in trials) for key in ("samples", "requests", "repeated", "ours")]
    differing = sum(len(trial["differing"]) for trial in trials)
    row = [len(trials), ", ".join(f"{count} x {what}" for what, count in killed.items()), *counts, differing]
    head = ("runs", "killed in them", "samples", "requests", "asked twice", "ours", "other than on one machine")
    return f"{describe_source(record)}\n\n{render_cells(head, [row], left=2)}"
