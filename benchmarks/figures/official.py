"""The table of official.json: Graft's official rules beside the peers' own code."""

from __future__ import annotations

import textwrap

from benchmarks.record import describe_source, load_record
from benchmarks.tables import render_cells


def build_official_table() -> str:
    """What was compared with the peers' own code, and what differed: from benchmarks/records/official.json."""
    record = load_record("official")
    found = record["result"]
    parts: dict[str, dict[str, str]] = {}
    for name, counts in found["parts"].items():
        rules, _, what = name.partition(": ")
        parts.setdefault(what, {})[rules] = f"{counts['differing']:,} of {counts['compared']:,}"
    rules = ("yabloco", "yabloco-paper", "mera")
    rows = [[what, *(by_rules.get(name, "-") for name in rules)] for what, by_rules in parts.items()]
    commits = ", ".join(f"{name} at {commit}" for name, commit in found["peers"].items())
    other = len(found["texts that differ between CSV and JSON"])
    facts = (
        f"{found['answers']:,} answers to {found['golds']} functions. The peers: {commits}. The repository's own file"
        f" was at hand for {found['golds with a file']} of them, and {found['files that hold a carriage return']} of"
        f" these hold a carriage return. {other} texts of the CSV differ from the JSON's."
    )
    return "\n\n".join(
        [describe_source(record), render_cells(["differences", *rules], rows), textwrap.fill(facts, 117)]
    )
