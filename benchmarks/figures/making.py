"""The tables of data sets that Graft makes: from packages, of several functions a task, under other names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from statistics import median
from typing import Any

from benchmarks.figures.suite import collect_findings, count_lines, read_variants
from benchmarks.figures.validity import RECIPES, count_passed_forgeries, count_passed_plain_stubs, count_steady_golds
from benchmarks.figures.wrong_bodies import write_pass_rate
from benchmarks.record import describe_source, load_record
from benchmarks.tables import REPOSITORIES, Column, render_cells, render_table
from executor.tasks.made_datasets import find_differently_named_made_datasets
from executor.tasks.suite_members import load_task_suite

ENOUGH_TASKS = 20

Facts = Mapping[str, Any]


def build_making_table() -> str:
    """How many drawn packages became a data set of enough tasks, by their build system."""
    record = load_record("made_tested")
    packages = list(record["result"]["packages"].values())
    systems = sorted({facts.get("system", "none seen") for facts in packages})
    groups = {name: [facts for facts in packages if facts.get("system", "none seen") == name] for name in systems}
    rows = [(name, *count_packages(mine)) for name, mine in [*groups.items(), ("all", packages)]]
    heads = ("build system", "packages", f"{ENOUGH_TASKS} tasks or more", "fewer", "golds passed")
    table = render_cells((*heads, "stubs and forgeries that passed", "minutes, median"), rows)
    return f"{describe_source(record)}\n\n{table}"


def count_packages(packages: list[Facts]) -> list[object]:
    made = [facts for facts in packages if facts.get("tasks")]
    whole = [facts for facts in made if facts["tasks"] >= ENOUGH_TASKS and facts["gold_passed"] == facts["gold_runs"]]
    cheats = sum(facts.get("forgeries_passed", 0) + facts.get("plain_stubs_passed", 0) for facts in packages)
    golds = f"{sum(facts['gold_passed'] for facts in made)} of {sum(facts['gold_runs'] for facts in made)}"
    minutes = f"{median(facts['minutes'] for facts in packages):.0f}"
    return [len(packages), len(whole), len(made) - len(whole), golds, cheats, minutes]


def build_hard_table() -> str:
    """A row for each hard data set and number of functions, of what was proved when it was made."""
    rows = [row for repository in REPOSITORIES for row in count_hard_tasks(repository)]
    columns = (
        Column("data set", "data set"),
        Column("functions", "functions"),
        Column("tasks", lambda row: len(row["health"])),
        Column("lines, median", lambda row: median(row["lines"]), ".0f"),
        Column("golds passed", lambda row: shorten_count(count_steady_golds(row["health"]))),
        Column("single stubs passed", lambda row: shorten_count(count_passed_plain_stubs(row["health"]))),
        Column("cheats passed", lambda row: count_passed_forgeries(row["health"])),
        Column("with plus tests", lambda row: len(row["plus"])),
        Column(
            "wrong bodies passed the suites",
            lambda row: shorten_count(write_pass_rate(row["wrong"], held=None)[0]) if row["wrong"] else "untried",
        ),
        Column(
            "and the plus tests",
            lambda row: shorten_count(write_pass_rate(row["both"], held=None)[0]) if row["wrong"] else "-",
        ),
        Column("rate (95 %)", lambda row: write_pass_rate(row["both"], held=None)[1]),
    )
    return render_table(columns, rows)


def shorten_count(count: str) -> str:
    """`3 of 8` as `3/8`: the table of hard tasks is wide."""
    return count.replace(" of ", "/")


def count_hard_tasks(repository: str) -> Iterator[dict[str, Any]]:
    """For each number of functions, and for all, the tasks of the repository's hard data set, as the doctor found
    them, and the wrong bodies of each that were judged."""
    for name in find_differently_named_made_datasets(repository):
        places = json.loads((RECIPES / name / "places.json").read_bytes())["tasks"]
        sizes = [1 + len(place["further"]) for place in places]
        for size in (*sorted(set(sizes)), "all"):
            mine = [place for place, count in zip(places, sizes, strict=True) if size in (count, "all")]
            lines = [count_lines(place) for place in mine]
            findings = collect_findings(repository, [place["id"] for place in mine])
            yield {"data set": name, "functions": size, "lines": lines, **findings}


def build_variants_table() -> str:
    """A row for each repository that isn't of graft-suite: its variants, and what was shown of the one with the fewest
    names renamed."""
    record, members = load_record("variants"), {member.name for member in load_task_suite().members}
    variants = [variant for variant in read_variants() if variant["repository"] not in members]
    rows = []
    for repository, group in groupby(variants, lambda variant: variant["repository"]):
        mine = list(group)
        proved = sum(variant["proved"] == "yes" for variant in mine)
        least = min(mine, key=lambda variant: float(variant["of the golds' names"].split()[0]))
        rows.append({**least, "repository": repository, "variants": f"{proved} of {len(mine)}"})
    heads = ("renamed", "stay", "of the golds' names", "suites", "tests", "golds", "stubs", "doctor's")
    columns = [Column("repository", "repository"), Column("variants proved", "variants")]
    table_text = render_table([*columns, *(Column(head, head) for head in heads)], rows)
    return f"{describe_source(record)}\n\n{table_text}"
