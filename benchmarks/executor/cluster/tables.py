"""docs/measured/json/cluster_trials.json and cluster_golds.json as the tables of docs/measured/running/cluster.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.markdown import table

Result = Mapping[str, Any]


def trials(result: Result) -> str:
    """A row for each run in which something was killed."""
    head = ["run", "killed", "samples", "requests", "asked twice", "ours", "other than on one machine", "s"]
    rows = [
        [
            str(trial["number"] + 1),
            ", ".join(trial["killed"]) or "-",
            *(str(trial[key]) for key in ("samples", "requests", "repeated", "ours")),
            str(len(trial["differing"])),
            f"{trial['seconds']:.0f}",
        ]
        for trial in result["trials"]
    ]
    return table(head, rows, 2)


def golds(result: Result) -> str:
    """A row for each repository, and one of all together."""
    head = ["repository", "golds", "passed on one machine", "passed on nodes", "records that differ", "nodes ready, s"]
    head += ["one machine, s", "nodes, s", "overhead", "one machine, CPU-s", "nodes, CPU-s", "overhead in CPU"]
    every = result["repositories"]
    rows = [_golds_row(repo["repo"], [repo]) for repo in every]
    return table(head, [*rows, _golds_row("together", every)])


def _golds_row(name: str, repos: Sequence[Mapping[str, Any]]) -> list[str]:
    def total(key: str) -> float:
        return sum(repo[key] for repo in repos)

    counts = [str(total(key)) for key in ("golds", "passed_local", "passed_ray")]
    differing = str(sum(len(repo["differing"]) for repo in repos))
    row = [name, *counts, differing, f"{total('ready_s'):.0f}"]
    for local, ray in (("local_s", "ray_s"), ("local_cpu_s", "ray_cpu_s")):
        row += [f"{total(local):.0f}", f"{total(ray):.0f}", f"{100 * (total(ray) / total(local) - 1):+.1f} %"]
    return row
