"""Prevents: a first verdict that waits for two rounds of all suites, and one that stands although the second round
says that the suite's results differ from run to run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from executor.repository.recipe import find_recipe
from executor.values import Outcome, Task
from experiments.run.config import RunConfig
from experiments.run.experiment import GivenAnswers, RunEnd, run_experiment
from experiments.run.manifest import read_manifest
from experiments.run.records import JOURNAL
from experiments.run.reference_models import make_prediction_models
from experiments.run.sampling.executions import EXPECTED

pytestmark = pytest.mark.slow

TASK = "money-print"


@pytest.fixture
def write_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """write_recipe(shell): the example's recipe without C++. Its suite c runs the shell's text before its program."""

    def write(before: str) -> None:
        own = find_recipe("example")
        text = (own.folder / "recipe.yaml").read_text(encoding="utf-8")
        recipe = yaml.safe_load(text.replace("../../examples", str(own.folder.parents[1] / "examples")))
        recipe["build"] = {"commands": ["make -j$JOBS build/test_c"], "goals": ["build/test_c"]}
        recipe["suites"] = [suite for suite in recipe["suites"] if suite["name"] == "c"]
        recipe["suites"][0]["argv"] = ["sh", "-c", f"{before}; exec build/test_c"]
        recipe["tests"] = {"default": ["c"]}
        path = tmp_path / "recipes" / "example" / "recipe.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(yaml.safe_dump(recipe), encoding="utf-8")
        monkeypatch.setenv("GRAFT_RECIPES", str(tmp_path / "recipes"))

    return write


def run_gold(tmp_path: Path, answers: GivenAnswers | None = None) -> RunEnd:
    config = RunConfig(
        dataset="example",
        tasks=(TASK,),
        sandbox="process",
        model="gold",
        arms=("none",),
        audit="none",
        plus=False,
        out=tmp_path / "run",
    )
    return run_experiment(config, tmp_path / "cache", answers=answers)


def read_outcomes(run: Path) -> list[str]:
    lines = (run / JOURNAL).read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["graft"]["verdict"]["outcome"] for line in lines]


def test_a_verdict_is_given_after_the_first_round_and_confirmed_by_the_second(  # type: ignore[no-untyped-def]
    tmp_path: Path, write_recipe, task: Task
) -> None:
    """The unmodified tree's second run of the suite waits until a verdict is in the journal: it would wait for ever if
    the verdict waited for it."""
    seen, journal = tmp_path / "seen", tmp_path / "run" / JOURNAL
    wait = f"while [ ! -s {journal} ]; do sleep 0.1; done"
    write_recipe(
        f"if mkdir {seen} 2> /dev/null; then :; elif grep -rqs ANSWER_7 --include=*.c .; then :; else {wait}; fi"
    )
    answer = "```c\n" + task.gold.replace("{", "{ /* ANSWER_7 */", 1) + "\n```"
    end = run_gold(tmp_path, answers=GivenAnswers(make_prediction_models({(TASK, 0): answer})))
    assert [record.graft.verdict.outcome for record in end.records] == [Outcome.PASSED]
    facts = read_manifest(end.run).repos["example"]
    assert (facts.early, facts.taken_back) == (1, ())
    assert not list((end.run / EXPECTED).glob("*.early.json"))


def test_what_the_second_round_takes_back_is_judged_again_after_a_kill_too(  # type: ignore[no-untyped-def]
    tmp_path: Path, write_recipe
) -> None:
    """A test that only the first run of the suite prints: the gold lacks it, and fails until the second round lacks it
    too."""
    seen = tmp_path / "seen"
    write_recipe(f"[ -e {seen} ] || echo PASS shaky; touch {seen}")
    end = run_gold(tmp_path)
    assert read_outcomes(end.run) == ["tests_failed", "passed"]
    assert [record.graft.verdict.outcome for record in end.records] == [Outcome.PASSED]
    facts = read_manifest(end.run).repos["example"]
    assert (facts.early, facts.taken_back) == (1, (TASK,))
    expected = json.loads((end.run / EXPECTED / "example.json").read_text(encoding="utf-8"))
    assert expected["ignored_in"]["c"] == ["shaky"]
    # As a kill leaves a run: the first verdict stands, and what it hangs on is noted.
    journal = end.run / JOURNAL
    first = journal.read_text(encoding="utf-8").splitlines()[0]
    journal.write_text(first + "\n", encoding="utf-8")
    (end.run / EXPECTED / "example.early.json").write_text('["c"]', encoding="utf-8")
    again = run_gold(tmp_path)
    assert [record.graft.verdict.outcome for record in again.records] == [Outcome.PASSED]
    assert not list((end.run / EXPECTED).glob("*.early.json"))
