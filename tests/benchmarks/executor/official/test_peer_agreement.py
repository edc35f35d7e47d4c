"""Prevents: an official figure that the peers' own code wouldn't give.

GRAFT_PEERS names a folder with clones of yabloco-benchmark and MERA_CODE; without it their code isn't run here, and
tests/executor/grading/test_official.py holds Graft to what it once made of answers of ours."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from benchmarks.executor.official.drawn_answers import draw_answers
from benchmarks.executor.official.peer_agreement import OWN, compare_answers, compare_golds, compare_runs, make_vectors
from benchmarks.executor.official.peer_code import Peers, PeersMissingError, load_peers
from executor.tasks.datasets import load_rows

ROWS = load_rows("yabloco")
GOLDS = [row.official_gold or "" for row in ROWS]


@pytest.fixture(scope="module")
def peers() -> Peers:
    try:
        return load_peers()
    except PeersMissingError as error:
        if os.environ.get("GRAFT_CI") == "1" and not error.unset:
            pytest.fail(f"GRAFT_CI=1 and {error}")
        pytest.skip(str(error))


def test_answers_are_read_spliced_and_compared_alike(peers: Peers) -> None:
    tally = compare_answers(peers, GOLDS, each=8, seed=7)
    assert tally.compared["mera: parse"] == 8 * len(GOLDS)
    assert not tally.differing, tally.examples


def test_all_golds_are_compared_alike(peers: Peers) -> None:
    tally = compare_answers(peers, OWN, each=1)
    compare_golds(peers, ROWS, None, tally)
    assert tally.compared["yabloco-paper: gold, exact match"] == 2 * 218
    assert not tally.differing, tally.examples


def test_whole_runs_are_scored_alike(peers: Peers) -> None:
    tally = compare_answers(peers, OWN, each=1)
    compare_runs(peers, tally, runs=20, seed=7)
    assert tally.compared["yabloco: whole runs"] == tally.compared["mera: whole runs"] == 240
    assert not tally.differing, tally.examples


def test_a_difference_is_counted(peers: Peers) -> None:
    """A comparison that can't fail shows nothing."""
    parsers = {**peers.parsers, "mera": peers.parsers["yabloco"]}
    tally = compare_answers(
        Peers(parsers, peers.exact, peers.files, peers.processes, peers.commits, {}, {}), GOLDS[:5], each=40
    )
    assert set(tally.differing) == {"mera: parse"}
    assert tally.examples[0]["what"] == "mera: parse"


def test_the_recorded_vectors_are_what_the_peers_give_today(peers: Peers) -> None:
    recorded = Path(__file__).parents[3] / "executor" / "grading" / "official_vectors.json"
    assert make_vectors(peers, 40) == json.loads(recorded.read_bytes())


def test_the_draw_is_the_same_each_time_and_holds_each_kind() -> None:
    drawn = list(draw_answers(GOLDS[:40], 60, seed=3))
    assert drawn == list(draw_answers(GOLDS[:40], 60, seed=3))
    assert drawn != list(draw_answers(GOLDS[:40], 60, seed=4))
    texts = [text for _, text in drawn]
    for mark in ("```cc\n", "```C++\n", "\nint main(", " int main(", "#include", "~~~c", "\r\n", "````"):
        assert any(mark in text for text in texts), mark
    assert sum(not text.strip() for text in texts) > 10
    assert sum(text.count("```") == 1 for text in texts) > 50


def test_missing_clones_are_named(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAFT_PEERS", str(tmp_path))
    with pytest.raises(PeersMissingError, match="yabloco-benchmark: no git clone with the branch mera_code") as caught:
        load_peers()
    assert not caught.value.unset
    monkeypatch.delenv("GRAFT_PEERS")
    with pytest.raises(PeersMissingError, match="GRAFT_PEERS names no folder") as caught:
        load_peers()
    assert caught.value.unset
