"""What `benchmarks.record` wrote, for those who make tables of it."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MEASURED = ROOT / "docs" / "measured" / "json"


def recorded(name: str) -> Mapping[str, Any] | None:
    """What `benchmarks.record` wrote to docs/measured/json/NAME.json; None when nothing is recorded yet."""
    path = MEASURED / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def source_of(record: Mapping[str, Any]) -> str:
    """The line below a table: where its figures come from."""
    lines = textwrap.wrap(record["command"], 105, break_long_words=False, break_on_hyphens=False)
    command = " \\\n        ".join(lines)
    return f"{record['date']}, {record['machine']}, commit {record['commit']}:\n\n    {command}"
