"""Prevents: a check of plus tests that shows a body that is held back, or that says nothing where no test is tried; a
second judgement that tries again what it knows; a doctor that calls a task weak which its plus tests judge, or that
works on the tests' own toy and on no repository with a recipe; tests of what no answer can know, which nobody
finds."""

from __future__ import annotations

import json

import pytest

from executor.cache import cache_root
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from lab.wrong.plus_listing import list_tests_quoting_hidden_text_alone

# Slow: each plus test is built and run on several bodies.
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("used_cache")]

HERE = ("--dataset", "example", "--sandbox", "process")


def test_check_tries_what_isnt_held_back_and_needs_no_wrong_bodies(graft, tmp_path, monkeypatch):
    words = ("audit", "plus", "check", *HERE, "--tasks", "map-remove", "--runs", "1")
    code, out, _ = graft(*words)
    assert code == 0
    assert "map-remove map_remove: gold 1 of 1 on 5 tests" in out
    # Three of its six bodies are held back.
    assert "bodies killed 3 of 3" in out
    monkeypatch.setattr("lab.wrong.commands.find_body_file", lambda recipe, folder: tmp_path / "wrong.yaml")
    assert "no wrong bodies to try" in graft(*words)[1]
    code, _, err = graft(*words, "--bodies", tmp_path)
    assert (code, "no such file; write it as" in err) == (2, True)
    code, _, err = graft("audit", "plus", "check", *HERE, "--tasks", "text-trim")
    assert (code, "no plus test names any of these tasks" in err) == (2, True)


def test_judge_keeps_what_it_found(graft, tmp_path, monkeypatch):
    words = ("audit", "plus", "judge", *HERE, "--tasks", "map-remove", "--out", tmp_path)
    # The shipped manifest knows of three runs.
    code, out, _ = graft(*words, "--runs", "4")
    assert (code, "map_remove" in out) == (0, True)
    kept = json.loads((tmp_path / "example.json").read_text())["plus"]["map-remove"]
    assert (kept["gold_passed"], kept["stubs_killed"], len(kept["bodies"])) == (4, 3, 6)
    monkeypatch.setattr("lab.wrong.stored_trials.execute_edits", None)
    assert graft(*words)[1] == out
    # The doctor needn't have examined the task.
    path = tmp_path / "example.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"tasks": {}}))
    code, out, _ = graft(*words)
    assert (code, "map-remove" in out) == (0, True)


def test_the_doctor_tries_them_too(graft, tmp_path, monkeypatch):
    tasks = ("--tasks", "map-remove,item-order", "--mutants", "0")
    words = ("doctor", *HERE, *tasks, "--out", tmp_path, "--runs", "1")
    assert graft(*words, "--no-forgeries")[0] == 0
    path = tmp_path / "example.json"
    kept = json.loads(path.read_text())
    found = kept["plus"]["map-remove"]
    assert (found["gold_passed"], found["stubs_killed"], found["stubs"]) == (1, 3, 3)
    # A C++ member, which the other of the two programs never enters.
    assert kept["tasks"]["item-order"]["suites"] == ["cpp"]
    # What is weak by the suites is valid then; what is known isn't tried again.
    entry = kept["tasks"]["map-remove"]
    weak = {"map-remove": entry | {"health": "weak", "reason": "made up"}}
    path.write_text(json.dumps(kept | {"tasks": kept["tasks"] | weak}))
    monkeypatch.setattr("lab.wrong.stored_trials.execute_edits", None)
    code, out, _ = graft(*words, "--no-forgeries")
    assert (code, "2 valid (1 of the valid by their plus tests)" in out) == (0, True)


def test_show_says_where_each_behaviour_is_stated(graft):
    _, out, _ = graft("audit", "plus", "show", "--dataset", "example")
    assert "frees_the_key" in out
    assert 'Docstring: "Take `key` out and free it."' in out


def test_what_only_the_hidden_body_says_is_told_apart(graft, example_tasks):
    code, out, _ = graft("audit", "plus", "show", "--dataset", "example", "--hidden")
    assert (code, out.split(" plus tests ")[0]) == (0, "0 of 29")
    task, recipe = example_tasks["array-reserve"], find_recipe("example")
    (suite,) = recipe.list_plus_tests_of_task(task.id)
    statement = next(line.strip() for line in task.gold.split("{", 1)[1].splitlines() if line.strip())
    quoted = statement.replace(" ", "\n *   ")
    tests = {
        "alone": f'Comment: "{quoted}".',
        "twice": f'Comment: "{statement}"; the same: "{statement}".',
        "and a caller": f'Comment: "{statement}"; callers free it.',
        "in the docstring": 'Docstring: "doubles until it is enough".',
        "no quote": "Its name says so.",
    }
    changed = suite.model_copy(update={"tests": tests})
    root = checkout_source(recipe, None, cache_root()).root
    alone = list_tests_quoting_hidden_text_alone(task, (changed,), root)
    assert alone == [(suite.name, "alone"), (suite.name, "twice")]
