"""Prevents: a run on a variant that tells the model an old name, scores golds as wrong, goes on with another map, or
takes an unproved variant; prompts written for a batch, answers made elsewhere, official scores and rebound tasks that
forget the variant; golds of a variant that fail, or go without control run, in the sandbox that isolates."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from executor.manifest.variant.record import (
    RECORD,
    read_variant_record,
    record_path_in_run,
    variant_folder,
    write_variant_record,
)
from executor.manifest.variant.renamed_tasks import rename_qualified_name
from executor.manifest.variant.renamed_text import rename_code
from executor.manifest.variant.values import VariantRecord, VariantSpec
from executor.repository.recipe import find_recipe
from executor.repository.source import SourceTree, checkout_source
from executor.tasks.datasets import load_rows
from executor.values import Outcome
from experiments.demo.scripted_server import RunningServer, ScriptCall, ScriptRule
from experiments.report import predictions
from experiments.report.official_grade import make_and_keep_official_scores
from experiments.run.batch import write_prompts
from experiments.run.config import RunConfig
from experiments.run.experiment import run_experiment
from experiments.run.manifest import read_manifest
from experiments.run.resolve import choose_tasks
from experiments.run.variant_source import RepoSource
from experiments.run.workspace import list_dataset_targets_withheld_from_training, read_tasks
from index.cpp.tokens import replace_source_pieces
from index.errors import ConfigError
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.runs import example_config
from tests.support.scripts import fence
from tests.support.variants import renamed_example

# In one process with the other tests of variants: the variant's image is built once.
# Slow: runs on a renamed tree that is built for them.
pytestmark = [pytest.mark.xdist_group("variant"), pytest.mark.slow]
# One of each kind: given, the file, found by text, by meaning, by structure, in drafts, by chance, with tools.
ARMS = (
    "none+compile", "oracle", "oracle+compile", "file", "lexical", "dense", "structural", "iterative", "random",
    "agentic", "agentic+compile",
)  # fmt: skip


def _place(cache: Path, spec: VariantSpec = VariantSpec()) -> Path:  # noqa: B008
    return variant_folder(cache, checkout_source(find_recipe("example"), None, cache), spec) / RECORD


@pytest.mark.timeout(600)
def test_golds_pass_and_every_control_run_works(variant: VariantRecord, run_example: Runner) -> None:
    end = run_example(model="gold", variant="renamed", audit="all", repos=("example",))
    assert {record.graft.verdict.outcome for record in end.records} == {Outcome.PASSED}
    assert all(record.graft.exact_match and record.official.exact_match for record in end.records)
    # As on the original tree, every task has a sabotage.
    assert {record.audit.state for record in end.records} <= {"honest", "partly"}
    assert not [record.task_id for record in end.records if record.graft.verdict.flags]
    assert read_variant_record(record_path_in_run(end.run, "example")) == variant
    known = read_manifest(end.run).repos["example"]
    facts, health = known.variant, known.health
    # The doctor examined the original's text of these tasks.
    assert health is not None and {record.task_id for record in end.records} <= health.health.keys()
    assert facts is not None
    assert (facts.digest, facts.strength, facts.spec) == (variant.digest, 0.95, "renamed:style=nonsense,seed=1")
    assert "2 of 2 suites" in facts.proof


def test_tasks_of_several_functions_are_asked_and_judged_in_the_variants_names(
    variant: VariantRecord, run_example: Runner, cache: Path
) -> None:
    words = {"variant": "renamed", "dataset": "example-pairs"}
    golds = run_example(**words, model="gold").records
    assert [record.graft.verdict.outcome for record in golds] == [Outcome.PASSED] * 2
    assert all(record.graft.exact_match for record in golds)
    stubs = run_example(**words, model="stub", out="stubs").records
    assert Outcome.PASSED not in {record.graft.verdict.outcome for record in stubs}
    (renamed,) = read_tasks(RunConfig(**words, model="gold", tasks=("hold-and-workdays",)), cache).tasks
    hold = rename_qualified_name("store::hold_until", variant.names)
    assert [hole.name for hole in renamed.target.holes] == [hold, variant.names["date_plus_workdays"]]


def test_plus_tests_that_the_proof_saw_hold_grade_in_the_variants_names(
    variant: VariantRecord, run_example: Runner, cache: Path
) -> None:
    words = {"model": "gold", "variant": "renamed", "repos": ("example",), "tasks": ("map-remove",)}
    (before,) = run_example(**words).records
    assert before.plus == ""
    assert variant.proof is not None
    proved = replace(variant, proof=replace(variant.proof, plus_tasks=("map-remove",), plus_tried=1))
    write_variant_record(_place(cache), proved)
    try:
        end = run_example(**words, out="proved")
    finally:
        write_variant_record(_place(cache), variant)
    assert [record.plus for record in end.records] == ["passed"]
    assert read_manifest(end.run).repos["example"].plus_tasks == ("map-remove",)
    assert variant.names["map_remove"] in next(end.run.glob("executions/*/*/candidate.txt")).read_text()


def _serve_tool_calls(serve: Serve, *calls: tuple[str, dict[str, str]]) -> RunningServer:
    """A model that asks these tools, and then writes what doesn't compile."""
    asked = tuple(ScriptCall(name=name, arguments=arguments) for name, arguments in calls)
    return serve(
        ScriptRule(when_tools=True, turn=1, calls=asked),
        default=ScriptRule(answer="```c\nint nothing(void) { return array_reserv(no_such_name); }\n```"),
    )


def test_no_request_tells_an_old_name_of_code_or_of_a_file(
    run_example: Runner, serve: Serve, cache: Path, tmp_path: Path
) -> None:
    variant = renamed_example(cache, VariantSpec(files=True))
    path = variant.new_path_of("src/core/array.c")
    assert path != "src/core/array.c"
    server = _serve_tool_calls(
        serve,
        ("read_symbol", {"name": variant.names["array_insert"]}),
        ("search", {"query": "grow the array"}),
        ("outline", {"path": f"example/{path}"}),
        ("outline", {"path": path}),
        ("list_files", {"path": "src"}),
        ("callers", {"name": variant.names["array_reserve"]}),
    )
    keys = {"variant": "renamed:files=true", "api_base": server.base_url}
    run_example(**keys, arms=ARMS, tasks=("array-reserve", "item-order", "map-remove"), repair_rounds=1)
    run_example(**keys, arms=("oracle", "lexical"), tasks=("item-order",), prompts="mera", out="mera")
    requests = [json.loads(served.body)["messages"] for served in server.log.requests]
    assert len(requests) > 3 * len(ARMS)
    # Prompts for a batch are the variant's too.
    own = {"model": "openai/m", "variant": "renamed:files=true"}
    config = example_config(**own, arms=("oracle", "lexical"), tasks=("item-order",))
    write_prompts(config, cache, tmp_path / "prompts.jsonl")
    batch = [json.loads(line)["body"]["messages"] for line in (tmp_path / "prompts.jsonl").read_text().splitlines()]
    assert len(batch) == 2
    for messages in batch:
        assert messages[-1]["content"].startswith("Repository: repository\n")
        assert f"const {variant.names['Item']} &" in messages[-1]["content"]
    assert {message["role"] for messages in requests for message in messages} >= {"system", "user", "tool"}
    assert any("File name: repository/src" in messages[-1]["content"] for messages in requests)
    old = set(variant.names)
    asked = [message for messages in (*requests, *batch) for message in messages if message["role"] != "assistant"]
    assert any(path in str(message["content"]) for message in asked)
    for message in asked:
        text = str(message.get("content") or "")
        assert "Repository: example" not in text
        assert "example/" not in text.replace(f"example/{path}", "")
        assert "inventory" not in text.lower()
        for file in variant.paths:
            assert not re.search(rf"(?<![\w-]){re.escape(Path(file).name)}\b", text), (file, text)
        # Where prose stands beside code, a plain word may be prose.
        assert set(re.findall(r"\w+", text)) & {name for name in old if "_" in name} == set()
        for block in re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            assert _names(block) & old == set(), (message["role"], block)


def _names(code: str) -> set[str]:
    """The identifiers of C or C++ text outside literals and comments."""
    found: set[str] = set()

    def note(piece: re.Match[str]) -> str:
        if piece.lastgroup == "word":
            found.add(piece.group())
        return piece.group()

    replace_source_pieces(code, note)
    return found


def test_rankers_leave_out_the_variants_targets(variant: VariantRecord, cache: Path) -> None:
    config = RunConfig(dataset="example", model="gold", variant="renamed")
    tasks, sources, _ = read_tasks(config, cache)
    held_out = list_dataset_targets_withheld_from_training(
        choose_tasks(config), find_recipe("example"), sources["example"]
    )
    assert held_out == tuple(task.target for task in tasks)
    assert variant.names["array_reserve"] in {target.name for target in held_out}


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
        (target,) = list_dataset_targets_withheld_from_training(choice, find_recipe("llvm-prebuilt"), source)
        assert (target.repo, target.span.first) == ("llvm-prebuilt", 2)
        assert target.name == row.name.removesuffix(last) + name
        assert target.signature == rename_code(row.target.signature, {last: name})
    assert len(list_dataset_targets_withheld_from_training(choice, find_recipe("llvm"), RepoSource(original))) == 68


def test_answers_made_elsewhere_are_graded_in_the_variant(
    variant: VariantRecord, used_cache: Path, tmp_path: Path, trusted_answers: None
) -> None:
    tasks = ("text-trim", "date-read")
    (right, _), (_, wrong) = (
        read_tasks(example_config(tasks=tasks, variant=name), used_cache).tasks for name in ("renamed", None)
    )
    golds = {task.id: fence(task.gold) for task in (right, wrong)}
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(json.dumps({"task_id": key, "completion": text}) for key, text in golds.items()))
    words = ["dataset=example", "sandbox=process", "variant=renamed", f"out={tmp_path / 'g'}"]
    end = predictions.judge_given_answers(path, words)
    assert {record.task_id: record.passed for record in end.records} == {right.id: True, wrong.id: False}
    scores = make_and_keep_official_scores(
        end.run, read_manifest(end.run), end.records, used_cache, set(golds.values())
    )
    found = {(score.task_id, score.passed, score.exact) for score in scores}
    assert found == {(right.id, True, True), (wrong.id, False, False)}


def test_another_map_is_another_run(variant: VariantRecord, cache: Path, run_example: Runner) -> None:
    keys = {"model": "gold", "variant": "renamed", "tasks": ("text-trim",)}
    run_example(**keys)
    now = renamed_example(cache, salt="x")
    with pytest.raises(ConfigError, match=f"map of example's variant was {variant.digest}, is {now.digest}") as raised:
        run_example(**keys)
    assert "\n" not in str(raised.value)
    with pytest.raises(ConfigError, match="variant was 'renamed:style=nonsense,seed=1', is None"):
        run_example(**{**keys, "variant": None})


def test_what_is_not_there_or_not_proved_is_refused(variant: VariantRecord, cache: Path) -> None:
    config = RunConfig(dataset="example", repos=("example",), model="gold", variant="renamed:seed=9,style=swapped")
    with pytest.raises(ConfigError, match="make it: graft variants make example --style swapped --seed 9"):
        read_tasks(config, cache)
    spec = VariantSpec(seed=8)
    config = config.model_copy(update={"variant": str(spec)})
    write_variant_record(_place(cache, spec), replace(variant, spec=spec, proof=None))
    with pytest.raises(ConfigError, match=r"isn't proved.*graft variants make example --style nonsense --seed 8"):
        read_tasks(config, cache)
    write_variant_record(_place(cache, spec), replace(variant, spec=spec, original="example-tree-000000000000"))
    with pytest.raises(ConfigError, match="was made of example-tree-000000000000, commit unknown, and this source is"):
        read_tasks(config, cache)
    # Of a whole data set it is merely left out.
    with pytest.raises(ConfigError, match="no task is left: example: 18 tasks left out"):
        read_tasks(config.model_copy(update={"repos": ()}), cache)


@pytest.mark.bwrap
@pytest.mark.timeout(600)
@pytest.mark.parametrize("tasks", [("check-digit", "map-remove"), pytest.param((), marks=pytest.mark.long)])
def test_golds_pass_and_are_audited_where_candidates_are_isolated(
    tasks: tuple[str, ...], bwrap_cache: Path, tmp_path: Path
) -> None:
    renamed_example(bwrap_cache)

    def states(variant: str | None) -> Counter[tuple[str, str]]:
        keys = {"sandbox": "bwrap", "audit": "all", "tasks": tasks, "variant": variant}
        end = run_experiment(example_config(**keys, out=tmp_path / str(variant)), bwrap_cache)
        assert [record.graft.verdict for record in end.records if not record.is_scored] == []
        return Counter((record.graft.verdict.outcome.value, record.audit.state) for record in end.records)

    renamed = states("renamed")
    assert renamed == states(None)
    assert sum(renamed.values()) == (len(tasks) or 18)
    assert {outcome for outcome, _ in renamed} == {"passed"}
