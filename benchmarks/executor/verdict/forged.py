"""Joins the records of `graft doctor --forge` into one JSON file, of which `make figures` makes the tables.

python -m benchmarks.executor.verdict.forged docs/measured/json/forgeries.json runs/forge/forged.json...
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from executor.doctor.forger.record import ForgeRecord, Played, load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("records", type=Path, nargs="+")
    words = parser.parse_args()
    records = [_short(load(path)) for path in words.records]
    words.out.write_text(json.dumps({"records": records}, indent=1) + "\n", encoding="utf-8")


def _short(record: ForgeRecord) -> dict[str, object]:
    """The record without texts and times: what was played, on what, and what became of it."""
    return {
        "date": record.date,
        "sandbox": record.sandbox,
        "tasks": record.tasks,
        "forgeries": record.forgeries,
        "pairs": record.pairs,
        "seed": record.seed,
        "played": [
            _row(trial) for trial in sorted(record.played, key=lambda t: (t.family, t.forgery, t.repo, t.task_id))
        ],
    }


def _row(trial: Played) -> dict[str, object]:
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
