"""Prevents: a map that takes hours over a large tree, as each name that must stay costs a compilation of all
units; one that never ends over a unit that fails for another reason; and a name that changes although the one unit
that can't do without it was passed over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from executor.repository.build.graph import BuildStep
from lab.variants import map_repair as borrowed
from lab.variants.macro_expansion import RenamedUnits, Unit

HEADER = "struct box { int size, length, depth; };"
NAMES = {"box": "kub", "size": "mog", "length": "pelk", "depth": "vusk"}


class _Session:
    """The files that were written."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def write(self, path: str, data: bytes) -> None:
        self.files[path] = data.decode()


STEPS = [
    BuildStep("compile", ("cc", "-c", f"{number}.c"), "", (f"{number}.o",), (f"{number}.c",)) for number in range(200)
]
OWN = {"7.c": "int x(struct box *b) { return b->depth; }", "8.c": "int y;"}


def _needed(
    monkeypatch: pytest.MonkeyPatch,
    failed: Callable[[_Session, BuildStep], str],
    foreign: bytes = b"size length depth",
) -> tuple[dict[str, str], list[str], list[str], _Session]:
    """What must stay, the sources that still fail and those that were compiled, and the session. `failed` gives a
    unit's errors."""
    session, compiled = _Session(), list[str]()

    def compile_(_: Any, batch: Sequence[BuildStep]) -> dict[str, str]:
        compiled.extend(step.sources[0] for step in batch)
        return {step.outputs[0]: errors for step in batch if (errors := failed(session, step))}

    monkeypatch.setattr(borrowed, "_find_failed_units", compile_)
    units = [
        Unit(
            step,
            (("box.h", HEADER.encode()), *((path, OWN[path].encode()) for path in step.sources if path in OWN)),
            frozenset(foreign.split()),
        )
        for step in STEPS
        if step.sources != ("9.c",)
    ]
    renamed = RenamedUnits(session, {"box.h": HEADER, **OWN}, (), units)  # type: ignore[arg-type]
    found, stuck = borrowed.find_borrowed_names_to_keep(renamed, STEPS, NAMES, ("size", "length", "depth"))
    return found, [step.sources[0] for step in stuck], compiled, session


@pytest.mark.parametrize("broken", [False, True])
def test_a_headers_names_are_found_by_a_few_of_its_units(broken: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def failed(session: _Session, step: BuildStep) -> str:
        for name in ("size", "length"):
            if name not in session.files["box.h"]:
                return f"1.c:1:1: error: no member named '{NAMES[name]}'"
        return "7.c:1:1: error: no" if broken and step.sources == ("7.c",) else ""

    found, stuck, compiled, session = _needed(monkeypatch, failed)
    assert set(found) == {"size", "length"}
    assert stuck == ["7.c"] * broken
    assert "no member named 'mog'" in found["size"]
    assert len(compiled) < 30
    assert session.files["box.h"] == "struct kub { int size, length, vusk; };"


def test_a_unit_with_a_name_of_its_own_in_question_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def failed(session: _Session, step: BuildStep) -> str:
        bad = step.sources == ("7.c",) and "vusk" in session.files["7.c"]
        return "7.c:1:1: error: no member named 'vusk'" * bad

    found, _, compiled, _ = _needed(monkeypatch, failed)
    assert set(found) == {"depth"}
    assert "7.c" in compiled


def test_only_units_in_which_a_name_comes_from_outside_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _, compiled, _ = _needed(monkeypatch, lambda session, step: "", foreign=b"other")
    assert found == {}
    # It can't be preprocessed, so that nothing is known of it.
    assert compiled == ["9.c"]
