"""Prevents: a map that a macro contradicts, mended so that two names become one, that it flips for ever, that a
printed name changes, or that a name becomes a text."""

from __future__ import annotations

from lab.variants.macro_expansion import Findings
from lab.variants.map_repair import MapRepair, MapRules


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
    assert not mending.keep_pasted_macros(["b.c"], {"a.c": text, "b.c": "int ec_get;"})
    assert mending.keep_pasted_macros(["a.c"], {"a.c": text})
    assert mending.names.keys() == {"_get", "USE"}
    assert not mending.keep_pasted_macros(["a.c"], {"a.c": text})
