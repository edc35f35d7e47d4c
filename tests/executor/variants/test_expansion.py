"""Prevents: a map that a macro contradicts, mended so that two names become one, that it flips for ever, or that a
printed name changes; a file in which one macro isn't found any more, and of which nothing else is compared."""

from __future__ import annotations

from executor.build.graph import BuildStep
from executor.variants.expansion import Expansions, Findings, Mending, Unit, compare_expansions


def _mending(names: dict[str, str], kept: dict[str, str] | None = None) -> Mending:
    return Mending(names, kept or {}, frozenset({"there_already"}), frozenset({"test_one"}))


def test_a_name_follows_what_the_macro_makes() -> None:
    mending = _mending({"sdshdr": "gob", "sdshdr8": "zap"})
    assert mending.mend(Findings(made={"sdshdr8": {"gob8"}}))
    assert mending.names == {"sdshdr": "gob", "sdshdr8": "gob8"}


def test_a_name_made_of_parts_that_stay_stays() -> None:
    mending = _mending({"get_width": "zap"})
    assert mending.mend(Findings(made={"get_width": {"get_width"}}))
    assert mending.names == {}
    assert "parts that stay" in mending.kept["get_width"]


def test_the_parts_of_a_name_from_outside_stay() -> None:
    mending = _mending({"_t": "_zap", "wide": "gob"}, {"int8_t": "comes from outside"})
    assert mending.mend(Findings(made={"int8_t": {"int8_zap"}}))
    assert mending.names == {"wide": "gob"}
    assert "int8_t" in mending.kept["_t"]


def test_a_name_that_is_taken_or_made_in_two_ways_stays_with_its_parts() -> None:
    for made in ({"there_already"}, {"gob8", "gab8"}, {"other_new"}):
        mending = _mending({"hdr": "gob", "hdr8": "zap", "other": "other_new"})
        assert mending.mend(Findings(made={"hdr8": made}))
        assert "hdr8" not in mending.names
        assert len(set(mending.names.values())) == len(mending.names)


def test_following_ends() -> None:
    mending = _mending({"hdr8": "zap"})
    rounds = 0
    while mending.mend(Findings(made={"hdr8": {f"gob{rounds}"}})):
        rounds += 1
        assert rounds < 10
    assert "hdr8" in mending.kept


def test_a_name_that_is_printed_stays_and_the_text_of_an_assertion_does_not_hold_one() -> None:
    mending = _mending({"test_one": "zap", "count": "gob"})
    assert mending.mend(Findings(texts={("test_one", "test_one"), ("count", "count")}))
    assert mending.names == {"count": "gob"}


def test_a_name_that_a_script_writes_does_not_follow() -> None:
    mending = Mending({"_free": "_zap"}, {}, frozenset(), frozenset(), frozenset({"lh_CAT_free"}))
    assert mending.mend(Findings(made={"lh_CAT_free": {"lh_CAT_zap"}}))
    assert mending.names == {}


def test_a_name_never_becomes_a_text() -> None:
    """`EVP_##cipher` is `LN_aria` under the new names, and `#define LN_aria "aria"` is another macro, which stays."""
    mending = _mending({"EVP_": "LN_", "EVP_aria": "LN_zap"}, {"LN_aria": "made by a macro of parts that stay"})
    assert mending.mend(Findings(made={"EVP_aria": {'"aria"'}}))
    assert mending.names == {}
    assert "name of another macro" in mending.kept["EVP_"]


def test_what_goes_on_differing_stays() -> None:
    mending = _mending({"hdr": "gob", "hdr8": "zap"})
    mending.follows = False
    assert mending.mend(Findings(made={"hdr8": {"gob8"}}))
    assert mending.names == {}


def test_a_macro_whose_name_another_pastes_stays() -> None:
    """`i##malloc` is `imalloc`, and `#define imalloc lib_imalloc` must still find it."""
    mending = _mending({"imalloc": "zap", "lib_imalloc": "gob"})
    assert mending.mend(Findings(made={"lib_imalloc": {"imalloc"}}))
    assert mending.names == {"lib_imalloc": "gob"}
    assert "parts that stay" in mending.kept["imalloc"]


def _compared(before: bytes, after: bytes, names: dict[str, str], kept: tuple[str, ...] = ()) -> Findings:
    units = [Unit(BuildStep("compile", (), ".", ("a.o",), ("a.c",)), (("a.c", key),)) for key in (b"1", b"2")]
    return compare_expansions(
        [units[0]], [units[1]], Expansions({b"1": before}), Expansions({b"2": after}), names, kept
    )


def test_the_other_lines_of_a_file_are_compared_where_one_has_another_length() -> None:
    names = {"gcm": "ege", "aes_gcm_init": "zap_gob", "ctx": "lid", "aes_gcm_get": "rup"}
    found = _compared(b"(ctx)->n + 1;\nx = aes_gcm_init;\n", b"aes_ege_get(lid);\nx = aes_ege_init;\n", names)
    assert found.unlike == {"a.c"}
    assert found.made == {"aes_gcm_init": {"aes_ege_init"}, "aes_gcm_get": {"aes_ege_get"}}


def test_a_macro_of_one_number_that_is_not_found_any_more_is_seen() -> None:
    names = {"EVP_": "IBE_", "EVP_CBC_MODE": "IBE_VAM_TAKO"}
    found = _compared(b"mode = 0x2;\n", b"mode = IBE_CBC_MODE;\n", names)
    assert found.made == {"EVP_CBC_MODE": {"IBE_CBC_MODE"}}
    assert found.units == {"a.c"} and not found.unlike


def test_a_macro_is_seen_whose_renamed_parts_stand_apart_or_that_stays() -> None:
    names = {"EVP_": "IBE_", "_MODE": "_TAKO", "EVP_CBC_MODE": "IBE_VAM_RUP"}
    found = _compared(b"mode = 0x2, 3 + 4;\n", b"mode = IBE_CBC_TAKO, IBE_IV;\n", names, ("EVP_IV",))
    assert found.made == {"EVP_CBC_MODE": {"IBE_CBC_TAKO"}, "EVP_IV": {"IBE_IV"}}
    mending = _mending(names, {"EVP_IV": "a script writes it"})
    assert mending.mend(found)
    assert "EVP_" in mending.kept and "EVP_IV" not in mending.names


def test_a_macro_that_is_not_found_gives_its_value_no_name() -> None:
    """`LOG_##level` was `LOG_INFO`, which is `SYS_INFO`: that one doesn't become what stands there now."""
    names = {"LOG_": "GOB_", "LOG_INFO": "RUP_LID", "SYS_INFO": "ZAP_LID"}
    found = _compared(b"log(SYS_INFO);\n", b"log(GOB_INFO);\n", names)
    assert found.made == {"LOG_INFO": {"GOB_INFO"}}


def test_a_macro_that_a_script_wrote_is_read_back() -> None:
    names = {"_num": "_bas", "stack": "vusk"}
    found = _compared(b"n = OPENSSL_sk_num(stack);\n", b"n = sk_CAT_bas(vusk);\n", names, ("sk_CAT_num",))
    assert found.made == {"sk_CAT_num": {"sk_CAT_bas"}}
