"""Prevents: a map that takes hours over a large tree, as each name that must stay costs a compilation of all
units; and one that never ends over a unit that fails for another reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from executor.build.graph import BuildStep
from executor.variants import borrowed
from executor.variants.expansion import RenamedUnits

HEADER = "struct box { int size, length, depth; };"
NAMES = {"box": "kub", "size": "mog", "length": "pelk", "depth": "vusk"}


class _Session:
    """The files that were written."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def write(self, path: str, data: bytes) -> None:
        self.files[path] = data.decode()


@pytest.mark.parametrize("broken", [False, True])
def test_a_headers_names_are_found_by_a_few_of_its_units(broken: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [
        BuildStep("compile", ("cc", "-c", f"{number}.c"), "", (f"{number}.o",), (f"{number}.c",))
        for number in range(200)
    ]
    session, compiled = _Session(), 0

    def failed(session: Any, batch: Sequence[BuildStep]) -> dict[str, str]:
        nonlocal compiled
        compiled += len(batch)
        for name in ("size", "length"):
            if name not in session.files["box.h"]:
                return {step.outputs[0]: f"1.c:1:1: error: no member named '{NAMES[name]}'" for step in batch}
        return {step.outputs[0]: "7.c:1:1: error: no" for step in batch if broken and step.sources == ("7.c",)}

    monkeypatch.setattr(borrowed, "_failed", failed)
    asked = {name: NAMES[name] for name in ("size", "length", "depth")}
    texts = {"box.h": HEADER, "7.c": "int x(struct box *b) { return b->depth; }", "8.c": "int y;"}
    renamed = RenamedUnits(session, texts, ())  # type: ignore[arg-type]
    found = borrowed.needed_names(renamed, steps, NAMES, asked)
    assert set(found) == {"size", "length", *(["depth"] if broken else [])}
    assert "no member named 'mog'" in found["size"]
    assert compiled < 240
    assert session.files["box.h"] == "struct kub { int size, length, vusk; };"
