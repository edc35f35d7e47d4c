"""Joins the records of `graft audit forge` into one JSON file, of which `make figures` makes the tables.

python -m benchmarks.executor.verdict.forgery_trials benchmarks/records/forgeries.json \\
    runs/forge/forged.json... [--add]

With `--add` the file's own records stay, but for the pairs of forgery and function that were played again. A reading
of texts (`--unflagged`) of the whole library takes the place of the repository's earlier ones; one of fewer forgeries
is of such as came later, and is added to them.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lab.forgeries.forgery_record import ForgeRecord, PlayedForgery, load_forge_record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("records", type=Path, nargs="+")
    parser.add_argument("--add", action="store_true")
    words = parser.parse_args()
    records = [_shorten_record(load_forge_record(path)) for path in words.records]
    if words.add:
        records = [*_remove_replayed(json.loads(words.out.read_text(encoding="utf-8"))["records"], records), *records]
    words.out.write_text(json.dumps({"records": records}, indent=1) + "\n", encoding="utf-8")


def _shorten_record(record: ForgeRecord) -> dict[str, Any]:
    """The record without texts and times: what was played, on what, and what became of it."""
    return {
        "date": record.date,
        "sandbox": record.sandbox,
        "tasks": record.tasks,
        "forgeries": record.forgeries,
        "pairs": record.pairs,
        "seed": record.seed,
        "by_text": [asdict(found) for found in record.by_text],
        "played": [
            _describe_trial(trial)
            for trial in sorted(record.played, key=lambda t: (t.family, t.forgery, t.repo, t.task_id))
        ],
    }


def _remove_replayed(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The old records without what was played again; none that says nothing then."""
    again = {_make_pair_key(trial) for record in new for trial in record["played"]}
    kept = [{**record, "played": [t for t in record["played"] if _make_pair_key(t) not in again]} for record in old]
    return [record for record in kept if record["played"] or record.get("by_text")]


def _make_pair_key(trial: dict[str, Any]) -> tuple[str, str, str]:
    return trial["forgery"], trial["repository"], trial["function"]


def _describe_trial(trial: PlayedForgery) -> dict[str, Any]:
    return {
        "class": trial.family,
        "forgery": trial.forgery,
        "repository": trial.repo,
        "function": trial.function,
        "catch": trial.catch.value,
        "control": trial.control,
        "flagged": bool(trial.flags),
    }


if __name__ == "__main__":
    main()
