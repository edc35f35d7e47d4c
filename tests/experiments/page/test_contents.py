"""Prevents: a page, a plot or a table for a paper that says other things than the commands do; a group of samples
under the wrong name; a report that fails on a slim or a small run, and one that leaves an earlier page's stories
behind; a table that LaTeX doesn't take, and a file that changes though nothing did."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from agent.values import Usage
from executor.manifest.variant.values import VariantSpec
from executor.values import Outcome
from experiments.compare.leaderboard import rank_sides_with_samples_into_rows
from experiments.compare.sides import read_sides
from experiments.documents import Document, Section, format_document_as_latex
from experiments.page import contents as page_contents
from experiments.page import page_file
from experiments.page.chart_svg import draw_chart
from experiments.page.charts import Chart, make_charts
from experiments.page.contents import Contents, gather_page_contents
from experiments.page.page_file import pack_task_stories
from experiments.page.paper import write_plots, write_tables
from experiments.report.headline import describe_best_side_against_next
from experiments.report.story.task_texts import TaskText
from experiments.run.manifest import RunManifest
from experiments.run.records import SampleRecord
from experiments.run.sample_facts import CalleeFacts
from experiments.tables import Column, Table, make_label_column
from index.errors import ConfigError
from tests.support.runs import Graft, make_run, record, refuse, succeed

# They share the run's folder with the browser's tests.
pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.usefixtures("cache")]

PASSED, FAILED = Outcome.PASSED, Outcome.TESTS_FAILED


def unpacked(packed: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def test_a_story_has_the_repositorys_own_gold_and_each_long_text_once(run: Path) -> None:
    contents = gather_page_contents([str(run)])
    task = contents.tasks[0]
    assert task.gold is not None and task.gold.count("\n") > 3, "bound to the example's source"
    samples = [sample for sample in contents.samples if sample.task == 0]
    found = unpacked(pack_task_stories(samples, contents.side_names))
    assert len(found["stories"]) == len(samples) == 10
    assert len(set(found["texts"])) == len(found["texts"])
    told = "".join(found["stories"].values())
    assert told.count('data-text="') > len(found["texts"])
    assert "<script" not in told
    fates = re.findall(r'<li class="(\w+)">\w+ \(([\w ]+, [\w ]+)\)</li>', told)
    assert {(kind, fate.rpartition(", ")[2]) for kind, fate in fates} == {("good", "used"), ("bad", "not used")}


def test_a_run_without_its_stories_and_executions_still_has_a_page(run: Path, tmp_path: Path) -> None:
    slim = tmp_path / "slim"
    slim.mkdir()
    for name in ("manifest.json", "journal.jsonl"):
        shutil.copy(run / name, slim)
    file = tmp_path / "report.html"
    written = page_file.write_page([f"{slim}:oracle"], file)
    assert (written.samples, written.beside) == (18, None)
    packs = json.loads(file.read_text().split('id="packs">')[1].split("</script>")[0])
    assert "no story of it is kept" in "".join(unpacked(packs[0])["stories"].values())


def gather(folder: Path, *records: SampleRecord) -> Contents:
    return gather_page_contents([str(make_run(folder, records))])


def test_the_first_lines_name_the_winner_its_lead_and_how_sure_it_is(tmp_path: Path) -> None:
    tasks = [f"t{number}" for number in range(10)]
    oracle = [record(task, PASSED, "oracle") for task in tasks]
    none = [record(task, FAILED if number else PASSED) for number, task in enumerate(tasks)]
    few = [record(task, outcome, arm) for task in "ab" for arm, outcome in (("none", FAILED), ("oracle", PASSED))]

    def lead(name: str, *records: SampleRecord) -> tuple[str, ...]:
        places = gather(tmp_path / name, *records).ranked.places
        return describe_best_side_against_next([place.standing for place in places])

    assert lead("one", *oracle, *none) == (
        "oracle passes 100.0 % of 10 tasks, 90.0 points more than none; chance alone doesn't explain the difference.",
        "95 % interval: 66 to 100 %; p = 0.0039, corrected.",
    )
    assert lead("two", *few)[0].endswith("; with 2 tasks chance may explain the difference.")
    equal = [record("a", arm=arm) for arm in ("none", "oracle")]
    assert lead("equal", *equal)[0] == "none passes 100.0 % of 1 task, as many as oracle."
    assert lead("alone", *oracle)[0] == "oracle passes 100.0 % of 10 tasks."


def test_sides_without_a_common_task_are_shown_and_not_compared(tmp_path: Path) -> None:
    contents = gather(tmp_path / "run", record("a", arm="oracle"), record("b"))
    assert contents.ranked.comparison is None
    assert "no task in common" in contents.notes[0]
    assert "The sides aren&#39;t compared" in page_file.render_page(contents, [], "x")


def test_an_earlier_pages_stories_go_and_other_files_stay(tmp_path: Path) -> None:
    beside = tmp_path / "report_files"
    beside.mkdir()
    (beside / "00007.js").write_text("old")
    (beside / "notes.txt").write_text("mine")
    page_file.write_page([str(make_run(tmp_path / "run", [record("a")]))], tmp_path / "report.html")
    assert [path.name for path in beside.iterdir()] == ["notes.txt"]


def test_the_command_says_what_it_needs_and_what_it_wrote(graft: Graft, tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [record("a")])
    assert "a folder; name a file" in refuse(graft, "show", run, "--html", tmp_path)
    code, _, error = graft("show", run, "--html", tmp_path / "new" / "report.html")
    assert (code, "holds the tasks' golds" in error) == (0, True)
    assert (tmp_path / "new" / "report.html").read_bytes().startswith(b"<!doctype html>")


# Plots


def draw(*runs: Path) -> dict[str, Chart]:
    charts = make_charts(rank_sides_with_samples_into_rows(read_sides([str(run) for run in runs]), {}))
    return {chart.name: chart for chart in charts}


def list_points(chart: Chart) -> list[tuple[str, str, float]]:
    return [(point.side, point.label, point.passed.value) for point in chart.points]


def test_samples_are_grouped_by_what_the_model_saw(tmp_path: Path) -> None:
    records = [
        record("a", PASSED, "oracle", callees=CalleeFacts(("f",), ("f",), known=True)),
        record("b", FAILED, "oracle", callees=CalleeFacts(("f", "g"), ("f",), known=True)),
        record("c", FAILED, "oracle", callees=CalleeFacts(known=True)),
        record("a", FAILED, callees=CalleeFacts(("f",), (), known=True)),
        record("d", PASSED, callees=CalleeFacts()),
    ]
    found = draw(make_run(tmp_path / "run", records))
    # The tasks without callees are in none of the groups.
    points = [("none", "none", 0.0), ("oracle", "half or more", 0.0), ("oracle", "all", 1.0)]
    assert list_points(found["recall"]) == points
    assert "level" not in found, "all tasks are of one level"


def test_the_cost_is_dollars_where_all_are_known_and_tokens_otherwise(tmp_path: Path) -> None:
    paid, unknown = Usage(1, 100, 50, 0.25), Usage(1, 100, 50, None)
    for number, (second, label) in enumerate(((paid, "0.2500 USD"), (unknown, "150 tokens"))):
        records = [record("a", usage=paid), record("a", arm="oracle", usage=second)]
        found = draw(make_run(tmp_path / str(number), records))
        assert [shown for _, shown, _ in list_points(found["cost"])] == [label] * 2


def test_runs_with_other_budgets_become_a_line_of_their_arm_with_its_name_beside_it(tmp_path: Path) -> None:
    budgets = {6000: FAILED, 12000: PASSED}
    runs = [make_run(tmp_path / str(k), [record("a", end)], context_tokens=k) for k, end in budgets.items()]
    chart = draw(*runs)["context"]
    assert list_points(chart) == [("openai/some none", "6000 tokens", 0.0), ("openai/some none", "12000 tokens", 1.0)]
    drawn = draw_chart(chart, ["6000 none", "12000 none"])
    assert ">openai/some none</text>" in drawn
    assert "openai/some none, 12000 tokens: 100.0 %" in drawn
    spec = VariantSpec(seed=2)
    renamed = [
        make_run(tmp_path / f"renamed{k}", [record("a", end)], spec, context_tokens=k) for k, end in budgets.items()
    ]
    lines = [shown[0] for shown in list_points(draw(*runs, *renamed)["context"])]
    assert lines == [f"openai/some none {tree}" for tree in ("original", "nonsense-2") for _ in runs]


def test_a_story_shows_the_task_as_its_own_run_had_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_texts(manifest: RunManifest, *_: object) -> list[TaskText]:
        gold = "int g(void);" if manifest.identity["variant"] else "int f(void);"
        return [TaskText("a", "tiny", "file", gold=gold)]

    monkeypatch.setattr(page_contents, "read_task_texts", read_texts)
    renamed = make_run(tmp_path / "renamed", [record("a", FAILED)], VariantSpec(seed=2))
    runs = make_run(tmp_path / "original", [record("a")]), renamed
    contents = gather_page_contents([str(run) for run in runs])
    told = unpacked(pack_task_stories(contents.samples, contents.side_names))["stories"]
    assert ["int f(" in told["0.0"], "int g(" in told["0.0"]] == [True, False]
    assert ["int f(" in told["1.0"], "int g(" in told["1.0"]] == [False, True]


# For a paper


@pytest.fixture
def two_arms(tmp_path: Path) -> Path:
    tasks = [f"t{number}" for number in range(8)]
    none = [record(task, FAILED if n else PASSED) for n, task in enumerate(tasks)]
    oracle = [record(task, FAILED if n == 7 else PASSED, "oracle") for n, task in enumerate(tasks)]
    return make_run(tmp_path / "run_1", [*none, *oracle], arms=("none", "oracle"))


def test_the_command_writes_plots_and_tables(two_arms: Path, tmp_path: Path, graft: Graft) -> None:
    out = tmp_path / "figures"
    for to, place in (("figures", out), ("latex", tmp_path / "t.tex"), ("markdown", tmp_path / "t.md")):
        succeed(graft, "export", two_arms, "--to", to, "--out", place)
    drawn = ElementTree.parse(out / "cost.svg").getroot()
    assert "oracle" in "".join(drawn.itertext()) and "75 %" in "".join(drawn.itertext())
    # A file of its own: no colour is left to a style sheet, a variable or a theme.
    assert all(part not in (out / "cost.svg").read_text() for part in ("var(", "light-dark", "currentcolor("))
    marks = [path for path in drawn.iter("{http://www.w3.org/2000/svg}path") if path.get("class") == "mark"]
    assert len(marks) == 4, "two sides, each with its sign in the legend"
    for place in rank_sides_with_samples_into_rows(read_sides([str(two_arms)]), {}):
        row = f"| openai/some | {place.side.arm} | 8 | {100 * place.standing.reached.value:.1f} ["
        assert row in (tmp_path / "t.md").read_text()
    assert r"none & oracle & 8 & 12.5 & 87.5 & $-$75.0 {[}$-$" in (tmp_path / "t.tex").read_text()
    again = write_plots([str(two_arms)], tmp_path / "again")
    assert {path.name: path.read_bytes() for path in again} == {path.name: path.read_bytes() for path in out.iterdir()}
    write_tables([f"{two_arms}:none"], tmp_path / "t.md")
    assert "## Models and arms" in (tmp_path / "t.md").read_text()
    assert "## Pairs" not in (tmp_path / "t.md").read_text(), "one side has nothing to compare"


def test_latex_shows_each_sign_and_counts_its_columns() -> None:
    odd = r"a_b & 5 % of $x #1 {y} \z ~^ <t> [u] -3.5 e-4 gpt-4o `c_d`"
    table = Table((make_label_column("arm"), Column("pass@1")), (("[x]", "-77.8 [-90, 2]"), (odd, "1")))
    text = format_document_as_latex(Document("d", (), "", (Section("By arm_1", odd, table, (odd,)),)))
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


def test_what_a_paper_lacks_is_one_line(two_arms: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="file: a file; name a folder"):
        write_plots([str(two_arms)], tmp_path / "file")
    lost = make_run(tmp_path / "lost", [record("a", Outcome.INFRA_ERROR)])
    with pytest.raises(ConfigError, match="every sample ended in an infrastructure error"):
        write_tables([str(lost)], tmp_path / "t.md")
