"""Prevents: an oracle whose calls nobody compared with the compiler's, and a comparison that counts another body's."""

from __future__ import annotations

import subprocess
from pathlib import Path

from lab.making.functions.call_agreement import read_callees_from_callgraph

SOURCE = """\
namespace n {
template <class T> T twice(T a) { return a + a; }
struct Box {
    int held;
    int get() const { return held; }
};
static int deep(int a) { return a + 1; }
int outer(Box &box)
{
    return twice<int>(box.get()) + deep(2);
}
int alone() { return 1; }
}
"""


def test_the_calls_of_a_body_are_read_from_gccs_file(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cpp").write_text(SOURCE)
    subprocess.run(
        ["g++", "-O0", "-S", "-fcallgraph-info", "-o", "a.s", "../src/a.cpp"], cwd=tmp_path / "src", check=True
    )
    text = (tmp_path / "src" / "a.ci").read_text()
    assert read_callees_from_callgraph(text, "src", "src/a.cpp", 8, 11) == {"twice", "get", "deep"}
    assert read_callees_from_callgraph(text, "src", "src/a.cpp", 12, 12) == set()
    assert read_callees_from_callgraph(text, "src", "src/b.cpp", 8, 11) is None
    assert read_callees_from_callgraph(text, "src", "src/a.cpp", 20, 30) is None
