"""Which packages were taken and passed over: one JSON file, written whole after every package."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.retrieval.training.package_lot import Look, Package, Role
from executor.cache import replace_file
from experiments.run.records import encode_json_value, read_json_file

NOT_FETCHED = "its upstream archive can't be fetched"


@dataclass(frozen=True, slots=True)
class Tree:
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
        replace_file(file, encode_json_value(self, indent=1) + b"\n")


def load_record(file: Path) -> Record:
    """The record, empty where there is no file."""
    return read_json_file(Record, file) if file.is_file() else Record()
