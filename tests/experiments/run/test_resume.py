"""Prevents: a run that pays for answers twice after a kill, or whose table then differs from an undisturbed one."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from executor.values import Task
from experiments.demo.scripted_server import ScriptRule
from experiments.report.run_report import ReportRow, make_report
from experiments.run.experiment import RESPONSES
from experiments.run.manifest import read_manifest
from experiments.run.records import JOURNAL, SampleRecord, read_journal
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.scripts import fence, match_prompt

KILLS = 10
CONCURRENCY = 2

# What `graft run` does, told that the candidates are ours: the process sandbox takes no others.
DRIVER = """
import sys
from pathlib import Path
from experiments.run.config import load_config
from experiments.run.experiment import run_experiment
config = load_config(Path(sys.argv[1]))
print("started", flush=True)
run_experiment(config, Path(sys.argv[2]), trusted=True)
"""


def answers(tasks: Sequence[Task]) -> list[ScriptRule]:
    """Every third right, every third wrong, every third broken at first and right after the compiler's word."""
    rules: list[ScriptRule] = []
    for number, task in enumerate(tasks):
        asking, right = match_prompt(task), fence(task.gold)
        broken = fence(f"{task.gold[: task.gold.index('{')]}{{ no_such_thing_{number}(); }}")
        if number % 3 == 0:
            rules.append(ScriptRule(match=asking, answer=right))
        elif number % 3 == 1:
            rules.append(ScriptRule(match=asking, answer="no code, sorry"))
        else:
            rules.append(ScriptRule(match=asking, last=f"no_such_thing_{number}", answer=right))
            rules.append(ScriptRule(match=asking, answer=broken))
    return rules


def table(run: Path, records: Sequence[SampleRecord]) -> list[ReportRow]:
    """The report's rows without what a clock measured."""
    report = make_report(run, read_manifest(run), records)
    rows = (*report.rows, *report.by_level)
    return [replace(row, figures={**row.figures, "seconds": 0.0, "build_cpu_s": None}) for row in rows]


def stored(run: Path) -> int:
    if not (run / RESPONSES).exists():
        return 0
    with closing(sqlite3.connect(run / RESPONSES)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM responses").fetchone()[0])
        except sqlite3.OperationalError:
            return 0


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("wanted", [4, pytest.param(10, marks=pytest.mark.long)])
def test_kills_change_nothing(
    wanted: int, tmp_path: Path, cache: Path, example_tasks: dict[str, Task], run_example: Runner, serve: Serve
) -> None:
    # Functions of headers take seconds to compile; few kills fall into what half of the others take.
    tasks = [task for task in example_tasks.values() if wanted == KILLS or not task.target.path.endswith(".hpp")]
    tasks = tasks if wanted == KILLS else tasks[::2]
    rules = answers(tasks)
    ids = [task.id for task in tasks]
    keys = {"arms": ("none", "oracle", "oracle+compile"), "concurrency": CONCURRENCY, "tasks": ids}
    calm_server = serve(*rules)
    calm = run_example(out="calm", api_base=calm_server.base_url, **keys)

    server = serve(*(rule.model_copy(update={"delay_s": 0.05}) for rule in rules))
    config = tmp_path / "run.yaml"
    run = tmp_path / "killed"
    config.write_text(
        f"dataset: example\nsandbox: process\nmodel: openai/scripted\napi_base: {server.base_url}\nout: {run}\n"
        f"arms: [none, oracle, oracle+compile]\nconcurrency: {CONCURRENCY}\ntasks: {json.dumps(ids)}\n"
    )
    chance = random.Random(20261121)
    lost = kills = 0
    for _ in range(wanted):
        child = start(config, cache)
        # From the first moment of work to well into it, wherever the chance falls: journal lines are no landmarks.
        time.sleep(chance.uniform(0.0, 6.0))
        kills += child.poll() is None
        child.send_signal(signal.SIGKILL)
        child.communicate()
        time.sleep(0.2)
        now_lost = server.log.request_count - stored(run) - lost
        assert 0 <= now_lost <= CONCURRENCY, "a response that had arrived wasn't stored"
        lost += now_lost
    child = start(config, cache)
    child.communicate(timeout=300)
    assert child.returncode == 0

    records = tuple(read_journal(run / JOURNAL).values())
    assert kills >= wanted // 2, "the run ended before it could be killed: the test tests nothing"
    assert table(run, records) == table(calm.run, calm.records)
    # Only what was under way at a kill, and so never arrived, was asked again.
    assert server.log.request_count == stored(run) + lost
    assert stored(run) == stored(calm.run) == calm_server.log.request_count


def start(config: Path, cache: Path) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(config), str(cache)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "started\n"
    return child
