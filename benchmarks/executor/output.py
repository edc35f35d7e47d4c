"""The JSON that every benchmark of this folder writes beside its text: tables in docs are made from it."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path


def add_json_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there, too")


def write_json(path: Path | None, results: object) -> None:
    """Write `results`, which may hold dataclasses, as JSON. Nothing is written without a path."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(results, indent=1, default=_plain) + "\n", encoding="utf-8")


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return str(value)
