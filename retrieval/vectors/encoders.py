"""What turns texts into vectors: any object with `encode`, or a sentence-transformers model by name or path."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from index.errors import ConfigError, describe_install_commands

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Vectors = npt.NDArray[np.float32]

INSTALL = f"pip install torch==2.13.0, then {describe_install_commands('embed')}"
"""torch first and by its exact pin: a looser request may pull several GB."""


class Encoder(Protocol):
    def encode(self, texts: Sequence[str], /) -> Vectors:
        """One row per text: (n, d), finite. A row depends on its own text alone, to the last bit: rounding that
        depends on the batch would reveal the other texts in it. Texts past the model's window are clipped."""
        ...


def normalise_rows(vectors: Vectors) -> Vectors:
    """Each row at length 1; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def encode_query(encoder: Encoder, texts: Sequence[str]) -> Vectors:
    """By `encoder.encode_query` where the encoder treats queries differently, else by `encoder.encode`."""
    own = getattr(encoder, "encode_query", None)
    found: Vectors = encoder.encode(texts) if own is None else own(texts)
    return found


CHARS_PER_TOKEN = 3
"""For C and C++ in word pieces, on the low side: a window that the model would clip loses its end."""


class SentenceEncoder:
    """A sentence-transformers model on one CPU thread; vectors of length 1. `window`: roughly how many characters of a
    text it reads; 0 when it doesn't say."""

    def __init__(self, model: SentenceTransformer) -> None:
        self._model = model
        # None where a model doesn't say, infinite where it sums words.
        length = model.max_seq_length or 0
        self.window = 0 if length == math.inf else CHARS_PER_TOKEN * int(length)

    def encode(self, texts: Sequence[str], /) -> Vectors:
        """Documents; see `Encoder`. With one text a batch nothing is padded, so no text changes another's rounding. On
        one thread it is also faster than padded batches (24 functions/s against 17 in batches of 32, for a MiniLM)."""
        vectors = self._model.encode_document(
            list(texts), batch_size=1, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(vectors, dtype=np.float32)

    def encode_query(self, texts: Sequence[str], /) -> Vectors:
        """Queries, with the prompt that a model may keep for them."""
        vectors = self._model.encode_query(
            list(texts), batch_size=1, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(vectors, dtype=np.float32)


def load_encoder(name_or_path: str) -> Encoder:
    """The sentence-transformers model of that name or in that folder. HF_HUB_OFFLINE=1 forbids its download.

    Sets torch to one thread for the whole process: with samples in work at once, more threads make a query many
    times slower. Raises ConfigError when the extra `embed` isn't installed, or there is no such model.
    """
    try:
        import torch
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        why = "" if isinstance(error, ModuleNotFoundError) else f" ({_summarise_error(error)})"
        raise ConfigError(f"encoder: {name_or_path} needs sentence-transformers{why}: {INSTALL}") from error
    torch.set_num_threads(1)
    try:
        model = SentenceTransformer(name_or_path, device="cpu")
    # The library raises OSError, ValueError, KeyError and errors of its own and of what it calls.
    except Exception as error:
        raise ConfigError(
            f"encoder: {name_or_path}: no sentence-transformers model of that name or in that folder"
            f" ({_summarise_error(error)}); give a hub's name or a path"
        ) from error
    return SentenceEncoder(model)


def _summarise_error(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
