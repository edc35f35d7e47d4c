"""Bugs prevented: tests that run the system's libcrypto, not the candidate's, so that every stub "passes"; a suite
that starts what none of its goals names: that isn't built anew, but removed, and a right answer fails."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from executor.cache import cache_root
from executor.candidate.execute import execute_edits
from executor.function.splice import Edit
from executor.function.stub import make_stub
from executor.grading.grade import grade, limit_expected_to_suites
from executor.grading.logs.results import read_results
from executor.repository.images import require_image
from executor.repository.recipe import Recipe, find_recipe
from executor.repository.source import SourceTree, checkout_source, choose_mirror_folder
from executor.sandbox.choose import open_unscheduled_backend
from executor.tasks.datasets import bind_row, load_rows
from executor.values import Outcome, TestStatus
from index.errors import GraftError

LCIDM = "719446CC9497E0DF"
SUITE = "70-test_quic_lcidm"


@pytest.fixture
def openssl() -> tuple[Recipe, SourceTree]:
    mirror = choose_mirror_folder()
    if mirror is None or not (mirror / "openssl").exists():
        pytest.skip("no mirror of openssl: GRAFT_MIRROR names a folder that holds one")
    recipe = find_recipe("openssl")
    return recipe, checkout_source(recipe, mirror, cache_root())


@pytest.mark.real
@pytest.mark.bwrap
def test_a_stub_in_the_library_fails_and_the_gold_passes(openssl: tuple[Recipe, SourceTree], tmp_path: Path) -> None:
    """Needs the warm image: building it takes longer than all other tests together."""
    recipe, source = openssl
    try:
        backend = open_unscheduled_backend("bwrap", cache_root())
        image = require_image(recipe, source, backend, None, cache_root())
    except GraftError as error:
        pytest.skip(str(error))
    assert [note.rpartition("/")[2] for note in source.notes] == ["evprand.txt"]
    task = bind_row(next(row for row in load_rows("yabloco") if row.id == LCIDM), source.root)
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
def test_a_suites_goals_hold_what_its_recipe_starts(openssl: tuple[Recipe, SourceTree]) -> None:
    """As far as the recipe's text names it: `app([...])`, `test(["NAME"...])`, the legacy provider."""
    recipe, root = openssl[0], openssl[1].root
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
