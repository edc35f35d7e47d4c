"""Prevents: a variant that can't be built over one name that the build file holds; one whose tests are called
otherwise and count as others; a build that is repeated for ever, or whose log is lost, when nothing is left to do;
one taken for equal whose suites lost a test, pass one that never ran on the original, or fail one that the recipe
would excuse; and one refused over a test that is known to be unsteady.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.manifest.variant.record import digest_renaming_maps
from executor.manifest.variant.renamed_files import write_variant_tree
from executor.manifest.variant.values import VariantRecord, VariantSpec
from executor.repository.baseline_measurement import make_baseline_of_rounds
from executor.values import TestResult, TestStatus
from index.errors import RecipeError
from lab.variants.proof.build_repair import build_variant_mending_names, compare_suites
from tests.support.variants import open_variant_inputs

NAMES = {"add": "golp", "twice": "brin", "check": "vusk", "failed": "trud"}


class _Variant:
    """The tiny repository's tree as it stands now, and its variant under `names`."""

    def __init__(self, recipe, tmp_path, names):
        self.making, self.names = open_variant_inputs(recipe, tmp_path / "cache"), names
        self.kept: list[dict[str, str]] = []

    def remake(self, keep):
        left = {name: new for name, new in self.names.items() if name not in keep}
        source = self.making.source
        record = VariantRecord(
            "tiny", VariantSpec(), "", source.root.name, left, dict(keep), {}, digest_renaming_maps(left, {})
        )
        return record, write_variant_tree(self.making.image.recipe, source, record, self.making.cache)

    def build(self, mended=None, remake=None):
        return build_variant_mending_names(
            self.making, remake or self.remake, mended or {}, lambda names: self.kept.append(dict(names))
        )


def test_a_name_of_the_build_file_and_a_name_that_is_printed_stay(tiny_recipe, tmp_path):
    tree, cache = tmp_path / "tree", tmp_path / "cache"
    makefile = (tree / "Makefile").read_text().replace("-Wall", "-Wall -DTWO=2 -DTHREE=3")
    (tree / "Makefile").write_text(makefile)
    (tree / "calc.c").write_text("int add(int a, int b)\n{\n    return a + b;\n}\nint twice(int a)\n{\n"
                                 "    return TWO * a;\n}\nint thrice(int a) { return THREE * a; }\n")  # fmt: skip
    test = (tree / "test.c").read_text().replace("int main(", "#define DO(call) check(#call, call())\n"
        "static int adds_well(void) { return add(1, 1) == 2; }\nint main(")  # fmt: skip
    (tree / "test.c").write_text(test.replace('    check("adds", ', '    DO(adds_well);\n    check("adds", '))
    names = {**NAMES, "TWO": "MOX", "THREE": "ZUB", "adds_well": "zuks_nirl", "thrice": "wopp"}
    variant = _Variant(tiny_recipe, tmp_path, names)
    built = variant.build()
    mended = variant.kept[-1]
    assert mended["TWO"].startswith("build: ")
    assert mended["adds_well"] == "suite unit printed: [ok]: zuks_nirl"
    assert (built.comparison.equal, dict(built.comparison.problems)) == (2, {})
    assert set(built.record.names) == {"add", "twice", "check", "failed", "thrice"}
    # Both names of the build file were found at once, and what was found is kept before it is used.
    assert [set(names) for names in variant.kept] == [{"TWO", "THREE"}, {"TWO", "THREE", "adds_well"}]
    # Trees and images of the failed rounds are gone.
    trees = [path.name for path in (cache / "sources").iterdir() if path.is_dir()]
    assert sorted(trees) == sorted([variant.making.source.root.name, built.image.source_root.name])
    assert len(variant.making.backend.images()) == 2
    # A later call takes up what is known, and builds nothing.
    again = variant.build(mended)
    assert (again.image.key, again.rounds) == (built.image.key, 1)


def test_a_build_that_shows_no_name_ends_with_its_log(tiny_recipe, tmp_path):
    makefile = tmp_path / "tree" / "Makefile"
    makefile.write_text("all: grep\n\tcc -o build/test test.c calc.c\ngrep:\n\tmkdir -p build\n"
                        "\t@grep -q 'twice(int' calc.c || exit 4\n")  # fmt: skip
    with pytest.raises(RecipeError, match=r"no name of the map is in it, see \S+build-1.log") as caught:
        _Variant(tiny_recipe, tmp_path, NAMES).build()
    assert "make" in Path(str(caught.value).rpartition("see ")[2]).read_text()


def test_a_map_that_no_mending_changes_ends_it(tiny_recipe, tmp_path):
    variant = _Variant(tiny_recipe, tmp_path, {**NAMES, "main": "frob"})
    with pytest.raises(RecipeError, match="tiny: keeping main changes nothing in the map"):
        variant.build(remake=lambda keep: variant.remake({}))


def test_a_suite_that_fails_twice_ends_it(tiny_recipe, tmp_path):
    """A test that reads its own program's symbols: nothing that it prints tells which name it misses."""
    tree = tmp_path / "tree"
    test = (tree / "test.c").read_text()
    (tree / "test.c").write_text(test.replace("int failed", "int failed, x").replace(
        'check("adds_zero", add(7, 0) == 7)', 'check("adds_zero", !system("nm build/test | grep -q twice"))'
    ).replace("#include <stdio.h>", "#include <stdio.h>\n#include <stdlib.h>"))  # fmt: skip
    with pytest.raises(RecipeError, match="suite unit on the renamed tree: 'adds_zero' failed"):
        _Variant(tiny_recipe, tmp_path, NAMES).build()


def _baseline(recipe, *rounds):
    """Of rounds like {"a": "passed", "b": "failed"}; the suite `late` always passes its test."""
    late = (TestResult("adds_negative", TestStatus.PASSED),)
    made = [
        {"unit": tuple(TestResult(name, TestStatus(status)) for name, status in found.items()), "late": late}
        for found in rounds
    ]
    return make_baseline_of_rounds(recipe, made, {})


PASSES = {"a": "passed", "b": "passed"}


@pytest.mark.parametrize(
    ("rounds", "problem"),
    [
        ([PASSES, PASSES], ""),
        ([{"a": "passed"}, {"a": "passed"}], "1 don't pass as often: b"),
        ([{**PASSES, "c": "passed"}] * 2, "1 pass that the original lacks: c"),
        ([{"a": "passed", "b": "failed"}] * 2, "1 fail: b"),
        ([{"a": "passed", "zub": "passed"}] * 2, "1 don't pass as often: b; 1 pass that the original lacks: zub"),
        # Unsteady on the variant: not a difference, but listed.
        ([PASSES, {"a": "passed", "b": "failed"}], ""),
    ],
)
def test_a_suite_is_equal_name_by_name(tiny_recipe, rounds, problem):
    original = _baseline(tiny_recipe, PASSES, PASSES)
    found = compare_suites(tiny_recipe, original, _baseline(tiny_recipe, *rounds))
    assert found.problems == ({"unit": problem} if problem else {})
    assert (found.equal, found.tried) == (1 if problem else 2, 2)
    unsteady = len({str(sorted(names.items())) for names in rounds}) > 1
    assert found.unsteady == (("unit: 'b' is unsteady on the variant alone",) if unsteady else ())
    assert found.tests == (2 if unsteady else 3)


def test_a_test_that_fails_on_both_and_a_quarantined_one(tiny_recipe):
    recipe = tiny_recipe.model_copy(update={"quarantine": ("^slow",)})
    fails = {"a": "passed", "b": "failed"}
    assert not compare_suites(recipe, _baseline(recipe, fails, fails), _baseline(recipe, fails, fails)).problems
    slow = {**PASSES, "slow one": "passed"}
    found = compare_suites(recipe, _baseline(recipe, PASSES, PASSES), _baseline(recipe, slow, PASSES))
    assert (found.problems, found.unsteady) == ({}, ())


def test_another_exit_status_is_a_difference(tiny_recipe):
    rounds = [{"unit": (TestResult("a", TestStatus.PASSED),), "late": (TestResult("b", TestStatus.PASSED),)}]
    before, after = (
        make_baseline_of_rounds(tiny_recipe, rounds, {}, (), statuses) for statuses in ({}, {"unit": {3}})
    )
    assert compare_suites(tiny_recipe, before, after).problems == {"unit": "ends with status 3"}
    assert not compare_suites(tiny_recipe, after, after).problems
