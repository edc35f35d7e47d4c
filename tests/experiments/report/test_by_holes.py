"""Prevents: figures by the number of functions that aren't the script's: an answer with three of four functions right
that counts as one with none, a function that fails alone since its helper stands with another, a budget that stays.

The whole way with a scripted model: tasks of one, two and four functions of the example, prompt, repair, verdict,
functions alone, and every output of the report.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from executor.tasks.datasets import load_rows, make_task_from_row
from executor.values import Outcome, Task
from experiments.compare.leaderboard import rank_sides_with_samples_into_rows
from experiments.compare.pairs import compare_sides
from experiments.compare.sides import read_sides
from experiments.demo.scripted_rules import ScriptRule
from experiments.demo.scripted_wires import estimate_tokens
from experiments.page.charts import make_charts
from experiments.page.page_file import write_page
from experiments.report.by_holes import (
    describe_failed_multi_hole_answers,
    describe_half_pass_hole_counts,
    make_rows_by_hole_count_if_multi_hole,
)
from experiments.report.metrics import METRICS, group_counted_and_official_samples
from experiments.report.run_end import write_report_json_and_markdown
from experiments.report.run_report import Report
from experiments.run.experiment import RunEnd
from experiments.run.sample_facts import HoleFacts
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.runs import Graft, make_run, record, report_of, succeed
from tests.support.scripts import read_story

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
ONE, BOTH, HALF, FOUR = "money-print", "hold-and-workdays", "date-print-and-read", "four-dates"
ARMS = ("none", "none+compile")
HELPER = "static int is_free(struct date d)\n{\n    return date_weekday(d) > 5;\n}\n"


@pytest.fixture
def tasks(tmp_path: Path, example_root: Path) -> dict[str, Task]:
    """A data set with a task of one function, two of two, and one of these four together."""
    folder = tmp_path / "tasks"
    for name in (f"inventory/tasks/{ONE}", f"pairs/{BOTH}", f"pairs/{HALF}"):
        shutil.copytree(EXAMPLES / name, folder / Path(name).name)
    first, second = (yaml.safe_load((folder / name / "task.yaml").read_text()) for name in (BOTH, HALF))
    keys = ("path", "first", "last", "name", "signature", "docstring")
    second["holes"].insert(0, {key: second[key] for key in keys})
    whole = {**first, "id": FOUR, "holes": [*first["holes"], *second["holes"]]}
    (folder / FOUR).mkdir()
    (folder / FOUR / "task.yaml").write_text(yaml.safe_dump(whole))
    return {row.id: make_task_from_row(row, example_root) for row in load_rows(str(folder))}


def _write_answers(tasks: Mapping[str, Task]) -> dict[str, str]:
    """Answers by name. Of the four functions `date_read` is wrong, and before its repair it doesn't compile; two of
    the others share a helper, which is written below both."""

    def fence(*codes: str) -> str:
        return "".join(f"```c\n{code}\n```\n" for code in codes)

    hold, workdays = tasks[BOTH].golds
    read, put = tasks[HALF].golds
    wrong = read.replace("{4, 2, 2}", "{4, 2, 1}")
    sharing = (
        workdays.replace("date_weekday(d) <= 5", "!is_free(d)"),
        put.replace("{\n", "{\n    (void)is_free(d);\n", 1),
    )
    assert wrong != read and workdays not in sharing
    return {
        ONE: fence(tasks[ONE].gold),
        BOTH: fence(workdays, hold),
        HALF: fence(wrong, put),
        FOUR: fence("\n".join((wrong.replace("*d = result", "*d = no_result"), *sharing, HELPER)), hold),
        "repair": fence(wrong),
    }


def _list_rules(tasks: Mapping[str, Task], answers: Mapping[str, str]) -> Iterator[ScriptRule]:
    # A function that doesn't compile is told by its name and line, and repaired alone.
    last = "date_read, line \\d+, column .*no_result"
    yield ScriptRule(name="repair", turn=2, last=last, answer=answers["repair"])
    for name, all_of in ((FOUR, ("function 4",)), (BOTH, ("function 2",)), (HALF, ("function 2",)), (ONE, ())):
        yield ScriptRule(name=name, turn=1, match=f"{tasks[name].target.name}\\n", all=all_of, answer=answers[name])


@pytest.mark.usefixtures("used_cache")
def test_the_figures_by_the_number_of_functions_are_the_scripts(
    run_example: Runner, serve: Serve, tasks: dict[str, Task], graft: Graft, tmp_path: Path
) -> None:
    answers = _write_answers(tasks)
    server = serve(*_list_rules(tasks, answers))
    end = run_example(dataset=str(tmp_path / "tasks"), api_base=server.base_url, arms=ARMS)
    report = report_of(end.run)
    shown = [(r.arm, r.holes, r.pass_at_1.value, r.alone and r.alone.value, r.compilations) for r in report.by_holes]
    assert shown == [
        ("none", 1, 1.0, 1.0, 0.0), ("none", 2, 0.5, 0.75, 0.0), ("none", 4, 0.0, 0.75, 0.0),
        ("none+compile", 1, 1.0, 1.0, 1.0), ("none+compile", 2, 0.5, 0.75, 1.0), ("none+compile", 4, 0.0, 0.75, 2.0),
    ]  # fmt: skip
    assert [line.partition(" [")[0] for line in report.half_points] == [
        f"{arm}: pass@1 falls below one half at k = 2.0 functions" for arm in ARMS
    ]
    assert [row.cost for row in report.by_holes] == [None] * 6, "nobody knows the scripted model's price"
    _check_tokens(report, server, answers)
    _check_budgets(server)
    assert {line for line in report.holes_notes if "pass alone" in line} == {
        f"{task} ({arm}, sample 0): {right} pass alone; not date_read"
        for task, right in ((HALF, "1 of 2 functions"), (FOUR, "3 of 4 functions"))
        for arm in ARMS
    }
    _check_functions_alone(end)
    _check_outputs(end, report, graft, tmp_path)


def _check_tokens(report: Report, server: Any, answers: Mapping[str, str]) -> None:
    """By what went over the wire. Both arms ask the same at first, and the answer to it may be stored."""
    spent: dict[str, int] = {}
    for request in server.log.requests:
        texts = [message["content"] for message in json.loads(request.body)["messages"]]
        spent[request.rule] = sum(map(estimate_tokens, texts)) + estimate_tokens(answers[request.rule])
    first = [spent[ONE], (spent[BOTH] + spent[HALF]) / 2, spent[FOUR]]
    assert [row.tokens for row in report.by_holes] == [*first, *first[:2], first[2] + spent["repair"]]


def _check_budgets(server: Any) -> None:
    """One function has 4096 tokens for its answer; each further one half of that."""
    asked = {request.rule: json.loads(request.body)["max_tokens"] for request in server.log.requests}
    assert asked == {ONE: 4096, BOTH: 6144, HALF: 6144, FOUR: 10240, "repair": 10240}


def _check_outputs(end: RunEnd, report: Report, graft: Graft, tmp_path: Path) -> None:
    write_report_json_and_markdown(end.run, report)
    printed = succeed(graft, "show", end.run, "--details")
    markdown = (end.run / "report.md").read_text()
    for text in (printed, markdown):
        assert "By number of functions" in text
        assert "k = 4: 15000 tokens of context, 10240 of an answer, 5 repairs; with tools 50 turns, any" in text
        assert f"{FOUR} (none, sample 0): 3 of 4 functions pass alone; not date_read" in text
    assert "| none+compile | 4 | 1 | 0.0 [0, 100] | 75.0 [0, 100] |" in markdown
    plain = json.loads((end.run / "report.json").read_text())
    assert [row["holes"] for row in plain["by_holes"]] == [1, 2, 4, 1, 2, 4]
    page = write_page([str(end.run)], tmp_path / "page.html").html.read_text()
    for name in ("holes", "holes-alone", "holes-tokens", "holes-compilations"):
        drawn = page.partition(f'<figure id="plot-{name}">')[2].partition("</figure>")[0]
        assert drawn.count('class="mark"') == (3 if name == "holes-compilations" else 6), name
    assert 'id="plot-holes-cost"' not in page
    assert "none, 4: 75.0 % [0, 100], 1 samples" in page
    assert "none+compile, 4: 2, 1 samples" in page
    sides = [row.side for row in rank_sides_with_samples_into_rows(read_sides([str(end.run)]), {})]
    (pair,) = compare_sides(sides, baseline="1").pairs
    assert pair.difference.tasks == 4


def _check_functions_alone(end: RunEnd) -> None:
    """The helper stands with its first user, and comes along with each that is judged alone."""
    records = {r.key: r for r in end.records}
    found = records["none+compile", FOUR, 0]
    assert [cost.compiled for cost in found.rounds] == [False, True]
    code = read_story(end.run, *found.key).trajectory.candidate.code or ""
    assert code.count("static int is_free") == 1
    alone = {hole.name: (end.run / hole.execution / "candidate.txt").read_text() for hole in found.holes}
    assert {name: text.count("static int is_free") for name, text in alone.items()} == {
        "store::hold_until": 0, "date_plus_workdays": 1, "date_read": 0, "date_print": 1,
    }  # fmt: skip
    # Where all pass together nothing is tried.
    both = records["none", BOTH, 0]
    assert both.alone_results == (True, True)
    assert [hole.execution for hole in both.holes] == ["", ""]


def _facts(*fates: bool | None) -> tuple[HoleFacts, ...]:
    return tuple(HoleFacts(f"f{n}", "a.c", True, False, fate) for n, fate in enumerate(fates))


def test_what_the_data_do_not_bear_is_said() -> None:
    passed, failed = Outcome.PASSED, Outcome.TESTS_FAILED

    def describe(*results: tuple[int, Outcome]) -> str:
        records = [
            record(str(n), outcome, holes=_facts(*(outcome is passed,) * k) if k > 1 else ())
            for n, (k, outcome) in enumerate(results)
        ]
        return " ".join(describe_half_pass_hole_counts({"a": records}))

    assert describe((1, passed), (1, failed)) == ""
    assert describe((2, passed), (2, failed)).endswith("one number of functions, and a line needs two")
    assert describe((1, passed), (2, passed)).endswith("no task fails")
    assert describe((1, failed), (2, failed)).endswith("no task passes")
    assert describe((1, failed), (2, passed)).endswith("no fewer pass with more functions")
    assert "beyond what was tried" in describe(*[(1, passed)] * 9, *[(2, passed)] * 8, (2, failed))


def test_a_function_that_graft_could_not_try_is_no_failure() -> None:
    records = [
        record("t", Outcome.TESTS_FAILED, holes=_facts(True, None, False)),
        record("u", Outcome.TESTS_FAILED, holes=_facts(True, True)),
        record("v", Outcome.INFRA_ERROR),
    ]
    assert describe_failed_multi_hole_answers(records) == (
        "t (none, sample 0): 1 of 3 functions pass alone; not f1 (not tried), f2",
        "u (none, sample 0): 2 of 2 functions pass alone; not all together",
    )
    rows = {row.holes: row.alone and row.alone.value for row in make_rows_by_hole_count_if_multi_hole("none", records)}
    assert rows == {2: 1.0, 3: 0.5}
    # One that isn't handed in has failed.
    half = record("w", Outcome.NO_ANSWER, holes=(*_facts(True), HoleFacts("g", "a.c", False, False)))
    (row,) = make_rows_by_hole_count_if_multi_hole("none", [half])
    assert row.alone is not None and row.alone.value == 0.5
    # The official rules know nothing of tasks of several.
    group = group_counted_and_official_samples([*records, record("one")])
    figures = {metric.key: metric.measure(group) for metric in METRICS}
    assert [getattr(figures[key], "tasks", None) for key in ("pass_at_1", "official_pass_at_1")] == [3, 1]


def test_tasks_of_one_function_have_neither_section_nor_chart(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [record("a"), record("b", Outcome.TESTS_FAILED)])
    report = report_of(run)
    assert (report.by_holes, report.half_points, report.holes_notes) == ((), (), ())
    charts = make_charts(rank_sides_with_samples_into_rows(read_sides([str(run)], fewest=1), {}))
    assert not [chart.name for chart in charts if chart.name.startswith("holes")]
