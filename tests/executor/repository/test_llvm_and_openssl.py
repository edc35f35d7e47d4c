"""Prevents: a program of the recipe llvm-prebuilt that crashed, or that made other code, counted as a passed test,
which lets every stub of TableGen pass; a changed byte of its files, which makes the manifest stale, so that runs are
judged by the recipe's default suites; tests of OpenSSL that run the system's libcrypto, not the candidate's, so that
every stub "passes"; a suite that starts what none of its goals names: that isn't built anew, but removed, and a right
answer fails."""

from __future__ import annotations

import re
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path, PurePath

import pytest

from executor.cache import cache_root
from executor.candidate.execute import execute_edits
from executor.function.splice import Edit
from executor.function.stub import make_stub
from executor.grading.grade import grade, limit_expected_to_suites
from executor.grading.logs.results import read_results, read_results_and_problem
from executor.manifest.health import Health
from executor.manifest.manifest import digest_suites, load_manifest, manifest_path
from executor.repository.images import image_key, require_image
from executor.repository.recipe import Recipe, find_recipe
from executor.repository.source import SourceTree, checkout_source
from executor.repository.source_package import name_package_tree_by_content
from executor.sandbox.choose import open_unscheduled_backend
from executor.tasks.datasets import load_rows, make_task_from_row
from executor.values import Outcome, TestStatus
from index.errors import GraftError
from tests.support.engines import require_mirror
from tests.support.projects import write_files

FAKE = """\
#!/bin/sh
# llvm-tblgen -I A -I B FILE -gen-KIND -o MADE
case $6 in -gen-crash) exit 139 ;; -gen-nothing) exit 0 ;; esac
echo "$5 $6 $(cat "$5")" >"$8"
"""


@pytest.fixture
def recipe() -> Recipe:
    return find_recipe("llvm-prebuilt")


@pytest.fixture
def tree(tmp_path: Path, recipe: Recipe) -> Path:
    """The recipe's own files over a tree of two targets, with a program that copies its input."""
    shutil.copytree(recipe.folder / "files", tmp_path, dirs_exist_ok=True)
    targets = {f"llvm/lib/Target/{target}/{target}.td": f"def {target};\n" for target in ("One", "Two")}
    write_files(tmp_path, {"graft/out/bin/llvm-tblgen": FAKE, **targets})
    (tmp_path / "graft/out/bin/llvm-tblgen").chmod(0o755)
    return tmp_path


def _generated(recipe: Recipe, tree: Path, *pairs: str) -> tuple[int, dict[str, TestStatus]]:
    argv = ["sh", "graft/generate.sh", *pairs]
    done = subprocess.run(argv, cwd=tree, capture_output=True, check=False)
    found = read_results(done.stdout + done.stderr, recipe.parsers["made"])
    return done.returncode, {result.name: result.status for result in found}


def test_other_code_is_another_test_and_a_program_that_ends_early_made_nothing(recipe: Recipe, tree: Path) -> None:
    code, before = _generated(recipe, tree, "One:kind", "Two:kind")
    assert (code, len(before)) == (0, 2)
    assert _generated(recipe, tree, "One:kind", "Two:kind") == (0, before)
    write_files(tree / "llvm/lib/Target", {"Two/Two.td": "def Three;\n"})
    code, after = _generated(recipe, tree, "One:kind", "Two:kind")
    assert (code, len(before.keys() & after.keys())) == (0, 1)
    assert {name.split()[0] for name in after} == {"One:kind", "Two:kind"}
    # A crash fails the suite and leaves no old result.
    code, found = _generated(recipe, tree, "One:crash", "Two:kind")
    assert (code, found.pop("One:crash")) == (1, TestStatus.FAILED)
    assert {(name.split()[0], status) for name, status in found.items()} == {("Two:kind", TestStatus.PASSED)}
    # One that ends early with status 0, over what an earlier run has left.
    write_files(tree / "graft/out/made", {"One:nothing": "old\n"})
    assert _generated(recipe, tree, "One:nothing")[1] == {}


def test_lits_lines_are_read_one_by_one(recipe: Recipe) -> None:
    printed = b"""\
-- Testing: 5 tests, 2 workers --
PASS: LLVM :: TableGen/a.td (1 of 5)
FAIL: LLVM :: TableGen/b.td (2 of 5)
XFAIL: LLVM :: TableGen/c.td (3 of 5)
UNSUPPORTED: LLVM :: TableGen/d.td (4 of 5)
XPASS: LLVM :: TableGen/e.td (5 of 5)
********************
Failed Tests (1):
  LLVM :: TableGen/b.td
"""
    found = {result.name: result.status.value for result in read_results(printed, recipe.parsers["lit"])}
    statuses = ("passed", "failed", "passed", "skipped", "failed")
    assert found == {f"TableGen/{name}.td": status for name, status in zip("abcde", statuses, strict=True)}


def test_each_generators_tests_are_found_by_what_they_run(tree: Path) -> None:
    """`-gen-global-isel` isn't `-gen-global-isel-combiner`, and what tests include is no test."""
    runs = {
        "isel.td": "llvm-tblgen -gen-global-isel %s",
        "combiner.td": "llvm-tblgen -gen-global-isel-combiner %s",
        "end.td": "llvm-tblgen %s -gen-global-isel",
        "plain.td": "llvm-tblgen %s",
        "Common/part.td": "-gen-global-isel ",
    }
    write_files(tree / "llvm/test/TableGen", {name: f"// RUN: {run}\n" for name, run in runs.items()})
    (tree / "graft" / "lit.sh").write_text('printf "%s\\n" "$@"\n')
    done = subprocess.run(
        ["sh", "graft/lit-tablegen.sh", "global-isel"], cwd=tree, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["TableGen/end.td", "TableGen/isel.td"]


def test_a_pattern_stands_for_the_tests_that_it_matches(tree: Path) -> None:
    """One that matches none stays as it is, so that lit finds no such test and the suite fails."""
    write_files(tree, {"llvm/utils/lit/lit.py": "import sys\nprint(*sys.argv[1:], sep='\\n')\n"})
    write_files(tree / "llvm/test/Part", dict.fromkeys(("one.ll", "other.ll", "one.txt"), ""))
    argv = ["sh", "graft/lit.sh", "Part/o*.ll", "Part/none*.ll"]
    done = subprocess.run(argv, cwd=tree, capture_output=True, text=True, check=True)
    paths = [f"graft/test/Part/{name}" for name in ("one.ll", "other.ll", "none*.ll")]
    assert done.stdout.split() == ["-j", "2", *paths]


def test_the_programs_know_the_targets_that_they_are_linked_with(recipe: Recipe) -> None:
    """A target more in the headers is a link that fails; one more in the Makefile is linked and never found."""
    graft = recipe.folder / "files" / "graft"
    named = next(
        line.split("=")[1].split()
        for line in (graft / "Makefile").read_text().splitlines()
        if line.startswith("TARGETS =")
    )
    for path in (graft / "targets" / "llvm" / "Config").glob("*.def"):
        assert re.findall(r"^LLVM_\w+\((\w+)\)$", path.read_text(), re.MULTILINE) == named, path.name


def test_what_a_part_of_llvms_tests_runs_is_in_the_source(recipe: Recipe) -> None:
    """A pattern narrower in the source than in the suite would leave tests out without a word."""
    kept = [path.removeprefix("llvm/test/") for path in recipe.source.paths if path.startswith("llvm/test/")]
    named = [
        (suite.name, pattern)
        for suite in recipe.suites
        if suite.argv_with_suite_name[:2] == ("sh", "graft/lit.sh")
        for pattern in suite.argv_with_suite_name[2:]
    ]
    assert len(named) > 20
    for name, pattern in named:
        folders = [str(folder) for folder in PurePath(pattern).parents]
        assert any(fnmatch(pattern, path) or path in folders for path in kept), (name, pattern)


def test_the_manifest_is_of_this_recipe(recipe: Recipe) -> None:
    manifest = load_manifest(manifest_path(recipe))
    assert manifest is not None
    assert recipe.base is not None
    note = f"{recipe.display}: tasks of {recipe.rebinds} bound by text"
    source = SourceTree(Path(name_package_tree_by_content(recipe)), recipe.name, "", "", (note,))
    assert manifest.image == image_key(recipe, source, recipe.base.name)
    assert manifest.expected == digest_suites(recipe)


@pytest.mark.parametrize("name", ["llvm-prebuilt", "llvm"])
@pytest.mark.parametrize("count", ["1 test from 1 test suite", "12 tests from 3 test suites"])
def test_a_unit_program_of_a_single_test_reaches_its_end(name: str, count: str) -> None:
    """OrcJITTests has one: no image of LLVM could be made once results had to end with a line of their own."""
    printed = f"""\
[==========] Running {count}.
[ RUN      ] LazyReexportsTest.Basic
[       OK ] LazyReexportsTest.Basic (0 ms)
[==========] {count} ran. (0 ms total)
[  PASSED  ] all.
"""
    results, problem = read_results_and_problem(printed.encode(), find_recipe(name).parsers["gtest"])
    assert [result.name for result in results] == ["LazyReexportsTest.Basic"] and not problem


def test_plus_tests_are_listed_as_they_are_written(recipe: Recipe) -> None:
    """A test whose name in the head is misspelt never runs, by its name, and the gold fails; one that isn't listed
    doesn't count."""
    manifest = load_manifest(manifest_path(recipe))
    assert manifest is not None
    covered = {key for suite in recipe.plus_suites for key in suite.tasks}
    assert covered <= manifest.tasks.keys()
    assert {key for key, task in manifest.tasks.items() if task.health is Health.WEAK} <= covered
    for suite in recipe.plus_suites:
        text = suite.files[f"graft/plus/{suite.name.removeprefix('plus-')}.cpp"]
        written = re.findall(r"^TEST(?:_F)?\((\w+), (\w+)\)", text, re.MULTILINE)
        assert {f"{group}.{name}" for group, name in written} == suite.tests.keys(), suite.name
        assert suite.goals, suite.name


LCIDM = "719446CC9497E0DF"
SUITE = "70-test_quic_lcidm"


@pytest.fixture
def openssl_source() -> tuple[Recipe, SourceTree]:
    mirror, recipe = require_mirror("openssl"), find_recipe("openssl")
    return recipe, checkout_source(recipe, mirror, cache_root())


@pytest.mark.real
@pytest.mark.bwrap
def test_a_stub_in_the_library_fails_and_the_gold_passes(
    openssl_source: tuple[Recipe, SourceTree], tmp_path: Path
) -> None:
    """Needs the warm image: building it takes longer than all other tests together."""
    recipe, source = openssl_source
    try:
        backend = open_unscheduled_backend("bwrap", cache_root())
        image = require_image(recipe, source, backend, None, cache_root())
    except GraftError as error:
        pytest.skip(str(error))
    assert [note.rpartition("/")[2] for note in source.notes] == ["evprand.txt"]
    task = make_task_from_row(next(row for row in load_rows("yabloco") if row.id == LCIDM), source.root)
    ends = {}
    for name, code in (("gold", task.gold), ("stub", make_stub(task.target, task.gold))):
        edits = [Edit(task.target.path, task.target.span, code)]
        run = execute_edits(image, edits, backend, [SUITE], tmp_path / name)
        verdict = grade(run, limit_expected_to_suites(image.expected, [SUITE]), code)
        ends[name] = verdict.outcome
        # One object, its archive and this suite's one program: nothing else is linked.
        assert [step.name.partition("-")[0] for step in run.build].count("link") == 1
        log = (tmp_path / name / f"suite-{SUITE}.log").read_bytes()
        results = read_results(log, recipe.parsers["tap"])
        assert "1 / test_lcidm" in [result.name for result in results]
        assert (name == "gold") == all(result.status is TestStatus.PASSED for result in results)
    assert ends == {"gold": Outcome.PASSED, "stub": Outcome.TESTS_FAILED}


@pytest.mark.real
def test_a_suites_goals_hold_what_its_recipe_starts(openssl_source: tuple[Recipe, SourceTree]) -> None:
    """As far as the recipe's text names it: `app([...])`, `test(["NAME"...])`, the legacy provider."""
    recipe, root = openssl_source[0], openssl_source[1].root
    # Only a build with the FIPS provider has it.
    sources = {path.stem for path in (root / "test").glob("*.c")} - {"fips_version_test"}
    lacking, read = {}, 0
    for suite in recipe.suites:
        file = root / "test" / "recipes" / f"{suite.name.removeprefix('leaks.')}.t"
        if not file.is_file():
            continue
        read += 1
        text = file.read_text()
        started = {f"test/{name}" for name in re.findall(r"\btest\(\[\s*[\"'](\w+)[\"']", text) if name in sources}
        started |= {"apps/openssl"} if re.search(r"\bapp\(\[", text) else set()
        started |= {"providers/legacy.so"} if "legacy" in text else set()
        if started - set(suite.goals):
            lacking[suite.name] = started - set(suite.goals)
    assert read > 150
    assert lacking == {}
