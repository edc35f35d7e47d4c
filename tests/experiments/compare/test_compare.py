"""Prevents: a difference between arms that is one of their tasks, five comparisons of which one is taken for a find,
a gain that the same money would have bought by asking again, and runs of two data sets in one table; a table of models
that hides an unfinished run, a price that nobody knows shown as nought, and a misspelt key in a file of prices; two
runs of a study in one folder, a key that varies and is given once more, and a study that has to be begun again after a
stop, or put together by hand from its runs."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from agent.values import Usage
from executor.grading.metrics import Estimate
from executor.manifest.false_passes import Passing
from executor.values import Outcome
from experiments.compare import study
from experiments.compare.leaderboard import (
    Price,
    make_leaderboard_document,
    make_leaderboard_table,
    rank_sides_with_samples_into_rows,
    read_prices,
)
from experiments.compare.pairs import compare_sides
from experiments.compare.sides import Side, read_sides
from experiments.compare.study import read_matrix, run_study_and_print_tables
from experiments.report.run_end import STOPPED
from experiments.run.config import RunConfig
from experiments.run.experiment import RunEnd
from experiments.run.records import SampleRecord, read_finished_records
from index.errors import ConfigError
from tests.support.runs import Graft, make_run, record, refuse, report_of, succeed

ENDS = {
    "p": Outcome.PASSED, "f": Outcome.TESTS_FAILED, "u": Outcome.BUILD_FAILED, "i": Outcome.INFRA_ERROR,
}  # fmt: skip


def of_arm(arm: str, passed: str, tokens: int = 100, sample: int = 0) -> list[SampleRecord]:
    """A sample for each letter of `passed`: task a, b, ... passes (p), fails (f), doesn't build (u) or is our error
    (i)."""
    usage = Usage(calls=1, prompt_tokens=tokens, completion_tokens=0, cost=tokens / 1000)
    return [
        record(f"t{task:02}", ENDS[letter], arm, sample, built=letter != "u", usage=usage)
        for task, letter in enumerate(passed)
    ]


def sides_of(folder: Path, *records: SampleRecord) -> list[Side]:
    return read_sides([str(make_run(folder / "run", records))])


def test_arms_of_a_run_are_paired_by_task(tmp_path: Path) -> None:
    sides = sides_of(tmp_path, *of_arm("none", "ppffffffi"), *of_arm("oracle", "pfpppppppp"))
    (pair,) = compare_sides(sides).pairs
    assert (pair.first, pair.second, pair.difference.tasks, pair.left_out) == ("none", "oracle", 8, 2)
    assert pair.difference.value == pytest.approx(2 / 8 - 7 / 8)
    assert (pair.first_only, len(pair.second_only)) == (("t01",), 6)


def test_p_is_corrected_for_the_number_of_pairs(tmp_path: Path) -> None:
    arms = [*of_arm("none", "f" * 12), *of_arm("oracle", "p" * 12), *of_arm("hybrid", "pppppppppfff")]
    sides = sides_of(tmp_path, *arms)
    assert max(pair.p_holm / pair.difference.p for pair in compare_sides(sides).pairs) == pytest.approx(3)
    against = compare_sides(sides, baseline="none").pairs
    assert [(pair.first, pair.second) for pair in against] == [("oracle", "none"), ("hybrid", "none")]
    assert against[0].p_holm == pytest.approx(2 * against[0].difference.p)


def test_the_same_budget_may_buy_as_much_by_asking_again(tmp_path: Path) -> None:
    again = list(itertools.chain.from_iterable(of_arm("none", "pu" * 6, 100, n) for n in range(3)))
    again += of_arm("none", "fp" * 6, 100, 3)
    (pair,) = compare_sides(sides_of(tmp_path, *again, *of_arm("tools", "p" * 12, 250))).pairs
    assert [equal.cost for equal in pair.equal_cost] == ["tokens", "dollars"]
    tokens = pair.equal_cost[0]
    assert (tokens.cheaper, tokens.budget, tokens.whole) == ("none", 250, True)
    # Even tasks build always and pass in 3 of 4; odd ones build, and pass, in 1 of 4.
    draws = {d: (100 + 100 * sum(math.comb(3, k) / math.comb(4, k) for k in range(d))) / 2 for d in range(1, 5)}
    assert tokens.draws == max(d for d, spent in draws.items() if spent <= 250) == 4
    assert tokens.spent == pytest.approx(draws[4])
    assert tokens.difference.first == pytest.approx((3 / 4 + 1) / 2)


def test_a_few_tasks_can_show_nothing(tmp_path: Path) -> None:
    sides = sides_of(tmp_path, *of_arm("a", "pppff"), *of_arm("b", "ppppf"))
    assert math.isnan(compare_sides(sides).pairs[0].seen_from)


def test_sides_of_several_runs_have_names_that_tell_them_apart(tmp_path: Path) -> None:
    one = make_run(tmp_path / "one", of_arm("none", "pf"), model="openai/small")
    two = make_run(tmp_path / "two", [*of_arm("none", "pp"), *of_arm("oracle", "pp")], model="openai/large")
    third = make_run(tmp_path / "three", of_arm("none", "pf"), model="openai/small")
    for words, arms, names in (
        ((one, two), (), ["small none", "large none", "large oracle"]),
        ((f"{one}:none", f"{two}:oracle"), (), ["none", "oracle"]),
        ((one, two), ("none",), ["small none", "large none"]),
        ((one, third), (), ["one none", "three none"]),
    ):
        assert [side.name for side in read_sides([str(word) for word in words], arms)] == names


def test_sides_stand_in_the_order_of_the_configuration_whatever_arm_ended_first(tmp_path: Path) -> None:
    ended = [*of_arm("oracle", "pp"), *of_arm("none", "pf"), *of_arm("older", "pf")]
    sides = read_sides([str(make_run(tmp_path / "run", ended, arms=("none", "hybrid", "oracle")))])
    assert [side.name for side in sides] == ["none", "oracle", "older"]
    assert {pair.second for pair in compare_sides(sides, baseline="1").pairs} == {"none"}


@pytest.mark.parametrize(
    ("words", "arms", "says"),
    [
        (["{one}:nnone"], [], r"no finished sample of arm 'nnone'; did you mean 'none'\?$"),
        (["{one}:xyz"], [], "no finished sample of arm 'xyz'; arms: none$"),
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
    assert json.loads((tmp_path / "c.json").read_text())["pairs"][0]["difference"]["tasks"] == 9
    assert "| none | oracle | 9 |" in (tmp_path / "c.md").read_text()
    refuse(graft, "compare", run, "--baseline", "orcale")


# The table of models


def sample(task: str, outcome: Outcome, cost: float | None, **more: object) -> SampleRecord:
    usage = Usage(calls=1, prompt_tokens=1000, completion_tokens=200, cost=cost)
    return record(task, outcome, usage=usage, **more)


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
    first, second = rank_sides_with_samples_into_rows(read_sides(runs), {})
    assert (first.side.model, first.standing.reached.value) == ("openai/large", 1.0)
    assert (first.figures["cost"], first.cost_per_solved) == (None, None)
    assert (len(second.side.records), second.figures["cost"]) == (2, pytest.approx(0.02))
    assert second.cost_per_solved == pytest.approx(0.02)
    assert {name: part.value for name, part in second.parts["repository"].items()} == {"openssl": 0.0, "redis": 1.0}
    table = make_leaderboard_table((first, second))
    assert table.column_titles[:2] == ("model", "arm")
    assert dict(zip(table.column_titles, table.rows[1], strict=True))["arm"] == "none, partial"
    assert dict(zip(table.column_titles, table.rows[0], strict=True))["USD/solved"] == "-"
    priced, _ = rank_sides_with_samples_into_rows(read_sides(runs), {"openai/large": Price(input=2.0, output=10.0)})
    assert priced.figures["cost"] == pytest.approx(2 * (1000 * 2 + 200 * 10) / 1e6)


def test_rows_of_one_model_and_arm_say_which_run_they_are(tmp_path: Path) -> None:
    runs = [str(make_run(tmp_path / name, [sample("a", Outcome.PASSED, 0.0)])) for name in ("strict", "realistic")]
    table = make_leaderboard_table(rank_sides_with_samples_into_rows(read_sides(runs), {}))
    place = table.column_titles.index("run")
    assert {row[place] for row in table.rows} == {"strict", "realistic"}
    assert [column.title for column in table.columns if column.kind == "label"] == ["model", "arm", "run"]


def test_prices_are_read_strictly(tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text("openai/mine: {input: 0.5, output: 1.5}\n")
    assert read_prices(path) == {"openai/mine": Price(input=0.5, output=1.5)}
    for keys, says in (
        ("inptu: 0.5, output: 1.5", r"prices\.yaml: openai/mine: inptu: unknown key.*'input'"),
        ("input: -1, output: 1.5", "openai/mine: input"),
    ):
        path.write_text(f"openai/mine: {{{keys}}}\n")
        with pytest.raises(ConfigError, match=says):
            read_prices(path)


def test_one_run_is_enough_and_files_hold_the_table(tmp_path: Path, graft: Graft) -> None:
    kept = ("--json", tmp_path / "l.json", "--markdown", tmp_path / "l.md")
    assert "openai/small" in succeed(graft, "leaderboard", two_runs(tmp_path)[0], *kept)
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
    run = make_run(tmp_path / "judged", judged)
    place = rank_sides_with_samples_into_rows(read_sides([str(run)], fewest=1), {})[0]
    rate = place.figures["false_pass"]
    assert isinstance(rate, Estimate) and (rate.value, rate.tasks) == (0.25, 2)
    says = "Of wrong bodies that look right these tests let pass 25.0"
    assert f"{says} %." in make_leaderboard_document((place,)).sections[0].items
    (found,) = (line for line in report_of(run, judged).judged_by if "wrong bodies" in line)
    assert found.startswith(f"{says} [")
    plain = str(make_run(tmp_path / "plain", [sample("a", Outcome.PASSED, 0.0)]))
    document = make_leaderboard_document(rank_sides_with_samples_into_rows(read_sides([plain], fewest=1), {}))
    assert document.details == () and "wrong bodies" not in str(document)


# Studies


def write(folder: Path, text: str) -> Path:
    path = folder / "study.yaml"
    path.write_text(text)
    return path


STUDY = """\
vary:
  model: [openai/small, other/large]
  seed: [0, 1]
  variant: [null, "renamed:seed=2"]
dataset: example
arms: [none]
"""


def test_each_combination_is_a_run_with_a_folder_of_its_own(tmp_path: Path) -> None:
    matrix = read_matrix(write(tmp_path, STUDY))
    assert matrix is not None
    assert matrix.out == Path("runs/study")
    assert len(matrix.runs) == 8
    first, second = matrix.runs[:2]
    assert first.title == "model=openai/small seed=0 variant=None"
    assert first.config.out == Path("runs/study/small-seed0")
    assert second.config.out == Path("runs/study/small-seed0-renamed-seed-2")
    assert (second.config.variant, second.config.seed) == ("renamed:style=nonsense,seed=2", 0)
    assert len({part.config.out for part in matrix.runs}) == 8


def test_the_command_line_settles_a_key(tmp_path: Path) -> None:
    path = write(tmp_path, STUDY)
    matrix = read_matrix(path, ["model=gold", "seed=5", "out=elsewhere", "arms=none,oracle"])
    assert matrix is not None
    assert [part.config.out for part in matrix.runs] == [Path("elsewhere/run"), Path("elsewhere/renamed-seed-2")]
    settled = {(part.config.model, part.config.seed, part.config.arms) for part in matrix.runs}
    assert settled == {("gold", 5, ("none", "oracle"))}
    assert read_matrix(write(tmp_path, "model: gold\n")) is None, "without vary it is no study"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("vary: [model]\n", r"study\.yaml: vary: expected keys with lists"),
        ("vary: {modle: [gold]}\n", r"vary\.modle: unknown key.*'model'"),
        ("vary: {arms: [none, oracle]}\nmodel: gold\n", r"vary\.arms: arms can't vary"),
        ("vary: {model: gold}\n", r"vary\.model: expected a list"),
        ("vary: {dataset: [example, yabloco]}\nmodel: gold\n", r"vary\.dataset: dataset can't vary"),
        ("vary: {model: [a/x, b/x]}\n", r"two combinations are called x"),
        ("vary: {model: [gold], seed: [none]}\n", r"study\.yaml: seed:"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        read_matrix(write(tmp_path, text))


def test_a_run_without_a_sample_that_counts_keeps_no_table_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    letters = {"openai/large": "pf", "openai/gone": "ii", "openai/small": "ff", "openai/dear": ""}

    def end_at_once(config: RunConfig, *_: object, **__: object) -> RunEnd:
        assert config.out is not None
        run = make_run(config.out, of_arm("none", letters[config.model]), model=config.model)
        records = read_finished_records(run) if letters[config.model] else ()
        return RunEnd(run, records, "" if records else "ceiling reached")

    monkeypatch.setattr(study, "run_experiment", end_at_once)
    out = tmp_path / "study [b]"
    matrix = read_matrix(write(tmp_path, f"vary: {{model: [{', '.join(letters)}]}}\nout: {out}\n"))
    assert matrix is not None
    assert run_study_and_print_tables(matrix, tmp_path) == STOPPED
    printed = capsys.readouterr().out
    assert "openai/large" in printed and "openai/gone" not in printed.partition("USD/solved")[2]
    assert f"Kept: {out}" in printed.replace("\n", ""), "a path, and no markup"
    assert "| small none | large none | 2 |" in (out / "comparison.md").read_text()


@pytest.mark.slow
def test_a_study_ends_in_one_table_and_goes_on_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    """Golds pass and stubs don't: of C, of C++ and in a header. All golds are tried in the renamed tree."""
    keys = "dataset: example\ntasks: [text-trim, split-tags, sorted-list-insert]\narms: [none]\n"
    keys += "sandbox: process\naudit: none\n"
    matrix = read_matrix(write(tmp_path, f"vary: {{model: [stub, gold]}}\n{keys}out: {tmp_path / 'study'}\n"))
    assert matrix is not None
    assert run_study_and_print_tables(matrix, cache) == 0
    printed = capsys.readouterr().out
    assert "USD/solved" in printed
    assert "p (Holm)" in printed
    places = json.loads((tmp_path / "study" / "leaderboard.json").read_text())
    assert [(place["model"], place["pass_at_1"]["value"]) for place in places] == [("gold", 1.0), ("stub", 0.0)]
    assert "| gold none | stub none | 3 |" in (tmp_path / "study" / "comparison.md").read_text()
    golds, stubs = (read_finished_records(tmp_path / "study" / model) for model in ("gold", "stub"))
    assert all(r.graft.exact_match and r.official.exact_match and r.edit_similarity == 1.0 for r in golds)
    assert {r.official.verdict.outcome for r in golds} == {Outcome.PASSED}
    assert all(r.graft.verdict.built for r in stubs)
    journal = tmp_path / "study" / "gold" / "journal.jsonl"
    before = journal.read_bytes()
    assert run_study_and_print_tables(matrix, cache) == 0
    assert journal.read_bytes() == before
