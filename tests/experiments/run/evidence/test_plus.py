"""Graft's own further tests in a run. Prevents: one that decides pass@1; one that is lost on resuming; a failure of
Graft that counts as an answer that passed them; one that ends the test's program before it can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.values import Audit, Outcome
from executor.workers.local import LocalWorkers, Slots
from experiments.report.metrics import passed_plus, passed_same
from experiments.run.config import RunConfig
from experiments.run.experiment import run_experiment
from experiments.run.records import JOURNAL, read_journal
from experiments.run.resolve import resolve_names
from experiments.run.sampling.executions import Executions, plus_line, verdict_of
from experiments.run.workspace import prepare
from tests.support.runs import Graft, record

TASK = "map-remove"


def _config(**more: object) -> RunConfig:
    words = {"dataset": "example", "tasks": (TASK,), "model": "gold", "arms": ("none",), "sandbox": "process", **more}
    return RunConfig.model_validate(words)


def test_a_leak_passes_its_suites_and_fails_the_further_tests(cache: Path, tmp_path: Path) -> None:
    space = prepare(resolve_names(_config()), cache)
    task, repo = space.tasks[0], space.repos["example"]
    leak = task.gold.replace("free(hole->key);", "", 1)
    broken = task.gold.replace("return 1;", "return 2;", 1)
    assert task.gold not in (leak, broken)
    expected = repo.image.expected

    def done(code: str, *, plus: bool) -> tuple[Outcome, str]:
        executions = Executions(tmp_path, LocalWorkers(space.sandbox.backend, Slots(1), cache), plus=plus)
        _, execution = executions.of(repo, task, code)
        return verdict_of(execution, expected).outcome, plus_line(execution, expected)

    assert done(leak, plus=False) == (Outcome.PASSED, "")
    # A run that was made without them gets them now.
    outcome, line = done(leak, plus=True)
    assert outcome is Outcome.PASSED
    assert line.startswith("failed: plus-map_remove: 2 failed: frees_the_key, frees_each_key_once")
    assert done(broken, plus=True) == (Outcome.TESTS_FAILED, "")
    assert done(task.gold, plus=True) == (Outcome.PASSED, "passed")


def test_an_early_end_forges_no_further_test(cache: Path, tmp_path: Path) -> None:
    space = prepare(resolve_names(_config()), cache)
    task, repo = space.tasks[0], space.repos["example"]
    declared = "#include <unistd.h>\n"
    trick = 'if (access("plus/map_remove.c", 0) == 0) { for (int fd = 3; fd < 9; fd++) write(fd, "ok", 2); _exit(0); }'
    ends = declared + task.gold.replace("{", "{ " + trick, 1)
    leak = ends.replace("free(hole->key);", "", 1)
    other = task.gold.replace("hole->key = NULL;", "m->size--; hole->key = NULL;", 1).replace("m->size--;\n", "", 1)
    assert other != task.gold

    runs: dict[tuple[str, Audit], list[int]] = {}

    def plus(code: str, audit: Audit) -> str:
        workers = LocalWorkers(space.sandbox.backend, Slots(1), cache)
        _, execution = Executions(tmp_path / audit, workers, audit, plus=True).of(repo, task, code)
        found = execution.plus
        assert found is not None
        runs[code, audit] = [len(control.runs) for control in found.run.controls]
        return plus_line(execution, repo.image.expected)

    # With the file of the test in the tree the test says that it came to its end, and its process ends.
    assert plus(leak, "none") == "passed"
    forged = "failed: control: suite plus-map_remove still passes with map_remove broken: its results were forged"
    assert plus(leak, "all") == forged
    assert plus(other, "all") == "passed"
    # A text that doesn't take the change of its control run may be honest: nothing is said of it.
    hidden = "#define HIDDEN map_remove\n" + other.replace("map_remove(", "HIDDEN(", 1)
    assert plus(hidden, "all").startswith("not told: ")
    assert list(runs.values()) == [[], [2], [1], [0]]


def test_a_candidate_with_which_they_cant_be_built_fails_them(cache: Path, tmp_path: Path) -> None:
    space = prepare(resolve_names(_config()), cache)
    task, repo = space.tasks[0], space.repos["example"]
    executions = Executions(tmp_path, LocalWorkers(space.sandbox.backend, Slots(1), cache), plus=True)
    _, execution = executions.of(repo, task, "void __wrap_free(void *memory) { (void)memory; }\n" + task.gold)
    assert plus_line(execution, repo.image.expected).startswith("failed: plus-map_remove")


def test_a_run_shows_them_and_grades_them_again(
    graft: Graft, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAFT_CACHE", str(cache))
    run = tmp_path / "run"
    run_experiment(_config(out=run), cache)
    (sample,) = read_journal(run / JOURNAL).values()
    assert sample.plus == "passed"
    assert "further tests: passed" in graft("show", run, TASK)[1]
    code, out, _ = graft("grade", run)
    assert (code, "+ plus" in out, "0 verdicts changed" in out) == (0, True, True)


def test_the_columns_count_what_is_known() -> None:
    passed = record("a", plus="passed", differential="same on 3 calls")
    failed = record("b", plus="failed: plus-x: 1 failed: y", differential="same on 3 calls")
    differs = record("c", differential="differs on call 1: x")
    ours = record("d", plus="not run: no disk")
    assert (passed_plus([record("a")]).tasks, passed_same([record("a")]).tasks) == (0, 0)
    plus, same = (measure([passed, failed, differs, ours]) for measure in (passed_plus, passed_same))
    assert (plus.tasks, round(plus.value, 3), same.tasks, round(same.value, 3)) == (3, 0.667, 3, 0.333)
