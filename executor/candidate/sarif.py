"""Reads messages from SARIF 2.1.0, which gcc from 13 on and clang from 15 on print."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import unquote, urlsplit

# A compiler prints one document, or a few. Each failed try counts the lines before it for its error.
MOST_STARTS = 200
# No file has as many lines, and no line as many columns.
MOST_LINES = 10**9


@dataclass(frozen=True, slots=True)
class SarifMessage:
    """`level` as SARIF has it (error, warning, note); `option` "" where the compiler doesn't name it."""

    level: str
    text: str
    file: str
    line: int
    column: int
    option: str


def read_sarif_messages(text: str) -> Iterator[list[SarifMessage]]:
    """Each result with its notes, in the compiler's order. Text around the JSON is ignored, and nothing is raised.

    clang prints notes as results of their own, after the result that they belong to. gcc prints relatedLocations.
    """
    decoder = json.JSONDecoder()
    for match in islice(re.finditer(r'^\{"', text, re.MULTILINE), MOST_STARTS):
        try:
            value, _ = decoder.raw_decode(text, match.start())
        except ValueError:
            continue
        except RecursionError:
            return
        group: list[SarifMessage] = []
        for result in _find_results(value):
            parsed = _read_result_message(result, str(result.get("level", "error")))
            if parsed.level == "note" and group:
                group.append(parsed)
                continue
            if group:
                yield group
            related = read_objects(result.get("relatedLocations"))
            notes = (_make_located_message(item, item.get("message"), "note", "") for item in related)
            group = [parsed, *(note for note in notes if note.text)]
        if group:
            yield group


def _find_results(value: Any) -> list[dict[str, Any]]:
    runs = value.get("runs") if isinstance(value, dict) else None
    if not isinstance(runs, list):
        return []
    return [
        item
        for run in runs
        if isinstance(run, dict) and isinstance(run.get("results"), list)
        for item in run["results"]
        if isinstance(item, dict)
    ]


def _read_result_message(result: dict[str, Any], level: str) -> SarifMessage:
    rule = str(result.get("ruleId", ""))
    locations = read_objects(result.get("locations")) or [{}]
    # clang lists the ranges first and the caret last.
    return _make_located_message(locations[-1], result.get("message"), level, rule if rule.startswith("-W") else "")


def _make_located_message(location: Any, message: Any, level: str, option: str) -> SarifMessage:
    place = read_object(location, "physicalLocation")
    region = read_object(place, "region")
    uri = str(read_object(place, "artifactLocation").get("uri", ""))
    text = str(message.get("text", "")) if isinstance(message, dict) else ""
    line, column = read_number(region, "startLine"), read_number(region, "startColumn")
    return SarifMessage(level, text, _path_of_uri(uri), line, column, option)


def _path_of_uri(uri: str) -> str:
    if not uri.startswith("file:"):
        return uri
    try:
        return unquote(urlsplit(uri).path)
    except ValueError:
        return uri


def read_object(value: Any, key: str) -> dict[str, Any]:
    """The object under `key`; {} where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def read_objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; [] for anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def read_number(value: dict[str, Any], key: str) -> int:
    """The whole number from 0 on under `key`; 0 where there is none."""
    found = value.get(key)
    return found if isinstance(found, int) and 0 <= found < MOST_LINES else 0
