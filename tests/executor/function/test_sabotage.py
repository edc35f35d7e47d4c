"""Prevents: a sabotage that can't be made again from its name, one made in a text that changed, and a gated fault that
is wrong at other times than its gate says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from executor.function.sabotage import (
    digest_definition,
    gate_change,
    list_sabotage_changes,
    make_sabotaged_definition,
    make_target_at,
    read_definition_at,
)
from executor.values import Sabotage
from index.errors import TaskError
from index.values import Span

FILE = b"""\
static int total;
int count(int size, int most)
{
    int sum = 0;
    for (int at = 0; at < size; at++)
        sum += at;
    total = sum;
    if (sum > most)
        goto full;
    return sum - 1;
full:
    return most;
}
"""
SPAN = Span(2, 13)
DEFINITION = read_definition_at(FILE, SPAN)
TARGET = make_target_at("a.c", SPAN, "count", "c")


def _sabotage(change: str, digest: str = "") -> Sabotage:
    return Sabotage("a.c", "count", 2, 13, change, digest or digest_definition(DEFINITION))


def test_each_change_is_made_again_from_its_name() -> None:
    found = list_sabotage_changes(DEFINITION, TARGET, 50)
    assert {change.name for change in found if change.mutant is None} == {"one", "zero", "minus-one", "first-argument"}
    assert len({change.name for change in found}) == len(found) > 8
    for change in found:
        assert make_sabotaged_definition(FILE, _sabotage(change.name), "c") == change.text != DEFINITION


def test_a_function_that_gives_nothing_back_returns_at_once_too() -> None:
    """Its stub has no statement to return by, so what came behind it ran as before."""
    text = "static void note(int a)\n{\n    total += a;\n}"
    (early,) = [
        each
        for each in list_sabotage_changes(text, make_target_at("a.c", Span(1, 4), "note", "c"), 9)
        if each.mutant is None
    ]
    assert early.text.startswith("static void note(int a)\n{ if (1) { (void)a; return; } ")


def test_another_text_or_an_unknown_change_is_refused() -> None:
    with pytest.raises(TaskError, match="isn't the text that was examined"):
        make_sabotaged_definition(FILE.replace(b"sum - 1", b"sum - 2"), _sabotage("one"), "c")
    with pytest.raises(TaskError, match="has no change none"):
        make_sabotaged_definition(FILE, _sabotage("none"), "c")


def test_a_gated_fault_is_there_exactly_while_its_gate_is_open(tmp_path: Path) -> None:
    """Compiled with the gate open, it does what the change does; with it shut, what the gold does."""
    main = (
        "#include <stdio.h>\nint main(void) { for (int n = 0; n < 6; n++) "
        'printf("%d %d;", count(n, 4), total); return 0; }'
    )

    def output(text: str, gate: int) -> bytes:
        source, program = tmp_path / "x.c", tmp_path / "x"
        source.write_text(f"static int gate = {gate};\nstatic int total;\n{text}\n{main}")
        subprocess.run(["cc", "-Wno-unused-variable", "-o", program, source], check=True)
        return subprocess.run(["timeout", "2", program], capture_output=True, check=False).stdout

    gold = output(DEFINITION, 0)
    for change in list_sabotage_changes(DEFINITION, TARGET, 50):
        text = gate_change(DEFINITION, change, "gate")
        assert output(text, 0) == gold, change
        assert output(text, 1) == output(change.text, 1), change
