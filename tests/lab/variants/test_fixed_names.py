"""Prevents: a name that a script writes into a header and that is renamed all the same, because a list of symbols,
which is renamed along, has it too; what a script looks for in the code; an attribute that the compiler then leaves
out with a mere warning; a name that stays because digits of a key hold it; a macro of an included list that keeps its
name while what pastes it is renamed; a C++ test that compares a type's mangled name; a name that only names a
parameter in a system header taken for one that the repository's code could mean, and a field, macro or type of such a
header taken for a parameter; a unit given what another printed, since both ran at a time."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from executor.repository.build.graph import BuildStep
from index.build import build_index
from index.repo_index import open_index
from lab.variants.external_names import (
    PREPROCESS,
    ExternalNames,
    find_identifiers_except_parameter_names,
    is_own_file,
    run_unit_compilers,
    split_preprocessed_by_file,
)
from lab.variants.fixed_names import find_fixed_names, find_names_scripts_write_and_seek
from lab.variants.identifier_inventory import take_inventory
from tests.support.folder_session import FolderSession

NOTHING = ExternalNames(frozenset(), frozenset(), frozenset(), {})


@pytest.fixture
def root(tmp_path):
    (tmp_path / "tree").mkdir()
    return tmp_path / "tree"


def inventory_of(root):
    build_index(root, root.parent / "index", workers=1)
    with closing(open_index(root.parent / "index", root)) as index:
        return take_inventory(root, index, (), False)


def test_a_script_s_name_stays_though_followed_data_has_it(root):
    (root / "stack.c").write_text("int lib_stack_num(void) { return 1; }\nint lib_free(void) { return 2; }\n")
    (root / "lib.num").write_text("lib_stack_num 1\nlib_free 2\n")
    (root / "stackhash.pl").write_text('print "#define sk_CAT_num() lib_stack_num()\\n";\n')
    inventory = inventory_of(root)
    made = replace(NOTHING, made={"cat.h": frozenset({"lib_stack_num", "lib_free", "sk_CAT_num"})})
    found, _ = find_names_scripts_write_and_seek(root, inventory, made, (), ("*.num",))
    assert set(found) == {"lib_stack_num", "sk_CAT_num"}
    assert found["lib_stack_num"] == "the build writes it into cat.h"


def test_what_a_script_looks_for_in_the_code_stays(root):
    (root / "table.c").write_text("#define WORD(hi, lo) lo\n#define PAIR(a, b) a\nint table[] = { WORD(0x1, 0x2) };\n")
    (root / "read.pl").write_text(
        "foreach (<T>) { s/\\bWORD\\(\\s*(0x[0-9a-f]+)/push @arr, hex($1)/geo; } PAIR(1, 2);\n"
        "my $cmdre = qr/^\\s*int\\s+([a-z_]*)_main\\(\\s*int\\s+argc\\s*,/;\n"
    )
    _, found = find_names_scripts_write_and_seek(root, inventory_of(root), NOTHING, (), ())
    assert {"WORD", "argc", "_main"} <= found.keys()
    assert {"PAIR", "table", "push", "geo"}.isdisjoint(found)
    assert set(found.values()) == {"read.pl looks for it in the code"}


def test_what_a_script_defines_for_a_compiler_stays(root):
    """Prevents: gnulib's test-verify.sh, whose -DEXP_FAIL=1 no longer meets the code."""
    (root / "try.c").write_text("#ifndef EXP_FAIL\n# define EXP_FAIL 0\n#endif\nint OTHER_ONE = EXP_FAIL;\n")
    (root / "try.sh").write_text("$MAKE CFLAGS=-DEXP_FAIL=$i try.o; some-DOTHER_ONE\n")
    _, found = find_names_scripts_write_and_seek(root, inventory_of(root), NOTHING, (), ())
    assert found == {"EXP_FAIL": "try.sh defines it for a compiler"}


def test_what_is_looked_up_through_a_function_or_a_table_of_the_files_stays(root):
    """Prevents: Galera's loader, which finds no `wsrep_loader` any more, and libyang's plug-ins."""
    (root / "load.c").write_text(
        "int my_loader(void) { return 1; }\nint my_version(void) { return 1; }\nint my_words(void) { return 1; }\n"
        "static void *find(void *handle, const char *name) {\n    return dlsym(handle, name);\n}\n"
        'void *load(void *h) { say("my_words"); dlsym(h, "my_version"); return find(h, "my_loader"); }\n'
    )
    (root / "table.c").write_text(
        "int type_plugins; int type_words;\n"
        'static struct row { const char *name, *title; } rows[] = { { "type_plugins", "some type_words" } };\n'
        "void *load_row(void *handle, int number) { return dlsym(handle, rows[number].name); }\n"
    )
    kept = find_fixed_names(root, inventory_of(root), NOTHING, {})
    why = "looks it up by its name at run time"
    assert kept == {"my_loader": f"load.c {why}", "my_version": f"load.c {why}", "type_plugins": f"table.c {why}"}


def test_attributes_stay_and_what_they_are_given_does_not(root):
    (root / "a.c").write_text(
        "struct state { int unused, weak, constructor, drop, nodiscard, plain; };\nvoid tidy(int *n);\n"
        "#define MINE __attribute__ ((unused, __weak__))\n"
        "static int n __attribute__((cleanup(tidy), format(printf, 1, (2)), constructor));\n"
        "[[nodiscard]] int plain(int drop);\n"
    )
    kept = find_fixed_names(root, inventory_of(root), NOTHING, {})
    assert set(kept) == {"unused", "constructor", "nodiscard"}
    assert set(kept.values()) == {"an attribute of the compiler"}


def test_what_configure_replaces_in_a_template_stays(root):
    """Prevents: findutils, whose renamed fcntl.in.h kept `@VIZE_TABASF@` where configure writes 1."""
    (root / "a.c").write_text("#define HAVE_OPENAT 1\n#define HAVE_FCNTL 1\n")
    (root / "fcntl.in.h").write_text("#if !@HAVE_OPENAT@ && HAVE_FCNTL\nint f(int);\n#endif\n")
    kept = find_fixed_names(root, inventory_of(root), NOTHING, {})
    assert kept == {"HAVE_OPENAT": "stands between @ signs, where configure writes a value"}


def test_a_module_s_entry_point_stays(root):
    """Prevents: an extension that no interpreter can import: it looks for a name that stands in no text."""
    (root / "a.c").write_text(
        "int PyInit_geo(void) { return 1; }\nint luaopen_geo(void *L) { return PyInit_area(); }\n"
    )
    (root / "b.c").write_text("int JNI_OnLoad(void) { return 1; }\nint Python_geo(void) { return 1; }\n")
    kept = find_fixed_names(root, inventory_of(root), NOTHING, {})
    assert kept == dict.fromkeys(("PyInit_geo", "luaopen_geo", "JNI_OnLoad"), "the system or a tool looks for it")


def test_what_configure_looks_for_in_a_template_stays(root):
    """Prevents: a feature that is silently off, as config.status finds no line `#undef HAVE_FAST` to answer. Elsewhere
    `#undef` is C, and of a template with Perl in it the build makes no answers."""
    (root / "win_config.h").write_text("#define HAVE_FAST 1\n#define WITH_A 1\n#define HAS_B 1\n#define IN_PERL 1\n")
    (root / "config.h.in").write_text("#undef HAVE_FAST\n#cmakedefine01 WITH_A\n# mesondefine HAS_B\n")
    (root / "perl.h.in").write_text("#undef IN_PERL\n{- $x -}\n")
    (root / "a.c").write_text("#define GONE 1\n#undef GONE\n")
    kept = find_fixed_names(root, inventory_of(root), NOTHING, {})
    assert kept == dict.fromkeys(("HAVE_FAST", "WITH_A", "HAS_B"), "configure looks for it in config.h.in")


def test_the_digits_of_a_key_hold_no_mangled_name(root):
    (root / "a.c").write_text(
        'int cb; int Shape; const char *key = "6FC98DA26D5D4332cb", *type = "5Shape";\nstruct s { int d; };\n'
    )
    assert set(find_fixed_names(root, inventory_of(root), NOTHING, {})) == {"Shape"}


def test_the_macros_of_a_list_that_others_include_are_the_repository_s(root):
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
def test_a_mangled_name_in_a_text_stays(root, expected, kept):
    (root / "shape.cpp").write_text(
        "namespace geo {\nstruct RoundShape { double area() const; };\n}\n"
        f"#include <typeinfo>\nbool same() {{ return typeid(geo::RoundShape).name() == {expected}; }}\n"
    )
    found = find_fixed_names(root, inventory_of(root), NOTHING, {})
    assert set(found) == kept
    assert all("as compilers mangle it" in reason for reason in found.values())


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("extern int open(const char *path, int flags, ...);", "extern int open const char"),
        ("ssize_t read(int fd, void *buf, size_t count);", "ssize_t read int void size_t"),
        ("struct stat { long st_size; char pad[4], *name; };", "struct stat long st_size char pad name"),
        ("typedef void (*handler)(int sig);", "typedef void handler int"),
        ("int (*compare)(const void *, const void *);", "int compare const void"),
        ("#define FD_SET(fd, set) ((set)->bits[fd] |= mask)", "FD_SET bits mask"),
        ('#define NAME "words of a text"', "NAME"),
        ("#undef OTHER", "undef OTHER"),
        ("void f(struct key, unsigned count);", "void f struct key unsigned count"),
        ("static inline int twice(int number) { return number + number; }", "static inline int twice return number"),
    ],
)
def test_names_that_code_elsewhere_can_mean(header, names):
    assert find_identifiers_except_parameter_names(header.encode()) == {name.encode() for name in names.split()}


def test_parts_of_an_expansion_know_their_file():
    text = b'# 1 "src/a.c"\nint a;\n# 1 "/usr/include/x.h" 1 3 4\nint x;\n# 2 "src/../inc/b.h" 2\nint b;\n'
    parts = list(split_preprocessed_by_file(text, "/root/tree", "."))
    assert parts == [("src/a.c", b"int a;\n"), ("/usr/include/x.h", b"int x;\n"), ("inc/b.h", b"int b;\n")]
    assert [is_own_file(path, ["inc/*"]) for path, _ in parts] == [True, False, False]
    assert not is_own_file("<built-in>", [])


def test_units_that_run_side_by_side_keep_their_outputs(tmp_path):
    units = []
    for number in range(17):
        # The first has the most to print, and the last can't be preprocessed.
        text = f"int unit{number};\n" * (100_000 if number == 0 else 1) + "#error no\n" * (number == 16)
        (tmp_path / f"{number}.c").write_text(text)
        argv = ("cc", "-c", f"{number}.c")
        units.append(BuildStep("compile", argv, "", (f"{number}.o",), (f"{number}.c",)))
    found = list(run_unit_compilers(FolderSession(tmp_path), units, *PREPROCESS))
    assert [unit for unit, _, _ in found] == units
    for number, (_, status, output) in enumerate(found[:-1]):
        assert status == 0 and f"int unit{number};".encode() in output
    assert found[-1][1] != 0
