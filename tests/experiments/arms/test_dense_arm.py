"""Prevents: an arm that has a name and can't run, a run that builds for minutes before it reports a missing
encoder, and a resumed run that mixes two encoders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from executor.values import Outcome, Task
from experiments.run.config import RunConfig, override_config
from experiments.run.experiment import RunEnd
from experiments.run.records import Story, locate_story, read_json
from index.errors import ConfigError
from retrieval.values import SnippetGroup
from tests.support.encoder import static_encoder

Runner = Callable[..., RunEnd]
# One process alone imports torch.
pytestmark = pytest.mark.xdist_group("encoder")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers model that sums random vectors of characters."""
    return Path(static_encoder(tmp_path_factory.mktemp("static")))


@pytest.mark.slow
def test_the_dense_arm_runs_end_to_end(
    run_example: Runner, example_tasks: dict[str, Task], model: Path, cache: Path
) -> None:
    keys = {"model": "gold", "tasks": ["money-print", "text-trim"], "encoder": str(model)}
    end = run_example(**keys, arms=("dense", "dense+compile"))
    assert {(r.arm, r.graft.verdict.outcome) for r in end.records} == {
        ("dense", Outcome.PASSED),
        ("dense+compile", Outcome.PASSED),
    }
    for record in end.records:
        path = locate_story(end.run, record.arm, record.task_id, 0)
        context = read_json(Story, path.read_bytes(), path).context
        assert context.snippets
        assert {s.source for s in context.snippets if s.group is SnippetGroup.FUNCTIONS} == {"dense"}
        target = example_tasks[record.task_id].target
        assert target.name not in {snippet.title for snippet in context.snippets}

    def written() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in cache.glob("indexes/*/derived/dense-*/vectors.npy")}

    before = written()
    assert before
    run_example(**keys, arms=("lexical", "dense"), out="again")
    assert written() == before


def test_dense_without_an_encoder_uses_the_embedded_one(run_example: Runner) -> None:
    (record,) = run_example(model="gold", tasks=["money-print"], arms=("dense",)).records
    assert record.graft.verdict.outcome is Outcome.PASSED
    assert record.context_tokens > 0


def test_an_encoder_that_is_not_there_is_refused_before_anything_is_built(run_example: Runner, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^encoder: .*nowhere: no sentence-transformers model"):
        run_example(model="gold", arms=("dense",), encoder=str(tmp_path / "nowhere"))
    assert not (tmp_path / "run").exists()


def test_the_encoder_is_part_of_what_a_run_is() -> None:
    base = RunConfig(model="gold", arms=("dense",), encoder="a")
    assert override_config(base, ["encoder=b"]).digest_identity() != base.digest_identity()
    assert override_config(base, ["encoder=1e5"]).encoder == "1e5"
