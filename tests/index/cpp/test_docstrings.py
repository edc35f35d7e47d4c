"""Prevents: the banner of a section taken for the documentation of the function below it, and documentation in a box
taken for a banner."""

from __future__ import annotations

import pytest

from index.cpp.docstrings import count_comments_through_last_banner
from tests.support.indexes import Indexed


@pytest.mark.parametrize(
    "banner",
    [
        # redis: sentinel.c, sha256.c, replication.c, geo.c
        "/* =========================== SENTINEL command ============================= */",
        "/*********************** FUNCTION DECLARATIONS **********************/",
        "/* --------------------------- Utility functions ---------------------------- */",
        "/* ====================================================================\n * Helpers\n"
        " * ==================================================================== */",
        # redis's copies of SFMT and Lua
        "/*----------------\n  STATIC FUNCTIONS\n  ----------------*/",
        "/* ------------------------------------------------------------------------ */",
        # openssl: e_padlock.c, ecdh_exch.c
        "/* ===== Random Number Generator ===== */",
        "/************\n     * ECDH KDF *\n     ************/",
    ],
)
def test_a_title_between_rules_is_a_banner(banner: str) -> None:
    assert count_comments_through_last_banner([banner]) == 1
    assert count_comments_through_last_banner([banner, "/* KDF (if any) to use for ECDH */"]) == 1


@pytest.mark.parametrize(
    "comments",
    [
        ["/* Frees the list. */"],
        ["/** A list - of anything. */"],
        ["/* a --- b */"],
        ["/*-------------------\n * Frees the list.\n *-------------------*/"],
        ["/*********\n * Adds a node to the tail of the list\n * and returns the list.\n *********/"],
        ["//-------------------", "// Frees the list.", "//-------------------"],
        ["// Adds one", "// and returns it"],
        # bullet3: Matrices.cpp, SoftDemo.cpp
        ["/" * 79, "// transpose 3x3 matrix", "/" * 79],
        ["//", "// Basic ropes", "//"],
    ],
)
def test_sentences_are_documentation_whatever_stands_around_them(comments: list[str]) -> None:
    assert count_comments_through_last_banner(comments) == 0


def test_a_banner_of_several_comments_goes_with_what_stands_above_it() -> None:
    # jemalloc's witness.h, openssl's vms_term_sock.c, LLVM
    rule = "/******************************************************************************/"
    assert count_comments_through_last_banner([rule, "/* API */", rule]) == 3
    assert count_comments_through_last_banner([rule, "/*                 */", rule]) == 3
    assert count_comments_through_last_banner([rule, "/* Adds a node. */"]) == 1
    line = "//===----------------------------------------------------------------------===//"
    assert count_comments_through_last_banner(["// Old.", line, "// Iterators", line, "// Adds a node."]) == 4


def test_the_function_below_a_banner_has_only_its_own_comment(
    indexed: Indexed,
) -> None:
    source = (
        "/* ===== Random Number Generator ===== */\n/*\n * Wrapper of the RNG\n */\nint padlock(void) { return 1; }\n"
        "/* --------------------------- Utility functions ---------------------------- */\n"
        "int utility(void) { return 2; }\n"
    )
    index = indexed({"a.c": source})
    padlock, utility = index.functions
    assert padlock.symbol.docstring == "/*\n * Wrapper of the RNG\n */"
    assert source[padlock.doc :].startswith("/*\n * Wrapper")
    assert (utility.symbol.docstring, utility.doc) == ("", utility.symbol.start_byte)
