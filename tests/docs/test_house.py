"""Prevents: two classes of one name, so that a reader takes one for the other; names that name nothing; and a folder
that has become a heap."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("graft", "agent", "retrieval", "index", "executor", "experiments", "lab")
MOST_MODULES = 15


def modules(*packages: str) -> Iterator[Path]:
    for package in packages:
        yield from (ROOT / package).rglob("*.py")


def test_no_two_classes_share_a_name() -> None:
    # A name that begins with _ isn't seen outside its module.
    found = Counter(
        name for module in modules(*PACKAGES) for name in re.findall(r"^class ([A-Za-z]\w*)", module.read_text(), re.M)
    )
    assert [name for name, count in found.items() if count > 1] == []


def test_no_folder_is_a_heap() -> None:
    found = Counter(module.parent for module in modules(*PACKAGES, "benchmarks", "tests"))
    heaps = {folder.relative_to(ROOT): count - 1 for folder, count in found.items() if count - 1 > MOST_MODULES}
    assert heaps == {}


def test_names_are_nouns_or_verbs_of_the_field() -> None:
    empty = re.compile(r"\bdef _?(?:told|said|pointed)\(|\bfor (?:\w+, )?one in\b")
    found = [
        f"{module.relative_to(ROOT)}: {match[0]}"
        for module in modules(*PACKAGES, "benchmarks", "tests")
        for match in empty.finditer(module.read_text())
    ]
    assert found == []
