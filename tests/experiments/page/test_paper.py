"""Prevents: a plot or a table for a paper with other figures than the page's, a table that LaTeX doesn't take, and a
file that changes though nothing did."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from executor.values import Outcome
from experiments.compare.leaderboard import rank_sides_into_rows
from experiments.compare.sides import read_sides
from experiments.documents import Document, Section, format_latex
from experiments.page.paper import write_plots, write_tables
from experiments.tables import Column, Table, make_label_column
from index.errors import ConfigError
from tests.support.runs import Graft, make_run, record, succeed


@pytest.fixture
def run(tmp_path: Path) -> Path:
    failed = Outcome.TESTS_FAILED
    tasks = [f"t{number}" for number in range(8)]
    none = [record(task, failed if n else Outcome.PASSED) for n, task in enumerate(tasks)]
    oracle = [record(task, failed if n == 7 else Outcome.PASSED, "oracle") for n, task in enumerate(tasks)]
    return make_run(tmp_path / "run_1", [*none, *oracle], arms=("none", "oracle"))


def test_the_command_writes_plots_and_tables(run: Path, tmp_path: Path, graft: Graft) -> None:
    out = tmp_path / "figures"
    for to, place in (("figures", out), ("latex", tmp_path / "t.tex"), ("markdown", tmp_path / "t.md")):
        succeed(graft, "export", run, "--to", to, "--out", place)
    drawn = ElementTree.parse(out / "cost.svg").getroot()
    assert "oracle" in "".join(drawn.itertext()) and "75 %" in "".join(drawn.itertext())
    # A file of its own: no colour is left to a style sheet, a variable or a theme.
    assert all(part not in (out / "cost.svg").read_text() for part in ("var(", "light-dark", "currentcolor("))
    marks = [path for path in drawn.iter("{http://www.w3.org/2000/svg}path") if path.get("class") == "mark"]
    assert len(marks) == 4, "two sides, each with its sign in the legend"
    places = rank_sides_into_rows(read_sides([str(run)]), {})
    for place in places:
        row = f"| openai/some | {place.side.arm} | 8 | {100 * place.standing.reached.value:.1f} ["
        assert row in (tmp_path / "t.md").read_text()
    assert r"none & oracle & 8 & 12.5 & 87.5 & $-$75.0 {[}$-$" in (tmp_path / "t.tex").read_text()


def test_the_same_runs_give_the_same_bytes(run: Path, tmp_path: Path) -> None:
    first, second = (write_plots([str(run)], tmp_path / name) for name in ("a", "b"))
    assert [path.name for path in first] == [path.name for path in second]
    assert all(one.read_bytes() == two.read_bytes() for one, two in zip(first, second, strict=True))


def test_latex_shows_each_sign_and_counts_its_columns() -> None:
    odd = r"a_b & 5 % of $x #1 {y} \z ~^ <t> [u] -3.5 e-4 gpt-4o `c_d`"
    table = Table((make_label_column("arm"), Column("pass@1")), (("[x]", "-77.8 [-90, 2]"), (odd, "1")))
    text = format_latex(Document("d", (), "", (Section("By arm_1", odd, table, (odd,)),)))
    shown = (
        r"a\_b \& 5 \% of \$x \#1 \{y\} \textbackslash{}z \textasciitilde{}\textasciicircum{}"
        r" \textless{}t\textgreater{} {[}u] $-$3.5 e-4 gpt-4o \texttt{c\_d}"
    )
    assert text.count(shown) == 3
    assert r"\begin{tabular}{lr}" in text
    rows = re.findall(r"^(.*) \\\\$", text, re.MULTILINE)
    assert [len(re.split(r"(?<!\\)&", row)) for row in rows] == [2, 2, 2]
    assert rows[1] == r"{[}x] & $-$77.8 {[}$-$90, 2]"
    assert text.replace(r"\{", "").count("{") == text.replace(r"\}", "").count("}")
    assert sorted(re.findall(r"\\begin\{(\w+)", text)) == sorted(re.findall(r"\\end\{(\w+)", text))


def test_one_side_has_a_table_and_nothing_to_compare(run: Path, tmp_path: Path) -> None:
    write_tables([f"{run}:none"], tmp_path / "t.md")
    assert "## Models and arms" in (tmp_path / "t.md").read_text()
    assert "## Pairs" not in (tmp_path / "t.md").read_text()


def test_what_is_missing_is_one_line(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="file: a file; name a folder"):
        write_plots([str(run)], tmp_path / "file")
    lost = make_run(tmp_path / "lost", [record("a", Outcome.INFRA_ERROR)])
    with pytest.raises(ConfigError, match="every sample ended in an infrastructure error"):
        write_tables([str(lost)], tmp_path / "t.md")
