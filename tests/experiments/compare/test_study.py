"""Prevents: two runs of a study in one folder, a key that varies and is given once more, and a study that has to be
begun again after a stop, or put together by hand from its runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.compare.study import run_study
from experiments.compare.study_file import read_matrix
from index.errors import ConfigError


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
        ("vary: {model: [a/x, b/x]}\n", r"two combinations are called x"),
        ("vary: {model: [gold], seed: [none]}\n", r"study\.yaml: seed:"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        read_matrix(write(tmp_path, text))


@pytest.mark.slow
def test_a_study_ends_in_one_table_and_goes_on_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    keys = "dataset: example\narms: [none]\nlimit: 2\nsandbox: process\naudit: none\n"
    matrix = read_matrix(write(tmp_path, f"vary: {{model: [stub, gold]}}\n{keys}out: {tmp_path / 'study'}\n"))
    assert matrix is not None
    assert run_study(matrix, cache) == 0
    printed = capsys.readouterr().out
    assert "USD/solved" in printed
    assert "p (Holm)" in printed
    places = json.loads((tmp_path / "study" / "leaderboard.json").read_text())
    assert [(place["model"], place["pass_at_1"]["value"]) for place in places] == [("gold", 1.0), ("stub", 0.0)]
    assert "| gold none | stub none | 2 |" in (tmp_path / "study" / "comparison.md").read_text()
    journal = tmp_path / "study" / "gold" / "journal.jsonl"
    before = journal.read_bytes()
    assert run_study(matrix, cache) == 0
    assert journal.read_bytes() == before
