"""Prevents: a map that a macro contradicts, mended so that two names become one, that it flips for ever, that a
printed name changes, or that a name becomes a text; one that takes hours over a large tree, as each name that must
stay costs a compilation of all units; one that never ends over a unit that fails for another reason; and a name that
changes although the one unit that can't do without it was passed over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from executor.repository.build.graph import BuildStep
from lab.variants import map_repair
from lab.variants.macro_expansion import Findings, RenamedUnits, Unit
from lab.variants.map_repair import MapRepair, MapRules, find_borrowed_names_to_keep


def _mending(names: dict[str, str], kept: dict[str, str] | None = None) -> MapRepair:
    return MapRepair(names, kept or {}, MapRules(frozenset({"there_already"}), frozenset({"test_one"})))


def test_a_name_follows_what_the_macro_makes() -> None:
    mending = _mending({"sdshdr": "gob", "sdshdr8": "zap"})
    assert mending.apply_findings(Findings(made={"sdshdr8": {"gob8"}}))
    assert mending.names == {"sdshdr": "gob", "sdshdr8": "gob8"}


def test_a_name_made_of_parts_that_stay_stays() -> None:
    mending = _mending({"get_width": "zap"})
    assert mending.apply_findings(Findings(made={"get_width": {"get_width"}}))
    assert mending.names == {}
    assert "parts that stay" in mending.kept["get_width"]


def test_the_parts_of_a_name_from_outside_stay() -> None:
    mending = _mending({"_t": "_zap", "wide": "gob"}, {"int8_t": "comes from outside"})
    assert mending.apply_findings(Findings(made={"int8_t": {"int8_zap"}}))
    assert mending.names == {"wide": "gob"}
    assert "int8_t" in mending.kept["_t"]


def test_a_name_that_is_taken_or_made_in_two_ways_stays_with_its_parts() -> None:
    for made in ({"there_already"}, {"gob8", "gab8"}, {"other_new"}):
        mending = _mending({"hdr": "gob", "hdr8": "zap", "other": "other_new"})
        assert mending.apply_findings(Findings(made={"hdr8": made}))
        assert "hdr8" not in mending.names
        assert len(set(mending.names.values())) == len(mending.names)


def test_following_ends() -> None:
    mending = _mending({"hdr8": "zap"})
    rounds = 0
    while mending.apply_findings(Findings(made={"hdr8": {f"gob{rounds}"}})):
        rounds += 1
        assert rounds < 10
    assert "hdr8" in mending.kept


def test_a_name_that_is_printed_stays_and_the_text_of_an_assertion_does_not_hold_one() -> None:
    mending = _mending({"test_one": "zap", "count": "gob"})
    assert mending.apply_findings(Findings(texts={("test_one", "test_one"), ("count", "count")}))
    assert mending.names == {"count": "gob"}


def test_a_name_that_a_script_writes_does_not_follow() -> None:
    mending = MapRepair({"_free": "_zap"}, {}, MapRules(frozenset(), frozenset(), frozenset({"lh_CAT_free"})))
    assert mending.apply_findings(Findings(made={"lh_CAT_free": {"lh_CAT_zap"}}))
    assert mending.names == {}


def test_a_name_never_becomes_a_text() -> None:
    """`EVP_##cipher` is `LN_aria` under the new names, and `#define LN_aria "aria"` is another macro, which stays."""
    mending = _mending({"EVP_": "LN_", "EVP_aria": "LN_zap"}, {"LN_aria": "made by a macro of parts that stay"})
    assert mending.apply_findings(Findings(made={"EVP_aria": {'"aria"'}}))
    assert mending.names == {}
    assert "name of another macro" in mending.kept["EVP_"]


def test_what_goes_on_differing_stays() -> None:
    mending = _mending({"hdr": "gob", "hdr8": "zap"})
    mending.follows = False
    assert mending.apply_findings(Findings(made={"hdr8": {"gob8"}}))
    assert mending.names == {}


def test_a_macro_whose_name_another_pastes_stays() -> None:
    """`i##malloc` is `imalloc`, and `#define imalloc lib_imalloc` must still find it."""
    mending = _mending({"imalloc": "zap", "lib_imalloc": "gob"})
    assert mending.apply_findings(Findings(made={"lib_imalloc": {"imalloc"}}))
    assert mending.names == {"lib_imalloc": "gob"}
    assert "parts that stay" in mending.kept["imalloc"]


def test_macros_that_only_pasting_reaches_stay_where_a_file_expands_otherwise() -> None:
    """`ec##_get` finds the macro that was `dh_get`, whose value has other tokens, and no token tells so."""
    text = """
#define dh_get NULL
# define ec_get (cast) get
#define eck_get \\
    ec_get
#define USE(kind) kind##_get
int x = USE(ec);
"""
    mending = _mending(
        {"dh_get": "ec_find", "ec_get": "ssl_find", "eck_get": "e_find", "_get": "_find", "USE": "TAKE"}
    )
    assert not mending.keep_macros_only_macros_reach(["b.c"], {"a.c": text, "b.c": "int ec_get;"})
    assert mending.keep_macros_only_macros_reach(["a.c"], {"a.c": text})
    assert mending.names.keys() == {"_get", "USE"}
    assert not mending.keep_macros_only_macros_reach(["a.c"], {"a.c": text})


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

    monkeypatch.setattr(map_repair, "_compile_and_find_failed_units", compile_)
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
    found, stuck = find_borrowed_names_to_keep(renamed, STEPS, NAMES, ("size", "length", "depth"))
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
