"""Prevents: a difference between arms that is one of their tasks, five comparisons of which one is taken for a find,
a gain that the same money would have bought by asking again, and runs of two data sets in one table."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from agent.values import Usage
from executor.values import Outcome
from experiments.compare.pairs import compare_sides
from experiments.compare.sides import read_sides
from experiments.run.records import SampleRecord
from index.errors import ConfigError
from tests.support.runs import Graft, make_run, record, succeed

FAILED, BROKEN, UNBUILT = Outcome.TESTS_FAILED, Outcome.INFRA_ERROR, Outcome.BUILD_FAILED


def of_arm(arm: str, passed: str, tokens: int = 100, sample: int = 0) -> list[SampleRecord]:
    """A sample for each letter of `passed`: task a, b, ... passes (p), fails (f), doesn't build (u) or is our error
    (i)."""
    ends = {"p": Outcome.PASSED, "f": FAILED, "u": UNBUILT, "i": BROKEN}
    usage = Usage(calls=1, prompt_tokens=tokens, completion_tokens=0, cost=tokens / 1000)
    records = []
    for task, letter in enumerate(passed):
        found = record(f"t{task:02}", ends[letter], arm, sample)
        verdict = replace(found.graft.verdict, built=letter != "u")
        records.append(replace(found, graft=replace(found.graft, verdict=verdict), usage=usage))
    return records


def test_arms_of_a_run_are_paired_by_task(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", [*of_arm("none", "ppffffffi"), *of_arm("oracle", "pfpppppppp")])
    (pair,) = compare_sides(read_sides([str(run)])).pairs
    assert (pair.first, pair.second, pair.difference.tasks, pair.left_out) == ("none", "oracle", 8, 2)
    assert pair.difference.value == pytest.approx(2 / 8 - 7 / 8)
    assert (pair.first_only, len(pair.second_only)) == (("t01",), 6)


def test_p_is_corrected_for_the_number_of_pairs(tmp_path: Path) -> None:
    arms = [*of_arm("none", "f" * 12), *of_arm("oracle", "p" * 12), *of_arm("hybrid", "pppppppppfff")]
    sides = read_sides([str(make_run(tmp_path / "run", arms))])
    assert max(pair.p_holm / pair.difference.p for pair in compare_sides(sides).pairs) == pytest.approx(3)
    against = compare_sides(sides, baseline="none").pairs
    assert [(pair.first, pair.second) for pair in against] == [("oracle", "none"), ("hybrid", "none")]
    assert against[0].p_holm == pytest.approx(2 * against[0].difference.p)


def test_the_same_budget_may_buy_as_much_by_asking_again(tmp_path: Path) -> None:
    again = list(itertools.chain.from_iterable(of_arm("none", "pu" * 6, 100, n) for n in range(3)))
    again += of_arm("none", "fp" * 6, 100, 3)
    run = make_run(tmp_path / "run", [*again, *of_arm("tools", "p" * 12, 250)])
    (pair,) = compare_sides(read_sides([str(run)])).pairs
    tokens = next(equal for equal in pair.equal_cost if equal.cost == "tokens")
    assert (tokens.cheaper, tokens.budget) == ("none", 250)
    # Even tasks build always and pass in 3 of 4; odd ones build, and pass, in 1 of 4.
    draws = {d: (100 + 100 * sum(math.comb(3, k) / math.comb(4, k) for k in range(d))) / 2 for d in range(1, 5)}
    assert tokens.draws == max(d for d, spent in draws.items() if spent <= 250) == 4
    assert tokens.spent == pytest.approx(draws[4])
    assert tokens.whole
    assert tokens.difference.first == pytest.approx((3 / 4 + 1) / 2)
    assert [equal.cost for equal in pair.equal_cost] == ["tokens", "dollars"]


def test_a_few_tasks_can_show_nothing(tmp_path: Path) -> None:
    few = make_run(tmp_path / "few", [*of_arm("a", "pppff"), *of_arm("b", "ppppf")])
    assert math.isnan(compare_sides(read_sides([str(few)])).pairs[0].seen_from)


def test_sides_of_several_runs_have_names_that_tell_them_apart(tmp_path: Path) -> None:
    one = make_run(tmp_path / "one", of_arm("none", "pf"), model="openai/small")
    two = make_run(tmp_path / "two", [*of_arm("none", "pp"), *of_arm("oracle", "pp")], model="openai/large")
    assert [side.name for side in read_sides([str(one), str(two)])] == ["small none", "large none", "large oracle"]
    assert [side.name for side in read_sides([f"{one}:none", f"{two}:oracle"])] == ["none", "oracle"]
    assert [side.name for side in read_sides([str(one), str(two)], ["none"])] == ["small none", "large none"]
    third = make_run(tmp_path / "three", of_arm("none", "pf"), model="openai/small")
    assert [side.name for side in read_sides([str(one), str(third)])] == ["one none", "three none"]


@pytest.mark.parametrize(
    ("words", "arms", "says"),
    [
        (["{one}:nnone"], [], "no finished sample of arm 'nnone'.*none"),
        (["{one}", "{other}"], [], "their tasks can't be paired"),
        (["{one}"], [], "at least two sides"),
        (["{one}", "{one}:none"], [], "at least two sides"),
        (["{one}"], ["oracel"], "--arms: no run has arm 'oracel'"),
        (["/nowhere"], [], "/nowhere"),
    ],
)
def test_what_cannot_be_compared_is_one_line(tmp_path: Path, words: Sequence[str], arms: list[str], says: str) -> None:
    one = make_run(tmp_path / "one", of_arm("none", "pf"))
    other = make_run(tmp_path / "other", of_arm("none", "pf"), dataset="example")
    with pytest.raises(ConfigError, match=says):
        read_sides([word.format(one=one, other=other) for word in words], arms)


def test_the_command_prints_pairs_and_keeps_them(tmp_path: Path, graft: Graft) -> None:
    run = make_run(tmp_path / "run", [*of_arm("none", "pffffffff"), *of_arm("oracle", "fpppppppp")], planned=2)
    kept = ("--json", tmp_path / "c.json", "--markdown", tmp_path / "c.md")
    out = succeed(graft, "compare", run, "--list-tasks", *kept)
    assert "-77.8 [" in out
    assert "none: partial run" in out
    assert f"t00: graft show {run} t00" in " ".join(out.split())
    found = json.loads((tmp_path / "c.json").read_text())
    assert found["pairs"][0]["difference"]["tasks"] == 9
    assert "| none | oracle | 9 |" in (tmp_path / "c.md").read_text()
    assert graft("compare", run, "--baseline", "orcale")[0] == 2
