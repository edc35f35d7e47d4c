"""A small encoder for tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def static_encoder(folder: Path) -> str:
    """Write a sentence-transformers model that sums random vectors of characters. Returns its path."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import BertWordPieceTokenizer

    letters = [chr(code) for code in range(33, 127)]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    pieces = BertWordPieceTokenizer(vocab={word: number for number, word in enumerate(vocabulary)})
    weights = np.random.default_rng(0).normal(size=(len(vocabulary), 16)).astype(np.float32)
    static = StaticEmbedding(pieces._tokenizer, embedding_weights=weights)
    SentenceTransformer(modules=[static], device="cpu").save(str(folder))
    return str(folder)
