"""The table of Harbor's way: what was tried with exported tasks, and what their verifier said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.record import describe_source, load_record
from benchmarks.tables import render_cells

REPOSITORIES = ("example", "redis")
SHOWN_OF_AGENTS = "reward right, imported"

Facts = Mapping[str, Any]


def build_agents_table() -> str:
    """A row for each question, a column for each repository; "-" where it wasn't asked."""
    names = ("trials", "attacks", "answers", "forgeries", "scan", "agents")
    records = [load_record(f"harbor_{name}") for name in names]
    trials, attacks, answers, forgeries, scan, agents = (record["result"] for record in records)
    trials, answers = [*trials, *attacks], [*answers, *forgeries]
    columns = [
        dict([*list_trial_cells(trials, repo), *list_answer_cells(answers, repo), *list_scan_cells(scan, repo)])
        for repo in REPOSITORIES
    ]
    columns[0] |= {f"{row['agent']}, scripted model: {SHOWN_OF_AGENTS}": count_right_trials(row) for row in agents}
    heads = list(dict.fromkeys(head for column in columns for head in column))
    rows = [[head, *(column.get(head, "-") for column in columns)] for head in heads]
    sources = "\n\n".join(describe_source(record) for record in records)
    return f"{sources}\n\n{render_cells(('what', *REPOSITORIES), rows)}"


def count_right_trials(row: Facts) -> str:
    """Trials of an agent whose reward is right and which `graft import harbor` read back."""
    return f"{min(row['rewards right'], row['imported'])} of {row['trials']}"


def list_trial_cells(rows: list[Facts], repo: str) -> Iterator[tuple[str, object]]:
    """Rewards of each agent, and how long Harbor waits."""
    wanted = {"oracle": "1", "nop": "0", "attacks": "0"}
    for row in (row for row in rows if row["repository"] == repo):
        yield f"{row['agent']}: reward {wanted[row['agent']]}", f"{row['as wanted']} of {row['trials']}"
        if row["errors"]:
            yield f"{row['agent']}: ended as an error, without a reward", row["errors"]
        if row["agent"] == "oracle":
            yield "environment ready after, s", row["ready_s"]
            yield "verdict of a true body after, s", row["verifier_s"]
        if "own_kb" in row:
            yield "agents' images, kB each beside the shared tree", row["own_kb"]


def list_answer_cells(rows: list[Facts], repo: str) -> Iterator[tuple[str, object]]:
    """Verdicts beside those of `graft grade`, and forgeries."""
    for row in (row for row in rows if row["repository"] == repo):
        if row.get("answers"):
            yield "verdicts equal to `graft grade`'s", f"{row['answers'] - len(row['different'])} of {row['answers']}"
            yield "CPU-s a verdict, in the verifier", row.get("verifier_cpu_s", "-")
            yield "CPU-s a verdict, by `graft grade`", row.get("grade_cpu_s", "-")
        if row.get("forgeries"):
            yield "forgeries rewarded", f"{len(row['forgeries rewarded'])} of {row['forgeries']}"


def list_scan_cells(rows: list[Facts], repo: str) -> Iterator[tuple[str, object]]:
    """Whether a hidden body was found in an agent's image."""
    for row in (row for row in rows if row["repository"] == repo):
        tasks = len({task for task, _, _ in row["hits"]})
        yield "true bodies in agents' images", f"{tasks} of {row['tasks']}"
        yield "found in the unhidden tree", f"{row['found in the unhidden tree']} of {row['tasks']}"
