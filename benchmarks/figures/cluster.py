"""benchmarks/records/cluster_{trials,golds,newcomer}.json as the tables of docs/measured/cluster.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.tables import render_cells

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
    return render_cells(head, rows, 2)


def golds(result: Result) -> str:
    """A row for each repository, and one of all together. Older records have timed and compared all."""
    head = [
        "repository",
        "golds on nodes",
        "passed",
        "compared",
        "records that differ",
        "on both, timed",
        "passed on one machine",
        "nodes ready, s",
        "one machine, s",
        "nodes, s",
        "overhead",
    ]
    repos = [{"timed": repo["golds"], "compared": repo["golds"], **repo} for repo in result["repositories"]]
    for repo in repos:
        repo["differ"] = len(repo["differing"])
    keys = ("golds", "passed_ray", "compared", "differ", "timed", "passed_local", "ready_s", "local_s", "ray_s")
    together = {"repo": "together", **{key: sum(repo[key] for repo in repos) for key in keys}}
    rows = [
        [repo["repo"], *(f"{repo[key]:.0f}" for key in keys), f"{100 * (repo['ray_s'] / repo['local_s'] - 1):+.1f} %"]
        for repo in [*repos, together]
    ]
    return render_cells(head, rows)


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
    return f"{render_cells(head, rows, 1)}\n\n{told}"
