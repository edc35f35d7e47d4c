"""Prevents: a plot that shows other figures than the tables, or a group of samples under the wrong name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from agent.values import Usage
from executor.values import Outcome
from experiments.compare.leaderboard import rank_sides_into_rows
from experiments.compare.sides import read_sides
from experiments.page.chart_svg import draw_chart
from experiments.page.charts import Chart, make_charts
from experiments.run.sample_facts import CalleeFacts
from tests.support.runs import make_run, record

PASSED, FAILED = Outcome.PASSED, Outcome.TESTS_FAILED


def _draw(*runs: Path) -> tuple[Chart, ...]:
    return make_charts(rank_sides_into_rows(read_sides([str(run) for run in runs]), {}))


def _list_points(chart: Chart) -> list[tuple[str, str, float]]:
    return [(point.side, point.label, point.passed.value) for point in chart.points]


def _charts(*runs: Path) -> dict[str, list[tuple[str, str, float]]]:
    return {chart.name: _list_points(chart) for chart in _draw(*runs)}


def test_samples_are_grouped_by_what_the_model_saw(tmp_path: Path) -> None:
    half = CalleeFacts(("f", "g"), ("f",), known=True)
    whole = CalleeFacts(("f",), ("f",), known=True)
    records = [
        record("a", PASSED, "oracle", callees=whole),
        record("b", FAILED, "oracle", callees=half),
        record("c", FAILED, "oracle", callees=CalleeFacts(known=True)),
        record("a", FAILED, callees=CalleeFacts(("f",), (), known=True)),
        record("d", PASSED, callees=CalleeFacts()),
    ]
    found = _charts(make_run(tmp_path / "run", records))
    # The tasks without callees are in none of the groups.
    assert found["recall"] == [("none", "none", 0.0), ("oracle", "half or more", 0.0), ("oracle", "all", 1.0)]
    assert "level" not in found, "all tasks are of one level"


def test_the_cost_is_dollars_where_all_are_known_and_tokens_otherwise(tmp_path: Path) -> None:
    paid, unknown = Usage(1, 100, 50, 0.25), Usage(1, 100, 50, None)
    first = [record("a", arm=arm) for arm in ("none", "oracle")]

    def with_usage(*usages: Usage) -> list[str]:
        records = [replace(one, usage=usage) for one, usage in zip(first, usages, strict=True)]
        run = make_run(tmp_path / str(len(list(tmp_path.iterdir()))), records)
        return [label for _, label, _ in _charts(run)["cost"]]

    assert with_usage(paid, paid) == ["0.2500 USD", "0.2500 USD"]
    assert with_usage(paid, unknown) == ["150 tokens", "150 tokens"]


def test_runs_with_other_budgets_become_a_line_of_their_arm_with_its_name_beside_it(tmp_path: Path) -> None:
    runs = [
        make_run(tmp_path / str(tokens), [record("a", outcome)], context_tokens=tokens)
        for tokens, outcome in ((6000, FAILED), (12000, PASSED))
    ]
    (chart,) = (chart for chart in _draw(*runs) if chart.name == "context")
    assert _list_points(chart) == [("openai/some none", "6000 tokens", 0.0), ("openai/some none", "12000 tokens", 1.0)]
    drawn = draw_chart(chart, ["6000 none", "12000 none"])
    assert ">openai/some none</text>" in drawn
    assert "openai/some none, 12000 tokens: 100.0 %" in drawn
