"""Prevents: a finished sample that is repeated on resume, and a failure of the harness that is scored as the model's;
on a cluster a journal that hangs on where the candidates ran.

A score that belongs to another file: a run's folder was found by a name alone, so that a second file of the same name,
or the same file after an edit, was called finished and got the first one's score. And a run over a whole data set that
starts a build of hours nobody asked for."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from benchmarks.executor.cluster.ray_nodes import Nodes, read_timeless_journal
from executor.published.store_place import open_store
from executor.repository.images import push_image_and_get_digest, require_image
from executor.repository.recipe import find_recipe
from executor.repository.source import checkout_source
from executor.sandbox.choose import open_unscheduled_backend
from executor.values import Outcome, Task
from experiments.demo.scripted_server import ScriptRule
from experiments.run.batch import Offline
from experiments.run.config import RunConfig
from experiments.run.experiment import RunEnd, run_experiment
from experiments.run.manifest import MANIFEST, read_manifest
from experiments.run.records import JOURNAL, Execution, decode_json_value
from experiments.run.sampling.executions import RECORD
from experiments.run.workspace import Repo, read_tasks
from index.errors import ConfigError, RecipeError, TaskError
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.progress import RecordedProgress
from tests.support.projects import write_files
from tests.support.runs import Graft, example_config, format_report, refuse, report_of, succeed
from tests.support.scripts import fence, fence_gold, make_gold_rule, match_prompt


def outcomes(end: RunEnd) -> dict[str, Outcome]:
    """Of a run of one arm, by task."""
    return {record.task_id: record.graft.verdict.outcome for record in end.records}


def test_the_repositorys_own_tests_judge_after_the_chosen_ones_on_request(run_example: Runner) -> None:
    for suite, ran in (("chosen", ("c",)), ("official", ("c", "cpp"))):
        end = run_example(model="gold", tasks=["array-reserve"], suite=suite, out=suite)
        (record,) = end.records
        assert record.graft.verdict.outcome is Outcome.PASSED
        stored = (end.run / record.graft.execution / RECORD).read_bytes()
        assert decode_json_value(Execution, stored, end.run).suites == ran
        text = format_report(report_of(end.run))
        assert ("then by all of the repository's own tests" in text) == (suite == "official")


def test_each_kind_of_answer_ends_in_its_outcome(
    run_example: Runner, serve: Serve, example_tasks: dict[str, Task]
) -> None:
    # The example's runner gives each test a process and a deadline, so an endless loop is one failed test.
    bodies = {
        "date-read": ("{ return 0; }", Outcome.TESTS_FAILED),
        "text-trim": ("{ return nothing_here; }", Outcome.BUILD_FAILED),
        "text-fits": ("{ for (;;) { } }", Outcome.TESTS_FAILED),
    }
    answers = {
        "money-print": (fence(example_tasks["money-print"].gold), Outcome.PASSED),
        "map-remove": ("I would rather talk about the weather.", Outcome.NO_ANSWER),
        "money-quotient": (fence(example_tasks["money-quotient"].gold, "rust"), Outcome.PASSED),
    }
    for name, (body, end_of_it) in bodies.items():
        task = example_tasks[name]
        header = task.gold[: task.gold.index("{")]
        answers[name] = fence(f"{header}{body}", task.target.language), end_of_it
    rules = [ScriptRule(match=match_prompt(example_tasks[name]), answer=text) for name, (text, _) in answers.items()]
    end = run_example(tasks=list(answers), api_base=serve(*rules).base_url)
    assert outcomes(end) == {name: expected for name, (_, expected) in answers.items()}
    official = {r.task_id: r.official.verdict.outcome for r in end.records}
    # The official parser leaves "rust" in front of the code: the two readings differ, as published figures do.
    assert official["money-quotient"] is Outcome.BUILD_FAILED
    assert official["money-print"] is Outcome.PASSED


def test_a_second_run_does_nothing_again_nor_does_one_without_a_journal(
    run_example: Runner, serve: Serve, task: Task
) -> None:
    server = serve(make_gold_rule(task))
    first = run_example(tasks=[task.id], api_base=server.base_url)
    journal = (first.run / JOURNAL).read_bytes()
    assert run_example(tasks=[task.id], api_base=server.base_url).records == first.records
    assert (first.run / JOURNAL).read_bytes() == journal
    (first.run / JOURNAL).unlink()
    logs = {path: path.stat().st_mtime_ns for path in first.run.glob("executions/*/*/*.log")}
    assert logs
    second = run_example(tasks=[task.id], api_base=server.base_url)
    assert second.records == first.records
    assert server.log.request_count == 1
    assert {path: path.stat().st_mtime_ns for path in first.run.glob("executions/*/*/*.log")} == logs


def test_a_resumed_run_counts_on(cache: Path, tmp_path: Path) -> None:
    """Prevents: `1/2 samples, 1 passed` where two of three pass."""
    progress = RecordedProgress()
    for limit in (1, 3):
        run_experiment(example_config(limit=limit, out=tmp_path / "r"), cache, progress, trusted=True)
    samples = [count for count in progress.counts if count[0] == "samples"]
    assert samples == [("samples", 1, 1), ("samples", 0, 0), ("samples", 3, 3), ("samples", 0, 0)]
    assert progress.notes[-2:] == ["2 passed", "3 passed"]


def test_a_run_grows_by_tasks_and_arms_and_one_from_before_a_key_means_its_default(run_example: Runner) -> None:
    end = run_example(model="gold", tasks=["money-print"])
    path = end.run / MANIFEST
    manifest = json.loads(path.read_text())
    for part in ("identity", "config"):
        for key in ("official", "generation", "variant"):
            del manifest[part][key]
    del manifest["repos"]["example"]["variant"]
    path.write_text(json.dumps(manifest))
    grown = run_example(model="gold", tasks=["money-print", "text-trim"], arms=("none", "oracle"))
    assert len(grown.records) == 4
    assert set(read_manifest(end.run).tasks) == {"money-print", "text-trim"}
    path.write_text(json.dumps(manifest))
    with pytest.raises(ConfigError, match="it holds another run: official was 'yabloco', is 'mera'"):
        run_example(model="gold", tasks=["money-print"], official="mera")


def test_token_ceiling_stops_cleanly_and_resumes(
    run_example: Runner, serve: Serve, example_tasks: dict[str, Task]
) -> None:
    ids = ["money-print", "text-trim", "date-read"]
    server = serve(*(make_gold_rule(example_tasks[name]) for name in ids))
    keys = {"tasks": ids, "api_base": server.base_url, "concurrency": 1}
    first = run_example(**keys, max_tokens=1)
    assert "ceiling reached" in first.stopped
    assert len(first.records) == 1
    second = run_example(**keys)
    assert second.stopped == ""
    assert outcomes(second) == dict.fromkeys(ids, Outcome.PASSED)
    assert server.log.request_count == 3


def test_model_error_is_told_apart_and_retried_on_demand(run_example: Runner, serve: Serve, task: Task) -> None:
    refused = ScriptRule(match=match_prompt(task), status=401, answer="no such key", times=1)
    keys = {"tasks": [task.id], "api_base": serve(refused, make_gold_rule(task)).base_url}
    assert outcomes(run_example(**keys)) == {task.id: Outcome.MODEL_ERROR}
    assert outcomes(run_example(**keys)) == {task.id: Outcome.MODEL_ERROR}
    assert outcomes(run_example(**keys, retry_errors=True)) == {task.id: Outcome.PASSED}


def test_samples_get_seeds_and_pass_at_k(run_example: Runner, serve: Serve, task: Task) -> None:
    server = serve(ScriptRule(match=match_prompt(task), answer="nothing", times=1), make_gold_rule(task))
    end = run_example(tasks=[task.id], api_base=server.base_url, samples=2, temperature=0.8, concurrency=1)
    assert sorted(json.loads(served.body)["seed"] for served in server.log.requests) == [0, 1]
    (row,) = report_of(end.run).rows
    assert row.get_estimate("pass_at_1").value == 0.5
    assert row.repeated.pass_at[2].value == 1.0


def test_a_provider_that_refuses_everything_stops_the_run(run_example: Runner, serve: Serve) -> None:
    server = serve(ScriptRule(match=".", status=401, answer="no such key"))
    end = run_example(api_base=server.base_url, concurrency=1)
    assert "8 samples in a row ended in model_error" in end.stopped
    assert "--retry-errors" in end.stopped
    assert server.log.request_count == len(end.records) == 8


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """A Ray cluster of two nodes."""
    found = Nodes(tmp_path)
    found.add_node("node1")
    found.add_node("node2")
    yield found.cluster.address
    found.close()


# A second cluster, beside that of the workers' conformance suite, is too much for CI.
@pytest.mark.long
def test_the_journal_of_a_cluster_equals_the_local_one_but_for_times(
    cluster: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe, backend = find_recipe("example"), open_unscheduled_backend("process", cache)
    image = require_image(recipe, checkout_source(recipe, None, cache), backend, None, cache)
    monkeypatch.setenv("GRAFT_STORE", str(tmp_path / "store"))
    push_image_and_get_digest(image, backend, cache, open_store(str(tmp_path / "store")))
    tasks = ("text-trim", "check-digit")
    for model in ("gold", "stub"):
        journals = []
        for executor in ("local", "ray"):
            out = tmp_path / f"{executor}-{model}"
            config = example_config(tasks=tasks, model=model, out=out, executor=executor, ray=cluster)
            assert not run_experiment(config, cache).stopped
            journals.append(read_timeless_journal(out / JOURNAL))
        assert journals[0] == journals[1]
        assert len(journals[0]) == len(tasks)


# The same inputs


EXAMPLES = Path(__file__).parents[3] / "examples"
GRADE = ("dataset=example", "sandbox=process")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, used_cache: Path, trusted_answers: None) -> Path:
    """Where commands are given."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, task: Task, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"task_id": task.id, "completion": text}) + "\n")


def passes(runs: Path) -> list[float]:
    reports = [json.loads(path.read_text()) for path in sorted(runs.glob("*/report.json"))]
    return sorted(report["rows"][0]["pass_at_1"]["value"] for report in reports)


def test_two_files_of_one_name_and_an_edited_one_have_a_score_each(graft: Graft, place: Path, task: Task) -> None:
    write(place / "A" / "answers.jsonl", task, fence_gold(task))
    write(place / "B" / "answers.jsonl", task, "I can't.")
    succeed(graft, "grade", "A/answers.jsonl", *GRADE)
    code, out, err = graft("grade", "B/answers.jsonl", *GRADE)
    assert (code, "are finished" in err) == (0, False)
    assert out.startswith("none passes 0.0 % of 1 task")
    assert passes(place / "runs") == [0.0, 1.0]
    write(place / "A" / "answers.jsonl", task, fence_gold(task) + "Done.")
    succeed(graft, "grade", "A/answers.jsonl", *GRADE)
    assert passes(place / "runs") == [0.0, 1.0, 1.0]


def test_a_named_folder_refuses_another_file(graft: Graft, place: Path, task: Task) -> None:
    write(place / "A" / "answers.jsonl", task, fence_gold(task))
    write(place / "B" / "answers.jsonl", task, "I can't.")
    for _ in range(2):
        succeed(graft, "grade", "A/answers.jsonl", *GRADE, "out=g")
    line = refuse(graft, "grade", "B/answers.jsonl", *GRADE, "out=g").splitlines()[-1]
    assert "B/answers.jsonl" in line and "out=" in line
    write(place / "A" / "answers.jsonl", task, "I can't.")
    line = refuse(graft, "grade", "A/answers.jsonl", *GRADE, "out=g").splitlines()[-1]
    assert "the file of answers (A/answers.jsonl) changed" in line


def test_an_edited_task_is_refused_on_resuming(run_example: Runner, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks"
    shutil.copytree(EXAMPLES / "inventory" / "tasks", tasks)
    keys = {"dataset": str(tasks), "model": "gold", "arms": ("oracle",), "tasks": ["money-print"]}
    for prompts in ("graft", "mera"):
        run_example(**keys, prompts=prompts, out=prompts)
    # Another task's folder is none of this run's inputs.
    write_files(tasks / "text-trim" / "oracle", {"999_more.c": "// -: more\nint more(void);\n"})
    run_example(**keys, out="graft")
    # White space around a signature matters to prompts that show it.
    file = tasks / "money-print" / "task.yaml"
    fields = yaml.safe_load(file.read_text())
    file.write_text(yaml.safe_dump({**fields, "signature": f" {fields['signature']}\n"}))
    run_example(**keys, out="graft")
    with pytest.raises(ConfigError, match=r"task money-print .* changed"):
        run_example(**keys, prompts="mera", out="mera")
    write_files(tasks / "money-print" / "oracle", {"999_more.c": "// -: more\nint more(void);\n"})
    with pytest.raises(ConfigError, match=f"task money-print \\(data set {tasks}\\) changed.*out="):
        run_example(**keys, out="graft")


def test_other_suites_are_refused_on_resuming(run_example: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    run_example(model="gold", tasks=["money-print"])
    monkeypatch.setattr(Repo, "list_judging_suites", lambda self, task_id: ("cpp",))
    with pytest.raises(ConfigError, match="the suites that judge money-print"):
        run_example(model="gold", tasks=["money-print"])


def test_a_batch_answer_that_changed_is_refused(run_example: Runner, task: Task, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    line = {"custom_id": f"{task.id}/none/0", "text": fence_gold(task)}
    answers.write_text(json.dumps(line))
    offline = Offline(responses=answers)
    for _ in range(2):
        end = run_example(tasks=[task.id], offline=offline)
        assert [record.graft.verdict.outcome.value for record in end.records] == ["passed"]
    answers.write_text(json.dumps({**line, "text": "I can't."}))
    with pytest.raises(TaskError, match=r"answers\.jsonl line 1: .*answered otherwise before.*out="):
        run_example(tasks=[task.id], offline=offline)


def test_another_replay_is_refused(run_example: Runner, serve: Serve, task: Task, tmp_path: Path) -> None:
    for name, answer in (("right", fence_gold(task)), ("wrong", "I can't.")):
        run_example(out=name, tasks=[task.id], api_base=serve(default=ScriptRule(answer=answer)).base_url)
    keys = {"out": "again", "tasks": [task.id], "api_base": "http://127.0.0.1:9/v1"}
    run_example(**keys, offline=Offline(replay=tmp_path / "right"))
    with pytest.raises(ConfigError, match="the replayed run"):
        run_example(**keys, offline=Offline(replay=tmp_path / "wrong"))


LLVM_TASK = """\
id: T1
repository: llvm
path: llvm/lib/Support/SourceMgr.cpp
first: 1
last: 3
name: f
signature: int f()
docstring: Does it.
level: none
"""


def test_what_takes_hours_is_only_built_when_it_is_named(tmp_path: Path) -> None:
    write_files(tmp_path, {"mirror/llvm/HEAD": "ref: refs/heads/main\n", "tasks/T1/task.yaml": LLVM_TASK})
    (tmp_path / "mirror" / "llvm" / "objects").mkdir()
    config = RunConfig(dataset=str(tmp_path / "tasks"), model="gold", mirror=tmp_path / "mirror")
    with pytest.raises(ConfigError, match=r"llvm: 1 tasks left out \(only when asked for: repos=llvm\)"):
        read_tasks(config, tmp_path / "cache")
    # Named, it is looked for; this mirror is empty.
    with pytest.raises(RecipeError, match="has no commit"):
        read_tasks(config.model_copy(update={"repos": ("llvm",)}), tmp_path / "cache")
