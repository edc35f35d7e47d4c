"""Prevents: a commit's new build that embeds the whole repository again, a killed build that starts from nothing,
and a damaged cache that gives other vectors or ends the run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from retrieval.vectors import vector_cache
from retrieval.vectors.encoders import Vectors
from retrieval.vectors.vector_cache import encode_with_cache
from tests.support.progress import RecordedProgress


class Counting:
    def __init__(self, fail_after: int = 10**9) -> None:
        self.asked: list[str] = []
        self.fail_after = fail_after

    def __call__(self, texts: Sequence[str]) -> Vectors:
        if len(self.asked) + len(texts) > self.fail_after:
            raise KeyboardInterrupt
        self.asked += texts
        return np.array([[len(text), sum(text.encode())] for text in texts], dtype=np.float32)


def test_only_new_texts_are_encoded_and_rows_keep_their_place(tmp_path: Path) -> None:
    path = tmp_path / "v" / "a.sqlite"
    first = Counting()
    before = encode_with_cache(path, ["a", "bb", "a"], 2, first)
    assert first.asked == ["a", "bb"]
    second = Counting()
    after = encode_with_cache(path, ["bb", "ccc", "a"], 2, second)
    assert second.asked == ["ccc"]
    assert after.tolist() == [before[1].tolist(), [3, 297], before[0].tolist()]


def test_a_build_that_is_cut_off_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_cache, "TEXTS_PER_CHUNK", 4)
    texts = [f"text {n}" for n in range(10)]
    with pytest.raises(KeyboardInterrupt):
        encode_with_cache(tmp_path / "a.sqlite", texts, 2, Counting(fail_after=8))
    again = Counting()
    progress = RecordedProgress()
    encode_with_cache(tmp_path / "a.sqlite", texts, 2, again, progress)
    assert again.asked == texts[8:]
    assert progress.counts == [("functions encoded", 2, 2)]


@pytest.mark.parametrize("damage", [b"", b"no database at all, but long enough to have a header" * 9])
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "a.sqlite"
    expected = encode_with_cache(path, ["a", "b"], 2, Counting())
    path.write_bytes(damage)
    again = Counting()
    assert (encode_with_cache(path, ["a", "b"], 2, again) == expected).all()
    assert again.asked == ["a", "b"]


def test_vectors_of_another_width_are_not_taken(tmp_path: Path) -> None:
    encode_with_cache(tmp_path / "a.sqlite", ["a"], 2, Counting())
    wide = encode_with_cache(tmp_path / "a.sqlite", ["a"], 3, lambda texts: np.ones((len(texts), 3), dtype=np.float32))
    assert wide.tolist() == [[1, 1, 1]]


def test_what_nobody_uses_is_dropped_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_cache, "TEXTS_PER_CHUNK", 4)
    path = tmp_path / "a.sqlite"
    for commit in range(4):
        encode_with_cache(path, [f"{commit} {n}" for n in range(4)], 2, Counting())
    last = Counting()
    encode_with_cache(path, [f"3 {n}" for n in range(4)], 2, last)
    assert last.asked == []
    first = Counting()
    encode_with_cache(path, [f"0 {n}" for n in range(4)], 2, first)
    assert len(first.asked) == 4
