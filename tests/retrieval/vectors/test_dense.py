"""Prevents: vectors of hidden functions that move a rank, hits that depend on chance, vectors of another model or
build that answer for this one, and a missing extra that ends in a traceback."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from index.build import build_index
from index.errors import ConfigError
from index.hiding.hidden_view import HiddenView
from index.repo_index import RepoIndex, open_index
from index.values import Masking, Span, Target
from retrieval.protocol import Retriever
from retrieval.text.terms import join_query_text, split_terms
from retrieval.vectors.dense import PROBE, DenseRetriever
from retrieval.vectors.encoders import Encoder, Vectors, load_encoder
from tests.support.indexes import Indexed
from tests.support.targets import TABLE_SOURCE, find_target, replace_body, table_target

ROOT = Path(__file__).parents[3]
WINDOW = 256
# One process alone imports torch.
pytestmark = pytest.mark.xdist_group("encoder")


class Words:
    """Our own encoder: each term a random direction, a text their sum. Remembers what it was asked."""

    def __init__(self, dimensions: int = 48, salt: str = "") -> None:
        self.dimensions = dimensions
        self.salt = salt
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str], /) -> Vectors:
        self.asked += texts
        return np.array([self._sum(text) for text in texts], dtype=np.float32).reshape(len(texts), self.dimensions)

    def _sum(self, text: str) -> Any:
        found = [self._direction(term) for term in split_terms(text)]
        return np.sum(found, axis=0) if found else np.zeros(self.dimensions)

    def _direction(self, term: str) -> Any:
        seed = int.from_bytes(hashlib.sha256((self.salt + term).encode()).digest()[:8], "little")
        return np.random.default_rng(seed).normal(size=self.dimensions)


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a real, tiny BERT of random weights, as sentence-transformers loads it."""
    import torch
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    letters = [chr(code) for code in range(33, 127)]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    pieces = BertWordPieceTokenizer(vocab={word: number for number, word in enumerate(vocabulary)}, lowercase=False)
    folder = tmp_path_factory.mktemp("bert")
    PreTrainedTokenizerFast(
        tokenizer_object=pieces._tokenizer,
        model_max_length=WINDOW,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    ).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=WINDOW,
    )
    BertModel(config).save_pretrained(folder)
    return folder


def found(retriever: DenseRetriever, index: RepoIndex, target: Target, masking: Masking = "strict") -> Any:
    hits = retriever.retrieve(index.hide(target, masking), target, 50)
    return [(hit.symbol.path, hit.symbol.qualified_name, hit.score) for hit in hits]


def unhidden(retriever: DenseRetriever, index: RepoIndex, target: Target) -> list[float]:
    """The target's own score, as a view without a hole gives it."""
    hits = retriever.retrieve(HiddenView(index, target, "strict", (), {}), target, 50)
    return [hit.score for hit in hits if hit.symbol.qualified_name == target.name and hit.symbol.path == target.path]


def test_the_nearest_comes_first_and_the_target_never(indexed: Indexed) -> None:
    index = indexed({"a.c": TABLE_SOURCE})
    dense: Retriever = DenseRetriever(index, Words(), "words")
    view = index.hide(table_target(), "strict")
    hits = dense.retrieve(view, table_target(), 10)
    assert hits[0].symbol.name == "entry_free"
    assert sorted(hit.symbol.name for hit in hits) == ["draw_box", "draw_line", "entry_free"]
    assert dense.name == "dense"
    assert dense.retrieve(view, table_target(), 1) == hits[:1]
    assert dense.retrieve(view, table_target(), 0) == []


def test_scores_are_the_cosines(indexed: Indexed) -> None:
    index = indexed({"a.c": TABLE_SOURCE})
    words = Words()
    (_, _, score) = found(DenseRetriever(index, words, "words"), index, table_target())[0]
    one, other = words.encode(
        [
            join_query_text(table_target()),
            "void entry_free(struct entry *e)\n/* Release one entry of the table. */\n{ heap_release(e); }",
        ]
    )
    assert score == pytest.approx(float(one @ other / np.linalg.norm(one) / np.linalg.norm(other)), abs=1e-6)


def test_equal_functions_tie_and_go_by_path_and_place(indexed: Indexed) -> None:
    """More of them than are asked for: FAISS alone would choose among them by its own order."""
    same = "void twin(void) { plot(); }\n"
    index = indexed({"c.c": same * 9, "a.c": same * 9, "b.c": "void plot_all(void) {\n  secret();\n}\n" + same * 9})
    target = find_target(index, "plot_all")
    dense = DenseRetriever(index, Words(), "words")
    hits = dense.retrieve(index.hide(target, "strict"), target, 27)
    assert len({hit.score for hit in hits}) == 1
    places = [(hit.symbol.path, hit.symbol.span.first) for hit in hits]
    assert places == sorted(places)
    for limit in (1, 5, 20):
        assert dense.retrieve(index.hide(target, "strict"), target, limit) == hits[:limit]


@pytest.mark.parametrize("masking", ["strict", "realistic"])
def test_no_hidden_function_is_a_hit(traps: Any, masking: Masking) -> None:
    dense = DenseRetriever(traps.index, Words(), "words")
    clones = 0
    for target in traps.targets:
        view = traps.index.hide(target, masking)
        hits = {(h.symbol.path, h.symbol.span) for h in dense.retrieve(view, target, 50)}
        assert (target.path, target.span) not in hits
        for clone in view.clones:
            clones += 1
            assert ((clone.path, clone.span) in hits) == (masking == "realistic")
    assert clones > 0


@pytest.mark.parametrize("model", ["words", "bert"])
def test_words_of_the_gold_move_no_rank_and_no_score(
    traps: Any, model: str, bert: Path, request: pytest.FixtureRequest
) -> None:
    """To the last bit: with padded batches the gold's length would show in its neighbours' rounding."""
    encoder: Encoder = Words() if model == "words" else load_encoder(str(bert))
    index = traps.index
    target = find_target(index, "list_remove")
    before = found(DenseRetriever(index, encoder, model), index, target)
    bare = unhidden(DenseRetriever(index, encoder, model), index, target)
    assert len(before) >= 5
    assert "list_remove" not in [name for _, name, _ in before]
    other = replace_body(index, target, "return list_sum(value); ")
    request.addfinalizer(other.close)
    assert other.build != index.build
    moved = find_target(other, "list_remove")
    assert moved.span == target.span
    assert found(DenseRetriever(other, encoder, model), other, moved) == before
    # The check can fail: where nothing is hidden, the two bodies score differently.
    assert bare != unhidden(DenseRetriever(other, encoder, model), other, moved)


def test_a_function_with_a_cut_text_is_encoded_from_what_is_left(indexed: Indexed) -> None:
    source = """\
int outer(int n) {
    struct Local {
        // Walk on.
        int step(int by) {
            return secret_word(by) + other_secret(by, by);
        }
    };
    return Local().step(n) + visible_word(n);
}
int lonely(void) { return 1; }
"""
    index = indexed({"a.cpp": source})
    words = Words()
    dense = DenseRetriever(index, words, "words")
    target = find_target(index, "step")
    words.asked.clear()
    hits = found(dense, index, target)
    assert [name for _, name, _ in hits if name == "outer"] == ["outer"]
    assert len(words.asked) == 2
    assert "visible_word" in words.asked[1]
    assert "secret" not in "".join(words.asked)


def test_vectors_are_kept_with_their_build_and_encoder(indexed: Indexed) -> None:
    index = indexed({"a.c": TABLE_SOURCE})
    first, again, other = Words(), Words(), Words(dimensions=32)
    expected = found(DenseRetriever(index, first, "words"), index, table_target())
    assert len(first.asked) == 1 + 4 + 1
    kept = DenseRetriever(index, again, "words")
    assert again.asked == [PROBE]
    assert found(kept, index, table_target()) == expected
    DenseRetriever(index, other, "other")
    assert len(other.asked) == 1 + 4
    (index.root / "a.c").write_text(TABLE_SOURCE + "void table_entry(void) { hash(); }\n")
    build_index(index.root, index.folder, workers=1)
    fresh = open_index(index.folder, index.root)
    assert "table_entry" in [
        name for _, name, _ in found(DenseRetriever(fresh, again, "words"), fresh, table_target())
    ]
    fresh.close()


@pytest.mark.parametrize("changed", [Words(salt="trained on"), Words(dimensions=32)])
def test_another_model_under_the_same_name_is_noticed(indexed: Indexed, changed: Words) -> None:
    index = indexed({"a.c": TABLE_SOURCE})
    DenseRetriever(index, Words(), "words")
    got = found(DenseRetriever(index, changed, "words"), index, table_target())
    assert len(changed.asked) == 1 + 4 + 1
    assert got == found(DenseRetriever(index, changed, "its own name"), index, table_target())


def test_damaged_vectors_are_made_again(indexed: Indexed) -> None:
    index = indexed({"a.c": TABLE_SOURCE})
    expected = found(DenseRetriever(index, Words(), "words"), index, table_target())
    (kept,) = (index.folder / "derived").glob("dense-*/vectors.npy")
    kept.write_bytes(kept.read_bytes()[:-7])
    assert found(DenseRetriever(index, Words(), "words"), index, table_target()) == expected


def test_an_index_without_functions_answers(indexed: Indexed) -> None:
    index = indexed({"a.h": "struct only;\n\n"})
    target = Target("t", "a.h", Span(1, 2), "f", "void f(void)", "", "c")
    assert found(DenseRetriever(index, Words(), "words"), index, target) == []


class Broken:
    def __init__(self, vectors: Any) -> None:
        self._vectors = vectors

    def encode(self, texts: Sequence[str], /) -> Vectors:
        return np.array(self._vectors, dtype=np.float32)


@pytest.mark.parametrize("vectors", [[1.0, 2.0], [[1.0], [2.0]], [[float("nan"), 1.0]]])
def test_an_encoder_that_breaks_its_contract_is_named(indexed: Indexed, vectors: Any) -> None:
    with pytest.raises(ConfigError, match="encoder mine: encode gave"):
        DenseRetriever(indexed({"a.c": TABLE_SOURCE}), Broken(vectors), "mine")


def test_a_model_by_path_gives_unit_vectors_that_depend_on_their_text_alone(bert: Path) -> None:
    encoder = load_encoder(str(bert))
    texts = ["void f(int a)", "int g(void) { return h() + h() * h(); }", "x" * 10 * WINDOW]
    together = encoder.encode(texts)
    assert (together.dtype, together.shape) == (np.float32, (3, 32))
    assert np.linalg.norm(together, axis=1) == pytest.approx([1.0] * 3, abs=1e-5)
    assert not np.allclose(together[0], together[1], atol=1e-3)
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert np.array_equal(together, alone)
    # Past the window nothing counts.
    assert np.array_equal(encoder.encode(["x" * 20 * WINDOW]), together[2:])


@pytest.mark.parametrize("name", ["nowhere/no-such", "{folder}", "{folder}/nowhere"])
def test_an_unknown_model_is_one_line(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    # What HF_HUB_OFFLINE=1 sets; the variable itself is read once, at the import.
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ConfigError, match=r"^encoder: .*: no sentence-transformers model[^\n]*$"):
        load_encoder(name.format(folder=tmp_path))


@pytest.mark.parametrize("missing", ["sentence_transformers", "torch"])
def test_the_missing_extra_is_one_line_with_the_fix(missing: str) -> None:
    code = f"""\
import sys
from importlib.abc import MetaPathFinder

class Blocker(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
from retrieval.vectors.encoders import load_encoder
load_encoder("some/model")
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    error = done.stderr.strip().splitlines()[-1]
    assert error.startswith("index.errors.ConfigError: encoder: some/model needs sentence-transformers: pip install")
    assert error.index("torch==") < error.index("[embed]")


def test_neither_torch_nor_faiss_is_loaded_before_it_is_needed() -> None:
    heavy = "{'torch', 'faiss', 'sentence_transformers'}"
    code = f"import sys, retrieval.vectors.dense; assert not {heavy} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
