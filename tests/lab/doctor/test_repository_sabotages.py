"""Prevents: a sabotage that a suite doesn't notice, one that shows before the task's function is entered and counts as
one that shows after it, and a search that begins again from nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from executor.candidate.execute import run_suite
from executor.function.sabotage import digest_definition, list_sabotage_changes_latest_first, make_target_at
from executor.manifest.manifest import load_manifest
from executor.values import Sabotage
from index.build import build_index
from index.errors import RecipeError
from index.repo_index import open_index
from index.values import Span, Target
from lab.doctor.manifest import make_empty_manifest, summarize_sabotages, update_health_by_plus_tests_and_save
from lab.doctor.repository_examination import OpenRepository
from lab.doctor.repository_sabotages import find_sabotages_failing_suites
from lab.doctor.sabotage_candidates import BreakableFunction, rank_functions_to_break
from lab.doctor.suite_sabotages import SabotageSearch, SearchEffort
from tests.fixtures.calc import add_manifest, add_task


@pytest.fixture
def index(tiny, tmp_path):
    build_index(tiny.image.source_root, tmp_path / "index", workers=1)
    return open_index(tmp_path / "index", tiny.image.source_root)


def _empty_manifest(tiny):
    return make_empty_manifest(tiny.image, "process", "2026-11-22")


def _rank(tiny, index, suite):
    return rank_functions_to_break(tiny.image, index, suite, [add_task()], _empty_manifest(tiny), [add_task()])


def _search(tiny, folder, suite="unit", tasks=(), wanted=3, known=()):
    return SabotageSearch(tiny.image, tiny.backend, suite, tasks, SearchEffort(wanted), folder, {}, known)


@pytest.mark.slow
def test_sabotages_of_the_tiny_repository(tiny, index, tmp_path, caplog):
    caplog.set_level("INFO")
    path = tmp_path / "tiny.json"
    repository = OpenRepository(tiny.image, tiny.backend, [add_task()], ["add"], path, tmp_path)
    with pytest.raises(RecipeError, match="no manifest says which suites judge"):
        find_sabotages_failing_suites(repository, index, SearchEffort(2))
    update_health_by_plus_tests_and_save(path, _empty_manifest(tiny))
    found = find_sabotages_failing_suites(repository, index, SearchEffort(2))
    # `add` itself, which the suite calls three times, and what goes wrong after `add` has been left. Which of these is
    # tried first hangs on the suite that was searched first.
    own, other = sorted(found.sabotages["unit"], key=lambda made: made.function != "add")
    assert (own.function, own.change, own.tasks) == ("add", "after-1", ("add",))
    assert other.function in {"main", "twice", "check"}
    assert other.tasks == ("add",)
    # Once is enough for the other suite.
    assert not any(made.function == "add" for made in found.sabotages["late"])
    assert load_manifest(path) == found

    caplog.clear()
    assert find_sabotages_failing_suites(repository, index, SearchEffort(2)) == found
    assert "2 suites judge, sabotages to find for 0" in caplog.text
    # What is known stays when more is looked for, in no time here.
    more = find_sabotages_failing_suites(repository, index, SearchEffort(3, 0.0), scope="further")
    assert set(found.sabotages["unit"]) <= set(more.sabotages["unit"])


def test_what_another_data_sets_tasks_have_is_kept(tiny, tmp_path):
    """The same suites judge tasks of one function, and tasks of several."""
    span, text = Span(10, 13), "int twice(int a)\n{\n    return add(a, a);\n}"
    change = list_sabotage_changes_latest_first(text, make_target_at("calc.c", span, "twice", "c"), 9)[0].name
    known = Sabotage("calc.c", "twice", 10, 13, change, digest_definition(text), ("elsewhere",), ("elsewhere too",))
    assert _search(tiny, tmp_path, known=[known]).search_suite([]) == (known,)


@pytest.mark.slow
def test_what_was_found_is_not_found_once_more(tiny, index, tmp_path):
    """A manifest held one sabotage of redis's `acl` twice: it counted as two."""
    chosen = [each for each in _rank(tiny, index, "unit") if each.name == "main"]

    def search(*known):
        return _search(tiny, tmp_path, "unit", [add_task()], 9, known).search_suite(chosen)

    found = [made for made in search() if made.function == "main"]
    assert found
    known = replace(found[0], tasks=(), others=("add",))
    again = search(known)
    assert len({(made.function, made.change) for made in again}) == len(again)
    assert not any(set(made.tasks) & set(made.others) for made in again)


@pytest.mark.slow
def test_a_lone_function_is_broken_in_two_ways(tiny, index, tmp_path):
    """A body that looks for the one change that a manifest lists would know its control run."""
    lone = _search(tiny, tmp_path, "late", [add_task()], 1).search_suite(_rank(tiny, index, "late"))[:1]
    found = _search(tiny, tmp_path, "late", [add_task()], 1, lone).search_suite(())
    assert len(found) == 2
    assert {made.function for made in found} == {lone[0].function}
    assert all("add" in (*made.tasks, *made.others) for made in found)


def test_the_last_tests_of_a_small_program_are_tried_first(tiny, index):
    """They run when a task's function has been left. Nothing calls them by name."""
    assert [(each.name, each.last) for each in _rank(tiny, index, "unit")[:2]] == [("main", True), ("add", False)]


def test_the_callers_of_what_a_suite_judges_are_tried_for_its_other_tasks(tiny, index):
    """redis's `logging` looks at two crash handlers alone, which are far from `ThreadsManager_init`."""
    check = replace(add_task(), id="check", target=Target("tiny", "test.c", Span(7, 12), "check", "", "", "c"))
    found = rank_functions_to_break(tiny.image, index, "unit", [check], add_manifest(tiny.image), [add_task()])
    assert [each.name for each in found][:2] == ["main", "twice"]


def test_what_the_tests_of_a_large_program_call_is_tried(tiny, index, monkeypatch):
    """bullet3's `physics` is linked from a hundred units, so none of its functions was tried."""
    monkeypatch.setattr("lab.doctor.sabotage_candidates._MOST_SMALL_PROGRAM_UNITS", 1)
    assert [each.name for each in _rank(tiny, index, "unit")][:3] == ["twice", "add", "main"]


def test_a_test_that_fails_at_once_is_tried_first(tiny, tmp_path):
    """OpenSSL's tests return 1 when they pass: an early return of that broke none."""
    text = "static int test_it(void)\n{\n    return is_equal(1, 1);\n}"
    search = _search(tiny, tmp_path)
    every = list_sabotage_changes_latest_first(text, make_target_at("test.c", Span(1, 4), "test_it", "c"), 9)
    tried = [
        search._choose_noticed_or_few_other_changes(
            every, BreakableFunction("test.c", Span(1, 4), "test_it", last=last)
        )
        for last in (True, False)
    ]
    assert [names[place].name for names, place in zip(tried, (0, -1), strict=True)] == ["zero", "one"]


@pytest.mark.slow
def test_a_suite_that_fails_late_is_waited_for_in_the_end(tiny, tmp_path, monkeypatch):
    """A stub of redis's `subscribeCommand` leaves a client waiting, until the driver gives up after 45 s."""
    monkeypatch.setattr("lab.doctor.suite_sabotages._HANG_MIN_S", 4.0)

    def slow(runner, image, suite, limit_s):
        ran = run_suite(runner, image, suite, limit_s)
        return ran if limit_s >= 5 else replace(ran, step=replace(ran.step, timed_out=True))

    monkeypatch.setattr("lab.doctor.suite_sabotages.run_suite", slow)
    found = _search(tiny, tmp_path, tasks=[add_task()]).search_suite([])
    assert [(made.function, made.change) for made in found] == [("add", "after-1")]


def test_the_end_of_the_time_ends_the_trials_of_a_tasks_own_functions(tiny, tmp_path):
    """augeas's slowest suite takes 43 s a run: its search went on for twenty minutes after the end."""
    search = _search(tiny, tmp_path, tasks=[add_task()])
    search.effort = replace(search.effort, ends=0.0)
    assert search.search_suite([]) == ()
    assert search.trials == 0


def test_a_manifest_of_today_has_none(tmp_path, tiny):
    path = tmp_path / "old.json"
    update_health_by_plus_tests_and_save(path, _empty_manifest(tiny))
    text = path.read_text()
    assert '"sabotages": {}' in text
    path.write_text(text.replace(',\n "sabotages": {}', ""))
    manifest = load_manifest(path)
    assert manifest.sabotages == {}
    assert summarize_sabotages(manifest, ["add"]).endswith(
        "of 1 tasks 0 have two or more for each suite, 0 one, 1 none"
    )
