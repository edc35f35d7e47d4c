"""Write the measured tables of README.md and docs/ from recorded JSON, so that no figure is typed by hand.

    python -m benchmarks.figures            # `make figures`: rewrite every page
    python -m benchmarks.figures --check    # exit status 1 when a page isn't what its JSON gives

A page holds the line `<!-- figures: NAME -->`, a table, and the line `<!-- end of figures -->`. NAME is a key of
TABLES.
The JSON files are the doctor's manifests (executor/data/manifests) and docs/measured/json/*.json, which
`benchmarks.record` writes. The tables of the configuration's keys and of the commands come from the program itself.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.executor.cluster import tables as cluster_tables
from benchmarks.executor.making import holes_table, made_table
from benchmarks.executor.verdict import differential_tables
from benchmarks.index import any_tree_table, twins_table
from benchmarks.markdown import REPOSITORIES, display, ratio, table
from benchmarks.recorded import MEASURED, ROOT, recorded, source_of
from benchmarks.reference import columns, commands, extensions, keys, retrievers, tools
from benchmarks.retrieval.tables import contexts, errors, recall, recall_renamed

MANIFESTS = ROOT / "executor" / "data" / "manifests"
MARKED = re.compile(r"(<!-- figures: (?P<name>[\w-]+) -->\n).*?(<!-- end of figures -->)", re.DOTALL)


# Which tasks are valid: from the doctor's manifests.


def manifests() -> Iterator[tuple[str, Mapping[str, Any], list[Mapping[str, Any]]]]:
    """(repository, manifest, its tasks) in the order of REPOSITORIES."""
    for repository in REPOSITORIES:
        manifest = json.loads((MANIFESTS / f"{repository}.json").read_text(encoding="utf-8"))
        yield repository, manifest, list(manifest["tasks"].values())


def of_health(tasks: Iterable[Mapping[str, Any]], *healths: str) -> list[Mapping[str, Any]]:
    return [task for task in tasks if task["health"] in healths]


def caught(tasks: Sequence[Mapping[str, Any]]) -> str:
    return f"{sum(t['mutants_killed'] for t in tasks)} of {sum(t['mutants'] for t in tasks)}"


def validity() -> str:
    rows = []
    for repository, manifest, tasks in manifests():
        valid = of_health(tasks, "valid")
        tried = [task for task in tasks if task["gold_runs"]]
        golds = sum(task["gold_passed"] == task["gold_runs"] for task in tried)
        rows.append(
            [
                display(repository),
                str(len(tasks)),
                str(len(valid)),
                str(len(of_health(tasks, "weak"))),
                str(len(of_health(tasks, "flaky", "broken"))),
                f"{golds} of {len(tried)}",
                caught(valid),
                manifest["date"],
            ]
        )
    head = [
        "repository",
        "tasks",
        "valid",
        "weak",
        "flaky or broken",
        "golds that pass each time",
        "mutants caught, valid tasks",
        "date",
    ]
    return table(head, rows)


def doctor() -> str:
    rows = []
    for repository, manifest, tasks in manifests():
        valid = of_health(tasks, "valid")
        scores = [task["kill_score"] for task in valid if task["kill_score"] is not None]
        rows.append(
            [
                display(repository),
                caught(tasks),
                ratio(fmean(scores) if scores else None),
                str(sum(task["forgeries"] for task in tasks)),
                str(sum(len(task["forgeries_passed"]) for task in tasks)),
                str(sum(len(task["forgeries_passed"]) for task in valid)),
                f"{sum(task['cost_s'] for task in valid):.0f}",
                str(sum(not task["complete"] for task in tasks)),
                manifest["machine"],
                manifest["sandbox"],
            ]
        )
    head = [
        "repository",
        "mutants caught, all tasks",
        "mean kill score, valid tasks",
        "forgeries tried",
        "passed",
        "passed on a valid task",
        "suites of the valid tasks, s",
        "cut off by the budget",
        "machine",
        "sandbox",
    ]
    return table(head, rows)


def weak() -> str:
    rows = []
    for repository, _, tasks in manifests():
        for task in sorted(of_health(tasks, "weak"), key=lambda task: task["name"]):
            reason = task["reason"].replace("|", "\\|")
            rows.append([display(repository), f"`{task['name']}`", f"`{task['path']}`", reason])
    return table(["repository", "function", "file", "reason"], rows, left=4)


# Benchmarks that print Markdown tables: their output as it was recorded.


def benchmark(name: str) -> str:
    """The tables of docs/measured/json/NAME.json, which `benchmarks.record --text` wrote."""
    record = recorded(name)
    if record is None:
        return f"Not recorded yet: [docs/measured](../README.md) has the command for `{name}.json`."
    # A benchmark prints one table right below another; Markdown needs an empty line between them.
    tables = re.sub(r"\|\n(?=\|[^\n]*\|\n\| *-{3})", "|\n\n", record["result"])
    return f"{source_of(record)}\n\n{tables}"


def any_tree() -> str:
    """The table of docs/measured/json/any_tree.json, which `benchmarks.index.any_tree` writes."""
    path = MEASURED / "any_tree.json"
    return (
        any_tree_table.table(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else "Not recorded yet."
    )


# What became of the forgeries: from docs/measured/json/forgeries.json.


def controls() -> str:
    """For each valid task and each suite that judges it: how many sabotages its control run draws from."""
    rows = []
    for repository, manifest, tasks in manifests():
        known = [
            sum(task["task_id"] in (*made["tasks"], *made["others"]) for made in manifest["sabotages"].get(suite, ()))
            for task in of_health(tasks, "valid")
            for suite in task["suites"]
        ]
        if any(known):
            counts = (len(known), sum(count >= 2 for count in known), known.count(1), known.count(0))
            rows.append([display(repository), *map(str, counts)])
    return table(["repository", "task and suite", "two or more", "one", "none"], rows)


CATCHES = ("tests", "build", "tree", "time", "control", "to review", "infra", "passed, flagged", "passed, unflagged")


def forged() -> list[Mapping[str, Any]]:
    records = json.loads((MEASURED / "forgeries.json").read_text(encoding="utf-8"))["records"]
    return [trial for record in records for trial in record["played"]]


def forgeries(key: str, head: str) -> str:
    trials = forged()
    rows = []
    for name in sorted({trial[key] for trial in trials}):
        own = [trial for trial in trials if trial[key] == name]
        tally = [str(sum(trial["catch"] == catch for trial in own)) for catch in CATCHES]
        rows.append([display(name), str(len({trial["forgery"] for trial in own})), str(len(own)), *tally])
    total = [str(sum(trial["catch"] == catch for trial in trials)) for catch in CATCHES]
    rows.append(["all", str(len({trial["forgery"] for trial in trials})), str(len(trials)), *total])
    return table([head, "forgeries", "trials", *CATCHES], rows)


def forgeries_played() -> str:
    """How much of all was played, for each record."""
    records = json.loads((MEASURED / "forgeries.json").read_text(encoding="utf-8"))["records"]
    head = ["date", "sandbox", "repositories", "valid tasks drawn from", "forgeries", "pairs", "played"]
    rows = [
        [
            record["date"],
            record["sandbox"],
            ", ".join(sorted({display(name) for name in _repositories_of(record)})),
            *(str(record[key]) for key in ("tasks", "forgeries", "pairs")),
            str(len(record["played"])),
        ]
        for record in records
    ]
    return table(head, rows, left=3)


def _repositories_of(record: Mapping[str, Any]) -> set[str]:
    """What was played or, where nothing had to be, read."""
    return {trial["repository"] for trial in record["played"]} or {text["repo"] for text in record["by_text"]}


def readings(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """For each repository the records that read its texts: the last one of the whole library, and those of fewer
    forgeries after it, which came later."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for record in records:
        for text in record.get("by_text", ()):
            before = found.get(text["repo"], [])
            is_further = bool(before) and record["forgeries"] < before[0]["forgeries"]
            found[text["repo"]] = [*before, record] if is_further else [record]
    return found


def forgeries_by_text() -> str:
    """Of each repository's pairs those that a flag marks by their text alone, and what became of the others."""
    records = json.loads((MEASURED / "forgeries.json").read_text(encoding="utf-8"))["records"]
    rows = []
    for repository, read in readings(records).items():
        found = [text for record in read for text in record["by_text"] if text["repo"] == repository]
        own = [trial for record in read for trial in record["played"] if trial["repository"] == repository]
        passed = sum(trial["catch"].startswith("passed") for trial in own)
        pairs, flagged = (sum(text[key] for text in found) for key in ("pairs", "flagged"))
        counts = (max(text["tasks"] for text in found), pairs, flagged, pairs - flagged, len(own), passed)
        rows.append([read[-1]["date"], display(repository), *map(str, counts)])
    if rows:
        rows.append(["", "all", *(str(sum(int(row[place]) for row in rows)) for place in range(2, 8))])
    head = [
        "date",
        "repository",
        "valid tasks",
        "pairs",
        "flagged by their text",
        "others",
        "of these played",
        "passed",
    ]
    return table(head, rows, left=2)


def forgeries_passed() -> str:
    """Each forgery that passed, with the tasks."""
    found: dict[tuple[str, str], list[str]] = {}
    for trial in forged():
        if trial["catch"].startswith("passed"):
            name = f"{trial['class']}/{trial['forgery']}"
            found.setdefault((name, trial["catch"]), []).append(f"`{trial['function']}`")
    rows = [[name, catch, ", ".join(sorted(tasks))] for (name, catch), tasks in sorted(found.items())]
    return table(["forgery", "how", "functions"], rows, left=3)


def twins(make: Callable[[Mapping[str, Any]], str]) -> str:
    """A table of docs/measured/json/twins.json."""
    record = recorded("twins")
    return make(record["result"]) if record else "Not recorded yet."


def made(name: str, make: Callable[[Mapping[str, Any]], str]) -> str:
    """A table of a drawing of packages."""
    record = recorded(name)
    return make(record["result"]) if record else "Not recorded yet."


def holes(make: Callable[[Mapping[str, Any]], str]) -> str:
    """A table of docs/measured/json/holes.json."""
    record = recorded("holes")
    return f"{source_of(record)}\n\n{make(record['result'])}" if record else "Not recorded yet."


def cluster(name: str, make: Callable[[Mapping[str, Any]], str]) -> str:
    """A table of docs/measured/json/cluster_NAME.json."""
    record = recorded(f"cluster_{name}")
    return f"{source_of(record)}\n\n{make(record['result'])}" if record else "Not recorded yet."


def official() -> str:
    """What was compared with the peers' own code, and what differed: from docs/measured/json/official.json."""
    record = recorded("official")
    if record is None:
        return "Not recorded yet."
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
    return "\n\n".join([source_of(record), table(["differences", *rules], rows), textwrap.fill(facts, 117)])


TABLES: Mapping[str, Callable[[], str]] = {
    "validity": validity,
    "doctor": doctor,
    "weak": weak,
    "differential": differential_tables.caught,
    "differential-calls": differential_tables.calls,
    "differential-false-pass": differential_tables.false_pass,
    "forgeries": partial(forgeries, "class", "class"),
    "forgeries-by-repository": partial(forgeries, "repository", "repository"),
    "forgeries-passed": forgeries_passed,
    "controls": controls,
    "forgeries-by-text": forgeries_by_text,
    "forgeries-played": forgeries_played,
    "recall": recall,
    "contexts": contexts,
    "retrieval-errors": errors,
    "recall-renamed": recall_renamed,
    "any-tree": any_tree,
    "coverage": partial(benchmark, "coverage"),
    "weight": partial(benchmark, "weight"),
    "lines": partial(benchmark, "lines"),
    "lookups": partial(benchmark, "lookups"),
    "lookups-before": partial(benchmark, "lookups_before"),
    "lookups-renamed": partial(benchmark, "lookups_renamed"),
    "lookups-renamed-redis": partial(benchmark, "lookups_renamed_redis"),
    "intervals": partial(benchmark, "intervals"),
    "right": partial(benchmark, "right"),
    "fuzz": partial(benchmark, "fuzz"),
    "golds-cost": partial(benchmark, "golds_cost"),
    "page": partial(benchmark, "page"),
    "reading": partial(benchmark, "reading"),
    "million": partial(benchmark, "million"),
    "cluster-simulation": partial(benchmark, "cluster_simulation"),
    "concurrent-calls": partial(benchmark, "concurrent_calls"),
    "variants": partial(benchmark, "variants"),
    "variants-doctor": partial(benchmark, "variants_doctor"),
    "wrong": partial(benchmark, "wrong"),
    "training-set": partial(benchmark, "training_set"),
    "signals": partial(benchmark, "signals"),
    "generic-ranker": partial(benchmark, "generic_ranker"),
    "rank-files": partial(benchmark, "rank_files"),
    "retrieval-speed": partial(benchmark, "retrieval_speed"),
    "named": partial(benchmark, "named"),
    "twins-rules": partial(twins, twins_table.rules),
    "twins-labels": partial(twins, twins_table.labels),
    "twins-hidden": partial(twins, twins_table.hidden),
    "twins-short": partial(twins, twins_table.short),
    "made": partial(made, "made", made_table.made),
    "made-passed-over": partial(made, "made", made_table.passed_over),
    "made-shares": partial(made, "made", made_table.shares),
    "made-documented-counts": partial(made, "made_documented", made_table.counts),
    "made-documented": partial(made, "made_documented", made_table.made),
    "made-documented-passed-over": partial(made, "made_documented", made_table.passed_over),
    "made-tested-counts": partial(made, "made_tested", made_table.counts),
    "made-tested": partial(made, "made_tested", made_table.made),
    "made-tested-passed-over": partial(made, "made_tested", made_table.passed_over),
    "made-listed-counts": partial(made, "made_listed", made_table.counts),
    "made-listed": partial(made, "made_listed", made_table.made),
    "made-listed-passed-over": partial(made, "made_listed", made_table.passed_over),
    "holes": partial(holes, holes_table.counts),
    "holes-tasks": partial(holes, holes_table.tasks),
    "cluster-trials": partial(cluster, "trials", cluster_tables.trials),
    "cluster-golds": partial(cluster, "golds", cluster_tables.golds),
    "cluster-golds-idle": partial(cluster, "golds_idle", cluster_tables.golds),
    "cluster-newcomer": partial(cluster, "newcomer", cluster_tables.newcomer),
    "official": official,
    "extensions": extensions,
    "keys": keys,
    "commands": commands,
    "columns": columns,
    "tools": tools,
    "retrievers": retrievers,
}


def filled(text: str) -> str:
    """The page with every marked table made anew. Raises KeyError for a name that TABLES lacks."""
    return MARKED.sub(lambda found: f"{found[1]}{TABLES[found['name']]()}\n{found[3]}", text)


def pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 when a page is stale")
    check = parser.parse_args().check
    stale = 0
    for page in pages():
        text = page.read_text(encoding="utf-8")
        new = filled(text)
        if new != text:
            stale += 1
            sys.stdout.write(f"{page.relative_to(ROOT)}: {'stale' if check else 'written'}\n")
            if not check:
                page.write_text(new, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
