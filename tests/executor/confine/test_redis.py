"""Prevents: redis-server that answers in its test client's place. Three bodies did, and passed: one took the client's
socket and stopped it, one reported to runtest's own server, one wrote on the driver's standard output."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from executor.cache import cache_root
from executor.candidate.execute import execute_edits
from executor.function.splice import Edit
from executor.grading.grade import grade, select_expected
from executor.values import Outcome, Verdict
from experiments.run.config import RunConfig
from experiments.run.resolve import resolve_names
from experiments.run.workspace import prepare_workspace
from index.errors import UserError
from lab.forgeries.forged_text import compose_forgery
from lab.forgeries.forgery_library import load_forgeries

# luaEngineCall
TASK = "79DA9CB3C0C6D261"
SUITES = ("cluster-scripting", "functions")


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.bwrap
@pytest.mark.timeout(900)
@pytest.mark.parametrize("forgery", ["client-socket", "runner-port", "driver-output"])
def test_the_three_forgeries_are_refused_by_the_launcher_alone(forgery: str, tmp_path: Path) -> None:
    try:
        config = RunConfig(model="stub", arms=("none",), repos=("redis",), tasks=(TASK,), sandbox="bwrap")
        space = prepare_workspace(resolve_names(config), cache_root())
    except UserError as error:
        pytest.skip(str(error))
    repo, (task,) = space.repos["redis"], space.tasks
    (cheat,) = (known for known in load_forgeries() if known.name == forgery)
    text = compose_forgery(cheat, repo.image, task, SUITES[:1])
    verdicts: list[Verdict] = []
    for image in (replace(repo.image, folder=None), repo.image):
        place = tmp_path / str(len(verdicts))
        run = execute_edits(
            image, [Edit(task.target.path, task.target.span, text)], space.sandbox.backend, SUITES[:1], place
        )
        verdicts.append(grade(run, select_expected(image.expected, SUITES[:1]), text))
    bare, confined = verdicts
    # Grading has its own means against two of them, so what counts is that the driver was reached.
    assert bare.passed > 0 or "killed by signal" in bare.reason
    assert (confined.outcome, confined.passed) == (Outcome.TESTS_FAILED, 0)
    assert "killed by signal" not in confined.reason
