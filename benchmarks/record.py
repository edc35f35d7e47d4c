"""Run a benchmark and keep its JSON with the day, the machine, the commit and the command; read what was kept.

    python -m benchmarks.record benchmarks/records/retrieval.json -- graft index eval --repos redis --json
    python -m benchmarks.record benchmarks/records/million.json --text -- python -m benchmarks.experiments.million
    python -m benchmarks.record benchmarks/records/retrieval.json --result FILE -- COMMAND...    # FILE is its output

The command prints one JSON value on standard output, or with --text Markdown tables, which are kept as they are. FILE
holds such an output. Exit status 1 when the command fails or doesn't print JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from executor.cache import replace_file

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "benchmarks" / "records"


def load_record(name: str) -> Mapping[str, Any]:
    """The record NAME.json. Raises FileNotFoundError when nothing is recorded yet."""
    found: Mapping[str, Any] = json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def load_result_or_empty(name: str) -> dict[str, Any]:
    """The result of the record NAME.json of packages, which grows with each of them."""
    path = RECORDS / f"{name}.json"
    result: dict[str, Any] = json.loads(path.read_bytes())["result"] if path.is_file() else {"packages": {}}
    return result


def save_result(name: str, command: str, result: Mapping[str, Any]) -> None:
    """Write the record NAME.json of a command that is run now."""
    record = {**describe_run(command), "result": result}
    replace_file(RECORDS / f"{name}.json", (json.dumps(record, indent=1) + "\n").encode())


def describe_source(record: Mapping[str, Any]) -> str:
    """The lines above a table: day, machine, commit and command of its figures."""
    lines = textwrap.wrap(record["command"], 105, break_long_words=False, break_on_hyphens=False)
    command = " \\\n        ".join(lines)
    return f"{record['date']}, {record['machine']}, commit {record['commit']}:\n\n    {command}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--result", type=Path, help="the command's output, where it has run already")
    parser.add_argument("--text", action="store_true", help="the output is Markdown, not JSON")
    parser.add_argument("--date", help="the day of that run; default: today")
    parser.add_argument("--commit", help="the commit of that run; default: the one that is checked out")
    parser.add_argument("command", nargs="+", help="the command, behind --")
    args = parser.parse_args()
    if args.result:
        output = args.result.read_text(encoding="utf-8")
    else:
        ended = subprocess.run(args.command, stdout=subprocess.PIPE, text=True, check=False)
        if ended.returncode:
            # What it printed may say why, and is nowhere else.
            sys.stderr.write(f"{ended.stdout}{shlex.join(args.command)}: status {ended.returncode}\n")
            return 1
        output = ended.stdout
    try:
        result = output.strip() if args.text else json.loads(output)
    except json.JSONDecodeError as error:
        sys.stderr.write(f"the output isn't one JSON value: {error}\n")
        return 1
    record = describe_run(shlex.join(args.command))
    record |= {key: value for key, value in (("date", args.date), ("commit", args.commit)) if value}
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps({**record, "result": result}, indent=1) + "\n", encoding="utf-8")
    return 0


def describe_run(command: str) -> dict[str, str]:
    """The day, the machine and the commit of a command that is run now."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        "commit": describe_commit(),
        "command": command,
    }


def describe_commit() -> str:
    """The commit that is checked out, "-dirty" behind it when files were changed; "unknown" outside a checkout."""
    described = ["git", "describe", "--always", "--dirty", "--abbrev=10"]
    found = subprocess.run(described, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


if __name__ == "__main__":
    sys.exit(main())
