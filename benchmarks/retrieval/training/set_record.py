"""Which packages were taken and passed over: one JSON file, written whole after every package."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchmarks.retrieval.training.package_lot import Look, Package, Role
from executor.cache import replace_file

NOT_FETCHED = "its upstream archive can't be fetched"


class Tree(NamedTuple):
    """A tree that was taken. `renamed`: the style of its copy under other names, or ""."""

    package: Package
    look: Look
    functions: int
    licence: str
    role: Role
    renamed: str

    @property
    def name(self) -> str:
        return self.package.name


@dataclass
class Record:
    """`passed_over`: name -> version and reason; `failed`: name -> what went wrong with a tree that was taken."""

    taken: list[Tree] = field(default_factory=list)
    passed_over: dict[str, dict[str, str]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def looked_at(self) -> int:
        """How many packages were looked at: taken, or passed over though their archive was there."""
        fetched = [facts for facts in self.passed_over.values() if not facts["why"].startswith(NOT_FETCHED)]
        return len(self.taken) + len(fetched)

    def save(self, file: Path) -> None:
        """Write the record."""
        trees = [
            {**tree._asdict(), "package": tree.package._asdict(), "look": tree.look._asdict()} for tree in self.taken
        ]
        content = {"taken": trees, "passed_over": self.passed_over, "failed": self.failed}
        replace_file(file, (json.dumps(content, indent=1) + "\n").encode())


def load_record(file: Path) -> Record:
    """The record, empty where there is no file."""
    if not file.is_file():
        return Record()
    content = json.loads(file.read_text(encoding="utf-8"))
    trees = [
        Tree(**{**tree, "package": Package(**tree["package"]), "look": Look(**tree["look"])})
        for tree in content["taken"]
    ]
    return Record(trees, content["passed_over"], content["failed"])
