"""How an index stores macros: the definitions of each file, and what was learnt from all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from index.cpp.declaring_macros import DeclaringMacro, ReplacementPart
from index.cpp.macros import Definition, LearntMacros, MacroForm


def decode_learnt_macros(text: str) -> LearntMacros:
    """The learnt macros from JSON, as `json.dumps` writes them."""
    return LearntMacros(
        (name, MacroForm(stored) if isinstance(stored, str) else _decode_declaring_macro(stored))
        for name, stored in json.loads(text).items()
    )


def _decode_declaring_macro(stored: Sequence[Sequence[Any]]) -> DeclaringMacro:
    parameters, parts = stored
    return DeclaringMacro(tuple(parameters), tuple(ReplacementPart(*part) for part in parts))


def encode_definitions(definitions: Iterable[Definition]) -> str:
    """A file's definitions as JSON."""
    return json.dumps(
        [[d.name, d.form, d.words] if d.maker is None else [d.name, d.form, d.words, d.maker] for d in definitions],
        separators=(",", ":"),
    )


def decode_definitions(text: str) -> list[Definition]:
    """The definitions that `encode_definitions` wrote."""
    return [
        Definition(name, MacroForm(form), tuple(words), _decode_declaring_macro(maker[0]) if maker else None)
        for name, form, words, *maker in json.loads(text)
    ]
