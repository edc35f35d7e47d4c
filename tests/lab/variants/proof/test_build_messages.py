"""Prevents: a build that fails over one name that must stay, and a map that is mended by the wrong name, or by all
names that a compiler happens to quote."""

from __future__ import annotations

import time

import pytest

from lab.variants.proof.build_messages import (
    find_names_breaking_build,
    find_names_changing_output,
    find_names_in_texts_alike,
)

NAMES = {
    "dictFind": "golpVusk",
    "dictType": "golpBrin",
    "REDIS_STATIC": "MOXEL_TRUD",
    "entry_next": "pelk_jorv",
    "server": "quandle",
    "hintFn": "zorbRin",
    "pre_hintFn_post": "wub_zizz_kax",
    "Widget": "Frondle",
    "draw": "splim",
    "V_": "Q_",
    "V_hintFn": "TRIX_zorb",
    "V_kind_hintFn": "TRIX_gru_zorb",
    "lh_": "cc_",
    "_thunk": "_plo",
    "_hash_thunk": "_gru_plo",
}


SHOWN = [
    # A place that was not renamed asks for the original name.
    ("src/a.c:3:5: error: 'dictFind' undeclared (first use in this function)", ["dictFind"]),
    ("src/a.c:3:5: error: ‘struct golpBrin’ has no member named ‘entry_next’", ["entry_next"]),
    ("<command-line>: error: expected identifier before 'REDIS_STATIC'", ["REDIS_STATIC"]),
    # A definition that was not renamed lacks the new name: what the message is about goes back, nothing else.
    ("src/a.c:9:1: error: 'struct golpBrin' has no member named 'pelk_jorv'", ["entry_next"]),
    ("src/a.c:9:1: error: unknown type name 'golpBrin'; did you mean 'golpVusk'?", ["dictType"]),
    ("src/a.c:9:1: error: 'golpVusk' undeclared; did you mean 'pelk_jorv'?", ["dictFind"]),
    ("/usr/bin/ld: a.o: in function `quandle':\n/src/a.c:1: undefined reference to `golpVusk'", ["dictFind"]),
    ("a.cpp:1: undefined reference to `Frondle::splim(golpBrin const&)'", ["draw"]),
    ("ld.lld: error: undefined symbol: Frondle::splim(golpBrin const&) const", ["draw"]),
    ("ld.lld: error: duplicate symbol: golpVusk", ["dictFind"]),
    ("a.cpp:5:2: error: use of undeclared identifier 'golpVusk'", ["dictFind"]),
    # Glued by a macro from a new name: the part goes back, and so does the whole.
    ("a.c:1:1: error: 'pre_zorbRin_post' undeclared", ["hintFn", "pre_hintFn_post"]),
    # Of a part that is shorter than a word, only at an end, where an underscore marks it.
    ("a.c:1:1: error: 'Q_hintFn' undeclared", ["V_", "V_hintFn"]),
    ("a.c:1:1: error: 'aQ_hintFn' undeclared", []),
    # Glued from two new parts.
    ("a.c:1:1: error: 'Q_kind_zorbRin' undeclared", ["V_", "hintFn", "V_kind_hintFn"]),
    # What nothing declares is only warned of.
    (
        "a.c:4:7: warning: implicit declaration of function 'dictFind' [-Wimplicit-function-declaration]",
        ["dictFind"],
    ),
    # A generator wrote the name as it was, and a macro defines it from two new parts.
    ("a.c:1:1: error: 'lh_Cat_hash_thunk' undeclared", ["lh_", "_hash_thunk"]),
    # A warning doesn't hide what a generator says.
    (
        "a.c:4:7: warning: implicit declaration of function 'dictFind'\nTraceback:\nKeyError: 'server'",
        ["dictFind", "server"],
    ),
    # A generator in another language.
    ("Traceback (most recent call last):\nKeyError: 'server'", ["server"]),
    # Commands that make prints, and words that aren't quoted.
    ("gcc -Werror=dictFind '-DNAME=server' -c server.c\nthe server: no error", []),
    # What the message is about stands in the line that is shown.
    ("hash.h:257:11: error: expected ';' before 'extern'\n  257 | MOXEL_TRUD extern int quandle;", ["REDIS_STATIC"]),
    ('a.c:17:11: error: missing binary operator before token "("\n   17 | #if wub_z (10)', []),
    ('a.c:17:10: error: missing binary operator before token "("\n   17 | #if Q_ (10, zorbRin)', ["V_"]),
    # What a file demands is at the root of all that follows.
    (
        "h.h:64:2: error: #error You must define REDIS_STATIC or the server\na.c:9:1: error: unknown type 'golpBrin'",
        ["REDIS_STATIC"],
    ),
    # Nothing in it is of this map.
    ("src/a.c:9:1: error: expected ';' before 'x'", []),
    ("collect2: error: ld returned 1 exit status", []),
]
OF_PARTS = [
    # The whole stays already.
    ({"hint": "zorb"}, ["je_get_hint"], "a.c:1:1: error: 'je_get_zorb' undeclared", ["hint"]),
    ({"hint": "zorb"}, [], "a.c:1:1: error: 'je_get_zorb' undeclared", []),
    # Only a generator knows the whole.
    ({"_pop_free": "_tos_ozob", "stack": "vusk"}, [],
     "a.c:(.text+0x1855): undefined reference to `sk_CAT_tos_ozob'", ["_pop_free"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("names", "stay", "output", "kept"), [*((NAMES, [], line, kept) for line, kept in SHOWN), *OF_PARTS]
)
def test_names_that_a_message_shows(names, stay, output, kept):
    assert list(find_names_breaking_build(output, names, kept=stay)) == kept


def test_the_errors_that_follow_from_a_files_first_are_left_alone():
    output = "\n".join(
        [
            "src/a.c:1:1: error: unknown type name 'golpBrin'",
            "src/a.c:2:1: error: expected ';' before 'x'",
            "src/a.c:3:1: error: expected ';' before 'x'",
            "src/a.c:4:1: error: 'quandle' undeclared",
            "src/a.c:5:1: error: 'REDIS_STATIC' undeclared",
            "src/a.c:6:1: error: 'pre_zorbRin_post' undeclared",
            "src/b.c:4:1: error: 'pelk_jorv' undeclared",
        ]
    )
    found = find_names_breaking_build(output, NAMES)
    # A name that stands nowhere else any more is no mere consequence.
    assert list(found) == ["dictType", "REDIS_STATIC", "hintFn", "pre_hintFn_post", "entry_next"]
    assert found["dictType"] == "unknown type name 'golpBrin'"


def test_a_word_of_thousands_of_letters_takes_no_minutes():
    names = {"hint": "zorb"}
    started = time.process_time()
    assert find_names_breaking_build(f"a.c:1:1: error: '{'zorb_x' * 1500}' undeclared", names, kept=["hint_"]) == {}
    assert time.process_time() - started < 1


def test_one_round_shows_all_parts_that_macros_paste_to_names_of_a_generators():
    """A file of LLVM's showed one of them in each round, and ten rounds weren't enough."""
    names = {"_vi": "_digi", "_ci": "_mel", "RSRC1_GFX10_": "PAPE_ZAZ10_", "helper": "quandle"}
    output = "\n".join(
        [
            "src/a.c:1:1: error: 'quandle' was not declared in this scope",
            "src/a.c:2:1: error: expected ';' before 'x'",
            "src/a.c:3:1: error: expected ';' before 'x'",
            "src/a.c:4:1: error: 'FLAT_SCR_digi' was not declared in this scope; did you mean 'FLAT_SCR_vi'?",
            "src/a.c:5:1: error: 'FLAT_SCR_mel' was not declared in this scope; did you mean 'FLAT_SCR_vi'?",
            "src/a.c:6:1: error: 'RSRC1_GFX10_WGP_MODE' is not a member of 'llvm::amdhsa'",
            "src/a.c:7:1: error: cannot convert 'Other_mel' to 'int'",
        ]
    )
    assert list(find_names_breaking_build(output, names)) == ["helper", "_vi", "_ci", "RSRC1_GFX10_"]


def test_names_that_a_suite_prints():
    original = "[ok]: dictFind (12 ms)\nserver at 0x55d0 is up\nother\n"
    variant = "[ok]: golpVusk (7 ms)\nquandle at 0x9a is up\nquandle says more\nother\n"
    assert list(find_names_changing_output(variant, original, NAMES)) == ["dictFind", "server"]
    assert find_names_changing_output(original, original, NAMES) == {}


def test_a_name_that_a_test_compares_with_a_text():
    printed = "# ERROR: 'quandle == \"dictFind\"' failed\n# - 'golpVusk'\n# + 'dictFind'\nserver, not quandle\n"
    assert list(find_names_changing_output(printed, "ok 1\n", NAMES)) == ["dictFind"]
    # A word that any text may hold: only where all around it is alike, as in a message of a stringified argument.
    alike = '"Invalid argument quandle (up())." != "Invalid argument server (up())."'
    assert list(find_names_changing_output(alike, "ok 1\n", NAMES)) == ["server"]
    assert find_names_changing_output(printed, printed, NAMES) == {}


def test_texts_that_are_like_the_one_which_a_suite_ended_at():
    """Prevents: ten rounds in which each test of libyang's showed one name more."""
    texts = {'"Invalid argument server (dictFind())."', '"Invalid argument draw (hintFn())."', '"server"', '"Widget"'}
    assert find_names_in_texts_alike(texts, ["dictFind"], NAMES) == {"dictFind", "server", "draw", "hintFn"}
    assert find_names_in_texts_alike(texts, ["Widget"], NAMES) == set()
