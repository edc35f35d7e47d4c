"""The small inputs of tests/data/foreign, each with its right value: its README files say what the keys mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "foreign"


def list_cases(*features: str) -> list[tuple[Path, dict[str, Any]]]:
    """Cases of both sets: the folder that a case's paths start from, and what cases.json says of it."""
    folders = (FOLDER, FOLDER / "wider")
    read = [(folder, case) for folder in folders for case in json.loads((folder / "cases.json").read_text())]
    return [(folder, case) for folder, case in read if case["feature"] in features]
