"""Bugs prevented: more patience that costs all that was done before once more; a survivor that stays one although
the suites that it was never run on would have told it; an entry that changes where nothing more was found out; a
slow variant that is called killed for ever since a busy machine's doctor stopped it sooner than a candidate."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import partial

import pytest

from executor.candidate.execute import run_suite
from executor.manifest.health import Fate, Finding, Health
from executor.manifest.manifest import load_manifest
from lab.doctor.body_trial import Effort
from lab.doctor.manifest import update_health_by_plus_tests_and_save
from lab.doctor.repository_examination import OpenRepository, examine_repository
from tests.fixtures.calc import add_task

pytestmark = pytest.mark.slow

# Only `late` asks for negative sums.
GOLD = "int add(int a, int b)\n{\n    if (a < 0)\n        return b + a;\n    return a + b;\n}\n"
EFFORT = Effort(budget_s=60, gold_runs=2, mutants=8, forgeries=False)


@pytest.fixture
def ran(monkeypatch):
    """The suites that ran, in order, each with its limit."""
    noted: list[tuple[str, float]] = []

    def run_and_note(runner, image, suite, wall_s):
        noted.append((suite.name, wall_s))
        return run_suite(runner, image, suite, wall_s)

    monkeypatch.setattr("lab.doctor.body_trial.run_suite", run_and_note)
    return noted


@pytest.fixture(scope="module")
def image(tiny):
    # As measured they take about the same, and the machine's load would say which goes first.
    # A candidate's limit is 30 s, a variant's 15.
    suites = tuple(suite.model_copy(update={"timeout_min_s": 30.0}) for suite in tiny.image.recipe.suites)
    recipe = tiny.image.recipe.model_copy(update={"suites": suites})
    return replace(tiny.image, recipe=recipe, suite_seconds={"unit": 0.1, "late": 0.2})


def _examine(image, backend, folder, effort=EFFORT, **how):
    repository = OpenRepository(image, backend, [add_task(GOLD)], ["add"], folder / "m.json", folder)
    return examine_repository(repository, effort, **how).tasks["add"]


@pytest.fixture(scope="module")
def examined(image, tiny, tmp_path_factory):
    """What a first examination leaves, made once."""
    folder = tmp_path_factory.mktemp("examined")
    _examine(image, tiny.backend, folder)
    return folder


@pytest.fixture
def whole(examined, tmp_path):
    """The entry of a first examination, all of which lies in the test's folder."""
    shutil.copytree(examined, tmp_path, dirs_exist_ok=True)
    return _change_entry(tmp_path / "m.json")


@pytest.fixture
def go(image, tiny, tmp_path):
    return partial(_examine, image, tiny.backend, tmp_path)


def _is_killed_late(found):
    return found.kind == "mutant" and found.by == "late" and len(found.ran) > 1


def _change_entry(path, **changes):
    """The task's entry with these changes, which the manifest then holds."""
    manifest = load_manifest(path)
    entry = replace(manifest.tasks["add"], **changes)
    update_health_by_plus_tests_and_save(path, replace(manifest, tasks={"add": entry}))
    return entry


def _change_findings(path, is_meant, fate, ran, **more):
    """The entry, of which some findings are as they would be, had the examination ended otherwise."""
    findings = [
        replace(f, fate=fate, ran=ran, **{"by": "", "reason": "", **more}) if is_meant(f) else f
        for f in _change_entry(path).findings
    ]
    killed = sum(f.fate is Fate.KILLED for f in findings if f.kind == "mutant")
    return _change_entry(path, findings=tuple(findings), mutants_killed=killed)


def _remove_details(path):
    return _change_entry(path, findings=tuple(replace(found, detail="") for found in _change_entry(path).findings))


def _cut_off(path):
    """The manifest as it would be, had patience ended before the suite `late`."""
    _change_findings(path, _is_killed_late, Fate.SURVIVED, ("unit",))
    return _change_entry(path, suites=("unit",), seconds=100.0)


def _stop(path, after_s):
    """The manifest as it would be, had `unit` been stopped for a variant after so long, and what was found of it."""
    slow = next(found for found in _change_entry(path).findings if _is_killed_late(found))
    words = {"by": "unit", "reason": f"was stopped after {after_s} s"}
    _change_findings(path, lambda found: found == slow, Fate.KILLED, ("unit",), **words)
    return _change_entry(path, suites=("unit", "late")), slow


def test_a_survivor_goes_on_where_patience_ended(go, whole, ran, tmp_path):
    late = [found for found in whole.findings if _is_killed_late(found)]
    assert late, whole.findings
    assert "late" in whole.suites
    cut = _cut_off(tmp_path / "m.json")
    found = go(scope="further")
    assert (found.mutants_killed, found.suites, found.health) == (whole.mutants_killed, whole.suites, Health.VALID)
    assert [(f.name, f.fate, f.by, f.ran) for f in found.findings] == [
        (f.name, f.fate, f.by, f.ran) for f in whole.findings
    ]
    assert cut.mutants_killed < found.mutants_killed
    # The gold's first build, each survivor on the suite that it hadn't seen; then gold and stub again on the suites
    # that judge now.
    again = len(ran) - 1 - len(late)
    assert [name for name, _ in ran[1 : 1 + len(late)]] == ["late"] * len(late)
    assert again <= (EFFORT.gold_runs + 1) * len(found.suites) + len(whole.findings)


@pytest.mark.parametrize(
    "change",
    [
        lambda path: None,
        # The data set comes with Graft, so its findings have no words of the source.
        _remove_details,
        # All survive.
        lambda path: _change_findings(path, lambda found: found.kind == "mutant", Fate.SURVIVED, ("unit", "late")),
        # One was stopped by a candidate's limit.
        lambda path: _stop(path, 30),
    ],
)
def test_where_nothing_is_left_nothing_runs(go, whole, ran, tmp_path, change):
    change(tmp_path / "m.json")
    entry = _change_entry(tmp_path / "m.json")
    found = go(scope="further")
    # Counted anew, since the change made more of them known.
    counted = {"seconds": 0, "mutants": 0, "kill_score": None}
    assert replace(found, **counted) == replace(entry, **counted)
    assert ran == []


def test_on_another_machine_reach_is_known_and_more_mutants_are_tried_and_stubs_not_again(go, ran, tmp_path):
    none = go(replace(EFFORT, mutants=0))
    (measured,) = (tmp_path / "doctor" / "reach").iterdir()
    measured.unlink()
    ran.clear()
    found = go(scope="further")
    assert found.reached_by == none.reached_by == ("unit", "late")
    assert not measured.exists()
    assert found.mutants > none.mutants == 0
    tried = [f for f in found.findings if f.kind == "mutant"]
    assert [f for f in found.findings if f.kind == "stub"] == [f for f in none.findings if f.kind == "stub"]
    assert len(ran) >= 1 + sum(len(f.ran) for f in tried)


def test_fewer_mutants_lose_none(go, whole):
    found = go(replace(EFFORT, mutants=1), scope="further")
    assert sorted(f.name for f in found.findings) == sorted(f.name for f in whole.findings)
    assert (found.mutants, found.suites) == (whole.mutants, whole.suites)


def test_what_was_cut_off_and_is_not_asked_for_leaves_the_entry_incomplete(go, whole, tmp_path):
    cut = _cut_off(tmp_path / "m.json")
    unknown = Finding("mutant", "of-another-day", Fate.UNKNOWN, detail="a -> b")
    _change_entry(tmp_path / "m.json", findings=(*cut.findings, unknown), complete=False)
    found = go(scope="further")
    assert found.suites != cut.suites
    assert unknown in found.findings
    assert not found.complete


def test_an_open_mutant_is_tried_also_when_fewer_are_asked_for(go, whole, tmp_path):
    last = whole.findings[-1]
    assert last.kind == "mutant"
    _change_findings(tmp_path / "m.json", lambda found: found == last, Fate.UNKNOWN, ())
    _change_entry(tmp_path / "m.json", complete=False)
    found = go(replace(EFFORT, mutants=1), scope="further")
    assert found.complete
    assert {f.name: f.fate for f in found.findings} == {f.name: f.fate for f in whole.findings}


def test_a_stop_that_came_too_soon_is_tried_with_a_candidates_limit_within_the_budget(go, whole, ran, tmp_path):
    entry, slow = _stop(tmp_path / "m.json", 15)
    assert go(replace(EFFORT, budget_s=0), scope="further").findings == entry.findings
    ran.clear()
    found = go(scope="further")
    # First the gold; then the one that was stopped, in that suite and the next; then gold and stub on these.
    assert [limit for _, limit in ran[1:3]] == [30.0, 30.0]
    assert next(f for f in entry.findings if f.name == slow.name).by == "unit"
    assert next(f for f in found.findings if f.name == slow.name) == slow
    assert (found.suites, found.gold_passed) == (whole.suites, EFFORT.gold_runs)
