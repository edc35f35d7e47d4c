"""docs/measured/json/cluster_{trials,golds,newcomer}.json as the tables of docs/measured/running/cluster.md."""

from __future__ import annotations

from collections.abc import Mapping
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
    head = [
        "repository",
        "golds",
        "passed on one machine",
        "passed on nodes",
        "records that differ",
        "nodes ready, s",
        "one machine, s",
        "nodes, s",
        "overhead",
    ]
    rows = [
        [
            repo["repo"],
            *(str(repo[key]) for key in ("golds", "passed_local", "passed_ray")),
            str(len(repo["differing"])),
            *(f"{repo[key]:.0f}" for key in ("ready_s", "local_s", "ray_s")),
            f"{100 * repo['overhead']:+.1f} %",
        ]
        for repo in result["repositories"]
    ]
    sums = [sum(repo[key] for repo in result["repositories"]) for key in ("golds", "passed_local", "passed_ray")]
    times = [sum(repo[key] for repo in result["repositories"]) for key in ("ready_s", "local_s", "ray_s")]
    differing = sum(len(repo["differing"]) for repo in result["repositories"])
    together = [*map(str, sums), str(differing), *(f"{s:.0f}" for s in times), f"{100 * result['overhead']:+.1f} %"]
    return table(head, [*rows, ["together", *together]])


def newcomer(result: Result) -> str:
    """A row for the first verdict and one for the second."""
    head = ["cache", "verdict after, s", "whole command, s", "CPU, s"]
    rows = [
        [name, *(f"{result[key][what]:.0f}" for what in ("verdict_s", "whole_s", "cpu_s"))]
        for key, name in (("empty", "empty"), ("warm", "of the first"))
    ]
    told = (
        f"{result['repo']}, {result['suites']} measured suites; the store holds {result['store_mb']} MiB, the cache"
        f" afterwards {result['cache_mb']}. Load of the machine: {result['load']}."
    )
    return f"{table(head, rows, 1)}\n\n{told}"
