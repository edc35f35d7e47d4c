"""Prevents: an arm that has a name and can't run, a run that builds for minutes before it reports a missing
encoder, and a resumed run that mixes two encoders."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor.values import Outcome, Task
from index.errors import ConfigError
from retrieval.values import SnippetGroup
from tests.fixtures.run_fixtures import Runner
from tests.support.encoder import static_encoder
from tests.support.scripts import read_story

# One process alone imports torch.
pytestmark = pytest.mark.xdist_group("encoder")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers model that sums random vectors of characters."""
    return Path(static_encoder(tmp_path_factory.mktemp("static")))


@pytest.mark.slow
def test_the_dense_arm_runs_end_to_end(run_example: Runner, task: Task, model: Path, cache: Path) -> None:
    keys = {"model": "gold", "tasks": [task.id], "encoder": str(model)}
    end = run_example(**keys, arms=("dense",))
    assert [record.graft.verdict.outcome for record in end.records] == [Outcome.PASSED]
    context = read_story(end.run, "dense", task.id).context
    assert context.snippets
    assert {s.source for s in context.snippets if s.group is SnippetGroup.FUNCTIONS} == {"dense"}
    assert task.target.name not in {snippet.title for snippet in context.snippets}

    def written() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in cache.glob("indexes/*/derived/dense-*/vectors.npy")}

    before = written()
    assert before
    run_example(**keys, arms=("lexical", "dense"), out="again")
    assert written() == before


def test_an_encoder_that_is_not_there_is_refused_before_anything_is_built(run_example: Runner, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^encoder: .*nowhere: no sentence-transformers model"):
        run_example(model="gold", arms=("dense",), encoder=str(tmp_path / "nowhere"))
    assert not (tmp_path / "run").exists()
