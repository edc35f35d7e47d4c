"""Prevents: golds of several functions that are flagged together, since one takes another by its name, and neither is
flagged alone."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from executor.candidate.execute import collect_known_names
from executor.function.splice import Edit
from executor.grading.flags import find_flags
from index.values import Span

SOURCE = """typedef void handler(int);
void install(handler *wanted);
static void reading(int number) { (void)number; }
static void begin(void) { install(reading); }
"""
# Names of a benchmark's or test's file aren't the repository's.
PATH = "tests/bench.c"


def _find_flags(root: Path, first: str, second: str) -> tuple[str, ...]:
    image: Any = SimpleNamespace(source_root=root)
    edits = [Edit(PATH, Span(4, 4), first), Edit(PATH, Span(3, 3), second)]
    return find_flags(f"{first}\n{second}", collect_known_names(image, edits))


def test_golds_that_take_each_other_are_not_flagged(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    (root / "tests").mkdir(parents=True)
    (root / PATH).write_text(SOURCE)
    first, second = SOURCE.splitlines()[3], SOURCE.splitlines()[2]
    assert _find_flags(root, first, second) == ()
    assert _find_flags(root, first, "static void reading(int number) { _exit(number); }") != ()
