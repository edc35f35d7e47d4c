"""Prevents: a score that belongs to another file. A run's folder was found by a name alone, so that a second file of
the same name, or the same file after an edit, was called finished and got the first one's score. And a run over a
whole data set that starts a build of hours nobody asked for."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml

from executor.values import Task
from experiments.demo.scripted_server import ScriptRule
from experiments.run.batch import Offline
from experiments.run.config import RunConfig
from experiments.run.workspace import Repo, read_tasks
from index.errors import ConfigError, RecipeError, TaskError
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.projects import write_files
from tests.support.runs import Graft, refuse, succeed
from tests.support.scripts import fence_gold

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
