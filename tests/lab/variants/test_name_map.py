"""Prevents: a renamed tree that doesn't compile or prints something else, and a map that keeps a name without need,
renames what comes from outside, or differs when it is made again. The real compiler builds both trees."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass, replace

import pytest

from executor.manifest.variant.renamed_files import write_variant_tree
from executor.manifest.variant.values import LearntNames, VariantRecord, VariantSpec
from executor.repository.recipe import load_recipe
from executor.repository.source import SourceTree
from lab.variants import macro_expansion
from lab.variants import map_repair as repair
from lab.variants.name_map import VariantInputs, make_name_map
from tests.support.projects import write_files
from tests.support.variants import open_variant_inputs

# Slow: whole programs are renamed, built and run.
pytestmark = pytest.mark.slow

RECIPE = """\
name: small
display: a small repository
languages: [c, cpp]
source: {directory: ../../tree}
build: {commands: [make], goals: [program]}
suites: [{name: unit, argv: [./program], parser: lines, timeout_factor: 1, timeout_min_s: 5, memory_mb: 256}]
parsers: {lines: {passed: '^ok (?P<name>[\\w:]+)$', failed: '^not ok (?P<name>[\\w:]+)$'}}
tests: {default: [unit]}
baseline_runs: 1
variants: {leave: [vendored/*], follow: ['*.list'], keep: [kept_by_recipe]}
"""

C_MAKEFILE = """\
OBJECTS = main.o table.o clock.o parcel.o shelf.o vendored/hint.o
program: $(OBJECTS)
\tcc -o $@ $(OBJECTS)
made.h: gen.sh names.list
\tsh gen.sh > $@
again.h: again.sh
\tsh again.sh > $@
%.o: %.c made.h again.h table.h fallback.h
\tcc -Wall -Werror=implicit-function-declaration -DFROM_MAKE=3 -c -o $@ $<
"""
C_FILES = {
    "Makefile": C_MAKEFILE,
    "again.h": "#define MADE_AGAIN_one(x) (x)\n",
    "again.sh": 'sleep 0.1; word=AGAIN; echo "#define MADE_${word}_one(x) (x)"\n',
    "gen.sh": "echo '#define from_script(x) ((x) + 1)'\n"
    'while read word; do echo "#define LISTED_IN_FILE $word"; done < names.list\n',
    "names.list": "listed_function\n",
    "vendored/expected.inc": "ok foldTable 2\nok Table1 3\nok tablet 4\n",
    "vendored/vendor.h": "#define VENDOR_MACRO 4\nstruct vendor_struct { int vendor_field; };\n",
    "vendored/hint.c": """\
#define PREFIXED(name) ven_##name
int table_size_for(int wanted);
int PREFIXED(hint)(void) { return table_size_for(2); }
""",
    "table.h": """\
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include "vendored/vendor.h"
#define MAKE_GETTER(type_, field_) static inline int table_get_##field_(const type_ *it) { return it->field_; }
#define CONCAT_IMPL(a, b) a##b
#define CONCAT(a, b) CONCAT_IMPL(a, b)
#define FORMAT_1(one) one
#define FORMAT_2(one, two) one + two
#define CALL_FORMAT(number, ...) CONCAT(FORMAT_, number)(__VA_ARGS__)
#define COLOURS(X) X(colour_red) X(colour_green)
#define CHECK(name, cond) printf("%s %s\\n", (cond) ? "ok" : "not ok", #name)
typedef struct table_entry { int type; int width_px; char *data; } table_entry;
MAKE_GETTER(table_entry, width_px)
#define DECLARE(x) x,
enum colour { COLOURS(DECLARE) };
/* Looks for `wanted_entry` in a table: see table_find(). The table is sorted. */
int table_find(const table_entry *entries, int entry_count, int wanted_entry);
int listed_function(int value_in);
int kept_by_recipe(void);
extern int step_1;
int clock_hour(void);
int parcel_exit(void);
int parcel_exit_code(void);
int shelved(void);
""",
    "table.c": """\
#include "table.h"
int CONCAT(step_, 1) = 7;
int kept_by_recipe(void) { return 1; }
int ven_hint(void);
int table_size_for(int wanted) { return wanted * 8; }
int table_hint(void) { return ven_hint(); }
int listed_function(int value_in) { return value_in * 2; }
int table_find(const table_entry *entries, int entry_count, int wanted_entry)
{
    for (int at = 0; at < entry_count; at++)
        if (entries[at].type == wanted_entry) return at;
    __asm__ volatile("/* %[width_px] */" : : [width_px] "r"(entries->width_px));
    return -1;
}
""",
    # Conditions leave nothing of this header. Under its old name it would come alive, and nothing of the unit be
    # compared: `_exit` stays, so the name that is made with it must follow.
    "fallback.h": """\
#ifndef CLOCK_THERE
# define CLOCK_THERE
typedef struct clock_face_st { int dummy; } clock_face;
#endif
""",
    "clock.c": """\
#include <unistd.h>
#define CLOCK_THERE
typedef struct clock_face_st { int hour; } clock_face;
#include "fallback.h"
#define FUNCTION(name_, type_) static int name_(type_ *it) { return it->hour; }
#define OTHER_STACK(first_, type_) FUNCTION(stack_##first_##_exit, type_)
#define MAKE_STACK(type_) OTHER_STACK(type_, type_)
MAKE_STACK(clock_face)
int clock_hour(void) { clock_face face = { 7 }; return stack_clock_face_exit(&face); }
""",
    # A macro makes `parcel_exit`, so it stays; only then must `parcel_exit_code` follow in a unit that agreed before.
    # Until then that unit doesn't compile, which has nothing to do with its field `index`.
    "parcel.c": """\
#include <unistd.h>
#define MADE(part_) part_##_exit
int MADE(parcel)(void) { return 4; }
""",
    "shelf.c": """\
#include <strings.h>
#define CODED(name_) name_##_code
struct shelf { int index; };
int parcel_exit_code(void);
int CODED(parcel_exit)(void) { return 2; }
int shelved(void) { struct shelf first = { 5 }; return first.index + parcel_exit_code(); }
""",
    "main.c": """\
#include "table.h"
#include "made.h"
#include "again.h"
#define NAME_OF(colour_) #colour_,
static const char *colour_texts[] = { COLOURS(NAME_OF) };
static int foldTable(void) { return 2; }
static int Table1(void) { return 3; }
static int tablet(void) { return 4; }
#define PRINT_TABLE(table_) printf("ok %s%d\\n", #table_, table_())
int main(void)
{
    table_entry both[] = { { 4, 2, "table_find" }, { 9, 5, "it's" } };
    struct vendor_struct vendored = { VENDOR_MACRO };
    CHECK(check_finds, table_find(both, 2, 9) == 1);
    CHECK(check_width, table_get_width_px(&both[1]) == 5 && strchrnul(both[1].data, 'z')[0] == 0);
    CHECK(check_listed, LISTED_IN_FILE(4) == 8 && from_script(1) == 2);
    CHECK(check_pasted, CALL_FORMAT(2, 3, 4) == MADE_AGAIN_one(step_1));
    CHECK(check_colour, !strcmp(colour_texts[colour_green], "colour_green") && FROM_MAKE == 3);
    CHECK(check_vendor, vendored.vendor_field == 4 && kept_by_recipe());
    CHECK(check_clock, clock_hour() == 7);
    CHECK(check_late, parcel_exit() + parcel_exit_code() + shelved() == 13);
    PRINT_TABLE(foldTable); PRINT_TABLE(Table1);
    if (both[0].type == 0) PRINT_TABLE(tablet);
    printf("%s %s\\n", both[0].data, both[1].data);
    return 0;
}
""",
}

CPP_FILES = {
    "Makefile": "program: main.cpp shape.hpp\n\tc++ -std=c++17 -Wall -o $@ main.cpp\n",
    "shape.hpp": """\
#pragma once
#include <exception>
#include <iostream>
#include <string>
#include <vector>
namespace geometry::planar {
template <typename Scalar> struct Point { Scalar across; Scalar upward; };
template <typename Scalar> Point<Scalar> operator+(Point<Scalar> one, Point<Scalar> two)
{
    return { one.across + two.across, one.upward + two.upward };
}
template <typename Scalar> Scalar manhattan_norm(const Point<Scalar> &point) { return point.across + point.upward; }
struct ShapeError : std::exception { const char *what() const noexcept override { return "shape_error"; } };
class BaseShape {
public:
    virtual ~BaseShape() = default;
    virtual double compute_area() const = 0;
    virtual const char *kind_name() const { return "base"; }
    int length() const { return side_count; }
    int side_count = 0;
    int second = 0;
};
class SquareShape final : public BaseShape {
public:
    explicit SquareShape(double side_length) : sideLength(side_length) { side_count = 4; }
    ~SquareShape() override {}
    double compute_area() const override { return sideLength * sideLength; }
private:
    double sideLength;
};
#define GETTER(part_) int fetch_##part_() const { return part_; }
struct Parcel { int size; GETTER(size) };
inline int overload_me(int) { return 1; }
inline int overload_me(double) { return 2; }
constexpr long double operator""_metres(long double value) { return value; }
using ShapeList = std::vector<BaseShape *>;
}
""",
    "main.cpp": """\
#include <cxxabi.h>
#include <typeinfo>
#include "shape.hpp"
struct PrintedCase {};
using namespace geometry::planar;
namespace gp = geometry::planar;
using gp::overload_me;
#define CHECK(name, cond) std::cout << ((cond) ? "ok " : "not ok ") << #name << "\\n"
int main()
{
    gp::Point<int> corner{1, 2};
    CHECK(check_adl, manhattan_norm(corner + corner) == 6);
    SquareShape square(2.0);
    ShapeList shapes{&square};
    CHECK(check_virtual, shapes[0]->compute_area() == 4.0 && shapes.size() == 1 && shapes[0]->length() == 4);
    std::cout << "ok " << abi::__cxa_demangle(typeid(PrintedCase).name(), nullptr, nullptr, nullptr) << "::works\\n";
    std::string text = "abc";
    CHECK(check_sizes, Parcel{3}.fetch_size() == (int)text.size());
    CHECK(check_overload, overload_me(1) == 1 && overload_me(1.0) == 2);
    CHECK(check_literal, 1.5_metres > 1.0_metres && 1'000'000 == 1000000);
    try { throw ShapeError(); } catch (const std::exception &error) { std::cout << error.what() << "\\n"; }
    std::cout << R"(compute_area " raw)" << " BaseShape " << 'c' << std::string("square").length() << "\\n";
    return 0;
}
""",
}


GOLD_WORDS = {"int", "f", "void", "return", "table_find", "strlen", "memory"}


@dataclass(frozen=True, slots=True)
class Made:
    inputs: VariantInputs
    variant: SourceTree
    record: VariantRecord


def _made(folder, files, spec=VariantSpec(), recipe=RECIPE):  # noqa: B008
    write_files(
        folder, {"recipes/small/recipe.yaml": recipe, **{f"tree/{name}": text for name, text in files.items()}}
    )
    # Sources are older than what a build makes of them, by more than the second that archives keep of a time.
    begun = time.time() - 3600
    for number, name in enumerate(files):
        os.utime(folder / "tree" / name, (begun + number, begun + number))
    inputs = open_variant_inputs(load_recipe(folder / "recipes/small/recipe.yaml"), folder / "cache", spec)
    record = make_name_map(inputs, GOLD_WORDS, LearntNames())
    return Made(inputs, write_variant_tree(inputs.image.recipe, inputs.source, record, inputs.cache), record)


@pytest.fixture(scope="module")
def small_c(tmp_path_factory):
    return _made(tmp_path_factory.mktemp("small-c"), C_FILES)


@pytest.fixture(scope="module")
def small_cpp(tmp_path_factory):
    return _made(tmp_path_factory.mktemp("small-cpp"), CPP_FILES)


def _output(tree, scratch):
    scratch.mkdir()
    subprocess.run(["cp", "-a", f"{tree}/.", str(scratch)], check=True)
    subprocess.run(["make", "-s"], cwd=scratch, check=True, capture_output=True)
    return subprocess.run(["./program"], cwd=scratch, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_the_renamed_program_does_the_same(language, tmp_path, request):
    made: Made = request.getfixturevalue(f"small_{language}")
    outputs = []
    for name, tree in (("original", made.inputs.source.root), ("variant", made.variant.root)):
        outputs.append(_output(tree, tmp_path / name))
    assert outputs[0] == outputs[1]
    assert "not ok" not in outputs[0]
    names = made.record.names
    assert len(set(names.values())) == len(names)
    assert names.keys().isdisjoint(names.values())
    for path in made.inputs.source.root.rglob("*.[ch]*"):
        if path.is_file():
            other = made.variant.root / path.relative_to(made.inputs.source.root)
            assert other.read_text().count("\n") == path.read_text().count("\n")
            assert other.stat().st_mtime_ns == path.stat().st_mtime_ns


def test_names_of_c_are_renamed_and_what_is_tied_stays(small_c):
    names, kept = small_c.record.names, small_c.record.kept
    # Of a plain word, `tablet`, it isn't known that a left file of data names it; the last three are renamed though
    # macros of their units follow late.
    renamed = (
        "table_entry width_px table_find table_hint colour COLOURS CONCAT CHECK step_1 FORMAT_2 MAKE_GETTER"
        " listed_function type data PRINT_TABLE tablet CLOCK_THERE index parcel_exit_code"
    )
    assert set(renamed.split()) <= names.keys()
    assert names["parcel_exit_code"].startswith("parcel_exit_")
    # A generator prints these names of tables, and a test compares that with a left file.
    assert {"foldTable", "Table1"} <= kept.keys()
    # Made by a macro, of the field's new name.
    assert names["table_get_width_px"].endswith(names["width_px"])
    assert "the recipe names it" in kept["kept_by_recipe"]
    outside = "_GNU_SOURCE VENDOR_MACRO FROM_MAKE main printf from_script vendor_field MADE_AGAIN_one"
    # No header holds the last two: only the linker sees that the other project has the one and calls the other.
    assert names.keys().isdisjoint([*outside.split(), "ven_hint", "table_size_for"])
    # The suite's results and a string that is compared with name these.
    assert {"check_finds", "colour_green"}.isdisjoint(names)
    header = (small_c.variant.root / "table.h").read_text()
    assert f"`wanted_entry` in a table: see {names['table_find']}(). The table is sorted." in header
    assert (small_c.variant.root / "names.list").read_text().strip() == names["listed_function"]
    assert (small_c.variant.root / "vendored/vendor.h").read_text() == C_FILES["vendored/vendor.h"]


def test_a_name_that_must_stay_changes_no_other_name(small_c):
    record = small_c.record
    again = make_name_map(small_c.inputs, GOLD_WORDS, LearntNames({"table_find": "a failed build named it"}))
    assert again.kept["table_find"] == "a failed build named it"
    assert again.digest != record.digest
    assert again.names == {name: new for name, new in record.names.items() if name != "table_find"}
    # Strength counts what the golds use and the repository defines.
    assert (record.used, record.used_renamed, again.used, again.used_renamed) == (1, 1, 1, 0)


def test_another_seed_asks_the_compiler_nothing_again(small_cpp, monkeypatch):
    first = small_cpp.record
    # std::string's, which the code calls; std::pair's, which it doesn't.
    assert ("length" in first.learnt, first.free) == (True, ("second",))

    def never(*_):
        raise AssertionError("the compiler was asked again")

    monkeypatch.setattr(repair, "find_outside_names_to_keep_by_compiling", never)
    learnt = LearntNames({name: first.kept[name] for name in first.learnt}, frozenset(first.free))
    other = make_name_map(replace(small_cpp.inputs, spec=VariantSpec("plausible", 2)), GOLD_WORDS, learnt)
    assert (other.kept, other.learnt, other.free) == (first.kept, first.learnt, first.free)
    assert other.names.keys() == first.names.keys()
    assert set(other.names.values()).isdisjoint(first.names.values())


def test_names_of_cpp_are_renamed_without_those_of_outside_bases(small_cpp):
    names = small_cpp.record.names
    renamed = (
        "geometry planar Point manhattan_norm BaseShape SquareShape compute_area kind_name overload_me ShapeList"
        " sideLength side_count ShapeError across"
    )
    assert set(renamed.split()) <= names.keys()
    # std::exception's, std::string's, std::vector's; the suffix of a literal stands in numbers.
    assert {"what", "size", "length", "string", "vector", "_metres"}.isdisjoint(names)
    # A test's name begins with it.
    assert "PrintedCase" in small_cpp.record.kept
    # `std::string::size` stays, so the macro makes another name of the field's than it did under the first map.
    assert names["fetch_size"].endswith("size")


def test_names_that_configure_assembler_and_linker_read_stay(tmp_path):
    """Prevents: a feature that is silently off, or another one on, as neither of the first two finds its macro; a mock
    that nothing calls, as cmocka's tests have them, since the linker wraps by name."""
    files = {
        "Makefile": "program: main.o data.o fetch.o\n\tcc -Wl,--wrap=fetch_it -o $@ main.o data.o fetch.o\n"
        "main.o: config.h\n"
        "config.h: config.h.in\n\tsed 's/^#undef HAVE_FAST$$/#define HAVE_FAST 1/' config.h.in > $@\n",
        "win_config.h": "#define HAVE_FAST 1\n",
        "config.h.in": "#undef HAVE_FAST\n",
        "step.h": "#define DATA_STEP 2\n#define PLAIN_STEP 3\n",
        "data.S": '#include "step.h"\n.data\n.globl data_word\ndata_word:\n#if DATA_STEP == 2\n.long 7\n#else\n'
        ".long 8\n#endif\n.section .note.GNU-stack\n",
        "fetch.c": "int fetch_it(void) { return 1; }\nint fetch_all(void) { return fetch_it(); }\n",
        "main.c": '#include <stdio.h>\n#include "config.h"\n#include "step.h"\nextern int data_word;\n'
        "#ifdef HAVE_FAST\n#define SPEED 1\n#else\n#define SPEED 0\n#endif\n"
        "int fetch_all(void);\nint fetch_it(void);\nint __wrap_fetch_it(void) { return 7; }\n"
        'int main(void) { printf("ok %d_%d_%d_", SPEED, data_word, PLAIN_STEP);\n'
        'printf("%d_%d\\n", fetch_it(), fetch_all()); return 0; }\n',
    }
    made = _made(tmp_path, files)
    assert {"HAVE_FAST", "DATA_STEP", "fetch_it", "__wrap_fetch_it"} <= made.record.kept.keys()
    assert {"SPEED", "PLAIN_STEP", "fetch_all"} <= made.record.names.keys()
    assert _output(made.variant.root, tmp_path / "built") == "ok 1_7_3_7_1\n"


def test_a_test_that_a_suites_command_chooses_by_its_name_stays(tmp_path):
    """As Boost's --run_test does: what it prints holds no name."""
    files = {
        "Makefile": "program: main.c\n\tcc -o $@ main.c\n",
        "main.c": "#include <stdio.h>\n#include <string.h>\nstatic int counts(void) { return 1; }\n"
        "static int measures(void) { return 2; }\n#define RUN(test_) if (!strcmp(argv[1], #test_)) return !test_();\n"
        'int main(int argc, char **argv) { puts("ok all"); RUN(counts) RUN(measures) return 1; }\n',
    }
    made = _made(tmp_path, files, recipe=RECIPE.replace("argv: [./program]", "argv: [./program, counts]"))
    assert "a macro makes a text of it" in made.record.kept["counts"]
    assert {"measures", "RUN"} <= made.record.names.keys()


LIST_OF_WORDS = """\
#include <stdio.h>
#include <string.h>
#define KINDS(apply) apply(circle) apply(square)
#define TEXT(word) #word,
static const char *const kind_texts[] = {KINDS(TEXT)};
static int matches(const char *wanted_kind) { int found_it = !strcmp(kind_texts[0], wanted_kind); return found_it; }
int main(void) { printf("%s kinds\\n", matches("circle") ? "ok" : "not ok"); return 0; }
"""


def test_a_word_given_to_a_macro_alone_stays_where_its_text_is_compared(tmp_path):
    """`locals` takes every word for a name."""
    files = {"Makefile": "program: main.c\n\tcc -o $@ main.c\n", "main.c": LIST_OF_WORDS}
    made = _made(tmp_path, files, VariantSpec(locals=True))
    assert {"found_it", "wanted_kind", "kind_texts", "square"} <= made.record.names.keys()
    assert "circle" in made.record.kept
    assert _output(made.variant.root, tmp_path / "built") == "ok kinds\n"


def test_only_units_whose_files_changed_are_expanded_again(tmp_path, monkeypatch):
    """Prevents: minutes for each round on a tree of which a round changes a handful of names."""
    rounds: list[list[str]] = []
    run = macro_expansion.run_unit_compilers

    def counted(session, steps, *flags):
        rounds.append([step.sources[0] for step in steps])
        return run(session, steps, *flags)

    monkeypatch.setattr(macro_expansion, "run_unit_compilers", counted)
    pasting = (
        "#include <stdio.h>\n#define MADE(x) made_##x\nint made_once(void);\nint MADE(once)(void) { return 1; }\n"
    )
    files = {
        "Makefile": "program: main.o other.o\n\tcc -o $@ main.o other.o\n",
        "main.c": pasting + 'int other(void);\nint main(void) { printf("ok %d\\n", made_once() + other()); }\n',
        "other.c": "int other(void) { return 2; }\n",
    }
    made = _made(tmp_path, files)
    # The original's units, all under the first names, and then main.c alone until its macro agrees.
    assert [sorted(asked) for asked in rounds[:2]] == [["main.c", "other.c"]] * 2
    assert rounds[2] == ["main.c"]
    assert all("other.c" not in asked for asked in rounds[2:])
    assert _output(made.variant.root, tmp_path / "built") == "ok 3\n"
