"""Shared by the agent's tests: targets, the data set's golds, a scripted server per test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from executor.tasks_yabloco import DATA
from experiments.scripted_server import RunningServer, Script, start_server
from index.values import Language, Span, Target

Serve = Callable[..., RunningServer]
MakeTarget = Callable[..., Target]


@dataclass(frozen=True)
class Gold:
    id: str
    target: Target
    code: str


@pytest.fixture(scope="session")
def make_target() -> MakeTarget:
    def make(name: str, signature: str, language: Language = "c", docstring: str = "") -> Target:
        return Target("example", "src/a.c", Span(10, 20), name, signature, docstring, language)

    return make


@pytest.fixture(scope="session")
def golds() -> list[Gold]:
    """All 218 of YABLoCo's functions, as its oracle file gives them."""
    import csv
    import sys

    csv.field_size_limit(sys.maxsize)
    with (DATA / "bench-v0.8.csv").open(newline="", encoding="utf-8") as file:
        names = {row["id"]: row["fname"] for row in csv.DictReader(file)}
    rows: list[dict[str, Any]] = json.loads((DATA / "yabloco_oracle_v1.json").read_text(encoding="utf-8"))
    found = []
    for row in rows:
        language: Language = "cpp" if row["repo"] in ("bullet3", "llvm") else "c"
        target = Target(row["repo"], "f", Span(1, 2), names[row["id"]], row["signature"], "", language)
        found.append(Gold(row["id"], target, row["code"].strip("\r\n").rstrip()))
    assert len(found) == 218
    return found


@pytest.fixture
def serve() -> Iterator[Serve]:
    """serve(rule, rule, ...) -> a running server; each rule a dict of the script's keys."""
    with ExitStack() as stack:

        def start(*rules: dict[str, Any]) -> RunningServer:
            return stack.enter_context(start_server(Script.model_validate({"rules": rules})))

        yield start
