"""Prevents: a table of models that hides an unfinished run, a price that nobody knows shown as nought, and a misspelt
key in a file of prices."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent.values import Usage
from executor.grading.metrics import Estimate
from executor.manifest.false_passes import Passing
from executor.values import Outcome
from experiments.compare.leaderboard import (
    Price,
    make_leaderboard_document,
    make_leaderboard_table,
    rank_sides_into_rows,
    read_prices,
)
from experiments.compare.sides import read_sides
from experiments.report.run_report import make_report
from experiments.run.manifest import read_manifest
from experiments.run.records import SampleRecord
from index.errors import ConfigError
from tests.support.runs import Graft, make_run, record


def sample(task: str, outcome: Outcome, cost: float | None, **more: object) -> SampleRecord:
    usage = Usage(calls=1, prompt_tokens=1000, completion_tokens=200, cost=cost)
    return replace(record(task, outcome), usage=usage, **more)  # type: ignore[arg-type]


def two_runs(folder: Path) -> list[str]:
    small = [
        sample("a", Outcome.PASSED, 0.01, repo="redis"),
        sample("b", Outcome.TESTS_FAILED, 0.01, repo="openssl"),
        sample("c", Outcome.INFRA_ERROR, 0.01, repo="openssl"),
    ]
    large = [sample("a", Outcome.PASSED, None, repo="redis"), sample("b", Outcome.PASSED, None, repo="openssl")]
    return [
        str(make_run(folder / "small", small, model="openai/small", planned=2)),
        str(make_run(folder / "large", large, model="openai/large")),
    ]


def test_rows_are_ranked_with_parts_and_the_price_of_a_solved_task(tmp_path: Path) -> None:
    runs = two_runs(tmp_path)
    first, second = rank_sides_into_rows(read_sides(runs), {})
    assert (first.side.model, first.standing.reached.value) == ("openai/large", 1.0)
    assert (first.figures["cost"], first.cost_per_solved) == (None, None)
    assert (len(second.side.records), second.figures["cost"]) == (2, pytest.approx(0.02))
    assert second.cost_per_solved == pytest.approx(0.02)
    assert {name: part.value for name, part in second.by_repository.items()} == {"openssl": 0.0, "redis": 1.0}
    table = make_leaderboard_table((first, second))
    assert table.head[:2] == ("model", "arm")
    assert dict(zip(table.head, table.rows[1], strict=True))["arm"] == "none, partial"
    assert dict(zip(table.head, table.rows[0], strict=True))["USD/solved"] == "-"
    priced, _ = rank_sides_into_rows(read_sides(runs), {"openai/large": Price(input=2.0, output=10.0)})
    assert priced.figures["cost"] == pytest.approx(2 * (1000 * 2 + 200 * 10) / 1e6)


def test_rows_of_one_model_and_arm_say_which_run_they_are(tmp_path: Path) -> None:
    one = make_run(tmp_path / "strict", [sample("a", Outcome.PASSED, 0.0)])
    two = make_run(tmp_path / "realistic", [sample("a", Outcome.PASSED, 0.0)])
    table = make_leaderboard_table(rank_sides_into_rows(read_sides([str(one), str(two)]), {}))
    place = table.head.index("run")
    assert {row[place] for row in table.rows} == {"strict", "realistic"}
    assert [column.title for column in table.columns if column.kind == "label"] == ["model", "arm", "run"]


def test_prices_are_read_strictly(tmp_path: Path) -> None:
    good = tmp_path / "prices.yaml"
    good.write_text("openai/mine: {input: 0.5, output: 1.5}\n")
    assert read_prices(good) == {"openai/mine": Price(input=0.5, output=1.5)}
    bad = tmp_path / "bad.yaml"
    bad.write_text("openai/mine: {inptu: 0.5, output: 1.5}\n")
    with pytest.raises(ConfigError, match=r"bad\.yaml: openai/mine: inptu: unknown key.*'input'"):
        read_prices(bad)
    bad.write_text("openai/mine: {input: -1, output: 1.5}\n")
    with pytest.raises(ConfigError, match=r"openai/mine: input"):
        read_prices(bad)


def test_one_run_is_enough_and_files_hold_the_table(tmp_path: Path, graft: Graft) -> None:
    kept = ("--json", tmp_path / "l.json", "--markdown", tmp_path / "l.md")
    assert "openai/small" in graft("leaderboard", two_runs(tmp_path)[0], *kept)[1]
    assert json.loads((tmp_path / "l.json").read_text())[0]["by_level"]["file"]["tasks"] == 2
    assert "| openai/small | none, partial | 2 | 50.0 [" in (tmp_path / "l.md").read_text()


def test_what_passes_wrongly_is_told_in_one_line(tmp_path: Path) -> None:
    """Tasks whose wrong bodies nobody judged don't count; without any there is no line. Where a task has plus tests,
    what they let pass counts."""
    judged = [
        sample("a", Outcome.PASSED, 0.0, wrong=Passing(2, 2), wrong_plus=Passing(1, 2)),
        sample("b", Outcome.PASSED, 0.0, wrong=Passing(0, 2)),
        sample("c", Outcome.TESTS_FAILED, 0.0),
    ]
    run = str(make_run(tmp_path / "judged", judged))
    place = rank_sides_into_rows(read_sides([run], fewest=1), {})[0]
    rate = place.figures["false_pass"]
    assert isinstance(rate, Estimate) and (rate.value, rate.tasks) == (0.25, 2)
    line = "Of wrong bodies that look right these tests let pass 25.0 %."
    assert line in make_leaderboard_document((place,)).sections[0].items
    report = make_report(tmp_path / "judged", read_manifest(tmp_path / "judged"), judged)
    (found,) = (found for found in report.judged_by if "wrong bodies" in found)
    assert found.startswith("Of wrong bodies that look right these tests let pass 25.0 [")
    plain = str(make_run(tmp_path / "plain", [sample("a", Outcome.PASSED, 0.0)]))
    document = make_leaderboard_document(rank_sides_into_rows(read_sides([plain], fewest=1), {}))
    assert document.details == () and "wrong bodies" not in str(document)
