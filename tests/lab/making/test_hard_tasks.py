"""Prevents: a cluster with a function that no test notices; one whose first functions aren't the smaller cluster; one
whose functions were examined alone and never together; a second `graft make` that examines all anew; and a data set
that is shipped beside a recipe and takes what is known of the recipe's own tasks with it."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest

from benchmarks.executor.making.data_set_shipping import extend_data_set, ship_hard_set
from executor.manifest.health import Fate, Health
from executor.manifest.manifest import load_manifest
from executor.sandbox.choose import open_unscheduled_backend
from executor.tasks.made_datasets import read_made_dataset_rows
from executor.values import Sabotage
from index.errors import RecipeError, UserError
from index.progress import SILENT
from lab.doctor.manifest import update_health_by_plus_tests_and_save
from lab.doctor.stubs_and_mutants import is_plain_zero_stub
from lab.making.functions.choose_functions import choose_functions
from lab.making.functions.function_groups import RelatedFunctions
from lab.making.hard_tasks import choose_cluster_seeds_best_connected_first, choose_task_counts_by_size, grow_cluster
from lab.making.make_benchmark import make_benchmark
from lab.making.settings import ChooseSettings, MakeRequest
from tests.lab.making.sets import compile_all
from tests.support.projects import write_files

_HEADER = """int total(const int *n, int count);
int largest(const int *n, int count);
int smallest(const int *n, int count);
int spread(const int *n, int count);
int report(const int *n, int count);
int loudness(const int *n, int count);
"""
_STEPS = "\n".join(f"    if (n[0] == {100 + step})\n        sum += {step};" for step in range(20))
_SOURCE = f"""#include "numbers.h"

int total(const int *n, int count)
{{
    int sum = 0;
    while (count-- > 0)
        sum += *n++;
    return sum;
}}

int largest(const int *n, int count)
{{
    int found = n[0];
    for (int i = 1; i < count; i++)
        if (n[i] > found)
            found = n[i];
    return found;
}}

int smallest(const int *n, int count)
{{
    if (count == 1)
        return n[0];
    int rest = smallest(n + 1, count - 1);
    return rest < n[0] ? rest : n[0];
}}

int spread(const int *n, int count)
{{
    return largest(n, count)
        - smallest(n, count);
}}

int loudness(const int *n, int count)
{{
    int unused = count;
    unused += n[0];
    return 0 * unused;
}}

/* One number that says all of a row of numbers. */
int report(const int *n, int count)
{{
    int sum = total(n, count) + 3 * spread(n, count) + loudness(n, count);
{_STEPS}
    return sum;
}}
"""
_TEST = """#include <stdio.h>
#include "numbers.h"

int main(void)
{
    int n[] = {3, 9, 4, 1}, m[] = {103, 5};
    int bad = total(n, 4) != 17;
    bad += largest(n, 4) != 9;
    bad += smallest(n, 4) != 1;
    bad += spread(n, 4) != 8;
    bad += report(n, 4) != 41;
    bad += report(m, 2) != 108 + 3 * 98 + 3;
    printf("%s\\n", bad ? "bad" : "good");
    return bad;
}
"""
OTHER = Sabotage("x.c", "f", 1, 2, "after-1", "0" * 64)
_MAKEFILE = """CFLAGS = -O1 -Wall
check: test_numbers
\t./test_numbers
test_numbers: test_numbers.o numbers.o
\t$(CC) -o $@ $^
%.o: %.c numbers.h
\t$(CC) $(CFLAGS) -c -o $@ $<
"""
FILES = {"numbers.h": _HEADER, "numbers.c": _SOURCE, "test_numbers.c": _TEST, "Makefile": _MAKEFILE}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    return write_files(tmp_path_factory.mktemp("hard") / "numbers", FILES)


@pytest.fixture(scope="module")
def backend(tree):
    return open_unscheduled_backend("process", tree.parent / "cache")


@pytest.fixture(scope="module")
def made(tree, backend):
    choose = ChooseSettings(tasks=1, holes=(1, 4), hard=True)
    wanted = MakeRequest(str(tree), tree.parent / "bench", choose=choose)
    return make_benchmark(wanted, backend, tree.parent / "cache")


@pytest.fixture
def shipping(made, tree, monkeypatch):
    """What is known of the made tasks, whose recipe and cache the tools that ship them find."""
    monkeypatch.setenv("GRAFT_CACHE", str(tree.parent / "cache"))
    monkeypatch.setenv("GRAFT_RECIPES", str(made.out / "recipes"))
    return load_manifest(made.out / "recipes" / "numbers" / "manifest.json")


def test_counts_double_and_the_largest_is_rarer():
    assert choose_task_counts_by_size(1, 16, 20) == {1: 20, 2: 20, 4: 20, 8: 20, 16: 10}
    assert choose_task_counts_by_size(1, 4, 10) == {1: 10, 2: 10, 4: 10}
    assert choose_task_counts_by_size(3, 9, 5) == {4: 5, 8: 5}


def test_a_cluster_grows_by_what_may_join(indexed):
    """The beginning of a cluster doesn't depend on how large it becomes."""
    settings, index = ChooseSettings(lines=(3, 200), documented=False), indexed(FILES)
    candidates = choose_functions(index, compile_all("numbers.c"), settings, "n", None).candidates
    members = {candidate.entry.id: candidate for candidate in candidates}
    number = {candidate.row.name: candidate.entry.id for candidate in candidates}
    related = RelatedFunctions(members, index, 12)
    assert choose_cluster_seeds_best_connected_first(members, related, 4) == [number["report"]]
    refused = number["loudness"]
    grown = [grow_cluster(number["report"], related, lambda n: n != refused, most) for most in (1, 2, 4, 16)]
    for small, large in pairwise(grown):
        assert list(large[: len(small)]) == list(small)
    assert len(grown[-1]) == 5
    assert refused not in grown[-1]


@pytest.mark.slow
def test_the_tests_notice_each_function_of_a_cluster(made):
    assert [len(task.target.holes) for task in made.tasks] == [1, 2, 4]
    known = load_manifest(made.out / "recipes" / "numbers" / "manifest.json").tasks
    for task in made.tasks:
        health = known[task.id]
        names = [hole.name for hole in task.target.holes]
        assert names[0] == "report"
        assert "loudness" not in names
        assert not {item.name for item in task.oracle} & set(names)
        assert (health.health, health.gold_passed) == (Health.VALID, 3)
        plains = [found for found in health.findings if is_plain_zero_stub(found.kind, found.name)]
        assert [found.fate for found in plains] == [Fate.KILLED] * len(names)
    table = (made.out / "README.md").read_text()
    assert "| clusters that the tests bear | 1 of 1 with 1, 1 of 1 with 2, 1 of 1 with 4 |" in table
    assert "loudness" in table


@pytest.mark.slow
def test_the_same_command_tries_nothing_again(made, tree, backend):
    logs = tree.parent / "cache" / "doctor"
    before = {path: path.stat().st_mtime_ns for path in logs.rglob("*") if path.is_file()}
    wanted = MakeRequest(str(tree), made.out)
    again = make_benchmark(wanted, backend, tree.parent / "cache", SILENT)
    assert [task.id for task in again.tasks] == [task.id for task in made.tasks]
    assert {path: path.stat().st_mtime_ns for path in logs.rglob("*") if path.is_file()} == before


@pytest.mark.slow
def test_time_that_is_over_is_no_verdict_on_the_tests(made, tree, backend):
    choose = ChooseSettings(tasks=1, holes=(1, 4), hard=True)
    wanted = MakeRequest(str(tree), tree.parent / "late", choose=choose, deadline=0.0)
    with pytest.raises(UserError, match="the time was over before a task was found; the same command continues"):
        make_benchmark(wanted, backend, tree.parent / "cache")


@pytest.mark.slow
def test_a_set_beside_a_recipe_shares_its_manifest(made, shipping, tree, tmp_path):
    found = shipping
    one, own = next(iter(found.tasks.values())), tmp_path / "numbers" / "manifest.json"
    before = replace(found, tasks={"its own": replace(one, task_id="its own")}, sabotages={"other": (OTHER,)})
    update_health_by_plus_tests_and_save(own, before)
    # A second shipping replaces what the first one left.
    for _ in range(2):
        ship_hard_set(made.out, "numbers", tmp_path)
        merged = load_manifest(own)
        assert set(merged.tasks) == {"its own", *found.tasks}
        assert merged.sabotages == {**found.sabotages, "other": (OTHER,)}
        shipped = [health for key, health in merged.tasks.items() if key != "its own"]
        assert not any(finding.detail for health in shipped for finding in health.findings)
    again = read_made_dataset_rows(tmp_path / "numbers-hard", tree.parent / "cache")
    assert [row.id for row in again] == [task.id for task in made.tasks]
    assert "sum" not in (tmp_path / "numbers-hard" / "places.json").read_text()

    update_health_by_plus_tests_and_save(own, replace(before, image="of another tree"))
    with pytest.raises(RecipeError, match="of another image or of other suites"):
        ship_hard_set(made.out, "numbers", tmp_path)


@pytest.mark.slow
def test_a_set_goes_into_another_but_for_what_that_has(made, shipping, tree, tmp_path, monkeypatch):
    own = tmp_path / "numbers" / "manifest.json"
    update_health_by_plus_tests_and_save(own, shipping)
    ship_hard_set(made.out, "numbers", tmp_path)
    places = json.loads((tmp_path / "numbers-hard" / "places.json").read_text())
    (own.parent / "places.json").write_text(json.dumps(places | {"tasks": []}))
    update_health_by_plus_tests_and_save(own, replace(shipping, tasks={}))
    # Each of the three asks for the first one's function.
    for most, there in ((0, []), (30, [made.tasks[0].id]), (30, [made.tasks[0].id])):
        monkeypatch.setattr("benchmarks.executor.making.data_set_shipping.MOST_TASKS", most)
        extend_data_set(made.out, "numbers", tmp_path)
        assert [row.id for row in read_made_dataset_rows(own.parent, tree.parent / "cache")] == there
        merged = load_manifest(own)
        assert merged is not None and list(merged.tasks) == there
