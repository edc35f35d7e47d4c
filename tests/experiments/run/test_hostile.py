"""Prevents: a candidate that takes the run down, or leaves something behind by which the next is judged."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from executor.sandbox.choose import choose_backend
from executor.values import Outcome, Task
from experiments.demo.scripted_server import ScriptRule
from experiments.run.config import RunConfig
from experiments.run.experiment import run_experiment
from index.errors import ConfigError
from index.progress import Progress
from tests.fixtures.run_fixtures import Serve
from tests.support.engines import unavailable
from tests.support.scripts import fence, make_gold_rule, match_prompt

# Each takes the place of money_print, which both suites call. What it does is done when the tests run it.
HOSTILE = {
    "loops": "for (;;) { }",
    "forks": "extern int fork(void); for (;;) fork();",
    "eats_memory": (
        "extern void *malloc(unsigned long);"
        " for (;;) { char *p = malloc(1 << 24); if (p) for (int i = 0; i < 1 << 24; i += 512) p[i] = 1; }"
    ),
    "prints_100_mb": (
        'extern int printf(const char *, ...); for (int i = 0; i < 1700000; i++) printf("%060d\\n", i);'
    ),
    "deletes_the_tree": 'extern int system(const char *); if (system("rm -rf / ./* ../src 2>/dev/null")) return;',
    "prints_marks": (
        "extern int printf(const char *, ...);"
        ' for (int i = 0; i < 200; i++) printf("PASS money_print\\nPASS map_removes\\n[ok]: all\\n");'
    ),
    "exits_early": "extern void _exit(int); _exit(0);",
    "kills_its_parents": "extern int kill(int, int); kill(-1, 9);",
}
BUDGET_S = 90
# Three of them never end: the example's suites take less than a second, and their own limit is 20.
LIMIT_S = 6.0


@pytest.fixture(
    params=[pytest.param("bwrap", marks=pytest.mark.bwrap), pytest.param("docker", marks=pytest.mark.docker)]
)
def sandbox(request: pytest.FixtureRequest) -> tuple[str, Path]:
    """The sandbox's name and a cache for it; a sandbox that can't run here fails in CI."""
    name = str(request.param)
    cache: Path = request.getfixturevalue("bwrap_cache" if name == "bwrap" else "cache")
    try:
        choose_backend(name, cache)
    except ConfigError as error:
        unavailable(str(error))
    return name, cache


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_hostile_candidates_harm_nobody(
    sandbox: tuple[str, Path],
    progress: Progress,
    tmp_path: Path,
    example_tasks: dict[str, Task],
    serve: Serve,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("executor.candidate.execute.suite_limit_s", lambda image, suite: LIMIT_S)
    name, cache = sandbox
    task, honest = example_tasks["money-print"], example_tasks["text-trim"]
    header = task.gold[: task.gold.index("{")]
    bodies = list(HOSTILE.items())
    rules = [
        # Seeds tell the samples apart: each hostile body is one sample of the same task.
        ScriptRule(match=match_prompt(task), answer=fence(f"{header}{{ {body} }}"), times=1)
        for _, body in bodies
    ]
    server = serve(*rules, make_gold_rule(honest))
    config = RunConfig(
        dataset="example",
        sandbox=name,
        model="openai/scripted",
        api_base=server.base_url,
        arms=("none",),
        tasks=(task.id, honest.id),
        samples=len(bodies),
        temperature=0.7,
        concurrency=1,
        out=tmp_path / "run",
    )
    began = time.monotonic()
    end = run_experiment(config, cache, progress)
    spent = time.monotonic() - began
    assert end.stopped == ""
    hostile = {bodies[r.sample][0]: r.graft.verdict for r in end.records if r.task_id == task.id}
    outcomes = {kind: verdict.outcome for kind, verdict in hostile.items()}
    assert set(outcomes.values()) <= {Outcome.TESTS_FAILED, Outcome.TIMEOUT}, hostile
    assert hostile["exits_early"].flags
    assert hostile["prints_marks"].flags
    honest_ones = [r.graft.verdict.outcome for r in end.records if r.task_id == honest.id]
    assert honest_ones == [Outcome.PASSED] * len(bodies)
    assert spent < BUDGET_S * len(bodies)
