"""Prevents: a run on a variant that tells the model an old name, scores golds as wrong, goes on with another map, or
takes an unproved variant."""

from __future__ import annotations

import json
import re
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
from executor.manifest.variant.values import VariantRecord, VariantSpec
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.tasks.datasets import load_rows
from executor.values import Outcome
from experiments.demo.scripted_server import RunningServer, ScriptCall, ScriptRule
from experiments.run.config import RunConfig
from experiments.run.manifest import read_manifest
from experiments.run.resolve import choose_tasks
from experiments.run.workspace import list_held_out_targets, read_tasks
from index.cpp.tokens import replace_source_pieces
from index.errors import ConfigError
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.variants import renamed_example

# In one process with the other tests of variants: the variant's image is built once.
# Slow: runs on a renamed tree that is built for them.
pytestmark = [pytest.mark.xdist_group("variant"), pytest.mark.slow]
# One of each kind: given, the file, found by text, by meaning, by structure, in drafts, by chance, with tools.
ARMS = (
    "none+compile", "oracle", "oracle+compile", "file", "lexical", "dense", "structural", "iterative", "random",
    "agentic", "agentic+compile",
)  # fmt: skip


@pytest.fixture
def variant(cache: Path) -> VariantRecord:
    return renamed_example(cache)


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
    facts = read_manifest(end.run).repos["example"].variant
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
    end = run_example(**words, model="stub", out="stubs")
    assert Outcome.PASSED not in {record.graft.verdict.outcome for record in end.records}
    config = RunConfig(model="gold", dataset="example-pairs", variant="renamed", tasks=("hold-and-workdays",))
    (renamed,) = read_tasks(config, cache).tasks
    assert [hole.name for hole in renamed.target.holes] == [
        rename_qualified_name("store::hold_until", variant.names),
        variant.names["date_plus_workdays"],
    ]


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
    name = variant.names["map_remove"]
    assert name in (next(end.run.glob("executions/*/*/candidate.txt"))).read_text()


def _serve_tool_calls(serve: Serve, *calls: tuple[str, dict[str, str]]) -> RunningServer:
    """A model that asks these tools, and then writes what doesn't compile."""
    asked = tuple(ScriptCall(name=name, arguments=arguments) for name, arguments in calls)
    return serve(
        ScriptRule(when_tools=True, turn=1, calls=asked),
        default=ScriptRule(answer="```c\nint nothing(void) { return array_reserv(no_such_name); }\n```"),
    )


def test_no_request_tells_an_old_name(variant: VariantRecord, run_example: Runner, serve: Serve) -> None:
    server = _serve_tool_calls(
        serve,
        ("read_symbol", {"name": variant.names["array_insert"]}),
        ("search", {"query": "grow the array"}),
        ("outline", {"path": "example/src/core/array.c"}),
        ("callers", {"name": variant.names["array_reserve"]}),
    )
    keys = {"variant": "renamed", "api_base": server.base_url}
    run_example(**keys, arms=ARMS, tasks=("array-reserve", "item-order", "map-remove"), repair_rounds=1)
    run_example(**keys, arms=("oracle", "lexical"), tasks=("item-order",), prompts="mera", out="mera")
    requests = [json.loads(served.body)["messages"] for served in server.log.requests]
    assert len(requests) > 3 * len(ARMS)
    assert {message["role"] for messages in requests for message in messages} >= {"system", "user", "tool"}
    assert any("File name: repository/src" in messages[-1]["content"] for messages in requests)
    old = set(variant.names)
    for messages in requests:
        for message in messages:
            text = str(message.get("content") or "")
            if message["role"] == "assistant":
                continue
            assert "Repository: example" not in text
            assert "example/" not in text.replace("example/src/core/array.c", "")
            assert "inventory" not in text.lower()
            # Where prose stands beside code, a plain word may be prose.
            assert set(re.findall(r"\w+", text)) & {name for name in old if "_" in name} == set()
            for block in re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
                assert _names(block) & old == set(), (message["role"], block)


def test_no_request_tells_a_file_that_is_renamed(run_example: Runner, serve: Serve, cache: Path) -> None:
    record = renamed_example(cache, VariantSpec(files=True))
    (row,) = (row for row in load_rows("example") if row.id == "array-reserve")
    assert record.new_path_of(row.path) != row.path
    server = _serve_tool_calls(
        serve,
        ("outline", {"path": record.new_path_of(row.path)}),
        ("list_files", {"path": "src"}),
        ("search", {"query": "grow the array"}),
        ("callers", {"name": record.names["array_reserve"]}),
    )
    keys = {"variant": "renamed:files=true", "api_base": server.base_url, "repair_rounds": 1}
    run_example(**keys, arms=("oracle+compile", "agentic+compile"), tasks=(row.id,))
    texts = [
        str(message.get("content") or "")
        for served in server.log.requests
        for message in json.loads(served.body)["messages"]
        if message["role"] != "assistant"
    ]
    assert any(record.new_path_of(row.path) in text for text in texts)
    for path in record.paths:
        assert [text for text in texts if re.search(rf"(?<![\w-]){re.escape(Path(path).name)}\b", text)] == [], path


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
    assert list_held_out_targets(choose_tasks(config), find_recipe("example"), sources["example"]) == tuple(
        task.target for task in tasks
    )
    assert variant.names["array_reserve"] in {task.target.name for task in tasks}


def test_another_map_is_another_run(variant: VariantRecord, cache: Path, run_example: Runner) -> None:
    keys = {"model": "gold", "variant": "renamed", "tasks": ("text-trim",), "audit": "none"}
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
