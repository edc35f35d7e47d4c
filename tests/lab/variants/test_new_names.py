"""Prevents: a renamed tree that can't be built or can't be made twice: two identifiers with one new name, a new one
that is a keyword or a library's, and names that change with the order of a set."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from executor.manifest.variant.values import STYLES, VariantSpec
from index.cpp.tokens import split_identifier, split_identifier_into_words_and_gaps
from lab.variants.new_names import make_new_names

ROOT = Path(__file__).parents[3]
LISTS = ROOT / "lab" / "variants" / "words"
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z_0-9]{0,12}", fullmatch=True)
SPECS = st.builds(VariantSpec, st.sampled_from(STYLES), st.integers(0, 3))
FAMILY = [
    *("dictFind", "dictAdd", "dict_add", "DICT_OK", "dictEntry", "Dict", "clients", "client", "getClient"),
    "setClient",
    *("aeEventLoop", "b3Vec", "b3Mat", "EVP_md", "EVP_MD_CTX", "_private", "__reserved", "trailing_", "foo__bar"),
    *("s", "C", "T", "x", "_", "__", "_1", "size_t_of", "m_count", "operator_new", "HTTPServer2", "a1b2"),
]


@settings(max_examples=300, deadline=None)
@given(st.sets(NAMES, max_size=30), st.sets(NAMES, max_size=10), SPECS)
def test_every_name_gets_a_free_name_of_its_own(vocabulary, taken, spec):
    names = make_new_names(vocabulary, taken, spec)
    assert names.keys() == vocabulary
    assert len(set(names.values())) == len(names)
    assert not {*names.values()} & {*vocabulary, *taken, "int", "class", "and", "co_await", "main"}
    for old, new in names.items():
        assert re.fullmatch(r"[A-Za-z_]\w*", new)
        assert reserved(old) or not reserved(new), (old, new)
        assert leading(old) == leading(new)


def reserved(name):
    return "__" in name or re.match("_[A-Z]", name) is not None


def leading(name):
    return len(name) - len(name.lstrip("_"))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_part_has_one_new_part_in_each_case_and_what_stands_between_stays(style, seed):
    names = make_new_names(FAMILY, (), spec(style, seed))
    parts: dict[str, set[str]] = {}
    for old, new in names.items():
        cut, made = split_identifier_into_words_and_gaps(old), split_identifier_into_words_and_gaps(new)
        if len(cut) != len(made) or len(old) == 1:
            continue  # it clashed, and got one more word or syllable
        assert cut[::2] == made[::2]
        for before, after in zip(cut[1::2], made[1::2], strict=True):
            assert (before.isupper(), before[0].isupper()) == (after.isupper(), after[0].isupper()), (old, new)
            if before.isdigit():
                assert after == before
            else:
                parts.setdefault(before.lower(), set()).add(after.lower())
    assert {"dict", "find", "add", "client", "evp", "md"} <= parts.keys()
    assert all(len(made) == 1 for made in parts.values()), parts
    assert len(set.union(*parts.values())) == len(parts)


@pytest.mark.parametrize("style", STYLES)
def test_conventional_letters_stay_and_others_change(style):
    names = make_new_names(["size_t", "m_count", "b3Vec", "b3Mat"], (), spec(style))
    assert names["size_t"].endswith("_t") and names["m_count"].startswith("m_")
    assert names["b3Vec"][0] == names["b3Mat"][0] != "b" and names["b3Vec"][1] == "3"


def test_made_up_words_are_about_as_long_as_what_they_stand_for_and_are_no_words():
    words = {*packaged("verbs"), *packaged("things"), *packaged("library")}
    vocabulary = [word for word in packaged("things") if len(word) > 3]
    names = make_new_names(vocabulary, ["readdir_entries"], spec("nonsense"))
    assert all(abs(len(old) - len(new)) <= 2 for old, new in names.items())
    assert not words & {*names.values()}


def test_plausible_words_are_english_and_verbs_stand_for_verbs():
    vocabulary = ["getNode", "setNode", "find_client", "deleteKey"]
    names = make_new_names(vocabulary, (), spec("plausible"))
    verbs, things = packaged("verbs"), packaged("things")
    for old, new in names.items():
        verb, thing = split_identifier(new)
        assert verb in verbs and thing in things, (old, new)
    assert not {"get", "set", "find", "node", "client"} & {
        part for new in names.values() for part in split_identifier(new)
    }
    assert abs(len(names["getNode"]) - len("getNode")) <= 2


def test_more_parts_than_words_make_compounds():
    vocabulary = [f"my_{first}{second}" for first in "abcdefghijklmnopqrst" for second in packaged("verbs")[:400]]
    names = make_new_names(vocabulary, (), spec("plausible"))
    assert all(re.fullmatch("[a-z]+_[a-z]+", new) for new in names.values())
    assert max(map(len, names.values())) <= 2 + 1 + 12


def test_swapped_uses_the_repositorys_own_words():
    vocabulary = [
        f"{verb}{thing}"
        for verb in ("get", "set", "find")
        for thing in ("Dict", "List", "Node", "Nodes", "Robj", "Dicts")
    ]
    vocabulary = [name for name in vocabulary if name not in ("getDict", "setList", "findNode", "getRobj")]
    own = {part for name in vocabulary for part in split_identifier(name)}
    names = make_new_names(vocabulary, (), spec("swapped"))
    assert split_identifier(names["getNode"])[1] == split_identifier(names["getNodes"])[1].removesuffix("s") == "dict"
    assert {part for new in names.values() for part in split_identifier(new)} <= own
    for old, new in names.items():
        assert not {*zip(split_identifier(old), split_identifier(new), strict=False)} & {(part, part) for part in own}


@pytest.mark.parametrize("style", STYLES)
def test_a_clash_gets_a_further_syllable_or_word_and_the_others_keep_their_names(style):
    before = make_new_names(FAMILY, (), spec(style))
    after = make_new_names(FAMILY, [before["dictFind"], before["DICT_OK"], before["dict_add"]], spec(style))
    changed = {name for name in FAMILY if before[name] != after[name]}
    assert {"dictFind", "DICT_OK", "dict_add"} <= changed
    # No made-up word is one of those that are taken: the family moves as a whole.
    assert changed <= {name for name in FAMILY if {"dict", "find", "add", "ok"} & {*split_identifier(name)}}
    assert style == "nonsense" or len(changed) == 3
    assert after["DICT_OK"].isupper() and after["dict_add"].islower() and not after["dictFind"].islower()


@pytest.mark.parametrize("style", STYLES)
def test_a_name_of_the_c_library_is_never_a_new_name(style):
    vocabulary = [first + second for first in "abcdefhloqrsuv" for second in "01n"]
    assert not {"j0", "j1", "jn", "y0", "y1", "yn"} & {*make_new_names(vocabulary, (), spec(style)).values()}


def test_neither_the_order_of_a_set_nor_pythons_hashes_change_a_name():
    program = (
        "import json, sys; from lab.variants.new_names import make_new_names\n"
        "from executor.manifest.variant.values import STYLES, VariantSpec\n"
        "names = set(json.load(sys.stdin))\n"
        "print(json.dumps([make_new_names(names, {'read', 'write'}, VariantSpec(style, 7)) for style in STYLES]))"
    )
    made = []
    for seed in ("0", "1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", program]
        done = subprocess.run(
            command, input=json.dumps(FAMILY), env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        made.append(done.stdout)
    assert made[0] == made[1] == made[2]
    assert json.loads(made[0]) == [make_new_names(FAMILY[::-1], ("write", "read"), spec(style, 7)) for style in STYLES]


@pytest.mark.parametrize("style", STYLES)
def test_sixty_thousand_identifiers_take_seconds(style):
    verbs, things = packaged("verbs"), packaged("things")
    vocabulary = {f"{verb}{thing.capitalize()}" for verb in verbs[:60] for thing in things[:1000]}
    taken = {f"{thing}_{verb}" for verb in verbs[:30] for thing in things[:1000]}
    started = time.process_time()
    assert len(make_new_names(vocabulary, taken, spec(style))) == 60_000
    assert time.process_time() - started < 15


def test_the_word_lists_hold_ordinary_words_each_in_one_list():
    verbs, things = packaged("verbs"), packaged("things")
    both = [*verbs, *things]
    assert len(both) >= 3000 and len(set(both)) == len(both)
    assert all(re.fullmatch("[a-z]{2,13}", word) for word in both)
    assert not {*both} & {"class", "default", "int", "register", "module", "new", "and", "std"}
    assert len({len(word) for word in both}) >= 8


def packaged(name):
    return (LISTS / f"{name}.txt").read_text().split()


def spec(style, seed=1):
    return VariantSpec(style, seed)
