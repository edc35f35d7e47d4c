"""Reads messages from SARIF 2.1.0, which gcc from 13 on and clang from 15 on print."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True, slots=True)
class SarifMessage:
    """`level` as SARIF has it (error, warning, note); `option` "" where the compiler doesn't name it."""

    level: str
    text: str
    file: str
    line: int
    column: int
    option: str


def sarif_messages(text: str) -> Iterator[list[SarifMessage]]:
    """Each result with its notes, in the compiler's order. Text around the JSON is ignored, and nothing is raised.

    clang prints notes as results of their own, after the result that they belong to. gcc prints relatedLocations.
    """
    decoder = json.JSONDecoder()
    for match in re.finditer(r'^\{"', text, re.MULTILINE):
        try:
            value, _ = decoder.raw_decode(text, match.start())
        except ValueError:
            continue
        group: list[SarifMessage] = []
        for result in _results(value):
            parsed = _message(result, str(result.get("level", "error")))
            if parsed.level == "note" and group:
                group.append(parsed)
                continue
            if group:
                yield group
            related = [item for item in result.get("relatedLocations") or () if isinstance(item, dict)]
            notes = (_located(item, item.get("message"), "note", "") for item in related)
            group = [parsed, *(note for note in notes if note.text)]
        if group:
            yield group


def _results(value: Any) -> list[dict[str, Any]]:
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


def _message(result: dict[str, Any], level: str) -> SarifMessage:
    rule = str(result.get("ruleId", ""))
    locations = result.get("locations") or [{}]
    # clang lists the ranges first and the caret last.
    return _located(locations[-1], result.get("message"), level, rule if rule.startswith("-W") else "")


def _located(location: Any, message: Any, level: str, option: str) -> SarifMessage:
    place = location.get("physicalLocation", {}) if isinstance(location, dict) else {}
    region = place.get("region", {})
    uri = str(place.get("artifactLocation", {}).get("uri", ""))
    path = unquote(urlsplit(uri).path) if uri.startswith("file:") else uri
    text = str(message.get("text", "")) if isinstance(message, dict) else ""
    return SarifMessage(level, text, path, int(region.get("startLine", 0)), int(region.get("startColumn", 0)), option)
