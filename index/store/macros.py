"""How an index stores macros: the definitions of each file, and what was learnt from all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from index.cpp.macros import Definition, Learnt, MacroForm
from index.cpp.made_functions import Maker, Part


def learnt_to_text(learnt: Learnt) -> str:
    """The learnt macros as JSON."""
    return json.dumps(learnt, separators=(",", ":"))


def learnt_from_text(text: str) -> Learnt:
    """The learnt macros that `learnt_to_text` wrote."""
    return Learnt(
        (name, MacroForm(stored) if isinstance(stored, str) else _maker(stored))
        for name, stored in json.loads(text).items()
    )


def _maker(stored: Sequence[Sequence[Any]]) -> Maker:
    parameters, parts = stored
    return Maker(tuple(parameters), tuple(Part(*part) for part in parts))


def definitions_to_text(definitions: Iterable[Definition]) -> str:
    """A file's definitions as JSON."""
    return json.dumps(
        [[d.name, d.form, d.words] if d.maker is None else [d.name, d.form, d.words, d.maker] for d in definitions],
        separators=(",", ":"),
    )


def definitions_from_text(text: str) -> list[Definition]:
    """The definitions that `definitions_to_text` wrote."""
    return [
        Definition(name, MacroForm(form), tuple(words), _maker(maker[0]) if maker else None)
        for name, form, words, *maker in json.loads(text)
    ]
