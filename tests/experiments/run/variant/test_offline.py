"""Prevents: prompts written for a batch, answers made elsewhere, official scores and rebound tasks that forget the
variant; golds of a variant that fail, or go without control run, in the sandbox that isolates."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from executor.manifest.variant.renamed_text import rename_code
from executor.manifest.variant.values import VariantRecord, VariantSpec
from executor.repository.recipe import find_recipe
from executor.repository.source import SourceTree
from executor.tasks.datasets import load_rows
from executor.values import Outcome
from experiments.report import predictions
from experiments.report.official_grade import score_officially
from experiments.run.batch import write_prompts
from experiments.run.config import RunConfig, override_config
from experiments.run.experiment import RunEnd, run_experiment
from experiments.run.manifest import read_manifest
from experiments.run.resolve import choose_tasks
from experiments.run.variant_source import RepoSource
from experiments.run.workspace import list_held_out_targets, read_tasks
from tests.support.variants import renamed_example

# Slow: a renamed tree is built for them.
pytestmark = [pytest.mark.xdist_group("variant"), pytest.mark.slow]


@pytest.fixture
def variant(cache: Path) -> VariantRecord:
    return renamed_example(cache)


def test_prompts_for_a_batch_are_the_variants(variant: VariantRecord, cache: Path, tmp_path: Path) -> None:
    config = RunConfig(dataset="example", model="openai/m", variant="renamed", arms=("oracle", "lexical"))
    write_prompts(override_config(config, ["tasks=item-order"]), cache, tmp_path / "prompts.jsonl")
    lines = (tmp_path / "prompts.jsonl").read_text().splitlines()
    assert len(lines) == 2
    for line in lines:
        asked = json.loads(line)["body"]["messages"][-1]["content"]
        assert asked.startswith("Repository: repository\n")
        assert f"const {variant.names['Item']} &" in asked
        assert "const Item &" not in asked


def test_answers_made_elsewhere_are_graded_in_the_variant(
    variant: VariantRecord, used_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictions, "run_experiment", partial(run_experiment, trusted=True))
    plain = RunConfig(dataset="example", model="gold", tasks=("text-trim", "date-read"))
    renamed = plain.model_copy(update={"variant": "renamed"})
    right, wrong = (read_tasks(config, used_cache).tasks for config in (renamed, plain))
    golds = {task.id: f"```c\n{task.gold}\n```" for task in (right[0], wrong[1])}
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(json.dumps({"task_id": key, "completion": text}) for key, text in golds.items()))
    words = ["dataset=example", "sandbox=process", "variant=renamed", f"out={tmp_path / 'g'}"]
    end = predictions.judge_given_answers(path, words)
    passed = {record.task_id: record.graft.verdict.outcome is Outcome.PASSED for record in end.records}
    assert passed == {right[0].id: True, wrong[1].id: False}
    scores = score_officially(end.run, read_manifest(end.run), end.records, used_cache, set(golds.values()))
    assert {(score.task_id, score.passed, score.exact) for score in scores} == {
        (right[0].id, True, True),
        (wrong[1].id, False, False),
    }


def test_no_ranker_learns_from_a_target_at_its_old_lines(tmp_path: Path) -> None:
    """A rebound task is bound first, and then renamed."""
    row = next(row for row in load_rows("yabloco") if row.repository == "llvm" and row.path.endswith("SourceMgr.cpp"))
    file = tmp_path / "original" / row.path
    file.parent.mkdir(parents=True)
    file.write_text(f"int moved;\n{row.dataset_gold}\n")
    last = row.name.rpartition("::")[2]
    record = VariantRecord("llvm-prebuilt", VariantSpec(), "", "original", {last: "zoqa"}, {}, {}, "0" * 16)
    renamed, original = (SourceTree(tmp_path / name, "llvm-prebuilt", "", "") for name in ("variant", "original"))
    choice = choose_tasks(RunConfig(model="gold", repos=("llvm-prebuilt",)))
    for source, name in ((RepoSource(original), last), (RepoSource(renamed, original, record), "zoqa")):
        (target,) = list_held_out_targets(choice, find_recipe("llvm-prebuilt"), source)
        assert (target.repo, target.span.first) == ("llvm-prebuilt", 2)
        assert target.name == row.name.removesuffix(last) + name
        assert target.signature == rename_code(row.target.signature, {last: name})
    assert len(list_held_out_targets(choice, find_recipe("llvm"), RepoSource(original))) == 68


@pytest.mark.bwrap
@pytest.mark.timeout(600)
@pytest.mark.parametrize("tasks", [("check-digit", "map-remove"), pytest.param((), marks=pytest.mark.long)])
def test_golds_pass_and_are_audited_where_candidates_are_isolated(
    tasks: tuple[str, ...], bwrap_cache: Path, tmp_path: Path
) -> None:
    renamed_example(bwrap_cache)

    def states(variant: str | None) -> Counter[tuple[str, str]]:
        out = tmp_path / str(variant)
        keys = {
            "dataset": "example",
            "model": "gold",
            "arms": ("none",),
            "sandbox": "bwrap",
            "audit": "all",
            "tasks": tasks,
        }
        end: RunEnd = run_experiment(RunConfig(**keys, variant=variant, out=out), bwrap_cache)  # type: ignore[arg-type]
        assert [record.graft.verdict for record in end.records if not record.counts] == []
        return Counter((record.graft.verdict.outcome.value, record.audit.state) for record in end.records)

    renamed = states("renamed")
    assert renamed == states(None)
    assert sum(renamed.values()) == (len(tasks) or 18)
    assert {outcome for outcome, _ in renamed} == {"passed"}
