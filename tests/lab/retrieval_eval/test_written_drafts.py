"""Prevents: drafts that are scored against other tasks than theirs, a misspelt line that is skipped in silence, rows
that are compared on different targets, and a run's look-ups that count symbols which no tool showed."""

from __future__ import annotations

import json

import pytest

from agent.values import Candidate, Draft, ModelResponse, Round, ToolUse, Trajectory
from experiments.run.records import Story, encode_json_value, locate_story
from index.errors import TaskError
from lab.retrieval_eval.written_drafts import read_written_texts
from retrieval.values import Context
from tests.support.runs import make_run, record

pytestmark = pytest.mark.xdist_group("retrieval_eval")

EMPTY = Context((), 0, 0, ())


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def answered(text, uses=()):
    return Round(ModelResponse(text, "", "stop", 1, 1, 0.0, "", 1.0), Candidate(None, "prose"), None, uses=uses)


def write_story(run, arm, task_id, trail):
    path = locate_story(run, arm, task_id, 0)
    path.parent.mkdir(parents=True)
    path.write_bytes(encode_json_value(Story(EMPTY, (), trail)))


def test_golds_as_drafts_find_what_golds_name(evaluate, tmp_path, example_tasks):
    some = list(example_tasks.values())[:8]
    file = lines(tmp_path / "drafts.jsonl", [{"task_id": task.id, "draft": task.gold} for task in some])
    code, output = evaluate("--retrievers", "lexical,lookup", "--drafts", file, "--draft-base", "lexical", "--json")
    assert code == 0, output
    found = json.loads(output)
    figures = found["pooled"]
    assert list(figures) == ["lexical", "lookup", "iterative"]
    assert len({row["targets"] for row in figures.values()}) == 1 and 0 < figures["lexical"]["targets"] <= len(some)
    assert any("doesn't have all of iterative" in line for line in found["repos"]["example"]["lexical"]["left_out"])
    assert figures["iterative"]["recall@50"] >= figures["lookup"]["recall@50"] > figures["lexical"]["recall@10"]
    rows = found["prompts"]["pooled"]["rows"]
    assert list(rows) == ["none", "file", "oracle", "oracle+", "lexical", "lookup", "iterative"]
    assert rows["iterative"]["names@8000tokens"] >= rows["lexical"]["names@8000tokens"] > 0


def test_a_runs_folder_has_drafts_and_what_tools_showed(evaluate, tmp_path, example_tasks):
    task = next(t for t in example_tasks.values() if t.oracle and t.oracle[0].path)
    arms = ("agentic", "iterative+compile", "none")
    records = [record(task.id, arm=arm) for arm in (*arms, "of-an-older-version")]
    folder = make_run(tmp_path / "run", records, arms=arms, dataset="example")
    shown = tuple(f"{item.name} ({item.path})" for item in task.oracle)
    use = ToolUse("search", "{}", False, 9, 0.1, (*shown, "no_such_thing (nowhere.c)"))
    none = Candidate(None)
    write_story(folder, "agentic", task.id, Trajectory((), (answered("", (use,)),), none))
    draft = Draft(EMPTY, (), (answered(task.gold),))
    write_story(folder, "iterative+compile", task.id, Trajectory((), (), none, drafts=(draft,)))
    written = read_written_texts(folder)
    assert list(written.rows) == ["iterative", "agentic"]
    assert written.rows["iterative"] == {task.id: task.gold}
    code, output = evaluate("--retrievers", "random", "--drafts", folder, "--draft-base", "lexical", "--json")
    assert code == 0, output
    figures = json.loads(output)["pooled"]
    assert figures["agentic"]["targets"] == 1
    assert figures["agentic"]["recall@10"] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "drafts.jsonl: no drafts; a line is"),
        ("\n\n", "no drafts"),
        ("{not JSON", "line 1: not JSON"),
        ('{"task_id": "money-print"}', "line 1: draft: "),
        ('{"task_id": "money-print", "drat": "x"}', "line 1: drat: unknown key; did you mean 'draft'?"),
        ('{"draft": "x"}', "line 1: task_id: "),
        ('\n{"task_id": "money-print", "draft": 7}', "line 2: draft: "),
        ('{"task_id": "a", "draft": "x"}\n{"task_id": "a", "draft": "y"}', "line 2: task a was already given"),
    ],
)
def test_a_bad_file_is_a_line_that_says_where(tmp_path, text, message):
    file = tmp_path / "drafts.jsonl"
    file.write_text(text)
    with pytest.raises(TaskError) as caught:
        read_written_texts(file)
    assert message in str(caught.value)


def test_what_cant_be_scored_is_a_clear_line(evaluate, tmp_path):
    file = lines(tmp_path / "drafts.jsonl", [{"task_id": "money-prinz", "draft": "x"}, {"task_id": "zz", "draft": ""}])
    for words, message in (
        (("--drafts", file), "drafts.jsonl: unknown task id 'money-prinz' (and 1 more); did you mean 'money-print'?"),
        (("--drafts", tmp_path / "none.jsonl"), "none.jsonl: can't be read"),
        (("--drafts", file, "--variant", "renamed"), "leave out --variant"),
        (("--drafts", file, "--draft-base", "lexicl"), "did you mean 'lexical'"),
        (("--drafts", make_run(tmp_path / "run", [record("a")])), "no sample of an arm that drafts or looks things"),
    ):
        code, line = evaluate(*words)
        assert code == 2 and message in line
