"""Prevents: an "equivalent" that means something else, so that a check seems to fail honest answers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.executor.verdict.equivalents import write_equivalents

GOLD = """\
int weigh(const int *counts, int size, int most)
{
    int sum = 0;
    int seen = 1;
    int at = 0;
    for (int n = 0; n < size; n++)
        sum += counts[n];
    while (at < size) {
        if (counts[at] == 3) {
            at += 2;
            continue;
        }
        seen += at++;
    }
    for (at = 0; at < size; at++) {
        if (counts[at] < 0)
            continue;
        sum += 2;
    }
    if (sum > most)
        return most;
    return sum * seen;
}
"""
MAIN = """
#include <stdio.h>
int main(void)
{
    int counts[] = {1, 3, -2, 5, 8};
    for (int size = 0; size <= 5; size++)
        printf("%d %d;", weigh(counts, size, 9), weigh(counts, size, 900));
    return 0;
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_variants_differ_from_the_gold_and_do_the_same(tmp_path: Path) -> None:
    texts = write_equivalents(GOLD, "c", 9)
    assert len(texts) >= 5
    assert GOLD not in texts
    ends = set()
    for number, text in enumerate([GOLD, *texts]):
        source = tmp_path / f"{number}.c"
        source.write_text(text + MAIN)
        subprocess.run(["cc", "-Wall", "-Werror", "-o", tmp_path / str(number), source], check=True)
        ends.add(subprocess.run([tmp_path / str(number)], check=True, capture_output=True).stdout)
    assert len(ends) == 1
    assert "continue" in texts[0]
    assert "sum_local" in texts[0]


def test_a_function_without_a_way_has_no_variant() -> None:
    assert write_equivalents("void f(void)\n{\n    g();\n}\n", "c", 3) == []
