"""Prevents: a file in which one macro isn't found any more, and of which nothing else is compared; a map that a macro
contradicts, mended so that two names become one, that it flips for ever, that a printed name changes, or that a name
becomes a text; one that takes hours over a large tree, as each name that must stay costs a compilation of all units;
one that never ends over a unit that fails for another reason; and a name that changes although the one unit that can't
do without it was passed over."""

from __future__ import annotations

import pytest

from executor.repository.build.graph import BuildStep
from lab.variants import map_repair
from lab.variants.macro_expansion import Findings, RenamedUnits, Unit, compare_expansions
from lab.variants.map_repair import MapRepair, MapRules, find_outside_names_to_keep_by_compiling


def _compared(before, after, names, *kept):
    step = BuildStep("compile", (), ".", ("a.o",), ("a.c",))
    units = [Unit(step, (("a.c", text),)) for text in (before, after)]
    return compare_expansions(units[:1], units[1:], names, kept)


def test_the_other_lines_of_a_file_are_compared_where_one_has_another_length():
    names = {"gcm": "ege", "aes_gcm_init": "zap_gob", "ctx": "lid", "aes_gcm_get": "rup"}
    found = _compared(b"(ctx)->n + 1;\nx = aes_gcm_init;\n", b"aes_ege_get(lid);\nx = aes_ege_init;\n", names)
    assert found.unlike == {"a.c"}
    assert found.made == {"aes_gcm_init": {"aes_ege_init"}, "aes_gcm_get": {"aes_ege_get"}}


@pytest.mark.parametrize(
    ("names", "before", "after", "made"),
    [
        # Its value is one number.
        ({"EVP_": "IBE_", "EVP_CBC_MODE": "IBE_VAM"}, b"mode = 0x2;", b"mode = IBE_CBC_MODE;", "EVP_CBC_MODE"),
        # `LOG_##level` was `LOG_INFO`, which is `SYS_INFO`: that one doesn't become what stands there now.
        ({"LOG_": "GOB_", "LOG_INFO": "RUP", "SYS_INFO": "ZAP"}, b"log(SYS_INFO);", b"log(GOB_INFO);", "LOG_INFO"),
        # A script wrote it.
        ({"_num": "_bas", "stack": "vusk"}, b"n = OPENSSL_sk_num(stack);", b"n = sk_CAT_bas(vusk);", "sk_CAT_num"),
    ],
)
def test_a_macro_that_is_not_found_any_more_is_seen(names, before, after, made):
    found = _compared(before + b"\n", after + b"\n", names, "sk_CAT_num")
    part = next(part for part in names if part in made and part != made)
    assert found.made == {made: {made.replace(part, names[part])}}
    assert found.units == {"a.c"} and not found.unlike


def test_a_macro_is_seen_whose_renamed_parts_stand_apart_or_that_stays():
    names = {"EVP_": "IBE_", "_MODE": "_TAKO", "EVP_CBC_MODE": "IBE_VAM_RUP"}
    found = _compared(b"mode = 0x2, 3 + 4;\n", b"mode = IBE_CBC_TAKO, IBE_IV;\n", names, "EVP_IV")
    assert found.made == {"EVP_CBC_MODE": {"IBE_CBC_TAKO"}, "EVP_IV": {"IBE_IV"}}
    mending = MapRepair(names, {"EVP_IV": "a script writes it"}, MapRules(frozenset(), frozenset()))
    assert mending.apply_findings(found)
    assert "EVP_" in mending.kept and "EVP_IV" not in mending.names


RULES = MapRules(frozenset({"there_already"}), frozenset({"test_one"}), frozenset({"lh_CAT_free"}))


def _mending(names, kept=None):
    return MapRepair(dict(names), kept or {}, RULES)


@pytest.mark.parametrize(
    ("names", "kept", "made", "left", "why"),
    [
        # It follows what the macro makes.
        ({"sdshdr": "gob", "sdshdr8": "zap"}, {}, {"sdshdr8": {"gob8"}}, {"sdshdr": "gob", "sdshdr8": "gob8"}, {}),
        # It's made of parts that stay.
        ({"get_width": "zap"}, {}, {"get_width": {"get_width"}}, {}, {"get_width": "parts that stay"}),
        # The parts of a name from outside stay.
        ({"_t": "_zap", "w": "g"}, {"int8_t": "outside"}, {"int8_t": {"int8_zap"}}, {"w": "g"}, {"_t": "int8_t"}),
        # What a script writes doesn't follow.
        ({"_free": "_zap"}, {}, {"lh_CAT_free": {"lh_CAT_zap"}}, {}, {}),
        # `EVP_##cipher` is `LN_aria` under the new names, and `#define LN_aria "aria"` is another macro, which stays.
        ({"EVP_": "LN_", "EVP_aria": "LN_zap"}, {"LN_aria": "made by a macro"}, {"EVP_aria": {'"aria"'}}, {},
         {"EVP_": "name of another macro"}),
        # `i##malloc` is `imalloc`, and `#define imalloc lib_imalloc` must still find it.
        ({"imalloc": "zap", "lib_imalloc": "gob"}, {}, {"lib_imalloc": {"imalloc"}}, {"lib_imalloc": "gob"},
         {"imalloc": "parts that stay"}),
    ],
)  # fmt: skip
def test_a_name_follows_what_a_macro_makes_or_stays(names, kept, made, left, why):
    mending = _mending(names, kept)
    assert mending.apply_findings(Findings(made=made))
    assert mending.names == left
    assert all(reason in mending.kept[name] for name, reason in why.items())


@pytest.mark.parametrize("made", [{"there_already"}, {"gob8", "gab8"}, {"other_new"}])
def test_a_name_that_is_taken_or_made_in_two_ways_stays_with_its_parts(made):
    mending = _mending({"hdr": "gob", "hdr8": "zap", "other": "other_new"})
    assert mending.apply_findings(Findings(made={"hdr8": made}))
    assert "hdr8" not in mending.names
    assert len(set(mending.names.values())) == len(mending.names)


def test_following_ends():
    mending = _mending({"hdr8": "zap"})
    rounds = 0
    while mending.apply_findings(Findings(made={"hdr8": {f"gob{rounds}"}})):
        rounds += 1
        assert rounds < 10
    assert "hdr8" in mending.kept


def test_a_name_that_is_printed_stays_and_the_text_of_an_assertion_does_not_hold_one():
    mending = _mending({"test_one": "zap", "count": "gob"})
    assert mending.apply_findings(Findings(texts={("test_one", "test_one"), ("count", "count")}))
    assert mending.names == {"count": "gob"}


def test_what_goes_on_differing_stays():
    mending = _mending({"hdr": "gob", "hdr8": "zap"})
    mending.follows = False
    assert mending.apply_findings(Findings(made={"hdr8": {"gob8"}}))
    assert mending.names == {}


def test_macros_that_only_pasting_reaches_stay_where_a_file_expands_otherwise():
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

    def __init__(self):
        self.files: dict[str, str] = {}

    def write(self, path, data):
        self.files[path] = data.decode()


STEPS = [
    BuildStep("compile", ("cc", "-c", f"{number}.c"), "", (f"{number}.o",), (f"{number}.c",)) for number in range(200)
]
OWN = {"7.c": "int x(struct box *b) { return b->depth; }", "8.c": "int y;"}


def _needed(monkeypatch, failed, foreign=b"size length depth"):
    """What must stay, the sources that still fail and those that were compiled, and the session. `failed` gives a
    unit's errors."""
    session, compiled = _Session(), list[str]()

    def compile_(_, batch):
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
    renamed = RenamedUnits(session, {"box.h": HEADER, **OWN}, (), units)
    found, stuck = find_outside_names_to_keep_by_compiling(renamed, STEPS, NAMES, ("size", "length", "depth"))
    return found, [step.sources[0] for step in stuck], compiled, session


@pytest.mark.parametrize("broken", [False, True])
def test_a_headers_names_are_found_by_a_few_of_its_units(broken, monkeypatch):
    def failed(session, step):
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


def test_a_unit_with_a_name_of_its_own_in_question_is_compiled(monkeypatch):
    def failed(session, step):
        bad = step.sources == ("7.c",) and "vusk" in session.files["7.c"]
        return "7.c:1:1: error: no member named 'vusk'" * bad

    found, _, compiled, _ = _needed(monkeypatch, failed)
    assert set(found) == {"depth"}
    assert "7.c" in compiled


def test_only_units_in_which_a_name_comes_from_outside_are_compiled(monkeypatch):
    found, _, compiled, _ = _needed(monkeypatch, lambda session, step: "", foreign=b"other")
    assert found == {}
    # It can't be preprocessed, so that nothing is known of it.
    assert compiled == ["9.c"]
