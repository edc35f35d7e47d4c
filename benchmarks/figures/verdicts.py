"""The tables of what a verdict is worth: comparison with the gold, forgeries, right answers, the official rules."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.record import describe_source, load_record
from benchmarks.tables import REPOSITORIES, Column, read_tables, render_cells, render_table, write_repository

# Older sums stand for the repositories that the newer record lacks.
DIFFERENTIAL = ("differential_sample", "differential")
CATCHES = ("tests", "build", "tree", "time", "control", "to review", "infra", "passed")
# Of simulated comparisons these show the range: few tasks and many, one sample each and five.
SHOWN_SAMPLES = ("1", "10")
SHOWN_SIDES = ("1, 1", "5, 5")
SHOWN_COMMON = "0.9"

Facts = Mapping[str, Any]


def read_differential_sums() -> Iterator[tuple[str, Facts]]:
    """(repository, its newest sums) in the order of REPOSITORIES."""
    records = [load_record(name)["result"] for name in DIFFERENTIAL]
    for repository in REPOSITORIES:
        sums = next((record[repository] for record in records if repository in record), None)
        if sums is not None:
            yield write_repository(repository), sums


def build_differential_table() -> str:
    """Which bodies differ from the gold at the suites' calls, and which only on changed states."""
    columns = (
        Column("repository", 0),
        Column("tasks compared", lambda row: f"{row[1]['compared']} of {row[1]['tasks']}"),
        Column("right bodies accused", count_accused_bodies),
        Column("wrong bodies caught", lambda row: write_share(row[1]["wrong"], "differ")),
        Column("with changed states", lambda row: write_share(row[1]["wrong"], "differ or broke")),
        Column("held-back half", lambda row: write_share(row[1]["held"], "differ")),
        Column("with changed states", lambda row: write_share(row[1]["held"], "differ or broke")),
        Column("CPU-s a body", lambda row: row[1].get("cpu_s")),
    )
    sources = "\n\n".join(describe_source(load_record(name)) for name in DIFFERENTIAL)
    return f"{sources}\n\n{render_table(columns, read_differential_sums())}"


def count_accused_bodies(row: tuple[str, Facts]) -> str:
    sums, same = row[1], row[1]["equivalents"]
    return f"{sums['golds accused'] + same['differ']} of {sums['compared'] + same['bodies']}"


def write_share(counts: Facts, key: str) -> str:
    return f"{counts[key]} of {counts['bodies']}"


def build_differential_pass_table() -> str:
    """How many held-back wrong bodies pass the suites and plus tests, and how many the comparison leaves."""
    ways = {
        "suites": "suites",
        "+ differential same": "suites + differential",
        "suites + plus": "plus",
        "+ differential same, too": "plus + differential",
    }
    rows = [
        (repository, found["tasks"], *(write_pass_rate(found[way]) for way in ways.values()))
        for repository, sums in read_differential_sums()
        if (found := sums.get("false pass")) and found["tasks"]
    ]
    return render_cells(("repository", "tasks", *ways), rows)


def write_pass_rate(found: Facts) -> str:
    return f"{found['passed']} of {found['bodies']}, {found['rate']}"


def build_forgeries_table() -> str:
    """For each class of forgeries: how many were played, and what caught them."""
    trials = [trial for record in load_record("forgeries")["records"] for trial in record["played"]]
    groups = {name: [t for t in trials if t["class"] == name] for name in sorted({t["class"] for t in trials})}
    # A failure of ours has a column where there was one.
    catches = [word for word in CATCHES if word != "infra" or any(t["catch"].startswith(word) for t in trials)]
    rows = []
    for name, mine in [*groups.items(), ("all", trials)]:
        caught = [trial["catch"].partition(",")[0] for trial in mine]
        rows.append((name, len({trial["forgery"] for trial in mine}), len(mine), *map(caught.count, catches)))
    return render_cells(("class", "forgeries", "trials", *catches), rows)


def build_forgery_texts_table() -> str:
    """Of each repository's pairs those that a flag marks by their text alone, and what became of the others."""
    rows: list[list[Any]] = []
    for repository, records in select_readings(load_record("forgeries")["records"]).items():
        texts = [text for record in records for text in record["by_text"] if text["repo"] == repository]
        trials = [trial for record in records for trial in record["played"] if trial["repository"] == repository]
        pairs, flagged = (sum(text[key] for text in texts) for key in ("pairs", "flagged"))
        passed = sum(trial["catch"].startswith("passed") for trial in trials)
        tasks = max(text["tasks"] for text in texts)
        row = [records[-1]["date"], write_repository(repository), tasks, pairs, flagged, pairs - flagged]
        rows.append([*row, len(trials), passed])
    rows.append(["", "all", *(sum(row[place] for row in rows) for place in range(2, 8))])
    heads = ("date", "repository", "valid tasks", "pairs", "flagged by text", "others", "of these played", "passed")
    return render_cells(heads, rows, left=2)


def select_readings(records: Sequence[Facts]) -> dict[str, list[Facts]]:
    """For each repository the records that read its texts: the last one of the whole library, and those of fewer
    forgeries after it, which came later."""
    found: dict[str, list[Facts]] = {}
    for record in records:
        for text in record.get("by_text", ()):
            before = found.get(text["repo"], [])
            is_further = bool(before) and record["forgeries"] < before[0]["forgeries"]
            found[text["repo"]] = [*before, record] if is_further else [record]
    return found


def build_right_table() -> str:
    """The last run of each kind of right answers under each sandbox."""
    record = load_record("right")
    table = read_tables(record["result"])[0]
    last = {(row[0], row[3]): row for row in table.rows}
    kept = [place for place, head in enumerate(table.head) if head != "commit"]
    head, *rows = ([row[place] for place in kept] for row in (table.head, *last.values()))
    return f"{describe_source(record)}\n\n{render_cells(head, rows, left=3)}"


def build_intervals_table() -> str:
    """How often a report's interval holds the truth, by tasks, samples and shape."""
    record = load_record("intervals")
    table = read_tables(record["result"])[0]
    rows = [row for row in table.rows if row[1] in SHOWN_SAMPLES]
    return f"{describe_source(record)}\n\n{render_cells(table.head, rows, left=2)}"


def build_paired_table() -> str:
    """The same of two sides that are compared, where they share most of a task's difficulty."""
    table = read_tables(load_record("intervals")["result"])[1]
    rows = [row for row in table.rows if row[1] in SHOWN_SIDES and row[2] == SHOWN_COMMON]
    shown = [place for place, head in enumerate(table.head) if head != "bootstrap"]
    heads, *cells = ([row[place] for place in shown] for row in (table.head, *rows))
    return render_cells(heads, cells, left=2)


def build_official_table() -> str:
    """What was compared with the peers' own code, and what differed."""
    record = load_record("official")
    found = record["result"]
    parts: dict[str, dict[str, str]] = {}
    for name, counts in found["parts"].items():
        rules, _, what = name.partition(": ")
        parts.setdefault(what, {})[rules] = f"{counts['differing']:,} of {counts['compared']:,}"
    columns = [Column(name, name) for name in ("differences", "yabloco", "yabloco-paper", "mera")]
    table = render_table(columns, [{"differences": what, **by_rules} for what, by_rules in parts.items()])
    commits = ", ".join(f"{name} at {commit}" for name, commit in found["peers"].items())
    other = len(found["texts that differ between CSV and JSON"])
    facts = (
        f"{found['answers']:,} answers to {found['golds']} functions. The peers: {commits}. The repository's own file"
        f" was at hand for {found['golds with a file']} of them, and {found['files that hold a carriage return']} of"
        f" these hold a carriage return. {other} texts of the CSV differ from the JSON's."
    )
    return "\n\n".join([describe_source(record), table, textwrap.fill(facts, 117)])
