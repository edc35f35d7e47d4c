"""Prevents: an embedded encoder that learns nothing of who calls what, that gives other vectors on a second run, or
whose rows depend on the batch that they are in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from retrieval.vectors.static_encoder import (
    StaticEncoder,
    StaticModel,
    fit_static_model,
    load_static_model,
    save_static_model,
)

# Callers speak of flushing, what they call speaks of pages: no word is shared between the two.
CALLERS = [f"flush cache {n} shard{n % 7}" for n in range(40)]
CALLEES = [f"write page {n} block{n % 7}" for n in range(40)]
OTHERS = [f"parse token {n} lexeme{n % 7}" for n in range(80)]
TEXTS = [*CALLERS, *CALLEES, *OTHERS]


def fitted(dimensions: int = 16) -> StaticModel:
    callers = np.arange(40, dtype=np.int64)
    extra = np.arange(80, 120, dtype=np.int64)
    return fit_static_model(
        TEXTS, np.concatenate((callers, extra)), np.concatenate((callers + 40, extra + 40)), dimensions
    )


def test_a_caller_lies_near_what_its_like_call_though_they_share_no_word() -> None:
    encoder = StaticEncoder(fitted())
    query = encoder.encode_query(["flush the cache of shard3"])[0]
    scores = encoder.encode(TEXTS) @ query
    assert set(np.argsort(-scores)[:40].tolist()) == set(range(40, 80))
    assert {CALLEES[row - 40].split()[3] for row in np.argsort(-scores)[:5].tolist()} == {"block3"}


def test_a_second_fit_is_equal_and_a_row_depends_on_its_text_alone() -> None:
    one, other = StaticEncoder(fitted()), StaticEncoder(fitted())
    assert (one.encode(TEXTS) == other.encode(TEXTS)).all()
    assert (one.encode(TEXTS)[7] == one.encode([TEXTS[7]])[0]).all()
    lengths = np.linalg.norm(one.encode(TEXTS), axis=1)
    assert np.allclose(lengths, 1, atol=1e-5)


def test_what_it_never_read_is_the_zero_vector() -> None:
    encoder = StaticEncoder(fitted())
    assert not encoder.encode(["", "unheard of"]).any()
    assert not encoder.encode_query(["unheard of"]).any()


@pytest.mark.parametrize("texts", [[], ["alone"], ["a b c", "a b c"]])
def test_a_repository_without_a_call_gives_vectors_of_nothing(texts: list[str]) -> None:
    nothing = np.zeros(0, dtype=np.int64)
    model = fit_static_model(texts, nothing, nothing, 8)
    assert not StaticEncoder(model).encode(["a b c"]).any()


def test_what_is_saved_is_what_is_loaded(tmp_path: Path) -> None:
    model = fitted()
    save_static_model(model, tmp_path)
    assert (StaticEncoder(load_static_model(tmp_path)).encode(TEXTS) == StaticEncoder(model).encode(TEXTS)).all()
    np.save(tmp_path / "idf.npy", model.idf[:-1])
    with pytest.raises(ValueError, match="different models"):
        load_static_model(tmp_path)
