"""Macros as an index keeps them: the definitions of each file, and what was learnt of all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from index.cpp.macros import Definition, Learnt, MacroForm
from index.cpp.made_functions import Maker, Part


def as_text(learnt: Learnt) -> str:
    """What was learnt, as an index keeps it."""
    return json.dumps(learnt, separators=(",", ":"))


def from_text(text: str) -> Learnt:
    """What `as_text` wrote."""
    return Learnt(
        (name, MacroForm(how) if isinstance(how, str) else _maker(how)) for name, how in json.loads(text).items()
    )


def _maker(told: Sequence[Sequence[Any]]) -> Maker:
    parameters, parts = told
    return Maker(tuple(parameters), tuple(Part(*part) for part in parts))


def definitions_text(found: Iterable[Definition]) -> str:
    """A file's definitions, as an index keeps them."""
    return json.dumps(
        [[d.name, d.form, d.words] if d.maker is None else [d.name, d.form, d.words, d.maker] for d in found],
        separators=(",", ":"),
    )


def definitions_from(text: str) -> list[Definition]:
    """What `definitions_text` wrote."""
    return [
        Definition(name, MacroForm(form), tuple(words), _maker(maker[0]) if maker else None)
        for name, form, words, *maker in json.loads(text)
    ]
