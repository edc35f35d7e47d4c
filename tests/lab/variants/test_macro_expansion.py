"""Prevents: a file in which one macro isn't found any more, and of which nothing else is compared."""

from __future__ import annotations

from executor.repository.build.graph import BuildStep
from lab.variants.macro_expansion import Findings, Unit, compare_expansions
from lab.variants.map_repair import MapRepair, MapRules


def _compared(before: bytes, after: bytes, names: dict[str, str], kept: tuple[str, ...] = ()) -> Findings:
    step = BuildStep("compile", (), ".", ("a.o",), ("a.c",))
    units = [Unit(step, (("a.c", text),)) for text in (before, after)]
    return compare_expansions(units[:1], units[1:], names, kept)


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
    mending = MapRepair(names, {"EVP_IV": "a script writes it"}, MapRules(frozenset(), frozenset()))
    assert mending.apply_findings(found)
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
