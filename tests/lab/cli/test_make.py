"""Prevents: a wrong option or source of `graft make` that ends in a traceback; a first stage that needs a build."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.run.config import load_config
from tests.support.projects import makefile_project
from tests.support.runs import Graft


@pytest.fixture
def make(graft: Graft, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Graft:
    monkeypatch.setenv("GRAFT_CACHE", str(tmp_path / "cache"))
    return lambda *words: graft("make", *words, "--sandbox", "process", "--out", tmp_path / "bench")


def test_the_first_stage_writes_what_it_believes(make: Graft, tmp_path: Path) -> None:
    root = makefile_project(tmp_path / "shelf")
    code, out, err = make(root, "--until", "detect", "--limit", "7", "--since", "2024-01-31")
    assert code == 0, err
    assert "stopped after detect" in out
    text = (tmp_path / "bench" / "make.yaml").read_text()
    assert "tasks: 7" in text
    assert "since: '2024-01-31'" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere",), "nowhere: no such folder; give a folder, the address of a git repository or debian:NAME"),
        (("debian:No Name",), "debian:No Name: not the name of a source package"),
        (("debian:zlib", "--rev", "1"), "--rev 1: a Debian source package has one version"),
        ((".", "--lines", "9-5"), "--lines 9-5: give the fewest and the most, as 5-60"),
        ((".", "--hard", "--holes", "3"), "--holes 3: hard tasks have 1, 2, 4, 8 or 16 functions"),
        ((".", "--hard", "--lines", "5-60"), "--lines and --hard: leave one out"),
        ((".", "--hard", "--since", "2024-01-31"), "--since and --hard: leave one out"),
        (("redis", "--hard", "--setup-model", "x"), "--setup-model: leave it out; the recipe of redis comes with"),
    ],
)
def test_a_wrong_word_is_one_line(make: Graft, words: tuple[str, ...], message: str) -> None:
    code, _, err = make(*words)
    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_a_data_set_alone_is_enough_for_a_run(graft: Graft) -> None:
    code, _, err = graft("run", "dataset=no-bench", "model=gold", "arms=none")
    assert (code, "data set 'no-bench' is neither a name" in err) == (2, True)
    config = load_config(Path("dataset"), ["dataset=somewhere/my-bench", "model=gold"])
    assert (config.out, config.repos) == (Path("runs/my-bench-gold"), ())
