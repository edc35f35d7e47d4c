"""Prevents: a score that belongs to another file. A run's folder was found by a name alone, so that a second file of
the same name, or the same file after an edit, was called finished and got the first one's score."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from executor.values import Task
from experiments.demo.scripted_server import ScriptRule
from experiments.report import predictions
from experiments.run.batch import Offline
from experiments.run.experiment import run_experiment
from experiments.run.workspace import Repo
from index.errors import ConfigError, TaskError
from tests.fixtures.run_fixtures import Runner, Serve
from tests.support.runs import Graft
from tests.support.scripts import fence_gold

GRADE = ("dataset=example", "sandbox=process")


@pytest.fixture
def graft(graft: Graft, monkeypatch: pytest.MonkeyPatch, used_cache: Path, tmp_path: Path) -> Graft:
    """Answers in a file may run in the process sandbox here, since this test wrote them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(predictions, "run_experiment", partial(run_experiment, trusted=True))
    return graft


def write(path: Path, answers: Mapping[str, str]) -> None:
    path.parent.mkdir(exist_ok=True)
    lines = [json.dumps({"task_id": task, "completion": text}) for task, text in answers.items()]
    path.write_text("\n".join(lines) + "\n")


def passes(runs: Path) -> list[float]:
    reports = [json.loads(path.read_text()) for path in sorted(runs.glob("*/report.json"))]
    return sorted(report["rows"][0]["pass_at_1"]["value"] for report in reports)


def test_two_files_of_one_name_and_an_edited_one_have_a_score_each(graft: Graft, tmp_path: Path, task: Task) -> None:
    write(tmp_path / "A" / "answers.jsonl", {task.id: fence_gold(task)})
    write(tmp_path / "B" / "answers.jsonl", {task.id: "I can't."})
    assert graft("grade", "A/answers.jsonl", *GRADE)[0] == 0
    code, out, err = graft("grade", "B/answers.jsonl", *GRADE)
    assert (code, "are finished" in err) == (0, False)
    assert out.startswith("none passes 0.0 % of 1 task")
    assert passes(tmp_path / "runs") == [0.0, 1.0]
    write(tmp_path / "A" / "answers.jsonl", {task.id: fence_gold(task) + "Done."})
    assert graft("grade", "A/answers.jsonl", *GRADE)[0] == 0
    assert passes(tmp_path / "runs") == [0.0, 1.0, 1.0]


def test_a_named_folder_refuses_another_file(graft: Graft, tmp_path: Path, task: Task) -> None:
    write(tmp_path / "A" / "answers.jsonl", {task.id: fence_gold(task)})
    write(tmp_path / "B" / "answers.jsonl", {task.id: "I can't."})
    assert graft("grade", "A/answers.jsonl", *GRADE, "out=g")[0] == 0
    assert graft("grade", "A/answers.jsonl", *GRADE, "out=g")[0] == 0
    code, _, err = graft("grade", "B/answers.jsonl", *GRADE, "out=g")
    assert code == 2
    assert "B/answers.jsonl" in err.splitlines()[-1]
    assert "out=" in err.splitlines()[-1]
    write(tmp_path / "A" / "answers.jsonl", {task.id: "I can't."})
    code, _, err = graft("grade", "A/answers.jsonl", *GRADE, "out=g")
    assert code == 2
    assert "the file of answers (A/answers.jsonl) changed" in err.splitlines()[-1]


def test_an_edited_task_is_refused_on_resuming(run_example: Runner, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks"
    shutil.copytree(Path(__file__).parents[3] / "examples" / "inventory" / "tasks", tasks)
    keys = {"dataset": str(tasks), "model": "gold", "arms": ("oracle",)}
    run_example(**keys, tasks=["money-print"])
    # Another task's folder is none of this run's inputs.
    (tasks / "text-trim" / "oracle").mkdir(exist_ok=True)
    (tasks / "text-trim" / "oracle" / "999_more.c").write_text("// -: more\nint more(void);\n")
    run_example(**keys, tasks=["money-print"])
    (tasks / "money-print" / "oracle" / "999_more.c").write_text("// -: more\nint more(void);\n")
    with pytest.raises(ConfigError, match=f"task money-print \\(data set {tasks}\\) changed.*out="):
        run_example(**keys, tasks=["money-print"])


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
        server = serve(default=ScriptRule(answer=answer))
        run_example(out=name, tasks=[task.id], api_base=server.base_url)
    base = "http://127.0.0.1:9/v1"
    run_example(out="again", tasks=[task.id], api_base=base, offline=Offline(replay=tmp_path / "right"))
    with pytest.raises(ConfigError, match="the replayed run"):
        run_example(out="again", tasks=[task.id], api_base=base, offline=Offline(replay=tmp_path / "wrong"))
