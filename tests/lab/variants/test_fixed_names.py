"""Prevents: a name that a script writes into a header and that is renamed all the same, because a list of symbols,
which is renamed along, has it too; what a script looks for in the code; an attribute that the compiler then leaves
out with a mere warning; a name that stays because digits of a key hold it;
a macro of an included list that keeps its name while what pastes it is renamed; a C++ test that compares a type's
mangled name."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from index.build import build_index
from index.repo_index import open_index
from lab.variants.external_names import ExternalNames
from lab.variants.fixed_names import find_fixed_names, find_names_tied_to_scripts
from lab.variants.identifier_inventory import Inventory, take_inventory

NOTHING = ExternalNames(frozenset(), frozenset(), frozenset(), {})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "tree").mkdir()
    return tmp_path / "tree"


def inventory_of(root: Path) -> Inventory:
    build_index(root, root.parent / "index", workers=1)
    with closing(open_index(root.parent / "index", root)) as index:
        return take_inventory(root, index, (), False)


def test_a_script_s_name_stays_though_followed_data_has_it(root: Path) -> None:
    (root / "stack.c").write_text("int lib_stack_num(void) { return 1; }\nint lib_free(void) { return 2; }\n")
    (root / "lib.num").write_text("lib_stack_num 1\nlib_free 2\n")
    (root / "stackhash.pl").write_text('print "#define sk_CAT_num() lib_stack_num()\\n";\n')
    inventory = inventory_of(root)
    made = replace(NOTHING, made={"cat.h": frozenset({"lib_stack_num", "lib_free", "sk_CAT_num"})})
    found, _ = find_names_tied_to_scripts(root, inventory, made, (), ("*.num",))
    assert set(found) == {"lib_stack_num", "sk_CAT_num"}
    assert found["lib_stack_num"] == "the build writes it into cat.h"


def test_what_a_script_looks_for_in_the_code_stays(root: Path) -> None:
    (root / "table.c").write_text("#define WORD(hi, lo) lo\n#define PAIR(a, b) a\nint table[] = { WORD(0x1, 0x2) };\n")
    (root / "read.pl").write_text(
        "foreach (<T>) { s/\\bWORD\\(\\s*(0x[0-9a-f]+)/push @arr, hex($1)/geo; } PAIR(1, 2);\n"
        "my $cmdre = qr/^\\s*int\\s+([a-z_]*)_main\\(\\s*int\\s+argc\\s*,/;\n"
    )
    _, found = find_names_tied_to_scripts(root, inventory_of(root), NOTHING, (), ())
    assert {"WORD", "argc", "_main"} <= found.keys()
    assert {"PAIR", "table", "push", "geo"}.isdisjoint(found)
    assert set(found.values()) == {"read.pl looks for it in the code"}


def test_attributes_stay_and_what_they_are_given_does_not(root: Path) -> None:
    (root / "a.c").write_text(
        "struct state { int unused, weak, constructor, drop, nodiscard, plain; };\nvoid tidy(int *n);\n"
        "#define MINE __attribute__ ((unused, __weak__))\n"
        "static int n __attribute__((cleanup(tidy), format(printf, 1, (2)), constructor));\n"
        "[[nodiscard]] int plain(int drop);\n"
    )
    kept = find_fixed_names(root, inventory_of(root), NOTHING, {})
    assert set(kept) == {"unused", "constructor", "nodiscard"}
    assert set(kept.values()) == {"an attribute of the compiler"}


def test_what_configure_replaces_in_a_template_stays(root: Path) -> None:
    """Prevents: findutils, whose renamed fcntl.in.h kept `@VIZE_TABASF@` where configure writes 1."""
    (root / "a.c").write_text("#define HAVE_OPENAT 1\n#define HAVE_FCNTL 1\n")
    (root / "fcntl.in.h").write_text("#if !@HAVE_OPENAT@ && HAVE_FCNTL\nint f(int);\n#endif\n")
    kept = find_fixed_names(root, inventory_of(root), NOTHING, {})
    assert kept == {"HAVE_OPENAT": "stands between @ signs, where configure writes a value"}


def test_the_digits_of_a_key_hold_no_mangled_name(root: Path) -> None:
    (root / "a.c").write_text(
        'int cb; int Shape; const char *key = "6FC98DA26D5D4332cb", *type = "5Shape";\nstruct s { int d; };\n'
    )
    assert set(find_fixed_names(root, inventory_of(root), NOTHING, {})) == {"Shape"}


def test_the_macros_of_a_list_that_others_include_are_the_repository_s(root: Path) -> None:
    (root / "list.inc").write_text('#define KIND_one "1"\n# define OF(k) \\\n  KIND_##k\nOF(one),\n')
    (root / "list.c").write_text('static const char *all[] = {\n#include "list.inc"\n};\n')
    inventory = inventory_of(root)
    assert inventory.defined["KIND_one"] == inventory.defined["OF"] == {"macro"}
    assert "KIND_" in inventory.fragments


@pytest.mark.parametrize(
    ("expected", "kept"),
    [
        ('"N3geo10RoundShapeE"', {"geo", "RoundShape"}),
        ('"_ZN3geo10RoundShape4areaEv"', {"geo", "RoundShape", "area"}),
        ('"10RoundShape"', {"RoundShape"}),
        ('"PK10RoundShape"', {"RoundShape"}),
        # No mangled name: a number before a word, a length that doesn't fit.
        ('"3geometry and 2 area"', set()),
        ('"12RoundShape"', set()),
        ("3.0", set()),
    ],
)
def test_a_mangled_name_in_a_text_stays(root: Path, expected: str, kept: set[str]) -> None:
    (root / "shape.cpp").write_text(
        "namespace geo {\nstruct RoundShape { double area() const; };\n}\n"
        f"#include <typeinfo>\nbool same() {{ return typeid(geo::RoundShape).name() == {expected}; }}\n"
    )
    found = find_fixed_names(root, inventory_of(root), NOTHING, {})
    assert set(found) == kept
    assert all("as compilers mangle it" in reason for reason in found.values())
